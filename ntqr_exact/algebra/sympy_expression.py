"""Polynomials as sympy expressions, for those who go on in sympy."""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from gmpy2 import mpq

from ntqr_exact.algebra.monomial import Monomial


def to_expression(terms: Mapping[Monomial, mpq]) -> sympy.Expr:
    """Return the sum of the terms as an expression in symbols of the same names.

    >>> to_expression({(("x", 2),): mpq(1, 2), (): mpq(-1)})
    x**2/2 - 1
    """
    return sympy.Add(
        *(
            sympy.Mul(
                sympy.Rational(int(coefficient.numerator), int(coefficient.denominator)),
                *(sympy.Symbol(name) ** power for name, power in monomial),
            )
            for monomial, coefficient in terms.items()
        )
    )
