"""`ConsistentSet`: all evaluations that the votes allow, and the exact ranges of linear statistics over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod
from operator import mul
from typing import TypeAlias, overload

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.varieties.compositions import (
    KeyCounts,
    Split,
    check_key_counts,
    compositions,
    count_compositions,
    from_splits,
)
from ntqr_exact.varieties.correlations import PairPoint, correlation_range, pair_correlations
from ntqr_exact.varieties.membership import Projection, Verdict, explain
from ntqr_exact.varieties.nearest import Nearest, nearest
from ntqr_exact.varieties.sampling import GroupSampler, count_splits, group_sampler, split_table
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_pattern

Statistic: TypeAlias = Mapping[tuple[str, Pattern | str], RationalLike]
"""A rational weight for each true label and pattern; what is not given weighs 0."""


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest value of a statistic, with a group evaluation that attains each."""

    minimum: mpq
    maximum: mpq
    minimizer: LabeledVoteCounts
    maximizer: LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class ConsistentSet:
    """The group evaluations consistent with votes: each pattern's questions split over the true labels.

    >>> consistent = ConsistentSet(VoteCounts({"aa": 2, "bb": 1}))
    >>> consistent.count(), consistent.count_at({"a": 1, "b": 2})
    (6, 2)

    Its elements are the `LabeledVoteCounts` whose observed votes are the votes. Patterns may have gaps.
    """

    votes: VoteCounts

    def __post_init__(self) -> None:
        if not isinstance(self.votes, VoteCounts):
            rule = f"votes must be VoteCounts, not {type(self.votes).__name__}"
            raise BadVotes(self.votes, rule, "LabeledVoteCounts have their observed()")

    def _repr_latex_(self) -> str:
        return rf"${self.count()}\text{{ evaluations consistent with }}{self.votes.size}\text{{ questions}}$"

    def count(self) -> int:
        """Return the number of consistent group evaluations, Π_v C(c_v + R − 1, R − 1)."""
        return prod(count_compositions(count, len(self.votes.labels)) for count in self._counts)

    def count_at(self, at: KeyCounts) -> int:
        """Return how many have the key counts.

        >>> counts = dict(zip("aaa aab aba abb baa bab bba bbb".split(), (269, 88, 88, 60, 81, 74, 64, 276)))
        >>> ConsistentSet(VoteCounts(counts)).count_at({"a": 400, "b": 600})
        33259347089633

        Raises `TooMuchWork` where several labels have too many questions.
        """
        return count_splits(self._counts, self._key(at))

    def counts_by_key(self) -> dict[tuple[int, ...], int]:
        """Return how many have each key counts, given in the order of the labels; O(2^N Q) if R = 2.

        >>> ConsistentSet(VoteCounts({"aa": 2, "bb": 1})).counts_by_key()
        {(0, 3): 1, (1, 2): 2, (2, 1): 2, (3, 0): 1}
        """
        size, labels = self.votes.size, len(self.votes.labels)
        sums = product(range(size + 1), repeat=labels - 1)
        table = split_table(self._counts, [size] * labels)
        return {
            (*some, size - sum(some)): n for some, n in zip(sums, table, strict=True) if sum(some) <= size
        }

    def explain(self, evaluation: LabeledVoteCounts | CountEvaluation | Evaluation) -> Verdict:
        """Return yes with a witness, or no with the postulates that fail and by how much.

        A group evaluation must give the votes; an individual one, or one in rates, must have a group evaluation that
        does. With gaps, a judge's row of counts is over the questions that it answered, and rates are refused.
        """
        return explain(self.votes, evaluation)

    def __contains__(self, evaluation: LabeledVoteCounts | CountEvaluation | Evaluation) -> bool:
        return bool(self.explain(evaluation))

    def __iter__(self) -> Iterator[LabeledVoteCounts]:
        return self._groups([self.votes.size] * len(self.votes.labels))

    def at(self, key_counts: KeyCounts) -> Iterator[LabeledVoteCounts]:
        """Iterate over those at key counts, in the same order.

        >>> len(list(ConsistentSet(VoteCounts({"a": 1, "b": 1})).at({"a": 1, "b": 1})))
        2
        """
        return self._groups(self._key(key_counts))

    def sample(self, *, seed: RationalLike, at: KeyCounts | None = None) -> LabeledVoteCounts:
        """Return a uniform group evaluation, at key counts if given; the same for the same seed."""
        return next(self.sampler(at=at).draws(seed=seed))

    def sampler(self, *, at: KeyCounts | None = None) -> GroupSampler:
        """Return what draws again and again, with the tables that it needs made once.

        Two labels: a walk with exact weights. More labels at key counts: rejection, at most 50 million splits of a
        pattern for one draw, else `TooMuchWork`.

        >>> draws = ConsistentSet(VoteCounts({"aa": 2, "bb": 1})).sampler(at={"a": 1, "b": 2}).draws(seed=1)
        >>> next(draws).key_counts, next(draws).key_counts
        ({'a': 1, 'b': 2}, {'a': 1, 'b': 2})
        """
        return group_sampler(self.votes, self._key(at))

    def range_of(self, statistic: Statistic, *, at: KeyCounts | None = None) -> Range:
        """Return the exact range of Σ w(l, v)·R^l_v, with a group evaluation that attains each end.

        >>> result = ConsistentSet(VoteCounts({"aa": 2, "ab": 1})).range_of({("a", "aa"): 1, ("b", "ab"): -1})
        >>> result.minimum, result.maximum
        (mpq(-1,1), mpq(2,1))

        Raises `BadVotes` for weights of other labels or patterns.
        """
        votes, key = self.votes, self._key(at)
        weights: dict[tuple[str, Pattern], mpq] = {}
        for each, weight in statistic.items():
            if not isinstance(each, tuple) or len(each) != 2 or each[0] not in votes.labels:
                raise BadVotes(each, "a weight must belong to a true label and a pattern")
            pattern = check_pattern(each[1], votes.labels)
            if len(pattern) != len(votes.judges):
                raise BadVotes(each, f"a pattern must have {len(votes.judges)} labels")
            weights[each[0], pattern] = rational(weight)
        ends = []
        for sign in (-1, 1):
            gains = [
                [sign * weights.get((label, pattern), mpq(0)) for label in votes.labels]
                for pattern in votes.counts
            ]
            splits = _best_splits(gains, self._counts, key)
            value = sum((sum(map(mul, *each), mpq(0)) for each in zip(gains, splits, strict=True)), mpq(0))
            graded = from_splits(votes.labels, votes.judges, votes.counts, [tuple(split) for split in splits])
            ends.append((sign * value, graded))
        (least, minimizer), (most, maximizer) = ends
        return Range(least, most, minimizer, maximizer)

    def correlation_range(
        self, label: str, first: Judge, second: Judge, *, at: KeyCounts | None = None
    ) -> tuple[mpq, mpq]:
        """Return the least and the greatest error correlation Γ^label of two judges, where both answered."""
        return correlation_range(self.votes, label, (first, second), self._key(at))

    def pair_correlations(
        self, evaluation: CountEvaluation, first: Judge, second: Judge
    ) -> tuple[PairPoint, ...]:
        """Return all (Γ^a, Γ^b) of two judges that go with individual evaluations of all judges."""
        return pair_correlations(self.votes, evaluation, first, second)

    def projection(self) -> Projection:
        """Return the set of the consistent individual evaluations."""
        return Projection(self.votes)

    def nearest(self, target: Evaluation | CountEvaluation, *, at: KeyCounts | None = None) -> Nearest:
        """Return the consistent individual evaluation nearest to a target; ties go to the smallest."""
        return nearest(self.votes, target, self._key(at))

    @property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self.votes.counts.values())

    @overload
    def _key(self, at: KeyCounts) -> tuple[int, ...]: ...
    @overload
    def _key(self, at: KeyCounts | None) -> tuple[int, ...] | None: ...
    def _key(self, at: KeyCounts | None) -> tuple[int, ...] | None:
        return None if at is None else check_key_counts(at, self.votes.labels, self.votes.size)

    def _groups(self, limits: Sequence[int]) -> Iterator[LabeledVoteCounts]:
        for splits in _all_splits(self._counts, limits):
            yield from_splits(self.votes.labels, self.votes.judges, self.votes.counts, splits)


