"""`Polynomial`: elements of sympy's rings over the rationals, as a value; and formulas as texts.

sympy's elements cannot be pickled, belong to one ring each, and have the numbers of whichever library sympy found; here
they are pickled as texts, meet in a common ring, and show `mpq`. Nothing in a text is evaluated as code.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, prod
from numbers import Number
from typing import TYPE_CHECKING, Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadDocument, DivisionByZero, listed
from ntqr_exact.exact.rational import Operators, RationalLike, rational
from ntqr_exact.exact.show import LatexForms
from ntqr_exact.exact.surd import Surd
from ntqr_exact.postulates.notation import LETTERS, rank, symbol

if TYPE_CHECKING:
    import sympy

Value: TypeAlias = "mpq | Surd"
Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Names with their exponents, which are positive, in the order of the names; 1 is the empty one."""

_MAX_EXPONENT = 64
_RULE = f"a formula must have only names, whole numbers, + - * / **, exponents up to {_MAX_EXPONENT}, and brackets"
_OPERATIONS: dict[type, Any] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv},
    **{ast.Pow: operator.pow, ast.USub: lambda value, _: -value},
}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@lru_cache(maxsize=1024)
def ring(names: tuple[str, ...]) -> Any:
    """Return sympy's ring of rational polynomials in these variables, the largest first, in lexicographic order."""
    from sympy.polys.domains import QQ
    from sympy.polys.rings import PolyRing

    return PolyRing(names or ("x",), QQ, "lex")


@lru_cache(maxsize=1024)
def _names(over: Any) -> tuple[str, ...]:
    return tuple(map(str, over.symbols))


