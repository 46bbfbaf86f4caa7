"""How many judges are looked at together, and how a sentence says it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.votes.counts import VoteCounts


def group_size_of(votes: VoteCounts, group_size: int | Literal["all"] | None) -> int:
    """Return how many judges are looked at together: a number of them, all, or by default up to three."""
    judges = len(votes.without_gaps("safety").judges)
    if group_size is None:
        return min(judges, 3)
    size = judges if group_size == "all" else whole_number(group_size)
    if not 1 <= size <= judges:
        raise BadVotes(group_size, f"groups have 1 to {judges} judges here", 'or "all"')
    return size


def groups_of(votes: VoteCounts, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the groups of this many judges, by their places."""
    return tuple(combinations(range(len(votes.judges)), size))


def looked_at(votes: VoteCounts, group_size: int) -> str:
    """Return which groups of judges are looked at, in words.

    >>> [looked_at(VoteCounts({"aaaaa": 1}), size) for size in (1, 2, 3, 4, 5)]
    ['each judge by itself', 'every pair', 'every trio', 'every group of 4', 'all 5 judges']
    """
    if group_size <= 3:
        return ("each judge by itself", "every pair", "every trio")[group_size - 1]
    return f"all {group_size} judges" if group_size == len(votes.judges) else f"every group of {group_size}"


def and_joined(names: Sequence[str]) -> str:
    """Return names in a sentence.

    >>> and_joined(["gpt", "llama", "gemini"])
    'gpt, llama and gemini'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def cannot_be_safe(names: Sequence[str]) -> str:
    """Return the sentence that some judges cannot all be safe."""
    return (
        f"whatever the answer key, {and_joined(names)} cannot {'both' if len(names) == 2 else 'all'} be safe"
    )
