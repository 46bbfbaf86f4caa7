"""Exact ROC and precision-recall curves: a point for each distinct score, ties together.

>>> list(roc_curve([1, 0, 1], ["0.9", "0.9", "0.1"]).points())
[(mpq(0,1), mpq(0,1)), (mpq(1,1), mpq(1,2)), (mpq(1,1), mpq(1,1))]
>>> list(precision_recall_curve([1, 0, 1], ["0.9", "0.9", "0.1"]).points())
[(mpq(1,2), mpq(1,2)), (mpq(1,1), mpq(2,3))]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ntqr_exact.columns.whole_numbers import Column
from ntqr_exact.exact.arguments import checked
from ntqr_exact.metrics.classes import BINARY, Classes
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import Metric, metric
from ntqr_exact.metrics.ranking import Ranking, ScoresLike, rank
from ntqr_exact.metrics.undefined import MetricValue
from ntqr_exact.metrics.weights import WeightsLike


@dataclass(frozen=True, slots=True)
class Curve:
    """Two metrics along the thresholds, from the highest score down.

    `starts_empty` adds the point at which nothing is predicted to be positive, where both metrics exist.
    """

    ranking: Ranking
    across: Metric
    up: Metric
    starts_empty: bool

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.ranking) + self.starts_empty

    def points(self) -> Iterator[tuple[MetricValue, MetricValue]]:
        """Yield the points (across, up), exactly."""
        if self.starts_empty:
            unit = self.ranking.unit
            yield self._point(
                ConfusionMatrix(
                    tp=0, fp=0, fn=self.ranking.positives * unit, tn=self.ranking.negatives * unit
                )
            )
        for row in self.ranking:
            yield self._point(row.confusion)

    def columns(self) -> tuple[tuple[Column, Column], tuple[Column, Column]]:
        """Return both metrics at all scores as columns of whole numerators and denominators.

        This is the whole curve, exactly, without a fraction being made for each point.
        """
        return self.ranking.ratios(self.across), self.ranking.ratios(self.up)

    def _point(self, confusion: ConfusionMatrix) -> tuple[MetricValue, MetricValue]:
        return confusion.measure(self.across), confusion.measure(self.up)


@checked
def roc_curve(
    labels: Iterable[Any], scores: ScoresLike, weights: WeightsLike = None, *, classes: Classes = BINARY
) -> Curve:
    """Return the receiver operating characteristic: false positive rate across, recall up, from (0, 0).

    Source: ORES, section 1.5. Raises what `rank` raises.
    """
    ranking = rank(labels, scores, weights, classes=classes)
    return Curve(ranking, metric("fpr"), metric("recall"), starts_empty=True)


@checked
def precision_recall_curve(
    labels: Iterable[Any], scores: ScoresLike, weights: WeightsLike = None, *, classes: Classes = BINARY
) -> Curve:
    """Return the curve of recall across and precision up, from the highest score on.

    No point at recall 0 is made up; `pr_auc` takes one by name. Source: ORES, section 1.6; Bias-Adjusted
    Metrics, AUPR. Raises what `rank` raises.
    """
    ranking = rank(labels, scores, weights, classes=classes)
    return Curve(ranking, metric("recall"), metric("precision"), starts_empty=False)