@dataclass(frozen=True, eq=False, repr=False)
class Polynomial(Operators, LatexForms):
    """A polynomial, or a quotient of two in lowest terms; `read_formula` makes it.

    >>> x, y = read_formula("x"), read_formula("y")
    >>> print((x**2 - y**2) / (x - y), "and", (x / 2 - 1).substitute({"x": y + 2}))
    x + y and 1/2·y

    `top` and `bottom` are elements of one ring.
    """

    top: Any
    bottom: Any

    def _operand(self, other: object) -> Polynomial | None:
        return _element(other, self.top.ring) if isinstance(other, Polynomial | Number) else None

    def _plus(self, right: Polynomial) -> Polynomial:
        a, b, c, d = _parts(self, right)
        return _quotient(a + c, b) if b == d else _quotient(a * d + c * b, b * d)

    def _times(self, right: Polynomial) -> Polynomial:
        a, b, c, d = _parts(self, right)
        return _quotient(a * c, b * d)

    def _inverse(self) -> Polynomial:
        return Polynomial(self.bottom, self.top)  # a product refuses it if `bottom` becomes 0

    def __neg__(self) -> Polynomial:
        return Polynomial(-self.top, self.bottom)

    def __pow__(self, exponent: int) -> Polynomial:
        terms = max(len(self.top), len(self.bottom))
        check_work("a power of a polynomial", exponent * comb(exponent + terms, exponent))
        return Polynomial(self.top**exponent, self.bottom**exponent)

    def __bool__(self) -> bool:
        return bool(self.top)

    def __eq__(self, other: object) -> bool:
        right = self._operand(other)
        return NotImplemented if right is None else not self - right

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return read_formula, (self.text(),)

    def polynomial(self) -> Polynomial:
        """Return the polynomial itself; raises `BadDocument` for a quotient."""
        if self.bottom != 1:
            raise BadDocument(str(self.denominator), "a polynomial must not have a variable in a denominator")
        return self

    @property
    def numerator(self) -> Polynomial:
        """The polynomial above the fraction bar."""
        return Polynomial(self.top, self.top.ring.one)

    @property
    def denominator(self) -> Polynomial:
        """The polynomial below the fraction bar; 1 for a polynomial."""
        return Polynomial(self.bottom, self.top.ring.one)

    @cached_property
    def terms(self) -> dict[Monomial, mpq]:
        """The coefficients of the monomials, the highest degree first; those of the numerator, for a quotient."""
        names, domain = _names(self.top.ring), self.top.ring.domain
        terms = []
        for powers, number in self.top.items():
            used = [(name, int(power)) for name, power in zip(names, powers, strict=True) if power]
            order = (-sum(powers), sorted((rank(name), -power) for name, power in used))
            terms.append(
                (order, tuple(sorted(used)), mpq(*map(int, (domain.numer(number), domain.denom(number)))))
            )
        return {monomial: number for _, monomial, number in sorted(terms)}

    @property
    def degree(self) -> int:
        """The total degree; that of zero counts as 0."""
        return max((sum(power for _, power in monomial) for monomial in self.terms), default=0)

    def variables(self) -> tuple[str, ...]:
        """Return the names that occur, in the order of the table of notation."""
        columns = zip(_names(self.top.ring), *self.top, *self.bottom, strict=True)
        return tuple(sorted((name for name, *powers in columns if any(powers)), key=rank))

    def substitute(self, values: Mapping[str, Polynomial | RationalLike]) -> Polynomial:
        """Return the polynomial with numbers or polynomials in place of some of the variables."""
        images = {name: _element(value) for name, value in values.items()}
        over = _common_ring(self, *images.values())
        gens = _generators(over) | {name: _moved(image, over) for name, image in images.items()}
        is_quotient = any(each.bottom != 1 for each in (self, *images.values()))

        def leaf(value: str | mpq) -> Any:
            image = gens[value] if isinstance(value, str) else _element(value, over)
            return image if is_quotient else image.top  # without wrappers it takes a fraction of the time

        result = self._at(leaf)
        return result if is_quotient else Polynomial(result, over.one)

    def evaluate(self, values: Mapping[str, Value]) -> Value:
        """Return the value at a point, which may have surds among its coordinates.

        Raises `BadDocument` if a value is missing, `ZeroDivisionError` where a quotient is undefined.
        """
        if missing := [name for name in self.variables() if name not in values]:
            raise BadDocument(list(values), f"values must have a number for {listed(missing)}")
        value: Value = self._at(lambda leaf: values[leaf] if isinstance(leaf, str) else leaf)
        return value

    def _at(self, leaf: Callable[[str | mpq], Any]) -> Any:
        """Return Σ c·Π value^k of the numerator, divided by that of the denominator."""

        def value(terms: Mapping[Monomial, mpq]) -> Any:
            products = (prod((leaf(n) ** k for n, k in m), start=leaf(c)) for m, c in terms.items())
            return sum(products, start=leaf(mpq(0)))

        return value(self.terms) / value(self.denominator.terms) if self.bottom != 1 else value(self.terms)

    def to_document(self) -> dict[str, str]:
        """Return {monomial: "p/q"}, the highest degree first."""
        written = (("*".join(n if k == 1 else f"{n}^{k}" for n, k in m), c) for m, c in self.terms.items())
        return {monomial or "1": str(number) for monomial, number in written}

    def text(self) -> str:
        """Return a formula in short names that `read_formula` reads."""
        if self.bottom != 1:
            return f"({self.numerator.text()}) / ({self.denominator.text()})"
        text = ""
        for monomial, number in self.terms.items():
            ordered = sorted(monomial, key=lambda factor: rank(factor[0]))
            factors = [name if power == 1 else f"{name}**{power}" for name, power in ordered]
            if abs(number) != 1 or not factors:
                factors.insert(0, str(abs(number)))
            text += (" - " if number < 0 else " + ") + "*".join(factors)
        return ("-" if text.startswith(" -") else "") + text[3:] or "0"

    def __repr__(self) -> str:
        return f"read_formula({self.text()!r})"

    def __str__(self) -> str:
        return print_formula(self.text())

    def latex(self) -> str:
        """Return LaTeX in the paper's symbols."""
        return print_formula(self.text(), latex=True)

    def to_sympy(self) -> sympy.Expr:
        """Return a sympy expression in the short names."""
        return self.top.as_expr() / self.bottom.as_expr()


def _element(other: Any, over: Any = None) -> Polynomial:
    """Return a polynomial, or a number as one of a ring."""
    if isinstance(other, Polynomial):
        return other
    over, number = over or ring(()), rational(other)
    return Polynomial(over(over.domain(int(number.numerator), int(number.denominator))), over.one)


def _moved(polynomial: Polynomial, over: Any) -> Polynomial:
    return Polynomial(polynomial.top.set_ring(over), polynomial.bottom.set_ring(over))


def _generators(over: Any) -> dict[str, Polynomial]:
    pairs = zip(_names(over), over.gens, strict=True)
    return {name: Polynomial(generator, over.one) for name, generator in pairs}


def _parts(*pair: Polynomial) -> tuple[Any, Any, Any, Any]:
    """Return the numerators and denominators of both in a common ring."""
    one, two = (_moved(each, _common_ring(*pair)) for each in pair)
    return one.top, one.bottom, two.top, two.bottom


def _common_ring(*polynomials: Polynomial) -> Any:
    rings = {each.top.ring for each in polynomials}
    if len(rings) == 1:
        return rings.pop()
    return ring(tuple(sorted({name for each in rings for name in _names(each)})))


def _quotient(top: Any, bottom: Any) -> Polynomial:
    if not bottom:
        raise DivisionByZero(str(top), "a formula must not divide by 0")
    if not bottom.is_ground:
        _, top, bottom = top.cofactors(bottom)
    if bottom.is_ground:
        top, bottom = top.quo_ground(bottom.LC), bottom.ring.one
    return Polynomial(top, bottom)


