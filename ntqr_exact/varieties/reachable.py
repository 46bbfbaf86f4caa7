"""Any number of judges and labels: all consistent individual evaluations, one question after the other.

An individual evaluation is a vector: for each true label its questions, and for each judge how often it gave each label
on them. Each question of a pattern adds one of R known vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import add
from typing import TypeAlias

from ntqr_exact.budget import Budget
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.compositions import Split, compositions
from ntqr_exact.votes.counts import VoteCounts

Vector: TypeAlias = tuple[int, ...]

MAX_STEPS = 5_000_000
"""Vectors that are added up before the set is refused: some seconds."""


class ReachableSums:
    """The vectors of all consistent individual evaluations of the votes; `prefixes` those of the first patterns.

    >>> ReachableSums(VoteCounts({"a": 2, "b": 1})).count()
    6

    Raises `TooMuchWork` beyond `MAX_STEPS`.
    """

    def __init__(self, votes: VoteCounts) -> None:
        self.votes = votes
        self.steps = [[self._added(pattern, true) for true in votes.labels] for pattern in votes.counts]
        labels = len(votes.labels)
        self.prefixes: list[set[Vector]] = [{(0,) * (labels + len(votes.judges) * labels**2)}]
        budget = Budget(MAX_STEPS)
        for steps, count in zip(self.steps, votes.counts.values(), strict=True):
            reached = self.prefixes[-1]
            for _ in range(count):
                budget.spend(len(reached) * len(steps), "individual evaluations of so many judges or labels")
                reached = {tuple(map(add, vector, step)) for vector in reached for step in steps}
            self.prefixes.append(reached)

    def count(self) -> int:
        """Return how many individual evaluations are consistent."""
        return len(self.prefixes[-1])

    def evaluations(self) -> Iterator[CountEvaluation]:
        """Iterate over the evaluations, in the order of their vectors."""
        labels = self.votes.labels
        for vector in sorted(self.prefixes[-1]):
            numbers = iter(vector)
            key: dict[str, int] = {}
            confusion: list[dict[str, dict[str, int]]] = [{} for _ in self.votes.judges]
            for label in labels:
                key[label] = next(numbers)
                for rows in confusion:
                    rows[label] = {given: next(numbers) for given in labels}
            yield CountEvaluation(key, confusion)

    def splits(self, evaluation: CountEvaluation) -> list[Split] | None:
        """Return splits of the patterns seen that give an evaluation, or `None` if it is not consistent."""
        vector: Vector = ()
        for label, count in evaluation.key_counts.items():
            vector += (count, *(n for rows in evaluation.confusion for n in rows[label].values()))
        if vector not in self.prefixes[-1]:
            return None
        result: list[Split] = []
        for place, count in reversed(list(enumerate(self.votes.counts.values()))):
            for split in compositions(count, len(self.votes.labels)):
                parts = zip(*self.steps[place], strict=True)
                before = tuple(
                    n - sum(map(int.__mul__, split, part)) for n, part in zip(vector, parts, strict=True)
                )
                if before in self.prefixes[place]:
                    result.append(split)
                    vector = before
                    break
        return result[::-1]

    def _added(self, pattern: tuple[str, ...], true: str) -> Vector:
        labels = self.votes.labels
        answers = (1, *(int(given == label) for given in pattern for label in labels))
        return tuple(number * (true == label) for label in labels for number in answers)


@lru_cache(maxsize=1)
def reachable_sums(votes: VoteCounts) -> ReachableSums:
    """Return the sums of the votes; the last ones are kept, for many questions about one test."""
    return ReachableSums(votes)
