"""Local improvement of an answer key: questions of a pattern move from one label to another while that helps.

What helps is for a `Moves` to say: errors that depend less on each other, or judges that miss less of what is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Protocol, TypeAlias

Shares: TypeAlias = list[list[int]]
"""How many questions of each pattern have each true label: `shares[pattern][label]`."""


class Moves(Protocol):
    """A key that changes, and how good it is."""

    shares: Shares

    def counts(self, pattern: int, source: int, to: int) -> Iterable[int]:
        """Return how many questions to try to move from a label to another; negative numbers move them back."""

    def attempt(self, pattern: int, source: int, to: int, count: int) -> bool:
        """Make a move if it helps; return whether it does."""


def improve(moves: Moves, sweeps: int = 40) -> None:
    """Try moves of all patterns between all labels until a whole sweep does not help."""
    pairs = cache(partial(_pairs, len(moves.shares[0])))
    for _ in range(sweeps):
        helped = False
        for pattern, row in enumerate(moves.shares):
            for source, to in pairs(tuple(label for label, count in enumerate(row) if count)):
                for count in moves.counts(pattern, source, to):
                    limited = max(-row[to], min(row[source], count))
                    if limited and moves.attempt(pattern, source, to, limited):
                        helped = True
                        break
        if not helped:
            return


def _pairs(labels: int, used: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the pairs of labels of which one is in use, in order."""
    return sorted({(min(a, b), max(a, b)) for a in used for b in range(labels) if a != b})
