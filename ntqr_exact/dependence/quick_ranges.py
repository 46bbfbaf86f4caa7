"""`quick_ranges`: outer ranges under a budget by multiplying ranges, in a fraction of a second; two labels.

For every choice of signs and every cell of the prevalence, all that follows by multiplying bounds of products of two
numbers is found as shortest paths are (O(N³)): see `moment_ranges.ProductRanges`, which also checks certificates that
rest on it. The ranges hold the numbers of every key within the budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.dependence.key_dependence import check_orders, check_panel
from ntqr_exact.dependence.moment_ranges import Cell, ProductRanges
from ntqr_exact.dependence.panel import better_judges, problem_of
from ntqr_exact.errors import BadNumber, BadVotes
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import Judge, VoteCounts

Pair: TypeAlias = tuple[mpq, mpq]

CELLS = 48
"""So many ranges of the prevalence are looked at one by one."""


@dataclass(frozen=True, slots=True)
class QuickRanges:
    """Ranges that hold the numbers of every key within a budget; none at all, if `is_empty`."""

    votes: VoteCounts
    correlation: mpq
    orders: tuple[int, ...]
    better: tuple[str, ...]
    prevalence: Mapping[str, Pair]
    accuracy: tuple[Mapping[str, Pair], ...]
    overall: tuple[Pair, ...]
    is_empty: bool

    def to_document(self) -> dict[str, Any]:
        """Return the ranges as a JSON document."""
        return {
            "correlation": self.correlation,
            "orders": list(self.orders),
            "better_than_chance": list(self.better),
            "empty": self.is_empty,
            "prevalence": {label: list(ends) for label, ends in self.prevalence.items()},
            "accuracy": [{label: list(ends) for label, ends in rates.items()} for rates in self.accuracy],
            "overall": [list(ends) for ends in self.overall],
        }


def quick_ranges(
    votes: VoteCounts,
    correlation: RationalLike,
    *,
    better_than_chance: bool | Judge | Iterable[Judge] = True,
    orders: Iterable[int] = (2, 3),
) -> QuickRanges:
    """Return outer ranges of prevalence and accuracies over all keys whose correlations do not exceed a budget.

    >>> votes = VoteCounts({"aaa": 40, "bbb": 40, "aab": 5, "bba": 5, "aba": 5, "bab": 5})
    >>> low, high = quick_ranges(votes, correlation="1/100").prevalence["a"]
    >>> 0 < low < mpq(1, 2) < high < 1
    True

    Raises `BadNumber` for a negative budget, `BadVotes` for other than two labels or fewer than two judges, `EmptyTest`
    for no questions, `BadChoice` for orders without pairs.
    """
    check_panel(votes)
    if len(votes.labels) != 2:
        raise BadVotes(votes.labels, "quick ranges are for two labels", "evaluate_within takes more")
    delta, wanted = rational(correlation), check_orders({2, *orders})
    if delta < 0:
        raise BadNumber(correlation, "a budget of correlation is not negative")
    better = better_judges(votes, better_than_chance)
    problem = problem_of(votes, delta, wanted, better=better)
    cells = list(ProductRanges(problem.counts, delta, wanted).cells(better, CELLS))
    places, (first, second) = range(len(votes.judges)), votes.labels
    rates = tuple(
        FrozenMapping(
            {
                first: _hull(cell[1][0][i] for cell in cells if cell[0][1]),
                second: _turned(_hull(cell[1][1][i] for cell in cells if cell[0][0] < 1)),
            }
        )
        for i in places
    )
    names = tuple(votes.judges[i] for i in better)
    shares = _hull(share for share, _ in cells)
    overall = tuple(_hull(_right(cell, i) for cell in cells) for i in places)
    prevalence = FrozenMapping({first: shares, second: _turned(shares)})
    return QuickRanges(votes, delta, wanted, names, prevalence, rates, overall, not cells)


def _right(cell: Cell, judge: int) -> Pair:
    """Return the range of P·α + (1−P)·(1−β)."""
    share, (alpha, beta) = cell
    ends = [p * alpha[judge][k] + (1 - p) * (1 - beta[judge][1 - k]) for k in (0, 1) for p in share]
    return min(ends), max(ends)


def _hull(ranges: Iterable[Pair]) -> Pair:
    """Return the range that holds all; from 0 to 1, which says nothing, if there are none."""
    lows, highs = zip(*ranges, strict=True) if (ranges := list(ranges)) else ((mpq(0),), (mpq(1),))
    return min(lows), max(highs)


def _turned(ends: Pair) -> Pair:
    return 1 - ends[1], 1 - ends[0]
