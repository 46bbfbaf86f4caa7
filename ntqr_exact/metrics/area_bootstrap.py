"""The bootstrap of an area under a curve, with importance weights: the interval that goes with a weighted AUPR.

Scores are ranked once. A resample is a list of places; its weights are added up rank by rank, and no score is compared
again. Source: Bias-Adjusted Metrics, section Bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.same_index import refuse_other_index
from ntqr_exact.columns.whole_numbers import as_list
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import Anchor, Form, ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.bootstrap import BootstrapSample, bootstrap
from ntqr_exact.metrics.classes import BINARY, Classes, flags, positive_classes
from ntqr_exact.metrics.exact_column import exact_column
from ntqr_exact.metrics.ranking import Ranking, ScoresLike
from ntqr_exact.metrics.undefined import MetricValue
from ntqr_exact.metrics.weights import WeightsLike, exact_weights


class BootstrappedArea(Enum):
    """Which area is resampled."""

    AVERAGE_PRECISION = "average_precision"
    PR_AUC = "pr_auc"
    """By trapezoids from (0, 1)."""

    ROC_AUC = "roc_auc"


def bootstrap_area(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    resamples: RationalLike,
    seed: RationalLike,
    area: BootstrappedArea = BootstrappedArea.AVERAGE_PRECISION,
    strata: Sequence[Hashable] | None = None,
    classes: Classes = BINARY,
    pos_label: Any = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | Callable[[], Executor] | None = None,
) -> BootstrapSample:
    """Return the area and those of resampled samples, each with its weight; see `bootstrap` for the options.

    >>> found = bootstrap_area([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], ["1/2", 1, 1, 2, 1], resamples=100, seed=1)
    >>> found.estimate, found.interval("0.9").lower
    (mpq(171,275), mpq(1,3))
    """
    refuse_other_index(labels, scores, sample_weight)
    known, numbers = as_list(labels), exact_column(scores)
    positive = flags(known, positive_classes(known, classes, pos_label))
    if len(positive) != len(numbers):
        raise BadSamples((len(positive), len(numbers)), "there is a score for each label")
    weights = exact_weights(sample_weight, len(numbers))
    place_of = {score: place for place, score in enumerate(sorted(set(numbers), reverse=True))}
    statistic = _AreaOfPlaces(
        tuple(place_of[score] for score in numbers),
        tuple(positive),
        tuple(weights),
        len(place_of),
        chosen(area, BootstrappedArea),
    )
    return bootstrap(
        range(len(numbers)),
        statistic,
        resamples=resamples,
        seed=seed,
        strata=strata,
        progress=progress,
        executor=executor,
    )


@dataclass(frozen=True, slots=True)
class _AreaOfPlaces:
    """The area of the samples at some places; a value and not a closure, so that it can travel to other processes."""

    ranks: tuple[int, ...]
    positive: tuple[bool, ...]
    units: tuple[int, ...]
    distinct: int
    area: BootstrappedArea

    def __call__(self, places: list[int]) -> MetricValue:
        held: tuple[list[int], list[int]] = ([0] * self.distinct, [0] * self.distinct)
        for place in places:
            held[self.positive[place]][self.ranks[place]] += self.units[place]
        kept = [rank for rank in range(self.distinct) if held[0][rank] or held[1][rank]]
        if not kept:
            return Undefined.NO_SAMPLES
        down, up = (list(accumulate(side[rank] for rank in kept)) for side in held)
        ranking = Ranking(kept, up, down, up[-1], down[-1], mpq(1))
        found: Any
        match self.area:
            case BootstrappedArea.ROC_AUC:
                found = ranking_roc_auc(ranking)
            case BootstrappedArea.PR_AUC:
                found = ranking_pr_auc(ranking, anchor=Anchor.ONE, form=Form.FRACTION)
            case BootstrappedArea.AVERAGE_PRECISION:
                found = ranking_average_precision(ranking, form=Form.FRACTION)
        return found  # type: ignore[no-any-return]
