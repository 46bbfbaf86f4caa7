"""Formulas as texts: a printed formula is data, and is read into an exact quotient of polynomials.

>>> formula = read_formula("2*p*r / (p + r)")
>>> formula.equals(read_formula("2 / (1/p + 1/r)"))
True

Only names, whole numbers, + − * / ** and brackets are read; nothing is evaluated as code.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from ntqr_exact.algebra.polynomial import Number, Polynomial
from ntqr_exact.errors import BadArgument, BadDocument, DivisionByZero
from ntqr_exact.exact.rational import RationalLike

_LONGEST_FORMULA = 4000
_LARGEST_EXPONENT = 64
_NOT_A_FORMULA = "not a formula of names, whole numbers, + - * / ** and brackets"


@dataclass(frozen=True, slots=True)
class Formula:
    """A quotient of two polynomials; the denominator is not the zero polynomial.

    Equal formulas need not be equal as values, since nothing is cancelled: `equals` decides.
    """

    numerator: Polynomial
    denominator: Polynomial

    def __post_init__(self) -> None:
        """Refuse a denominator that is zero everywhere, and divide by one that is a number."""
        if not self.denominator:
            raise DivisionByZero(str(self.numerator), "a formula divides by 0")
        if self.denominator.is_constant and self.denominator != Polynomial.constant(1):
            object.__setattr__(self, "numerator", self.numerator / self.denominator.constant_term)
            object.__setattr__(self, "denominator", Polynomial.constant(1))

    def __add__(self, other: Formula) -> Formula:
        """Return the sum."""
        if self.denominator == other.denominator:
            return Formula(self.numerator + other.numerator, self.denominator)
        return Formula(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )

    def __neg__(self) -> Formula:
        """Return the negative."""
        return Formula(-self.numerator, self.denominator)

    def __sub__(self, other: Formula) -> Formula:
        """Return the difference."""
        return self + -other

    def __mul__(self, other: Formula) -> Formula:
        """Return the product."""
        return Formula(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: Formula) -> Formula:
        """Return the quotient."""
        return Formula(self.numerator * other.denominator, self.denominator * other.numerator)

    def __pow__(self, exponent: int) -> Formula:
        """Return a whole power that is not negative."""
        return Formula(self.numerator**exponent, self.denominator**exponent)

    def equals(self, other: Formula) -> bool:
        """Return whether both are the same function, wherever both are defined: ad − bc = 0."""
        return not (self.numerator * other.denominator - other.numerator * self.denominator)

    def is_zero(self) -> bool:
        """Return whether the formula is 0 wherever it is defined."""
        return not self.numerator

    def polynomial(self) -> Polynomial:
        """Return the formula as a polynomial, if its denominator is a number; else raise `BadDocument`."""
        if not self.denominator.is_constant:
            raise BadDocument(str(self.denominator), "a polynomial has no variable in a denominator")
        return self.numerator

    def variables(self) -> tuple[str, ...]:
        """Return the names of the variables, sorted."""
        return tuple(sorted({*self.numerator.variables(), *self.denominator.variables()}))

    def substitute(self, values: Mapping[str, Formula | Polynomial | RationalLike]) -> Formula:
        """Return the formula with formulas, polynomials or numbers in place of variables."""
        result = {}
        for part in ("numerator", "denominator"):
            total = constant(0)
            for monomial, coefficient in getattr(self, part).terms.items():
                term = constant(coefficient)
                for name, exponent in monomial:
                    factor = values.get(name, Polynomial.variable(name))
                    term = term * as_formula(factor) ** exponent
                total = total + term
            result[part] = total
        return result["numerator"] / result["denominator"]

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """Return the value at a point; raise `DivisionByZero` where it is undefined."""
        below = self.denominator.evaluate(values)
        if below == 0:
            raise DivisionByZero(str(self.denominator), "the formula is undefined at this point")
        return self.numerator.evaluate(values) / below

    def __str__(self) -> str:
        """Return the formula in the symbols of the notation table."""
        if self.denominator == Polynomial.constant(1):
            return str(self.numerator)
        return f"({self.numerator}) / ({self.denominator})"

    def latex(self) -> str:
        """Return the formula in LaTeX."""
        if self.denominator == Polynomial.constant(1):
            return self.numerator.latex()
        return rf"\frac{{{self.numerator.latex()}}}{{{self.denominator.latex()}}}"


def constant(value: RationalLike) -> Formula:
    """Return a number as a formula."""
    return Formula(Polynomial.constant(value), Polynomial.constant(1))


def as_formula(value: Formula | Polynomial | RationalLike) -> Formula:
    """Return a polynomial or a number as a formula; a formula is its own."""
    if isinstance(value, Formula):
        return value
    return Formula(value, Polynomial.constant(1)) if isinstance(value, Polynomial) else constant(value)


def read_formula(text: str, symbols: Mapping[str, Formula | Polynomial] | None = None) -> Formula:
    """Return the formula of a text; `symbols` says what short names stand for, others stand for themselves.

    >>> print(read_formula("x**2 - 1/2"), read_formula("s/2", {"s": Polynomial({"x": 4})}))
    x² − 1/2 2·x

    Raises `BadDocument` for any other text.
    """
    if not isinstance(text, str):
        raise BadArgument(text, "a formula is read from a text")
    if len(text) > _LONGEST_FORMULA:
        raise BadDocument(text, f"a formula has at most {_LONGEST_FORMULA} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadDocument(text, _NOT_A_FORMULA) from None
    return _read(tree.body, symbols or {}, text)


def _read(node: ast.expr, symbols: Mapping[str, Formula | Polynomial], text: str) -> Formula:
    """Return the formula of a tree; a long sum or product leans to the left, and is walked down without recursion."""
    spine = []
    while isinstance(node, ast.BinOp | ast.UnaryOp):
        spine.append(node)
        node = node.left if isinstance(node, ast.BinOp) else node.operand
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            found = constant(number)
        case ast.Name(id=name):
            found = as_formula(symbols[name] if name in symbols else Polynomial.variable(name))
        case _:
            raise BadDocument(text, _NOT_A_FORMULA)
    for step in reversed(spine):
        found = _step(found, step, symbols, text)
    return found


def _step(
    found: Formula, step: ast.BinOp | ast.UnaryOp, symbols: Mapping[str, Formula | Polynomial], text: str
) -> Formula:
    match step:
        case ast.UnaryOp(op=ast.USub()):
            return -found
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int() as exponent)):
            if exponent > _LARGEST_EXPONENT:
                raise BadDocument(text, f"an exponent is at most {_LARGEST_EXPONENT}")
            return found**exponent
        case ast.BinOp(op=ast.Add()):
            return found + _read(step.right, symbols, text)
        case ast.BinOp(op=ast.Sub()):
            return found - _read(step.right, symbols, text)
        case ast.BinOp(op=ast.Mult()):
            return found * _read(step.right, symbols, text)
        case ast.BinOp(op=ast.Div()):
            return found / _read(step.right, symbols, text)
    raise BadDocument(text, _NOT_A_FORMULA)
