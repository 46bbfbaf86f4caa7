"""Importance weights for samples that were drawn from strata of known size.

A stratum s with a population of |s| out of |U|, of which n_s out of n samples were drawn, gives each of
its samples the weight w_s = (n/n_s)·(|s|/|U|). The weights average to 1, and every metric of the weighted
samples estimates that of the population. Source: Bias-Adjusted Metrics, Error Rate and Testing, for two
strata B and Bᶜ; nothing changes with more.

>>> strata = Strata(populations={"B": 13526, "rest": 1103658}, samples={"B": 1975, "rest": 1000})
>>> strata.weights["B"], strata.weights["rest"]
(mpq(804797,44128768), mpq(65667651,22343680))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import as_list
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.show import latex_array
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.metrics.classes import label_list
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.weights import SampleWeights


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Strata:
    """How large each stratum is, and how many samples were drawn from it.

    Weights belong to one sample: training data and test data of the same population have each their own,
    made from their own counts.
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
                raise BadSamples(
                    name,
                    f"the population of this stratum is not given, only of {', '.join(map(repr, sizes))}",
                )
            if count > sizes[name]:
                raise BadSamples(
                    count, f"stratum {name!r} has a population of {sizes[name]}, smaller than its sample"
                )
        for name, size in sizes.items():
            if size and not drawn.get(name, 0):
                raise BadSamples(
                    name, f"no sample stands for the {size} of this stratum", "merge it with another"
                )
        kept = [name for name, size in sizes.items() if size]
        if not kept:
            raise BadSamples(sizes, "a population has at least one stratum that is not empty")
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
        return FrozenMapping(
            {
                name: mpq(self.size, self.samples[name]) * mpq(size, self.population)
                for name, size in self.populations.items()
            }
        )

    def sample_weights(self, strata: Iterable[Any]) -> SampleWeights:
        """Return the weight of each sample, from its stratum, for `rank` and all that stands on it.

        Raises `BadSamples` for a stratum that is not one of these, or other numbers of samples.
        """
        names = strata if hasattr(strata, "__len__") else list(strata)
        weights = SampleWeights.by_group(names, dict(self.weights))
        if Counter(as_list(names)) != Counter(dict(self.samples)):
            raise BadSamples(
                len(weights),
                "these are not the samples that the strata were counted from",
                "make the weights of each data set from its own counts, by Strata.of",
            )
        return weights

    def _repr_latex_(self) -> str:
        """Return sizes and weights for a notebook, a row for each stratum."""
        rows = [
            [name, self.populations[name], self.samples.get(name, 0), weight]
            for name, weight in self.weights.items()
        ]
        return f"${latex_array(['stratum', 'population', 'samples', 'weight'], rows)}$"

    def __repr__(self) -> str:
        return f"Strata(populations={self.populations!r}, samples={self.samples!r})"


def bias_adjusted(
    matrices: Mapping[Any, ConfusionMatrix], populations: Mapping[Any, RationalLike]
) -> ConfusionMatrix:
    """Return the weighted matrix Σ w_s·matrix_s of samples drawn from strata of known size.

    >>> counts = {"B": ConfusionMatrix(tp=833, fp=171, fn=116, tn=855),
    ...           "rest": ConfusionMatrix(tp=0, fp=0, fn=0, tn=1000)}
    >>> bias_adjusted(counts, {"B": 13526, "rest": 1103658}).f1
    mpq(238,279)

    Raises what `Strata` raises, and `BadSamples` for matrices that do not hold whole counts.
    """
    for matrix in matrices.values():
        for cell in (matrix.tp, matrix.fp, matrix.fn, matrix.tn):
            if mpq(cell).denominator != 1:
                raise BadSamples(cell, "the matrix of a stratum holds unweighted counts")
    strata = Strata(
        populations=populations, samples={name: matrix.total for name, matrix in matrices.items()}
    )
    adjusted = ConfusionMatrix(tp=0, fp=0, fn=0, tn=0)
    for name, weight in strata.weights.items():
        adjusted += matrices[name].scaled(positives=weight, negatives=weight)
    return adjusted
