"""The exact bootstrap distribution of a metric that depends on counts of cells only.

A cell is a count c of items that each add the same `above` and `below` to the two sums of a metric; cells that enter
it alike are one: precision, recall and F1 have three, with (n+1)(n+2)/2 outcomes; accuracy and error rate have two. A
draw of n = Σ c items with replacement has the weight n!/Π x_i! · Π c_i^x_i over nⁿ; with the counts divided by their
greatest common divisor g, over (n/g)ⁿ: so every value has a rational probability.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadSamples, NotSupported
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.metrics.bootstrap import BootstrapDistribution
from ntqr_exact.metrics.formulas import CELLS, MetricValue, metric

MAX_OUTCOMES = 1_000_000
"""Most outcomes that are enumerated."""

MAX_BITS = 1 << 31
"""Most bits that the weights of all enumerated outcomes may have together: 256 MB."""

Cell: TypeAlias = tuple[int, int, int]
"""What an item adds above and below, and how many such items there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStratum:
    """Counts of one stratum, and the weight of each of its items; raises `BadSamples` for a negative weight."""

    tp: Any
    fp: Any
    fn: Any
    tn: Any
    weight: Any = 1

    def __post_init__(self) -> None:
        for name in CELLS:
            object.__setattr__(self, name, whole_number(getattr(self, name)))
        object.__setattr__(self, "weight", rational(self.weight))
        if self.weight < 0:
            raise BadSamples(self.weight, "weight must be >= 0")


def exact_bootstrap(
    name: str, *, tp: RationalLike, fp: RationalLike, fn: RationalLike, tn: RationalLike
) -> BootstrapDistribution:
    """Return the exact bootstrap distribution of a metric of a confusion matrix, such as "precision" or "!f1".

    >>> interval = exact_bootstrap("f1", tp=30, fp=10, fn=5, tn=55).interval("0.95")
    >>> interval.lower, interval.upper
    (mpq(11,16), mpq(8,9))

    Feasible in seconds to n of about 500 for precision, recall and F1, and to n = 10000 for accuracy, error rate
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

    Weights stay with their items. Raises `BadSamples` for no items or no weight, and `NotSupported` beyond the limits.
    """
    formula = metric(name)
    unit = math.lcm(*(int(stratum.weight.denominator) for stratum in strata))
    groups: list[Counter[tuple[int, int]]] = []
    for stratum in strata:
        cells: Counter[tuple[int, int]] = Counter()
        for cell in CELLS:
            sums = (getattr(formula.numerator, cell), getattr(formula.denominator, cell))
            above, below = (int(part * stratum.weight * unit) for part in sums)
            cells[above, below] += getattr(stratum, cell)
        groups.append(cells)
    drawn = groups if stratified else [sum(groups, Counter())]
    draws = [[(*sums, count) for sums, count in sorted(cells.items()) if count] for cells in drawn]
    draws = [draw for draw in draws if draw]
    if not draws or not any(stratum.weight for stratum in strata):
        raise BadSamples(list(strata), "strata must have at least one item and one positive weight")
    above, below = (sum(cell[part] * cell[2] for draw in draws for cell in draw) for part in (0, 1))
    estimate: MetricValue = mpq(above, below) if below else formula.undefined
    return BootstrapDistribution(estimate, *_table(draws))


def _table(draws: list[list[Cell]]) -> tuple[tuple[tuple[mpq, mpz], ...], mpz]:
    """Return the values of the ratio in ascending order with their weights, and the weight of 0/0."""
    sizes = [sum(count for _, _, count in draw) for draw in draws]
    divisors = [math.gcd(*(count for _, _, count in draw)) for draw in draws]
    terms = math.prod(comb(n + len(draw) - 1, len(draw) - 1) for n, draw in zip(sizes, draws, strict=True))
    bits = terms * sum(n * (n // g).bit_length() for n, g in zip(sizes, divisors, strict=True))
    if terms > MAX_OUTCOMES or bits > MAX_BITS:
        raise NotSupported(
            [[count for _, _, count in draw] for draw in draws],
            f"cells must have at most {MAX_OUTCOMES} outcomes of {MAX_BITS} bits together, not {terms}",
            "use bootstrap, which draws resamples",
        )
    sums: dict[tuple[int, int], mpz] = {(0, 0): mpz(1)}
    for draw, size, divisor in zip(draws, sizes, divisors, strict=True):
        grown: dict[tuple[int, int], mpz] = defaultdict(mpz)
        for above, below, weight in _outcomes([(a, b, c // divisor) for a, b, c in draw], size, 0, 0, mpz(1)):
            for (other_above, other_below), other in sums.items():
                grown[above + other_above, below + other_below] += weight * other
        sums = grown
    values: dict[mpq, mpz] = defaultdict(mpz)
    for (above, below), weight in sums.items():
        if below:
            values[mpq(above, below)] += weight
    return tuple(sorted(values.items())), sum((w for (_, below), w in sums.items() if not below), mpz(0))


def _outcomes(
    draw: list[Cell], size: int, above: int, below: int, weight: mpz
) -> Iterator[tuple[int, int, mpz]]:
    """Yield both sums and the weight of every outcome of `size` more items from the cells of a draw."""
    *others, (own_above, own_below, count) = draw
    if not others:
        yield above + size * own_above, below + size * own_below, weight * mpz(count) ** size
        return
    for x in range(size + 1):
        yield from _outcomes(others, size - x, above + x * own_above, below + x * own_below, weight)
        weight = weight * ((size - x) * count) // (x + 1)  # times C(size, x)·countˣ, from one x to the next
