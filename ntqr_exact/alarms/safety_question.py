"""The question whether all judges could be safe, in whole numbers, and answer keys to it.

What a key leaves each judge, and how a key is rounded, begun and improved: one rounding and one local improvement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import Budget

Key: TypeAlias = "tuple[tuple[int, ...], ...]"
"""How many questions of each pattern have each true label."""

_REPAIRS = 40
"""So many questions of a key are moved to make it safe."""


@dataclass(frozen=True)
class Question:
    """Whether some key makes all judges safe, in whole numbers; a gap in a pattern is `None`.

    `factors[j][l]` is (s, t): judge j must have s·right > t·Q_{j,l}. `minimum[j]` right answers are asked of judge j in
    all, and `ranges[l]` limits the questions of label l. A `margin` of 0 asks for s·right ≥ t·Q_{j,l} only.
    """

    patterns: tuple[tuple[int | None, ...], ...]
    counts: tuple[int, ...]
    factors: tuple[tuple[tuple[int, int], ...], ...]
    minimum: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]
    margin: int = 1

    @property
    def judges(self) -> range:
        """The judges, by index."""
        return range(len(self.factors))

    @property
    def labels(self) -> range:
        """The labels, by index."""
        return range(len(self.ranges))

    @cached_property
    def given(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The judges that answered each pattern, with their answers."""
        return tuple(
            tuple((j, answer) for j, answer in enumerate(pattern) if answer is not None)
            for pattern in self.patterns
        )

    @cached_property
    def answered(self) -> tuple[frozenset[int], ...]:
        """The patterns that each judge answered."""
        return tuple(
            frozenset(p for p, pattern in enumerate(self.patterns) if pattern[judge] is not None)
            for judge in self.judges
        )


def slacks(question: Question, key: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int, Any, Any]]:
    """Yield (judge, label, Q_{j,l}, s·right − t·Q_{j,l}) of a key, whole or fractional."""
    sizes = [[0 for _ in question.labels] for _ in question.judges]
    right = [[0 for _ in question.labels] for _ in question.judges]
    for given, split in zip(question.given, key, strict=True):
        some = [(label, x) for label, x in enumerate(split) if x]
        for j, answer in given:
            own = sizes[j]
            for label, x in some:
                own[label] += x
            right[j][answer] += split[answer]
    for j in question.judges:
        for label, (s, t) in enumerate(question.factors[j]):
            yield j, label, sizes[j][label], s * right[j][label] - t * sizes[j][label]


def over_minimum(question: Question, key: Sequence[Sequence[Any]]) -> dict[int, Any]:
    """Return for each judge with a minimum how many more of its answers are right under a key."""
    over: dict[int, Any] = {j: -least for j, least in enumerate(question.minimum) if least}
    for given, split in zip(question.given, key, strict=True) if over else ():
        for j, answer in given:
            if split[answer] and j in over:
                over[j] += split[answer]
    return over


def is_safe(question: Question, key: Sequence[Sequence[int]]) -> bool:
    """Return whether all judges are safe under a whole key, within the ranges of its counts."""
    return (
        all(slack >= question.margin or not size for _, _, size, slack in slacks(question, key))
        and all(over >= 0 for over in over_minimum(question, key).values())
        and all(
            low <= sum(split[a] for split in key) <= high for a, (low, high) in enumerate(question.ranges)
        )
    )


def rounded(split: Sequence[mpq], count: int) -> tuple[int, ...]:
    """Return whole numbers ≥ 0 near those of a split that add up to a count: the largest remainders go up."""
    row = [max(0, int(x)) for x in split]
    while sum(row) != count:
        step = 1 if sum(row) < count else -1
        place = max(
            (a for a in range(len(row)) if step > 0 or row[a]), key=lambda a: step * (split[a] - row[a])
        )
        row[place] += step
    return tuple(row)


def plurality_key(question: Question) -> Key:
    """Return the key that gives each pattern the label that most of its judges gave."""
    key = []
    for pattern, count in zip(question.patterns, question.counts, strict=True):
        votes = [pattern.count(a) for a in question.labels]
        best = votes.index(max(votes))
        key.append(tuple(count * (a == best) for a in question.labels))
    return tuple(key)


