"""What all answer keys say: the plain definition of joint safety, in fractions, by enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from ntqr_exact import SafetySpecification, VoteCounts

LABELS = "abcd"


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def votes_of(rows: Sequence[Sequence[str]], labels: int) -> VoteCounts:
    return VoteCounts(Counter(map(tuple, rows)), tuple(LABELS[:labels]))


def outcomes(votes: VoteCounts) -> set[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
    """All (key counts, right answers by judge and label) that an answer key of these votes can have."""
    labels, judges = votes.labels, range(len(votes.judges))
    found = {((0,) * len(labels), ((0,) * len(labels),) * len(judges))}
    for pattern, count in votes.counts.items():
        found = {
            (
                tuple(q + n for q, n in zip(key, split, strict=True)),
                tuple(
                    tuple(
                        r + n * (pattern[judge] == label)
                        for r, n, label in zip(right[judge], split, labels, strict=True)
                    )
                    for judge in judges
                ),
            )
            for key, right in found
            for split in compositions(count, len(labels))
        }
    return found


def safe_counts(votes: VoteCounts, specification: SafetySpecification, groups) -> set[tuple[int, ...]]:
    """The key counts at which each group has a key that makes all of its judges safe."""
    factors = [Fraction(specification.factor_of(label)) for label in votes.labels]
    grade = Fraction(specification.minimum_grade)
    safe = [
        {
            key
            for key, right in outcomes(votes.marginal(*group))
            if all(
                all(not q or f * r > q for q, r, f in zip(key, row, factors, strict=True))
                and sum(row) >= grade * sum(key)
                for row in right
            )
        }
        for group in groups
    ]
    return set.intersection(*safe)


def best_level(votes: VoteCounts) -> Fraction:
    return max(
        min(Fraction(r, q) for row in right for q, r in zip(key, row, strict=True) if q)
        for key, right in outcomes(votes)
    )
