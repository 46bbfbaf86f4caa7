"""The bootstrap: seeded resamples that are the same everywhere, and the intervals made of resampled values.

Rows are drawn by `ntqr_exact.exact.seeded_draws`: every row is equally likely, exactly. Two of the nine quantiles of
Hyndman and Fan (The American Statistician 50 (1996), 361-365) are here. Source: Bias-Adjusted Metrics, Bootstrap.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from math import ceil, floor
from operator import itemgetter
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import label_list, refuse_other_index, refuse_other_length
from ntqr_exact.columns.whole_numbers import Multiples, array_or_list, taken, total
from ntqr_exact.errors import BadChoice, BadNumber, BadSamples, NotASurd, UndefinedMetric
from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, probability, rational, whole_number
from ntqr_exact.exact.seeded_draws import bits_from, drawn_below
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.formulas import WhenUndefined, defined
from ntqr_exact.metrics.ranking import Ranking, ScoresLike, rank_column, scored_samples
from ntqr_exact.metrics.weights import WeightsLike, exact_weights
from ntqr_exact.sweep import sweep

Statistic: TypeAlias = "Callable[..., RationalLike | Surd | Undefined]"
"""A function of a resampled list, and of its weights if there are any: an exact number, or an `Undefined`."""

Weighing: TypeAlias = "Callable[[list[Any]], WeightsLike]"
"""A function of a resampled list to its weights; `BadSamples` from it (a stratum without samples) means: draw again."""

_CHUNK, _BITS = 32, 128
_MOST_REDRAWS = 1000


# -- quantiles and intervals --------------------------------------------------------------------


class QuantileDefinition(Choice):
    """Which number is meant by the quantile at p of x₁ ≤ … ≤ x_n; the values are Hyndman and Fan's types."""

    INVERSE_CDF = 1
    """The smallest value v with P(X ≤ v) ≥ p: x_⌈np⌉, and x₁ at p = 0."""

    AVERAGED_INVERSE_CDF = 2
    """The same, but where np is whole, the mean of the two neighbours x_np and x_np+1."""


def quantile(
    terms: Sequence[tuple[mpq, Any]],
    level: RationalLike,
    definition: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
) -> mpq:
    """Return the quantile of ascending values that occur with whole weights, P(X = v) = weight/total.

    >>> terms = [(mpq(1), 1), (mpq(2), 1), (mpq(4), 1), (mpq(8), 1)]
    >>> [str(quantile(terms, "1/4", definition)) for definition in QuantileDefinition]
    ['1', '3/2']

    Raises `BadSamples` for no values, `BadNumber` for a level outside [0, 1].
    """
    cumulated = list(accumulate(weight for _, weight in terms))
    p, n = probability(level, "the level of a quantile"), cumulated[-1] if cumulated else 0
    if n == 0:
        raise BadSamples(terms, "terms must have at least one number for a quantile")
    lower, upper = (
        terms[bisect_left(cumulated, rank)][0] for rank in (max(ceil(n * p), 1), min(floor(n * p) + 1, n))
    )
    is_averaged = QuantileDefinition(definition) is QuantileDefinition.AVERAGED_INVERSE_CDF
    return _sum([(lower, 1), (upper, 1)]) / 2 if is_averaged else lower


class BootstrapMethod(Choice):
    """Percentile: from q_α to q_1−α. Basic, or pivotal: from 2x̄ − q_1−α to 2x̄ − q_α around the estimate x̄.

    Bias-Adjusted Metrics, section Bootstrap, says percentile and prints the basic one.
    """

    PERCENTILE = "percentile"
    BASIC = "basic"


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """An interval with exact ends, enclosed where unlike roots meet (see `bootstrap`), and how it was made."""

    lower: Any
    upper: Any
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


