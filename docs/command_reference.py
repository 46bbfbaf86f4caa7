"""The reference of the command, made from the command itself: every command, argument and option, as click knows them.

A generator of our own, and not sphinx-click: the commands load lazily and some take the rest of the line, which it
does not see, and fifty lines are less than a dependency.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

import click

from ntqr_exact.cli.main import cli

_HEAD = """# The command

`ntqr-exact COMMAND --help` prints the same. VOTES is a file of any form that [votes](../votes.md) come in, `-`
for standard input, or an example such as `example:two-norm`. Exit codes: 0 done, 1 a check failed or an alarm fired, 2
bad input with one line on standard error, 70 a fault of the program, 130 interrupted.
"""


def command_reference() -> str:
    """Return the page in Markdown."""
    context = click.Context(cli, info_name="ntqr-exact", **cli.context_settings)
    return _HEAD + "".join(_sections(cli, context))


def _sections(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inside = click.Context(command, info_name=name, parent=context)
        yield _section(command, inside)
        if isinstance(command, click.Group):
            yield from _sections(command, inside)


def _section(command: click.Command, context: click.Context) -> str:
    depth = len(context.command_path.split())
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [
        f"\n{'#' * min(depth, 4)} {context.command_path}\n",
        f"```text\n{context.command_path} {usage}\n```\n",
    ]
    parts.append(_words(command.help or ""))
    rows = [
        record for parameter in command.params if (record := parameter.get_help_record(context)) is not None
    ]
    if rows:
        cells = "\n".join(f"| `{_cell(option)}` | {_cell(words)} |" for option, words in rows)
        parts.append(f"| option | |\n|---|---|\n{cells}\n")
    if command.epilog:
        parts.append(f"{_words(command.epilog)}")
    return "\n".join(parts)


def _words(help_text: str) -> str:
    """Return help as paragraphs; what click must not wrap, after a line with a backspace, is code."""
    blocks = textwrap.dedent(help_text).strip().split("\n\n")
    written = []
    for is_code, group in groupby(blocks, key=lambda block: block.startswith("\b")):
        for block in group:
            lines = block.removeprefix("\b\n").splitlines()
            if not is_code:
                written.append(" ".join(lines))
                continue
            code = [line for line in lines if line.strip() != "Example:"]
            written.append("```sh\n" + textwrap.dedent("\n".join(code)) + "\n```")
    return "\n\n".join(written) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")
