"""`Polynomial`: a polynomial over the rationals as a value, and its arithmetic.

sympy's own elements cannot be pickled, and their numbers depend on which library sympy found. This value
holds plain names, exponents and `mpq`; what sympy is needed for goes through `sympy_border`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from gmpy2 import mpq

from ntqr_exact.algebra.monomial import (
    NAME,
    Monomial,
    rank,
    read_monomial,
    reading_order,
    terms_latex,
    terms_text,
    times,
    to_expression,
    write_monomial,
)
from ntqr_exact.algebra.notation import Variable
from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadDocument, DivisionByZero
from ntqr_exact.exact.rational import RationalLike, is_number, power_of, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping

if TYPE_CHECKING:
    import sympy

Number: TypeAlias = "mpq | Surd"


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Polynomial:
    """A polynomial over the rationals, as a mapping of monomials to coefficients that are not zero.

    >>> x, y = Polynomial.variable("x"), Polynomial.variable("y")
    >>> (x + y) * (x - y) == x**2 - y**2, (x / 2 - 1).substitute({"x": y + 2})
    (True, Polynomial({'y': '1/2'}))
    """

    terms: Mapping[Monomial, mpq]

    def __init__(self, terms: Mapping[str, RationalLike] | None = None) -> None:
        """Take coefficients by monomials written as text: {"x^2*y": "1/2", "1": -3}."""
        collected: dict[Monomial, mpq] = {}
        for text, coefficient in (terms or {}).items():
            monomial = read_monomial(text)
            if monomial in collected:
                raise BadDocument(text, "this monomial is given twice")
            collected[monomial] = rational(coefficient)
        _set(self, collected)

    @classmethod
    def variable(cls, name: str | Variable) -> Polynomial:
        """Return the polynomial that is one variable."""
        text = name.name if isinstance(name, Variable) else name
        if not NAME.fullmatch(text):
            raise BadDocument(text, "a variable is named by letters, digits and _, a letter first")
        return Polynomial.from_terms({((text, 1),): mpq(1)})

    @classmethod
    def constant(cls, value: RationalLike) -> Polynomial:
        """Return a number as a polynomial."""
        return Polynomial.from_terms({(): rational(value)})

    @classmethod
    def from_terms(cls, terms: Mapping[Monomial, mpq]) -> Polynomial:
        """Return the polynomial of terms that are known to be well formed; coefficients 0 are dropped."""
        polynomial = object.__new__(cls)
        _set(polynomial, terms)
        return polynomial

    # -- arithmetic -----------------------------------------------------------------------------

    def __add__(self, other: object) -> Polynomial:
        """Return the sum with a polynomial or an exact number."""
        right = _operand(other)
        if right is None:
            return NotImplemented
        terms = dict(self.terms)
        for monomial, coefficient in right.terms.items():
            terms[monomial] = terms.get(monomial, mpq(0)) + coefficient
        return Polynomial.from_terms(terms)

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        """Return the negative."""
        return Polynomial.from_terms({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: object) -> Polynomial:
        """Return the difference."""
        right = _operand(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Polynomial:
        """Return the difference the other way round."""
        return -self + other

    def __mul__(self, other: object) -> Polynomial:
        """Return the product."""
        right = _operand(other)
        if right is None:
            return NotImplemented
        check_work("a product of two polynomials", 2 * len(self.terms) * len(right.terms))
        terms: dict[Monomial, mpq] = {}
        for left_monomial, left_coefficient in self.terms.items():
            for right_monomial, right_coefficient in right.terms.items():
                monomial = times(left_monomial, right_monomial)
                terms[monomial] = terms.get(monomial, mpq(0)) + left_coefficient * right_coefficient
        return Polynomial.from_terms(terms)

    __rmul__ = __mul__

    def __truediv__(self, number: object) -> Polynomial:
        """Return the quotient by an exact number that is not zero."""
        if not is_number(number):
            return NotImplemented
        divisor = rational(number)  # type: ignore[arg-type]
        if divisor == 0:
            raise DivisionByZero(str(self), "a polynomial is not divided by 0")
        return self * (1 / divisor)

    def __pow__(self, exponent: object) -> Polynomial:
        """Return a power with a whole exponent; raises `TooMuchWork` where it has too many terms or digits."""
        if not isinstance(exponent, int) or isinstance(exponent, bool) or exponent < 0:
            return NotImplemented
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            power = power_of(coefficient, exponent)
            return Polynomial.from_terms(
                {tuple((name, degree * exponent) for name, degree in monomial if exponent): power}
            )
        check_work("a power of a polynomial", self._power_steps(exponent))
        result = Polynomial.constant(1)
        for _ in range(exponent):
            result = result * self
        return result

    def _power_steps(self, exponent: int) -> int:
        """Return about how many products of terms a power takes: no more than if all its monomials differed."""
        many = len(self.terms)
        if many < 2 or exponent * many > 10**9:
            return exponent * many
        degrees: dict[str, int] = {}
        for monomial in self.terms:
            for name, power in monomial:
                degrees[name] = max(power, degrees.get(name, 0))
        box = math.prod(exponent * degree + 1 for degree in degrees.values())
        return 2 * many * min(exponent * box, math.comb(exponent + many - 1, min(many, exponent)))

    def __bool__(self) -> bool:
        """Whether the polynomial is not zero."""
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        """Compare with a polynomial or an exact number."""
        right = _operand(other)
        return NotImplemented if right is None else self.terms == right.terms

    def __hash__(self) -> int:
        """Agree with equality; a constant hashes as its number."""
        return hash(self.constant_term) if self.is_constant else hash(self.terms)

    # -- what it is made of ---------------------------------------------------------------------

    @property
    def is_constant(self) -> bool:
        """Whether no variable occurs."""
        return all(monomial == () for monomial in self.terms)

    @property
    def constant_term(self) -> mpq:
        """The coefficient of the monomial 1."""
        return self.terms.get((), mpq(0))

    @property
    def degree(self) -> int:
        """The total degree; that of zero counts as 0."""
        return max((sum(power for _, power in monomial) for monomial in self.terms), default=0)

    def variables(self) -> tuple[str, ...]:
        """Return the names that occur, in the order of the table of notation."""
        return tuple(sorted({name for monomial in self.terms for name, _ in monomial}, key=rank))

    def sorted_terms(self) -> list[tuple[Monomial, mpq]]:
        """Return the terms from the highest degree to the lowest; the order never varies."""
        return sorted(self.terms.items(), key=lambda term: reading_order(term[0]))

    # -- putting something in place of variables ------------------------------------------------

    def substitute(self, values: Mapping[str, Polynomial | RationalLike]) -> Polynomial:
        """Return the polynomial with numbers or polynomials in place of some of the variables."""
        images = {
            name: value if isinstance(value, Polynomial) else Polynomial.constant(value)
            for name, value in values.items()
        }
        total: dict[Monomial, mpq] = {}
        for monomial, coefficient in self.terms.items():
            kept = tuple(factor for factor in monomial if factor[0] not in images)
            product = Polynomial.from_terms({kept: coefficient})
            for name, power in monomial:
                if name in images:
                    product = product * images[name] ** power
            for image_monomial, image_coefficient in product.terms.items():
                total[image_monomial] = total.get(image_monomial, mpq(0)) + image_coefficient
        return Polynomial.from_terms(total)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """Return the value at a point, which may have surds among its coordinates.

        >>> Polynomial({"x^2": 1, "1": -2}).evaluate({"x": Surd.sqrt(2)})
        Surd(0)
        """
        missing = [name for name in self.variables() if name not in values]
        if missing:
            raise BadDocument(missing, "a point has a number for every variable")
        total: Number = mpq(0)
        for monomial, coefficient in self.terms.items():
            product: Number = coefficient
            for name, power in monomial:
                value = values[name]
                product = product * (value**power if isinstance(value, Surd) else power_of(value, power))
            total = total + product
        return total

    # -- forms ----------------------------------------------------------------------------------

    def to_document(self) -> dict[str, str]:
        """Return {monomial: "p/q"}, the highest degree first; the constructor reads it back."""
        return {write_monomial(monomial): str(coefficient) for monomial, coefficient in self.sorted_terms()}

    def __repr__(self) -> str:
        """Return the notation that can be pasted back."""
        return f"Polynomial({self.to_document()!r})"

    def __str__(self) -> str:
        """Return the polynomial in the paper's symbols."""
        return terms_text(self.sorted_terms())

    def latex(self) -> str:
        """Return LaTeX in the paper's symbols."""
        return terms_latex(self.sorted_terms())

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_sympy(self) -> sympy.Expr:
        """Return a sympy expression in the code names."""
        return to_expression(self.terms.items())


def sum_of(polynomials: Iterable[Polynomial]) -> Polynomial:
    """Return the sum; that of none is 0."""
    total: dict[Monomial, mpq] = {}
    for polynomial in polynomials:
        for monomial, coefficient in polynomial.terms.items():
            total[monomial] = total.get(monomial, mpq(0)) + coefficient
    return Polynomial.from_terms(total)


def _set(polynomial: Polynomial, terms: Mapping[Monomial, mpq]) -> None:
    kept = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}
    object.__setattr__(polynomial, "terms", FrozenMapping(kept))


def _operand(other: object) -> Polynomial | None:
    if isinstance(other, Polynomial):
        return other
    if is_number(other):
        return Polynomial.constant(other)  # type: ignore[arg-type]
    return None
