"""Sample weights, exactly: whole numbers of one common unit.

>>> weights = exact_weights(["1/2", "0.75", 2], 3)
>>> weights.units, weights.unit
([2, 3, 8], mpq(1,4))
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.columns.decimals import Decimals
from ntqr_exact.columns.float_values import FloatValues, binary_units, float_column
from ntqr_exact.columns.whole_numbers import (
    Column,
    WideColumn,
    as_array,
    as_list,
    integer_array,
    narrowed,
    total,
)
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike, rational


@dataclass(frozen=True, slots=True, eq=False)
class SampleWeights:
    """The weight of each sample as a whole number of units; iterating yields these numbers."""

    units: Column
    unit: mpq

    def __len__(self) -> int:
        return len(self.units)

    def __iter__(self) -> Iterator[int]:
        return iter(as_list(self.units))

    def values(self) -> list[mpq]:
        """Return the weights as rationals."""
        return [units * self.unit for units in self]

    @classmethod
    def by_group(cls, groups: Iterable[Any], weights: dict[Any, mpq]) -> SampleWeights:
        """Return the weight of each sample's group.

        >>> SampleWeights.by_group("aba", {"a": mpq(1, 2), "b": mpq(3)}).values()
        [mpq(1,2), mpq(3,1), mpq(1,2)]

        Raises `BadSamples` for a group without a weight.
        """
        units, unit = _whole(list(weights.values()))
        table = dict(zip(weights, units, strict=True))
        array = as_array(groups)
        if array is not None and array.dtype.kind in "biu":
            import numpy

            found, codes = numpy.unique(array, return_inverse=True)
            names = found.tolist()
            return cls(integer_array([_looked_up(table, name) for name in names])[codes], unit)
        return cls([_looked_up(table, group) for group in as_list(groups)], unit)


WeightsLike: TypeAlias = "SampleWeights | FloatValues | Decimals | Iterable[RationalLike] | None"
"""A weight for each sample: exact numbers, floats through their door, or none for equal weights."""


def exact_weights(weights: WeightsLike, size: int) -> SampleWeights:
    """Return the weights of `size` samples, checked.

    Raises `BadSamples` for another number of weights, a negative one, or none that is positive.
    """
    exact = _taken(weights, size)
    if len(exact) != size:
        raise BadSamples((len(exact), size), "there is a weight for each sample")
    if size and total(exact.units) == 0:
        raise BadSamples(size, "the weights of all samples are zero", "give a positive weight to some")
    return exact


def _taken(weights: WeightsLike, size: int) -> SampleWeights:
    if weights is None:
        return SampleWeights([1] * size, mpq(1))
    if isinstance(weights, SampleWeights):
        _refuse_negative(weights.units)
        return weights
    weights = float_column(weights)
    if isinstance(weights, Decimals):
        _refuse_negative(weights.digits)
        return SampleWeights(*weights.units())
    if isinstance(weights, FloatValues):
        _refuse_negative(weights.values)
        return SampleWeights(*binary_units(weights))
    array = as_array(weights)
    if array is not None and array.dtype.kind in "iu":
        _refuse_negative(array)
        return SampleWeights(narrowed(array), mpq(1))
    values = as_list(weights)
    # Most samples share few weights: each is taken through the door once.
    door = {value: rational(value) for value in dict.fromkeys(map(_keyed, values))}
    numbers = [door[_keyed(value)] for value in values]
    _refuse_negative(numbers)
    return SampleWeights(*_whole(numbers))


def _whole(numbers: Sequence[mpq]) -> tuple[list[int], mpq]:
    """Return whole numbers without a common factor, and the unit by which they are the numbers."""
    distinct = set(numbers)
    below = math.lcm(*(int(number.denominator) for number in distinct))
    above = math.gcd(*(int(number * below) for number in distinct)) or 1
    units = {number: int(number * below) // above for number in distinct}
    return [units[number] for number in numbers], mpq(above, below)


def _keyed(value: Any) -> Any:
    # True and 1.0 are equal to 1 as keys, and must not come in after it through its door.
    if type(value) is bool or not isinstance(value, (int, str, mpq)):
        return rational(value)
    return value


def _refuse_negative(values: Any) -> None:
    if isinstance(values, WideColumn):
        return
    least = min(values, default=0) if isinstance(values, list) else values.min(initial=0)
    if least < 0:
        raise BadSamples(least, "a weight must not be negative")


def _looked_up(table: dict[Any, int], group: Any) -> int:
    if group not in table:
        raise BadSamples(group, f"the strata are {', '.join(map(repr, table))}")
    return table[group]
