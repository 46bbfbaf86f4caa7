"""The exact bootstrap distribution of a metric that depends on counts of cells only.

Drawing n items with replacement makes the counts of the cells multinomial with the probabilities c_i/n. So every
value of the metric has a rational probability: a whole weight over nⁿ, or over (n/g)ⁿ with g the greatest common
divisor of the counts. Cells that enter the metric alike are one cell: precision, recall and F1 have three, with
(n+1)(n+2)/2 outcomes; accuracy and error rate have two, n + 1 outcomes, and are walked through, not stored.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from gmpy2 import mpq, mpz

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadSamples, UndefinedMetric
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.metrics.bootstrap_cells import (
    Draw,
    WeightedCell,
    WeightedValue,
    check_walk,
    merged,
    table,
    total_weight,
    undefined_weight,
    walk,
)
from ntqr_exact.metrics.bootstrap_interval import (
    BootstrapInterval,
    BootstrapMethod,
    UndefinedResamples,
    bootstrap_interval,
    tails,
)
from ntqr_exact.metrics.bootstrap_quantile import QuantileDefinition, distribution_quantiles
from ntqr_exact.metrics.formulas import CELLS, Metric, metric
from ntqr_exact.metrics.undefined import MetricValue


@dataclass(frozen=True, slots=True)
class CellStratum:
    """Counts of one stratum, and the weight of each of its items."""

    tp: int
    fp: int
    fn: int
    tn: int
    weight: mpq

    def __init__(
        self,
        *,
        tp: RationalLike,
        fp: RationalLike,
        fn: RationalLike,
        tn: RationalLike,
        weight: RationalLike = 1,
    ) -> None:
        """Take whole counts and a weight that is not negative."""
        for name, count in zip(CELLS, (tp, fp, fn, tn), strict=True):
            object.__setattr__(self, name, whole_number(count))
        object.__setattr__(self, "weight", rational(weight))
        if self.weight < 0:
            raise BadSamples(weight, "a weight must not be negative")


@dataclass(frozen=True, slots=True)
class BootstrapDistribution:
    """The distribution of a metric over all resamples, exactly: P(value) = weight / `total`.

    >>> distribution = exact_bootstrap("precision", tp=1, fp=1, fn=0, tn=0)
    >>> [(str(value), str(probability)) for value, probability in distribution.outcomes()]
    [('0', '1/4'), ('1/2', '1/2'), ('1', '1/4')]

    `undefined_weight` belongs to the resamples on which the metric is undefined; `stored` is `None` where the
    values are walked through instead of stored.
    """

    estimate: MetricValue
    draws: tuple[Draw, ...]
    total: mpz
    undefined_weight: mpz
    stored: tuple[WeightedValue, ...] | None

    def terms(self) -> Iterator[WeightedValue]:
        """Yield the defined values in ascending order, each with its whole weight."""
        return iter(self.stored) if self.stored is not None else walk(self.draws[0])

    def outcomes(self) -> Iterator[tuple[mpq, mpq]]:
        """Yield the defined values in ascending order, each with its probability."""
        return ((value, mpq(weight, self.total)) for value, weight in self.terms())

    @property
    def undefined_probability(self) -> mpq:
        """The probability that the metric is undefined on a resample."""
        return mpq(self.undefined_weight, self.total)

    def at_most(self, value: RationalLike) -> mpq:
        """Return P(metric ≤ value), undefined resamples counted as not so."""
        bound = rational(value)
        return mpq(sum((weight for number, weight in self.terms() if number <= bound), mpz(0)), self.total)

    def mean(self) -> mpq:
        """Return the mean of the metric over the resamples on which it is defined."""
        defined = self.total - self.undefined_weight
        if defined == 0:
            raise UndefinedMetric(self.estimate, "the metric is undefined on every resample")
        return sum((value * weight for value, weight in self.terms()), mpq(0)) / defined

    def quantiles(
        self,
        levels: Sequence[RationalLike],
        *,
        definition: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
        undefined: UndefinedResamples = UndefinedResamples.OMIT,
    ) -> tuple[mpq, ...]:
        """Return the quantiles at several levels, decided in whole numbers: no rounding, no sampling.

        Raises `UndefinedMetric` where no resample is defined, or an undefined one is refused by the policy.
        """
        substitute = chosen(undefined, UndefinedResamples).substitute(self.undefined_probability)
        if substitute is not None and self.undefined_weight:
            extra = [(substitute, self.undefined_weight)]
            return distribution_quantiles(
                heapq.merge(self.terms(), extra, key=itemgetter(0)), self.total, levels, definition
            )
        defined = self.total - self.undefined_weight
        if defined == 0:
            raise UndefinedMetric(self.estimate, "the metric is undefined on every resample")
        return distribution_quantiles(self.terms(), defined, levels, definition)

    def interval(
        self,
        level: RationalLike = "0.95",
        *,
        method: BootstrapMethod = BootstrapMethod.PERCENTILE,
        quantiles: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
        undefined: UndefinedResamples = UndefinedResamples.OMIT,
    ) -> BootstrapInterval:
        """Return the percentile or basic interval that infinitely many resamples would give.

        >>> interval = exact_bootstrap("f1", tp=30, fp=10, fn=5, tn=55).interval("0.95")
        >>> interval.lower, interval.upper
        (mpq(11,16), mpq(8,9))
        """
        low, high = self.quantiles(tails(level), definition=quantiles, undefined=undefined)
        return bootstrap_interval(low, high, estimate=self.estimate, level=level, method=method)


@checked
def exact_bootstrap(
    name: str, *, tp: RationalLike, fp: RationalLike, fn: RationalLike, tn: RationalLike
) -> BootstrapDistribution:
    """Return the exact bootstrap distribution of a metric of a confusion matrix, such as "precision" or "!f1".

    Feasible in seconds to n of about 500 for precision, recall and F1, and to n = 50000 for accuracy, error rate
    and match rate. Raises `BadSamples` for no items, and `NotSupported` beyond the stated limits.
    """
    return exact_weighted_bootstrap(name, [CellStratum(tp=tp, fp=fp, fn=fn, tn=tn)])


def exact_weighted_bootstrap(
    name: str, strata: Sequence[CellStratum], *, stratified: bool = False
) -> BootstrapDistribution:
    """Return the exact bootstrap distribution of a weighted metric; `stratified` keeps the size of each stratum.

    >>> strata = [CellStratum(tp=1, fp=1, fn=0, tn=0), CellStratum(tp=0, fp=1, fn=0, tn=1, weight=3)]
    >>> exact_weighted_bootstrap("precision", strata, stratified=True).estimate
    mpq(1,5)

    Weights stay with their items, as they are; they are not computed anew for a resample. Raises `BadSamples` for no
    items or no weight, and `NotSupported` beyond the stated limits.
    """
    formula = metric(name)
    unit = math.lcm(*(int(stratum.weight.denominator) for stratum in strata))
    cells = [_cells(stratum, formula, int(stratum.weight * unit)) for stratum in strata]
    grouped = cells if stratified else [[cell for stratum in cells for cell in stratum]]
    draws = tuple(draw for draw in map(merged, grouped) if draw)
    if not draws:
        raise BadSamples(list(strata), "a sample holds at least one item")
    if not any(stratum.weight for stratum in strata):
        raise BadSamples(list(strata), "at least one weight is greater than 0")
    above = sum(cell.above * cell.count for draw in draws for cell in draw)
    below = sum(cell.below * cell.count for draw in draws for cell in draw)
    estimate: MetricValue = mpq(above, below) if below else formula.undefined
    total = math.prod(map(total_weight, draws), start=mpz(1))
    if len(draws) == 1 and len(draws[0]) == 2:
        check_walk(draws[0])
        return BootstrapDistribution(estimate, draws, total, undefined_weight(draws[0]), None)
    stored, undefined = table(draws)
    return BootstrapDistribution(estimate, draws, total, undefined, stored)


def _cells(stratum: CellStratum, formula: Metric, weight: int) -> list[WeightedCell]:
    return [
        WeightedCell(
            getattr(formula.numerator, name) * weight,
            getattr(formula.denominator, name) * weight,
            getattr(stratum, name),
        )
        for name in CELLS
    ]
