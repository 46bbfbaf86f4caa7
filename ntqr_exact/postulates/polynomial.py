"""`Polynomial`: a polynomial over the rationals as a value of plain names, exponents and `mpq`.

sympy's elements cannot be pickled, and their numbers depend on which library sympy found; `ring` and `element` are
the border to them, and numbers cross it as Python integers.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadDocument, DivisionByZero
from ntqr_exact.exact.rational import RationalLike, is_number, power_of, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.postulates.formula import RULE, parsed, print_formula, spine
from ntqr_exact.postulates.notation import LETTERS, Variable, rank

if TYPE_CHECKING:
    import sympy

Number: TypeAlias = "mpq | Surd"
Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Names with their exponents, which are positive, in the order of the names; 1 is the empty one."""

_MAX_EXPONENT = 64
_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


_Terms: TypeAlias = Mapping[Monomial, mpq]
_ONE: _Terms = FrozenMapping({(): mpq(1)})


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Polynomial:
    """A polynomial over the rationals, as monomials with coefficients that are not zero; or a quotient of two.

    >>> x, y = Polynomial.variable("x"), Polynomial.variable("y")
    >>> (x + y) * (x - y) == x**2 - y**2, (x**2 - y**2) / (x - y) == x + y, (x / 2 - 1).substitute({"x": y + 2})
    (True, True, Polynomial({'y': '1/2'}))

    Nothing is cancelled in a quotient; equality is that of functions, wherever both are defined.
    """

    terms: _Terms
    divisor: _Terms

    def __init__(self, terms: Mapping[str, RationalLike] | None = None) -> None:
        collected: dict[Monomial, mpq] = {}
        for text, coefficient in (terms or {}).items():
            monomial = _read_monomial(text)
            if monomial in collected:
                raise BadDocument(text, "this monomial is given twice")
            collected[monomial] = rational(coefficient)
        object.__setattr__(self, "terms", _plus(collected))
        object.__setattr__(self, "divisor", _ONE)

    @classmethod
    def from_terms(cls, terms: _Terms, divisor: _Terms = _ONE) -> Polynomial:
        """Return the quotient of terms that are known to be well formed; coefficients 0 are dropped."""
        if not divisor:
            raise DivisionByZero(str(cls.from_terms(terms)), "a formula divides by 0")
        if len(divisor) == 1 and () in divisor:
            if divisor[()] != 1:
                terms = {each: number / divisor[()] for each, number in terms.items()}
            divisor = _ONE
        polynomial = object.__new__(cls)
        object.__setattr__(polynomial, "terms", terms if isinstance(terms, FrozenMapping) else _plus(terms))
        object.__setattr__(polynomial, "divisor", divisor)
        return polynomial

    @classmethod
    def variable(cls, name: str | Variable) -> Polynomial:
        """Return the polynomial that is one variable."""
        text = name.name if isinstance(name, Variable) else name
        if not NAME.fullmatch(text):
            raise BadDocument(text, "a variable is named by letters, digits and _, a letter first")
        return cls.from_terms({((text, 1),): mpq(1)})

    @classmethod
    def constant(cls, value: RationalLike) -> Polynomial:
        """Return a number as a polynomial."""
        return cls.from_terms({(): rational(value)})

    def __add__(self, other: object) -> Polynomial:
        right = _operand(other)
        if right is None:
            return NotImplemented
        if self.divisor == right.divisor:
            return Polynomial.from_terms(_plus(self.terms, right.terms), self.divisor)
        crossed = _plus(_times(self.terms, right.divisor), _times(right.terms, self.divisor))
        return Polynomial.from_terms(crossed, _times(self.divisor, right.divisor))

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return self * -1

    def __sub__(self, other: object) -> Polynomial:
        right = _operand(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Polynomial:
        return -self + other

    def __mul__(self, other: object) -> Polynomial:
        right = _operand(other)
        if right is None:
            return NotImplemented
        return Polynomial.from_terms(_times(self.terms, right.terms), _times(self.divisor, right.divisor))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Polynomial:
        right = _operand(other)
        if right is None:
            return NotImplemented
        return Polynomial.from_terms(_times(self.terms, right.divisor), _times(self.divisor, right.terms))

    def __pow__(self, exponent: object) -> Polynomial:
        if not isinstance(exponent, int) or isinstance(exponent, bool) or exponent < 0:
            return NotImplemented
        if len(self.terms) == 1 and self.divisor == _ONE:
            ((monomial, coefficient),) = self.terms.items()
            powers = tuple((name, degree * exponent) for name, degree in monomial if exponent)
            return Polynomial.from_terms({powers: power_of(coefficient, exponent)})
        check_work(
            "a power of a polynomial", exponent * math.comb(exponent + max(len(self.terms), 1) - 1, exponent)
        )
        return math.prod([self] * exponent, start=Polynomial.constant(1))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        right = _operand(other)
        if right is None:
            return NotImplemented
        return _times(self.terms, right.divisor) == _times(right.terms, self.divisor)

    def __hash__(self) -> int:
        if self.divisor != _ONE:
            return 0  # quotients that differ in form may be equal
        return hash(self.constant_term) if self.is_constant else hash(self.terms)

    equals = __eq__

    def polynomial(self) -> Polynomial:
        """Return the polynomial itself; raises `BadDocument` for a quotient."""
        if self.divisor != _ONE:
            raise BadDocument(str(self.denominator), "a polynomial has no variable in a denominator")
        return self

    @property
    def numerator(self) -> Polynomial:
        """What is divided."""
        return Polynomial.from_terms(self.terms)

    @property
    def denominator(self) -> Polynomial:
        """What it is divided by: 1, for a polynomial."""
        return Polynomial.from_terms(self.divisor)

    @property
    def is_constant(self) -> bool:
        """Whether no variable occurs."""
        return self.divisor == _ONE and not any(self.terms)

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
        return tuple(
            sorted({name for monomial in (*self.terms, *self.divisor) for name, _ in monomial}, key=rank)
        )

    def sorted_terms(self) -> list[tuple[Monomial, mpq]]:
        """Return the terms from the highest degree to the lowest; the order never varies."""
        return sorted(self.terms.items(), key=lambda term: _reading_order(term[0]))

    def substitute(self, values: Mapping[str, Polynomial | RationalLike]) -> Polynomial:
        """Return the polynomial with numbers or polynomials in place of some of the variables."""
        images = {
            name: value if isinstance(value, Polynomial) else Polynomial.constant(value)
            for name, value in values.items()
        }

        def image(terms: _Terms) -> Polynomial:
            return sum_of(
                math.prod(
                    (images[name] ** power for name, power in monomial if name in images),
                    start=Polynomial.from_terms({tuple(f for f in monomial if f[0] not in images): number}),
                )
                for monomial, number in terms.items()
            )

        return image(self.terms) if self.divisor == _ONE else image(self.terms) / image(self.divisor)

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """Return the value at a point, which may have surds among its coordinates.

        >>> Polynomial({"x^2": 1, "1": -2}).evaluate({"x": Surd.sqrt(2)})
        Surd(0)

        Raises `DivisionByZero` where a quotient is undefined.
        """
        missing = [name for name in self.variables() if name not in values]
        if missing:
            raise BadDocument(missing, "a point has a number for every variable")

        def value(terms: _Terms) -> Number:
            products = (math.prod([_raised(values[n], k) for n, k in m], start=c) for m, c in terms.items())
            return sum(products, mpq(0))

        below = value(self.divisor)
        if below == 0:
            raise DivisionByZero(str(self.denominator), "the formula is undefined at this point")
        return value(self.terms) / below

    # -- forms ----------------------------------------------------------------------------------

    def to_document(self) -> dict[str, str]:
        """Return {monomial: "p/q"}, the highest degree first; the constructor reads it back."""
        return {
            "*".join(name if power == 1 else f"{name}^{power}" for name, power in monomial) or "1": str(
                number
            )
            for monomial, number in self.sorted_terms()
        }

    def text(self) -> str:
        """Return a formula in short names that `read_formula` reads."""
        if self.divisor != _ONE:
            return f"({self.numerator.text()}) / ({self.denominator.text()})"
        text = ""
        for monomial, number in self.sorted_terms():
            factors = [
                name if power == 1 else f"{name}**{power}"
                for name, power in sorted(monomial, key=lambda factor: rank(factor[0]))
            ]
            if abs(number) != 1 or not factors:
                factors.insert(0, str(abs(number)))
            text += (" - " if number < 0 else " + ") + "*".join(factors)
        return ("-" if text.startswith(" -") else "") + text[3:] or "0"

    def written(self, labels: Sequence[str] = LETTERS, *, latex: bool = False) -> str:
        """Return the polynomial in the paper's symbols, with the labels of a user."""
        return print_formula(self.text(), labels, latex=latex)

    def __repr__(self) -> str:
        return f"Polynomial({self.to_document()!r})"

    def __str__(self) -> str:
        return self.written()

    def latex(self) -> str:
        """Return LaTeX in the paper's symbols."""
        return self.written(latex=True)

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_sympy(self) -> sympy.Expr:
        """Return a sympy expression in the short names."""
        return element(ring(self.variables() or ("x",)), self).as_expr()


Formula: TypeAlias = Polynomial
"""A quotient of polynomials, read from a text."""


def sum_of(polynomials: Iterable[Polynomial]) -> Polynomial:
    """Return the sum; that of none is 0."""
    by_divisor: dict[_Terms, list[_Terms]] = {}
    for each in polynomials:
        by_divisor.setdefault(each.divisor, []).append(each.terms)
    parts = [Polynomial.from_terms(_plus(*terms), divisor) for divisor, terms in by_divisor.items()]
    return sum(parts[1:], start=parts[0]) if parts else Polynomial()


def _plus(*parts: _Terms) -> _Terms:
    total: dict[Monomial, mpq] = {}
    for part in parts:
        for monomial, coefficient in part.items():
            total[monomial] = total[monomial] + coefficient if monomial in total else coefficient
    return FrozenMapping({monomial: coefficient for monomial, coefficient in total.items() if coefficient})


def _raised(base: Any, power: int) -> Any:
    """Return a power; a large one of a rational is refused if it has too many digits."""
    return base**power if power < 1000 or isinstance(base, Surd) else power_of(base, power)


def _times(left: _Terms, right: _Terms) -> _Terms:
    if right == _ONE:
        return left
    check_work("a product of two polynomials", 2 * len(left) * len(right))
    total: dict[Monomial, mpq] = {}
    for left_monomial, left_coefficient in left.items():
        for right_monomial, right_coefficient in right.items():
            powers = dict(left_monomial)
            for name, power in right_monomial:
                powers[name] = powers.get(name, 0) + power
            monomial = tuple(sorted(powers.items()))
            total[monomial] = total.get(monomial, mpq(0)) + left_coefficient * right_coefficient
    return _plus(total)


def _operand(other: object) -> Polynomial | None:
    if isinstance(other, Polynomial):
        return other
    return Polynomial.constant(other) if is_number(other) else None  # type: ignore[arg-type]


def _read_monomial(text: str) -> Monomial:
    powers: dict[str, int] = {}
    for factor in text.split("*") if text != "1" else ():
        name, caret, power = factor.partition("^")
        if (
            not NAME.fullmatch(name)
            or name in powers
            or (caret and not re.fullmatch("[1-9][0-9]{0,5}", power))
        ):
            raise BadDocument(text, "not a monomial", 'write it like "x", "x^2*y" or "1"')
        powers[name] = int(power or 1)
    return tuple(sorted(powers.items()))


def _reading_order(monomial: Monomial) -> tuple[Any, ...]:
    powers = sorted((rank(name), -power) for name, power in monomial)
    return (-sum(power for _, power in monomial), powers)


def read_formula(text: str, symbols: Mapping[str, Polynomial] | None = None) -> Polynomial:
    """Return the value of a formula; `symbols` says what names stand for, others stand for themselves.

    >>> print(read_formula("x**2 - 1/2"), read_formula("s/2", {"s": Polynomial({"x": 4})}))
    x² − 1/2 2·x

    Raises `BadDocument` for what is not a formula.
    """
    return _read(parsed(text), symbols or {}, text)


def _read(node: ast.expr, symbols: Mapping[str, Polynomial], text: str) -> Polynomial:
    leaf, steps = spine(node)
    match leaf:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            result = Polynomial.constant(number)
        case ast.Name(id=name):
            result = symbols[name] if name in symbols else Polynomial.variable(name)
        case _:
            raise BadDocument(text, RULE)
    for step in steps:
        match step:
            case ast.UnaryOp(op=ast.USub()):
                result = -result
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int() as exponent)):
                if exponent > _MAX_EXPONENT:
                    raise BadDocument(text, f"an exponent is at most {_MAX_EXPONENT}")
                result = result**exponent
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
                result = _OPERATIONS[type(step.op)](result, _read(step.right, symbols, text))
            case _:
                raise BadDocument(text, RULE)
    return result


