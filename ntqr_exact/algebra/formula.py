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
from ntqr_exact.errors import BadDocument, DivisionByZero
from ntqr_exact.exact.rational import RationalLike

LONGEST_FORMULA = 4000
LARGEST_EXPONENT = 64


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
    if len(text) > LONGEST_FORMULA:
        raise BadDocument(text, f"a formula has at most {LONGEST_FORMULA} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadDocument(text, "not a formula of names, whole numbers, + - * / ** and brackets") from None
    return _read(tree.body, symbols or {}, text)


def _read(  # noqa: PLR0911 - a case each
    node: ast.expr, symbols: Mapping[str, Formula | Polynomial], text: str
) -> Formula:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return constant(number)
        case ast.Name(id=name):
            return as_formula(symbols.get(name, Polynomial.variable(name)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_read(operand, symbols, text)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as exponent)):
            if exponent > LARGEST_EXPONENT:
                raise BadDocument(text, f"an exponent is at most {LARGEST_EXPONENT}")
            return _read(left, symbols, text) ** exponent
        case ast.BinOp(left=left, op=operation, right=right):
            first, second = _read(left, symbols, text), _read(right, symbols, text)
            match operation:
                case ast.Add():
                    return first + second
                case ast.Sub():
                    return first - second
                case ast.Mult():
                    return first * second
                case ast.Div():
                    return first / second
    raise BadDocument(text, "not a formula of names, whole numbers, + - * / ** and brackets")
