"""`Polynomial`: a polynomial over the rationals as a value of plain names, exponents and `mpq`; and formulas as texts.

sympy's elements cannot be pickled, and their numbers depend on which library sympy found; `ring` and `element` are
the border to them. Texts have names, whole numbers, + − * / ** and brackets; nothing is evaluated as code.
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
from ntqr_exact.errors import BadArgument, BadDocument, DivisionByZero
from ntqr_exact.exact.rational import RationalLike, is_number, power_of, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.postulates.notation import LETTERS, Variable, rank, symbol

if TYPE_CHECKING:
    import sympy

Number: TypeAlias = "mpq | Surd"
Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Names with their exponents, which are positive, in the order of the names; 1 is the empty one."""

_MAX_EXPONENT, _MAX_CHARACTERS = 64, 1_000_000
_RULE = "not a formula of names, whole numbers, + - * / ** and brackets"
_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_FACTOR = re.compile(rf"({NAME.pattern})(?:\^([1-9][0-9]{{0,5}}))?")

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
        terms = math.comb(exponent + max(len(self.terms), 1) - 1, exponent)
        check_work("a power of a polynomial", exponent * terms)
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
        return hash(self.terms) if any(self.terms) else hash(self.terms.get((), 0))

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
    def degree(self) -> int:
        """The total degree; that of zero counts as 0."""
        return max((sum(power for _, power in monomial) for monomial in self.terms), default=0)

    def variables(self) -> tuple[str, ...]:
        """Return the names that occur, in the order of the table of notation."""
        names = {name for monomial in (*self.terms, *self.divisor) for name, _ in monomial}
        return tuple(sorted(names, key=rank))

    def sorted_terms(self) -> list[tuple[Monomial, mpq]]:
        """Return the terms from the highest degree to the lowest; the order never varies."""

        def order(term: tuple[Monomial, mpq]) -> tuple[Any, ...]:
            powers = sorted((rank(name), -power) for name, power in term[0])
            return (-sum(power for _, power in term[0]), powers)

        return sorted(self.terms.items(), key=order)

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
        document = {}
        for monomial, number in self.sorted_terms():
            factors = (name if power == 1 else f"{name}^{power}" for name, power in monomial)
            document["*".join(factors) or "1"] = str(number)
        return document

    def text(self) -> str:
        """Return a formula in short names that `read_formula` reads."""
        if self.divisor != _ONE:
            return f"({self.numerator.text()}) / ({self.denominator.text()})"
        text = ""
        for monomial, number in self.sorted_terms():
            ordered = sorted(monomial, key=lambda factor: rank(factor[0]))
            factors = [name if power == 1 else f"{name}**{power}" for name, power in ordered]
            if abs(number) != 1 or not factors:
                factors.insert(0, str(abs(number)))
            text += (" - " if number < 0 else " + ") + "*".join(factors)
        return ("-" if text.startswith(" -") else "") + text[3:] or "0"

    def __repr__(self) -> str:
        return f"Polynomial({self.to_document()!r})"

    def __str__(self) -> str:
        return print_formula(self.text())

    def latex(self) -> str:
        """Return LaTeX in the paper's symbols."""
        return print_formula(self.text(), latex=True)

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
    factors = [_FACTOR.fullmatch(factor) for factor in text.split("*")] if text != "1" else []
    powers = {match[1]: int(match[2] or 1) for match in factors if match}
    if len(powers) < len(factors):
        raise BadDocument(text, "not a monomial", 'write it like "x", "x^2*y" or "1"')
    return tuple(sorted(powers.items()))


# -- formulas as texts --------------------------------------------------------------------------------


