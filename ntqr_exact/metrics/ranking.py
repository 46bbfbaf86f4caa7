"""Samples ranked by score: what lies at or above each distinct score, ties together.

All curves, areas, tables and queries are read off this one table. Scores are only compared, never
added, so that they may be anything exact that has an order.

>>> ranking = rank([1, 0, 1], ["0.9", "0.9", "0.1"])
>>> for row in ranking: print(row.threshold, row.confusion)
9/10 ConfusionMatrix(tp=1, fp=1, fn=1, tn=0)
1/10 ConfusionMatrix(tp=2, fp=1, fn=0, tn=0)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.decimals import Decimals
from ntqr_exact.columns.float_values import FloatValues, float_column
from ntqr_exact.columns.whole_numbers import (
    Array,
    Column,
    WideColumn,
    as_array,
    as_list,
    cumulative,
    joined,
    limbs_of,
    refuse_other_index,
    times,
)
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational, rational_from_float
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.classes import BINARY, Classes, flag_array, flags, positive_classes
from ntqr_exact.metrics.confusion import ConfusionMatrix, population_factors
from ntqr_exact.metrics.formulas import Cells, Metric
from ntqr_exact.metrics.weights import SampleWeights, WeightsLike, exact_weights

Score: TypeAlias = "mpq | Surd"
ScoresLike: TypeAlias = "FloatValues | Decimals | Iterable[RationalLike | Surd]"
"""A score for each sample: exact numbers or texts of them, or floats through `float_scores`."""


_LARGEST_COEFFICIENT = 2


class Rule(Enum):
    """Which scores are predicted to be positive at a threshold."""

    AT_LEAST = ">="
    ABOVE = ">"


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """A threshold, and the confusion matrix of predicting by it."""

    threshold: Score
    confusion: ConfusionMatrix


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking:
    """The distinct scores from the highest down, and the units of weight at or above each, by label.

    `true_positives` and `false_positives` are whole numbers; times `unit` they are weights. Samples of
    weight zero are left out, as if they were not there.
    """

    scores: list[Any] | Array | Decimals
    true_positives: Column
    false_positives: Column
    positives: int
    negatives: int
    unit: mpq

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Ranking) else NotImplemented

    def __hash__(self) -> int:
        return hash((len(self), self.positives * self.unit, self.negatives * self.unit))

    def _identity(self) -> tuple[Any, ...]:
        weights = self.positives, self.negatives, *self.true_positives, *self.false_positives
        return self.thresholds(), [int(weight) * self.unit for weight in weights]

    def __len__(self) -> int:
        return len(self.scores)

    def threshold(self, place: int) -> Score:
        """Return the distinct score at this place, 0 for the highest."""
        score = self.scores[place]
        if isinstance(score, (mpq, Surd)):
            return score
        return rational_from_float(score) if isinstance(score, float) else rational(score)

    def thresholds(self) -> list[Score]:
        """Return the distinct scores, from the highest down."""
        array = as_array(self.scores)
        if array is not None and array.dtype.kind == "f":
            return list(FloatValues(array))
        return [self.threshold(place) for place in range(len(self))]

    def confusion(self, place: int, *, rule: Rule = Rule.AT_LEAST) -> ConfusionMatrix:
        """Return the matrix at the threshold of this place; at place −1, above all, nothing is positive."""
        last = place if chosen(rule, Rule) is Rule.AT_LEAST else place - 1
        tp, fp = (int(self.true_positives[last]), int(self.false_positives[last])) if last >= 0 else (0, 0)
        unit = self.unit
        return ConfusionMatrix(
            tp=tp * unit, fp=fp * unit, fn=(self.positives - tp) * unit, tn=(self.negatives - fp) * unit
        )

    def rows(self, *, rule: Rule = Rule.AT_LEAST) -> Iterator[ThresholdRow]:
        """Yield the table of thresholds, highest first, each with its confusion matrix."""
        for place in range(len(self)):
            yield ThresholdRow(self.threshold(place), self.confusion(place, rule=rule))

    __iter__ = rows

    def at(self, threshold: RationalLike | Surd, *, rule: Rule = Rule.AT_LEAST) -> ConfusionMatrix:
        """Return the matrix at any threshold, whether or not it is a score.

        >>> rank([1, 0, 1], ["0.9", "0.5", "0.1"]).at("1/2", rule=Rule.ABOVE)
        ConfusionMatrix(tp=1, fp=0, fn=1, tn=1)
        """
        return self.confusion(self._how_many(exact_score(threshold), rule) - 1)

    def at_thresholds(self, thresholds: Iterable[RationalLike | Surd]) -> Ranking:
        """Return the same ranking seen at these thresholds only; those above every score are left out."""
        grid = sorted({exact_score(threshold) for threshold in thresholds}, reverse=True)
        kept = [(t, place) for t in grid if (place := self._how_many(t, Rule.AT_LEAST) - 1) >= 0]
        return Ranking(
            [t for t, _ in kept],
            [int(self.true_positives[place]) for _, place in kept],
            [int(self.false_positives[place]) for _, place in kept],
            self.positives,
            self.negatives,
            self.unit,
        )

    def at_population_rate(self, rate: RationalLike) -> Ranking:
        """Return the ranking of as many samples from a population with this share of positives.

        See `ConfusionMatrix.at_population_rate`, which this is at every threshold.
        """
        up, down = population_factors(mpq(self.positives), mpq(self.negatives), rate)
        common = up.denominator * down.denominator
        more, fewer = int(up * common), int(down * common)
        return Ranking(
            self.scores,
            times(self.true_positives, more),
            times(self.false_positives, fewer),
            self.positives * more,
            self.negatives * fewer,
            self.unit / common,
        )

    def ratios(self, metric: Metric) -> tuple[Column, Column]:
        """Return a metric at every threshold: the columns of its numerators and denominators."""
        return self._sum(metric.numerator), self._sum(metric.denominator)

    def _sum(self, cells: Cells) -> Column:
        # FN = P − TP and TN = N − FP. No coefficient of an array is beyond ±2, and P and N are below LIMIT = 2^60 in
        # an int64 column: each of the two products is within ±2^61, the constant below 2^62.
        by_tp, by_fp = cells.tp - cells.fn, cells.fp - cells.tn
        tp, fp = self.true_positives, self.false_positives
        if _is_plain(cells) and isinstance(tp, WideColumn) and isinstance(fp, WideColumn):
            # The lowest score has all weight at or above it: the last of each limb is the limb of P, of N.
            return WideColumn(
                tuple(
                    by_tp * up + by_fp * down + (cells.fn * int(up[-1]) + cells.tn * int(down[-1]))
                    for up, down in zip(tp.limbs, fp.limbs, strict=True)
                )
            )
        constant = cells.fn * self.positives + cells.tn * self.negatives
        if not _is_plain(cells) or isinstance(tp, (list, WideColumn)) or isinstance(fp, (list, WideColumn)):
            pairs = zip(as_list(tp), as_list(fp), strict=True)
            return [by_tp * up + by_fp * down + constant for up, down in pairs]
        narrow: Array = by_tp * tp + by_fp * fp + constant
        return narrow

    def _how_many(self, threshold: Score, rule: Rule) -> int:
        """Return how many distinct scores are predicted to be positive."""
        rule = chosen(rule, Rule)

        def is_negative(place: int) -> bool:
            score = self.threshold(place)
            return score < threshold if rule is Rule.AT_LEAST else score <= threshold

        # The scores run down, so this is false at first and true from some place on.
        return bisect_left(range(len(self)), True, key=is_negative)

    def __repr__(self) -> str:
        return (
            f"<{len(self)} thresholds, positives {self.positives * self.unit}, "
            f"negatives {self.negatives * self.unit}>"
        )


def rank(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> Ranking:
    """Return the samples ranked by score, equal scores together; `classes` is (negative, positive).

    With `pos_label` named, the other label is whatever else occurs.


    Raises `BadSamples` for no samples, lengths that differ, a label that is neither class, or weights
    that are negative or all zero; `FloatRefused` for floats that did not come through their door.
    """
    refuse_other_index(labels, scores, sample_weight)
    known: Any = labels if as_array(labels) is not None else as_list(labels)
    if pos_label is not None:
        classes = positive_classes(as_list(known), classes, pos_label)
    column = _score_column(scores)
    if len(known) != len(column):
        raise BadSamples((len(known), len(column)), "there is a score for each label")
    if not len(column):
        raise BadSamples(0, "there are no samples to be ranked")
    exact = None if sample_weight is None else exact_weights(sample_weight, len(column))
    if isinstance(column, list):
        return _rank_list(flags(known, classes), column, exact)
    return _rank_array(flag_array(known, classes), column, exact)


def _is_plain(cells: Cells) -> bool:
    return max(cells.tp, cells.fp, cells.fn, cells.tn) <= _LARGEST_COEFFICIENT


def exact_score(value: RationalLike | Surd) -> Score:
    """Return a score through the number door; a real surd is one, too."""
    if not isinstance(value, Surd):
        return rational(value)
    if not value.is_real:
        raise BadNumber(value, "a score must be real: an imaginary number has no order")
    return value.rational if value.is_rational else value


def _score_column(scores: ScoresLike) -> list[Any] | Array | Decimals:
    """Return what can be compared exactly: an array of integers or declared floats, decimals, or a list."""
    if isinstance(scores, Decimals):
        return scores
    scores = float_column(scores)
    if isinstance(scores, FloatValues):
        return scores.values
    array = as_array(scores)
    if array is not None and array.dtype.kind in "iu":
        return array
    return list(map(exact_score, as_list(scores)))


def _rank_list(positive: list[bool], scores: list[Any], weights: SampleWeights | None) -> Ranking:
    by_label: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    unit = mpq(1) if weights is None else weights.unit
    heft = [1] * len(scores) if weights is None else weights
    for is_positive, score, units in zip(positive, scores, heft, strict=True):
        if units:
            found = by_label[is_positive]
            found[score] = found.get(score, 0) + units
    distinct = sorted({**by_label[False], **by_label[True]}, reverse=True)
    fp, tp = (cumulative([found.get(score, 0) for score in distinct]) for found in by_label)
    return Ranking(distinct, tp, fp, tp[-1], fp[-1], unit)


def _rank_array(positive: Array, scores: Array | Decimals, weights: SampleWeights | None) -> Ranking:
    import numpy

    unit, parts = mpq(1), None
    if weights is not None:
        unit = weights.unit
        parts = limbs_of(weights.units)
        weighty = numpy.any([part != 0 for part in parts], axis=0)
        if not weighty.all():
            positive, scores = positive[weighty], scores[weighty]
            parts = tuple(part[weighty] for part in parts)
    # Equal scores move together, so the order among them does not matter and the sort need not be stable.
    keys = scores.keys() if isinstance(scores, Decimals) else (scores,)
    order = (numpy.argsort(keys[0]) if len(keys) == 1 else numpy.lexsort(keys))[::-1]
    differs = numpy.zeros(len(order) - 1, dtype=bool)
    for key in keys:
        ranked = key[order]
        differs |= ranked[1:] != ranked[:-1]
    ends = numpy.append(numpy.flatnonzero(differs), len(order) - 1)
    positive = positive[order]
    if parts is None:
        ups = [positive.cumsum(dtype=numpy.int64)[ends]]
        downs = [ends + 1 - ups[0]]
    else:
        ups, downs = [], []
        for part in parts:
            # `limbs_of` has proven that the sum of each part is below `LIMIT`.
            ordered = part[order]
            ups.append((ordered * positive).cumsum()[ends])
            downs.append(ordered.cumsum()[ends] - ups[-1])
    tp, fp = joined(ups), joined(downs)
    return Ranking(scores[order[ends]], tp, fp, int(tp[-1]), int(fp[-1]), unit)
