"""What can be asked of a key: the share of a label, a judge's accuracy, and claims that compare them.

Each is a number that a key has, linear in the key once a number is held against it: accuracy ≥ t on label l reads
Σ (right − t) ≥ 0 over the questions of l. So "at least t" and "at most t" are conditions of a proof. A claim is a
strict inequality between two accuracies, or between an accuracy or a share and a number, read from text like
`gpt > claude`, `gpt > claude on a`, `gpt on a > 0.8`, `share of a > 1/2`. It fails where the inequality the other way
holds, which is a condition of a proof, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.dependence.panel import Condition
from ntqr_exact.errors import BadNumber, BadQuery
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Weights: TypeAlias = tuple[tuple[str, str | None, str | None, mpq], ...]
Gains: TypeAlias = list[list[mpq]]
"""What a question of each pattern adds with each label: `gains[p][l]`."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A share of questions or a rate: the prevalence of `label`, or the accuracy of `judge` on it.

    A judge without a label is meant on all questions.
    """

    label: str | None
    judge: str | None = None

    def value(self, key: LabeledVoteCounts) -> mpq | None:
        """Return the number, or `None` where it is a share of no questions."""
        if self.judge is None:
            return mpq(key.key_counts[self.label], key.size) if self.label is not None else None
        confusion = key.confusion(self.judge)
        labels = key.labels if self.label is None else (self.label,)
        right = sum(confusion[label][label] for label in labels)
        questions = sum(key.key_counts[label] for label in labels)
        return mpq(right, questions) if questions else None

    def weights(self, votes: VoteCounts) -> tuple[Weights, Weights]:
        """Return the weights of its numerator and of its denominator."""
        one = mpq(1)
        if self.judge is None:
            top: Weights = ((self.label or votes.labels[0], None, None, one),)
            return top, tuple((label, None, None, one) for label in votes.labels)
        labels = votes.labels if self.label is None else (self.label,)
        top = tuple((label, self.judge, label, one) for label in labels)
        return top, tuple((label, None, None, one) for label in labels)

    def gains(self, votes: VoteCounts) -> tuple[Gains, Gains]:
        """Return what a question of each pattern with each label adds to its numerator, and to its denominator."""
        top, bottom = (_gains(votes, part) for part in self.weights(votes))
        return top, bottom

    def beyond(self, votes: VoteCounts, number: mpq, *, above: bool) -> tuple[Condition, ...]:
        """Return the conditions of being at least, or at most, a number; a rate needs a question to be one of."""
        top, bottom = self.weights(votes)
        sign = 1 if above else -1
        weights = tuple((*names, sign * weight) for *names, weight in top)
        weights += tuple((*names, -sign * number * weight) for *names, weight in bottom)
        side = "least" if above else "most"
        found = [Condition(f"{self} is at {side} {with_decimal(number)}", weights)]  # type: ignore[arg-type]
        if self.judge is not None and self.label is not None:
            found.append(occurs(votes, self.label))
        return tuple(found)

    def __str__(self) -> str:
        """Return what is meant."""
        if self.judge is None:
            return f"the share of {self.label}"
        return f"the accuracy of {self.judge}" + ("" if self.label is None else f" on {self.label}")

    def to_document(self) -> dict[str, Any]:
        """Return the goal as a JSON document."""
        return {"label": self.label, "judge": self.judge}


def _gains(votes: VoteCounts, weights: Weights) -> Gains:
    found = [[mpq(0)] * len(votes.labels) for _ in votes.counts]
    for label, judge, answer, weight in weights:
        for row, p in zip(found, votes.counts, strict=True):
            if judge is None or p[votes.place(judge)] == answer:
                row[votes.labels.index(label)] += weight
    return found


def added_up(gains: Gains, shares: Sequence[Sequence[int]]) -> mpq:
    """Return what a key adds up to."""
    parts = (n * c for row, split in zip(gains, shares, strict=True) for c, n in zip(row, split, strict=True))
    return sum(parts, mpq(0))


def occurs(votes: VoteCounts, label: str) -> Condition:
    """Return the condition that at least one question has a label."""
    weights = tuple(
        (other, None, None, mpq(int(other == label)) - mpq(1, votes.size)) for other in votes.labels
    )
    return Condition(f"at least one question is {label}", weights)


_REMEDY = "write it like 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8' or 'share of a > 1/2'"
_SIDES = re.compile(r"\s*(.+?)\s*([<>])\s*(.+?)\s*")


@dataclass(frozen=True, slots=True)
class JudgeClaim:
    """`greater` exceeds `lesser`: another judge's accuracy, or a number."""

    greater: Objective | mpq
    lesser: Objective | mpq

    def __str__(self) -> str:
        """Return the claim in words."""
        return f"{_words(self.greater)} exceeds {_words(self.lesser)}"

    def fails(self, votes: VoteCounts) -> tuple[Condition, ...]:
        """Return the conditions under which it fails: the two are equal or the other way round."""
        if isinstance(self.greater, Objective) and isinstance(self.lesser, Objective):
            ours, theirs = self.greater.weights(votes)[0], self.lesser.weights(votes)[0]
            weights = theirs + tuple((label, judge, answer, -weight) for label, judge, answer, weight in ours)
            found = [Condition(f"{self.greater} is at most {_words(self.lesser)}", weights)]
            return (*found, *([] if self.greater.label is None else [occurs(votes, self.greater.label)]))
        if isinstance(self.greater, Objective):
            return self.greater.beyond(votes, _number(self.lesser), above=False)
        if isinstance(self.lesser, Objective):
            return self.lesser.beyond(votes, _number(self.greater), above=True)
        raise BadQuery(str(self), "a claim is about a judge or a share", _REMEDY)

    def holds(self, key: LabeledVoteCounts) -> bool | None:
        """Tell whether the claim holds under a key; `None` where it says nothing, as a label has no questions."""
        left, right = (
            side.value(key) if isinstance(side, Objective) else side for side in (self.greater, self.lesser)
        )
        return None if left is None or right is None else left > right


