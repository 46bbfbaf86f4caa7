"""Rows of text with aligned columns, a line each whatever the cells hold."""

from __future__ import annotations

from collections.abc import Sequence

_BREAKS = str.maketrans({"\n": r"\n", "\r": r"\r", "\t": r"\t"})


def on_one_line(text: str) -> str:
    r"""Return a text in which line breaks and tabs are shown as JSON writes them.

    >>> print(on_one_line("two\nlines"))
    two\nlines
    """
    return text.translate(_BREAKS)


def aligned(rows: Sequence[Sequence[str]], *, to_the_left: Sequence[bool], between: str = "  ") -> list[str]:
    """Return each row as a line, the cells of a column under each other.

    >>> aligned([["x", "10"], ["long", "5"]], to_the_left=[True, False])
    ['x     10', 'long   5']
    """
    lines = [[on_one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        between.join(
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(line, widths, to_the_left, strict=True)
        ).rstrip()
        for line in lines
    ]
