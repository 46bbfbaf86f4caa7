"""What can be asked of a key: the share of a label, a judge's accuracy, and claims that compare them.

A claim is a strict inequality, read from text such as `gpt > claude`, `gpt > claude on a`, `gpt on a > 0.8` or
`share of a > 1/2`. It fails under a key where the opposite inequality holds, which is linear in the key: accuracy ≤ t
on label l is Σ (t − right) ≥ 0 over the questions of l.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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

    def is_met(self, votes: VoteCounts, key: LabeledVoteCounts) -> bool:
        """Return whether a key of the votes meets the condition."""
        total = 0
        for pattern, row in zip(votes.counts, self.gains, strict=True):
            for label, gain in zip(votes.labels, row, strict=True):
                total += gain * key.by_label[label].counts[pattern]
        return total >= self.minimum


@dataclass(frozen=True, slots=True)
class KeyQuantity:
    """The share of `label`, or the accuracy of `judge` on it; a judge without a label is meant on all questions."""

    label: str | None
    judge: str | None = None

    def __str__(self) -> str:
        """Return what is meant."""
        if self.judge is None:
            return f"the share of {self.label}"
        return f"the accuracy of {self.judge}" + ("" if self.label is None else f" on {self.label}")

    def value(self, key: LabeledVoteCounts) -> mpq | None:
        """Return the number under a key of votes without gaps; `None` if the label has no questions."""
        if self.judge is None:
            return mpq(key.key_counts[str(self.label)], key.size)
        labels = key.labels if self.label is None else (self.label,)
        confusion, questions = key.confusion(self.judge), sum(key.key_counts[label] for label in labels)
        return mpq(sum(confusion[label][label] for label in labels), questions) if questions else None

    def to_document(self) -> dict[str, Any]:
        """Return label and judge, `None` where none is meant."""
        return {"label": self.label, "judge": self.judge}

    def gain(self, votes: VoteCounts, pattern: Sequence[str | None], label: str) -> tuple[int, int]:
        """Return what a question with this pattern and this label adds to the numerator and to the denominator."""
        if self.judge is None:
            return int(label == self.label), 1
        is_counted = self.label in (None, label)
        return int(is_counted and pattern[votes.place(self.judge)] == label), int(is_counted)

    def range_in(self, cell: KeyCell, votes: VoteCounts) -> Range | None:
        """Return the range in a cell; `None` if the label has no questions there."""
        if self.judge is None:
            low, high = cell.share
            return (low, high) if self.label == votes.labels[0] else (1 - high, 1 - low)
        judge = votes.place(self.judge)
        ranges = [None if rates is None else rates[judge] for rates in cell.accuracy]
        if self.label is not None:
            return ranges[votes.labels.index(self.label)]
        return _mixed(cell.share, ranges)


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
        """Return the claim in words."""
        return f"{self.greater} exceeds {self.lesser}"

    def holds_in(self, cell: KeyCell, votes: VoteCounts) -> bool:
        """Return whether the claim holds for all keys of a cell to which it applies."""
        if isinstance(self.greater, KeyQuantity) and isinstance(self.lesser, KeyQuantity):
            i, j = (votes.place(str(side.judge)) for side in (self.greater, self.lesser))
            apart: list[Range | None] = [
                None if rates is None else (rates[i][0] - rates[j][1], rates[i][1] - rates[j][0])
                for rates in cell.accuracy
            ]
            label = self.greater.label
            margin = _mixed(cell.share, apart) if label is None else apart[votes.labels.index(label)]
            return margin is None or bool(margin[0] > 0)
        ranges = [
            s.range_in(cell, votes) if isinstance(s, KeyQuantity) else (s, s)
            for s in (self.greater, self.lesser)
        ]
        return any(ends is None for ends in ranges) or bool(ranges[0][0] > ranges[1][1])  # type: ignore[index]

    def failure(self, votes: VoteCounts) -> list[Condition]:
        """Return the conditions under which the claim fails; a rate needs a question of its label."""
        named = [side for side in (self.greater, self.lesser) if isinstance(side, KeyQuantity)]
        number = next(
            (side for side in (self.greater, self.lesser) if not isinstance(side, KeyQuantity)), None
        )

        def gain(pattern: Sequence[str | None], label: str) -> int:
            (top, bottom), *others = [side.gain(votes, pattern, label) for side in named]
            if number is not None:
                top, other = top * int(number.denominator), bottom * int(number.numerator)
            else:
                other = others[0][0]
            return other - top if named[0] is self.greater else top - other

        conditions = [Condition(tuple(tuple(gain(p, label) for label in votes.labels) for p in votes.counts))]
        if named[0].judge is not None and named[0].label is not None:
            occurs = tuple(int(label == named[0].label) for label in votes.labels)
            conditions.append(Condition((occurs,) * len(votes.counts), 1))
        return conditions

    def to_document(self) -> dict[str, Any]:
        """Return both sides, each a number or a label and a judge."""
        sides = {"greater": self.greater, "lesser": self.lesser}
        return {n: s.to_document() if isinstance(s, KeyQuantity) else str(s) for n, s in sides.items()}


def no_worse_than_chance(votes: VoteCounts, judges: Iterable[int]) -> list[Condition]:
    """Return the conditions W ≥ 0: Σ (Q·[first answer] − F) ≥ 0 over the questions of the first label."""
    first, size = votes.labels[0], votes.size
    return [
        Condition(tuple((size * (p[i] == first) - votes.responses(i)[first], 0) for p in votes.counts))
        for i in judges
    ]


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
        if None in (left.judge, right.judge) or {left.label, right.label} - {None, label}:
            raise BadQuery(text, "a claim must compare two judges on the same label or on all", _REMEDY)
        if left.judge == right.judge:
            raise BadQuery(text, "a claim must compare two different judges", _REMEDY)
        left, right = KeyQuantity(label, left.judge), KeyQuantity(label, right.judge)
    if not isinstance(left, KeyQuantity) and not isinstance(right, KeyQuantity):
        raise BadQuery(text, "a claim must be about a judge or a share", _REMEDY)
    return JudgeClaim(left, right) if match[2] == ">" else JudgeClaim(right, left)


def _side(text: str, votes: VoteCounts, whole: str) -> Side:
    if text in votes.judges:
        return KeyQuantity(None, text)
    share = text.removeprefix("share of ").removeprefix("prevalence of ")
    if share != text and share in votes.labels:
        return KeyQuantity(share)
    for judge in votes.judges:
        if text.startswith(f"{judge} on ") and (label := text.removeprefix(f"{judge} on ")) in votes.labels:
            return KeyQuantity(label, judge)
    try:
        number = rational(text)
    except BadNumber:
        rule = f"{text!r} must be a number, a share of a label or one of {', '.join(votes.judges)}"
        raise BadQuery(whole, rule, _REMEDY) from None
    if not 0 <= number <= 1:
        raise BadQuery(whole, "a share or an accuracy must be compared with a number from 0 to 1", _REMEDY)
    return number


def _mixed(share: Range, ranges: Sequence[Range | None]) -> Range:
    """Return the range of P·x + (1−P)·y, x and y in the ranges of the two labels; an absent one has no share."""
    first, second = ((mpq(0), mpq(0)) if ends is None else ends for ends in ranges)
    ends = [p * first[k] + (1 - p) * second[k] for k in (0, 1) for p in share]
    return min(ends), max(ends)
