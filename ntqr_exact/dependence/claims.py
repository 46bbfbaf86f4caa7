"""What can be asked of a key: the share of a label, a judge's accuracy, and claims that compare them.

A claim is a strict inequality, read from text such as `gpt > claude`, `gpt > claude on a`, `gpt on a > 0.8` or
`share of a > 1/2`. It fails under a key where the opposite inequality holds, which is linear in the key: accuracy ≤ t
on label l is Σ (t − right) ≥ 0 over the questions of l.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.dependence.products import KeyCell, Range
from ntqr_exact.errors import BadNumber, BadQuery
from ntqr_exact.exact.rational import rational
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_REMEDY = "write it like 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8' or 'share of a > 1/2'"
_SIDES = re.compile(r"\s*([^<>]+?)\s*([<>])\s*([^<>]+?)\s*")


@dataclass(frozen=True, slots=True)
class Condition:
    """A sum over the questions that must be at least `minimum`: `gains[pattern][label]` for each question."""

    gains: tuple[tuple[int, ...], ...]
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class KeyQuantity:
    """The share of `label`, or the accuracy of `judge` on it; a judge without a label is meant on all questions."""

    label: str | None
    judge: str | None = None

    def __str__(self) -> str:
        on = "" if self.label is None else f" on {self.label}"
        return f"the share of {self.label}" if self.judge is None else f"the accuracy of {self.judge}{on}"

    def value(self, key: LabeledVoteCounts) -> mpq | None:
        """Return the number under a key; `None` if the judge answered no question of the label."""
        if self.judge is None:
            return mpq(key.key_counts[str(self.label)], key.size)
        confusion = key.confusion(self.judge)
        rows = confusion if self.label is None else {self.label: confusion[self.label]}
        answers = sum(sum(row.values()) for row in rows.values())
        return mpq(sum(row[label] for label, row in rows.items()), answers) if answers else None

    def range_in(self, cell: KeyCell, votes: VoteCounts) -> Range | None:
        """Return the range in a cell; `None` if the label has no questions there."""
        return _mean(_by_label(self, cell, votes), self.label if self.judge else None, cell, votes)


Side: TypeAlias = KeyQuantity | mpq


def quantities(votes: VoteCounts) -> list[KeyQuantity]:
    """Return everything that has a range: the share of each label, each judge's accuracy on each label and on all."""
    return [KeyQuantity(label) for label in votes.labels] + [
        KeyQuantity(label, judge) for judge in votes.judges for label in (*votes.labels, None)
    ]


@dataclass(frozen=True, slots=True)
class JudgeClaim:
    """`greater` exceeds `lesser`: two accuracies, or an accuracy or a share and a number."""

    greater: Side
    lesser: Side

    def __str__(self) -> str:
        return f"{self.greater} exceeds {self.lesser}"

    @property
    def label(self) -> str | None:
        """The label on whose questions accuracies are compared; `None` for all questions."""
        sides = (self.greater, self.lesser)
        return next((s.label for s in sides if isinstance(s, KeyQuantity) and s.judge is not None), None)

    def holds_in(self, cell: KeyCell, votes: VoteCounts) -> bool:
        """Return whether the claim holds for all keys of a cell to which it applies."""
        sides = zip(*(_by_label(side, cell, votes) for side in (self.greater, self.lesser)), strict=True)
        apart = [left and right and (left[0] - right[1], left[1] - right[0]) for left, right in sides]
        margin = _mean(apart, self.label, cell, votes)
        return margin is None or bool(margin[0] > 0)

    def failure(self, votes: VoteCounts) -> tuple[Condition, ...]:
        """Return the conditions under which the claim fails; a rate needs a question of its label."""
        sides = (self.greater, self.lesser)
        scale = prod(int(side.denominator) for side in sides if not isinstance(side, KeyQuantity))

        def part(side: Side, pattern: Sequence[str | None], label: str) -> int:
            if not isinstance(side, KeyQuantity):
                return int(side * scale)
            return scale * (label == (side.label if side.judge is None else pattern[votes.place(side.judge)]))

        def gain(pattern: Sequence[str | None], label: str) -> int:
            is_counted = self.label in (None, label)
            return part(self.lesser, pattern, label) - part(self.greater, pattern, label) if is_counted else 0

        fails = Condition(tuple(tuple(gain(p, label) for label in votes.labels) for p in votes.counts))
        occurs = tuple(int(label == self.label) for label in votes.labels)
        return (fails,) if self.label is None else (fails, Condition((occurs,) * len(votes.counts), 1))


