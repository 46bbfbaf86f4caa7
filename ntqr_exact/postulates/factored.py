"""Factored forms: a polynomial as a sum of products of differences, as the paper writes its equations.

The differences are those that the postulates are made of: P^l_{l_i} − f_{l_i}, how far an accuracy exceeds the share
of such answers, and Γ^l_{ij} − Δ_{ij}. A polynomial in which they explain every f and Δ is written in them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.algebra.monomial import Monomial
from ntqr_exact.algebra.notation import Quantity, frequency, of_judges, read_name
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.errors import BadDocument

_Product: TypeAlias = tuple[mpq, tuple[Polynomial, ...]]
"""A number times factors; a factor is a polynomial in the paper's quantities."""


@dataclass(frozen=True, slots=True)
class Factored:
    """A polynomial as a sum of products."""

    products: tuple[_Product, ...]

    def expanded(self) -> Polynomial:
        """Return the polynomial multiplied out."""
        return sum_of(
            math.prod(factors, start=Polynomial.constant(number)) for number, factors in self.products
        )

    def __str__(self) -> str:
        """Return the form in the paper's symbols."""
        return self._written(str, "(", ")", times="·", minus="−")

    def latex(self) -> str:
        """Return the form as LaTeX."""
        return self._written(Polynomial.latex, r"\left(", r"\right)", times=r"\, ", minus="-")

    def _written(
        self, form: Callable[[Polynomial], str], opening: str, closing: str, *, times: str, minus: str
    ) -> str:
        text = ""
        for number, factors in self.products:
            parts = [form(f) if len(f.terms) == 1 else opening + form(f) + closing for f in factors]
            if abs(number) != 1 or not parts:
                parts.insert(0, str(abs(number)))
            sign = minus if number < 0 else ("+" if text else "")
            text += (f" {sign} " if text else sign) + times.join(parts)
        return text


def factored(polynomial: Polynomial) -> Factored | None:
    """Return a polynomial in differences that explain it, factored; `None` where they do not.

    >>> from ntqr_exact.postulates import pair
    >>> print(factored(pair()["33c"].polynomial))
    (P^a_{a_1} − f_{a_1})·(P^b_{b_2} − f_{b_2}) − (P^a_{a_2} − f_{a_2})·(P^b_{b_1} − f_{b_1})
    """
    differences = {name: other for name in polynomial.variables() if (other := _other(name)) is not None}
    if not differences:
        return None
    pairs = {
        name: (Polynomial.variable(name), Polynomial.variable(other)) for name, other in differences.items()
    }
    # Each x becomes x + other, so that x stands for the difference x − other from here on.
    shifted = polynomial.substitute({name: x + other for name, (x, other) in pairs.items()})
    if set(differences.values()) & set(shifted.variables()):
        return None
    back = {name: x - other for name, (x, other) in pairs.items()}
    accuracies = {name for name in differences if read_name(name).kind is Quantity.ACCURACY}
    groups: dict[Monomial, dict[Monomial, mpq]] = {}
    for monomial, coefficient in shifted.sorted_terms():
        inside = tuple(factor for factor in monomial if factor[0] in accuracies)
        outside = tuple(factor for factor in monomial if factor[0] not in accuracies)
        groups.setdefault(outside, {})[inside] = coefficient
    return Factored(
        tuple(
            product
            for outside, inside in groups.items()
            for product in _products(Polynomial.from_terms(inside), outside, back)
        )
    )


def _products(inside: Polynomial, outside: Monomial, back: dict[str, Polynomial]) -> list[_Product]:
    """Return the factors of a polynomial in accuracies' differences times a monomial, in the paper's quantities."""
    number, factors = _factors(inside)
    found = [(number, factors)]
    if len(factors) == 1 and len(factors[0].terms) > 1:  # it has no factors: a product for each of its terms
        found = [
            (number * coefficient, _powers(monomial)) for monomial, coefficient in factors[0].sorted_terms()
        ]
    return [(number, _in_differences(factors + _powers(outside), back)) for number, factors in found]


def _powers(monomial: Monomial) -> list[Polynomial]:
    return [Polynomial.variable(name) for name, power in monomial for _ in range(power)]


def _in_differences(factors: list[Polynomial], back: dict[str, Polynomial]) -> tuple[Polynomial, ...]:
    """Return the factors with each difference in place of the variable that stood for it, the shortest first."""
    written = [
        factor.substitute({name: back[name] for name in factor.variables() if name in back})
        for factor in factors
    ]
    return tuple(sorted(written, key=lambda factor: len(factor.terms)))


def _factors(polynomial: Polynomial) -> tuple[mpq, list[Polynomial]]:
    """Return the number and the irreducible factors, each as often as it occurs, the shortest first."""
    if polynomial.is_constant:
        return polynomial.constant_term, []
    import sympy

    from ntqr_exact.algebra.sympy_border import from_expression

    number, found = sympy.factor_list(polynomial.to_sympy())
    factors = [from_expression(factor) for factor, power in found for _ in range(power)]
    factors.sort(key=lambda factor: (len(factor.terms), str(factor)))
    return mpq(str(number)), factors


def _other(name: str) -> str | None:
    """Return what is taken from an accuracy or a pair's correlation in a difference."""
    try:
        variable = read_name(name)
    except BadDocument:
        return None
    if variable.kind is Quantity.ACCURACY:
        return frequency({variable.judges[0]: variable.key}).name
    is_pair = variable.kind is Quantity.CORRELATION and len(variable.judges) == 2
    return of_judges(Quantity.PAIR_MOMENT, *variable.judges).name if is_pair else None
