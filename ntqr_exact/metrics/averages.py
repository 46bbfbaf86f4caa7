"""Several labels at once: a confusion matrix for each label against the rest, and averages over them.

>>> matrices = LabelMatrices.from_label_sets([{"a"}, {"a", "b"}], [{"a", "b"}, {"b"}], labels="ab")
>>> matrices["a"], matrices.average("recall", Average.MICRO), matrices.average("recall", Average.MACRO)
(ConfusionMatrix(tp=1, fp=0, fn=1, tn=0), mpq(2,3), mpq(3,4))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from operator import add
from typing import Any, assert_never

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.latex_table import latex_array
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.undefined import MetricValue, WhenUndefined, defined
from ntqr_exact.metrics.weights import WeightsLike, exact_weights


class Average(Enum):
    """How the values of several labels become one."""

    MICRO = "the metric of all cells added up"
    MACRO = "the mean over labels"
    WEIGHTED = "the mean over labels, by how much of the sample has them; ORES calls this micro"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LabelMatrices:
    """For each label, the confusion matrix of having it against not having it."""

    matrices: Mapping[Any, ConfusionMatrix]

    @checked
    def __init__(self, matrices: Mapping[Any, ConfusionMatrix]) -> None:
        """Take a matrix for each label; they speak of the same samples."""
        if not matrices:
            raise BadSamples(matrices, "there is at least one label")
        if len({matrix.total for matrix in matrices.values()}) > 1:
            raise BadSamples(dict(matrices), "the matrices of all labels have the same total")
        object.__setattr__(self, "matrices", FrozenMapping(matrices))

    @classmethod
    def from_label_sets(
        cls,
        actual: Iterable[Iterable[Any]],
        predicted: Iterable[Iterable[Any]],
        *,
        labels: Iterable[Any],
        sample_weight: WeightsLike = None,
    ) -> LabelMatrices:
        """Return the matrices of samples that have any number of labels each.

        Raises `BadSamples` for lengths that differ and for a label that is not one of `labels`.
        """
        names = list(dict.fromkeys(labels))
        truths, guesses = [_label_set(s, names) for s in actual], [_label_set(s, names) for s in predicted]
        if len(truths) != len(guesses):
            raise BadSamples(
                (len(truths), len(guesses)), "there is a set of predicted labels for each true one"
            )
        weighted = exact_weights(sample_weight, len(truths))
        return cls(
            {
                name: ConfusionMatrix.from_labels(
                    [name in truth for truth in truths], [name in guess for guess in guesses], weighted
                )
                for name in names
            }
        )

    def __getitem__(self, label: Any) -> ConfusionMatrix:
        """Return the matrix of a label; raises `BadSamples` for one that is not known."""
        if label not in self.matrices:
            raise BadSamples(label, f"the labels are {', '.join(map(repr, self.matrices))}")
        return self.matrices[label]

    def __iter__(self) -> Iterator[Any]:
        """Yield the labels."""
        return iter(self.matrices)

    def __len__(self) -> int:
        """How many labels there are."""
        return len(self.matrices)

    @property
    def micro(self) -> ConfusionMatrix:
        """The matrix of all cells added up over the labels."""
        return reduce(add, self.matrices.values())

    def values(self, name: str) -> dict[Any, MetricValue]:
        """Return a metric for each label."""
        return {label: matrix[name] for label, matrix in self.matrices.items()}

    def average(self, name: str, average: Average, *, undefined: WhenUndefined | None = None) -> MetricValue:
        """Return one value of a metric for all labels.

        A mean over labels is undefined where the metric of one of them is, unless `undefined` says what
        to take in its place.
        """
        average = chosen(average, Average)
        if average is Average.MICRO:
            pooled = self.micro[name]
            return pooled if undefined is None else defined(pooled, undefined)
        numbers = []
        for value in self.values(name).values():
            if isinstance(value, Undefined) and undefined is None:
                return Undefined.PART_UNDEFINED
            numbers.append(defined(value, undefined or WhenUndefined.ERROR))
        match average:
            case Average.MACRO:
                return sum(numbers, mpq(0)) / len(numbers)
            case Average.WEIGHTED:
                shares = [matrix.positives for matrix in self.matrices.values()]
                if not sum(shares, mpq(0)):
                    nothing = Undefined.NO_POSITIVES
                    return nothing if undefined is None else defined(nothing, undefined)
                products = (share * number for share, number in zip(shares, numbers, strict=True))
                return sum(products, mpq(0)) / sum(shares, mpq(0))
        assert_never(average)

    def at_population_rates(self, rates: Mapping[Any, Any]) -> LabelMatrices:
        """Return each label's matrix at its own share of the population, against the rest as it is."""
        if set(rates) != set(self.matrices):
            raise BadSamples(
                dict(rates), f"a rate is given for each of {', '.join(map(repr, self.matrices))}"
            )
        return LabelMatrices(
            {label: matrix.at_population_rate(rates[label]) for label, matrix in self.matrices.items()}
        )

    def _repr_latex_(self) -> str:
        """Return the cells of every label's matrix for a notebook."""
        rows = [[label, each.tp, each.fp, each.fn, each.tn] for label, each in self.matrices.items()]
        return f"${latex_array(['label', 'TP', 'FP', 'FN', 'TN'], rows)}$"

    def __repr__(self) -> str:
        """Return the notation that can be pasted back."""
        return f"LabelMatrices({self.matrices!r})"


def _label_set(labels: Iterable[Any], names: list[Any]) -> frozenset[Any]:
    found = frozenset(labels)
    for label in found.difference(names):
        raise BadSamples(label, f"the labels are {', '.join(map(repr, names))}")
    return found
