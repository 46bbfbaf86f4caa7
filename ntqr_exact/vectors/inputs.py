"""Parts of inputs that several families share: votes, keys and evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def votes_of(labels: Sequence[str], judges: int, counts: Sequence[Any]) -> VoteCounts:
    """Return the votes with a count for each pattern, in lexicographic order; raises `BadVotes` for another number.

    >>> votes_of(["a", "b"], 2, [3, 0, 0, 1]).size
    4
    """
    # Counted before they are listed: many judges have more patterns than memory holds.
    if judges > len(counts).bit_length() or len(labels) ** judges != len(counts):
        raise BadVotes(counts, f"there are {len(labels)}^{judges} patterns, and a count for each")
    patterns = product(labels, repeat=judges)
    return VoteCounts(dict(zip(patterns, counts, strict=True)), labels, [f"J{j + 1}" for j in range(judges)])


def key_of(labels: Sequence[str], judges: int, counts: Sequence[Sequence[Any]]) -> LabeledVoteCounts:
    """Return the votes with their key; raises `BadVotes` unless there are counts for each true label."""
    if len(labels) != len(counts):
        raise BadVotes(counts, f"there are {len(labels)} true labels, and counts for each")
    return LabeledVoteCounts(
        {label: votes_of(labels, judges, row) for label, row in zip(labels, counts, strict=True)}
    )


def counts_of(votes: VoteCounts) -> list[int]:
    """Return the counts of all patterns, in order."""
    return [votes.counts[pattern] for pattern in votes.patterns()]


def evaluation_of(
    labels: Sequence[str], key_counts: Sequence[Any], right: Sequence[Sequence[Any]]
) -> CountEvaluation:
    """Return the individual evaluation with these key counts and right answers."""
    return CountEvaluation.from_correct(
        dict(zip(labels, key_counts, strict=True)), [dict(zip(labels, row, strict=True)) for row in right]
    )


def subsets(judges: int, *sizes: int) -> list[tuple[int, ...]]:
    """Return the groups of these sizes, smaller ones first."""
    return [group for size in sizes for group in combinations(range(judges), size)]