def _parsed(text: str) -> ast.expr:
    """Return the tree of a text, which may still hold what is not a formula; raises `BadDocument`."""
    if not isinstance(text, str):
        raise BadArgument(text, "text must be a string")
    if len(text) > _MAX_CHARACTERS:
        raise BadDocument(text, f"a formula has at most {_MAX_CHARACTERS} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadDocument(text, _RULE) from None


def _spine(node: ast.expr) -> tuple[ast.expr, list[ast.BinOp | ast.UnaryOp]]:
    """Return the leftmost operand and what is done to it: long sums lean to the left, and need no recursion."""
    steps = []
    while isinstance(node, ast.BinOp | ast.UnaryOp):
        steps.append(node)
        node = node.left if isinstance(node, ast.BinOp) else node.operand
    return node, steps[::-1]


def read_formula(text: str, symbols: Mapping[str, Polynomial] | None = None) -> Polynomial:
    """Return the value of a formula; `symbols` gives names a value, others are variables.

    >>> print(read_formula("x**2 - 1/2"), read_formula("s/2", {"s": Polynomial({"x": 4})}))
    x² − 1/2 2·x

    Raises `BadDocument` for what is not a formula.
    """
    return _read(_parsed(text), symbols or {}, text)


def _read(node: ast.expr, symbols: Mapping[str, Polynomial], text: str) -> Polynomial:
    leaf, steps = _spine(node)
    match leaf:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            result = Polynomial.constant(number)
        case ast.Name(id=name):
            result = symbols[name] if name in symbols else Polynomial.variable(name)
        case _:
            raise BadDocument(text, _RULE)
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
                raise BadDocument(text, _RULE)
    return result


@lru_cache(maxsize=4096)
def read_text(text: str) -> Polynomial:
    """Return the polynomial of a text in short names."""
    return read_formula(text).polynomial()


def print_formula(text: str, labels: Sequence[str] = LETTERS, *, latex: bool = False) -> str:
    r"""Return a formula in short names, not multiplied out, in the paper's symbols with the labels of a user.

    >>> print(print_formula("Pa*(x1 - fa1)", ("yes", "no")))
    P_{yes}·(P^{yes}_{yes_1} − f_{yes_1})
    >>> print(print_formula("Ga12**2/2", latex=True))
    \frac{\left(\Gamma^{a}_{1,2}\right)^{2}}{2}
    """
    return _printed(_parsed(text), labels, latex=latex)[0]


def _printed(node: ast.expr, labels: Sequence[str], *, latex: bool) -> tuple[str, int]:
    """Return the text of a tree, and how tightly it binds: sums 1, products 2, powers 3, single symbols 4."""
    minus, times = ("-", " ") if latex else ("−", "·")

    def bracketed(part: tuple[str, int], tightness: int) -> str:
        if part[1] >= tightness:
            return part[0]
        return rf"\left({part[0]}\right)" if latex else f"({part[0]})"

    leaf, steps = _spine(node)
    result = (symbol(leaf.id, labels, latex=latex) if isinstance(leaf, ast.Name) else ast.unparse(leaf), 4)
    for step in steps:
        if isinstance(step, ast.UnaryOp):
            negative = result[0].startswith(minus)
            result = (minus + bracketed(result, 5 if negative else 2), 2)
            continue
        right = _printed(step.right, labels, latex=latex)
        if right[0].startswith(minus):
            right = (right[0], 0)
        match step.op:
            case ast.Add():
                result = (f"{result[0]} + {bracketed(right, 1)}", 1)
            case ast.Sub():
                result = (f"{result[0]} {minus} {bracketed(right, 2)}", 1)
            case ast.Mult():
                result = (bracketed(result, 2) + times + bracketed(right, 2), 2)
            case ast.Pow():
                base = bracketed(result, 5 if "^" in result[0] or "sqrt" in result[0] else 4)
                result = (f"{base}^{{{right[0]}}}" if latex else base + right[0].translate(_SUPERSCRIPTS), 3)
            case _ if latex:
                sign = minus if result[0].startswith(minus) and result[1] == 2 else ""
                result = (rf"{sign}\frac{{{result[0].removeprefix(sign)}}}{{{right[0]}}}", 2)
            case _:
                result = (f"{bracketed(result, 2)}/{bracketed(right, 3)}", 2)
    return result


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
    terms = {}
    for powers, number in found.items():
        monomial = sorted((name, int(power)) for name, power in zip(names, powers, strict=True) if power)
        terms[tuple(monomial)] = mpq(int(domain.numer(number)), int(domain.denom(number)))
    return Polynomial.from_terms(terms)
