"""The blocks that a report is made of: sentences, tables with headers that can be read aloud, code, boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gmpy2 import mpq, mpz

from ntqr_exact.blocks.markup import MANY_ROWS, Markup, cell, fold, number, tag, text
from ntqr_exact.exact.decimal_text import significant_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import grouped, value_text

MOST_ROWS = 500
"""Rows of a table that are shown at all; the caption says how many there are."""

_MOST_DIGITS = 36
_WIDEST = 16


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading of its own; `name` is its anchor."""

    name: str
    title: str
    parts: tuple[Markup, ...]


def element(name: str, *parts: object, kind: str, **attributes: str) -> Markup:
    """Return an element of a class that the style sheet knows.

    >>> element("p", "a<b", kind="lead")
    '<p class="lead">a&lt;b</p>'
    """
    return tag(name, *parts, **{"class": kind, **attributes})


def sentence(*parts: object) -> Markup:
    """Return a paragraph."""
    return tag("p", *parts)


def heading(title: object) -> Markup:
    """Return the heading of a part of a section."""
    return tag("h3", title)


def bullets(points: Iterable[object]) -> Markup:
    """Return a list, nothing for none."""
    made = [tag("li", point) for point in points]
    return tag("ul", *made) if made else Markup("")


def box(*parts: object, fires: bool | None = None) -> Markup:
    """Return a box; one that `fires` looks like an alarm, one that does not looks calm, `None` is plain."""
    kind = "box" if fires is None else f"box {'fires' if fires else 'silent'}"
    return element("div", *parts, kind=kind)


def verdict(words: object, *, fires: bool) -> Markup:
    """Return words that stand out: those of an alarm, or of its silence."""
    return element("span", words, kind="alarm" if fires else "calm")


def words(*parts: object) -> Markup:
    """Return what a cell of a table holds that is a sentence, and so may be broken into lines."""
    return element("span", *parts, kind="words")


def count(value: int) -> Markup:
    """Return a whole number in groups of three digits; a huge one shows its size, and folds out.

    >>> count(14445808519252500)
    '14,445,808,519,252,500'
    >>> count(10**40)[:45]
    '<details><summary>≈ 1.00000e40</summary><span'
    """
    if len(digits := mpz(value).digits()) <= _MOST_DIGITS:
        return text(grouped(value))
    return fold(f"≈ {significant_text(mpq(value))}", tag("span", digits))


def rate(value: object) -> Markup:
    """Return a rate for a table with many: a short one exactly, a long one as its decimal, which folds out.

    >>> rate(mpq(2, 3)), rate(mpq(10**20, 3 * 10**20 + 1))[:38]
    ('2/3 ≈ 0.666667', '<details><summary>≈ 0.333333</summary>')
    """
    if isinstance(value, Surd) and not value.is_real:
        return fold("imaginary", tag("span", value))
    if isinstance(value, (Surd, type(mpq()))) and len(str(value)) > _WIDEST:
        return fold(value_text(value, longest=0), tag("span", value))
    return number(value)


def data_table(
    caption: str,
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    unit: str = "rows",
    fold_beyond: int = MANY_ROWS,
) -> Markup:
    """Return a table whose first column names the rows; a long one folds, and scrolls inside its own box.

    >>> data_table("Answers", ["judge", "a"], [["A", 3]]).partition("<tbody>")[2]
    '<tr><th class="name" scope="row">A</th><td>3</td></tr></tbody></table></div>'
    """
    shown = list(rows)
    left_out = len(shown) - MOST_ROWS
    lines = [tag("tr", _name(row[0]), *map(_data, row[1:])) for row in shown[:MOST_ROWS]]
    head = tag("thead", tag("tr", *(tag("th", part, scope="col") for part in header)))
    told = f"{caption} (the first {MOST_ROWS} of {len(shown)} {unit})" if left_out > 0 else caption
    made = element(
        "div",
        tag("table", tag("caption", tag("span", told)), head, tag("tbody", *lines)),
        kind="scroll short" if len(lines) <= MANY_ROWS else "scroll",
        tabindex="0",
        role="region",
        **{"aria-label": caption},
    )
    return made if len(lines) <= fold_beyond else fold(f"{caption}: {len(shown)} {unit}", made)


def facts(caption: str, rows: Iterable[Sequence[object]]) -> Markup:
    """Return a table of named values."""
    return data_table(caption, ["what", "value"], rows)


def code(lines: str, *, kind: str = "program") -> Markup:
    """Return text as it is typed: a program, `wrapped` commands, or a `long` file."""
    return element("pre", tag("code", lines), kind=kind, tabindex="0")


def _name(value: object) -> Markup:
    made = cell(value)
    if len(made) > _WIDEST + 8:
        return tag("th", made, scope="row")
    return element("th", made, kind="name", scope="row")


def _data(value: object) -> Markup:
    made = cell(value)
    if made.startswith('<span class="words">'):
        return element("td", made, kind="words")
    return tag("td", made)
