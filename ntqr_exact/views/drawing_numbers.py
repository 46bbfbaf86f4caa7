"""The one place where an exact number becomes a float: the moment it is drawn.

A picture has a few thousand pixels across, a float fifty-three bits; nothing is ever computed from what
these functions return.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadNumber, NotANumber, NotOrdered
from ntqr_exact.exact.enclosure import Enclosure, LogSumKey
from ntqr_exact.exact.surd import Surd

Drawable: TypeAlias = "int | mpz | mpq | Surd | Enclosure | LogSumKey"
"""An exact number that has a place on an axis."""

_SCALE = 60
"""Bits kept after the point of the mantissa of a surd: more than a float holds."""


def drawn(value: Drawable) -> float:
    """Return a float within a unit in the last place of an exact number.

    >>> drawn(mpq(1, 4)), drawn(Surd.sqrt(2)), drawn(Enclosure("1/2", "1/2"))
    (0.25, 1.4142135623730951, 0.5)

    An enclosure is drawn at its middle. Raises `NotOrdered` for an imaginary number and for an infinite score,
    which have no place on an axis, `NotANumber` for what is not an exact number, `BadNumber` beyond the largest float.
    """
    match value:
        case Surd():
            return _surd(value)
        case Enclosure():
            return _quotient((value.lower + value.upper) / 2)
        case LogSumKey():
            return drawn(value.enclose())
    if isinstance(value, (int, type(mpq()), type(mpz()))) and not isinstance(value, bool):
        return _quotient(mpq(value))
    raise NotANumber(value, "what is drawn is an exact number")


def all_drawn(values: Iterable[Drawable]) -> list[float]:
    """Return the floats at which a column of numbers is drawn.

    >>> all_drawn([1, mpq(1, 2)])
    [1.0, 0.5]
    """
    return [drawn(value) for value in values]


def _surd(value: Surd) -> float:
    if not value.is_real:
        raise NotOrdered(value, "an imaginary number has no place on an axis")
    # The floor of a scaled surd is exact, so that a + b√d loses nothing where both parts nearly cancel.
    shift = _SCALE
    while (whole := math.floor(value * 2**shift)).bit_length() < _SCALE and value.sign() and shift < 2000:
        shift *= 2
    return _quotient(mpq(whole, mpz(2) ** shift))


def _quotient(value: mpq) -> float:
    """Divide two whole numbers, which Python rounds correctly whatever their size."""
    try:
        return int(value.numerator) / int(value.denominator)
    except OverflowError:
        raise BadNumber(value, "this number is too large to be drawn") from None
