"""Monomials as plain tuples of names and exponents: products, texts, and the order in which people read them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeAlias

from ntqr_exact.algebra.notation import Quantity, read_name
from ntqr_exact.errors import BadDocument

Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Names with their exponents, which are positive, in the order of the names; 1 is the empty one."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_KINDS = {kind: place for place, kind in enumerate(Quantity)}


def times(left: Monomial, right: Monomial) -> Monomial:
    """Return the product of two monomials."""
    if not left or not right:
        return left or right
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


def write_monomial(monomial: Monomial) -> str:
    """Return a monomial as text: x*y^2, and 1 for the empty one."""
    return "*".join(name if power == 1 else f"{name}^{power}" for name, power in monomial) or "1"


def read_monomial(text: str) -> Monomial:
    """Return the monomial that a text means; raises `BadDocument` for what is none.

    >>> read_monomial("y^2*x")
    (('x', 1), ('y', 2))
    """
    if text == "1":
        return ()
    powers: dict[str, int] = {}
    for factor in text.split("*"):
        name, caret, power = factor.partition("^")
        if (
            not NAME.fullmatch(name)
            or name in powers
            or (caret and not re.fullmatch("[1-9][0-9]{0,5}", power))
        ):
            raise BadDocument(text, "not a monomial", 'write it like "x", "x^2*y" or "1"')
        powers[name] = int(power or 1)
    return tuple(sorted(powers.items()))


@cache
def rank(name: str) -> tuple[int, str]:
    """Return the place of a name in the order of the table of notation; other names come last."""
    try:
        return (_KINDS[read_name(name).kind], name)
    except BadDocument:
        return (len(_KINDS), name)


def reading_order(monomial: Monomial) -> tuple[Any, ...]:
    """Return the key that sorts monomials from the highest degree to the lowest."""
    powers = sorted((rank(name), -power) for name, power in monomial)
    return (-sum(power for _, power in monomial), powers)
