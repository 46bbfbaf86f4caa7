"""The consistent individual evaluations: the shadow of the consistent group evaluations.

Several group evaluations, which differ in the correlations of the judges, have the same individual ones. Which have at
least one is decided in whole numbers: in closed form for one judge, and for two labels with two or three judges; else
by `ReachableSums`, which raises `NotSupported` beyond its limit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from ntqr_exact.budget import check_work
from ntqr_exact.errors import NotAnEvaluation, NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.compositions import KeyCounts, all_key_counts, check_key_counts, count_compositions
from ntqr_exact.varieties.explanation import Verdict, explain_individual
from ntqr_exact.varieties.pair_bounds import PairBounds, single_interval
from ntqr_exact.varieties.reachable import reachable_sums
from ntqr_exact.varieties.sampling import count_splits
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class Projection:
    """The individual evaluations, `CountEvaluation`, that are consistent with the votes.

    >>> shadow = Projection(VoteCounts({"a": 472, "b": 528}))
    >>> shadow.count(), shadow.count_at({"a": 400, "b": 600})
    (250217, 401)

    Votes with gaps have individual evaluations of one judge (`marginal(judge)`) or of common questions (`common`).
    """

    votes: VoteCounts

    def __post_init__(self) -> None:
        self.votes.without_gaps("an individual evaluation")

    def explain(self, evaluation: CountEvaluation) -> Verdict:
        """Return yes with a witness, or no with the postulates that fail."""
        if not isinstance(evaluation, CountEvaluation):
            rule = f"an individual evaluation must be a CountEvaluation, not {type(evaluation).__name__}"
            raise NotAnEvaluation(evaluation, rule)
        return explain_individual(self.votes, evaluation)

    def __contains__(self, evaluation: CountEvaluation) -> bool:
        return bool(self.explain(evaluation))

    def count(self) -> int:
        """Return the number of consistent individual evaluations; for one judge Π_l C(R_l + R − 1, R − 1)."""
        if len(self.votes.judges) == 1:
            return prod(count_compositions(n, len(self.votes.labels)) for n in self.votes.counts.values())
        if self._few == 2:
            return PairBounds.of(self.votes, 0, 1).count()
        if self._few:
            return self._count_trio(range(self.votes.size + 1))
        return reachable_sums(self.votes).count()

    def count_at(self, at: KeyCounts) -> int:
        """Return the number of them at key counts."""
        key = check_key_counts(at, self.votes.labels, self.votes.size)
        match self._few:
            case 1:
                low, high = single_interval(key[0], *self.votes.responses(0).values())
                return high - low + 1
            case 2:
                return PairBounds.of(self.votes, 0, 1).count_at(key[0])
            case 3:
                return self._count_trio(range(key[0], key[0] + 1))
        if len(self.votes.judges) == 1:
            return count_splits(list(self.votes.counts.values()), key)
        return sum(1 for _ in self.at(at))

    def __iter__(self) -> Iterator[CountEvaluation]:
        if self._few:
            for key in all_key_counts(self.votes.labels, self.votes.size):
                yield from self.at(key)
        else:
            yield from reachable_sums(self.votes).evaluations()

    def at(self, key_counts: KeyCounts) -> Iterator[CountEvaluation]:
        """Iterate over those at key counts, in the same order.

        >>> next(Projection(VoteCounts({"aa": 1, "bb": 1})).at({"a": 1, "b": 1}))
        CountEvaluation.from_correct({'a': 1, 'b': 1}, [{'a': 0, 'b': 0}, {'a': 0, 'b': 0}])
        """
        key = check_key_counts(key_counts, self.votes.labels, self.votes.size)
        if self._few:
            for right in self._right_answers(key[0]):
                yield individual_from_right(self.votes, key[0], right)
        else:
            for evaluation in reachable_sums(self.votes).evaluations():
                if tuple(evaluation.key_counts.values()) == key:
                    yield evaluation

    def points(self) -> Iterator[tuple[int, ...]]:
        """Iterate over (Q_a, R^a_{a_1}, R^b_{b_1}, R^a_{a_2}, …) as plain numbers, in the same order.

        >>> list(Projection(VoteCounts({"a": 1, "b": 1})).points())
        [(0, 0, 1), (1, 0, 0), (1, 1, 1), (2, 1, 0)]

        Raises `NotSupported` for more than two labels or three judges.
        """
        if not self._few:
            shape = f"{len(self.votes.judges)} judges and {len(self.votes.labels)} labels"
            raise NotSupported(shape, "points are listed for two labels and up to three judges")
        first = self.votes.labels[0]
        answered = [self.votes.responses(judge)[first] for judge in range(len(self.votes.judges))]
        for key in range(self.votes.size + 1):
            # The postulate of one judge: R^b_b = Q_b − R_a + R^a_a.
            shifts = [self.votes.size - key - count for count in answered]
            if self._few == 1:  # plain numbers, as fast as zip makes them
                low, high = single_interval(key, answered[0], self.votes.size - answered[0])
                yield from zip(itertools.repeat(key), range(low, high + 1), itertools.count(low + shifts[0]))
                continue
            for point in self._right_answers(key):
                yield (key, *(n for s, shift in zip(point, shifts, strict=True) for n in (s, s + shift)))

    @property
    def _few(self) -> int:
        """The number of judges, if they are at most three and choose between two labels."""
        judges = len(self.votes.judges)
        return judges if len(self.votes.labels) == 2 and judges <= 3 else 0

    def _count_trio(self, keys: range) -> int:
        """Add up the numbers of s_3 over all consistent (Q_a, s_1, s_2), whose number is a closed form."""
        pair, trio = PairBounds.of(self.votes, 0, 1), TrioDecision.of(self.votes)
        check_work("right answers of a pair", 4 * sum(map(pair.count_at, keys)))
        total = 0
        for key in keys:
            low, high = pair.single_interval(key)
            for first in range(low, high + 1):
                bottom, top = pair.partner_interval(key, first)
                total += sum(len(trio.third_values(key, first, s)) for s in range(bottom, top + 1))
        return total

    def _right_answers(self, key: int) -> Iterator[tuple[int, ...]]:
        """Iterate over the consistent (s_1, …, s_N) of up to three judges at Q_a = key."""
        low, high = single_interval(key, *self.votes.responses(0).values())
        if self._few == 1:
            yield from ((right,) for right in range(low, high + 1))
            return
        pair = PairBounds.of(self.votes, 0, 1)
        trio = TrioDecision.of(self.votes) if self._few == 3 else None
        for first in range(low, high + 1):
            bottom, top = pair.partner_interval(key, first)
            for second in range(bottom, top + 1):
                if trio is None:
                    yield (first, second)
                else:
                    yield from ((first, second, third) for third in trio.third_values(key, first, second))


def individual_from_right(votes: VoteCounts, key: int, right: tuple[int, ...]) -> CountEvaluation:
    """Return the evaluation with Q_a = key and s_i right answers on a, which the votes complete.

    The postulate of one judge is R^a_a + (Q_b − R^b_b) = R_a, hence R^b_b = Q_b − R_a + s.
    """
    a, b = votes.labels
    of_b = votes.size - key
    return CountEvaluation.from_correct(
        {a: key, b: of_b}, [{a: s, b: of_b - votes.responses(judge)[a] + s} for judge, s in enumerate(right)]
    )
