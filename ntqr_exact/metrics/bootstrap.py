"""The bootstrap: seeded resamples that are the same everywhere, and the intervals made of resampled values.

Rows are drawn by `ntqr_exact.exact.seeded_draws`: every row is equally likely, exactly. Textbooks and programs define a
sample quantile in nine ways (Hyndman and Fan, Sample quantiles in statistical packages, The American Statistician 50
(1996), 361-365); a percentile interval depends on which one is meant. Source: Bias-Adjusted Metrics, Bootstrap.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import accumulate
from math import ceil, floor
from operator import itemgetter
from typing import Any, ClassVar, TypeAlias, TypeVar

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.columns.inputs import (
    BINARY,
    Classes,
    flags,
    label_list,
    refuse_other_index,
    refuse_other_length,
)
from ntqr_exact.columns.whole_numbers import array_or_list, taken, total
from ntqr_exact.errors import BadNumber, BadSamples, NotSupported, UndefinedMetric
from ntqr_exact.exact.rational import RationalLike, probability, rational, whole_number
from ntqr_exact.exact.seeded_draws import bits_from, drawn_below
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.formulas import MetricValue
from ntqr_exact.metrics.ranking import ScoresLike, rank_column, score_column
from ntqr_exact.metrics.weights import SampleWeights, WeightsLike, exact_weights
from ntqr_exact.sweep import sweep

_Item = TypeVar("_Item")
Statistic: TypeAlias = "Callable[..., RationalLike | Surd | Undefined]"
"""A function of a resampled list, and of its weights if there are any: an exact number, or an `Undefined`."""

Weighing: TypeAlias = "Callable[[list[Any]], WeightsLike]"
"""A function of a resampled list to its weights; `BadSamples` from it (a stratum without samples) means: draw again."""

_CHUNK = 32
_MOST_REDRAWS = 1000


# -- quantiles and intervals --------------------------------------------------------------------


class QuantileDefinition(Enum):
    """Which number is meant by the quantile at p of x₁ ≤ … ≤ x_n; the values are Hyndman and Fan's types."""

    INVERSE_CDF = 1
    """The smallest value v with P(X ≤ v) ≥ p: x_⌈np⌉, and x₁ at p = 0."""

    AVERAGED_INVERSE_CDF = 2
    """The same, but where np is whole, the mean of the two neighbours x_np and x_np+1."""

    LINEAR = 7
    """x_k + (h − k)(x_k+1 − x_k) with h = (n−1)p + 1 and k = ⌊h⌋; the default of R, numpy and Excel."""


def quantile(
    terms: Sequence[tuple[mpq, Any]],
    level: RationalLike,
    definition: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
) -> mpq:
    """Return the quantile of ascending values that occur with whole weights, P(X = v) = weight/total.

    >>> terms = [(mpq(1), 1), (mpq(2), 1), (mpq(4), 1), (mpq(8), 1)]
    >>> [str(quantile(terms, "1/4", definition)) for definition in QuantileDefinition]
    ['1', '3/2', '7/4']

    Raises `BadSamples` for no values, `BadNumber` for a level outside [0, 1].
    """
    definition, cumulated = (
        chosen(definition, QuantileDefinition),
        list(accumulate(map(itemgetter(1), terms))),
    )
    p, n = probability(level, "the level of a quantile"), cumulated[-1] if cumulated else 0
    if n == 0:
        raise BadSamples(terms, "a quantile needs at least one number")

    def at(rank: Any) -> mpq:
        return terms[bisect_left(cumulated, rank)][0]

    if definition is QuantileDefinition.LINEAR:
        place = (n - 1) * p
        below, above = at(floor(place) + 1), at(min(floor(place) + 2, n))
        return below + (place - floor(place)) * (above - below)
    lower = at(max(ceil(n * p), 1))
    if definition is QuantileDefinition.INVERSE_CDF:
        return lower
    return (lower + at(min(floor(n * p) + 1, n))) / 2


