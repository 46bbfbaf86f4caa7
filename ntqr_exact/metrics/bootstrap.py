"""The bootstrap by resampling: seeded, the same everywhere, with exact numbers in and out.

Places are drawn by `ntqr_exact.exact.seeded_draws`: every place is equally likely, exactly. For the area under a curve
scores are ranked once; the weights of a resample are added up rank by rank. Source: Bias-Adjusted Metrics, Bootstrap.
"""

from __future__ import annotations

import random
from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import accumulate, islice
from typing import Any, TypeAlias, TypeVar

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.columns.float_values import exact_column
from ntqr_exact.columns.whole_numbers import as_list, refuse_other_index
from ntqr_exact.errors import BadSamples, UndefinedMetric
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.exact.seeded_draws import bits_from, drawn_below, many_below
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import Anchor, Form, ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.bootstrap_interval import (
    BootstrapInterval,
    BootstrapMethod,
    QuantileDefinition,
    UndefinedResamples,
    bootstrap_interval,
    sample_quantile,
    tails,
)
from ntqr_exact.metrics.classes import BINARY, Classes, flags, label_list, positive_classes
from ntqr_exact.metrics.ranking import Ranking, ScoresLike
from ntqr_exact.metrics.undefined import MetricValue
from ntqr_exact.metrics.weights import WeightsLike, exact_weights
from ntqr_exact.sweep import sweep

_Item = TypeVar("_Item")
Statistic: TypeAlias = "Callable[[list[_Item]], RationalLike | Undefined]"
"""A function of a resampled list: an exact number, or an `Undefined` with its reason."""


_SENT_TOGETHER = 32


@dataclass(frozen=True, slots=True)
class BootstrapSample:
    """A statistic of a sample, and of its resamples: the defined values in order, and how many are undefined."""

    estimate: MetricValue
    values: tuple[mpq, ...]
    undefined: int

    @property
    def resamples(self) -> int:
        """How many resamples were drawn."""
        return len(self.values) + self.undefined

    @property
    def mean(self) -> MetricValue:
        """The mean over the resamples on which the statistic is defined.

        Maaz et al. 2023, section 4, recommend it in place of the estimate of ATC: it errs less at random.
        """
        if not self.values:
            return Undefined.NO_SAMPLES
        return sum(self.values, mpq(0)) / len(self.values)

    def interval(
        self,
        level: RationalLike = "0.95",
        *,
        method: BootstrapMethod = BootstrapMethod.PERCENTILE,
        quantiles: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
        undefined: UndefinedResamples = UndefinedResamples.OMIT,
    ) -> BootstrapInterval:
        """Return the percentile or basic interval at a level, with exact ends.

        Raises `UndefinedMetric` where no resample is left, or an undefined one is refused by the policy.
        """
        share = mpq(self.undefined, self.resamples) if self.resamples else mpq(0)
        substitute = chosen(undefined, UndefinedResamples).substitute(share)
        values = list(self.values)
        if substitute is not None:
            for _ in range(self.undefined):
                insort(values, substitute)
        if not values:
            raise UndefinedMetric(self.estimate, "the statistic is undefined on every resample")
        low, high = (sample_quantile(values, tail, quantiles) for tail in tails(level))
        return bootstrap_interval(low, high, estimate=self.estimate, level=level, method=method)


