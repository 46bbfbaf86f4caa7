"""The confusion matrix of two labels, and every metric that follows from it.

>>> matrix = ConfusionMatrix(tp=30, fp=10, fn=5, tn=55)
>>> matrix.recall, matrix.precision, matrix.f1, matrix["!recall"]
(mpq(6,7), mpq(3,4), mpq(4,5), mpq(11,13))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.inputs import as_list, flags, refuse_other_index, refuse_other_length
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike, probability, rational
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.formulas import CELLS, Cells, Metric, MetricValue, WhenUndefined, defined, metric
from ntqr_exact.metrics.weights import Strata, WeightsLike, exact_weights


def population_factors(positives: mpq, negatives: mpq, rate: RationalLike) -> tuple[mpq, mpq]:
    """Return ρ/r and (1−ρ)/(1−r), by which positives and negatives count as in the population.

    >>> population_factors(mpq(1), mpq(3), "1/2")
    (mpq(2,1), mpq(2,3))

    Raises `BadSamples` where a label that the population has does not occur in the sample.
    """
    share = probability(rate, "a rate")
    total = positives + negatives
    return (_factor(share, positives, total, "positive"), _factor(1 - share, negatives, total, "negative"))


def _factor(share: mpq, weight: mpq, total: mpq, name: str) -> mpq:
    if weight != 0:
        return share * total / weight
    if share != 0 or total == 0:
        raise BadSamples(weight, f"samples must have one labeled {name}", "give a sample with both labels")
    return mpq(1)


class _Named:
    """A metric of a matrix that is read as an attribute."""

    def __init__(self, name: str, description: str) -> None:
        self.name, self.__doc__ = name, description

    def __get__(self, matrix: ConfusionMatrix, owner: object = None) -> MetricValue:
        return self if matrix is None else matrix[self.name]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ConfusionMatrix:
    """The weight of true and false positives and negatives: counts, or exact weights.

    Raises `BadSamples` for a negative weight.
    """

    tp: mpq
    fp: mpq
    fn: mpq
    tn: mpq

    def __init__(self, *, tp: RationalLike, fp: RationalLike, fn: RationalLike, tn: RationalLike) -> None:
        for name, value in zip(CELLS, (tp, fp, fn, tn), strict=True):
            weight = rational(value)
            if weight < 0:
                raise BadSamples(value, f"{name} must be a count or a weight, not negative")
            object.__setattr__(self, name, weight)

    @classmethod
    def from_labels(
        cls,
        actual: Iterable[Any],
        predicted: Iterable[Any],
        sample_weight: WeightsLike = None,
        *,
        pos_label: Any = None,
    ) -> ConfusionMatrix:
        """Return the matrix of samples with a true and a predicted label each.

        >>> ConfusionMatrix.from_labels([1, 1, 0], [1, 0, 0], sample_weight=["1/2", 1, 3])
        ConfusionMatrix(tp='1/2', fp=0, fn=1, tn=3)

        Labels are 0 and 1; with `pos_label`, the other label is whatever else occurs. Raises `BadSamples` for lengths
        that differ, another label, or a bad weight.
        """
        refuse_other_index(actual, predicted, sample_weight)
        truth, guess = as_list(actual), as_list(predicted)
        refuse_other_length(true_labels=len(truth), predicted_labels=len(guess))
        positive = flags([*truth, *guess], pos_label)
        weighted = exact_weights(sample_weight, len(truth))
        cells = {(is_true, is_guessed): 0 for is_true in (False, True) for is_guessed in (False, True)}
        for is_true, is_guessed, units in zip(positive, positive[len(truth) :], weighted.units, strict=False):
            cells[is_true, is_guessed] += units
        tn, fp, fn, tp = (units * weighted.unit for units in cells.values())
        return cls(tp=tp, fp=fp, fn=fn, tn=tn)

    # -- metrics --------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> MetricValue:
        return self.measure(metric(name))

    def measure(self, formula: Metric) -> MetricValue:
        """Return the ratio that `formula` describes, or why it is undefined."""
        below = self._sum(formula.denominator)
        return formula.undefined if below == 0 else self._sum(formula.numerator) / below

    def value(self, name: str, *, undefined: WhenUndefined = WhenUndefined.ERROR) -> mpq:
        """Return a metric as a number; `undefined` says what to take for an undefined one."""
        return defined(self[name], undefined)

    def _sum(self, cells: Cells) -> mpq:
        return cells.tp * self.tp + cells.fp * self.fp + cells.fn * self.fn + cells.tn * self.tn

    recall = _Named("recall", "The share of positives that are found, TP/(TP+FN).")
    precision = _Named("precision", "The share of predicted positives that are right, TP/(TP+FP).")
    f1 = _Named("f1", "The harmonic mean of precision and recall, 2TP/(2TP+FP+FN).")
    fpr = _Named("fpr", "The share of negatives that are taken for positive, FP/(FP+TN).")
    accuracy = _Named("accuracy", "The share that is predicted rightly, (TP+TN)/n.")
    error_rate = _Named("error_rate", "The share that is predicted wrongly, (FP+FN)/n.")
    match_rate = _Named("match_rate", "The share that is predicted to be positive, (TP+FP)/n.")
    filter_rate = _Named("filter_rate", "The share that is predicted to be negative, (TN+FN)/n.")
    negated_recall = _Named("!recall", "Recall of the negative label, `!recall` = TN/(TN+FP).")
    negated_precision = _Named("!precision", "Precision of the negative label, `!precision` = TN/(TN+FN).")
    negated_f1 = _Named("!f1", "F1 of the negative label, `!f1` = 2TN/(2TN+FP+FN).")

    # -- sizes and other matrices ---------------------------------------------------------------

    @property
    def positives(self) -> mpq:
        """The weight labeled positive, TP + FN."""
        return self.tp + self.fn

    @property
    def negatives(self) -> mpq:
        """The weight labeled negative, TN + FP."""
        return self.tn + self.fp

    @property
    def total(self) -> mpq:
        """The weight of all samples, n."""
        return self.positives + self.negatives

    @property
    def counts(self) -> dict[str, Any]:
        """Labels and predictions as nested counts, actual label first (ORES, section 1.10)."""
        rows = {"false": {"false": self.tn, "true": self.fp}, "true": {"false": self.fn, "true": self.tp}}
        labels = {"false": self.negatives, "true": self.positives}
        return {"labels": labels, "n": self.total, "predictions": rows}

    @property
    def rates(self) -> dict[str, MetricValue]:
        """The share of each label, true = (TP+FN)/n (ORES, section 1.11)."""
        labels, total = self.counts["labels"], self.total
        return {label: weight / total if total else Undefined.NO_SAMPLES for label, weight in labels.items()}

    @property
    def negated(self) -> ConfusionMatrix:
        """The matrix when positive and negative change places."""
        return ConfusionMatrix(tp=self.tn, fp=self.fn, fn=self.fp, tn=self.tp)

    def scaled(self, *, positives: RationalLike, negatives: RationalLike) -> ConfusionMatrix:
        """Return the matrix with a factor on each label."""
        up, down = rational(positives), rational(negatives)
        return ConfusionMatrix(tp=self.tp * up, fn=self.fn * up, fp=self.fp * down, tn=self.tn * down)

    def at_population_rate(self, rate: RationalLike) -> ConfusionMatrix:
        """Return the matrix of as many samples from a population with this share ρ of positives.

        TP and FN are multiplied by ρ/r, FP and TN by (1−ρ)/(1−r), where r is the share in the sample.

        >>> ConfusionMatrix(tp=50, fp=50, fn=50, tn=50).at_population_rate("0.05")
        ConfusionMatrix(tp=5, fp=95, fn=5, tn=95)
        """
        positives, negatives = population_factors(self.positives, self.negatives, rate)
        return self.scaled(positives=positives, negatives=negatives)

    def __add__(self, other: object) -> ConfusionMatrix:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return ConfusionMatrix(**{name: getattr(self, name) + getattr(other, name) for name in CELLS})

    def _repr_latex_(self) -> str:
        header = r" & \text{labeled positive} & \text{labeled negative} \\ \hline "
        rows = (("positive", self.tp, self.fp), ("negative", self.fn, self.tn))
        body = r" \\ ".join(rf"\text{{predicted {name}}} & {a} & {b}" for name, a, b in rows)
        return rf"$\begin{{array}}{{l|rr}}{header}{body}\end{{array}}$"

    def __repr__(self) -> str:
        return f"ConfusionMatrix({', '.join(f'{name}={_pasted(getattr(self, name))}' for name in CELLS)})"


def _pasted(number: mpq) -> str:
    return str(number) if number.denominator == 1 else repr(str(number))


def bias_adjusted(
    matrices: Mapping[Any, ConfusionMatrix], populations: Mapping[Any, RationalLike]
) -> ConfusionMatrix:
    """Return the weighted matrix Σ w_s·matrix_s of samples drawn from strata of known size; see `Strata`.

    >>> counts = {"B": ConfusionMatrix(tp=833, fp=171, fn=116, tn=855),
    ...           "rest": ConfusionMatrix(tp=0, fp=0, fn=0, tn=1000)}
    >>> bias_adjusted(counts, {"B": 13526, "rest": 1103658}).f1
    mpq(238,279)

    Raises what `Strata` raises, and `BadSamples` for matrices that do not hold whole counts.
    """
    for matrix in matrices.values():
        for cell in (matrix.tp, matrix.fp, matrix.fn, matrix.tn):
            if cell.denominator != 1:
                raise BadSamples(cell, "the matrix of a stratum must hold unweighted counts")
    samples = {name: matrix.total for name, matrix in matrices.items()}
    adjusted = ConfusionMatrix(tp=0, fp=0, fn=0, tn=0)
    for name, weight in Strata(populations=populations, samples=samples).weights.items():
        adjusted += matrices[name].scaled(positives=weight, negatives=weight)
    return adjusted
