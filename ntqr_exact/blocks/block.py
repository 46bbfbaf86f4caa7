"""The kinds of blocks from which all output for people is made.

A block says what is shown, not how: `blocks.text` writes it for a terminal, `blocks.html` for a page. A number is in a
block as an exact value, and becomes text in one place, `exact.show`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.exact.show import safe_text

NOT_INFORMATIVE = mpq(1, 2)
"""A wider range is printed as "not informative"."""

MOST_ROWS = 500
"""Rows of a table that are shown; the caption says how many there are."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A paragraph. Its verdict comes first and is coloured: as an alarm if it `fires`, as calm if not."""

    text: str
    verdict: str = ""
    fires: bool | None = None

    def __str__(self) -> str:
        return ": ".join(part for part in (self.verdict, self.text) if part)


@dataclass(frozen=True, slots=True)
class Abridged:
    """A value whose exact form is long: a short text, and the full one, which folds out."""

    short: str
    full: str


Cell: TypeAlias = "str | Sentence | Abridged | Any"
"""A text, an abridged one, a sentence that may be broken into lines, or a value that `exact.show` can write."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a part of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of points."""

    points: tuple[Sentence | str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; the first column names the rows, and `unit` is what a row is."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    unit: str = "rows"

    @property
    def full_caption(self) -> str:
        """The caption, and how many rows there are if not all of them are shown."""
        count = len(self.rows)
        left_out = f" (the first {MOST_ROWS} of {count} {self.unit})" if count > MOST_ROWS else ""
        return f"{self.caption}{left_out}"


@dataclass(frozen=True, slots=True)
class Facts:
    """Named values, each shown in full."""

    caption: str
    rows: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Commands as they are typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of `views.plots` by the name of its function, with its arguments; a terminal leaves it out."""

    name: str
    caption: str
    drawing: str
    data: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    height: int = 40
    """Tenths of an inch, at the width of a page."""


Block: TypeAlias = "Sentence | Heading | Bullets | Table | Facts | Code | Picture"


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a title; `name` is the anchor in a page."""

    name: str
    title: str
    blocks: tuple[Block, ...]


def range_text(ends: tuple[Any, Any] | None, *, exact: bool = False, most: mpq = NOT_INFORMATIVE) -> str:
    """Return a range of shares, rounded outwards to three digits unless it is exact; `most` is the widest printed.

    >>> range_text((mpq(1, 3), mpq(2, 3))), range_text((mpq(0), mpq(2, 3))), range_text(None)
    ('0.333 to 0.667', 'not informative', '–')
    """
    if ends is None:
        return "–"
    low, high = ends
    if high - low > most:
        return "not informative"
    return f"{low} to {high}" if exact else f"{safe_text(low, 3, up=False)} to {safe_text(high, 3, up=True)}"