@dataclass(frozen=True, slots=True)
class BootstrapDistribution:
    """A statistic of a sample, and the law of its value on resamples: P(value) = weight/`total`.

    >>> distribution = BootstrapDistribution(mpq(1, 2), ((mpq(0), 1), (mpq(1, 2), 2), (mpq(1), 1)))
    >>> [(str(value), str(probability)) for value, probability in distribution.outcomes()]
    [('0', '1/4'), ('1/2', '1/2'), ('1', '1/4')]

    `values` are the defined values in ascending order with their whole weights: how often each was drawn, or of all
    resamples. `undefined_weight` belongs to the resamples on which the statistic is undefined, and `redrawn` is how
    often a resample without weights was drawn again.
    """

    estimate: Any
    values: tuple[tuple[Any, Any], ...]
    undefined_weight: Any = 0
    redrawn: int = 0

    @property
    def total(self) -> Any:
        """The weight of all resamples."""
        return sum((weight for _, weight in self.values), self.undefined_weight)

    @property
    def undefined_probability(self) -> mpq:
        """The probability that the statistic is undefined on a resample."""
        return mpq(self.undefined_weight, self.total)

    def outcomes(self) -> Iterator[tuple[mpq, mpq]]:
        """Yield the defined values in ascending order, each with its probability."""
        total = self.total
        return ((value, mpq(weight, total)) for value, weight in self.values)

    @property
    def mean(self) -> Any:
        """The mean over the resamples on which the statistic is defined.

        Maaz et al. 2023, section 4, recommend it in place of the estimate of ATC: it errs less at random.
        """
        if not self.values:
            return Undefined.NO_SAMPLES
        return _sum(self.values) / (self.total - self.undefined_weight)

    def quantiles(
        self,
        levels: Sequence[RationalLike],
        *,
        definition: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
        undefined: WhenUndefined | None = None,
    ) -> tuple[mpq, ...]:
        """Return the quantiles at several levels; undefined resamples are left out, or count as `undefined` says.

        Raises `UndefinedMetric` where no resample is defined, or an undefined one is refused by the policy.
        """
        terms = self.values
        if self.undefined_weight and undefined is not None:
            stand_in = defined(Undefined.NO_SAMPLES, undefined)
            terms = tuple(sorted([*terms, (stand_in, self.undefined_weight)], key=itemgetter(0)))
        if not terms:
            raise UndefinedMetric(self.estimate, "the statistic is undefined on every resample")
        return tuple(quantile(terms, level, definition) for level in levels)

    def interval(
        self,
        level: RationalLike = "0.95",
        *,
        method: BootstrapMethod = BootstrapMethod.PERCENTILE,
        quantiles: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
        undefined: WhenUndefined | None = None,
    ) -> BootstrapInterval:
        """Return the percentile or basic interval at a level, with exact ends.

        Raises what `quantiles` raises, and `UndefinedMetric` for a basic interval around an undefined estimate.
        """
        low, high = self.quantiles(tails(level), definition=quantiles, undefined=undefined)
        method = BootstrapMethod(method)
        if method is BootstrapMethod.BASIC:
            estimate = defined(self.estimate)
            low, high = (_sum([(estimate, 2), (end, -1)]) for end in (high, low))
        return BootstrapInterval(low, high, rational(level), method)


def _sum(terms: Iterable[tuple[Any, int]]) -> Any:
    """Return Σ value·factor; roots of unlike radicands make no surd, and their sum is enclosed."""
    try:
        return sum((value * factor for value, factor in terms), mpq(0))
    except NotASurd:
        surds = ((value if isinstance(value, Surd) else Surd(value), factor) for value, factor in terms)
        parts = ((s.rational + s.coefficient * enclose_sqrt(s.radicand, _BITS)) * n for s, n in surds)
        return sum(parts, Enclosure(0, 0))


# -- resampling ---------------------------------------------------------------------------------


