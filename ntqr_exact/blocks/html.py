"""HTML from texts, exact numbers and blocks: everything that comes from data is escaped, and long parts fold.

Only these functions make tags. A `Markup` is text made by them; any other text is escaped when it is put into one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from html import escape
from typing import TypeAlias, assert_never

from ntqr_exact.blocks import block as kinds
from ntqr_exact.blocks.block import Section, Sentence, Table
from ntqr_exact.exact.show import full_text, value_text

MANY_ROWS = 16
"""A table with more rows folds."""

_LONG_NAME = 24
_NARROW = 3
"""Columns that a phone shows without scrolling."""


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Drawer: TypeAlias = Callable[[kinds.Picture], Markup]
"""Turns a picture into markup; without one, pictures are left out."""


def text(value: object) -> Markup:
    """Return a value as it is if it is markup, else its text, escaped.

    >>> text("<script>&")
    '&lt;script&gt;&amp;'
    """
    return value if isinstance(value, Markup) else Markup(escape(str(value)))


def tag(name: str, *parts: object, kind: str = "", **attributes: str) -> Markup:
    """Return an element with its parts escaped; `kind` is a class of the style sheet, attributes have fixed names.

    >>> tag("td", "a<b", title='"')
    '<td title="&quot;">a&lt;b</td>'
    """
    attributes = {"class": kind, **attributes} if kind else attributes
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


def _no_picture(_: kinds.Picture) -> Markup:
    return Markup("")


def study_html(sections: Sequence[Section], draw: Drawer = _no_picture) -> Markup:
    """Return sections one after the other: the first open, the others folded under their titles."""
    first, *others = sections
    title = [tag("strong", first.title)] if first.title else []
    parts = [tag("div", *title, block_html(first.blocks, draw))]
    parts += [fold(tag("strong", one.title), block_html(one.blocks, draw)) for one in others]
    return Markup("".join(parts))


def block_html(blocks: Iterable[kinds.Block], draw: Drawer = _no_picture) -> Markup:
    """Return blocks as HTML.

    >>> block_html([Sentence("a<b, see `x`", "ALARM", True)])
    '<p><span class="alarm">ALARM</span>: a&lt;b, see <code>x</code></p>'
    """
    return Markup("\n".join(filter(None, (_html(block, draw) for block in blocks))))


def _html(block: kinds.Block, draw: Drawer) -> Markup:  # noqa: PLR0911
    match block:
        case Sentence():
            return tag("p", _sentence(block))
        case kinds.Heading():
            return tag("h3", block.text)
        case kinds.Bullets():
            points = [tag("li", _sentence(point)) for point in block.points]
            return tag("ul", *points) if points else Markup("")
        case Table():
            return _table(block)
        case kinds.Facts():
            return _table(Table(block.caption, ("what", "value"), block.rows, "values"))
        case kinds.Code():
            return tag("pre", tag("code", block.text), tabindex="0")
        case kinds.Picture():
            return draw(block)
    assert_never(block)


def _sentence(sentence: Sentence | str) -> Markup:
    """Return a sentence in which the text between backticks is code."""
    words = str(sentence)
    verdict = Markup("")
    if isinstance(sentence, Sentence) and sentence.verdict:
        words = words.removeprefix(sentence.verdict)
        kind = {True: "alarm", False: "calm", None: "verdict"}[sentence.fires]
        verdict = tag("span", sentence.verdict, kind=kind)
    return Markup(verdict + re.sub("`([^`]+)`", r"<code>\1</code>", text(words)))


def _table(block: Table) -> Markup:
    """Return a table whose first column names the rows; a long one folds, and scrolls inside its own box."""
    count = len(block.rows)
    lines = [tag("tr", _name(row[0]), *map(_data, row[1:])) for row in block.rows[: kinds.MOST_ROWS]]
    head = tag("thead", tag("tr", *(tag("th", part, scope="col") for part in block.header)))
    caption = tag("caption", tag("span", block.full_caption))
    short, wide = " short" * (count <= MANY_ROWS), " wide" * (len(block.header) > _NARROW)
    attributes = {"tabindex": "0", "role": "region", "aria-label": block.caption}
    table = tag("table", caption, head, tag("tbody", *lines))
    made = tag("div", table, kind=f"scroll{short}{wide}", **attributes)
    return made if count <= MANY_ROWS else fold(f"{block.caption}: {count} {block.unit}", made)


def _name(cell: kinds.Cell) -> Markup:
    made = _sentence(cell) if isinstance(cell, (str, Sentence)) else number(cell)
    return tag("th", made, kind="" if len(made) > _LONG_NAME else "name", scope="row")


def _data(cell: kinds.Cell) -> Markup:
    if isinstance(cell, kinds.Abridged):
        return tag("td", fold(cell.short, tag("span", cell.full)))
    if isinstance(cell, (Sentence, Enum)):
        return tag("td", _sentence(cell) if isinstance(cell, Sentence) else number(cell), kind="words")
    return tag("td", number(cell))
