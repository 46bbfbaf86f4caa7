"""Compositions and key counts; group evaluations as splits of each pattern's questions; `PossibleSet`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import isqrt, prod
from operator import mul
from typing import TypeAlias

from gmpy2 import bincoef, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadKeyCounts, BadNumber, BadVotes, NotVotes, shown
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_labels, default_judges

KeyCounts: TypeAlias = Mapping[str, RationalLike]
"""How many questions have each true label; a label that is not given has none."""

Split: TypeAlias = tuple[int, ...]
"""How many questions of one pattern have each true label."""


def check_key_counts(at: KeyCounts, labels: tuple[str, ...], questions: int) -> tuple[int, ...]:
    """Return the key counts in the order of the labels: whole numbers Q_a, Q_b, … with sum Q (eq. 1).

    >>> check_key_counts({"b": 6, "a": 4}, ("a", "b"), 10)
    (4, 6)

    Raises `BadKeyCounts` for other labels, invalid counts, or another sum.
    """
    if not isinstance(at, Mapping) or not set(at) <= set(labels):
        shape = dict(at) if isinstance(at, Mapping) else at
        raise BadKeyCounts(shape, f"key counts must map labels to counts; labels: {', '.join(labels)}")
    try:
        key = tuple(whole_number(at.get(label, 0)) for label in labels)
    except BadNumber as error:
        raise BadKeyCounts(dict(at), f"key counts must be whole numbers >= 0 ({error.rule})") from None
    if sum(key) != questions:
        rule = f"key counts must add up to the {questions} questions, not to {shown(sum(key))}"
        raise BadKeyCounts(dict(at), rule)
    return key


def all_key_counts(labels: tuple[str, ...], questions: int) -> Iterator[dict[str, int]]:
    """Iterate over all key counts, lexicographically: few questions of the first label first."""
    return (dict(zip(labels, key, strict=True)) for key in compositions(questions, len(labels)))


def from_splits(
    labels: tuple[str, ...], judges: tuple[str, ...], patterns: Iterable[Pattern], splits: Sequence[Split]
) -> LabeledVoteCounts:
    """Return the group evaluation in which each pattern is split as given."""
    parts: dict[str, dict[Pattern, int]] = {label: {} for label in labels}
    for pattern, split in zip(patterns, splits, strict=True):
        for label, count in zip(labels, split, strict=True):
            if count:
                parts[label][pattern] = count
    return LabeledVoteCounts({label: VoteCounts(part, labels, judges) for label, part in parts.items()})


def individual(graded: LabeledVoteCounts) -> CountEvaluation:
    """Return the individual evaluations in a group evaluation: each judge on the questions that it answered."""
    return CountEvaluation(graded.key_counts, [graded.confusion(judge) for judge in graded.judges])


def count_compositions(total: int, boxes: int) -> int:
    """Return the number of ways to distribute `total` equal things over the boxes, C(total+m−1, m−1).

    >>> count_compositions(1000, 4)
    167668501
    """
    # far faster than math.comb on large numbers
    return int(bincoef(total + boxes - 1, min(total, boxes - 1)))


def compositions(total: int, boxes: int, limits: Sequence[int] | None = None) -> Iterator[tuple[int, ...]]:
    """Iterate over the ways to distribute `total` equal things, lexicographically; box i holds ≤ limits[i].

    >>> list(compositions(2, 2)), list(compositions(3, 3, limits=(1, 2, 0)))
    ([(0, 2), (1, 1), (2, 0)], [(1, 2, 0)])
    """
    room = [total] * boxes if limits is None else list(limits)
    # rest[i] is the room in the boxes after i: enough must go into box i for the others to hold the rest.
    rest = [sum(room[index + 1 :]) for index in range(boxes)]

    def fill(index: int, left: int) -> Iterator[tuple[int, ...]]:
        if index == boxes - 1:
            yield (left,)
            return
        for here in range(max(0, left - rest[index]), min(left, room[index]) + 1):
            for others in fill(index + 1, left - here):
                yield (here, *others)

    if total <= sum(room):
        yield from fill(0, total)


def all_splits(counts: tuple[int, ...], limits: Sequence[int]) -> Iterator[tuple[Split, ...]]:
    """Iterate over splits of all patterns with at most `limits` questions of each true label, without dead ends."""
    if not counts:
        yield ()
        return
    for split in compositions(counts[0], len(limits), limits=limits):
        left = [limit - part for limit, part in zip(limits, split, strict=True)]
        for others in all_splits(counts[1:], left):
            yield (split, *others)


def uniform_composition(bits: random.Random, total: int, boxes: int) -> tuple[int, ...]:
    """Return a uniform way to distribute `total` equal things over the boxes.

    Such a way is a set of boxes − 1 bars among total + boxes − 1 places; Floyd's algorithm draws the
    set with one number for each bar (Bentley and Floyd, Communications of the ACM 30 (1987) 754).
    """
    places = total + boxes - 1
    bars: set[int] = set()
    for last in range(places - boxes + 1, places):
        place = below(bits, last + 1)
        bars.add(last if place in bars else place)
    fences = [-1, *sorted(bars), places]
    return tuple(right - left - 1 for left, right in pairwise(fences))


@dataclass(frozen=True, slots=True, init=False)
class PossibleSet:
    """The group evaluations of N judges on Q questions, before any vote: each question has a true label and no gap.

    >>> PossibleSet(questions=1000).count()
    167668501

    Its elements are `LabeledVoteCounts`. For one judge these are the individual evaluations
    (Q_a, R^a_a, R^b_b) of the source, C(Q+3, 3) with two labels (Corrada-Emmanuel 2023, eq. 17).
    """

    questions: int
    judges: int
    labels: tuple[str, ...]

    def __init__(
        self, questions: RationalLike, judges: RationalLike = 1, labels: Iterable[str] = ("a", "b")
    ) -> None:
        object.__setattr__(self, "questions", whole_number(questions))
        object.__setattr__(self, "judges", whole_number(judges))
        object.__setattr__(self, "labels", check_labels(labels))
        if self.judges < 1:
            raise BadVotes(judges, "judges must be >= 1")

    def count(self) -> int:
        """Return C(Q + m − 1, m − 1), the ways to distribute Q questions over m = R·R^N cells."""
        return self._ways(self.questions, len(self.labels) * self._width)

    def count_at(self, at: KeyCounts) -> int:
        """Return how many have the key counts: Π_l C(Q_l + R^N − 1, R^N − 1)."""
        key = check_key_counts(at, self.labels, self.questions)
        return prod(self._ways(count, self._width) for count in key)

    def individual_count(self) -> int:
        """Return the number of individual evaluations: Σ over key counts of (Π_l C(Q_l + R − 1, R − 1))^N.

        >>> PossibleSet(questions=2, judges=2).count(), PossibleSet(questions=2, judges=2).individual_count()
        (36, 34)
        """
        width = len(self.labels)
        check_work("a count of evaluations", width * self.questions**2 * (1 + self.judges // 50) // 4)
        one = [mpz(count_compositions(count, width)) ** self.judges for count in range(self.questions + 1)]
        values = one
        for _ in range(width - 1):  # one more label: Σ_k one[k]·values[q − k]
            values = [sum(map(mul, one[: q + 1], values[q::-1])) for q in range(self.questions + 1)]
        return int(values[-1])

    def __contains__(self, evaluation: LabeledVoteCounts | CountEvaluation) -> bool:
        if not isinstance(evaluation, LabeledVoteCounts | CountEvaluation):
            raise NotVotes(evaluation, "evaluation must be LabeledVoteCounts or a CountEvaluation")
        one = individual(evaluation) if isinstance(evaluation, LabeledVoteCounts) else evaluation
        answered = ({label: sum(row.values()) for label, row in rows.items()} for rows in one.confusion)
        has_shape = (one.labels, len(one.confusion), one.size) == (self.labels, self.judges, self.questions)
        return has_shape and all(counts == one.key_counts for counts in answered)

    def __iter__(self) -> Iterator[LabeledVoteCounts]:
        for key in all_key_counts(self.labels, self.questions):
            yield from self.at(key)

    def at(self, key_counts: KeyCounts) -> Iterator[LabeledVoteCounts]:
        """Iterate over those at key counts, in the same order."""
        key = check_key_counts(key_counts, self.labels, self.questions)
        for columns in product(*(list(compositions(count, self._width)) for count in key)):
            yield self._group(columns)

    def sample(self, *, seed: RationalLike, at: KeyCounts | None = None) -> LabeledVoteCounts:
        """Return a uniform one, the same for the same seed on every machine."""
        bits, width = bits_from(seed), self._width
        if at is not None:
            key = check_key_counts(at, self.labels, self.questions)
            return self._group([uniform_composition(bits, count, width) for count in key])
        cells = uniform_composition(bits, self.questions, len(self.labels) * width)
        return self._group([cells[start : start + width] for start in range(0, len(cells), width)])

    @property
    def _width(self) -> int:
        check_work(f"the patterns of {self.judges} judges", self.judges * len(self.labels).bit_length() // 64)
        return int(len(self.labels) ** self.judges)

    def _ways(self, count: int, boxes: int) -> int:
        """Return C(count + m − 1, m − 1), whose digits are estimated first."""
        bits = min(count, boxes - 1) * (count + boxes).bit_length()
        check_work("a count with that many digits", bits * isqrt(bits) // 8000)
        return count_compositions(count, boxes)

    def _group(self, columns: Iterable[tuple[int, ...]]) -> LabeledVoteCounts:
        patterns, splits = product(self.labels, repeat=self.judges), list(zip(*columns, strict=True))
        return from_splits(self.labels, default_judges(self.judges), patterns, splits)