# -- formulas as texts --------------------------------------------------------------------------------


def _fold(text: str, leaf: Callable[[str | int], Any], combine: Callable[[ast.AST, Any, Any], Any]) -> Any:
    """Return what a text comes to; raises `BadDocument` for what is not a formula."""

    def value(node: ast.expr) -> Any:
        steps = []
        while isinstance(node, ast.BinOp | ast.UnaryOp):  # long sums lean to the left, and need no recursion
            steps.append(node)
            node = node.left if isinstance(node, ast.BinOp) else node.operand
        match node:
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                result = leaf(number)
            case ast.Name(id=name):
                result = leaf(name)
            case _:
                raise BadDocument(text, _RULE)
        for step in reversed(steps):
            match step:
                case ast.UnaryOp(op=ast.USub()):
                    result = combine(step.op, result, None)
                case ast.BinOp(op=ast.Pow(), right=ast.Constant(int() as power)) if power <= _MAX_EXPONENT:
                    result = combine(step.op, result, power)
                case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
                    result = combine(step.op, result, value(step.right))
                case _:
                    raise BadDocument(text, _RULE)
        return result

    try:
        return value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError):
        raise BadDocument(text, _RULE) from None


def read_formula(text: str, symbols: Mapping[str, Polynomial] | None = None) -> Polynomial:
    """Return the value of a formula; `symbols` gives names a value, others are variables.

    >>> print(read_formula("x**2 - 1/2"), read_formula("s/2", {"s": read_formula("4*x")}))
    x² − 1/2 2·x

    Raises `BadDocument` for what is not a formula.
    """
    known, names = symbols or {}, set(re.findall(r"[A-Za-z_]\w*", text))
    over = ring(tuple(sorted(names - known.keys())))
    over = _common_ring(_element(0, over), *(known[name] for name in names & known.keys()))
    values = _generators(over) | dict(known)

    def leaf(value: str | int) -> Polynomial:
        return values[value] if isinstance(value, str) else _element(value, over)

    result: Polynomial = _fold(text, leaf, lambda sign, left, right: _OPERATIONS[type(sign)](left, right))
    return result


@lru_cache(maxsize=4096)
def read_text(text: str) -> Polynomial:
    """Return the polynomial of a text in short names."""
    return read_formula(text).polynomial()


def read_document(document: Mapping[str, str]) -> Polynomial:
    """Return the polynomial of a JSON document {monomial: "p/q"}."""
    terms = (f"({number})*{monomial.replace('^', '**')}" for monomial, number in document.items())
    return read_text(" + ".join(terms) or "0")


def print_formula(text: str, labels: Sequence[str] = LETTERS, *, latex: bool = False) -> str:
    r"""Return a formula in short names, not multiplied out, in the paper's symbols with the labels of a user.

    >>> print(print_formula("Pa*(x1 - fa1)", ("yes", "no")))
    P_{yes}·(P^{yes}_{yes_1} − f_{yes_1})
    >>> print(print_formula("Ga12**2/2", latex=True))
    \frac{\left(\Gamma^{a}_{1,2}\right)^{2}}{2}
    """
    minus, times = ("-", " ") if latex else ("−", "·")

    def bracketed(part: tuple[str, int], tightness: int) -> str:
        if part[1] >= tightness:
            return part[0]
        return rf"\left({part[0]}\right)" if latex else f"({part[0]})"

    def leaf(value: str | int) -> tuple[str, int]:
        return (symbol(value, labels, latex=latex) if isinstance(value, str) else str(value), 4)

    def combine(operation: ast.AST, left: tuple[str, int], right: Any) -> tuple[str, int]:  # noqa: PLR0911
        """Return a text and how tightly it binds: sums 1, products 2, powers 3, single symbols 4."""
        negative = left[0].startswith(minus)
        if isinstance(right, tuple) and right[0].startswith(minus):
            right = (right[0], 0)
        match operation:
            case ast.USub():
                return minus + bracketed(left, 5 if negative else 2), 2
            case ast.Add():
                return f"{left[0]} + {bracketed(right, 1)}", 1
            case ast.Sub():
                return f"{left[0]} {minus} {bracketed(right, 2)}", 1
            case ast.Mult():
                return bracketed(left, 2) + times + bracketed(right, 2), 2
            case ast.Pow():
                base = bracketed(left, 5 if "^" in left[0] or "sqrt" in left[0] else 4)
                return (f"{base}^{{{right}}}" if latex else base + str(right).translate(_SUPERSCRIPTS)), 3
        if not latex:
            return f"{bracketed(left, 2)}/{bracketed(right, 3)}", 2
        outside = minus if negative and left[1] == 2 else ""
        return rf"{outside}\frac{{{left[0].removeprefix(outside)}}}{{{right[0]}}}", 2

    return str(_fold(text, leaf, combine)[0])
