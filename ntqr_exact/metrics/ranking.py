"""Samples ranked by score, ties together, and the curves along their thresholds: ROC, precision-recall and DET.

All curves, areas and queries are read off one table: what lies at or above each distinct score. Scores are only
compared, never added, so that they may be anything exact that has an order.

>>> ranking = rank([1, 0, 1], ["0.9", "0.9", "0.1"])
>>> ranking.thresholds(), ranking.confusion(0)
([mpq(9,10), mpq(1,10)], ConfusionMatrix(tp=1, fp=1, fn=1, tn=0))
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import (
    FloatValues,
    as_array,
    as_list,
    flags,
    float_column,
    refuse_other_index,
    refuse_other_length,
)
from ntqr_exact.columns.whole_numbers import (
    Array,
    Column,
    Multiples,
    WideColumn,
    as_column,
    fractions,
    taken,
    times,
)
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational, rational_from_float
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.confusion import ConfusionMatrix, population_factors
from ntqr_exact.metrics.formulas import CELLS, Cells, Metric, MetricValue, metric
from ntqr_exact.metrics.weights import WeightsLike, exact_weights

Score: TypeAlias = "mpq | Surd"
ScoresLike: TypeAlias = "FloatValues | Multiples | Iterable[RationalLike | Surd]"
"""A score for each sample: exact numbers or texts of them, or a column of floats (see `float_scores`)."""

_LARGEST_COEFFICIENT = 2


class Rule(Choice):
    """Which scores are predicted to be positive at a threshold."""

    AT_LEAST = ">="
    ABOVE = ">"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking:
    """The distinct scores from the highest down, and the whole units of weight at or above each, by label.

    Samples of weight zero are left out, as if they were not there.
    """

    scores: list[Any] | Array | Multiples
    true_positives: Column
    false_positives: Column
    positives: int
    negatives: int
    unit: mpq

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranking) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(len(self))

    def _identity(self) -> tuple[Any, ...]:
        weights = self.positives, self.negatives, *self.true_positives, *self.false_positives
        return self.thresholds(), [weight * self.unit for weight in weights]

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
        last = place if Rule(rule) is Rule.AT_LEAST else place - 1
        tp, fp = (self.true_positives[last], self.false_positives[last]) if last >= 0 else (0, 0)
        cells = tp, fp, self.positives - tp, self.negatives - fp
        return ConfusionMatrix(**{name: n * self.unit for name, n in zip(CELLS, cells, strict=True)})

    def to_document(self) -> dict[str, Any]:
        """Return the distinct scores, and the weights at or above each and in all by label, as a JSON document."""
        names = ("true_positives", "false_positives", "positives", "negatives")
        by_label = self.true_positives, self.false_positives
        columns = [[int(n) * self.unit for n in column] for column in by_label]
        totals = self.positives * self.unit, self.negatives * self.unit
        return {"thresholds": self.thresholds(), **dict(zip(names, (*columns, *totals), strict=True))}

    def confusions(self) -> list[ConfusionMatrix]:
        """Return the matrix at each threshold, from the highest down."""
        return [self.confusion(place) for place in range(len(self))]

    def at(self, threshold: RationalLike | Surd, *, rule: Rule = Rule.AT_LEAST) -> ConfusionMatrix:
        """Return the matrix at any threshold, whether or not it is a score.

        >>> rank([1, 0, 1], ["0.9", "0.5", "0.1"]).at("1/2", rule=Rule.ABOVE)
        ConfusionMatrix(tp=1, fp=0, fn=1, tn=1)
        """
        bound, inclusive = exact_score(threshold), Rule(rule) is Rule.AT_LEAST

        def is_negative(place: int) -> bool:
            score = self.threshold(place)
            return score < bound if inclusive else score <= bound

        # The scores run down, so this is false at first and true from some place on.
        return self.confusion(bisect_left(range(len(self)), True, key=is_negative) - 1)

    def at_population_rate(self, rate: RationalLike) -> Ranking:
        """Return the ranking with `ConfusionMatrix.at_population_rate` at every threshold."""
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
        # FN = P − TP and TN = N − FP. No coefficient of an array is beyond ±2, and P and N are below 2^60 in a limb:
        # each of the two products is within ±2^61, the constant below 2^62.
        by_tp, by_fp = cells.tp - cells.fn, cells.fp - cells.tn
        tp, fp = self.true_positives, self.false_positives
        small = max(cells.tp, cells.fp, cells.fn, cells.tn) <= _LARGEST_COEFFICIENT
        if small and isinstance(tp, WideColumn) and isinstance(fp, WideColumn):
            # The lowest score has all weight at or above it: the last of each limb is the limb of P, of N.
            return WideColumn(
                tuple(
                    by_tp * up + by_fp * down + (cells.fn * int(up[-1]) + cells.tn * int(down[-1]))
                    for up, down in zip(tp.limbs, fp.limbs, strict=True)
                )
            )
        constant = cells.fn * self.positives + cells.tn * self.negatives
        return [by_tp * up + by_fp * down + constant for up, down in zip(tp, fp, strict=True)]

    def __repr__(self) -> str:
        up, down = self.positives * self.unit, self.negatives * self.unit
        return f"<{len(self)} thresholds, positives {up}, negatives {down}>"


def rank(
    labels: Iterable[Any], scores: ScoresLike, sample_weight: WeightsLike = None, *, pos_label: Any = None
) -> Ranking:
    """Return the samples ranked by score, equal scores together.

    Labels are 0 and 1; with `pos_label`, the other label is whatever else occurs. Raises `BadSamples` for no samples,
    lengths that differ, another label, or weights that are negative or all zero; `FloatRefused` for a list of floats.
    """
    samples = scored_samples(labels, scores, sample_weight, pos_label)
    if not len(samples[1]):
        raise BadSamples(0, "scores must have at least one sample")
    return rank_column(*samples)


def scored_samples(labels: Any, scores: Any, sample_weight: Any, pos_label: Any) -> tuple[Any, Any, Any]:
    """Return flags, scores that can be compared, and weights if there are any, all checked."""
    refuse_other_index(labels, scores, sample_weight)
    positive, column = flags(labels, pos_label), score_column(scores)
    refuse_other_length(labels=len(positive), scores=len(column))
    return positive, column, None if sample_weight is None else exact_weights(sample_weight, len(column))


def rank_column(positive: Any, scores: Any, weights: Multiples | None) -> Ranking:
    """Return the ranking of `scored_samples`."""
    return (_rank_list if isinstance(scores, list) else _rank_array)(positive, scores, weights)


def exact_score(value: RationalLike | Surd) -> Score:
    """Return a score as an exact number; a real surd is one, too."""
    if not isinstance(value, Surd):
        return rational(value)
    if not value.is_real:
        raise BadNumber(value, "a score must be real: an imaginary number has no order")
    return value.rational if value.is_rational else value


def score_column(scores: ScoresLike) -> list[Any] | Array | Multiples:
    """Return what can be compared exactly: an array of integers or declared floats, decimals, or a list."""
    if isinstance(scores, Multiples):
        return list(scores) if isinstance(scores.units, list) else scores
    scores = float_column(scores)
    if isinstance(scores, FloatValues):
        return scores.values
    array = as_array(scores)
    if array is not None and array.dtype.kind in "iu":
        return array
    return list(map(exact_score, as_list(scores)))


def _rank_list(positive: Any, scores: Any, weights: Multiples | None) -> Ranking:
    by_label: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    units: Any = [1] * len(scores) if weights is None else weights.units
    for is_positive, score, weight in zip(positive, scores, units, strict=True):
        if weight:
            side = by_label[bool(is_positive)]
            side[score] = side.get(score, 0) + weight
    distinct = sorted({**by_label[False], **by_label[True]}, reverse=True)
    fp, tp = (list(accumulate(side.get(score, 0) for score in distinct)) for side in by_label)
    return Ranking(distinct, tp, fp, tp[-1], fp[-1], mpq(1) if weights is None else weights.unit)


def _rank_array(positive: Any, scores: Any, weights: Multiples | None) -> Ranking:
    import numpy

    positive = numpy.asarray(positive, dtype=bool)
    units: Any = numpy.ones(len(positive), dtype=numpy.int64) if weights is None else weights.units
    limbs = (units if isinstance(units, WideColumn) else as_column(units)).limbs
    some = numpy.any([limb != 0 for limb in limbs], axis=0)
    if not some.all():
        positive, scores = positive[some], taken(scores, some)
        limbs = tuple(limb[some] for limb in limbs)
    # Equal scores move together, so the order among them does not matter and the sort need not be stable.
    keys: Any = scores.units.limbs if isinstance(scores, Multiples) else (scores,)  # type: ignore[union-attr]
    order = (numpy.argsort(keys[0]) if len(keys) == 1 else numpy.lexsort(keys))[::-1]
    differs = numpy.zeros(len(order) - 1, dtype=bool)
    for key in keys:
        ranked = key[order]
        differs |= ranked[1:] != ranked[:-1]
    ends = numpy.append(numpy.flatnonzero(differs), len(order) - 1)
    positive = positive[order]
    ordered = [limb[order] for limb in limbs]  # the sum of each is below `LIMIT`
    ups = [(limb * positive).cumsum()[ends] for limb in ordered]
    downs = [limb.cumsum()[ends] - up for limb, up in zip(ordered, ups, strict=True)]
    tp, fp = WideColumn(tuple(ups)), WideColumn(tuple(downs))
    unit = mpq(1) if weights is None else weights.unit
    return Ranking(taken(scores, order[ends]), tp, fp, tp[-1], fp[-1], unit)


# -- curves -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Curve:
    """Two metrics along the thresholds, from the highest score down; it unpacks into across, up, thresholds.

    `starts_empty` adds the point at which nothing is predicted to be positive; its threshold is `None`.
    """

    ranking: Ranking
    across: Metric
    up: Metric
    starts_empty: bool

    def __len__(self) -> int:
        return len(self.ranking) + self.starts_empty

    def points(self) -> Iterator[tuple[MetricValue, MetricValue]]:
        """Yield the points (across, up), exactly."""
        return zip(self._values(self.across), self._values(self.up), strict=True)

    def thresholds(self) -> list[Score | None]:
        """Return the threshold of each point: the distinct scores, from the highest down."""
        return [*[None] * self.starts_empty, *self.ranking.thresholds()]

    def __iter__(self) -> Iterator[list[Any]]:
        yield self._values(self.across)
        yield self._values(self.up)
        yield self.thresholds()

    def to_document(self) -> dict[str, Any]:
        """Return both metrics and the thresholds as a JSON document."""
        return dict(zip((self.across.name, self.up.name, "thresholds"), self, strict=True))

    def columns(self) -> tuple[tuple[Column, Column], tuple[Column, Column]]:
        """Return both metrics at all scores as columns of whole numerators and denominators."""
        return self.ranking.ratios(self.across), self.ranking.ratios(self.up)

    def _values(self, of: Metric) -> list[MetricValue]:
        first = []
        if self.starts_empty:
            ranking = self.ranking
            empty = Ranking([None], [0], [0], ranking.positives, ranking.negatives, ranking.unit)
            first = _quotients(of, *empty.ratios(of))
        return first + _quotients(of, *self.ranking.ratios(of))


def _quotients(of: Metric, above: Column, below: Column) -> list[MetricValue]:
    """Return the fractions; one that stays the same along an array is made once."""
    if isinstance(above, list) or isinstance(below, list) or len(above.limbs) > 1 or not below.limbs[0].all():
        return [mpq(a, b) if b else of.undefined for a, b in zip(above, below, strict=True)]
    import numpy

    up, down = above.limbs[0], below.limbs[0]  # both have one limb, as columns of one ranking
    changes = (up[1:] != up[:-1]) | (down[1:] != down[:-1])
    if changes.all():
        return [*fractions(up, down)]
    starts = numpy.flatnonzero(numpy.append(True, changes))
    values = numpy.fromiter(fractions(up[starts], down[starts]), dtype=object, count=len(starts))
    return list(values.repeat(numpy.diff(starts, append=len(up))))


_ACROSS_AND_UP = {"roc": ("fpr", "recall"), "pr": ("recall", "precision"), "det": ("fpr", "fnr")}


def curve_of(kind: str, ranking: Ranking) -> Curve:
    """Return the curve "roc", "pr" or "det" of ranked samples; precision does not exist where nothing is positive."""
    across, up = map(metric, _ACROSS_AND_UP[kind])
    return Curve(ranking, across, up, starts_empty=kind != "pr")


def roc_curve(
    labels: Iterable[Any], scores: ScoresLike, sample_weight: WeightsLike = None, *, pos_label: Any = None
) -> Curve:
    """Return the receiver operating characteristic: false positive rate across, recall up, from (0, 0).

    >>> fpr, tpr, thresholds = roc_curve([1, 0, 1], ["0.9", "0.9", "0.1"])
    >>> fpr, tpr, thresholds
    ([mpq(0,1), mpq(1,1), mpq(1,1)], [mpq(0,1), mpq(1,2), mpq(1,1)], [None, mpq(9,10), mpq(1,10)])

    Every point is kept. Source: ORES, section 1.5. Raises what `rank` raises.
    """
    return curve_of("roc", rank(labels, scores, sample_weight, pos_label=pos_label))


def precision_recall_curve(
    labels: Iterable[Any], scores: ScoresLike, sample_weight: WeightsLike = None, *, pos_label: Any = None
) -> Curve:
    """Return the curve of recall across and precision up, from the highest score on.

    >>> list(precision_recall_curve([1, 0, 1], ["0.9", "0.9", "0.1"]).points())
    [(mpq(1,2), mpq(1,2)), (mpq(1,1), mpq(2,3))]

    No point at recall 0 is made up; `pr_auc` takes one by name. Source: ORES, section 1.6. Raises what `rank` raises.
    """
    return curve_of("pr", rank(labels, scores, sample_weight, pos_label=pos_label))


def det_curve(
    labels: Iterable[Any], scores: ScoresLike, sample_weight: WeightsLike = None, *, pos_label: Any = None
) -> Curve:
    """Return the detection error tradeoff: false positive rate across, false negative rate up, from (0, 1)."""
    return curve_of("det", rank(labels, scores, sample_weight, pos_label=pos_label))