def repaired(question: Question, key: Key, budget: Budget, judges: Collection[int] | None = None) -> Key:
    """Return a key under which all, or some, judges miss less of safety: questions are moved while that helps."""
    moves = _Moves(question, key, judges or question.judges)
    for _ in range(_REPAIRS):
        worst = moves.worst()
        if not worst[0]:
            break
        move = moves.best(*worst)
        budget.spend(moves.steps)
        if move is None:
            break
        moves.make(*move)
    return tuple(map(tuple, moves.splits))


class _Moves:
    """A key that changes, with the sizes and slacks of the judges, and what they have over their minimum."""

    def __init__(self, question: Question, key: Key, judges: Collection[int]) -> None:
        self.question, self.judges, self.steps = question, judges, 0
        self.splits = [list(split) for split in key]
        self.state = {(j, a): (int(size), int(slack)) for j, a, size, slack in slacks(question, key)}
        self.over = {j: over for j, over in over_minimum(question, key).items() if j in judges}

    def missing(self, j: int, a: int, k: int = 0, *, is_right: bool = False) -> int:
        """What judge j misses on label a after k more questions of it."""
        (size, slack), (s, t), margin = self.state[j, a], self.question.factors[j][a], self.question.margin
        slack += k * (s * is_right - t)
        return margin - slack if size + k and slack < margin else 0

    def worst(self) -> tuple[int, int, int]:
        """Return what is missing most, by which judge, and on which label; −1 stands for all labels."""
        found = max((self.missing(j, a), j, a) for j in self.judges for a in self.question.labels)
        low = min(self.over, key=lambda j: self.over[j], default=-1)
        if low >= 0 and -self.over[low] * self.question.factors[low][0][0] > found[0]:
            return -self.over[low], low, -1
        return found

    def best(self, worst: int, j: int, label: int) -> tuple[int, int, int, int] | None:
        """Return the move (pattern, from, to, questions) that gains most among those that help a judge on a label."""
        question, tables, best, move = self.question, {}, 0, None
        self.steps = len(self.splits)
        for p, split in enumerate(self.splits):
            pattern = question.patterns[p]
            answer = pattern[j]
            for other in question.labels if answer is not None else ():
                toward = label < 0 or answer == label
                a, b = (other, answer or 0) if toward else (label, other)
                if a == b or not split[a]:
                    continue
                s, t = question.factors[j][b if toward else a]
                k = min(split[a], max(1, -(-worst // (1 if label < 0 else s - t if toward else max(1, t)))))
                self.steps += 1
                if (a, b, k) not in tables:
                    tables[a, b, k] = self._gains(a, b, k)
                    self.steps += len(self.judges)
                table = tables[a, b, k]
                gain = sum(
                    [
                        row[0 if x == a else 1 if x == b else 2]
                        for i, row in table
                        if (x := pattern[i]) is not None
                    ]
                )
                self.steps += len(table) // 2
                if gain > best:
                    best, move = gain, (p, a, b, k)
        return move

    def _gains(self, a: int, b: int, k: int) -> list[tuple[int, list[int]]]:
        """What k questions that move from a to b gain for judges, if they answered a, b or another label."""
        found = []
        for j in self.judges:
            now, over, row = self.missing(j, a) + self.missing(j, b), self.over.get(j, 0), []
            for x, y in ((True, False), (False, True), (False, False)):
                then = self.missing(j, a, -k, is_right=x) + self.missing(j, b, k, is_right=y)
                row.append(now - then + min(0, over + k * (y - x)) - min(0, over))
            if any(row):
                found.append((j, row))
        return found

    def make(self, p: int, a: int, b: int, k: int) -> None:
        """Move k questions of pattern p from label a to b."""
        for j, x in self.question.given[p]:
            for c, n in ((a, -k), (b, k)):
                (size, slack), (s, t) = self.state[j, c], self.question.factors[j][c]
                self.state[j, c] = (size + n, slack + n * (s * (x == c) - t))
            if j in self.over:
                self.over[j] += k * ((x == b) - (x == a))
        self.splits[p][a] -= k
        self.splits[p][b] += k
