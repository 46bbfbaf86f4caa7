"""The consistent individual evaluation that is nearest to a given point, exactly: a best-first search.

The point gives Q_a, R^a_{a_i} and R^b_{b_i} for each judge as real numbers q*, x_i, y_i, rational or in one
quadratic field. On consistent evaluations R^b_{b_i} = s_i − Q_a + R_{b_i}, so the squared distance is

    D(q, s) = (q − q*)² + Σ_i D_i(q, s_i),    D_i = (s_i − x_i)² + (s_i − q + R_{b_i} − y_i)².

The search fixes q, then s_1, s_2, s_3. The lower bound of a prefix lets each judge that is not yet fixed take its
best whole number in the interval that the fixed ones allow it pairwise; it is convex in the number fixed last. So the
search starts at its lowest value and walks outward, always from the prefix with the least bound. Among the nearest
evaluations the answer is the lexicographically smallest (Q_a, s_1, s_2, s_3).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor

from gmpy2 import mpq

from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadVotes, NotOrdered, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.varieties.closed_forms import PairBounds, TrioDecision, single_interval
from ntqr_exact.varieties.membership import Number, confusion_numbers, individual_from_right
from ntqr_exact.votes.counts import VoteCounts

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
    """Return the consistent evaluation nearest to a target, among those at key counts if given.

    >>> far = CountEvaluation.from_correct({"a": 2, "b": 0}, [{"a": 2, "b": 0}])
    >>> nearest(VoteCounts({"a": 1, "b": 1}), far)
    Nearest(evaluation=CountEvaluation.from_correct({'a': 2, 'b': 0}, [{'a': 1, 'b': 0}]), \
squared_distance=mpq(1,1))

    Raises `NotSupported` for three or more labels or four or more judges, `BadVotes` for gaps, `TooMuchWork` beyond
    the budget, `NotOrdered` for an imaginary target.
    """
    votes.without_gaps("the nearest evaluation")
    if len(votes.labels) != 2 or len(votes.judges) > 3:
        shape = f"{len(votes.judges)} judges and {len(votes.labels)} labels"
        rule = "nearest needs two labels and at most three judges"
        raise NotSupported(shape, rule, "take some of the judges with marginal")
    point = _coordinates(votes, target) if target.labels == votes.labels else []
    if len(point) != 1 + 2 * len(votes.judges):
        raise BadVotes(target, "the evaluation must have the labels and judges of the votes")
    for number in point:
        if isinstance(number, Surd) and not number.is_real:
            raise NotOrdered(number, "an imaginary number has no distance")
    search = _Search(votes, point, range(votes.size + 1) if key is None else range(key[0], key[0] + 1))
    distance, (q, *right) = search.run(Budget(budget))
    return Nearest(individual_from_right(votes, q, tuple(right)), distance)


def _coordinates(votes: VoteCounts, target: Evaluation | CountEvaluation) -> list[Number]:
    """Return Q_a and for each judge R^a_a and R^b_b."""
    a, b = votes.labels
    if isinstance(target, CountEvaluation):
        counts = [target.key_counts[a], *(right[label] for right in target.correct for label in (a, b))]
        return [mpq(count) for count in counts]
    key, confusion = confusion_numbers(target, votes.size)
    return [key[a], *(rows[label][label] for rows in confusion for label in (a, b))]


class _Search:
    """The prefixes (q, s_1, …) with their lower bounds."""

    def __init__(self, votes: VoteCounts, point: Sequence[Number], keys: range) -> None:
        self.point, self.keys = point, keys
        self.judges = range(len(votes.judges))
        self.given = [tuple(votes.responses(judge).values()) for judge in self.judges]
        self.pairs = {(i, j): PairBounds.of(votes, i, j) for i in self.judges for j in self.judges if i != j}
        self.trio = TrioDecision.of(votes) if len(self.judges) == 3 else None

    def run(self, budget: Budget) -> tuple[Number, tuple[int, ...]]:
        heap: list[tuple[Number, tuple[int, ...], int]] = []
        self._push(heap, (), self.keys)
        best: tuple[Number, tuple[int, ...]] | None = None
        while heap:
            bound, prefix, step = heapq.heappop(heap)
            budget.spend(1, "the search for the nearest evaluation")
            if best is not None and bound > best[0]:
                break
            *before, last = prefix
            values = self._values(tuple(before))
            for direction in (-values.step, values.step) if step == 0 else (step,):
                if last + direction in values:
                    other = (*before, last + direction)
                    heapq.heappush(heap, (self.bound(other), other, direction))
            if len(prefix) == 1 + len(self.judges):
                best = (bound, prefix) if best is None else min(best, (bound, prefix))
            else:
                self._push(heap, prefix, self._values(prefix))
        if best is None:
            raise RuntimeError("votes always have a consistent evaluation")
        return best

    def _push(
        self, heap: list[tuple[Number, tuple[int, ...], int]], prefix: tuple[int, ...], values: range
    ) -> None:
        """Add the continuation with the least bound, which the walk goes out from."""
        lowest = values[_lowest(lambda place: self.bound((*prefix, values[place])), len(values))]
        heapq.heappush(heap, (self.bound((*prefix, lowest)), (*prefix, lowest), 0))

    def _values(self, prefix: tuple[int, ...]) -> range:
        """Return the numbers that may come next: for the last of three judges exactly the consistent ones."""
        if not prefix:
            return self.keys
        if self.trio is not None and len(prefix) == 3:
            return self.trio.third_values(*prefix)
        low, high = self._interval(len(prefix) - 1, prefix)
        return range(low, high + 1)

    def _interval(self, judge: int, prefix: tuple[int, ...]) -> tuple[int, int]:
        key, *right = prefix
        low, high = single_interval(key, *self.given[judge])
        for other, count in enumerate(right):
            bottom, top = self.pairs[other, judge].partner_interval(key, count)
            low, high = max(low, bottom), min(high, top)
        return low, high

    def bound(self, prefix: tuple[int, ...]) -> Number:
        """Return the distance of the fixed numbers, and of the best that each other judge may have."""
        key, *right = prefix
        total = (key - self.point[0]) * (key - self.point[0])
        for judge in self.judges:
            x, y = self.point[1 + 2 * judge], self.point[2 + 2 * judge] + key - self.given[judge][1]
            if judge < len(right):
                count = right[judge]
            else:
                low, high = self._interval(judge, prefix)
                count = min(max(_nearest_whole((x + y) / 2), low), high)
            total = total + (count - x) * (count - x) + (count - y) * (count - y)
        return total


def _nearest_whole(number: Number) -> int:
    """Return the whole number nearest to a real one; of two the smaller."""
    low = int(floor(number))  # noqa: RUF046  (of gmpy2 it is an mpz)
    return low + int(2 * (number - low) > 1)


def _lowest(value: Callable[[int], Number], length: int) -> int:
    """Return the first place of 0, …, length − 1 with the least value of a convex function."""
    low, high = 0, length - 1
    while low < high:
        middle = (low + high) // 2
        if value(middle) <= value(middle + 1):
            high = middle
        else:
            low = middle + 1
    return low