def bootstrap(
    sample: Sequence[Any] | int,
    statistic: Statistic,
    *,
    resamples: RationalLike,
    seed: RationalLike,
    strata: Sequence[Hashable] | None = None,
    weights: Weighing | None = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> BootstrapDistribution:
    """Return the statistic of a sample and of `resamples` lists drawn from it with replacement.

    >>> mean = lambda items: mpq(sum(items), len(items))
    >>> result = bootstrap([0, 0, 1, 3], mean, resamples=200, seed=1)
    >>> result.estimate, result.interval("0.9").upper
    (mpq(1,1), mpq(2,1))

    A number n in place of a sample means the rows 0 to n − 1; a long resample of them is an array. With `strata`, one
    name for each item, each stratum is resampled alone and keeps its size. `weights`, a function of a resampled list,
    computes the weights anew for each resample, and the statistic is called with the list and its weights; a resample
    for which it raises `BadSamples`, such as one without a stratum, is drawn again and counted in `redrawn`. `progress`
    is called with 1 after each resample; an exception from it ends the run. With an `executor` (see `sweep`) the result
    is the same, and the statistic must be picklable. A statistic may be a surd, such as Matthews' correlation; its mean
    and basic interval are enclosed where the roots differ. Raises `BadSamples` for an empty sample, strata of another
    length or no resamples, and refuses a frame and a statistic that returns a float.
    """
    if hasattr(sample, "columns"):
        remedy = "give the rows, for example list(frame.itertuples(index=False))"
        raise BadSamples(type(sample).__name__, "sample must be a sequence of rows", remedy)
    items = range(sample) if isinstance(sample, int) else list(sample)
    size, count = len(items), whole_number(resamples)
    if weights is not None and not callable(weights):
        raise BadSamples(weights, "weights must be a function of a resample", "use sample_weight")
    if count == 0 or size == 0:
        raise BadSamples((size, count), "sample and resamples must have at least one item")
    check_work(f"a bootstrap with {count} resamples", count * (size // 2 + 2))
    groups, bits, redrawn = _groups(size, strata), bits_from(seed), 0

    def weighed(rows: Any) -> tuple[Any, ...]:
        return (rows,) if weights is None else (rows, exact_weights(weights(_picked(items, rows)), len(rows)))

    def draw() -> tuple[Any, ...]:
        nonlocal redrawn
        for _ in range(_MOST_REDRAWS):
            try:
                return weighed(_drawn_rows(size, groups, bits))
            except BadSamples as error:
                refused = error
                redrawn += 1
        raise refused

    measured = partial(_measure, statistic, items)
    estimate = measured(weighed(list(range(size))))
    drawn, counts = (draw() for _ in range(count)), Counter[Any]()
    for value in sweep(measured, drawn, executor=executor, chunk=_CHUNK):
        counts[value] += 1
        if progress is not None:
            progress(1)
    values = sorted(
        ((value, n) for value, n in counts.items() if not isinstance(value, Undefined)), key=itemgetter(0)
    )
    return BootstrapDistribution(estimate, tuple(values), count - sum(n for _, n in values), redrawn)


def _picked(items: Any, rows: Any) -> Any:
    return rows if isinstance(items, range) else taken(items, rows)


def _measure(statistic: Statistic, items: Any, drawn: tuple[Any, ...]) -> Any:
    rows, *weights = drawn
    value = statistic(_picked(items, rows), *weights)
    return value if isinstance(value, Undefined | Surd) else rational(value)


def _groups(size: int, strata: Sequence[Hashable] | None) -> list[list[int]]:
    """Return the rows of each stratum, strata in the order in which they first come up; none without strata."""
    if strata is None:
        return []
    names = label_list(strata)
    refuse_other_length(strata=len(names), items=size)
    groups: dict[Hashable, list[int]] = {}
    for row, name in enumerate(names):
        groups.setdefault(name, []).append(row)
    return list(groups.values())


def _drawn_rows(size: int, groups: list[list[int]], bits: random.Random) -> Any:
    if not groups:
        return drawn_below(bits, size, size)
    drawn = [drawn_below(bits, len(group), len(group)) for group in groups]
    return [group[row] for group, rows in zip(groups, drawn, strict=True) for row in rows]


AREAS: dict[str, Callable[[Ranking], Any]] = {
    "average_precision": ranking_average_precision,
    "pr_auc": ranking_pr_auc,
    "roc_auc": ranking_roc_auc,
}
"""The areas that are resampled; that under precision by trapezoids starts at (0, 1)."""


def bootstrap_area(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    area: str = "average_precision",
    pos_label: Any = None,
    **resampling: Any,
) -> BootstrapDistribution:
    """Return an area and those of resampled samples: by default the average precision.

    >>> found = bootstrap_area([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], ["1/2", 1, 1, 2, 1], resamples=100, seed=1)
    >>> found.estimate, found.interval("0.9").lower
    (mpq(171,275), mpq(1,3))

    `area` may be "roc_auc" or "pr_auc". Each sample keeps its `sample_weight`; with `weights`, a function of the drawn
    rows such as `ResampledWeights(strata, populations)`, weights are computed anew for each resample. See `bootstrap`
    for `resamples`, `seed` and the other keywords.
    """
    if area not in AREAS:
        raise BadChoice(area, f"area must be one of {', '.join(AREAS)}")
    refuse_other_index(labels, resampling.get("strata"))
    positive, column, weights = scored_samples(labels, scores, sample_weight, pos_label)
    if isinstance(column, list):  # ranks are quicker to compare than scores
        rank_of = {score: rank for rank, score in enumerate(sorted(set(column)))}
        column = array_or_list([rank_of[score] for score in column])
    statistic = partial(_area_of_rows, (positive, column, weights), AREAS[area])
    return bootstrap(len(column), statistic, **resampling)


def _area_of_rows(
    data: tuple[Any, Any, Multiples | None], area: Any, rows: Any, weights: Multiples | None = None
) -> Any:
    positive, scores, own = data
    if weights is None and own is not None:
        weights = taken(own, rows)
    if weights is not None and not total(weights.units):
        return Undefined.NO_SAMPLES
    return area(rank_column(taken(positive, rows), taken(scores, rows), weights))
