"""Several labels at once: their confusion, a matrix for each label against the rest, averages, and `measure`.

>>> measure("f1", [1, 0, 1, 1], [1, 1, 1, 0]), measure("recall", "aabc", "abbc", average="macro")
(mpq(2,3), mpq(5,6))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import (
    as_array,
    as_list,
    label_list,
    refuse_other_columns,
    refuse_other_index,
    refuse_other_length,
    sorted_labels,
)
from ntqr_exact.errors import BadSamples, listed
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import MetricValue, WhenUndefined, defined, metric
from ntqr_exact.metrics.weights import WeightsLike, exact_weights


class Average(Choice):
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
            raise BadSamples(matrices, "matrices must have at least one label")
        if len({matrix.total for matrix in matrices.values()}) > 1:
            raise BadSamples(dict(matrices), "the matrices of all labels must have the same total")
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
        """Return the matrices of samples that have any number of labels each, as sets or as an indicator matrix.

        >>> matrices = LabelMatrices.from_label_sets([{"a"}, {"a", "b"}], [{"a", "b"}, {"b"}], labels="ab")
        >>> matrices["a"], matrices.average("recall", Average.MICRO), matrices.average("recall", Average.MACRO)
        (ConfusionMatrix(tp=1, fp=0, fn=1, tn=0), mpq(2,3), mpq(3,4))

        Raises `BadSamples` for lengths that differ and for a label that is not one of `labels`.
        """
        refuse_other_index(actual, predicted, sample_weight)
        names = list(dict.fromkeys(labels))
        truths, guesses = (_label_sets(column, names) for column in (actual, predicted))
        refuse_other_length(true_sets=len(truths), predicted_sets=len(guesses))
        weighted = exact_weights(sample_weight, len(truths))
        flags = {name: ([name in row for row in truths], [name in row for row in guesses]) for name in names}
        count = ConfusionMatrix.from_labels
        return cls({name: count(*pair, sample_weight=weighted) for name, pair in flags.items()})

    def __getitem__(self, label: Any) -> ConfusionMatrix:
        if label not in self.matrices:
            raise BadSamples(label, f"label must be one of {listed(self.matrices)}")
        return self.matrices[label]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.matrices)

    def __len__(self) -> int:
        return len(self.matrices)

    def of(self, labels: Iterable[Any]) -> LabelMatrices:
        """Return the matrices of some of the labels; the others stay among the rest of each."""
        return LabelMatrices({label: self[label] for label in labels})

    def values(self, name: str) -> dict[Any, MetricValue]:
        """Return a metric for each label."""
        return {label: matrix[name] for label, matrix in self.matrices.items()}

    def average(self, name: str, average: Average, *, undefined: WhenUndefined | None = None) -> MetricValue:
        """Return one value of a metric for all labels.

        A mean over labels is undefined where the metric of one of them is, unless `undefined` says what
        to take in its place.
        """
        average = Average(average)
        if average is Average.MICRO:
            return _taken(reduce(add, self.matrices.values())[name], undefined)
        numbers: list[Any] = [_taken(value, undefined) for value in self.values(name).values()]
        if any(isinstance(value, Undefined) for value in numbers):
            return Undefined.PART_UNDEFINED
        weighted = average is Average.WEIGHTED
        shares = [matrix.positives if weighted else mpq(1) for matrix in self.matrices.values()]
        if not any(shares):
            return _taken(Undefined.NO_POSITIVES, undefined)
        return _dot(shares, numbers) / sum(shares, mpq(0))

    def __repr__(self) -> str:
        return f"LabelMatrices({self.matrices!r})"


def _taken(value: MetricValue, undefined: WhenUndefined | None) -> MetricValue:
    return value if undefined is None else defined(value, undefined)


def _label_sets(rows: Any, names: list[Any]) -> list[frozenset[Any]]:
    """Return the labels of each sample, from sets or from an indicator matrix with a column for each label."""
    refuse_other_columns(rows, names)
    matrix = as_array(rows, dimensions=2)
    if matrix is not None:
        if matrix.shape[1] != len(names) or not ((matrix == 0) | (matrix == 1)).all():
            rule = f"an indicator matrix must have a column of 0 and 1 for each of {len(names)} labels"
            raise BadSamples(matrix.shape, rule)
        rows = [{name for name, flag in zip(names, row, strict=True) if flag} for row in matrix.tolist()]
    sets = []
    for row in rows if matrix is not None else as_list(rows):
        labels = frozenset(row)
        # [0, 1] may be two labels or the flags of two labels.
        if not isinstance(row, Set) and (
            len(row) > len(labels) or (len(row) == len(names) and labels <= {0, 1})
        ):
            rule = "a row must be a set of labels, not of flags"
            raise BadSamples(row, rule, "give an indicator matrix as an array")
        sets.append(labels)
    for label in frozenset().union(*sets).difference(names):
        raise BadSamples(label, f"label must be one of {listed(names)}")
    return sets


@dataclass(frozen=True, slots=True, init=False, repr=False)
class MulticlassConfusion:
    """How much weight has each true label and was given each label: `counts[true][given]`."""

    counts: Mapping[Any, Mapping[Any, mpq]]

    def __init__(self, counts: Mapping[Any, Mapping[Any, RationalLike]]) -> None:
        labels = list(counts)
        rows = {}
        for label, row in counts.items():
            if unknown := set(row) - set(labels):
                raise BadSamples(sorted(map(repr, unknown)), f"labels must be in {listed(labels)}")
            rows[label] = FrozenMapping({given: rational(row.get(given, 0)) for given in labels})
            if min(rows[label].values()) < 0:
                raise BadSamples(dict(rows[label]), "a count or a weight must not be negative")
        if not labels:
            raise BadSamples(labels, "counts must have at least one label")
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
        return cls(_tally(actual, predicted, sample_weight, labels))

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels, in order."""
        return tuple(self.counts)

    @property
    def label_weights(self) -> dict[Any, mpq]:
        """How much weight has each true label."""
        return {label: sum(row.values(), mpq(0)) for label, row in self.counts.items()}

    @property
    def given_weights(self) -> dict[Any, mpq]:
        """How much weight was given each label."""
        return {label: sum((row[label] for row in self.counts.values()), mpq(0)) for label in self.counts}

    @property
    def right(self) -> mpq:
        """The weight that was given its true label."""
        return sum((row[label] for label, row in self.counts.items()), mpq(0))

    @property
    def total(self) -> mpq:
        """The weight of all samples."""
        return sum(self.label_weights.values(), mpq(0))

    @property
    def accuracy(self) -> MetricValue:
        """The share that was given its true label: recall, precision and F1 of the micro average, too."""
        return self.right / self.total if self.total else Undefined.NO_SAMPLES

    @property
    def matrices(self) -> LabelMatrices:
        """For each label, the matrix of it against the rest."""
        truly, given, total = self.label_weights, self.given_weights, self.total
        matrices = {}
        for label, row in self.counts.items():
            tp, actual, predicted = row[label], truly[label], given[label]
            cells = {"tp": tp, "fp": predicted - tp, "fn": actual - tp, "tn": total - actual - predicted + tp}
            matrices[label] = ConfusionMatrix(**cells)
        return LabelMatrices(matrices)

    def __repr__(self) -> str:
        rows = {label: {given: str(n) for given, n in row.items()} for label, row in self.counts.items()}
        return f"MulticlassConfusion({rows!r})"


