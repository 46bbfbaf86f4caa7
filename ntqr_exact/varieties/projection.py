"""The consistent individual evaluations: what is left of the group evaluations if each judge is graded alone.

Several group evaluations, which differ in the correlations of the judges, have the same individual ones. Which have at
least one is decided in whole numbers: in closed form for one judge, and for two labels with two or three judges and no
gaps; else by adding up the questions one after the other, up to a limit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from ntqr_exact.budget import check_work
from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.closed_forms import PairBounds, TrioDecision, single_interval
from ntqr_exact.varieties.compositions import KeyCounts, check_key_counts, count_compositions
from ntqr_exact.varieties.membership import Verdict, explain_individual, has_closed_form, reachable_sums
from ntqr_exact.varieties.sampling import count_splits
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class Projection:
    """The individual evaluations, `CountEvaluation`, that are consistent with the votes.

    >>> shadow = Projection(VoteCounts({"a": 472, "b": 528}))
    >>> shadow.count(), shadow.count_at({"a": 400, "b": 600})
    (250217, 401)

    With gaps, each judge counts on the questions that it answered; the key counts are those of all questions.
    """

    votes: VoteCounts

    def explain(self, evaluation: CountEvaluation) -> Verdict:
        """Return yes with a witness, or no with the postulates that fail."""
        return explain_individual(self.votes, evaluation)

    def __contains__(self, evaluation: CountEvaluation) -> bool:
        return bool(self.explain(evaluation))

    def count(self) -> int:
        """Return the number of consistent individual evaluations; for one judge Π_l C(R_l + R − 1, R − 1)."""
        if len(self.votes.judges) == 1:
            return prod(count_compositions(n, len(self.votes.labels)) for n in self.votes.counts.values())
        if not has_closed_form(self.votes):
            return len(reachable_sums(self.votes)[-1])
        if len(self.votes.judges) == 2:
            return PairBounds.of(self.votes, 0, 1).count()
        return self._count_trio(range(self.votes.size + 1))

    def count_at(self, at: KeyCounts) -> int:
        """Return the number of them at key counts."""
        key = check_key_counts(at, self.votes.labels, self.votes.size)
        if len(self.votes.judges) == 1:
            return count_splits(list(self.votes.counts.values()), key)
        if not has_closed_form(self.votes):
            return sum(1 for _ in self.at(at))
        if len(self.votes.judges) == 2:
            return PairBounds.of(self.votes, 0, 1).count_at(key[0])
        return self._count_trio(range(key[0], key[0] + 1))

    def __iter__(self) -> Iterator[CountEvaluation]:
        if has_closed_form(self.votes):
            for key in range(self.votes.size + 1):
                for right in self._right_answers(key):
                    yield individual_from_right(self.votes, key, right)
        else:
            for vector in sorted(reachable_sums(self.votes)[-1]):
                yield self._from_vector(vector)

    def at(self, key_counts: KeyCounts) -> Iterator[CountEvaluation]:
        """Iterate over those at key counts, in the same order.

        >>> next(Projection(VoteCounts({"aa": 1, "bb": 1})).at({"a": 1, "b": 1}))
        CountEvaluation.from_correct({'a': 1, 'b': 1}, [{'a': 0, 'b': 0}, {'a': 0, 'b': 0}])
        """
        key = check_key_counts(key_counts, self.votes.labels, self.votes.size)
        if has_closed_form(self.votes):
            for right in self._right_answers(key[0]):
                yield individual_from_right(self.votes, key[0], right)
        else:
            yield from (each for each in self if tuple(each.key_counts.values()) == key)

    def points(self) -> Iterator[tuple[int, ...]]:
        """Iterate over (Q_a, R^a_{a_1}, R^b_{b_1}, R^a_{a_2}, …) as plain numbers, in the same order.

        >>> list(Projection(VoteCounts({"a": 1, "b": 1})).points())
        [(0, 0, 1), (1, 0, 0), (1, 1, 1), (2, 1, 0)]

        Raises `NotSupported` for more than two labels or three judges, or gaps.
        """
        if not has_closed_form(self.votes):
            shape = f"{len(self.votes.judges)} judges and {len(self.votes.labels)} labels"
            raise NotSupported(shape, "points need two labels, at most three judges, and no gaps")
        first = self.votes.labels[0]
        answered = [self.votes.responses(judge)[first] for judge in range(len(self.votes.judges))]
        for key in range(self.votes.size + 1):
            # The postulate of one judge: R^b_b = Q_b − R_a + R^a_a.
            shifts = [self.votes.size - key - count for count in answered]
            if len(answered) == 1:  # plain numbers, as fast as zip makes them
                low, high = single_interval(key, answered[0], self.votes.size - answered[0])
                yield from zip(itertools.repeat(key), range(low, high + 1), itertools.count(low + shifts[0]))
                continue
            for point in self._right_answers(key):
                yield (key, *(n for s, shift in zip(point, shifts, strict=True) for n in (s, s + shift)))

    def _from_vector(self, vector: tuple[int, ...]) -> CountEvaluation:
        labels, numbers = self.votes.labels, iter(vector)
        key: dict[str, int] = {}
        confusion: list[dict[str, dict[str, int]]] = [{} for _ in self.votes.judges]
        for label in labels:
            key[label] = next(numbers)
            for rows in confusion:
                rows[label] = {given: next(numbers) for given in labels}
        return CountEvaluation(key, confusion)

    def _count_trio(self, keys: range) -> int:
        """Add up the numbers of s_3 over all consistent (Q_a, s_1, s_2), whose number is a closed form."""
        trio = TrioDecision.of(self.votes)
        check_work("right answers of a pair", 4 * sum(map(trio.pair.count_at, keys)))
        return sum(
            len(trio.third_values(key, *right)) for key in keys for right in _pair_answers(trio.pair, key)
        )

    def _right_answers(self, key: int) -> Iterator[tuple[int, ...]]:
        """Iterate over the consistent (s_1, …, s_N) of up to three judges at Q_a = key."""
        match len(self.votes.judges):
            case 1:
                low, high = single_interval(key, *self.votes.responses(0).values())
                yield from ((right,) for right in range(low, high + 1))
            case 2:
                yield from _pair_answers(PairBounds.of(self.votes, 0, 1), key)
            case _:
                trio = TrioDecision.of(self.votes)
                for pair in _pair_answers(trio.pair, key):
                    yield from ((*pair, third) for third in trio.third_values(key, *pair))


def _pair_answers(pair: PairBounds, key: int) -> Iterator[tuple[int, int]]:
    low, high = pair.single_interval(key)
    for first in range(low, high + 1):
        bottom, top = pair.partner_interval(key, first)
        yield from ((first, second) for second in range(bottom, top + 1))


def individual_from_right(votes: VoteCounts, key: int, right: tuple[int, ...]) -> CountEvaluation:
    """Return the evaluation with Q_a = key and s_i right answers on a, which the votes complete.

    The postulate of one judge is R^a_a + (Q_b − R^b_b) = R_a, hence R^b_b = Q_b − R_a + s.
    """
    a, b = votes.labels
    of_b = votes.size - key
    return CountEvaluation.from_correct(
        {a: key, b: of_b}, [{a: s, b: of_b - votes.responses(judge)[a] + s} for judge, s in enumerate(right)]
    )
