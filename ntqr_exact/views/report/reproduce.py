"""How to get every number of a report again: commands, a program, the data, and the version."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ntqr_exact import __version__
from ntqr_exact.blocks.block import Block, Code, Fold, Heading, Section, Sentence


def reproduce_section(
    *,
    made_by: Sequence[str],
    commands: Sequence[Sequence[str]],
    program: str,
    data: tuple[str, str] | None = None,
) -> Section:
    """Return the section that tells how to do it again.

    `made_by` is the command that made the report, if one did; `commands` and `program` work on `data`, the name of a
    file and what stands in it.
    """
    blocks: list[Block] = [
        Sentence(
            f"Exact results are the same on every machine. Version {__version__} of ntqr-exact made this; in a "
            "clone of its repository at that version:"
        ),
        Code("pip install '.[plots]'"),
    ]
    if made_by:
        blocks += [Sentence("This report was made by"), Code(command_line(made_by), "wrapped")]
    if data is not None:
        name, content = data
        blocks.append(Sentence(f"All data are in this report. Save what is folded here as {name}:"))
        blocks.append(Fold(name, (Code(content, "long"),)))
    blocks += [
        Heading("On the command line"),
        Code("\n".join(command_line(one) for one in commands), "wrapped"),
        Heading("In Python"),
        Code(program.strip()),
    ]
    return Section("reproduce", "How to reproduce it", tuple(blocks))


def command_line(arguments: Sequence[str]) -> str:
    """Return a command as it is typed, its arguments quoted where they must be.

    >>> command_line(["evaluate", "my votes.json"])
    "ntqr-exact evaluate 'my votes.json'"
    """
    return shlex.join(["ntqr-exact", *arguments])
