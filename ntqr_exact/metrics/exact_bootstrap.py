"""The exact bootstrap distribution of a metric that depends on counts of cells only.

A cell is a count c of items that each add the same `above` and `below` to the two sums of a metric; cells that enter
it alike are one: precision, recall and F1 have three, with (n+1)(n+2)/2 outcomes; accuracy and error rate have two,
n + 1 outcomes, and are walked through, not stored. A draw of n = Σ c items with replacement has the weight
n!/Π x_i! · Π c_i^x_i over nⁿ; with the counts divided by their greatest common divisor g, over (n/g)ⁿ: so every value
has a rational probability. Neighbouring weights differ by a small factor, (n−x)c/((x+1)d), so that each is had from
the last by two short multiplications and an exact division, and no fraction is ever formed.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb
from operator import itemgetter
from typing import TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadSamples, NotSupported, UndefinedMetric
from ntqr_exact.exact.rational import RationalLike, power_of, rational, whole_number
from ntqr_exact.metrics.bootstrap_interval import (
    BootstrapInterval,
    BootstrapMethod,
    QuantileDefinition,
    UndefinedResamples,
    bootstrap_interval,
    distribution_quantiles,
    tails,
)
from ntqr_exact.metrics.formulas import CELLS, Metric, metric
from ntqr_exact.metrics.undefined import MetricValue

LARGEST_TABLE = 1_000_000
"""Most outcomes that are enumerated."""

LARGEST_STORE = 1 << 31
"""Most bits that the weights of all enumerated outcomes may have together: 256 MB."""

_LARGEST_WALK = 50_000
"""Most items of which two cells are walked through."""

WeightedValue: TypeAlias = tuple[mpq, mpz]


@dataclass(frozen=True, slots=True, order=True)
class WeightedCell:
    """A count of items that each add `above` to the upper and `below` to the lower sum of a metric."""

    above: int
    below: int
    count: int


Draw: TypeAlias = tuple[WeightedCell, ...]
"""The cells of one multinomial draw: all of a plain resample, one stratum of a stratified one."""


def merged(cells: Sequence[WeightedCell]) -> Draw:
    """Return the cells that can be drawn at all, those that enter the metric alike as one.

    >>> merged([WeightedCell(1, 1, 3), WeightedCell(0, 1, 0), WeightedCell(1, 1, 2)])
    (WeightedCell(above=1, below=1, count=5),)
    """
    counts: dict[tuple[int, int], int] = {}
    for cell in cells:
        counts[cell.above, cell.below] = counts.get((cell.above, cell.below), 0) + cell.count
    return tuple(WeightedCell(*sums, count) for sums, count in sorted(counts.items()) if count)


def _total_weight(draw: Draw) -> mpz:
    """Return (n/g)ⁿ, the sum of the weights of all outcomes of a draw."""
    size = sum(cell.count for cell in draw)
    return power_of(size // math.gcd(*(cell.count for cell in draw)), size).numerator


def outcomes(draw: Draw) -> Iterator[tuple[int, int, mpz]]:
    """Yield the upper sum, the lower sum and the weight of every outcome of a draw.

    >>> draw = (WeightedCell(0, 1, 2), WeightedCell(1, 1, 1))
    >>> [(above, below, int(weight)) for above, below, weight in outcomes(draw)]
    [(0, 3, 8), (1, 3, 12), (2, 3, 6), (3, 3, 1)]
    """
    size = sum(cell.count for cell in draw)
    divisor = math.gcd(*(cell.count for cell in draw))
    reduced = tuple(WeightedCell(cell.above, cell.below, cell.count // divisor) for cell in draw)
    return _continued(reduced, size, 0, 0, mpz(1))


def _continued(draw: Draw, size: int, above: int, below: int, weight: mpz) -> Iterator[tuple[int, int, mpz]]:
    """Yield the outcomes of `size` more items from the cells of `draw`, on top of what is there."""
    last = draw[-1]
    if len(draw) == 1:
        yield above + size * last.above, below + size * last.below, weight * mpz(last.count) ** size
        return
    if len(draw) == 2:
        first = draw[0]
        weight *= mpz(first.count) ** size
        for x in range(size + 1):
            rest = size - x
            yield (
                above + x * last.above + rest * first.above,
                below + x * last.below + rest * first.below,
                weight,
            )
            weight = weight * (rest * last.count) // ((x + 1) * first.count)
        return
    for x in range(size + 1):
        drawn = weight * comb(size, x) * mpz(last.count) ** x
        yield from _continued(draw[:-1], size - x, above + x * last.above, below + x * last.below, drawn)


def table(draws: Sequence[Draw]) -> tuple[tuple[WeightedValue, ...], mpz]:
    """Return the values of the ratio in ascending order with their weights, and the weight of 0/0.

    >>> table([(WeightedCell(0, 0, 1), WeightedCell(0, 1, 1), WeightedCell(1, 1, 1))])[1]
    mpz(1)

    Raises `NotSupported` for more outcomes than `LARGEST_TABLE`, or more bits of weights than `LARGEST_STORE`.
    """
    _check_table(draws)
    sums: dict[tuple[int, int], mpz] = {(0, 0): mpz(1)}
    for draw in draws:
        grown: dict[tuple[int, int], mpz] = {}
        for above, below, weight in outcomes(draw):
            for (other_above, other_below), other in sums.items():
                key = (above + other_above, below + other_below)
                grown[key] = grown.get(key, 0) + weight * other
        sums = grown
    values: dict[mpq, mpz] = {}
    undefined = mpz(0)
    for (above, below), weight in sums.items():
        if below == 0:
            undefined += weight
        else:
            value = mpq(above, below)
            values[value] = values.get(value, 0) + weight
    return tuple(sorted(values.items())), undefined


def walk(draw: Draw) -> Iterator[WeightedValue]:
    """Yield the values of the ratio in ascending order with their weights, for a draw from two cells.

    A ratio (ax + b)/(cx + d) of whole sums that are not negative rises with x, falls with x, or stays the same:
    the two cells need only be taken in the right order. Where it is 0/0, at x = 0 or x = n, it is left out.
    """
    first, second = draw
    if first.above * second.below > second.above * first.below:
        first, second = second, first
    defined = ((mpq(above, below), weight) for above, below, weight in outcomes((first, second)) if below)
    for value, terms in groupby(defined, key=itemgetter(0)):
        yield value, sum((weight for _, weight in terms), mpz(0))


def undefined_weight(draw: Draw) -> mpz:
    """Return the weight of 0/0 for a draw from two cells: all items from cells that add nothing below."""
    size = sum(cell.count for cell in draw)
    divisor = math.gcd(*(cell.count for cell in draw))
    return mpz(sum(cell.count for cell in draw if cell.below == 0) // divisor) ** size


def _check_walk(draw: Draw) -> None:
    """Raise `NotSupported` for more items than `_LARGEST_WALK`."""
    size = sum(cell.count for cell in draw)
    if size > _LARGEST_WALK:
        raise NotSupported(
            size, f"the exact distribution is walked through to n = {_LARGEST_WALK}", "use bootstrap"
        )


def _check_table(draws: Sequence[Draw]) -> None:
    terms = math.prod(comb(sum(cell.count for cell in draw) + len(draw) - 1, len(draw) - 1) for draw in draws)
    bits = terms * sum(_total_weight(draw).bit_length() for draw in draws) if terms <= LARGEST_TABLE else 0
    if terms > LARGEST_TABLE or bits > LARGEST_STORE:
        raise NotSupported(
            [[cell.count for cell in draw] for draw in draws],
            f"a resample of these cells has {terms} outcomes; the exact distribution is made of at most "
            f"{LARGEST_TABLE}, with weights of at most {LARGEST_STORE} bits together",
            "use bootstrap, which draws resamples",
        )


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
    total = math.prod(map(_total_weight, draws), start=mpz(1))
    if len(draws) == 1 and len(draws[0]) == 2:
        _check_walk(draws[0])
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