def bootstrap(
    sample: Sequence[_Item],
    statistic: Statistic[_Item],
    *,
    resamples: RationalLike,
    seed: RationalLike,
    strata: Sequence[Hashable] | None = None,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> BootstrapSample:
    """Return the statistic of a sample and of `resamples` lists drawn from it with replacement.

    >>> mean = lambda items: mpq(sum(items), len(items))
    >>> result = bootstrap([0, 0, 1, 3], mean, resamples=200, seed=1)
    >>> result.estimate, result.interval("0.9").upper
    (mpq(1,1), mpq(2,1))

    With `strata`, one name for each item, every stratum is resampled by itself and keeps its size. `progress`
    is called with 1 after each resample; an exception from it ends the run. With an `executor` (see `sweep`)
    resamples are drawn here and measured there, so that the result is the same; the statistic must then be
    picklable. Raises `BadSamples` for an empty sample, for strata of another length, or for no resamples, and
    refuses a frame, whose items are not its rows, and a statistic that returns a float.
    """
    count = _how_many(resamples)
    drawn = _resamples(sample, seed=seed, strata=strata)
    check_work("a bootstrap with so many resamples", count * (len(sample) + 2))
    estimate = _measure(statistic, list(sample))
    return _collected(estimate, statistic, islice(drawn, count), progress, executor)


def bootstrap_places(
    size: int,
    statistic: Callable[[Any], RationalLike | Undefined],
    *,
    resamples: RationalLike,
    seed: RationalLike,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> BootstrapSample:
    """Return the bootstrap of the places 0 to size − 1, each resample as it is drawn: an array if it is long."""
    count = _how_many(resamples)
    bits = bits_from(seed)
    check_work("a bootstrap with so many resamples", count * (size + 2))
    estimate = _measure(statistic, list(range(size)))
    drawn = (drawn_below(bits, size, size) for _ in range(count))
    return _collected(estimate, statistic, drawn, progress, executor)


def _how_many(resamples: RationalLike) -> int:
    count = whole_number(resamples)
    if count == 0:
        raise BadSamples(resamples, "a bootstrap draws at least one resample")
    return count


def _collected(
    estimate: MetricValue,
    statistic: Callable[[Any], RationalLike | Undefined],
    drawn: Iterator[Any],
    progress: Callable[[int], object] | None,
    executor: Executor | None,
) -> BootstrapSample:
    values: list[mpq] = []
    undefined = 0
    for value in sweep(partial(_measure, statistic), drawn, executor=executor, chunk=_SENT_TOGETHER):
        if isinstance(value, Undefined):
            undefined += 1
        else:
            values.append(value)
        if progress is not None:
            progress(1)
    return BootstrapSample(estimate, tuple(sorted(values)), undefined)


def resampled(
    sample: Sequence[_Item],
    statistic: Statistic[_Item],
    *,
    seed: RationalLike,
    strata: Sequence[Hashable] | None = None,
) -> Iterator[MetricValue]:
    """Yield the statistic of one resample after another, without end; the first ones are those of `bootstrap`.

    >>> from itertools import islice
    >>> list(islice(resampled("abc", lambda items: items.count("a"), seed=1), 4))
    [mpq(2,1), mpq(1,1), mpq(0,1), mpq(2,1)]
    """
    return (_measure(statistic, items) for items in _resamples(sample, seed=seed, strata=strata))


def _resamples(
    sample: Sequence[_Item], *, seed: RationalLike, strata: Sequence[Hashable] | None
) -> Iterator[list[_Item]]:
    groups = _groups(sample, strata)
    bits = bits_from(seed)
    return (_resample(groups, bits) for _ in iter(int, 1))


def _measure(statistic: Statistic[_Item], items: list[_Item]) -> MetricValue:
    value = statistic(items)
    return value if isinstance(value, Undefined) else rational(value)


def _resample(groups: Sequence[Sequence[_Item]], bits: random.Random) -> list[_Item]:
    drawn: list[_Item] = []
    for group in groups:
        places = many_below(bits, len(group), len(group))
        # Places drawn from places in order are what they are.
        drawn += places if group == range(len(group)) else map(group.__getitem__, places)  # type: ignore[arg-type]
    return drawn


def _groups(sample: Sequence[_Item], strata: Sequence[Hashable] | None) -> Sequence[Sequence[_Item]]:
    """Return the items of each stratum, strata in the order in which they first come up."""
    if hasattr(sample, "columns"):
        raise BadSamples(
            type(sample).__name__,
            "a frame is not a sequence of its rows",
            "give the rows, for example list(frame.itertuples(index=False))",
        )
    if len(sample) == 0:
        raise BadSamples(sample, "a sample holds at least one item")
    if strata is None:
        # A range stays one: the numbers of a large sample need not be written out.
        plain: Sequence[Any] = sample if isinstance(sample, range) else list(sample)
        return [plain]
    names = label_list(strata)
    if len(names) != len(sample):
        raise BadSamples((len(names), len(sample)), "strata must have one name for each item")
    groups: dict[Hashable, list[_Item]] = {}
    for item, stratum in zip(sample, names, strict=True):
        groups.setdefault(stratum, []).append(item)
    return list(groups.values())


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
    executor: Executor | None = None,
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
