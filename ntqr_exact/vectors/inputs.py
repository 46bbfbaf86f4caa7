"""Inputs of families: votes, keys and evaluations from their parts, and the random choices that generate fresh ones."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Any, TypeVar

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_Item = TypeVar("_Item")
LEVELS = ("0.95", "0.9", "0.99", "2/3")


@dataclass(frozen=True, slots=True)
class Draws:
    """Uniform choices from a stream of random bits."""

    bits: random.Random

    @classmethod
    def of(cls, seed: int, family: str, index: int) -> Draws:
        """Return the draws of the input of a family with an index.

        >>> Draws.of(1, "vote-moments", 0).between(1, 6)
        3
        """
        return cls(random.Random(hashlib.sha256(f"{seed}/{family}/{index}".encode()).digest()))

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to bound − 1."""
        while (number := self.bits.getrandbits(bound.bit_length())) >= bound:
            pass
        return number

    def between(self, lowest: int, highest: int) -> int:
        """Return a whole number, both ends included."""
        return lowest + self.below(highest - lowest + 1)

    def pick(self, items: Sequence[_Item]) -> _Item:
        """Return one of some items."""
        return items[self.below(len(items))]

    def counts(self, total: int, boxes: int) -> list[int]:
        """Return a uniform way to distribute a total over boxes: bars between stars."""
        bars: set[int] = set()
        for last in range(total, total + boxes - 1):
            bar = self.below(last + 1)
            bars.add(last if bar in bars else bar)
        ends = [-1, *sorted(bars), total + boxes - 1]
        return [end - start - 1 for start, end in pairwise(ends)]

    def share(self, largest_denominator: int) -> mpq:
        """Return a rational from 0 to 1, both ends included."""
        denominator = self.between(1, largest_denominator)
        return mpq(self.between(0, denominator), denominator)

    def rate(self, largest_denominator: int) -> str:
        """Return a rational from 0 to 1 as a text."""
        return str(self.share(largest_denominator))

    def votes(
        self, size: int, shapes: Sequence[tuple[str, int]] = (("ab", 3),), *, agreed: int = 0
    ) -> dict[str, Any]:
        """Return votes on this number of questions of a shape (labels, judges); all judges agree on some more."""
        labels, judges = self.pick(shapes)
        counts = self.counts(size, len(labels) ** judges)
        for label, count in enumerate(self.counts(agreed, len(labels))):
            counts[label * (len(counts) - 1) // (len(labels) - 1)] += count
        return {"labels": list(labels), "judges": judges, "counts": counts}

    def samples(self, size: int) -> dict[str, Any]:
        """Return labels 0 and 1, both of them, with scores that often tie."""
        distinct = self.pick((3, size + 2, 4 * size + 8))
        labels = [0, 1, *(self.below(2) for _ in range(size))]
        return {"labels": labels, "scores": [f"{self.between(0, distinct)}/{distinct}" for _ in labels]}

    def vectors(self, number: int, labels: int, below: int) -> list[list[str]]:
        """Return probability vectors over a denominator."""
        return [[str(mpq(n, below)) for n in self.counts(below, labels)] for _ in range(number)]

    def cells(self, size: int) -> dict[str, int]:
        """Return a confusion matrix of this number of samples."""
        return dict(zip(("tp", "fp", "fn", "tn"), self.counts(size, 4), strict=True))


def votes_of(labels: Sequence[str], judges: int, counts: Sequence[Any]) -> VoteCounts:
    """Return the votes with a count for each pattern, in lexicographic order; raises `BadVotes` for another number.

    >>> votes_of(["a", "b"], 2, [3, 0, 0, 1]).size
    4
    """
    # Counted before they are listed: many judges have more patterns than memory holds.
    if judges > len(counts).bit_length() or len(labels) ** judges != len(counts):
        raise BadVotes(counts, f"counts must be {len(labels)}^{judges}, one for each pattern")
    patterns = product(labels, repeat=judges)
    return VoteCounts(dict(zip(patterns, counts, strict=True)), labels, [f"J{j + 1}" for j in range(judges)])


def key_of(labels: Sequence[str], judges: int, counts: Sequence[Sequence[Any]]) -> LabeledVoteCounts:
    """Return the votes with their key; raises `BadVotes` unless there are counts for each true label."""
    if len(labels) != len(counts):
        raise BadVotes(counts, f"counts must be {len(labels)} lists, one for each true label")
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
