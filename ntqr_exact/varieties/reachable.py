"""Any number of judges and labels: all consistent individual evaluations at once, as bits of one integer.

An individual evaluation is a vector of counts: for each true label but the last, the questions of that
label, and for each judge how often it gave each label but the last on them. (The votes give the rest.)
Each question of pattern v adds one of R known vectors, one for each true label. Numbering the vectors in
a mixed radix, in which no digit can overflow since no count exceeds what was observed, makes addition of
vectors addition of integers, and adding one question to a whole set of vectors a shift of its bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from operator import mul

from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.compositions import compositions
from ntqr_exact.varieties.group import Split
from ntqr_exact.votes.counts import VoteCounts

MAX_BITS = 2**26
"""The most vectors that are numbered: sets of them take up to 8 MiB each, one for each pattern seen."""


@dataclass(frozen=True, slots=True)
class ReachableSums:
    """The vectors of all consistent individual evaluations of the votes.

    >>> ReachableSums.of(VoteCounts({"a": 2, "b": 1})).count()
    6
    """

    votes: VoteCounts
    radices: tuple[int, ...]
    steps: tuple[tuple[int, ...], ...]
    """For each pattern seen: what a question adds if it has the first, the second, … true label."""
    prefixes: tuple[int, ...]
    """The sets of sums over the first 0, 1, 2, … patterns seen."""

    @classmethod
    def of(cls, votes: VoteCounts) -> ReachableSums:
        """Compute the sets in O(R·Q) shifts; raises `NotSupported` beyond `MAX_BITS` vectors."""
        radices = _radices(votes)
        bits = prod(radices)
        if bits > MAX_BITS:
            raise NotSupported(
                f"{len(votes.judges)} judges, {len(votes.labels)} labels and {votes.size} questions",
                f"this would number {bits} vectors of individual evaluations, and the limit is {MAX_BITS}",
                "take fewer questions or judges; with two labels, up to two judges have no limit",
            )
        weights = [prod(radices[place + 1 :]) for place in range(len(radices))]
        shown = votes.labels[:-1]
        steps = []
        for pattern in votes.counts:
            answers = [1, *(int(given == label) for given in pattern for label in shown)]
            width = len(answers)
            shifts = (sum(map(mul, weights[place * width :], answers)) for place in range(len(shown)))
            steps.append((*shifts, 0))
        reached, prefixes = 1, [1]
        for step, count in zip(steps, votes.counts.values(), strict=True):
            for _ in range(count):
                before = reached
                for shift in step:
                    reached |= before << shift
            prefixes.append(reached)
        return cls(votes, radices, tuple(steps), tuple(prefixes))

    def count(self) -> int:
        """Return how many individual evaluations are consistent."""
        return self.prefixes[-1].bit_count()

    def vectors(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the vectors, lexicographically."""
        data = self.prefixes[-1].to_bytes(prod(self.radices) // 8 + 1, "little")
        for found in re.finditer(rb"[^\0]", data):  # the bytes with a bit in them
            for bit in range(8):
                if found[0][0] >> bit & 1:
                    yield self._digits(8 * found.start() + bit)

    def evaluations(self) -> Iterator[CountEvaluation]:
        """Iterate over the evaluations, in the order of their vectors."""
        for vector in self.vectors():
            yield self._evaluation(vector)

    def holds(self, evaluation: CountEvaluation) -> bool:
        """Tell whether an evaluation is consistent that has passed the checks of each judge alone."""
        return bool(self.prefixes[-1] >> self._number(evaluation) & 1)

    def splits(self, evaluation: CountEvaluation) -> list[Split]:
        """Return splits of the patterns seen that give an evaluation which the set holds."""
        number = self._number(evaluation)
        counts = tuple(self.votes.counts.values())
        found: list[Split] = []
        for place in reversed(range(len(counts))):
            for split in compositions(counts[place], len(self.votes.labels)):
                before = number - sum(k * step for k, step in zip(split, self.steps[place], strict=True))
                if before >= 0 and self.prefixes[place] >> before & 1:
                    found.append(split)
                    number = before
                    break
        return found[::-1]

    def _number(self, evaluation: CountEvaluation) -> int:
        number = 0
        for radix, digit in zip(self.radices, self._vector(evaluation), strict=True):
            number = number * radix + digit
        return number

    def _vector(self, evaluation: CountEvaluation) -> list[int]:
        shown = self.votes.labels[:-1]
        return [
            number
            for label in shown
            for number in (
                evaluation.key_counts[label],
                *(confusion[label][given] for confusion in evaluation.confusion for given in shown),
            )
        ]

    def _digits(self, number: int) -> tuple[int, ...]:
        digits = []
        for radix in reversed(self.radices):
            number, digit = divmod(number, radix)
            digits.append(digit)
        return tuple(reversed(digits))

    def _evaluation(self, vector: tuple[int, ...]) -> CountEvaluation:
        labels, judges = self.votes.labels, len(self.votes.judges)
        shown = labels[:-1]
        width = 1 + judges * len(shown)
        key: dict[str, int] = {}
        confusion: list[dict[str, dict[str, int]]] = [{} for _ in range(judges)]
        for row, label in enumerate(shown):
            key[label], *given = vector[row * width : (row + 1) * width]
            for judge in range(judges):
                part = given[judge * len(shown) : (judge + 1) * len(shown)]
                confusion[judge][label] = dict(zip(labels, (*part, key[label] - sum(part)), strict=True))
        key[labels[-1]] = self.votes.size - sum(key.values())
        for judge in range(judges):
            seen = self.votes.responses(judge)
            confusion[judge][labels[-1]] = {
                given: seen[given] - sum(confusion[judge][label][given] for label in shown)
                for given in labels
            }
        return CountEvaluation(key, confusion)


@lru_cache(maxsize=1)
def reachable_sums(votes: VoteCounts) -> ReachableSums:
    """Return the sums of the votes; those asked for last are kept, for many questions about one test."""
    return ReachableSums.of(votes)


def _radices(votes: VoteCounts) -> tuple[int, ...]:
    """Return one more than the largest value of each digit."""
    shown = votes.labels[:-1]
    responses = [votes.responses(place) for place in range(len(votes.judges))]
    row = (votes.size + 1, *(given[label] + 1 for given in responses for label in shown))
    return row * len(shown)
