"""Monomials as plain tuples of names and exponents: products, texts, and how people and sympy read sums of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.algebra.notation import Quantity, read_name
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.latex_table import latex_cell

if TYPE_CHECKING:
    import sympy

Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Names with their exponents, which are positive, in the order of the names; 1 is the empty one."""

Terms: TypeAlias = Iterable[tuple[Monomial, mpq]]
"""Monomials with their coefficients, in the order in which they are written."""

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


def terms_text(terms: Terms) -> str:
    """Return plain text.

    >>> terms_text([((("accuracy_a_1", 1), ("prevalence_a", 1)), mpq(1)), ((), mpq(-1, 2))])
    'P_a·P^a_{a_1} − 1/2'
    """
    return _written(terms, "symbol", _text_power, times="·", minus="−", number=str)


def terms_latex(terms: Terms) -> str:
    r"""Return LaTeX for a formula.

    >>> print(terms_latex([((("pair_moment_1_2", 2),), mpq(-1, 2))]))
    -\frac{1}{2} \Delta_{1,2}^{2}
    """
    return _written(terms, "latex", _latex_power, times=" ", minus="-", number=latex_cell)


def _named(name: str, form: str) -> str:
    """Return the symbol or the LaTeX of a code name; a name that is not in the table stands for itself."""
    try:
        return str(getattr(read_name(name), form))
    except BadDocument:
        if form == "symbol" or len(name) == 1:
            return name
        escaped = name.replace("_", r"\_")
        return rf"\mathrm{{{escaped}}}"


def _written(
    terms: Terms,
    form: str,
    power_form: Callable[[str, int], str],
    *,
    times: str,
    minus: str,
    number: Callable[[mpq], str],
) -> str:
    text = ""
    for monomial, coefficient in terms:
        factors = [
            power_form(_named(name, form), power)
            for name, power in sorted(monomial, key=lambda factor: rank(factor[0]))
        ]
        if abs(coefficient) != 1 or not factors:
            factors.insert(0, number(abs(coefficient)))
        term = times.join(factors)
        if not text:
            text = f"{minus if coefficient < 0 else ''}{term}"
        else:
            text += f" {minus if coefficient < 0 else '+'} {term}"
    return text or "0"


def _text_power(base: str, power: int) -> str:
    if power == 1:
        return base
    superscript = str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"({base}){superscript}" if "^" in base else f"{base}{superscript}"


def _latex_power(base: str, power: int) -> str:
    if power == 1:
        return base
    return rf"\left({base}\right)^{{{power}}}" if "^" in base or "sqrt" in base else f"{base}^{{{power}}}"


def to_expression(terms: Terms) -> sympy.Expr:
    """Return the sum of the terms as an expression in symbols of the same names.

    >>> to_expression([((("x", 2),), mpq(1, 2)), ((), mpq(-1))])
    x**2/2 - 1
    """
    import sympy

    return sympy.Add(
        *(
            sympy.Mul(
                sympy.Rational(int(coefficient.numerator), int(coefficient.denominator)),
                *(sympy.Symbol(name) ** power for name, power in monomial),
            )
            for monomial, coefficient in terms
        )
    )
