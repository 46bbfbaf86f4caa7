"""The exact range of a linear statistic Σ w(l, v)·R^l_v over the consistent group evaluations.

Without key counts every pattern may go to the true label with the best weight. At key counts this is a
transportation problem, whose optimum over the reals is attained in whole numbers: starting from the free
optimum, questions are moved from labels that have too many to labels that have too few, always along the
moves that lose least. Such successive cheapest paths keep the assignment optimal for its own key counts
(Ford and Fulkerson, Flows in Networks, 1962, chapter III). With two labels it is the greedy exchange of
the patterns in the order of w(a, v) − w(b, v).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.varieties.group import from_splits
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_pattern


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest value of a statistic, with a group evaluation that attains each."""

    minimum: mpq
    maximum: mpq
    minimizer: LabeledVoteCounts
    maximizer: LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class LinearStatistic:
    """A rational weight for each true label and pattern; what is not given weighs 0.

    >>> LinearStatistic({("a", "ab"): "1/2"}).weight("a", ("a", "b"))
    mpq(1,2)
    """

    weights: Mapping[tuple[str, Pattern | str], RationalLike]

    def weight(self, label: str, pattern: Pattern) -> mpq:
        """Return the weight of a question with this true label and pattern."""
        for key in ((label, pattern), (label, "".join(pattern))):
            if key in self.weights:
                return rational(self.weights[key])
        return mpq(0)

    def value(self, graded: LabeledVoteCounts) -> mpq:
        """Return the statistic of one group evaluation."""
        counts = ((label, *each) for label, votes in graded.by_label.items() for each in votes.counts.items())
        return sum((self.weight(label, pattern) * count for label, pattern, count in counts), mpq(0))


def right_answers(votes: VoteCounts, judge: Judge, label: str | None = None) -> LinearStatistic:
    """Return the statistic R^l_{l_i}: how often a judge is right, on a true label or on all.

    >>> right_answers(VoteCounts({"ab": 1}), 1).weights
    {('a', ('a', 'a')): 1, ('a', ('b', 'a')): 1, ('b', ('a', 'b')): 1, ('b', ('b', 'b')): 1}
    """
    place = votes.place(judge)
    if label is not None and label not in votes.labels:
        raise BadVotes(label, f"a label is one of {', '.join(map(repr, votes.labels))}")
    return LinearStatistic(
        {
            (true, pattern): 1
            for true in (votes.labels if label is None else (label,))
            for pattern in votes.patterns()
            if pattern[place] == true
        }
    )


def linear_range(votes: VoteCounts, statistic: LinearStatistic, key: tuple[int, ...] | None) -> Range:
    """Return the range of a statistic, at key counts if given."""
    _check_weights(votes, statistic)
    least, most = (_extreme(votes, statistic, sign, key) for sign in (-1, 1))
    return Range(statistic.value(least), statistic.value(most), least, most)


def _check_weights(votes: VoteCounts, statistic: LinearStatistic) -> None:
    for key in statistic.weights:
        if not isinstance(key, tuple) or len(key) != 2 or key[0] not in votes.labels:
            raise BadVotes(key, "a weight belongs to a true label and a pattern")
        if len(check_pattern(key[1], votes.labels)) != len(votes.judges):
            raise BadVotes(key, f"a pattern here has {len(votes.judges)} labels")


def _extreme(
    votes: VoteCounts, statistic: LinearStatistic, sign: int, key: tuple[int, ...] | None
) -> LabeledVoteCounts:
    """Return a group evaluation with the greatest value times a sign; the first label wins ties."""
    labels = range(len(votes.labels))
    gains = [[sign * statistic.weight(label, pattern) for label in votes.labels] for pattern in votes.counts]
    splits = [[0] * len(labels) for _ in gains]
    for row, split, count in zip(gains, splits, votes.counts.values(), strict=True):
        split[row.index(max(row))] = count
    if key is not None:
        _meet_key_counts(gains, splits, key)
    return from_splits(votes.labels, votes.judges, votes.counts, [tuple(split) for split in splits])


def _meet_key_counts(gains: list[list[mpq]], splits: list[list[int]], key: tuple[int, ...]) -> None:
    labels = range(len(key))
    surplus = [sum(split[label] for split in splits) - key[label] for label in labels]
    while any(surplus):
        moves = _best_moves(gains, splits)
        sources = [label for label in labels if surplus[label] > 0]
        path = _best_path(moves, sources, surplus)
        steps = list(pairwise(path))
        amount = min(surplus[path[0]], -surplus[path[-1]])
        amount = min(amount, *(splits[moves[step][1]][step[0]] for step in steps))
        for source, target in steps:
            pattern = moves[source, target][1]
            splits[pattern][source] -= amount
            splits[pattern][target] += amount
        surplus[path[0]] -= amount
        surplus[path[-1]] += amount


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


def _best_path(
    moves: dict[tuple[int, int], tuple[mpq, int]], sources: list[int], surplus: list[int]
) -> list[int]:
    """Return the path of greatest gain from a label with too many to one with too few (Bellman-Ford).

    No cycle gains: the assignment is optimal for its key counts. So R − 1 rounds are enough.
    """
    best: dict[int, tuple[mpq, list[int]]] = {label: (mpq(0), [label]) for label in sources}
    for _ in surplus:
        for (source, target), (gain, _pattern) in moves.items():
            if source in best and target not in best[source][1]:
                total = best[source][0] + gain
                if target not in best or total > best[target][0]:
                    best[target] = (total, [*best[source][1], target])
    return max((best[label] for label in best if surplus[label] < 0), key=lambda found: found[0])[1]
