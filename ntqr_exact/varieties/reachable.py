"""Any number of judges and labels: all consistent individual evaluations at once, as bits of one integer.

An individual evaluation is a vector of counts: for each true label but the last, the questions of that label, and for
each judge how often it gave each label but the last on them. (The votes give the rest.) Each question of pattern v adds
one of R known vectors. Numbering the vectors in a mixed radix, in which no digit can overflow since no count exceeds
what was observed, makes adding one question to a whole set of vectors a shift of its bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import prod

from gmpy2 import bit_scan1, mpz, popcount

from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.compositions import compositions
from ntqr_exact.varieties.group import Split
from ntqr_exact.votes.counts import VoteCounts

MAX_BITS = 2**26
"""The most vectors that are numbered: sets of them take up to 8 MiB each, one for each pattern seen."""


class ReachableSums:
    """The vectors of all consistent individual evaluations of the votes.

    >>> ReachableSums(VoteCounts({"a": 2, "b": 1})).count()
    6
    """

    def __init__(self, votes: VoteCounts) -> None:
        """Compute the sets in O(R·Q) shifts; raises `NotSupported` beyond `MAX_BITS` vectors."""
        self.votes, self.labels = votes, votes.labels[:-1]
        given = [votes.responses(judge) for judge in range(len(votes.judges))]
        row = (votes.size + 1, *(counts[label] + 1 for counts in given for label in self.labels))
        self.radices = row * len(self.labels)
        if (bits := prod(self.radices)) > MAX_BITS:
            raise NotSupported(
                f"{len(votes.judges)} judges, {len(votes.labels)} labels and {votes.size} questions",
                f"this would number {bits} vectors of individual evaluations, and the limit is {MAX_BITS}",
                "take fewer questions or judges; with two labels, up to two judges have no limit",
            )
        self.steps = [
            [self._number(self._added(pattern, label)) for label in votes.labels] for pattern in votes.counts
        ]
        self.prefixes = [mpz(1)]
        for step, count in zip(self.steps, votes.counts.values(), strict=True):
            reached = self.prefixes[-1]
            for _ in range(count):
                before = reached
                for shift in step:
                    reached |= before << shift
            self.prefixes.append(reached)

    def count(self) -> int:
        """Return how many individual evaluations are consistent."""
        return int(popcount(self.prefixes[-1]))

    def evaluations(self) -> Iterator[CountEvaluation]:
        """Iterate over the evaluations, in the order of their vectors."""
        place = bit_scan1(self.prefixes[-1], 0)
        while place is not None:
            yield self._evaluation(place)
            place = bit_scan1(self.prefixes[-1], place + 1)

    def holds(self, evaluation: CountEvaluation) -> bool:
        """Tell whether an evaluation is consistent that has passed the checks of each judge alone."""
        return self.prefixes[-1].bit_test(self._number(self._vector(evaluation)))

    def splits(self, evaluation: CountEvaluation) -> list[Split]:
        """Return splits of the patterns seen that give an evaluation which the set holds."""
        number = self._number(self._vector(evaluation))
        result: list[Split] = []
        for place, count in reversed(list(enumerate(self.votes.counts.values()))):
            for split in compositions(count, len(self.votes.labels)):
                before = number - sum(k * step for k, step in zip(split, self.steps[place], strict=True))
                if before >= 0 and self.prefixes[place].bit_test(before):
                    result.append(split)
                    number = before
                    break
        return result[::-1]

    def _added(self, pattern: tuple[str, ...], true: str) -> list[int]:
        answers = [1, *(int(given == label) for given in pattern for label in self.labels)]
        return [number * (true == label) for label in self.labels for number in answers]

    def _vector(self, evaluation: CountEvaluation) -> list[int]:
        return [
            number
            for label in self.labels
            for number in (
                evaluation.key_counts[label],
                *(confusion[label][given] for confusion in evaluation.confusion for given in self.labels),
            )
        ]

    def _number(self, vector: list[int]) -> int:
        number = 0
        for radix, digit in zip(self.radices, vector, strict=True):
            number = number * radix + digit
        return number

    def _evaluation(self, number: int) -> CountEvaluation:
        digits = []
        for radix in reversed(self.radices):
            number, digit = divmod(number, radix)
            digits.append(digit)
        votes, numbers = self.votes, iter(reversed(digits))
        *_, last = votes.labels
        key: dict[str, int] = {}
        confusion: list[dict[str, dict[str, int]]] = [{} for _ in votes.judges]
        for label in self.labels:
            key[label] = next(numbers)
            for rows in confusion:
                row = {given: next(numbers) for given in self.labels}
                rows[label] = {**row, last: key[label] - sum(row.values())}
        key[last] = votes.size - sum(key.values())
        for judge, rows in enumerate(confusion):
            taken = list(rows.values())
            seen = votes.responses(judge)
            rows[last] = {given: seen[given] - sum(row[given] for row in taken) for given in votes.labels}
        return CountEvaluation(key, confusion)


@lru_cache(maxsize=1)
def reachable_sums(votes: VoteCounts) -> ReachableSums:
    """Return the sums of the votes; the last ones are kept, for many questions about one test."""
    return ReachableSums(votes)
