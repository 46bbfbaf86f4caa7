"""HTML from texts and exact numbers: everything that comes from data is escaped, and what is long folds.

Only these functions make tags. A `Markup` is text that has been made by them; any other text is escaped when it
is put into one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ntqr_exact.exact.value_text import full_text, value_text

MANY_ROWS = 16
"""Rows of a table that are shown at once; a longer one folds."""


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Return a value as it is if it is markup, else its text, escaped.

    >>> text("<script>&")
    '&lt;script&gt;&amp;'
    """
    return value if isinstance(value, Markup) else Markup(escape(str(value)))


def tag(name: str, *parts: object, **attributes: str) -> Markup:
    """Return an element with its parts escaped; attributes have fixed names and escaped values.

    >>> tag("td", "a<b", title='"')
    '<td title="&quot;">a&lt;b</td>'
    """
    named = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{named}>{''.join(map(text, parts))}</{name}>")


def number(value: object) -> Markup:
    """Return an exact value with its decimal; one that is too long shows the decimal, and folds out.

    >>> from gmpy2 import mpq
    >>> number(mpq(1, 3))
    '1/3 ≈ 0.333333'
    >>> number(mpq(10**60, 3 * 10**60 + 1))[:35]
    '<details><summary>≈ 0.333333</summa'
    """
    short = value_text(value)
    if isinstance(value, str) or not short.startswith("≈ "):
        return text(short)
    return fold(short, tag("span", full_text(value)))


def fold(summary: object, *parts: object) -> Markup:
    """Return parts that are hidden until the summary is clicked."""
    return tag("details", tag("summary", summary), *parts)


def table(header: Sequence[object], rows: Iterable[Sequence[object]], *, unit: str = "rows") -> Markup:
    """Return a table; one of many rows folds, and its summary says how many there are.

    >>> table(["x"], [[1]])
    '<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    """
    lines = [tag("tr", *(tag("td", cell(part)) for part in row)) for row in rows]
    head = [tag("thead", tag("tr", *(tag("th", part) for part in header)))] if header else []
    made = tag("table", *head, tag("tbody", *lines))
    return made if len(lines) <= MANY_ROWS else fold(f"{len(lines)} {unit}", made)


def listed(parts: Iterable[object]) -> Markup:
    """Return a list with a point for each part, nothing for none."""
    points = [tag("li", part) for part in parts]
    if not points:
        return Markup("")
    made = tag("ul", *points)
    return made if len(points) <= MANY_ROWS else fold(f"{len(points)} of them", made)


def card(title: object, *parts: object) -> Markup:
    """Return a titled block: the form of one value."""
    return Markup(tag("div", tag("strong", title), *(tag("div", part) for part in parts if part)))


def cell(value: object) -> Markup:
    """Return a cell of a table: markup as it is, a number with its decimal, anything else escaped."""
    return value if isinstance(value, Markup) else number(value)
