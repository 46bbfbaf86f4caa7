"""The border to sympy: everything untyped, and every number of another library, stays in this file.

sympy computes with the rationals of gmpy2 or of flint, whichever it found; the two do not mix. So numbers
cross as Python integers, numerator and denominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy
from gmpy2 import mpq
from sympy.polys.domains import QQ
from sympy.polys.groebnertools import groebner
from sympy.polys.orderings import grevlex, lex
from sympy.polys.rings import PolyRing

from ntqr_exact.algebra.monomial import NAME
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadDocument

_ORDERS = {"lex": lex, "grevlex": grevlex}


def from_expression(expression: sympy.Expr) -> Polynomial:
    """Return the polynomial that a sympy expression expands to.

    >>> from sympy.abc import x
    >>> from_expression((x + 1) ** 2 / 2)
    Polynomial({'x^2': '1/2', 'x': '1', '1': '1/2'})

    Raises `BadDocument` if it is no polynomial with rational coefficients in plainly named symbols.
    """
    symbols = sorted(expression.free_symbols, key=str)
    if not symbols:
        symbols = [sympy.Symbol("x")]
    unnamed = [str(symbol) for symbol in symbols if not NAME.fullmatch(str(symbol))]
    if unnamed:
        raise BadDocument(unnamed[0], "a variable is named by letters, digits and _, a letter first")
    try:
        poly = sympy.Poly(expression, *symbols, domain=QQ)
    except (sympy.PolynomialError, sympy.CoercionFailed):
        raise BadDocument(expression, "not a polynomial over the rationals") from None
    return _collect([str(symbol) for symbol in symbols], poly.rep.to_dict().items())


def reduced_basis(
    polynomials: Iterable[Polynomial], variables: Sequence[str], order: str
) -> tuple[Polynomial, ...]:
    """Return the reduced Gröbner basis, leading coefficients 1, the largest leading monomial first."""
    ring = _ring(variables, order)
    elements = [element for element in (_element(ring, p) for p in polynomials) if element]
    if not elements:
        return ()
    basis = sorted(groebner(elements, ring), key=lambda g: ring.order(g.LM), reverse=True)
    return tuple(_polynomial(ring, element) for element in basis)


def remainder(
    polynomial: Polynomial, basis: Iterable[Polynomial], variables: Sequence[str], order: str
) -> Polynomial:
    """Return what division by the basis leaves."""
    ring = _ring(variables, order)
    return _polynomial(ring, _element(ring, polynomial).rem([_element(ring, g) for g in basis]))


def leading_monomial(polynomial: Polynomial, variables: Sequence[str], order: str) -> tuple[int, ...]:
    """Return the exponents of the leading monomial."""
    ring = _ring(variables, order)
    return tuple(int(power) for power in _element(ring, polynomial).LM)


def _ring(variables: Sequence[str], order: str) -> Any:
    return PolyRing(tuple(variables), QQ, _ORDERS[order])


def _element(ring: Any, polynomial: Polynomial) -> Any:
    places = {str(symbol): place for place, symbol in enumerate(ring.symbols)}
    terms = {}
    for monomial, coefficient in polynomial.terms.items():
        powers = [0] * len(places)
        for name, power in monomial:
            powers[places[name]] = power
        terms[tuple(powers)] = QQ(int(coefficient.numerator), int(coefficient.denominator))
    return ring.from_dict(terms)


def _polynomial(ring: Any, element: Any) -> Polynomial:
    return _collect([str(symbol) for symbol in ring.symbols], [(powers, c) for powers, c in element.items()])


def _collect(names: list[str], terms: Iterable[tuple[Any, Any]]) -> Polynomial:
    return Polynomial.from_terms(
        {
            tuple(
                sorted((name, int(power)) for name, power in zip(names, powers, strict=True) if power)
            ): mpq(int(QQ.numer(coefficient)), int(QQ.denom(coefficient)))
            for powers, coefficient in terms
        }
    )