def _all_splits(counts: tuple[int, ...], limits: Sequence[int]) -> Iterator[tuple[Split, ...]]:
    """Iterate over splits of all patterns with at most `limits` questions of each true label.

    There is no dead end: as long as the limits hold, the room that is left holds the patterns that are.
    """
    if not counts:
        yield ()
        return
    for split in compositions(counts[0], len(limits), limits=limits):
        left = [limit - part for limit, part in zip(limits, split, strict=True)]
        for others in _all_splits(counts[1:], left):
            yield (split, *others)


def right_answers(votes: VoteCounts, judge: Judge, label: str | None = None) -> Statistic:
    """Return the statistic R^l_{l_i}: how often a judge is right, on a true label or on all.

    >>> right_answers(VoteCounts({"ab": 1, "aa": 1}), 1)
    {('a', ('a', 'a')): 1, ('b', ('a', 'b')): 1}
    """
    index = votes.place(judge)
    if label is not None and label not in votes.labels:
        raise BadVotes(label, f"label must be one of {', '.join(map(repr, votes.labels))}")
    labels = votes.labels if label is None else (label,)
    return {(true, pattern): 1 for true in labels for pattern in votes.counts if pattern[index] == true}


def _best_splits(
    gains: list[list[mpq]], counts: tuple[int, ...], key: tuple[int, ...] | None
) -> list[list[int]]:
    """Return splits with the greatest gain; the first label wins ties.

    Without key counts every pattern goes to its best label. At key counts questions are then moved from labels that
    have too many to labels that have too few, always along the moves that lose least: successive cheapest paths keep
    the assignment optimal for its own key counts (Ford and Fulkerson, Flows in Networks, 1962, chapter III).
    """
    splits = [[0] * len(row) for row in gains]
    for row, split, count in zip(gains, splits, counts, strict=True):
        split[row.index(max(row))] = count
    if key is None:
        return splits
    surplus = [sum(split[label] for split in splits) - count for label, count in enumerate(key)]
    while any(surplus):
        moves = _best_moves(gains, splits)
        path = _best_path(moves, surplus)
        steps = list(pairwise(path))
        amount = min(surplus[path[0]], -surplus[path[-1]])
        amount = min(amount, *(splits[moves[step][1]][step[0]] for step in steps))
        for source, target in steps:
            pattern = moves[source, target][1]
            splits[pattern][source] -= amount
            splits[pattern][target] += amount
        surplus[path[0]] -= amount
        surplus[path[-1]] += amount
    return splits


