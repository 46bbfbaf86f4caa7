"""Could all judges be safe? The search for a key under which they are, or for a proof that there is none.

A key splits the n_p questions of each pattern p over the labels: whole numbers x_{p,l} ≥ 0 with Σ_l x_{p,l} = n_p.
Judge j is right on label l on those x_{p,l} whose pattern has p_j = l, and Q_{j,l} are the questions of l that it
answered. It is safe on l if f·right > Q_{j,l} or Q_{j,l} = 0. With f = s/t and whole numbers, s·right > t·Q **is**
s·right − t·Q ≥ 1, a linear row. The row with ≥ 0 holds whether Q_{j,l} is 0 or not. So the search solves the rows with
≥ 0 over fractional keys. If they are infeasible, one leaf refutes all keys. Otherwise the fractional key is rounded; if
that is not safe, the search splits: on whether j has questions of l (then its row has ≥ 1), or on a fractional x_{p,l}.

Most refutations need few judges. The program begins with few of them and takes in those that its fractional key
violates; patterns that are alike for these judges are one pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.safety_question import (
    Key,
    Question,
    is_safe,
    over_minimum,
    plurality_key,
    repaired,
    rounded,
    slacks,
)
from ntqr_exact.alarms.simplex import Column, KeyProgram, solve
from ntqr_exact.answer import Answer
from ntqr_exact.budget import Budget
from ntqr_exact.errors import TooMuchWork

FractionalKey: TypeAlias = "list[list[mpq]]"

Condition: TypeAlias = "tuple[str, int, int, int]"
"""("uses" | "lacks", judge, label, 0), or ("at least" | "at most", pattern, label, questions)."""

BUDGET = 4_000_000
"""The default budget of a decision in steps, about five seconds."""

_MORE_JUDGES = 3
"""At least so many violated judges enter the program at a time."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A case that multipliers refute: where it applies, and the multipliers of its rows.

    `right[j][l]` multiplies s·right − t·Q ≥ 0 or 1, `grade[j]` right answers ≥ minimum, `questions[l]` the lower limit
    of Q_l if it is positive, and the upper limit if it is negative.
    """

    where: tuple[Condition, ...]
    right: dict[int, tuple[int, ...]] = field(default_factory=dict)
    grade: dict[int, int] = field(default_factory=dict)
    questions: tuple[int, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """Return the leaf as a part of a certificate."""
        return {
            "where": [list(condition) for condition in self.where],
            "right": {str(j): list(map(str, row)) for j, row in self.right.items()},
            "grade": {str(j): str(number) for j, number in self.grade.items()},
            "questions": list(map(str, self.questions)),
        }


@dataclass(frozen=True, slots=True)
class SafetyDecision:
    """YES with a safe key, NO with the leaves that refute every key, or UNDECIDED."""

    answer: Answer
    key: Key | None = None
    leaves: tuple[Leaf, ...] = ()


def decide(question: Question, budget: Budget) -> SafetyDecision:
    """Return whether some key makes all judges safe."""
    search = _Search(question, budget)
    try:
        key = search.run()
    except TooMuchWork:
        return SafetyDecision(Answer.UNDECIDED)
    return (
        SafetyDecision(Answer.YES, key)
        if key is not None
        else SafetyDecision(Answer.NO, None, tuple(search.leaves))
    )


class _Search:
    """The state of one search: the leaves so far, and the judges whose rows are in the program."""

    def __init__(self, question: Question, budget: Budget) -> None:
        self.question, self.budget = question, budget
        self.leaves: list[Leaf] = []
        self.working: list[int] = []
        self.work = sum(map(len, question.given)) + len(question.patterns) * len(question.ranges)

    def run(self) -> Key | None:
        """Return a safe key, or `None` after the leaves have refuted all keys."""
        question = self.question
        key = repaired(question, plurality_key(question), self.budget)
        stack: list[tuple[Condition, ...]] = [()]
        while not is_safe(question, key):
            if not stack:
                return None
            where = stack.pop()
            result = self._relaxed(where)
            if isinstance(result, Leaf):
                self.leaves.append(result)
                continue
            fractional, key = result
            if not is_safe(question, key):
                key = repaired(question, key, self.budget)
                stack += self._parts(where, fractional)
        return key

    def _parts(self, where: tuple[Condition, ...], key: FractionalKey) -> Iterator[tuple[Condition, ...]]:
        """Yield the two cases of a split, the more promising one last."""
        used = self._used(where)
        free = [(size, j, a) for j, a, size, _ in slacks(self.question, key) if size and (j, a) not in used]
        if free:
            _, j, a = max(free)
            yield (*where, ("lacks", j, a, 0))
            yield (*where, ("uses", j, a, 0))
            return
        p, a, x = max(
            ((p, a, x) for p, split in enumerate(key) for a, x in enumerate(split) if x.denominator != 1),
            key=lambda item: self.question.counts[item[0]],
        )
        parts = [(*where, ("at most", p, a, int(x))), (*where, ("at least", p, a, int(x) + 1))]
        yield from parts if 2 * (x - int(x)) > 1 else parts[::-1]

    def _used(self, where: Iterable[Condition]) -> set[tuple[int, int]]:
        """Return for which judges and labels there are questions: the patterns of one may be among those of another."""
        own = self.question.answered
        if not self.question.margin:
            return set(product(self.question.judges, self.question.labels))  # nothing to split on
        uses = [(j, a) for kind, j, a, _ in where if kind == "uses"]
        return {(j, a) for i, a in uses for j in self.question.judges if own[i] <= own[j]}

    def _relaxed(self, where: tuple[Condition, ...]) -> Leaf | tuple[FractionalKey, Key]:
        """Return a leaf, or a fractional key that meets the rows of all judges, and the same rounded."""
        question, limits, used = self.question, _limits(self.question, where), self._used(where)
        for p, count in enumerate(question.counts):
            ends = [limits.get((p, a), (0, count)) for a in question.labels]
            lows, highs = map(sum, zip(*ends, strict=True))
            if not lows <= count <= highs or any(low > high for low, high in ends):
                return Leaf(where)
        while True:
            self.budget.spend(
                self.work + len(self.working) * len(question.patterns) * len(question.ranges) // 4
            )
            rows = _Rows(question, self.working, limits, used)
            splits, multipliers = solve(rows.program(), {(len(rows.groups), 0): 1}, self.budget.spend)
            if splits is None:
                return rows.leaf(where, multipliers)
            key, whole = rows.lifted(splits)
            worst: dict[int, mpq] = {}
            for j, a, _, slack in slacks(question, key):
                short = mpq(question.margin * ((j, a) in used) - slack) / question.factors[j][a][0]
                worst[j] = max(worst.get(j, mpq(0)), short)
            for j, over in over_minimum(question, key).items():
                worst[j] = max(worst[j], -over)
            more = sorted((j for j in worst if worst[j] > 0), key=lambda j: -worst[j])
            if not more:
                return key, whole
            self.working += more[: max(_MORE_JUDGES, len(self.working) // 2)]


def _limits(question: Question, where: Iterable[Condition]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the least and the greatest x_{p,l} of the splits that a case limits."""
    limits: dict[tuple[int, int], tuple[int, int]] = {}
    for kind, first, a, number in where:
        if kind == "lacks":
            for p, pattern in enumerate(question.patterns):
                if pattern[first] is not None:
                    limits[p, a] = (limits.get((p, a), (0, 0))[0], 0)
        elif kind != "uses":
            low, high = limits.get((first, a), (0, question.counts[first]))
            limits[first, a] = (max(low, number), high) if kind == "at least" else (low, min(high, number))
    return limits