def read_claim(text: str, votes: VoteCounts) -> JudgeClaim:
    """Return the claim that a text makes about votes; judges are named as in the votes.

    >>> str(read_claim("J1 > J2 on a", VoteCounts({"ab": 1})))
    'the accuracy of J1 on a exceeds the accuracy of J2 on a'

    Raises `BadQuery` for a text that is no claim, or names nobody.
    """
    match = _SIDES.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BadQuery(text, "a claim has one > or < between two sides", _REMEDY)
    left, sign, right = match.groups()
    if "<" in right or ">" in right:
        raise BadQuery(text, "a claim has one > or < between two sides", _REMEDY)
    right_side = _side(right, votes, text)
    left_side = _side(left, votes, text)
    if isinstance(left_side, Objective) and isinstance(right_side, Objective):
        label = left_side.label or right_side.label  # "A > B on a" means both on a
        if None in (left_side.judge, right_side.judge) or {left_side.label, right_side.label} - {None, label}:
            raise BadQuery(text, "two judges are compared on the same label or on all", _REMEDY)
        left_side, right_side = Objective(label, left_side.judge), Objective(label, right_side.judge)
        if left_side == right_side:
            raise BadQuery(text, "a judge is not compared with itself", _REMEDY)
    return JudgeClaim(left_side, right_side) if sign == ">" else JudgeClaim(right_side, left_side)


def _side(text: str, votes: VoteCounts, whole: str) -> Objective | mpq:
    if text in votes.judges:
        return Objective(None, text)
    share = text.removeprefix("share of ").removeprefix("prevalence of ")
    if share != text and share in votes.labels:
        return Objective(share)
    for judge in votes.judges:
        if text.startswith(f"{judge} on ") and (label := text.removeprefix(f"{judge} on ")) in votes.labels:
            return Objective(label, judge)
    try:
        number = rational(text)
    except BadNumber:
        names = ", ".join(votes.judges)
        raise BadQuery(
            whole, f"{text!r} is no number, no share of a label and no judge of {names}", _REMEDY
        ) from None
    if not 0 <= number <= 1:
        raise BadQuery(whole, "a share or an accuracy is compared with a number from 0 to 1", _REMEDY)
    return number


def _number(side: Objective | mpq) -> mpq:
    if isinstance(side, Objective):
        raise BadQuery(str(side), "a share is compared with a number", _REMEDY)
    return side


def _words(side: Objective | mpq) -> str:
    return str(side) if isinstance(side, Objective) else with_decimal(side)
