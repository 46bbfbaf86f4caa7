"""All answer keys of small votes, one question at a time: the plain definitions, in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from ntqr_exact import SafetySpecification, VoteCounts

LABELS = "abcd"


def drawn_votes(draw: random.Random, *, judges: int, labels: int, questions: int, gaps: bool) -> VoteCounts:
    """Any votes; with gaps, each judge answers about two thirds of the questions."""
    names, counts = LABELS[:labels], {}
    while sum(counts.values()) < questions:
        pattern = tuple(None if gaps and draw.random() < 0.33 else draw.choice(names) for _ in range(judges))
        if any(pattern):
            counts[pattern] = counts.get(pattern, 0) + 1
    return VoteCounts(counts, tuple(names), [f"J{j + 1}" for j in range(judges)])


def keys(votes: VoteCounts) -> Iterator[list[tuple[tuple[str | None, ...], str]]]:
    """Every answer key, as (pattern, true label) of each question; questions of one pattern are not told apart."""
    seen = set()
    rows = [pattern for pattern, count in votes.counts.items() for _ in range(count)]
    for truth in product(votes.labels, repeat=len(rows)):
        key = sorted(zip(map(str, rows), truth, strict=True))
        if tuple(key) not in seen:
            seen.add(tuple(key))
            yield list(zip(rows, truth, strict=True))


def right_and_size(key, judge: int, label: str) -> tuple[int, int]:
    own = [pattern[judge] for pattern, truth in key if truth == label and pattern[judge] is not None]
    return own.count(label), len(own)


def is_safe(key, votes: VoteCounts, specification: SafetySpecification) -> bool:
    for place, judge in enumerate(votes.judges):
        total = answered = 0
        for label in votes.labels:
            right, size = right_and_size(key, place, label)
            if size and Fraction(specification.factor_of(label, judge)) * right <= size:
                return False
            total, answered = total + right, answered + size
        if total < Fraction(specification.minimum_grade) * answered:
            return False
    return True


def key_counts(key, votes: VoteCounts) -> tuple[int, ...]:
    truths = [truth for _, truth in key]
    return tuple(truths.count(label) for label in votes.labels)


def level(key, votes: VoteCounts) -> Fraction:
    shares = (right_and_size(key, j, label) for j in range(len(votes.judges)) for label in votes.labels)
    return min((Fraction(right, size) for right, size in shares if size), default=Fraction(1))
