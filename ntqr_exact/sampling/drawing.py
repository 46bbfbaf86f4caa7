"""How the graded questions were chosen, and the strata that follow from it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ntqr_exact.errors import BadVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.names import Pattern, check_pattern


class Drawn(Enum):
    """How the graded questions were chosen among all."""

    AT_RANDOM = "at_random"
    BY_STRATA = "by_strata"
    NOT_AT_RANDOM = "not_at_random"


Strata = tuple[tuple[Pattern, ...], ...]


def check_strata(votes: VoteCounts, drawn: Drawn, strata: Iterable[Iterable[object]] | None) -> Strata:
    """Return the strata: groups of answer patterns that hold each pattern seen exactly once.

    Those of one random sample are a single one; drawn by strata, each pattern is one unless told otherwise.

    >>> check_strata(VoteCounts({"aa": 2, "ab": 1}), Drawn.BY_STRATA, None)
    ((('a', 'a'),), (('a', 'b'),))
    """
    seen = tuple(votes.counts)
    if drawn is not Drawn.BY_STRATA:
        if strata is not None:
            raise BadVotes(strata, "only questions drawn by strata have strata", "say drawn='by_strata'")
        return (seen,) if seen else ()
    if strata is None:
        return tuple((pattern,) for pattern in seen)
    place = {pattern: index for index, pattern in enumerate(seen)}
    groups = []
    for group in strata:
        if isinstance(group, str):
            raise BadVotes(group, "a stratum is a list of patterns")
        patterns = {check_pattern(pattern, votes.labels) for pattern in group}
        groups.append(tuple(sorted((p for p in patterns if p in place), key=place.__getitem__)))
    held = [pattern for group in groups for pattern in group]
    if sorted(held, key=place.__getitem__) != list(seen):
        raise BadVotes(strata, "the strata hold every pattern that was seen exactly once")
    return tuple(sorted((group for group in groups if group), key=lambda group: place[group[0]]))
