"""Sample weights as whole numbers of one common unit, and importance weights of samples drawn from strata.

A stratum s with a population of |s| out of |U|, of which n_s out of n samples were drawn, gives each of its samples
the weight w_s = (n/n_s)·(|s|/|U|). The weights average to 1, and every metric of the weighted samples estimates that
of the population. Source: Bias-Adjusted Metrics, Error Rate and Testing, for two strata; nothing changes with more.

>>> weights = exact_weights(["1/2", "0.75", 2], 3)
>>> weights.units, weights.unit
([2, 3, 8], mpq(1,4))
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.columns.inputs import (
    FloatValues,
    as_array,
    as_list,
    float_column,
    label_list,
    refuse_other_length,
)
from ntqr_exact.columns.whole_numbers import Multiples, as_column, taken, total
from ntqr_exact.errors import BadSamples, listed
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.frozen_mapping import FrozenMapping

WeightsLike: TypeAlias = "Multiples | FloatValues | Iterable[RationalLike] | None"
"""A weight for each sample: exact numbers, floats by their binary values, or none for equal weights."""


def exact_weights(weights: WeightsLike, size: int) -> Multiples:
    """Return the weights of `size` samples, checked.

    Raises `BadSamples` for another number of weights, a negative one, or none that is positive.
    """
    if weights is None:
        return Multiples([1] * size, mpq(1))
    exact = _multiples(weights)
    refuse_other_length(weights=len(exact), samples=size)
    for limb in (exact.units,) if isinstance(exact.units, list) else exact.units.limbs:
        _refuse_negative(limb)
    if size and total(exact.units) == 0:
        raise BadSamples(size, "some weight must be positive", "give a positive weight to some")
    return exact


def _multiples(numbers: Any) -> Multiples:
    values = float_column(numbers)
    if isinstance(values, Multiples):
        return values
    if isinstance(values, FloatValues):
        _refuse_negative(values.values)
        return values.multiples()
    array = as_array(values)
    if array is not None and array.dtype.kind in "iu":
        _refuse_negative(array)
        return Multiples(as_column(array), mpq(1))
    return Multiples(*_whole([rational(value) for value in as_list(values)]))


def _whole(numbers: Sequence[mpq]) -> tuple[list[int], mpq]:
    """Return whole numbers without a common factor, and the unit by which they are the numbers."""
    below = math.lcm(*{int(number.denominator) for number in numbers})
    units = [int(number * below) for number in numbers]
    above = math.gcd(*units) or 1
    return [number // above for number in units], mpq(above, below)


def _refuse_negative(values: Any) -> None:
    least = min(values, default=0) if isinstance(values, list) else values.min(initial=0)
    if least < 0:
        raise BadSamples(least, "a weight must not be negative")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Strata:
    """How large each stratum is, and how many samples were drawn from it.

    >>> strata = Strata(populations={"B": 13526, "rest": 1103658}, samples={"B": 1975, "rest": 1000})
    >>> strata.weights["B"], strata.weights["rest"]
    (mpq(804797,44128768), mpq(65667651,22343680))

    Weights belong to one sample: training data and test data of the same population have each their own. Raises
    `BadSamples` for a stratum of unknown size, one smaller than its sample, and one without samples.
    """

    populations: Mapping[Hashable, int]
    samples: Mapping[Hashable, int]

    def __init__(
        self, *, populations: Mapping[Any, RationalLike], samples: Mapping[Any, RationalLike]
    ) -> None:
        sizes = {name: whole_number(size) for name, size in populations.items()}
        drawn = {name: whole_number(count) for name, count in samples.items()}
        for name, count in drawn.items():
            if name not in sizes:
                raise BadSamples(name, f"populations must name each stratum, not only {listed(sizes)}")
            if count > sizes[name]:
                raise BadSamples(count, f"the sample of stratum {name!r} must be at most {sizes[name]}")
        kept = [name for name, size in sizes.items() if size]
        for name in kept:
            if not drawn.get(name, 0):
                rule = f"stratum {name!r} of {sizes[name]} has no sample"
                raise BadSamples(name, rule, "merge it with another")
        if not kept:
            raise BadSamples(sizes, "a population must have a stratum that is not empty")
        object.__setattr__(self, "populations", FrozenMapping({name: sizes[name] for name in kept}))
        object.__setattr__(self, "samples", FrozenMapping({name: drawn[name] for name in kept}))

    @classmethod
    def of(cls, strata: Iterable[Any], populations: Mapping[Any, RationalLike]) -> Strata:
        """Return the strata of samples, from the stratum of each of them.

        >>> Strata.of("aab", {"a": 10, "b": 30}).weights
        {'a': mpq(3,8), 'b': mpq(9,4)}
        """
        return cls(populations=populations, samples=Counter(label_list(strata)))

    @property
    def size(self) -> int:
        """The number of samples, n."""
        return sum(self.samples.values())

    @property
    def population(self) -> int:
        """The size of the whole population, |U|."""
        return sum(self.populations.values())

    @property
    def weights(self) -> Mapping[Hashable, mpq]:
        """The weight of each sample of a stratum, w_s = (n/n_s)·(|s|/|U|)."""
        scale, sizes = mpq(self.size, self.population), self.populations.items()
        return FrozenMapping({name: scale * size / self.samples[name] for name, size in sizes})

    def sample_weights(self, strata: Iterable[Any]) -> Multiples:
        """Return the weight of each sample, from its stratum.

        Raises `BadSamples` for a stratum that is not one of these, or other numbers of samples.
        """
        names = as_list(strata)
        for name in set(names).difference(self.samples):
            raise BadSamples(name, f"stratum must be one of {listed(self.samples)}")
        if Counter(names) != Counter(dict(self.samples)):
            rule = "these must be the samples that the strata were counted from"
            raise BadSamples(len(names), rule, "make the weights of each data set by Strata.of")
        units, unit = _whole([*self.weights.values()])
        unit_of = dict(zip(self.weights, units, strict=True))
        found: Any = [unit_of[name] for name in names]
        return Multiples(found if as_array(strata) is None else as_column(found), unit)

    def __repr__(self) -> str:
        return f"Strata(populations={self.populations!r}, samples={self.samples!r})"


@dataclass(frozen=True, slots=True)
class ResampledWeights:
    """The importance weights of drawn rows, from the strata of these rows: for `bootstrap_area(weights=)`.

    >>> list(ResampledWeights(["a", "a", "b"], {"a": 10, "b": 30})([0, 2, 2]))
    [mpq(3,4), mpq(9,8), mpq(9,8)]

    Raises `BadSamples` for rows without a stratum, which `bootstrap` draws again.
    """

    strata: Sequence[Hashable]
    populations: Mapping[Any, RationalLike]

    def __call__(self, rows: Any) -> Multiples:
        """Return the weights of these rows."""
        names = taken(as_list(self.strata), rows)
        return Strata.of(names, self.populations).sample_weights(names)