class _Rows:
    """The program of some judges: patterns alike for them are one group; a last pattern is the room in every row."""

    def __init__(
        self,
        question: Question,
        judges: Sequence[int],
        limits: dict[tuple[int, int], tuple[int, int]],
        used: set[tuple[int, int]],
    ) -> None:
        self.question = question
        kept = {p for (p, _), (low, high) in limits.items() if low or 0 < high < question.counts[p]}
        merged: dict[tuple[object, tuple[int, ...]], list[int]] = {}
        for p, pattern in enumerate(question.patterns):
            labels = tuple(a for a in question.labels if limits.get((p, a), (0, 1))[1])
            alike = p if p in kept else tuple([pattern[j] for j in judges])
            merged.setdefault((alike, labels), []).append(p)
        self.groups = list(merged.values())
        self.labels = [labels for _, labels in merged]
        self.columns: list[list[Column]] = [[[] for _ in labels] for labels in self.labels]
        self.room: Column = []
        self.least: list[int] = []
        self.names: list[tuple[str, int, int]] = []
        for j in judges:
            for a in question.labels:
                self._right(j, a, question.margin * ((j, a) in used))
            if question.minimum[j]:
                self._grade(j)
        for a, (low, high) in enumerate(question.ranges):
            self._between("questions", a, (low, high), sum(question.counts), range(len(self.groups)))
        for (p, a), (low, high) in limits.items():
            if p in kept and high:
                self._between("limit", a, (low, high), question.counts[p], [self.groups.index([p])])

    def _add(self, name: tuple[str, int, int], least: int) -> int:
        self.names.append(name)
        self.least.append(least)
        return len(self.least) - 1

    def _right(self, j: int, a: int, least: int) -> None:
        """s·right − t·Q_{j,l} ≥ least."""
        row, (s, t) = self._add(("right", j, a), least), self.question.factors[j][a]
        self.room.append((row, -s))
        for group, labels, columns in zip(self.groups, self.labels, self.columns, strict=True):
            answer = self.question.patterns[group[0]][j]
            if answer is not None and a in labels:
                columns[labels.index(a)].append((row, s - t if answer == a else -t))

    def _grade(self, j: int) -> None:
        """The judge is right at least so often in all."""
        row = self._add(("grade", j, 0), self.question.minimum[j])
        for group, labels, columns in zip(self.groups, self.labels, self.columns, strict=True):
            answer = self.question.patterns[group[0]][j]
            if answer is not None and answer in labels:
                columns[labels.index(answer)].append((row, 1))

    def _between(self, kind: str, a: int, ends: tuple[int, int], most: int, groups: Iterable[int]) -> None:
        """The splits of some groups with label a add up to at least `low` and at most `high`."""
        low, high = ends
        for sign, end, is_needed in ((1, low, low > 0), (-1, high, high < most)):
            if is_needed:
                row = self._add((kind, a, sign), sign * end)
                for group in groups:
                    if a in self.labels[group]:
                        self.columns[group][self.labels[group].index(a)].append((row, sign))

    def program(self) -> KeyProgram:
        """Return the program."""
        counts = [sum(self.question.counts[p] for p in group) for group in self.groups]
        return KeyProgram([*counts, sum(counts)], [*self.columns, [self.room, []]], self.least)

    def lifted(self, splits: list[list[mpq]]) -> tuple[FractionalKey, Key]:
        """Return the key of all patterns that splits of the groups make, and the same in whole numbers."""
        counts, labels = self.question.counts, self.question.labels
        key: FractionalKey = [[] for _ in counts]
        whole: list[tuple[int, ...]] = [() for _ in counts]
        for group, names, split in zip(self.groups, self.labels, splits, strict=False):
            total = sum(counts[p] for p in group)
            shares = dict(zip(names, split, strict=True))
            carry = [mpq(0) for _ in labels]  # what rounding has left, so that the group has the right sum
            for p in group:
                key[p] = [shares.get(a, mpq(0)) * counts[p] / total for a in labels]
                wanted = [x + c for x, c in zip(key[p], carry, strict=True)]
                whole[p] = rounded(wanted, counts[p])
                carry = [x - n for x, n in zip(wanted, whole[p], strict=True)]
        return key, tuple(whole)

    def leaf(self, where: tuple[Condition, ...], multipliers: Sequence[int]) -> Leaf:
        """Return the leaf of these multipliers; the limits of splits need none."""
        right: dict[int, list[int]] = {}
        grade: dict[int, int] = {}
        questions = [0 for _ in self.question.labels]
        for (kind, first, second), number in zip(self.names, multipliers, strict=True):
            if number and kind == "right":
                right.setdefault(first, [0 for _ in self.question.labels])[second] = number
            elif number and kind == "grade":
                grade[first] = number
            elif kind == "questions":
                questions[first] += second * number
        return Leaf(where, {j: tuple(row) for j, row in right.items()}, grade, tuple(questions))
