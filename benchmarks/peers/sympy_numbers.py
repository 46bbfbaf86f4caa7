"""Numbers that peers return as sympy expressions, as exact values of ours."""

from __future__ import annotations

import math

import sympy

from ntqr_exact.errors import NotASurd
from ntqr_exact.exact.surd import Surd


def surd_from_sympy(expression: sympy.Expr) -> Surd:
    """Return the surd that a sympy expression of rationals, sums, products and roots equals."""
    match expression:
        case sympy.Rational():
            return Surd(int(expression.p)) / int(expression.q)
        case sympy.Add():
            return sum(map(surd_from_sympy, expression.args), Surd())
        case sympy.Mul():
            return math.prod(map(surd_from_sympy, expression.args), start=Surd(1))
        case sympy.Pow(base=base, exp=sympy.Integer() as exponent):
            return surd_from_sympy(base) ** int(exponent)
        case sympy.Pow(base=sympy.Rational() as base, exp=sympy.Rational(q=2) as exponent):
            return Surd.sqrt(f"{base.p}/{base.q}") ** int(exponent.p)
        case _ if expression is sympy.I:
            return Surd(0, 1, -1)
    raise NotASurd(expression, "not of the form a + b√d with rational a, b and integer d")