def _tally(
    actual: Any, predicted: Any, sample_weight: Any, labels: Iterable[Any] | None, others: str = "refuse"
) -> dict[Any, dict[Any, mpq]]:
    """Count pairs of labels; labels other than those named are refused, dropped with their samples, or added."""
    refuse_other_index(actual, predicted, sample_weight)
    truths, guesses = label_list(actual), label_list(predicted)
    refuse_other_length(true_labels=len(truths), predicted_labels=len(guesses))
    weighted = exact_weights(sample_weight, len(truths))
    units: dict[Any, int] = {}
    for truth, guess, weight in zip(truths, guesses, weighted.units, strict=True):
        units[truth, guess] = units.get((truth, guess), 0) + weight
    seen = dict.fromkeys(label for pair in units for label in pair)
    names = sorted_labels(set(seen)) if labels is None else list(dict.fromkeys(labels))
    if others == "add":
        names += [label for label in seen if label not in set(names)]
    counts = {name: dict.fromkeys(names, mpq(0)) for name in names}
    for (truth, guess), weight in units.items():
        if truth in counts and guess in counts:
            counts[truth][guess] = weight * weighted.unit
        elif others == "refuse":
            unknown = guess if truth in counts else truth
            raise BadSamples(unknown, f"label must be one of {listed(names)}")
    return counts


# -- agreement against chance -------------------------------------------------------------------
# With true sums t_k, given sums p_k, the weight c on the diagonal and s of all, chance would put Σ t_k p_k/s there.

ConfusionLike: TypeAlias = "ConfusionMatrix | MulticlassConfusion"


def matthews(confusion: ConfusionLike) -> Surd | Undefined:
    """Return (cs − Σ t_k p_k)/√((s² − Σ p_k²)(s² − Σ t_k²)), a surd from −1 to 1 (Matthews 1975, Gorodkin 2004).

    >>> matthews(ConfusionMatrix(tp=30, fp=10, fn=5, tn=55))
    Surd(0, '8/273', 546)

    Undefined where all samples have one true label or one given label; scikit-learn returns 0 there.
    """
    truly, given, diagonal, total = _sums(confusion)
    below = (total**2 - _dot(given, given)) * (total**2 - _dot(truly, truly))
    if not below:
        return Undefined.ONE_LABEL if total else Undefined.NO_SAMPLES
    # a/√b = a√b/b keeps the radicand in the numerator.
    return (diagonal * total - _dot(truly, given)) * Surd.sqrt(below) / below


