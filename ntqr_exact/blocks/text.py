"""Blocks as plain text for a terminal: sentences are wrapped, columns aligned, pictures left out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import assert_never

from ntqr_exact.blocks import block as kinds
from ntqr_exact.blocks.block import Section, Sentence, Table
from ntqr_exact.exact.show import SHORT, aligned, on_one_line, value_text

_WIDTH = 100
_LONGEST_FACT = 300
_GAP, _LEAST = 2, 20
"""Spaces between columns, and the width to which words in a column may shrink."""

_NUMBER = re.compile(r"[-−≈>(\[ ]*\d")


def section_text(sections: Iterable[Section]) -> str:
    """Return sections under underlined titles; a section without a title has none.

    >>> print(section_text([Section("s", "Two", (Sentence("One."), kinds.Facts("Named", (("x", 1),))))]))
    Two
    ---
    One.
    <BLANKLINE>
    Named:
      x: 1
    """
    titles = ((f"{one.title}\n{'-' * len(one.title)}\n" if one.title else "", one) for one in sections)
    return "\n\n".join(title + block_text(one.blocks) for title, one in titles)


def block_text(blocks: Iterable[kinds.Block]) -> str:
    """Return blocks with an empty line between them, and a heading right above what it is for."""
    parts: list[str] = []
    for block in blocks:
        if text := _text(block):
            parts += [text, "\n" if isinstance(block, kinds.Heading) else "\n\n"]
    return "".join(parts[:-1])


def table_text(header: Sequence[str], rows: Iterable[Sequence[kinds.Cell]], *, indent: int = 2) -> str:
    """Return rows under a header, columns aligned: those of numbers to the right, the others to the left.

    Columns that do not fit follow below, after the first one again; words that are too long are wrapped.

    >>> print(table_text(["judge", "a"], [["A", 12], ["B", 7]], indent=0))
    judge   a
    A      12
    B       7
    """
    lines = [[on_one_line(_cell(cell)) for cell in row] for row in (header, *rows)]
    columns, room = [*zip(*lines, strict=True)], _WIDTH - indent + _GAP
    numbers = [max((len(cell) for cell in column if _NUMBER.match(cell)), default=0) for column in columns]
    numbers[0] = 0  # it holds names
    for most in (*range(_WIDTH, _LEAST - 1, -1), 2 * _LEAST):  # the last is for a table that is split
        longest = (min(most, max(map(len, column))) for column in columns)
        widths = [_GAP + max(each) for each in zip(longest, numbers, strict=True)]
        if sum(widths) <= room:
            break
    parts = [[0]]
    for i in range(1, len(columns)):
        if len(parts[-1]) > 1 and sum(widths[j] for j in (*parts[-1], i)) > room:
            parts.append([0])
        parts[-1].append(i)
    tables = []
    for part in parts:
        cells = [[_broken(line[i], widths[i] - _GAP) for i in part] for line in lines]
        wrapped = [row for line in cells for row in zip_longest(*line, fillvalue="")]
        tables.append(aligned(wrapped, to_the_left=[not numbers[i] for i in part], between=" " * _GAP))
    return "\n\n".join("\n".join(" " * indent + line for line in table) for table in tables)


def _broken(cell: str, width: int) -> list[str]:
    return [cell] if len(cell) <= width else textwrap.wrap(cell, width, break_on_hyphens=False)


def _text(block: kinds.Block) -> str:  # noqa: PLR0911
    match block:
        case Sentence():
            return _wrapped(str(block))
        case kinds.Heading():
            return on_one_line(block.text)
        case kinds.Bullets():
            return "\n".join(_wrapped(f"- {point}") for point in block.points)
        case Table():
            rows = table_text(block.header, block.rows[: kinds.MOST_ROWS])
            return f"{_wrapped(f'{block.full_caption}:')}\n{rows}" if block.caption else rows
        case kinds.Facts():
            facts = (on_one_line(f"{name}: {_cell(value, _LONGEST_FACT)}") for name, value in block.rows)
            return "\n".join([_wrapped(f"{block.caption}:"), *(_wrapped(fact, "  ") for fact in facts)])
        case kinds.Code():
            return textwrap.indent(block.text, "  ")
        case kinds.Picture():
            return ""
    assert_never(block)


def _cell(cell: kinds.Cell, longest: int = SHORT) -> str:
    if isinstance(cell, kinds.Abridged):
        return f"{cell.short} ({cell.full})" if longest > SHORT else cell.short
    return str(cell) if isinstance(cell, (str, Sentence)) else value_text(cell, longest=longest)


def _wrapped(line: str, indent: str = "") -> str:
    """Return a line in several, but a command between backticks in one."""
    line = re.sub("`[^`]+`", lambda command: command[0].replace(" ", "\0"), line)
    wrapper = textwrap.TextWrapper(
        _WIDTH, indent, f"{indent}  ", break_long_words=False, break_on_hyphens=False
    )
    return wrapper.fill(line).replace("\0", " ")
