"""The safe region: the key counts at which all judges could be safe.

Each judge alone can be right min(Q_l, R_l) times on every label l at once. So the factors allow it exactly the key
counts with Q_l ≤ ⌈f_l·R_l⌉ − 1: a box, cut by ΣQ_l = Q. Together, the judges leave fewer key counts, with gaps. The
ends of the region are found for any size of the test: "some safe key has Q_l ≤ k" remains true as k grows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Literal

from ntqr_exact.alarms.misalignment import KeyRanges, Misalignment, checked_specification, decide_safety
from ntqr_exact.alarms.safety import BUDGET
from ntqr_exact.alarms.specification import (
    SafetySpecification,
    could_be_safe_alone,
    most_questions,
    points_alone,
)
from ntqr_exact.answer import Answer
from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadKeyCounts, Undecided
from ntqr_exact.varieties.compositions import check_key_counts
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class SafeRangeEnd:
    """One end of the questions of a label over a safe region.

    `attained` is the number of the witness, and `proven` the one beyond which there is none, by the proof; they differ
    only where the budget did not suffice. The proof is `None` where no key at all has more or less.
    """

    attained: int
    proven: int
    witness: Misalignment
    proof: Misalignment | None


@dataclass(frozen=True, slots=True)
class SafeRegion:
    """The key counts at which all judges could be safe, in the order of the counts of the first labels.

    >>> region = SafeRegion(VoteCounts({"aa": 2, "ab": 1, "bb": 3}))
    >>> region.count(), list(region), {"a": 2, "b": 4} in region
    (3, [{'a': 1, 'b': 5}, {'a': 2, 'b': 4}, {'a': 3, 'b': 3}], True)

    `group_size` 1 considers the numbers of answers of each judge alone, "all" the joint answers. `budget` is that of
    one decision.
    """

    votes: VoteCounts
    specification: SafetySpecification = field(default_factory=SafetySpecification)
    group_size: Literal[1, "all"] = "all"
    budget: int = BUDGET

    def __post_init__(self) -> None:
        checked_specification(self.votes, self.specification)
        if self.group_size == 1:
            self.votes.without_gaps("the alarm of each judge alone")

    @property
    def most_questions(self) -> dict[str, int]:
        """The most questions of each label at which each judge alone could be safe."""
        return most_questions(self.votes, self.specification)

    def decided(self, ranges: KeyRanges | None = None) -> Misalignment:
        """Return whether some key within ranges of the key counts makes all judges safe."""
        return decide_safety(self.votes, self.specification, ranges, Budget(self.budget))

    def contains(self, key_counts: Mapping[str, int]) -> bool:
        """Return whether all judges could be safe at these key counts.

        Raises `BadKeyCounts` for counts that no answer key of the test has, `Undecided` if the budget is too small.
        """
        key = check_key_counts(key_counts, self.votes.labels, self.votes.size)
        return self._allows(key) and (self.group_size == 1 or self._has(key))

    def __contains__(self, key_counts: object) -> bool:
        try:
            return isinstance(key_counts, Mapping) and self.contains(key_counts)
        except BadKeyCounts:
            return False

    def __iter__(self) -> Iterator[dict[str, int]]:
        for key in points_alone(self.votes, self.specification):
            if self.group_size == 1 or self._has(key):
                yield dict(zip(self.votes.labels, key, strict=True))

    def count(self) -> int:
        """Return how many key counts are in the region.

        For single judges without a minimum grade, with b_l the bounds, it is the sum over all sets S of labels of
        (−1)^|S|·C(Q − Σ_S (b_l + 1) + R − 1, R − 1), over those with Q ≥ Σ_S (b_l + 1). Otherwise they are counted.

        >>> votes = VoteCounts({"aaa": 40, "bbb": 35, "ccc": 25}, ("a", "b", "c"))
        >>> SafeRegion(votes, SafetySpecification(2), 1).count()
        3098
        """
        if self.group_size != 1 or self.specification.minimum_grade:
            return sum(1 for _ in self)
        bounds = list(self.most_questions.values())
        labels = len(bounds)
        return sum(
            (-1) ** length * comb(left + labels - 1, labels - 1)
            for length in range(labels + 1)
            for over in combinations(bounds, length)
            if (left := self.votes.size - sum(over) - length) >= 0
        )

    def is_empty(self) -> bool:
        """Return whether there is no such key: then the judges are misaligned."""
        if self.group_size == 1:
            return not could_be_safe_alone(self.votes, self.specification)
        return self._decided().is_misaligned

    def ends(self, label: str) -> tuple[SafeRangeEnd, SafeRangeEnd] | None:
        """Return the least and the greatest number of questions of a label over all safe keys, or `None` without one.

        >>> votes = VoteCounts({"aa": 2, "bb": 2, "cc": 1}, ("a", "b", "c"))
        >>> [end.proven for end in SafeRegion(votes).ends("c")]
        [0, 1]

        Raises `Undecided` if no safe key was found, and no proof that there is none.
        """
        whole = self._decided()
        return None if whole.is_misaligned else (self._end(label, whole, -1), self._end(label, whole, 1))

    def _end(self, label: str, witness: Misalignment, side: int) -> SafeRangeEnd:
        """Bisect between a witness and the end of all key counts, on the side of fewer (−1) or more (1) questions."""
        proof: Misalignment | None = None
        attained, proven = (witness.safe_key or {})[label], 0 if side < 0 else self.votes.size
        while attained != proven:
            middle = attained + side * max(1, abs(proven - attained) // 2)
            tried = proven if proof is None else middle
            found = self.decided({label: (0, tried) if side < 0 else (tried, self.votes.size)})
            if found.safe_key is not None:
                witness, attained = found, found.safe_key[label]
            elif found.answer is Answer.NO:
                proof, proven = found, tried - side
            else:
                break
        return SafeRangeEnd(attained, proven, witness, proof)

    def _decided(self, ranges: KeyRanges | None = None) -> Misalignment:
        found = self.decided(ranges)
        if found.answer is Answer.UNDECIDED:
            raise Undecided(self.votes.size, "whether some key is safe was not decided within the budget")
        return found

    def _has(self, key: Sequence[int]) -> bool:
        ranges = {label: (count, count) for label, count in zip(self.votes.labels, key, strict=True)}
        return not self._decided(ranges).is_misaligned

    def _allows(self, key: Sequence[int]) -> bool:
        """Whether each judge alone could be safe: answers l beyond Q_l are wrong. Gaps leave this open."""
        if self.votes.has_gaps:
            return True
        least = self.specification.least_total(self.votes.size)
        rows = (self.votes.responses(judge).values() for judge in self.votes.judges)
        return all(
            count <= most for count, most in zip(key, self.most_questions.values(), strict=True)
        ) and all(sum(map(min, row, key)) >= least for row in rows)