def _best_moves(gains: list[list[mpq]], splits: list[list[int]]) -> dict[tuple[int, int], tuple[mpq, int]]:
    """Return for each two labels the most that moving one question gains, and of which pattern."""
    moves: dict[tuple[int, int], tuple[mpq, int]] = {}
    for pattern, (row, split) in enumerate(zip(gains, splits, strict=True)):
        for source, held in enumerate(split):
            for target, gain in enumerate(row):
                if held and source != target:
                    candidate = gain - row[source]
                    if (source, target) not in moves or candidate > moves[source, target][0]:
                        moves[source, target] = (candidate, pattern)
    return moves


def _best_path(moves: dict[tuple[int, int], tuple[mpq, int]], surplus: list[int]) -> list[int]:
    """Return the path of greatest gain from a label with too many to one with too few (Bellman-Ford).

    No cycle gains: the assignment is optimal for its key counts. So R − 1 rounds are enough.
    """
    best = {label: (mpq(0), [label]) for label, count in enumerate(surplus) if count > 0}
    for _ in surplus:
        for (source, target), (gain, _pattern) in moves.items():
            if source in best and target not in best[source][1]:
                total = best[source][0] + gain
                if target not in best or total > best[target][0]:
                    best[target] = (total, [*best[source][1], target])
    return max((best[label] for label in best if surplus[label] < 0), key=lambda each: each[0])[1]
