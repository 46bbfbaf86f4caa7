"""The one conversion of numbers: what is exact becomes a `gmpy2.mpq`, anything else is refused."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from numbers import Number, Rational, Real
from operator import index
from typing import Self, TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, FloatRefused, NotANumber

RationalLike: TypeAlias = "int | str | Rational | Decimal | mpq | mpz"
"""What `rational` takes: integers and fractions of any library, decimals, and their texts."""

MAX_DIGITS = 100_000
_NUMBER = re.compile(
    r"([+-]?)(?=\.?[0-9])([0-9]*)(?:/([0-9]+)|(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?)"  # a fraction or a decimal
)
_TOO_LONG = f"number must have at most {MAX_DIGITS} digits written out"


def rational(value: RationalLike) -> mpq:
    """Return the exact rational that `value` denotes.

    Takes `int`, `Fraction`, gmpy2, sympy and numpy integers and rationals, `Decimal`, and texts in
    fraction or decimal notation, with or without surrounding blanks. A decimal means the decimal.

    >>> rational(7), rational("-3/8"), rational(Decimal("0.10")), rational("1.92e-7")
    (mpq(7,1), mpq(-3,8), mpq(1,10), mpq(3,15625000))
    >>> rational(0.1)
    Traceback (most recent call last):
    ntqr_exact.errors.FloatRefused: number must be exact, got 0.1; write "0.1" for the decimal, or call \
rational_from_float for its binary value

    Raises `FloatRefused` for a float of any library, `NotANumber` for any other type (`bool` is
    one), and `BadNumber` for malformed text, a zero denominator, or more than `MAX_DIGITS` digits.
    """
    if type(value) is mpq:
        return value
    if type(value) is int:
        return mpq(value)
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, bool):
        raise NotANumber(value, "number must not be a truth value", "write 1 or 0")
    if isinstance(value, Rational):
        try:
            return mpq(index(value.numerator), index(value.denominator))
        except TypeError:  # numpy counts time spans among its integers
            raise NotANumber(value, "number must not be a time span") from None
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise BadNumber(value, "a number must be finite")
        return _from_text(str(value))
    if isinstance(value, Real):
        remedy = f'write "{value}" for the decimal, or call rational_from_float for its binary value'
        raise FloatRefused(value, "number must be exact", remedy if math.isfinite(value) else "")
    raise NotANumber(value, "number must be an int, a fraction or a text")


def rational_from_float(value: object) -> mpq:
    """Return the binary value of a float, exactly; for floats of any library.

    >>> rational_from_float(0.375), rational_from_float(0.1)
    (mpq(3,8), mpq(3602879701896397,36028797018963968))

    Raises `BadNumber` for nan and infinities, `NotANumber` for what is not a float.
    """
    if not isinstance(value, Real) or isinstance(value, Rational):
        raise NotANumber(value, "value must be a float", "call rational for an exact number")
    try:
        if hasattr(value, "_mpf_"):  # floats of sympy and mpmath: sign, mantissa, exponent, length
            sign, mantissa, exponent, _ = value._mpf_
            if exponent and not mantissa:  # how they write nan and the infinities
                raise ValueError
            check_work("a power of 2", abs(int(exponent)) // 64)
            return mpq(-int(mantissa) if sign else int(mantissa)) * mpq(2) ** int(exponent)
        return mpq(*value.as_integer_ratio())  # type: ignore[attr-defined]
    except (ValueError, OverflowError):
        raise BadNumber(value, "a number must be finite") from None


def probability(value: RationalLike, what: str = "a probability") -> mpq:
    """Return a number from 0 to 1; raises `BadNumber`, naming `what` it is, for any other."""
    number = rational(value)
    if not 0 <= number <= 1:
        raise BadNumber(value, f"{what} must lie between 0 and 1")
    return number


def whole_number(value: RationalLike) -> int:
    """Return a count: a whole number that is not negative; raises `BadNumber` for any other."""
    number = rational(value)
    if number.denominator != 1:
        raise BadNumber(value, "a count must be a whole number")
    if number < 0:
        raise BadNumber(value, "a count must not be negative")
    return int(number.numerator)


class Operators:
    """The operators that follow from `_plus`, `_times`, `__neg__` and `_inverse`, of a class that takes a rational."""

    __slots__ = ()

    def _plus(self, right: Self) -> Self:
        raise NotImplementedError

    _times = _plus

    def __neg__(self) -> Self:
        raise NotImplementedError

    _inverse = __neg__

    def _operand(self, other: object) -> Self | None:
        """Return `other` as a value of this class, or `None` if it is not a number; a float is refused."""
        if isinstance(other, type(self)):
            return other
        return type(self)(rational(other)) if isinstance(other, Number) else None  # type: ignore[arg-type, call-arg]

    def __add__(self, other: object) -> Self:
        right = self._operand(other)
        return NotImplemented if right is None else self._plus(right)

    def __mul__(self, other: object) -> Self:
        right = self._operand(other)
        return NotImplemented if right is None else self._times(right)

    def __radd__(self, other: object) -> Self:
        return self + other

    def __sub__(self, other: object) -> Self:
        right = self._operand(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Self:
        return -self + other

    def __rmul__(self, other: object) -> Self:
        return self * other

    def __truediv__(self, other: object) -> Self:
        right = self._operand(other)
        return NotImplemented if right is None else self * right._inverse()

    def __rtruediv__(self, other: object) -> Self:
        return self._inverse() * other


def _from_text(text: str) -> mpq:
    # Length is checked before anything reads the digits: a text of a million digits costs nothing.
    if len(text) > 2 * MAX_DIGITS + 2:
        raise BadNumber(text, _TOO_LONG)
    if (match := _NUMBER.fullmatch(text.strip())) is None:
        rule = "number must be a whole number, a fraction or a decimal"
        raise BadNumber(text, rule, 'write it like "7", "-3/8", "0.375" or "1.92e-7"')
    sign, whole, denominator, places, exponent = (part or "" for part in match.groups())
    if len(exponent.lstrip("+-0")) > 12:
        raise BadNumber(text, _TOO_LONG)
    power = int(mpz(exponent or 0))
    if max(len(whole) + len(places) + abs(power), len(denominator)) > MAX_DIGITS:
        raise BadNumber(text, _TOO_LONG)
    if denominator and not denominator.strip("0"):
        raise BadNumber(text, "the denominator must not be zero")
    number, shift = mpq(mpz(sign + whole + places), mpz(denominator or 1)), power - len(places)
    return number * mpq(10) ** shift if shift else number
