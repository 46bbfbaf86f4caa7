"""Blocks as HTML: tables with headers that can be read aloud, folds, boxes; everything from data is escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import TypeAlias, assert_never

from ntqr_exact.blocks import block as kinds
from ntqr_exact.blocks.block import Section, Sentence, Table
from ntqr_exact.blocks.markup import MANY_ROWS, Markup, fold, number, tag, text

Drawer: TypeAlias = Callable[[kinds.Picture], Markup]
"""What turns a picture into markup; where nobody draws, pictures are left out."""

_LONG_NAME = 24
_NARROW = 3
"""Columns that a telephone shows without scrolling."""


def _no_picture(_: kinds.Picture) -> Markup:
    """Leave a picture out."""
    return Markup("")


def study_html(sections: Sequence[Section], draw: Drawer = _no_picture) -> Markup:
    """Return sections one after the other: the first open, the others folded under their titles."""
    first, *others = sections
    parts = [tag("div", tag("strong", first.title), block_html(first.blocks, draw))]
    parts += [fold(tag("strong", one.title), block_html(one.blocks, draw)) for one in others]
    return Markup("".join(parts))


def block_html(blocks: Iterable[kinds.Block], draw: Drawer = _no_picture) -> Markup:
    """Return blocks as HTML.

    >>> block_html([Sentence("a<b, see `x`", "ALARM", True)])
    '<p><span class="alarm">ALARM</span>: a&lt;b, see <code>x</code></p>'
    """
    return Markup("\n".join(filter(None, (_html(block, draw) for block in blocks))))


def classed(name: str, *parts: object, kind: str, **attributes: str) -> Markup:
    """Return an element of a class that the style sheet knows."""
    return tag(name, *parts, **{"class": kind, **attributes})


def _html(block: kinds.Block, draw: Drawer) -> Markup:  # noqa: PLR0911
    match block:
        case Sentence():
            return tag("p", _words(block))
        case kinds.Heading():
            return tag("h3", block.text)
        case kinds.Bullets():
            points = [tag("li", _words(point)) for point in block.points]
            return tag("ul", *points) if points else Markup("")
        case Table():
            return _table(block)
        case kinds.Facts():
            return _table(Table(block.caption, ("what", "value"), block.rows, "values"))
        case kinds.Code():
            return classed("pre", tag("code", block.text), kind=block.kind, tabindex="0")
        case kinds.Picture():
            return draw(block)
        case kinds.Fold():
            return fold(block.summary, block_html(block.blocks, draw))
        case kinds.Box():
            kind = "box" if block.fires is None else f"box {'fires' if block.fires else 'silent'}"
            return classed("div", block_html(block.blocks, draw), kind=kind)
    assert_never(block)


def _words(words: Sentence | str) -> Markup:
    if isinstance(words, str):
        return _told(words)
    if not words.verdict:
        return _told(words.text)
    verdict = classed("span", words.verdict, kind="alarm" if words.fires else "calm")
    if words.fires is None:
        verdict = tag("strong", words.verdict)
    return Markup(verdict + _told(f": {words.text}" if words.text else ""))


def _told(words: str) -> Markup:
    """Return words as text, in which what stands between backticks is a command or a name."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", text(words)))


def _table(block: Table) -> Markup:
    """Return a table whose first column names the rows; a long one folds, and scrolls inside its own box."""
    count = len(block.rows)
    lines = [tag("tr", _name(row[0]), *map(_data, row[1:])) for row in block.rows[: kinds.MOST_ROWS]]
    head = tag("thead", tag("tr", *(tag("th", part, scope="col") for part in block.header)))
    caption = tag("caption", tag("span", block.full_caption))
    short, wide = " short" * (count <= MANY_ROWS), " wide" * (len(block.header) > _NARROW)
    attributes = {"tabindex": "0", "role": "region", "aria-label": block.caption}
    table = tag("table", caption, head, tag("tbody", *lines))
    made = classed("div", table, kind=f"scroll{short}{wide}", **attributes)
    return made if count <= MANY_ROWS else fold(f"{block.caption}: {count} {block.unit}", made)


def _name(cell: kinds.Cell) -> Markup:
    made = _words(cell) if isinstance(cell, (str, Sentence)) else number(cell)
    if len(made) > _LONG_NAME:
        return tag("th", made, scope="row")
    return classed("th", made, kind="name", scope="row")


def _data(cell: kinds.Cell) -> Markup:
    if isinstance(cell, kinds.Abridged):
        return tag("td", fold(cell.short, tag("span", cell.full)))
    if isinstance(cell, (Sentence, Enum)):
        return classed("td", _words(cell) if isinstance(cell, Sentence) else number(cell), kind="words")
    return tag("td", number(cell))
