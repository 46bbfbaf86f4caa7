"""Every sample of a small test, with the number of ways to draw it: the oracle for coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb, prod

from gmpy2 import mpq

from ntqr_exact import PartialKey, VoteCounts
from tests.compositions import compositions

Truth = Mapping[tuple[str, str], int]
"""How many questions have each pattern and true label."""


def probabilities(n: int, share: mpq) -> list[mpq]:
    """Return the probability of each number of positives of n outputs, from 0 up."""
    return [comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]


def truths(counts: Mapping[str, int], labels: str) -> Iterator[dict[tuple[str, str], int]]:
    """All ways to split the questions of each pattern over the true labels."""
    for choice in product(*(compositions(count, len(labels)) for count in counts.values())):
        yield {
            (pattern, label): number
            for pattern, split in zip(counts, choice, strict=True)
            for label, number in zip(labels, split, strict=True)
        }


def samples(truth: Truth, sizes: Mapping[frozenset[str], int]) -> Iterator[tuple[int, Truth]]:
    """All samples that draw so many questions of each group of patterns, with their numbers of ways."""
    cells = [cell for cell, count in truth.items() if count]
    for drawn in product(*(range(truth[cell] + 1) for cell in cells)):
        taken = dict(zip(cells, drawn, strict=True))
        if all(
            sum(n for (pattern, _), n in taken.items() if pattern in group) == size
            for group, size in sizes.items()
        ):
            yield prod(comb(truth[cell], n) for cell, n in taken.items()), taken


def coverage(
    counts: Mapping[str, int],
    truth: Truth,
    sizes: Mapping[frozenset[str], int],
    drawn: str,
    holds: Callable[[PartialKey, Truth], bool],
    *,
    labels: str = "ab",
) -> Fraction:
    votes = VoteCounts(counts, list(labels))
    covered = total = 0
    strata = None if drawn == "at_random" else [sorted(group) for group in sizes]
    for ways, taken in samples(truth, sizes):
        graded = {label: {p: n for (p, own), n in taken.items() if own == label} for label in labels}
        total += ways
        if holds(PartialKey(votes, graded, drawn=drawn, strata=strata), truth):
            covered += ways
    return Fraction(covered, total)


def right(truth: Truth, judge: int, other: int = 0) -> int:
    """How many answers of a judge are right, among the questions that another one answered, too."""
    return sum(n for (p, label), n in truth.items() if p[judge] == label and p[other] is not None)


def answered(truth: Truth, *judges: int) -> Truth:
    """The questions that some judges all answered."""
    return {(p, label): n for (p, label), n in truth.items() if all(p[judge] is not None for judge in judges)}


def ratio(above: int, below: int) -> Fraction | None:
    return Fraction(above, below) if below else None


def kappa(truth: Truth, labels: str) -> Fraction | None:
    """Cohen's κ between the first judge and the truth."""
    truth = answered(truth, 0)
    size = sum(truth.values())
    chance = sum(
        sum(n for (p, _), n in truth.items() if p[0] == label)
        * sum(n for (_, t), n in truth.items() if t == label)
        for label in labels
    )
    return ratio(size * right(truth, 0) - chance, size**2 - chance)
