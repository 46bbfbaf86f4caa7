"""Exact ROC, precision-recall and DET curves: a point for each distinct score, ties together.

>>> fpr, tpr, thresholds = roc_curve([1, 0, 1], ["0.9", "0.9", "0.1"])
>>> fpr, tpr, thresholds
([mpq(0,1), mpq(1,1), mpq(1,1)], [mpq(0,1), mpq(1,2), mpq(1,1)], [None, mpq(9,10), mpq(1,10)])
>>> list(precision_recall_curve([1, 0, 1], ["0.9", "0.9", "0.1"]).points())
[(mpq(1,2), mpq(1,2)), (mpq(1,1), mpq(2,3))]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.quotients import fractions
from ntqr_exact.columns.whole_numbers import Array, Column, WideColumn, as_list
from ntqr_exact.metrics.classes import BINARY, Classes
from ntqr_exact.metrics.formulas import Metric, metric
from ntqr_exact.metrics.ranking import Ranking, Score, ScoresLike, rank
from ntqr_exact.metrics.undefined import MetricValue
from ntqr_exact.metrics.weights import WeightsLike


@dataclass(frozen=True, slots=True)
class Curve:
    """Two metrics along the thresholds, from the highest score down; it unpacks into across, up, thresholds.

    `starts_empty` adds the point at which nothing is predicted to be positive, where both metrics exist. Its threshold
    is above every score, and is given as `None`.
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

    def columns(self) -> tuple[tuple[Column, Column], tuple[Column, Column]]:
        """Return both metrics at all scores as columns of whole numerators and denominators.

        This is the whole curve, exactly, without a fraction being made for each point.
        """
        return self.ranking.ratios(self.across), self.ranking.ratios(self.up)

    def without_intermediate(self) -> Curve:
        """Return the curve without points that lie on the straight line between their neighbours.

        Both metrics are then shares of one fixed total, as in ROC and DET. The ends stay.
        """
        ranking, first = self.ranking, int(self.starts_empty)
        ups, downs = as_list(ranking.true_positives), as_list(ranking.false_positives)
        corners = [(0, 0)] * first + list(zip(downs, ups, strict=True))
        moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)]
        turns = (a[0] * b[1] != a[1] * b[0] for a, b in pairwise(moves))
        kept = [
            place - first
            for place, turns_here in enumerate((True, *turns, True)[: len(corners)])
            if turns_here and place >= first
        ]
        return replace(
            self,
            ranking=replace(
                ranking,
                scores=[ranking.scores[place] for place in kept],
                true_positives=[ups[place] for place in kept],
                false_positives=[downs[place] for place in kept],
            ),
        )

    def _values(self, of: Metric) -> list[MetricValue]:
        first = []
        if self.starts_empty:
            ranking = self.ranking
            empty = Ranking([None], [0], [0], ranking.positives, ranking.negatives, ranking.unit)
            first = _quotients(of, *empty.ratios(of))
        return first + _quotients(of, *self.ranking.ratios(of))


def _quotients(of: Metric, above: Column, below: Column) -> list[MetricValue]:
    """Return the fractions; one that stays the same along an array is made once."""
    if isinstance(above, (list, WideColumn)) or isinstance(below, (list, WideColumn)):
        above, below = as_list(above), as_list(below)
        if all(below):
            return list(map(mpq, above, below))
        return [mpq(a, b) if b else of.undefined for a, b in zip(above, below, strict=True)]
    import numpy

    changes = (above[1:] != above[:-1]) | (below[1:] != below[:-1])
    if changes.all():
        return _distinct(of, above, below)
    starts = numpy.flatnonzero(numpy.append(True, changes))
    values = numpy.fromiter(_distinct(of, above[starts], below[starts]), dtype=object, count=len(starts))
    repeated: list[MetricValue] = values.repeat(numpy.diff(starts, append=len(above))).tolist()
    return repeated


def _distinct(of: Metric, above: Array, below: Array) -> list[MetricValue]:
    if below.all():
        return [*fractions(above, below)]
    return _quotients(of, above.tolist(), below.tolist())


def roc_curve(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    classes: Classes = BINARY,
    pos_label: Any = None,
    drop_intermediate: bool = False,
) -> Curve:
    """Return the receiver operating characteristic: false positive rate across, recall up, from (0, 0).

    `drop_intermediate` leaves out points on a straight line between others. Source: ORES, section 1.5. Raises what
    `rank` raises.
    """
    ranking = rank(labels, scores, sample_weight, classes=classes, pos_label=pos_label)
    curve = Curve(ranking, metric("fpr"), metric("recall"), starts_empty=True)
    return curve.without_intermediate() if drop_intermediate else curve


def precision_recall_curve(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> Curve:
    """Return the curve of recall across and precision up, from the highest score on.

    No point at recall 0 is made up; `pr_auc` takes one by name. Source: ORES, section 1.6; Bias-Adjusted
    Metrics, AUPR. Raises what `rank` raises.
    """
    ranking = rank(labels, scores, sample_weight, classes=classes, pos_label=pos_label)
    return Curve(ranking, metric("recall"), metric("precision"), starts_empty=False)


def det_curve(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    classes: Classes = BINARY,
    pos_label: Any = None,
    drop_intermediate: bool = False,
) -> Curve:
    """Return the detection error tradeoff: false positive rate across, false negative rate up.

    >>> list(det_curve([1, 0, 1], ["0.9", "0.5", "0.1"]).points())[1]
    (mpq(0,1), mpq(1,2))
    """
    ranking = rank(labels, scores, sample_weight, classes=classes, pos_label=pos_label)
    curve = Curve(ranking, metric("fpr"), metric("fnr"), starts_empty=True)
    return curve.without_intermediate() if drop_intermediate else curve
