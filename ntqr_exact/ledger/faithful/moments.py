"""Means of formulas in random shares: replace each product of random names by its moment.

The share s of positives among N independent results of rate p has E s = p and E s² = p² + p(1−p)/N; that is all
that a formula of degree 2 in s needs, so its mean is again a formula, and "unbiased" is an identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ntqr_exact.algebra.formula import Formula, as_formula, constant, read_formula
from ntqr_exact.algebra.monomial import Monomial
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadDocument

Moments = Mapping[str, Formula]
"""The mean of each product of random names, written as s, s*s or c*t with the names in order."""


def moments(**means: str) -> Moments:
    """Return moments from texts, with names of two letters and more joined: `moments(s="p", ss="p**2")`."""
    return MappingProxyType({name: read_formula(text) for name, text in means.items()})


@cache
def share_moments() -> Moments:
    """Return the moments of the share s of positives among N results of rate p, and of one result f and s."""
    second = "p**2 + p*(1 - p)/N"
    return moments(s="p", ss=second, f="p", ff="p", fs=second)


@cache
def paired_moments() -> Moments:
    """Return the moments of shares of N pairs of rates pC, pT: c and t of positives, b of pairs with both."""
    return moments(
        b="p11",
        c="pC",
        t="pT",
        cc="pC**2 + pC*(1 - pC)/N",
        tt="pT**2 + pT*(1 - pT)/N",
        ct="pC*pT + (p11 - pC*pT)/N",
    )


def mean(formula: Formula, known: Moments) -> Formula:
    """Return E of a formula in random names; raises `BadDocument` for a moment that is not known."""
    random = {letter for name in known for letter in name}
    if random & set(formula.denominator.variables()):
        raise BadDocument(str(formula), "the mean of a quotient of random numbers is no formula")
    total = constant(0)
    for monomial, coefficient in formula.numerator.terms.items():
        name = "".join(sorted(each * exponent for each, exponent in monomial if each in random))
        if name and name not in known:
            raise BadDocument(name, "the mean of this product is not known")
        fixed: Monomial = tuple(pair for pair in monomial if pair[0] not in random)
        term = constant(coefficient)
        for each, exponent in fixed:
            term = term * as_formula(Polynomial.variable(each)) ** exponent
        total = total + (term * known[name] if name else term)
    return total / as_formula(formula.denominator)


def variance_of(formula: Formula, known: Moments) -> Formula:
    """Return E X² − (E X)² of a formula X of degree 1 in random names."""
    return mean(formula**2, known) - mean(formula, known) ** 2


REAL_RATE = "(phi + (pi - phi)*p)"
"""p^R by eq. 10, with the precision π and the false omission rate φ."""

REAL_ESTIMATE = "(phi + (pi - phi)*s)"
"""p^R as it is estimated, with the observed share s in place of p."""