def no_worse_than_chance(votes: VoteCounts, judges: Iterable[int]) -> tuple[Condition, ...]:
    """Return the conditions W ≥ 0: Σ (Q·[first answer] − F) ≥ 0 over the questions of the first label."""
    first, size = votes.labels[0], votes.size
    counts = {i: votes.responses(i)[first] for i in judges}
    return tuple(
        Condition(tuple((size * (p[i] == first) - counts[i], 0) for p in votes.counts)) for i in judges
    )


def read_claim(text: str, votes: VoteCounts) -> JudgeClaim:
    """Return the claim that a text makes about votes; judges are named as in the votes.

    >>> str(read_claim("J1 > J2 on a", VoteCounts({"ab": 1})))
    'the accuracy of J1 on a exceeds the accuracy of J2 on a'

    Raises `BadQuery` for a text that is not a claim, or names unknown judges or labels.
    """
    match = _SIDES.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BadQuery(text, "a claim must have one > or < between two sides", _REMEDY)
    left, right = (_side(match[k], votes, text) for k in (1, 3))
    if isinstance(left, KeyQuantity) and isinstance(right, KeyQuantity):
        label = left.label or right.label  # "A > B on a" means both on a
        is_mixed = bool({left.label, right.label} - {None, label})
        if None in (left.judge, right.judge) or left.judge == right.judge or is_mixed:
            raise BadQuery(text, "a claim must compare two judges on the same label or on all", _REMEDY)
        left, right = KeyQuantity(label, left.judge), KeyQuantity(label, right.judge)
    elif not isinstance(left, KeyQuantity) and not isinstance(right, KeyQuantity):
        raise BadQuery(text, "a claim must be about a judge or a share", _REMEDY)
    return JudgeClaim(left, right) if match[2] == ">" else JudgeClaim(right, left)


def _side(text: str, votes: VoteCounts, whole: str) -> Side:
    named = {judge: KeyQuantity(None, judge) for judge in votes.judges}
    for label in votes.labels:
        named |= {f"{kind} of {label}": KeyQuantity(label) for kind in ("share", "prevalence")}
        named |= {f"{judge} on {label}": KeyQuantity(label, judge) for judge in votes.judges}
    if text in named:
        return named[text]
    try:
        number = rational(text)
    except BadNumber:
        rule = f"{text!r} must be a number, a share of a label or one of {', '.join(votes.judges)}"
        raise BadQuery(whole, rule, _REMEDY) from None
    if not 0 <= number <= 1:
        raise BadQuery(whole, "a share or an accuracy must be compared with a number from 0 to 1", _REMEDY)
    return number


def _by_label(side: Side, cell: KeyCell, votes: VoteCounts) -> list[Any]:
    """Return the ranges of a quantity on the questions of each label; `None` for a label without questions."""
    if not isinstance(side, KeyQuantity):
        return [(side, side)] * 2
    if side.judge is None:
        return [(mpq(label == side.label),) * 2 for label in votes.labels]
    return [rates and rates[votes.place(side.judge)] for rates in cell.accuracy]


def _mean(ranges: list[Any], label: str | None, cell: KeyCell, votes: VoteCounts) -> Range | None:
    """Return the range on a label, or of P·x + (1−P)·y on all questions."""
    if label is not None:
        return ranges[votes.labels.index(label)]  # type: ignore[no-any-return]
    first, second = (ends or (mpq(0), mpq(0)) for ends in ranges)
    ends = [p * first[k] + (1 - p) * second[k] for k in (0, 1) for p in cell.share]
    return min(ends), max(ends)
