"""The explicit door for columns of floats: each stands for its binary value, exactly.

Floats are only compared here, which is exact; no arithmetic is done on them.

>>> float_scores([0.5, 0.25])
<2 floats, by their binary values>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.quotients import fractions
from ntqr_exact.columns.whole_numbers import Array, Column, as_array, as_list, scaled
from ntqr_exact.errors import BadNumber, NotANumber
from ntqr_exact.exact.rational import rational, rational_from_float

_MANTISSA = 53


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FloatValues:
    """A column of finite floats that the caller declares to be exact."""

    values: list[Any] | Array

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[mpq]:
        if isinstance(self.values, list):
            return map(rational_from_float, self.values)
        import numpy

        mantissas, powers = _binary(self.values)
        plain = (mantissas >= 0) & (powers <= 0) & (powers > -63)
        found = fractions(mantissas * plain, 1 << -powers * plain)
        for place in numpy.flatnonzero(~plain).tolist():
            found[place] = rational_from_float(self.values[place])
        return iter(found)

    def __repr__(self) -> str:
        return f"<{len(self)} floats, by their binary values>"


def float_scores(floats: Iterable[Any]) -> FloatValues:
    """Return floats as exact scores, each its binary value (see `rational_from_float`).

    Raises `BadNumber` for nan and infinities, `NotANumber` for what is not a float.
    """
    import math

    array = as_array(floats)
    if array is not None and array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        import numpy

        finite = numpy.isfinite(array)
        if not finite.all():
            raise BadNumber(array[int(finite.argmin())].item(), "a number must be finite")
        # A shorter float is a float64, too; no value is changed.
        return FloatValues(array.astype(numpy.float64, copy=False))
    # A scalar of numpy is a plain float of the same value, or stays what it is and is refused below.
    values = [value.item() if hasattr(value, "item") else value for value in as_list(floats)]
    for value in values:
        if not isinstance(value, float):
            raise NotANumber(value, "this door takes floats only", "give exact numbers without it")
        if not math.isfinite(value):
            raise BadNumber(value, "a number must be finite")
    return FloatValues(values)


def float_weights(floats: Iterable[Any]) -> FloatValues:
    """Return floats as exact weights, each its binary value; the same door as `float_scores`."""
    return float_scores(floats)


def float_column(values: Any) -> Any:
    """Return a column of IEEE floats (numpy, pandas, polars, arrow) through its door, and anything else as it is.

    A float in such a column is data whose binary value is exact. A lone float, or a list that a person typed, is not
    taken: there "0.1" may be meant. Raises `NotANumber` for a column of dates, which are no numbers, and for what has
    no order of samples: one text, a set, a mapping.

    >>> float_column([0.5, 0.25])
    [0.5, 0.25]
    """
    if isinstance(values, (str, bytes, Set, Mapping)):
        raise NotANumber(values, "a column of numbers is a list or an array", "give a number for each sample")
    array = as_array(values)
    if array is None or array.dtype.kind not in "fmM":
        return values
    if array.dtype.kind != "f":
        raise NotANumber(array.dtype.name, "a date or a time span is no number", "give numbers")
    return float_scores(array)


def binary_units(floats: FloatValues) -> tuple[Column, mpq]:
    """Return whole numbers and a unit, a power of two, whose products are the floats, none negative.

    >>> binary_units(float_scores([0.5, 0.75]))
    ([2, 3], mpq(1,4))
    """
    if isinstance(floats.values, list):
        numbers = list(floats)
        unit = max((number.denominator for number in numbers), default=mpq(1).denominator)
        return [int(number * unit) for number in numbers], mpq(1, unit)
    import numpy

    mantissas, last = _binary(floats.values)
    there = mantissas != 0
    least = int(last[there].min(initial=0))
    shifts = numpy.where(there, last - least, 0)
    # A float is below 2^e, so its number of units is below 2^(e − least).
    exponents = numpy.frexp(floats.values)[1]
    if int(exponents[there].max(initial=0)) - least < 63:
        return mantissas << shifts, mpq(2) ** least
    return scaled(mantissas, [1 << shift for shift in range(int(shifts.max()) + 1)], shifts), mpq(2) ** least


def _binary(floats: Array) -> tuple[Array, Array]:
    """Return whole m, odd or zero, and p, such that the floats are m·2^p."""
    import numpy

    # A float is m·2^(e−53) with a whole m below 2^53: frexp and ldexp only move the point.
    parts, exponents = numpy.frexp(floats)
    mantissas = numpy.ldexp(parts, _MANTISSA).astype(numpy.int64)
    # The lowest set bit of m is a power of two, and as a float its exponent is told exactly.
    lowest = numpy.frexp((mantissas & -mantissas).astype(numpy.float64))[1] - 1
    lowest[mantissas == 0] = 0
    mantissas >>= lowest
    return mantissas, (exponents - _MANTISSA + lowest).astype(numpy.int64)


def exact_column(values: Any) -> list[mpq]:
    """Return the numbers exactly.

    >>> exact_column(["0.5", 2])
    [mpq(1,2), mpq(2,1)]
    """
    taken = float_column(values)
    return list(taken) if isinstance(taken, FloatValues) else [rational(value) for value in as_list(taken)]
