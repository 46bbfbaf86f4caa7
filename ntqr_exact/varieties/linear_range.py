"""The exact range of a linear statistic Σ w(l, v)·R^l_v over the consistent group evaluations.

Without key counts every pattern may go to the true label with the best weight. At key counts this is a
transportation problem, whose optimum over the reals is attained in whole numbers: starting from the free
optimum, questions are moved from labels that have too many to labels that have too few, always along the
moves that lose least. Such successive cheapest paths keep the assignment optimal for its own key counts
(Ford and Fulkerson, Flows in Networks, 1962, chapter III).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.varieties.compositions import from_splits
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


def right_answers(votes: VoteCounts, judge: Judge, label: str | None = None) -> Statistic:
    """Return the statistic R^l_{l_i}: how often a judge is right, on a true label or on all.

    >>> right_answers(VoteCounts({"ab": 1, "aa": 1}), 1)
    {('a', ('a', 'a')): 1, ('b', ('a', 'b')): 1}
    """
    place = votes.place(judge)
    if label is not None and label not in votes.labels:
        raise BadVotes(label, f"label must be one of {', '.join(map(repr, votes.labels))}")
    labels = votes.labels if label is None else (label,)
    return {(true, pattern): 1 for true in labels for pattern in votes.counts if pattern[place] == true}


def linear_range(votes: VoteCounts, statistic: Statistic, key: tuple[int, ...] | None) -> Range:
    """Return the range of a statistic, at key counts if given; raises `BadVotes` for weights of other votes."""
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
        splits = _best_splits(gains, list(votes.counts.values()), key)
        value = sum(
            (sum(map(mul, row, split), mpq(0)) for row, split in zip(gains, splits, strict=True)), mpq(0)
        )
        graded = from_splits(votes.labels, votes.judges, votes.counts, [tuple(split) for split in splits])
        ends.append((sign * value, graded))
    (least, minimizer), (most, maximizer) = ends
    return Range(least, most, minimizer, maximizer)


def _best_splits(gains: list[list[mpq]], counts: list[int], key: tuple[int, ...] | None) -> list[list[int]]:
    """Return splits with the greatest gain; the first label wins ties."""
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
    return max((best[label] for label in best if surplus[label] < 0), key=lambda found: found[0])[1]