class BootstrapMethod(Enum):
    """How the quantiles q_α, q_1−α of the bootstrap become an interval around the estimate x̄.

    Bias-Adjusted Metrics, section Bootstrap, says percentile and prints the basic one.
    """

    PERCENTILE = "percentile"
    """From q_α to q_1−α."""

    BASIC = "basic"
    """From 2x̄ − q_1−α to 2x̄ − q_α, also called pivotal."""


class UndefinedResamples(Enum):
    """What becomes of resamples on which the statistic is undefined: left out, an error, or counted as a number."""

    OMIT = "omit"
    ERROR = "error"
    ZERO = "0"
    ONE = "1"


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """An interval with exact ends, and how it was made."""

    lower: mpq
    upper: mpq
    level: mpq
    method: BootstrapMethod


def tails(level: RationalLike) -> tuple[mpq, mpq]:
    """Return the levels of the two quantiles, α = (1 − level)/2 and 1 − α.

    >>> tails("0.95")
    (mpq(1,40), mpq(39,40))
    """
    number = rational(level)
    if not 0 < number < 1:
        raise BadNumber(level, "a level must be strictly between 0 and 1", "write 0.95 for 95 %")
    return (1 - number) / 2, (1 + number) / 2


class Resampled:
    """What resampled values and exact distributions have in common: values with weights, and intervals."""

    __slots__ = ()
    interpolates: ClassVar[bool] = True
    estimate: Any
    undefined_weight: Any

    def terms(self) -> Sequence[tuple[mpq, Any]]:
        """Return the defined values in ascending order, each with its whole weight."""
        raise NotImplementedError

    def quantiles(
        self,
        levels: Sequence[RationalLike],
        *,
        definition: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
        undefined: UndefinedResamples = UndefinedResamples.OMIT,
    ) -> tuple[mpq, ...]:
        """Return the quantiles at several levels.

        Raises `UndefinedMetric` where no resample is defined, or an undefined one is refused by the policy.
        """
        policy, terms = chosen(undefined, UndefinedResamples), self.terms()
        if chosen(definition, QuantileDefinition) is QuantileDefinition.LINEAR and not self.interpolates:
            raise NotSupported(
                definition, "a distribution has no neighbours to interpolate between", "use INVERSE_CDF"
            )
        if self.undefined_weight and policy is UndefinedResamples.ERROR:
            raise UndefinedMetric(
                self.undefined_weight, "the statistic is undefined on some resamples", "use omit, 0 or 1"
            )
        if self.undefined_weight and policy is not UndefinedResamples.OMIT:
            terms = sorted([*terms, (mpq(policy.value), self.undefined_weight)], key=itemgetter(0))
        if not terms:
            raise UndefinedMetric(self.estimate, "the statistic is undefined on every resample")
        return tuple(quantile(terms, level, definition) for level in levels)

    def interval(
        self,
        level: RationalLike = "0.95",
        *,
        method: BootstrapMethod = BootstrapMethod.PERCENTILE,
        quantiles: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
        undefined: UndefinedResamples = UndefinedResamples.OMIT,
    ) -> BootstrapInterval:
        """Return the percentile or basic interval at a level, with exact ends.

        Raises what `quantiles` raises, and `UndefinedMetric` for a basic interval around an undefined estimate.
        """
        low, high = self.quantiles(tails(level), definition=quantiles, undefined=undefined)
        method = chosen(method, BootstrapMethod)
        if method is BootstrapMethod.BASIC:
            if isinstance(self.estimate, Undefined):
                raise UndefinedMetric(
                    self.estimate,
                    f"a basic interval needs an estimate, but {self.estimate.value}",
                    "use the percentile one",
                )
            low, high = 2 * self.estimate - high, 2 * self.estimate - low
        return BootstrapInterval(low, high, rational(level), method)


# -- resampling ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BootstrapSample(Resampled):
    """A statistic of a sample, and of its resamples: the defined values in order, how many are undefined or redrawn."""

    estimate: MetricValue
    values: tuple[mpq, ...]
    undefined: int
    redrawn: int = 0

    @property
    def undefined_weight(self) -> int:
        """How many resamples are undefined."""
        return self.undefined

    def terms(self) -> list[tuple[mpq, int]]:
        """Return the defined values in ascending order, each with the weight 1."""
        return [(value, 1) for value in self.values]

    @property
    def resamples(self) -> int:
        """How many resamples were drawn."""
        return len(self.values) + self.undefined

    @property
    def mean(self) -> MetricValue:
        """The mean over the resamples on which the statistic is defined.

        Maaz et al. 2023, section 4, recommend it in place of the estimate of ATC: it errs less at random.
        """
        return sum(self.values, mpq(0)) / len(self.values) if self.values else Undefined.NO_SAMPLES


