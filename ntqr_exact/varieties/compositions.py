"""Compositions, key counts, and group evaluations as splits of each pattern's questions over the true labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from gmpy2 import bincoef

from ntqr_exact.errors import BadKeyCounts, BadNumber, shown
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

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
    """Iterate over all key counts, lexicographically: few questions of the first label first.

    >>> list(all_key_counts(("a", "b"), 2))
    [{'a': 0, 'b': 2}, {'a': 1, 'b': 1}, {'a': 2, 'b': 0}]
    """
    for key in compositions(questions, len(labels)):
        yield dict(zip(labels, key, strict=True))


def from_splits(
    labels: tuple[str, ...], judges: tuple[str, ...], patterns: Iterable[Pattern], splits: Sequence[Split]
) -> LabeledVoteCounts:
    """Return the group evaluation in which each pattern is split as given.

    >>> from_splits(("a", "b"), ("J1",), [("a",), ("b",)], [(2, 1), (0, 3)]).key_counts
    {'a': 2, 'b': 4}
    """
    parts: dict[str, dict[Pattern, int]] = {label: {} for label in labels}
    for pattern, split in zip(patterns, splits, strict=True):
        for label, count in zip(labels, split, strict=True):
            if count:
                parts[label][pattern] = count
    return LabeledVoteCounts({label: VoteCounts(part, labels, judges) for label, part in parts.items()})


def individual(graded: LabeledVoteCounts) -> CountEvaluation:
    """Return the individual evaluations in a group evaluation: each judge on the questions that it answered.

    >>> individual(LabeledVoteCounts({"a": VoteCounts({"ab": 2}), "b": VoteCounts({"bb": 1})}))
    CountEvaluation.from_correct({'a': 2, 'b': 1}, [{'a': 2, 'b': 1}, {'a': 0, 'b': 1}])
    """
    judges = range(len(graded.judges))
    return CountEvaluation(graded.key_counts, [graded.confusion(judge) for judge in judges])


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
