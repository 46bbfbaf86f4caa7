"""Several labels at once: their confusion, a matrix for each label against the rest, and averages over them.

>>> confusion = MulticlassConfusion.from_labels("aabc", "abbc")
>>> confusion.accuracy, confusion.matrices["a"].recall
(mpq(3,4), mpq(1,2))
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
from ntqr_exact.columns.whole_numbers import as_array, refuse_other_index
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike, probability, rational
from ntqr_exact.exact.show import latex_array
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.metrics.classes import label_list, sorted_labels
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

    def __init__(self, matrices: Mapping[Any, ConfusionMatrix]) -> None:
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
        truths, guesses = (_label_sets(column, names) for column in (actual, predicted))
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
        if label not in self.matrices:
            raise BadSamples(label, f"the labels are {', '.join(map(repr, self.matrices))}")
        return self.matrices[label]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.matrices)

    def __len__(self) -> int:
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
        return f"LabelMatrices({self.matrices!r})"


def _label_sets(rows: Any, names: list[Any]) -> list[frozenset[Any]]:
    """Return the labels of each sample, from sets or from an indicator matrix with a column for each label."""
    matrix = as_array(rows, dimensions=2)
    if matrix is None:
        return [_label_set(row, names) for row in rows]
    if matrix.shape[1] != len(names) or not ((matrix == 0) | (matrix == 1)).all():
        rule = f"an indicator matrix must have a column of 0 and 1 for each of {len(names)} labels"
        raise BadSamples(matrix.shape, rule)
    return [frozenset(name for name, flag in zip(names, row, strict=True) if flag) for row in matrix.tolist()]


def _label_set(labels: Iterable[Any], names: list[Any]) -> frozenset[Any]:
    found = frozenset(labels)
    for label in found.difference(names):
        raise BadSamples(label, f"the labels are {', '.join(map(repr, names))}")
    return found


@dataclass(frozen=True, slots=True, init=False, repr=False)
class MulticlassConfusion:
    """How much weight has each true label and was given each label: `counts[true][given]`."""

    counts: Mapping[Any, Mapping[Any, mpq]]

    def __init__(self, counts: Mapping[Any, Mapping[Any, RationalLike]]) -> None:
        labels = list(counts)
        rows = {}
        for label, row in counts.items():
            if unknown := set(row) - set(labels):
                raise BadSamples(sorted(map(repr, unknown)), f"the labels are {', '.join(map(repr, labels))}")
            rows[label] = FrozenMapping({given: rational(row.get(given, 0)) for given in labels})
            if min(rows[label].values()) < 0:
                raise BadSamples(dict(rows[label]), "a count or a weight must not be negative")
        if not labels:
            raise BadSamples(labels, "there is at least one label")
        object.__setattr__(self, "counts", FrozenMapping(rows))

    @classmethod
    def from_labels(
        cls,
        actual: Iterable[Any],
        predicted: Iterable[Any],
        sample_weight: WeightsLike = None,
        *,
        labels: Iterable[Any] | None = None,
    ) -> MulticlassConfusion:
        """Return the confusion of samples; the labels are those that occur, sorted, unless named.

        Raises `BadSamples` for lengths that differ, a missing label (None, nan), one that is not a plain value, or
        one that is not among `labels`.
        """
        refuse_other_index(actual, predicted, sample_weight)
        truths, guesses = label_list(actual), label_list(predicted)
        if len(truths) != len(guesses):
            raise BadSamples((len(truths), len(guesses)), "there is a predicted label for each true one")
        names = sorted_labels({*truths, *guesses}) if labels is None else list(dict.fromkeys(labels))
        weighted = exact_weights(sample_weight, len(truths))
        units = {name: dict.fromkeys(names, 0) for name in names}
        for truth, guess, weight in zip(truths, guesses, weighted, strict=True):
            if truth not in units or guess not in units:
                raise BadSamples(
                    guess if truth in units else truth, f"the labels are {', '.join(map(repr, names))}"
                )
            units[truth][guess] += weight
        return cls(
            {name: {given: n * weighted.unit for given, n in row.items()} for name, row in units.items()}
        )

    @classmethod
    def from_binary(cls, matrix: ConfusionMatrix) -> MulticlassConfusion:
        """Return the confusion of the labels "false" and "true"."""
        return cls(matrix.counts["predictions"])

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels, in order."""
        return tuple(self.counts)

    @property
    def label_weights(self) -> dict[Any, mpq]:
        """How much weight has each true label."""
        return {label: sum(row.values(), mpq(0)) for label, row in self.counts.items()}

    @property
    def total(self) -> mpq:
        """The weight of all samples."""
        return sum(self.label_weights.values(), mpq(0))

    @property
    def rates(self) -> dict[Any, MetricValue]:
        """The share of each true label."""
        total = self.total
        return {
            label: weight / total if total else Undefined.NO_SAMPLES
            for label, weight in self.label_weights.items()
        }

    @property
    def accuracy(self) -> MetricValue:
        """The share that was given its true label: recall, precision and F1 of the micro average, too."""
        return self.matrices.micro.recall if self.total else Undefined.NO_SAMPLES

    @property
    def matrices(self) -> LabelMatrices:
        """For each label, the matrix of it against the rest."""
        truly, total = self.label_weights, self.total
        given = {label: sum((row[label] for row in self.counts.values()), mpq(0)) for label in self.labels}
        found = {}
        for label in self.labels:
            tp = self.counts[label][label]
            fp, fn = given[label] - tp, truly[label] - tp
            found[label] = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=total - tp - fp - fn)
        return LabelMatrices(found)

    def at_population_rates(self, rates: Mapping[Any, RationalLike]) -> MulticlassConfusion:
        """Return the confusion of as many samples from a population with these shares of the labels.

        Each row is multiplied by ρ/r of its label. With more than two labels this differs from scaling
        each label against the rest, which leaves the labels within the rest as they were.

        Raises `BadSamples` for rates that do not sum to 1 or a label that the sample does not have.
        """
        if set(rates) != set(self.labels):
            raise BadSamples(dict(rates), f"a rate is given for each of {', '.join(map(repr, self.labels))}")
        shares = {label: probability(rates[label], "a rate") for label in self.labels}
        if sum(shares.values(), mpq(0)) != 1:
            raise BadSamples(dict(rates), "the rates of all labels sum to 1")
        rows = {}
        for label, weight in self.label_weights.items():
            if not weight and shares[label]:
                raise BadSamples(label, "no sample has this label, so none can stand for the population's")
            factor = shares[label] * self.total / weight if weight else mpq(1)
            rows[label] = {given: n * factor for given, n in self.counts[label].items()}
        return MulticlassConfusion(rows)

    def _repr_latex_(self) -> str:
        """Return the table for a notebook: true labels by row, given ones by column."""
        rows = [[label, *row.values()] for label, row in self.counts.items()]
        return f"${latex_array(['true, given', *self.labels], rows)}$"

    def __repr__(self) -> str:
        rows = {label: {given: str(n) for given, n in row.items()} for label, row in self.counts.items()}
        return f"MulticlassConfusion({rows!r})"
