"""The frame of the command: what commands there are, help, colours, errors and exit codes.

Exit codes: 0 done, 1 a check failed, 2 bad input (one line on stderr, never a traceback),
70 a fault of this program (one line on stderr; never taken for a verdict), 130 interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Any

import click

from ntqr_exact import __version__, budget
from ntqr_exact.cli.exit_codes import BAD_INPUT, FAULT, INTERRUPTED
from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.terminal import harmless_output
from ntqr_exact.errors import DecisionsNote, DecisionsWarning, NtqrExactError

COMMANDS = {
    "demo": "ntqr_exact.cli.demo:demo",
    "examples": "ntqr_exact.cli.examples:examples",
    "votes": "ntqr_exact.cli.votes:votes",
    "evaluate": "ntqr_exact.cli.evaluate:evaluate",
    "dependence": "ntqr_exact.cli.dependence:dependence",
    "graded": "ntqr_exact.cli.graded:graded",
    "choose": "ntqr_exact.cli.choose:choose",
    "agreement": "ntqr_exact.cli.agreement:agreement",
    "alarm": "ntqr_exact.cli.alarm:alarm",
    "consistent": "ntqr_exact.cli.consistent:consistent",
    "postulates": "ntqr_exact.cli.postulates:postulates",
    "derive": "ntqr_exact.cli.derive:derive_command",
    "metrics": "ntqr_exact.cli.metrics:metrics",
    "significance": "ntqr_exact.cli.significance:significance",
    "atc": "ntqr_exact.cli.atc:atc_command",
    "inversions": "ntqr_exact.cli.inversions:inversions",
    "ledger": "ntqr_exact.cli.ledger:ledger_command",
    "proofs": "ntqr_exact.cli.proofs:proofs",
    "vectors": "ntqr_exact.cli.vectors:vectors",
    "census": "ntqr_exact.cli.census:census",
}
"""Each command and where it lives; a module is loaded only when its command is called."""

_LONG = {"derive", "inversions", "ledger", "proofs", "vectors", "census"}
"""Commands whose work is as long as it is asked to be; the others answer soon, or say that they cannot."""


class _Interrupted(BaseException):
    """An interruption from the keyboard."""


class LazyGroup(HelpfulGroup):
    """A group whose commands are imported when they are needed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take --work-limit after the command, too."""
        end = args.index("--") if "--" in args else len(args)
        for place in range(end):
            if args[place] == "--work-limit":
                args = [*args[place : place + 2], *args[:place], *args[place + 2 :]]
            elif args[place].startswith("--work-limit="):
                args = [args[place], *args[:place], *args[place + 1 :]]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the table above: the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def make_context(self, *given: Any, **more: Any) -> click.Context:
        """Read the words, and print help; an interruption goes past click here, too."""
        try:
            return super().make_context(*given, **more)
        except KeyboardInterrupt:
            raise _Interrupted from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an interruption goes past click, which would answer it with an empty line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say which commands there are where the given one is none."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, n=1)
            guess = f"; did you mean {near[0]!r}?" if near else f"; the commands are {', '.join(COMMANDS)}"
            raise click.UsageError(f"{args[0]!r} is not a command{guess}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "--version", prog_name="ntqr-exact", message="%(prog)s %(version)s")
@click.option(
    "--work-limit",
    type=click.IntRange(min=0),
    metavar="STEPS",
    help="Let work of so many steps begin, a step being about a microsecond; what takes more is refused.",
)
@click.pass_context
def cli(ctx: click.Context, /, *, work_limit: int | None) -> None:
    """Grade noisy judges, and the metrics used on them, in exact arithmetic.

    Every number printed is exact; a decimal beside it is for reading only. Start with
    `ntqr-exact demo`, then count your own decisions with `ntqr-exact votes count FILE`.

    Exit codes: 0 done, 1 a check failed, 2 bad input, 70 a fault of this program,
    130 interrupted. Set NO_COLOR to have no colours.
    """
    ctx.with_resource(_told_warnings())
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if work_limit is not None:
        ctx.with_resource(budget.work_limit(work_limit))
    if ctx.invoked_subcommand not in _LONG:
        ctx.with_resource(budget.accounted())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    # The door for numbers has a limit of its own, so that Python's limit for digits need not hold here.
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        with harmless_output(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as numpy's, of floats that only guess
            return _run(arguments)
    finally:
        sys.set_int_max_str_digits(digits)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        if any("\0" in argument for argument in arguments or ()):  # a shell cannot write it, a program can
            raise click.UsageError("an argument has no NUL character")
        result = cli.main(
            args=None if arguments is None else list(arguments), prog_name="ntqr-exact", standalone_mode=False
        )
        if sys.stdout is not None:  # it is None where the shell has closed it
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except NtqrExactError as error:
        complaint = str(error)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "ntqr-exact"
        complaint = f"{error.format_message()} (see '{command} --help')"
    except click.ClickException as error:
        complaint = error.format_message()
    except (click.Abort, KeyboardInterrupt, _Interrupted):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # click makes the latter of the former
        # The reader of a pipe has gone, as `head` does; nothing is left to be said to it.
        _abandon_output()
        return 0
    except OSError as error:
        _abandon_output()
        complaint = f"the output cannot be written: {error.strerror}"
    except (MemoryError, RecursionError):
        complaint = "there is not enough memory for an input of this size"
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        click.echo(f"ntqr-exact: a fault of this program, please report it: {text}", err=True)
        return FAULT
    click.echo("ntqr-exact: " + " ".join(complaint.split()), err=True)
    return BAD_INPUT


@contextmanager
def _told_warnings() -> Iterator[None]:
    """Print what is said of a user's file as a line on stderr, once; leave all other warnings alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", DecisionsWarning)
        show_others, said = warnings.showwarning, set[str]()

        def tell(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if not issubclass(category, DecisionsWarning):
                show_others(message, category, *place, **more)
            elif str(message) not in said:
                said.add(str(message))
                click.echo(
                    f"{'note' if issubclass(category, DecisionsNote) else 'warning'}: {message}", err=True
                )

        warnings.showwarning = tell
        yield


def _abandon_output() -> None:
    """Let Python's last flush, as it ends, go nowhere."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):  # a stream of a test, or one that is closed, has no number
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
