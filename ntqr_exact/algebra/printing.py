"""Polynomials as people read them: in the paper's symbols, as plain text and as LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.algebra.monomial import Monomial, rank
from ntqr_exact.algebra.notation import read_name
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.latex_table import latex_cell

Terms: TypeAlias = Iterable[tuple[Monomial, mpq]]
"""Monomials with their coefficients, in the order in which they are written."""


def terms_text(terms: Terms) -> str:
    """Return plain text.

    >>> terms_text([((("accuracy_a_1", 1), ("prevalence_a", 1)), mpq(1)), ((), mpq(-1, 2))])
    'P_a·P^a_{a_1} − 1/2'
    """
    return _written(terms, symbol, _text_power, times="·", minus="−", number=str)


def terms_latex(terms: Terms) -> str:
    r"""Return LaTeX for a formula.

    >>> print(terms_latex([((("pair_moment_1_2", 2),), mpq(-1, 2))]))
    -\frac{1}{2} \Delta_{1,2}^{2}
    """
    return _written(terms, _symbol_latex, _latex_power, times=" ", minus="-", number=latex_cell)


def symbol(name: str) -> str:
    """Return the paper's symbol of a code name; a name that is not in the table stands for itself."""
    try:
        return read_name(name).symbol
    except BadDocument:
        return name


def _symbol_latex(name: str) -> str:
    """Return the LaTeX of a code name; a name that is not in the table is set as text."""
    try:
        return read_name(name).latex
    except BadDocument:
        escaped = name.replace("_", r"\_")
        return name if len(name) == 1 else rf"\mathrm{{{escaped}}}"


def _written(
    terms: Terms,
    name_form: Callable[[str], str],
    power_form: Callable[[str, int], str],
    *,
    times: str,
    minus: str,
    number: Callable[[mpq], str],
) -> str:
    text = ""
    for monomial, coefficient in terms:
        factors = [
            power_form(name_form(name), power)
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
