"""The one conversion of numbers: what is exact becomes a `gmpy2.mpq`, anything else is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from numbers import Number, Rational, Real
from operator import index
from typing import Any, Self, TypeAlias, TypeVar

from gmpy2 import mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, FloatRefused, NotANumber

RationalLike: TypeAlias = "int | str | Rational | Decimal | mpq | mpz"
"""What `rational` takes: integers and fractions of any library, decimals, and their texts."""

MAX_DIGITS = 100_000
_Number = TypeVar("_Number")
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
    if isinstance(value, str | Decimal):
        return _from_text(value)
    if isinstance(value, bool):
        raise NotANumber(value, "number must not be a truth value", "write 1 or 0")
    if isinstance(value, Rational):
        with suppress(TypeError):  # numpy counts time spans among its integers
            return mpq(index(value.numerator), index(value.denominator))
    elif isinstance(value, Real):
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


def whole_number(value: RationalLike, what: str = "a count") -> int:
    """Return a whole number that is not negative; raises `BadNumber`, naming `what` it is, for any other."""
    number = rational(value)
    if number.denominator != 1 or number < 0:
        raise BadNumber(value, f"{what} must be a whole number >= 0")
    return int(number.numerator)


def _operator(method: Callable[[Any, Any], Any]) -> Callable[[_Number, object], _Number]:
    def applied(left: Any, other: object) -> Any:
        right = left._operand(other)
        return NotImplemented if right is None else method(left, right)

    return applied


class Operators:
    """The operators that follow from `_plus`, `_times`, `__neg__` and `_inverse`, of a class that takes a rational."""

    __slots__ = ()

    def _operand(self, other: object) -> Self | None:
        """Return `other` as a value of this class, or `None` if it is not a number; a float is refused."""
        if isinstance(other, type(self)):
            return other
        return type(self)(rational(other)) if isinstance(other, Number) else None  # type: ignore[arg-type, call-arg]

    __add__ = __radd__ = _operator(lambda left, right: left._plus(right))
    __mul__ = __rmul__ = _operator(lambda left, right: left._times(right))
    __sub__ = _operator(lambda left, right: left._plus(-right))
    __rsub__ = _operator(lambda left, right: right._plus(-left))
    __truediv__ = _operator(lambda left, right: left._times(right._inverse()))
    __rtruediv__ = _operator(lambda left, right: right._times(left._inverse()))


def _from_text(value: str | Decimal) -> mpq:
    # Length is checked before anything reads the digits: a text of a million digits costs nothing.
    text = str(value)
    if len(text) > 2 * MAX_DIGITS + 2:
        raise BadNumber(value, _TOO_LONG)
    if (match := _NUMBER.fullmatch(text.strip())) is None:
        rule = "number must be a whole number, a fraction or a decimal"
        raise BadNumber(value, rule, 'write it like "7", "-3/8", "0.375" or "1.92e-7"')
    sign, whole, denominator, places, exponent = (part or "" for part in match.groups())
    power = int(mpz(exponent or 0))
    if max(len(whole) + len(places) + abs(power), len(denominator)) > MAX_DIGITS:
        raise BadNumber(value, _TOO_LONG)
    if not (below := mpz(denominator or 1)):
        raise BadNumber(value, "the denominator must not be zero")
    number, shift = mpq(mpz(sign + whole + places), below), power - len(places)
    return number * mpq(10) ** shift if shift else number
