"""How to get every number of a report again: commands, a program, the data, and the version."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ntqr_exact import __version__
from ntqr_exact.blocks.markup import Markup, fold, tag
from ntqr_exact.views.report.blocks import Section, code, heading, sentence


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
    parts: list[Markup] = [
        sentence("Exact results are the same on every machine. Install the version that made this:")
    ]
    parts.append(code(f"pip install ntqr-exact=={__version__}"))
    if made_by:
        parts += [sentence("This report was made by"), code(command_line(made_by), kind="wrapped")]
    if data is not None:
        name, content = data
        parts.append(
            sentence("All data are in this report. Save what is folded here as ", tag("code", name), ":")
        )
        parts.append(fold(name, code(content, kind="long")))
    parts += [
        heading("On the command line"),
        code("\n".join(command_line(one) for one in commands), kind="wrapped"),
        heading("In Python"),
        code(program.strip()),
    ]
    return Section("reproduce", "How to reproduce it", tuple(parts))


def command_line(arguments: Sequence[str]) -> str:
    """Return a command as it is typed, its arguments quoted where they must be.

    >>> command_line(["evaluate", "my votes.json"])
    "ntqr-exact evaluate 'my votes.json'"
    """
    return shlex.join(["ntqr-exact", *arguments])
