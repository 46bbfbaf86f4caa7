"""The votes of a panel at a level: which pairs of judges cannot both pass, in closed form, and what passes under a key.

Two judges and two labels: questions on which they agree, or that one of them did not answer, are best given the label
that was said. What is left are two whole numbers: x of the questions "ab" and y of the questions "ba" are given the
label a. Overall, two judges share out the questions on which they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.safety import BUDGET, Leaf, decide
from ntqr_exact.alarms.safety_question import Key, Question, over_minimum, slacks
from ntqr_exact.answer import Answer
from ntqr_exact.budget import Budget
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_PAIR_STEPS = 20_000
"""If a pair of two labels takes more steps, its certificate has no leaves, and the checker tries all its keys."""

Measure: TypeAlias = Literal["every_label", "overall"]


class Panel:
    """Votes in whole numbers at a level t/s, with the answers of each judge as bits over the patterns."""

    def __init__(self, votes: VoteCounts, level: mpq, measure: Measure) -> None:
        self.level, self.measure = level, measure
        # More than 0 of a whole number is more than a share that no question reaches.
        exact = level or mpq(1, votes.size + 1)
        self.t, self.s = int(exact.numerator), int(exact.denominator)
        index = {label: a for a, label in enumerate(votes.labels)}
        self.names = [pattern for pattern, count in votes.counts.items() if count]
        self.patterns = [tuple([index.get(x) for x in pattern]) for pattern in self.names]
        self.counts = [count for count in votes.counts.values() if count]
        self.labels, self.judges = range(len(votes.labels)), range(len(votes.judges))
        self.given = [[0 for _ in self.labels] for _ in self.judges]
        for p, pattern in enumerate(self.patterns):
            for j, answer in enumerate(pattern):
                if answer is not None:
                    self.given[j][answer] |= 1 << p
        width = max(self.counts).bit_length()
        self.planes = [sum(1 << p for p, n in enumerate(self.counts) if n >> b & 1) for b in range(width)]
        self.sizes = [sum(map(self.count, row)) for row in self.given]

    def count(self, patterns: int) -> int:
        """Return how many questions a set of patterns has."""
        return sum((patterns & plane).bit_count() << b for b, plane in enumerate(self.planes))

    def question(self, group: Sequence[int]) -> Question:
        """Return the question whether a group could pass, over the patterns of all judges merged for it."""
        merged: dict[tuple[int | None, ...], int] = {}
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            row = tuple([pattern[j] for j in group])
            if any(x is not None for x in row):
                merged[row] = merged.get(row, 0) + count
        return self._asked(tuple(merged), tuple(merged.values()), group)

    @cached_property
    def whole(self) -> Question:
        """The question about all judges, with the patterns as they are."""
        return self._asked(tuple(self.patterns), tuple(self.counts), self.judges)

    def _asked(self, patterns: tuple[Any, ...], counts: tuple[int, ...], group: Sequence[int]) -> Question:
        # Overall, the row of a label is 1·right > −1·Q, which always holds.
        factor = (self.s, self.t) if self.measure == "every_label" else (1, -1)
        minimum = [
            0 if self.measure == "every_label" else self.t * self.sizes[j] // self.s + 1 for j in group
        ]
        ranges = ((0, sum(counts)),) * len(self.labels)
        return Question(
            patterns, counts, ((factor,) * len(self.labels),) * len(minimum), tuple(minimum), ranges
        )

    def leaves(self, group: Sequence[int]) -> tuple[Leaf, ...]:
        """Return the proof that a group is impossible; none for a pair of two labels that is soon counted through."""
        is_pair = len(group) == len(self.labels) == 2 and self.measure == "every_label"
        return decide(self.question(group), Budget(_PAIR_STEPS if is_pair else None)).leaves

    def splits(self, witness: LabeledVoteCounts) -> Key:
        """Return how a witness splits each pattern."""
        parts = list(witness.by_label.values())
        return tuple(tuple(part.counts.get(name, 0) for part in parts) for name in self.names)

    def failing(self, key: Key) -> set[int]:
        """Return the judges that fail under a key."""
        if self.measure == "overall":
            return {j for j, over in over_minimum(self.whole, key).items() if over < 0}
        return {j for j, _, size, slack in slacks(self.whole, key) if size and slack < 1}

    def is_impossible(self, i: int, j: int) -> bool:
        """Return whether no key lets two judges pass."""
        if self.measure == "overall":
            return self._overall(i, j) <= self.level
        if len(self.labels) == 2:
            return _above(self._pair(i, j), self.t, self.s) is None
        return decide(self.question((i, j)), Budget(BUDGET // 100)).answer is Answer.NO

    def threshold(self, i: int, j: int) -> mpq:
        """Return the level from which on two judges cannot both pass."""
        if self.measure == "overall":
            return self._overall(i, j)
        if len(self.labels) == 2:
            return _best_of_pair(self._pair(i, j))
        low, high = mpq(0), mpq(1)
        for _ in range(10):  # a level at which the pair is proven impossible
            middle = (low + high) / 2
            self.t, self.s = int(middle.numerator), int(middle.denominator)
            if self.is_impossible(i, j):
                high = middle
            else:
                low = middle
        return high

    def _overall(self, i: int, j: int) -> mpq:
        """The best level of two judges overall: x of their D disagreements go to the first judge."""
        same = sum(self.count(a & b) for a, b in zip(self.given[i], self.given[j], strict=True))
        both = self.count(union(self.given[i]) & union(self.given[j]))
        differ, (m, n) = both - same, (self.sizes[i], self.sizes[j])
        middle = differ * n // (m + n) if differ else 0
        levels = [
            min(1 - mpq(x, m) if m else mpq(1), 1 - mpq(differ - x, n) if n else mpq(1))
            for x in (differ - middle, differ - min(differ, middle + 1))
        ]
        return max(levels)

    def _pair(self, i: int, j: int) -> tuple[int, ...]:
        (ia, ib), (ja, jb) = self.given[i], self.given[j]
        ab, ba = self.count(ia & jb), self.count(ib & ja)
        return (ab, ba, *(self.count(x) - y for x, y in ((ia, ab), (ja, ba), (ib, ba), (jb, ab))))


def union(masks: Iterable[int]) -> int:
    """Return the union of sets that are bits."""
    total = 0
    for mask in masks:
        total |= mask
    return total


def _pair_level(numbers: Sequence[int], x: int, y: int) -> mpq:
    """Return the level of the key that gives x questions "ab" and y questions "ba" the label a."""
    ab, ba, *sure = numbers
    u, v = ab - x, ba - y
    right = (sure[0] + x, sure[1] + y, sure[2] + v, sure[3] + u)
    sizes = (sure[0] + x + y, sure[1] + x + y, sure[2] + u + v, sure[3] + u + v)
    return min((mpq(r, n) for r, n in zip(right, sizes, strict=True) if n), default=mpq(1))


def _above(numbers: Sequence[int], t: int, s: int) -> tuple[int, int] | None:
    """Return x and y whose key has a level above t/s, or `None`.

    With u = s − t the four rows say u·x − t·y > −u·A_i, u·y − t·x > −u·A_j, and the same of what is left for b. So y
    lies between two lower and two upper lines, the width is concave in x, and x is searched from its maximum.
    """
    ab, ba, a_i, a_j, b_i, b_j = numbers
    for x, y in ((0, 0), (ab, ba)):  # only there a label can be without questions
        if _pair_level(numbers, x, y) * s > t:
            return x, y
    u = s - t

    def ends(x: int) -> tuple[int, int]:
        low = max(t * t * x - u * t * a_j, u * t * ba - u * u * (ab - x + b_j))
        return low, min(u * u * (x + a_i), u * t * ba - t * t * (ab - x) + u * t * b_i)

    low, high = 0, ab
    while low < high:
        middle = (low + high) // 2
        (a, b), (c, d) = ends(middle), ends(middle + 1)
        low, high = (low, middle) if b - a >= d - c else (middle + 1, high)
    for start, step in ((low, -1), (low + 1, 1)):
        x = start
        while 0 <= x <= ab:
            below, over = ends(x)
            if over <= below:
                break
            least, most = max(0, below // (u * t) + 1), min(ba, -(-over // (u * t)) - 1)
            if least <= most:
                return x, (least + most) // 2
            x += step
    return None


def _best_of_pair(numbers: Sequence[int]) -> mpq:
    """Return the best level of two judges and two labels: the level of a key that no key exceeds."""
    ab, ba, a_i, a_j, b_i, b_j = numbers
    best, total = max(_pair_level(numbers, 0, 0), _pair_level(numbers, ab, ba)), sum(numbers)
    if best == 1:
        return best
    # No fractional key exceeds these three; a whole one is near.
    sure = a_i + a_j + b_i + b_j
    bounds = ((ab + b_j + a_i, ba), (ba + b_i + a_j, ab), (sure + ab + ba, ab + ba))
    top = min(mpq(part, part + more) for part, more in bounds)
    start, gap = best, mpq(1, total + 1)
    while start == best and top - gap > best:
        found = _above(numbers, int((top - gap).numerator), int((top - gap).denominator))
        best, gap = best if found is None else _pair_level(numbers, *found), 2 * gap
    while (found := _above(numbers, int(best.numerator), int(best.denominator))) is not None:
        best = _pair_level(numbers, *found)
    return best
