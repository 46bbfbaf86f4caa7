"""The names of the labels of a key: exchanging them changes no correlation, so that somebody has to name them.

They are so named that most answers are right. In a key so named no other naming has more right answers, which is
linear in the key: a proof may use it, and loses no key but under other names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.dependence.panel import Condition, key_of
from ntqr_exact.linear.assignment import best_assignment
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def named_by_most_right(votes: VoteCounts, shares: Sequence[Sequence[int]]) -> LabeledVoteCounts:
    """Return the key with its labels so exchanged that most answers are right: names do not change correlations.

    >>> key = named_by_most_right(VoteCounts({"aa": 2, "bb": 1}), [[0, 2], [1, 0]])
    >>> key.key_counts
    {'a': 2, 'b': 1}
    """
    return key_of(votes, named_shares(votes, shares))


def named_shares(votes: VoteCounts, shares: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the questions of each pattern with each label after that exchange."""
    labels = range(len(votes.labels))
    places = {label: place for place, label in enumerate(votes.labels)}
    # right[l][t]: answers that are right if what is now called l is really t.
    right = [[0] * len(labels) for _ in labels]
    for p, split in zip(votes.counts, shares, strict=True):
        for answer in p:
            for label in labels:
                right[label][places[answer]] += split[label]
    order = best_assignment(right)
    return [[split[order.index(place)] for place in labels] for split in shares]


def naming_conditions(votes: VoteCounts) -> tuple[Condition, ...]:
    """Return conditions of being named by the most right answers: exchanges of two labels, or three, have no more.

    >>> for condition in naming_conditions(VoteCounts({"aa": 2, "bb": 1})):
    ...     print(condition.words)
    as many answers are right as if a were named b, b named a
    """
    return tuple(_condition(votes, names) for names in _exchanges(votes.labels))


def _exchanges(labels: Sequence[str]) -> Iterator[dict[str, str]]:
    """Iterate over new names of two labels, or of three in a circle."""
    for a, b in combinations(labels, 2):
        yield {a: b, b: a}
    for a, b, c in combinations(labels, 3):
        yield {a: b, b: c, c: a}
        yield {a: c, c: b, b: a}


def _condition(votes: VoteCounts, names: dict[str, str]) -> Condition:
    told = ", ".join(f"{old} {'' if k else 'were '}named {new}" for k, (old, new) in enumerate(names.items()))
    weights = tuple(
        (label, judge, answer, weight)
        for label, other in names.items()
        for judge in votes.judges
        for answer, weight in ((label, mpq(1)), (other, mpq(-1)))
    )
    return Condition(f"as many answers are right as if {told}", weights)
