"""The form of any other value of the library: its parts in a table, to a stated depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from gmpy2 import mpq, mpz

from ntqr_exact.blocks.markup import Markup, card, fold, listed, number, table, text
from ntqr_exact.errors import shown
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.surd import Surd
from ntqr_exact.views.rich.form_table import special_form

_DEEPEST = 3
_NUMBERS = (int, type(mpz()), type(mpq()), Surd, Enclosure)


def general_html(value: object) -> Markup:
    """Return a dataclass as a table of its fields, an enum with its meaning, anything else as its short `repr`.

    >>> from ntqr_exact import WhenUndefined
    >>> general_html(WhenUndefined.ZERO)
    '<div><strong>WhenUndefined.ZERO</strong><div>0</div></div>'
    """
    return _form(value, 0)


def _form(value: object, depth: int) -> Markup:
    if isinstance(value, Enum):
        return card(f"{type(value).__name__}.{value.name}", str(getattr(value, "meaning", value.value)))
    if not is_dataclass(value) or isinstance(value, type) or depth >= _DEEPEST:
        return text(shown(value))
    rows = [
        (field.name.replace("_", " "), _part(getattr(value, field.name), depth + 1))
        for field in fields(value)
    ]
    return card(type(value).__name__, table([], rows))


def _part(value: object, depth: int) -> Markup:
    match value:
        case str():
            return text(value)
        case Enum():
            return text(value.name.lower().replace("_", " "))
        case Mapping():
            rows = [(str(key), _part(part, depth)) for key, part in value.items()]
            return table([], rows) if rows else text("none")
        case tuple() | list():
            return listed(_part(part, depth) for part in value) or text("none")
    return _single(value, depth)


def _single(value: object, depth: int) -> Markup:
    if is_dataclass(value) and not isinstance(value, type):
        form = special_form(type(value))
        made = form(value) if form is not None else _form(value, depth)
        return made if depth < 2 else fold(type(value).__name__, made)
    if callable(value):
        return text(getattr(value, "__qualname__", type(value).__name__))  # its repr would tell an address
    return number(value) if isinstance(value, _NUMBERS) else text(shown(value))