def bootstrap(
    sample: Sequence[_Item],
    statistic: Statistic,
    *,
    resamples: RationalLike,
    seed: RationalLike,
    strata: Sequence[Hashable] | None = None,
    weights: Weighing | None = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> BootstrapSample:
    """Return the statistic of a sample and of `resamples` lists drawn from it with replacement.

    >>> mean = lambda items: mpq(sum(items), len(items))
    >>> result = bootstrap([0, 0, 1, 3], mean, resamples=200, seed=1)
    >>> result.estimate, result.interval("0.9").upper
    (mpq(1,1), mpq(2,1))

    With `strata`, one name for each item, each stratum is resampled alone and keeps its size. `weights`, a function of
    a resampled list, computes the weights anew for each resample, and the statistic is called with the list and its
    weights; a resample for which it raises `BadSamples`, such as one without a stratum, is drawn again and counted in
    `redrawn`. `progress` is called with 1 after each resample; an exception from it ends the run. With an `executor`
    (see `sweep`) the result is the same, and the statistic must be picklable. Raises `BadSamples` for an empty sample,
    strata of another length or no resamples, and refuses a frame and a statistic that returns a float.
    """
    if hasattr(sample, "columns"):
        raise BadSamples(
            type(sample).__name__,
            "a frame is not a sequence of its rows",
            "give the rows, for example list(frame.itertuples(index=False))",
        )
    items = list(sample)
    weighing = None if weights is None else (lambda rows: weights(_items(items, rows)))
    return bootstrap_rows(
        len(items),
        _OfItems(items, statistic),
        resamples=resamples,
        seed=seed,
        strata=strata,
        weights=weighing,
        progress=progress,
        executor=executor,
    )


@dataclass(frozen=True, slots=True)
class _OfItems:
    """A statistic of items as one of their rows; not a closure, so that it can travel to other processes."""

    items: list[Any]
    statistic: Statistic

    def __call__(self, rows: Any, *weights: SampleWeights) -> RationalLike | Surd | Undefined:
        return self.statistic(_items(self.items, rows), *weights)


def _items(items: list[Any], rows: Any) -> list[Any]:
    return [items[row] for row in (rows if isinstance(rows, list) else rows.tolist())]


def bootstrap_rows(
    size: int,
    statistic: Statistic,
    *,
    resamples: RationalLike,
    seed: RationalLike,
    strata: Sequence[Hashable] | None = None,
    weights: Weighing | None = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> BootstrapSample:
    """Return the bootstrap of the rows 0 to size − 1, each resample as it is drawn: an array if it is long."""
    count = whole_number(resamples)
    if count == 0 or size == 0:
        raise BadSamples(count and size, "a bootstrap needs at least one item and one resample")
    check_work(f"a bootstrap with {count} resamples", count * (size // 2 + 2))
    groups, bits = _groups(size, strata), bits_from(seed)
    draw = _Draws(groups, bits, weights)
    estimate = _measure(statistic, draw.weighed(list(range(size))))
    values: list[Any] = []
    drawn = (draw() for _ in range(count))
    for value in sweep(partial(_measure, statistic), drawn, executor=executor, chunk=_CHUNK):
        values.append(value)
        if progress is not None:
            progress(1)
    defined = sorted(value for value in values if not isinstance(value, Undefined))
    return BootstrapSample(estimate, tuple(defined), count - len(defined), draw.redrawn)


def _measure(statistic: Statistic, drawn: tuple[Any, ...]) -> Any:
    value = statistic(*drawn)
    return value if isinstance(value, Undefined | Surd) else rational(value)


def _groups(size: int, strata: Sequence[Hashable] | None) -> list[list[int] | range]:
    """Return the rows of each stratum, strata in the order in which they first come up."""
    if strata is None:
        return [range(size)]
    names = label_list(strata)
    refuse_other_length(strata=len(names), items=size)
    groups: dict[Hashable, list[int] | range] = {}
    for row, name in enumerate(names):
        groups.setdefault(name, []).append(row)  # type: ignore[union-attr]
    return list(groups.values())


@dataclass(slots=True)
class _Draws:
    """Draws one resample after another, each with its weights if these are computed anew."""

    groups: list[list[int] | range]
    bits: random.Random
    weights: Weighing | None
    redrawn: int = 0

    def __call__(self) -> tuple[Any, ...]:
        for _ in range(_MOST_REDRAWS):
            try:
                return self.weighed(self._rows())
            except BadSamples as error:
                refused = error
                self.redrawn += 1
        raise refused

    def weighed(self, rows: Any) -> tuple[Any, ...]:
        return (rows,) if self.weights is None else (rows, exact_weights(self.weights(rows), len(rows)))

    def _rows(self) -> Any:
        if len(self.groups) == 1 and isinstance(self.groups[0], range):
            return drawn_below(self.bits, len(self.groups[0]), len(self.groups[0]))
        drawn = [(group, drawn_below(self.bits, len(group), len(group))) for group in self.groups]
        return [group[row] for group, rows in drawn for row in rows]


class BootstrappedArea(Enum):
    """Which area is resampled; that under precision by trapezoids starts at (0, 1)."""

    AVERAGE_PRECISION = "average_precision"
    PR_AUC = "pr_auc"
    ROC_AUC = "roc_auc"


_AREA_OF: dict[BootstrappedArea, Callable[[Any], Any]] = {
    BootstrappedArea.AVERAGE_PRECISION: ranking_average_precision,
    BootstrappedArea.PR_AUC: ranking_pr_auc,
    BootstrappedArea.ROC_AUC: ranking_roc_auc,
}


def bootstrap_area(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    resamples: RationalLike,
    seed: RationalLike,
    area: BootstrappedArea = BootstrappedArea.AVERAGE_PRECISION,
    strata: Sequence[Hashable] | None = None,
    weights: Weighing | None = None,
    classes: Classes = BINARY,
    pos_label: Any = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> BootstrapSample:
    """Return an area and those of resampled samples: by default the average precision.

    >>> found = bootstrap_area([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], ["1/2", 1, 1, 2, 1], resamples=100, seed=1)
    >>> found.estimate, found.interval("0.9").lower
    (mpq(171,275), mpq(1,3))

    `area` may be "roc_auc" or "pr_auc". Each sample keeps its `sample_weight`; with `weights`, a function of the drawn
    rows such as `ResampledWeights(strata, populations)`, weights are computed anew for each resample. See `bootstrap`
    for the other options.
    """
    refuse_other_index(labels, scores, sample_weight)
    positive, column = flags(labels, classes, pos_label), score_column(scores)
    refuse_other_length(labels=len(positive), scores=len(column))
    if isinstance(column, list):  # ranks are quicker to compare than scores
        rank_of = {score: rank for rank, score in enumerate(sorted(set(column)))}
        column = array_or_list([rank_of[score] for score in column])
    given = None if sample_weight is None else exact_weights(sample_weight, len(column))
    return bootstrap_rows(
        len(column),
        _AreaOfRows(positive, column, given, chosen(area, BootstrappedArea)),
        resamples=resamples,
        seed=seed,
        strata=strata,
        weights=weights,
        progress=progress,
        executor=executor,
    )


@dataclass(frozen=True, slots=True)
class _AreaOfRows:
    """The area of the samples in some rows."""

    positive: Any
    scores: Any
    weights: SampleWeights | None
    area: BootstrappedArea

    def __call__(self, rows: Any, weights: SampleWeights | None = None) -> Any:
        if weights is None and self.weights is not None:
            weights = SampleWeights(taken(self.weights.units, rows), self.weights.unit)
        if weights is not None and not total(weights.units):
            return Undefined.NO_SAMPLES
        ranking = rank_column(taken(self.positive, rows), taken(self.scores, rows), weights)
        return _AREA_OF[self.area](ranking)
