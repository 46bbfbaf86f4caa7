"""Votes in an input: labels, the number of judges, and the counts of all patterns in lexicographic order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from ntqr_exact.errors import BadVotes
from ntqr_exact.vectors.specification import Document
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.names import Pattern


def votes_input(counts: Iterable[int], *, labels: str = "ab", judges: int = 3) -> Document:
    """Return the input of votes; a count beyond 2^53 becomes a text.

    >>> votes_input([1, 0, 2**60, 0], judges=2)["counts"]
    [1, 0, '1152921504606846976', 0]
    """
    return {
        "labels": list(labels),
        "judges": judges,
        "counts": [count if abs(count) <= 2**53 else str(count) for count in counts],
    }


def patterns_of(document: Document) -> list[Pattern]:
    """Return all patterns in the order of the counts."""
    return list(product(document["labels"], repeat=document["judges"]))


def votes_from(document: Document) -> VoteCounts:
    """Return the votes of an input; raises `BadVotes` if the counts are not one for each pattern.

    >>> votes_from(votes_input([3, 0, 0, 1], judges=2))
    VoteCounts({'aa': 3, 'bb': 1}, labels=('a', 'b'), judges=('J1', 'J2'))
    """
    labels, judges, counts = document["labels"], document["judges"], document["counts"]
    # Counted before they are listed: many judges have more patterns than memory holds.
    if judges > len(counts).bit_length() or len(labels) ** judges != len(counts):
        raise BadVotes(counts, f"there are {len(labels)}^{judges} patterns, and a count for each")
    names = [f"J{place + 1}" for place in range(judges)]
    return VoteCounts(dict(zip(patterns_of(document), counts, strict=True)), labels, names)


def counts_of(votes: VoteCounts) -> list[int]:
    """Return the counts of all patterns, in order."""
    return [votes.counts[pattern] for pattern in votes.patterns()]


def pattern_names(labels: Sequence[str], judges: int) -> list[str]:
    """Return the patterns as words, for lines that people read."""
    return ["".join(pattern) for pattern in product(labels, repeat=judges)]
