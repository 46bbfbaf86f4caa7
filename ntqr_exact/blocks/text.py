"""Blocks as plain text for a terminal: sentences are wrapped, columns aligned, folds and pictures left out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from ntqr_exact.blocks.block import (
    Abridged,
    Block,
    Box,
    Bullets,
    Cell,
    Code,
    Facts,
    Fold,
    Heading,
    Picture,
    Section,
    Sentence,
    Table,
)
from ntqr_exact.exact.text_rows import aligned, on_one_line
from ntqr_exact.exact.value_text import SHORT, value_text

MOST_ROWS = 500
"""Rows of a table that are shown at all; the caption says how many there are."""

_WIDTH = 100
_LONGEST_FACT = 300
_NUMBER = re.compile(r"[-−≈>(\[ ]*\d")


def section_text(sections: Iterable[Section]) -> str:
    """Return sections under underlined titles.

    >>> print(section_text([Section("s", "Two", (Sentence("One."), Facts("Named", (("x", 1),))))]))
    Two
    ---
    One.
    <BLANKLINE>
    Named:
      x: 1
    """
    return "\n\n".join(f"{one.title}\n{'-' * len(one.title)}\n{block_text(one.blocks)}" for one in sections)


def block_text(blocks: Iterable[Block]) -> str:
    """Return blocks with an empty line between them, and a heading right above what it is for."""
    parts: list[str] = []
    for block in blocks:
        if text := _text(block):
            parts += [text, "\n" if isinstance(block, Heading) else "\n\n"]
    return "".join(parts[:-1])


def table_text(header: Sequence[str], rows: Iterable[Sequence[Cell]], *, indent: int = 2) -> str:
    """Return rows under a header, columns aligned: those of numbers to the right, the others to the left.

    >>> print(table_text(["judge", "a"], [["A", 12], ["B", 7]], indent=0))
    judge   a
    A      12
    B       7
    """
    lines = [list(header), *([_cell(cell) for cell in row] for row in rows)]
    to_the_left = [
        place == 0 or not any(map(_NUMBER.match, column[1:]))
        for place, column in enumerate(zip(*lines, strict=True))
    ]
    return "\n".join(" " * indent + line for line in aligned(lines, to_the_left=to_the_left))


def _text(block: Block) -> str:  # noqa: PLR0911
    match block:
        case Sentence():
            return _wrapped(str(block))
        case Heading():
            return on_one_line(block.text)
        case Bullets():
            return "\n".join(_wrapped(f"- {point}") for point in block.points)
        case Table():
            return "\n".join(_table(block))
        case Facts():
            lines = [on_one_line(f"  {name}: {_cell(value, _LONGEST_FACT)}") for name, value in block.rows]
            return "\n".join([_wrapped(f"{block.caption}:"), *lines])
        case Code():
            return textwrap.indent(block.text, "  ")
        case Box():
            return "\n".join(filter(None, map(_text, block.blocks)))
        case Fold() | Picture():
            return ""
    assert_never(block)


def _table(block: Table) -> Iterator[str]:
    shown = block.rows[:MOST_ROWS]
    left_out = (
        f" (the first {MOST_ROWS} of {len(block.rows)} {block.unit})" if len(block.rows) > MOST_ROWS else ""
    )
    yield _wrapped(f"{block.caption}{left_out}:")
    yield table_text(block.header, shown)


def _cell(cell: Cell, longest: int = SHORT) -> str:
    if isinstance(cell, Abridged):
        return f"{cell.short} ({cell.full})" if longest > SHORT else cell.short
    return str(cell) if isinstance(cell, (str, Sentence)) else value_text(cell, longest=longest)


def _wrapped(line: str) -> str:
    return textwrap.fill(line, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