@lru_cache(maxsize=4096)
def read_text(text: str) -> Polynomial:
    """Return the polynomial of a text in short names."""
    return read_formula(text).polynomial()


# -- the border to sympy ------------------------------------------------------------------------------


def ring(names: Sequence[str]) -> Any:
    """Return sympy's ring of rational polynomials in these variables, the largest first, in lexicographic order."""
    from sympy.polys.domains import QQ
    from sympy.polys.rings import PolyRing

    return PolyRing(tuple(names), QQ, "lex")


def element(over: Any, polynomial: Polynomial) -> Any:
    """Return a polynomial as an element of a ring."""
    index = {str(variable): place for place, variable in enumerate(over.symbols)}
    terms = {}
    for monomial, coefficient in polynomial.terms.items():
        powers = [0] * len(index)
        for name, power in monomial:
            powers[index[name]] = power
        terms[tuple(powers)] = over.domain(int(coefficient.numerator), int(coefficient.denominator))
    return over.from_dict(terms)


def from_element(found: Any) -> Polynomial:
    """Return an element of a ring as a polynomial."""
    names, domain = [str(variable) for variable in found.ring.symbols], found.ring.domain
    return Polynomial.from_terms(
        {
            tuple(
                sorted((name, int(power)) for name, power in zip(names, powers, strict=True) if power)
            ): mpq(int(domain.numer(number)), int(domain.denom(number)))
            for powers, number in found.items()
        }
    )
