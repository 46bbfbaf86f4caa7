"""Small votes of three judges, in order of size: where counterexamples are looked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

from gmpy2 import mpq

from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification
from ntqr_exact.postulates.prevalence import Outcome, eliminate_prevalence
from ntqr_exact.votes.counts import VoteCounts

PATTERNS = tuple("".join(pattern) for pattern in itertools.product("ab", repeat=3))


def votes_of_size(size: int) -> Iterator[VoteCounts]:
    """Iterate over all votes of three judges on this many questions."""
    for chosen in itertools.combinations_with_replacement(PATTERNS, size):
        yield VoteCounts({pattern: chosen.count(pattern) for pattern in PATTERNS})


def votes_text(votes: VoteCounts) -> str:
    """Return votes in few words.

    >>> votes_text(without_solution())
    'aaa×1, abb×1, bab×1'
    """
    return ", ".join(f"{''.join(pattern)}×{count}" for pattern, count in votes.counts.items() if count)


def moments(votes: VoteCounts) -> tuple[mpq, mpq, mpq]:
    """Return T, Π and A of the votes."""
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    third = votes.trio_moment(0, 1, 2)
    return third, product, third**2 + 4 * product


@cache
def without_solution() -> VoteCounts:
    """Return the smallest votes that no three independent judges have, over the complex numbers either."""
    return next(
        votes
        for size in itertools.count(1)
        for votes in votes_of_size(size)
        if solve_independent(votes).identification is Identification.NONE
        and eliminate_prevalence(votes).outcome is Outcome.CONTRADICTION
    )
