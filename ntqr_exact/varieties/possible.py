"""`PossibleSet`: all evaluations of a test of Q questions, before any vote is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import isqrt, prod
from operator import mul

from gmpy2 import mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadVotes, NotAnEvaluation
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.seeded_draws import bits_from
from ntqr_exact.varieties.compositions import (
    KeyCounts,
    all_key_counts,
    check_key_counts,
    compositions,
    count_compositions,
    from_splits,
)
from ntqr_exact.varieties.sampling import uniform_composition
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels, default_judges


@dataclass(frozen=True, slots=True, init=False)
class PossibleSet:
    """The group evaluations of N judges on Q questions: each question has a true label and a pattern.

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

    def _repr_latex_(self) -> str:
        return rf"${self.count()}\text{{ possible evaluations of }}{self.questions}\text{{ questions}}$"

    def count(self) -> int:
        """Return C(Q + m − 1, m − 1), the ways to distribute Q questions over m = R·R^N cells."""
        return self._ways(self.questions, len(self.labels) * self._width)

    def count_at(self, at: KeyCounts) -> int:
        """Return how many have the key counts: Π_l C(Q_l + R^N − 1, R^N − 1).

        >>> PossibleSet(questions=10).count_at({"a": 4, "b": 6})
        35
        """
        return prod(
            self._ways(count, self._width) for count in check_key_counts(at, self.labels, self.questions)
        )

    def counts_by_key(self) -> dict[tuple[int, ...], int]:
        """Return how many have each key counts, given in the order of the labels."""
        return {
            key: prod(count_compositions(count, self._width) for count in key)
            for key in compositions(self.questions, len(self.labels))
        }

    def individual_count(self) -> int:
        """Return the number of individual evaluations: Σ over key counts of (Π_l C(Q_l + R − 1, R − 1))^N.

        >>> PossibleSet(questions=1, judges=2).count(), PossibleSet(questions=1, judges=2).individual_count()
        (8, 8)
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
            raise NotAnEvaluation(evaluation, "evaluation must be LabeledVoteCounts or a CountEvaluation")
        grades = evaluation.judges if isinstance(evaluation, LabeledVoteCounts) else evaluation.confusion
        shape = (evaluation.labels, len(grades), evaluation.size)
        return shape == (self.labels, self.judges, self.questions)

    def __iter__(self) -> Iterator[LabeledVoteCounts]:
        for key in all_key_counts(self.labels, self.questions):
            yield from self.at(key)

    def at(self, key_counts: KeyCounts) -> Iterator[LabeledVoteCounts]:
        """Iterate over those at key counts, in the same order."""
        key = check_key_counts(key_counts, self.labels, self.questions)
        for columns in product(*(list(compositions(count, self._width)) for count in key)):
            yield self._group(columns)

    def sample(self, *, seed: RationalLike, at: KeyCounts | None = None) -> LabeledVoteCounts:
        """Return a uniform one, the same for the same seed on every machine.

        >>> PossibleSet(questions=10).sample(seed=1).size
        10
        """
        bits = bits_from(seed)
        width = self._width
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
        patterns = list(product(self.labels, repeat=self.judges))
        splits = list(zip(*columns, strict=True))
        return from_splits(self.labels, default_judges(self.judges), patterns, splits)
