"""How many judges are looked at together, and their names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.votes.counts import VoteCounts


def group_size_of(votes: VoteCounts, group_size: int | Literal["all"] | None) -> int:
    """Return how many judges are looked at together: a number of them, all, or by default up to three."""
    judges = len(votes.judges)
    if group_size is None:
        return min(judges, 3)
    size = judges if group_size == "all" else whole_number(group_size)
    if not 1 <= size <= judges:
        raise BadVotes(group_size, f"groups have 1 to {judges} judges here", 'or "all"')
    return size


def and_joined(names: Sequence[str]) -> str:
    """Return names in a sentence.

    >>> and_joined(["gpt", "llama", "gemini"])
    'gpt, llama and gemini'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
