"""The consistent individual evaluation that is nearest to a given point, exactly: a best-first search.

The point gives Q_a, R^a_{a_i} and R^b_{b_i} for each judge as real numbers q*, x_i, y_i, rational or in one
quadratic field. On consistent evaluations R^b_{b_i} = s_i − Q_a + R_{b_i}, so the squared distance is

    D(q, s) = (q − q*)² + Σ_i ((s_i − x_i)² + (s_i − q + R_{b_i} − y_i)²).

The search fixes q, then s_1, s_2, s_3. The lower bound of a prefix gives each judge that is not yet fixed its best
whole number in the interval that the fixed ones allow it pairwise; it is convex in the number fixed last. So the search
starts at its lowest value and walks outward, always from the prefix with the least bound.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from dataclasses import dataclass
from math import floor
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadVotes, NotOrdered
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate, plain
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.closed_forms import PairBounds, RightAnswers, single_interval
from ntqr_exact.varieties.membership import individual_from_right
from ntqr_exact.votes.counts import VoteCounts

Number: TypeAlias = "mpq | Surd"
BUDGET = 200_000
"""Prefixes that are visited before the search gives up: some seconds."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest consistent evaluation and its squared distance from the point, in counts."""

    evaluation: CountEvaluation
    squared_distance: Number


def nearest(
    votes: VoteCounts,
    target: Evaluation | CountEvaluation,
    key: tuple[int, ...] | None = None,
    budget: int = BUDGET,
) -> Nearest:
    """Return the consistent evaluation nearest to a target, at key counts if given; ties go to the smallest (Q_a, s).

    >>> far = CountEvaluation.from_correct({"a": 2, "b": 0}, [{"a": 2, "b": 0}])
    >>> nearest(VoteCounts({"a": 1, "b": 1}), far).squared_distance
    mpq(1,1)

    Raises `NotSupported` for three or more labels or four or more judges, `BadVotes` for gaps, `TooMuchWork` beyond
    the budget, `NotOrdered` for an imaginary target.
    """
    votes.without_gaps("the nearest evaluation")
    answers = RightAnswers(votes)
    point = _coordinates(votes, target) if target.labels == votes.labels else []
    if len(point) != 1 + 2 * len(votes.judges):
        raise BadVotes(target, "the evaluation must have the labels and judges of the votes")
    for number in point:
        if isinstance(number, Surd) and not number.is_real:
            raise NotOrdered(number, "rates must be real numbers")
    keys = range(votes.size + 1) if key is None else range(key[0], key[0] + 1)
    distance, (q, *right) = _Search(votes, answers, point, keys).run(Budget(budget))
    return Nearest(individual_from_right(votes, q, tuple(right)), distance)


def _coordinates(votes: VoteCounts, target: Evaluation | CountEvaluation) -> list[Number]:
    """Return Q_a and for each judge R^a_a and R^b_b: from rates Q·P_l and Q·P_l·P^l_{l_i}."""
    if isinstance(target, CountEvaluation):
        key, rows = target.key_counts, target.confusion
        return [mpq(key[votes.labels[0]]), *(mpq(row[a][a]) for row in rows for a in votes.labels)]
    shares = {label: _times(mpq(votes.size), share) for label, share in target.prevalence.items()}
    right = (_times(shares[label], rate) for rates in target.accuracy for label, rate in rates.items())
    return [shares[votes.labels[0]], *right]


def _times(number: Number, rate: Rate) -> Number:
    if isinstance(rate, Undefined):
        if number != 0:
            raise BadVotes(rate, "rates must be defined on every label with questions")
        return mpq(0)
    return plain(number * rate)


class _Search:
    """The prefixes (q, s_1, …) with their lower bounds."""

    def __init__(self, votes: VoteCounts, answers: RightAnswers, point: list[Number], keys: range) -> None:
        self.answers, self.point, self.keys = answers, point, keys
        self.judges = range(len(votes.judges))
        self.pairs = {(i, j): PairBounds.of(votes, i, j) for i in self.judges for j in self.judges if i != j}
        self.heap: list[tuple[Number, tuple[int, ...], int]] = []

    def run(self, budget: Budget) -> tuple[Number, tuple[int, ...]]:
        # A walk begins at the smallest number of least bound: of equal bounds, smaller prefixes leave the heap first.
        self._push(())
        while True:  # votes always have a consistent evaluation
            bound, prefix, step = heapq.heappop(self.heap)
            budget.spend(1, "the search for the nearest evaluation")
            if len(prefix) == 1 + len(self.judges):
                return bound, prefix
            self._push(prefix)
            *before, last = prefix
            values = self._values(tuple(before))
            for direction in (-values.step, values.step) if step == 0 else (step,):
                if last + direction in values:
                    other = (*before, last + direction)
                    heapq.heappush(self.heap, (self.bound(other), other, direction))

    def _push(self, prefix: tuple[int, ...]) -> None:
        """Add the first continuation with the least bound, from which the walk goes on."""
        values = self._values(prefix)

        def rises(index: int) -> bool:
            return self.bound((*prefix, values[index])) <= self.bound((*prefix, values[index + 1]))

        lowest = values[bisect_left(range(len(values) - 1), True, key=rises)]  # the bound is convex
        heapq.heappush(self.heap, (self.bound((*prefix, lowest)), (*prefix, lowest), 0))

    def _values(self, prefix: tuple[int, ...]) -> range:
        return self.answers.following(*prefix) if prefix else self.keys

    def bound(self, prefix: tuple[int, ...]) -> Number:
        """Return the distance of the fixed numbers, and of the best that each other judge may have."""
        key, *right = prefix
        total = (key - self.point[0]) * (key - self.point[0])
        for judge, given in enumerate(self.answers.given):
            x, y = self.point[1 + 2 * judge], self.point[2 + 2 * judge] + key - given[1]
            if judge < len(right):
                count = right[judge]
            else:
                low, high = single_interval(key, *given)
                for other, fixed in enumerate(right):
                    bottom, top = self.pairs[other, judge].partner_interval(key, fixed)
                    low, high = max(low, bottom), min(high, top)
                count = min(max(_nearest_whole((x + y) / 2), low), high)
            total = total + (count - x) * (count - x) + (count - y) * (count - y)
        return total


def _nearest_whole(number: Number) -> int:
    """Return the whole number nearest to a real one; of two the smaller."""
    low = int(floor(number))  # noqa: RUF046  (of gmpy2 it is an mpz)
    return low + int(2 * (number - low) > 1)