def cohen_kappa(confusion: ConfusionLike) -> MetricValue:
    """Return (cs − Σ t_k p_k)/(s² − Σ t_k p_k): the share of agreement that chance does not explain.

    Undefined where all samples have one and the same label on both sides. Source: Cohen 1960.
    """
    truly, given, diagonal, total = _sums(confusion)
    by_chance = _dot(truly, given)
    if total**2 == by_chance:
        return Undefined.ONE_LABEL if total else Undefined.NO_SAMPLES
    return (diagonal * total - by_chance) / (total**2 - by_chance)


def balanced_accuracy(confusion: ConfusionLike) -> MetricValue:
    """Return the mean recall of the labels that occur, (recall + !recall)/2 for two of them."""
    values = _many(confusion).matrices.values("recall").values()
    recalls = [recall for recall in values if not isinstance(recall, Undefined)]
    return sum(recalls, mpq(0)) / len(recalls) if recalls else Undefined.NO_SAMPLES


def lift(matrix: ConfusionMatrix) -> MetricValue:
    """Return precision over the share of positives: how many times more positives a prediction finds than chance."""
    precision = matrix.precision
    if isinstance(precision, Undefined):
        return precision
    return precision * matrix.total / matrix.positives if matrix.positives else Undefined.NO_POSITIVES


def _many(confusion: ConfusionLike) -> MulticlassConfusion:
    if isinstance(confusion, ConfusionMatrix):
        return MulticlassConfusion(confusion.counts["predictions"])
    return confusion


def _sums(confusion: ConfusionLike) -> tuple[list[mpq], list[mpq], mpq, mpq]:
    many = _many(confusion)
    return [*many.label_weights.values()], [*many.given_weights.values()], many.right, many.total


def _dot(left: list[mpq], right: list[mpq]) -> mpq:
    return sum((one * other for one, other in zip(left, right, strict=True)), mpq(0))


# -- measure ------------------------------------------------------------------------------------

OF_ALL_LABELS: dict[str, Callable[[MulticlassConfusion], MetricValue | Surd]] = {
    "matthews": matthews,
    "mcc": matthews,
    "kappa": cohen_kappa,
    "cohen_kappa": cohen_kappa,
    "balanced_accuracy": balanced_accuracy,
    "accuracy": lambda confusion: confusion.accuracy,
    "error_rate": lambda confusion: (
        1 - confusion.right / confusion.total if confusion.total else Undefined.NO_SAMPLES
    ),
}
"""Metrics of all labels together, which need no average."""

Measured: TypeAlias = "mpq | Surd | Undefined"


def measure(
    name: str,
    y_true: Iterable[Any],
    y_pred: Iterable[Any],
    *,
    sample_weight: WeightsLike = None,
    labels: Iterable[Any] | None = None,
    pos_label: Any = None,
    average: Average | str | None = None,
    undefined: WhenUndefined | None = None,
) -> Measured:
    """Return a metric of labels by its name: of two labels, averaged over several, or of all labels together.

    `average` is "binary" (the default: the metric of `pos_label`), "micro", "macro" or "weighted"; a ratio of three or
    more labels needs one of the last three. `labels` are those that are averaged, the others stay among the rest; of
    kappa, those whose samples count. `undefined` says what to take for a share of nothing.

    >>> measure("recall", "aabc", "abbc", average="macro", labels="ab")
    mpq(3,4)

    Raises `BadQuery` for an unknown name, `BadSamples` for a ratio of three labels without an average.
    """
    mean = None if average in (None, "binary") else Average(average)
    if mean is not None:
        names = None if labels is None else list(labels)
        counts = _tally(y_true, y_pred, sample_weight, names, "add")
        matrices = MulticlassConfusion(counts).matrices
        return (matrices if names is None else matrices.of(names)).average(name, mean, undefined=undefined)
    result: Measured
    if name in OF_ALL_LABELS:
        others = "drop" if name in ("kappa", "cohen_kappa") else "refuse"
        counts = _tally(y_true, y_pred, sample_weight, labels, others)
        result = OF_ALL_LABELS[name](MulticlassConfusion(counts))
    else:
        formula = None if name == "lift" else metric(name)
        try:
            two = ConfusionMatrix.from_labels(y_true, y_pred, sample_weight, pos_label=pos_label)
        except BadSamples as error:
            remedy = "name pos_label= of two labels, or average= for more"
            raise BadSamples(error.given, error.rule, remedy) from None
        result = lift(two) if formula is None else two.measure(formula)
    return _taken(result, undefined) if isinstance(result, Undefined) else result
