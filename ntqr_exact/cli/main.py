"""The command: its subcommands, errors and exit codes. Bad input is one line on stderr, never a traceback."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Any, cast

import click

from ntqr_exact import __version__, budget
from ntqr_exact.cli import BAD_INPUT, FAULT, INTERRUPTED
from ntqr_exact.cli.terminal import harmless_output
from ntqr_exact.errors import DecisionsWarning, NtqrExactError

_MODULES = {
    "votes_commands": "demo examples votes evaluate graded choose agreement alarm dependence consistent",
    "metric_commands": "metrics significance atc",
    "theory_commands": "postulates derive ledger proofs census",
    "vectors": "vectors",
}
COMMANDS = {name: module for module, names in _MODULES.items() for name in names.split()}
"""Each command and its module, loaded when it is called."""


class HelpfulGroup(click.Group):
    """A group of commands: if none is named, the default is meant, or else help is printed."""

    default = ""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default."""
        is_named = args and (not self.default or args[0] in (*self.commands, *ctx.help_option_names))
        return super().parse_args(ctx, args if is_named else [self.default or "--help", *args])


class LazyGroup(HelpfulGroup):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import a command; for an unknown one, suggest the nearest, or list all of them."""
        if cmd_name not in COMMANDS:
            near = get_close_matches(cmd_name, COMMANDS, n=1)
            guess = f"; did you mean {near[0]!r}?" if near else f"; the commands are {', '.join(COMMANDS)}"
            raise click.UsageError(f"{cmd_name!r} is not a command{guess}", ctx)
        module = importlib.import_module(f"ntqr_exact.cli.{COMMANDS[cmd_name]}")
        return cast(click.Command, getattr(module, cmd_name))


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "--version", prog_name="ntqr-exact", message="%(prog)s %(version)s")
@click.option(
    "--work-limit", type=click.IntRange(min=0), metavar="STEPS", help="The same option of every command."
)
@click.pass_context
def cli(ctx: click.Context, /, *, work_limit: int | None) -> None:
    """Grade noisy judges, and the metrics used on them, in exact arithmetic.

    Every number is computed exactly; decimals are for reading only. Start with `ntqr-exact demo`, then try your own
    file: `ntqr-exact evaluate FILE`.

    Exit codes: 0 done, 1 a check failed or an alarm fired, 2 bad input, 70 a fault of this program, 130 interrupted.
    Set NO_COLOR to turn colours off.
    """
    ctx.with_resource(_warnings_on_stderr())
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if work_limit is not None:
        ctx.with_resource(budget.work_limit(work_limit))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    # `rational` has its own limit for digits, so Python's limit is lifted.
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        with harmless_output():
            return _run(arguments)
    finally:
        sys.set_int_max_str_digits(digits)


def _run(arguments: Sequence[str] | None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if any("\0" in argument for argument in given):  # a program can pass it, a shell cannot
            raise click.UsageError("an argument must not contain a NUL character")
        try:
            # Not `cli.main`, which answers Ctrl-C with an empty line.
            with cli.make_context("ntqr-exact", given) as context:
                code = cli.invoke(context)
        except click.exceptions.Exit as done:  # after --help and --version
            code = done.exit_code
        if sys.stdout is not None:  # it is None if the shell has closed it
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except NtqrExactError as error:
        message = str(error)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "ntqr-exact"
        message = f"{error.format_message()} (see '{command} --help')"
    except click.ClickException as error:
        message = error.format_message()
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_output()  # the reader of the pipe is gone, as `head` does
        return 0
    except OSError as error:
        _abandon_output()
        message = f"the output cannot be written: {error.strerror}"
    except (MemoryError, RecursionError):
        message = "there is not enough memory for an input of this size"
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        click.echo(f"ntqr-exact: a fault of this program, please report it: {text}", err=True)
        return FAULT
    click.echo("ntqr-exact: " + " ".join(message.split()), err=True)
    return BAD_INPUT


@contextmanager
def _warnings_on_stderr() -> Iterator[None]:
    """Print each warning about a user's file once, as a line on stderr; no other warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as numpy's, about floats that only guess
        warnings.simplefilter("always", DecisionsWarning)
        printed = set[str]()

        def show(message: Warning | str, *_: Any, **__: Any) -> None:
            if str(message) not in printed:
                printed.add(str(message))
                click.echo(f"note: {message}", err=True)

        warnings.showwarning = show
        yield


def _abandon_output() -> None:
    """Send Python's last flush nowhere."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):  # the stream of a test, or a closed one, has no number
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
