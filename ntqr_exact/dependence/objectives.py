"""What can be asked of a key: the share of a label, a judge's accuracy, and claims that compare them.

Each is a number that a key has, linear in the key once a number is held against it: accuracy ≥ t on label l reads
Σ (right − t) ≥ 0 over the questions of l. So "at least t", "at most t" and every claim are conditions of a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.dependence.panel import Condition
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
