"""Could all judges be safe? The search for a key under which they are, or for a proof that there is none.

With f = s/t and whole numbers, f·right > Q **is** s·right − t·Q ≥ 1, a linear row; with ≥ 0 it holds whether there are
questions or not. So the search solves the rows with ≥ 0 over fractional keys. If they are infeasible, one leaf refutes
all keys. Otherwise the key is rounded; if that is not safe, the search splits: on whether judge j has questions of l
(then its row has ≥ 1), or on a fractional x_{p,l}. The program begins with few judges and takes in violated ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.key_moves import Shares, improve
from ntqr_exact.alarms.simplex import Column, solve
from ntqr_exact.answer import Answer
from ntqr_exact.budget import Budget
from ntqr_exact.errors import TooMuchWork

Key: TypeAlias = "tuple[tuple[int, ...], ...]"
"""How many questions of each pattern have each true label."""

FractionalKey: TypeAlias = "list[list[mpq]]"

Where: TypeAlias = "dict[tuple[str, int, int], tuple[int, int]]"
"""("pattern", p, l): (low, high) limits x_{p,l}; ("judge", j, l): (1, 1) says that j has questions of l, (0, 0) not."""

Leaf: TypeAlias = "dict[str, Any]"
"""A case that multipliers refute: where it applies, and the multipliers of its rows, as in a certificate.

`right[j][l]` multiplies s·right − t·Q ≥ 0 or 1, `grade[j]` right answers ≥ minimum, `questions[l]` the lower limit of
Q_l if it is positive, and the upper limit if it is negative.
"""

BUDGET = 4_000_000
"""The default budget of a decision in steps, about five seconds."""

_MORE_JUDGES = 3
"""Violated judges that enter the program at a time, or more."""


@dataclass(frozen=True)
class Question:
    """Whether some key makes all judges safe, in whole numbers; a gap in a pattern is `None`.

    `factors[j][l]` is (s, t): judge j must have s·right > t·Q_{j,l}; without any, labels do not matter to it.
    `minimum[j]` right answers are asked of judge j in all, and `ranges[l]` limits the questions of label l.
    """

    patterns: tuple[tuple[int | None, ...], ...]
    counts: tuple[int, ...]
    factors: tuple[tuple[tuple[int, int], ...], ...]
    minimum: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]

    @cached_property
    def answered(self) -> tuple[frozenset[int], ...]:
        """The patterns that each judge answered."""
        return tuple(
            frozenset(p for p, pattern in enumerate(self.patterns) if pattern[j] is not None)
            for j in range(len(self.minimum))
        )

    def slacks(self, key: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int, Any, Any]]:
        """Yield (judge, label, Q_{j,l}, s·right − t·Q_{j,l}) of a key, and (judge, −1, 1, right − minimum + 1).

        So a whole key is safe if a slack is at least 1 wherever there are questions.
        """
        columns = list(zip(*key, strict=True))
        totals = list(map(sum, columns))
        for j, least in enumerate(self.minimum):
            answered, *rows = self._selectors[j]
            right = [sum(compress(column, row)) for column, row in zip(columns, rows, strict=True)]
            for label, (s, t) in enumerate(self.factors[j]):
                has_gaps = len(self.answered[j]) < len(key)
                size = sum(compress(columns[label], answered)) if has_gaps else totals[label]
                yield j, label, size, s * right[label] - t * size
            if least:
                yield j, -1, 1, sum(right) - least + 1

    @cached_property
    def _selectors(self) -> list[list[list[bool]]]:
        """For each judge the patterns that it answered, then those on which it gave each label, as flags."""
        labels = range(len(self.ranges))
        return [
            [[x is not None for x in column], *([x == a for x in column] for a in labels)]
            for column in zip(*self.patterns, strict=True)
        ]

    def is_safe(self, key: Key) -> bool:
        """Return whether all judges are safe under a key, within the ranges of its counts."""
        sizes = map(sum, zip(*key, strict=True))
        return all(low <= size <= high for size, (low, high) in zip(sizes, self.ranges, strict=True)) and all(
            slack >= 1 or not size for _, _, size, slack in self.slacks(key)
        )

    def level(self, key: Key) -> mpq:
        """Return the least share right/Q_{j,l} of a judge on a label with questions, under a key."""
        rows = [
            (size, slack, *self.factors[j][a]) for j, a, size, slack in self.slacks(key) if a >= 0 and size
        ]
        return min((mpq(slack + t * size, s * size) for size, slack, s, t in rows), default=mpq(1))

    def plurality_key(self) -> Key:
        """Return the key that gives each pattern the label that most of its judges gave."""
        key = []
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            votes = [pattern.count(a) for a in range(len(self.ranges))]
            best = votes.index(max(votes))
            key.append(tuple(count * (a == best) for a in range(len(votes))))
        return tuple(key)


def repaired(question: Question, key: Key, budget: Budget, judges: Collection[int] | None = None) -> Key:
    """Return a key under which all, or some, judges miss less of safety."""
    moves = _SafetyMoves(question, key, judges or range(len(question.minimum)), budget)
    improve(moves)
    return tuple(map(tuple, moves.shares))


class _SafetyMoves:
    """Moves that help if the judges miss less in all: the sum of 1 − slack where a slack is less than 1."""

    def __init__(self, question: Question, key: Key, judges: Collection[int], budget: Budget) -> None:
        self.question, self.judges, self.budget = question, judges, budget
        self.shares: Shares = [list(split) for split in key]
        self.state = {(j, a): (int(size), int(slack)) for j, a, size, slack in question.slacks(key)}
        self.tables: dict[tuple[int, int, int], list[tuple[int, list[int]]]] = {}

    def counts(self, pattern: int, source: int, to: int) -> Iterator[int]:
        """Yield all questions of either label, a half, a quarter and so on."""
        for sign, count in ((1, self.shares[pattern][source]), (-1, self.shares[pattern][to])):
            while count:
                yield sign * count
                count //= 2  # noqa: PLW2901

    def attempt(self, pattern: int, source: int, to: int, count: int) -> bool:
        """Make a move if the judges miss less."""
        a, b, k = (source, to, count) if count > 0 else (to, source, -count)
        table = self.tables.get((a, b, k))
        if table is None:
            table = self.tables[a, b, k] = self._gains(a, b, k)
            self.budget.spend(2 * len(self.judges))
        # With many labels a table is rarely used again, and most of the time goes into making it.
        self.budget.spend(3 if len(self.shares[0]) > 4 else 1 + len(table) // 4)
        answers, gain = self.question.patterns[pattern], 0
        for j, row in table:
            x = answers[j]
            if x is not None:
                gain += row[0 if x == a else 1 if x == b else 2]
        if gain <= 0:
            return False
        for j, x in enumerate(answers):
            if x is None:
                continue
            for label, n in ((a, -k), (b, k)) if self.question.factors[j] else ():
                (size, slack), (s, t) = self.state[j, label], self.question.factors[j][label]
                self.state[j, label] = (size + n, slack + n * (s * (x == label) - t))
            if self.question.minimum[j]:
                self.state[j, -1] = (1, self.state[j, -1][1] + k * ((x == b) - (x == a)))
        self.shares[pattern][a] -= k
        self.shares[pattern][b] += k
        self.tables.clear()
        return True

    def _gains(self, a: int, b: int, k: int) -> list[tuple[int, list[int]]]:
        """Return what k questions that move from a to b gain for each judge, if it answered a, b or another label."""
        found = []
        for j in self.judges:
            row = [0, 0, 0]
            for label, n in ((a, -k), (b, k)) if self.question.factors[j] else ():
                (size, slack), (s, t) = self.state[j, label], self.question.factors[j][label]
                wrong, right = slack - n * t, slack + n * (s - t)
                if slack < 1 or wrong < 1 or right < 1:
                    now = _missing(size, slack)
                    gain = now - _missing(size + n, wrong)
                    row = [x + gain for x in row]
                    row[n > 0] += now - _missing(size + n, right) - gain
            if self.question.minimum[j]:
                slack = self.state[j, -1][1]
                row[0] += _missing(1, slack) - _missing(1, slack - k)
                row[1] += _missing(1, slack) - _missing(1, slack + k)
            if any(row):
                found.append((j, row))
        return found if any(max(row) > 0 for _, row in found) else []


def _missing(size: int, slack: int) -> int:
    return 1 - slack if size and slack < 1 else 0


@dataclass(frozen=True, slots=True)
class SafetyDecision:
    """YES with a safe key, NO with the leaves that refute every key, or UNDECIDED."""

    answer: Answer
    key: Key | None = None
    leaves: tuple[Leaf, ...] = ()

    @property
    def conflicting(self) -> list[int]:
        """The judges that the proof speaks of."""
        return sorted({int(j) for leaf in self.leaves for j in (*leaf["right"], *leaf["grade"])})


def decide(question: Question, budget: Budget, share: int = 1) -> SafetyDecision:
    """Return whether some key makes all judges safe, within 1/share of what is left of a budget."""
    part = Budget(None if budget.limit is None else max(0, budget.limit - budget.spent) // share)
    search = _Search(question, part)
    try:
        key = search.run()
    except TooMuchWork:
        return SafetyDecision(Answer.UNDECIDED)
    finally:
        budget.spent += part.spent
    if key is not None:
        return SafetyDecision(Answer.YES, key)
    return SafetyDecision(Answer.NO, None, tuple(search.leaves))


class _Search:
    """The state of one search: the leaves so far, and the judges whose rows are in the program."""

    def __init__(self, question: Question, budget: Budget) -> None:
        self.question, self.budget = question, budget
        self.leaves: list[Leaf] = []
        self.working: list[int] = []

    def run(self) -> Key | None:
        """Return a safe key, or `None` after the leaves have refuted all keys."""
        question = self.question
        key = repaired(question, question.plurality_key(), self.budget)
        stack: list[Where] = [{}]
        while not question.is_safe(key):
            if not stack:
                return None
            where = stack.pop()
            result = self._relaxed(where)
            if isinstance(result, dict):
                self.leaves.append(result)
                continue
            fractional, key = result
            if not question.is_safe(key):
                key = repaired(question, key, self.budget)
                stack += self._parts(where, fractional)
        return key

    def _parts(self, where: Where, key: FractionalKey) -> list[Where]:
        """Return the two cases of a split, the more promising one last."""
        used = self._used(where)
        slacks = self.question.slacks(key)
        free = [(size, j, a) for j, a, size, _ in slacks if size and a >= 0 and (j, a) not in used]
        if free:
            _, j, a = max(free)
            return [{**where, ("judge", j, a): (n, n)} for n in (0, 1)]
        fractions = [(p, a) for p, split in enumerate(key) for a, x in enumerate(split) if x.denominator != 1]
        p, a = max(fractions, key=lambda place: self.question.counts[place[0]])
        x = key[p][a]
        low, high = where.get(("pattern", p, a), (0, self.question.counts[p]))
        parts = [{**where, ("pattern", p, a): ends} for ends in ((low, int(x)), (int(x) + 1, high))]
        return parts if 2 * (x - int(x)) > 1 else parts[::-1]

    def _used(self, where: Where) -> set[tuple[int, int]]:
        """Return the judges and labels with questions: the patterns of one judge may be among those of another."""
        own = self.question.answered
        uses = [(j, a) for (kind, j, a), (low, _) in where.items() if kind == "judge" and low]
        return {(j, a) for i, a in uses for j in range(len(own)) if own[i] <= own[j]}

    def _relaxed(self, where: Where) -> Leaf | tuple[FractionalKey, Key]:
        """Return a leaf, or a fractional key that meets the rows of all judges, and the same rounded."""
        question, used = self.question, self._used(where)
        limits: dict[tuple[int, int], tuple[int, int]] = {}
        for (kind, first, a), ends in where.items():
            if kind == "pattern":
                limits[first, a] = (ends[0], min(ends[1], limits.get((first, a), ends)[1]))
            elif not ends[1]:
                limits |= {(p, a): (limits.get((p, a), ends)[0], 0) for p in question.answered[first]}
        for p, count in enumerate(question.counts):
            ranges = [limits.get((p, a), (0, count)) for a in range(len(question.ranges))]
            lows, highs = map(sum, zip(*ranges, strict=True))
            if not lows <= count <= highs or any(low > high for low, high in ranges):
                return _leaf(where)
        while True:
            self.budget.spend(len(question.counts) * (len(question.minimum) + len(self.working)))
            rows = _Rows(question, self.working, limits, used)
            counts, columns = [*rows.counts, sum(rows.counts)], [*rows.columns, [rows.room, []]]
            room = (len(rows.groups), 0)
            splits, multipliers = solve(counts, columns, rows.minimum, room, self.budget.spend)
            if splits is None:
                return rows.leaf(where, multipliers)
            key, whole = rows.lifted(splits)
            missing: dict[int, mpq] = {}
            for j, a, _, slack in question.slacks(key):
                scale = question.factors[j][a][0] if a >= 0 else 1
                missing[j] = max(missing.get(j, mpq(0)), mpq((a < 0 or (j, a) in used) - slack) / scale)
            more = sorted((j for j in missing if missing[j] > 0), key=lambda j: -missing[j])
            if not more:
                return key, whole
            self.working += more[: max(_MORE_JUDGES, len(self.working) // 2)]


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
        labels = range(len(question.ranges))
        kept = {p for (p, _), (low, high) in limits.items() if low or 0 < high < question.counts[p]}
        merged: dict[tuple[object, tuple[int, ...]], list[int]] = {}
        for p, pattern in enumerate(question.patterns):
            allowed = tuple(a for a in labels if limits.get((p, a), (0, 1))[1])
            alike = p if p in kept else tuple([pattern[j] for j in judges])
            merged.setdefault((alike, allowed), []).append(p)
        self.groups = list(merged.values())
        self.places = [{a: place for place, a in enumerate(allowed)} for _, allowed in merged]
        self.counts = [sum(question.counts[p] for p in group) for group in self.groups]
        self.columns: list[list[Column]] = [[[] for _ in places] for places in self.places]
        self.room: Column = []
        self.minimum: list[int] = []
        self.names: list[tuple[str, int, int]] = []
        for j in judges:
            answers = [(g, question.patterns[group[0]][j]) for g, group in enumerate(self.groups)]
            given = [(g, x) for g, x in answers if x is not None]
            for a, (s, t) in enumerate(question.factors[j]):
                cells = [(g, a, s - t if x == a else -t) for g, x in given]
                self._add(("right", j, a), int((j, a) in used), cells, s)
            if question.minimum[j]:
                cells = [(g, x, 1) for g, x in given]
                self._add(("grade", j, 0), question.minimum[j], cells, int(not question.factors[j]))
        groups = range(len(self.groups))
        total = sum(question.counts)
        limited = [("questions", a, ends, total, groups) for a, ends in enumerate(question.ranges)]
        for (p, a), ends in limits.items():
            if p in kept and ends[1]:
                place = self.groups.index([p])
                limited.append(("limit", a, ends, question.counts[p], range(place, place + 1)))
        for kind, a, (low, high), most, chosen in limited:
            for sign, end, is_needed in ((1, low, low > 0), (-1, high, high < most)):
                if is_needed:
                    self._add((kind, a, sign), sign * end, [(g, a, sign) for g in chosen])

    def _add(
        self, name: tuple[str, int, int], minimum: int, cells: Iterable[tuple[int, int, int]], room: int = 0
    ) -> None:
        """Add a row with the coefficients (group, label, coefficient), less the room."""
        row = len(self.minimum)
        self.names.append(name)
        self.minimum.append(minimum)
        if room:
            self.room.append((row, -room))
        for g, a, coefficient in cells:
            if a in self.places[g]:
                self.columns[g][self.places[g][a]].append((row, coefficient))

    def lifted(self, splits: list[list[mpq]]) -> tuple[FractionalKey, Key]:
        """Return the key of all patterns that splits of the groups make, and the same in whole numbers."""
        counts, labels = self.question.counts, range(len(self.question.ranges))
        key: FractionalKey = [[] for _ in counts]
        whole: list[tuple[int, ...]] = [() for _ in counts]
        for group, places, total, split in zip(self.groups, self.places, self.counts, splits, strict=False):
            carry = [mpq(0) for _ in labels]  # what rounding has left, so that the group has the right sum
            for p in group:
                key[p] = [split[places[a]] * counts[p] / total if a in places else mpq(0) for a in labels]
                wanted = [x + c for x, c in zip(key[p], carry, strict=True)]
                whole[p] = _rounded(wanted, counts[p])
                carry = [x - n for x, n in zip(wanted, whole[p], strict=True)]
        return key, tuple(whole)

    def leaf(self, where: Where, multipliers: Sequence[int]) -> Leaf:
        """Return the leaf of these multipliers; the limits of splits need none."""
        right: dict[str, list[str]] = {}
        grade: dict[str, str] = {}
        questions = [0 for _ in self.question.ranges]
        for (kind, first, second), number in zip(self.names, multipliers, strict=True):
            if number and kind == "right":
                right.setdefault(str(first), ["0" for _ in questions])[second] = str(number)
            elif number and kind == "grade":
                grade[str(first)] = str(number)
            elif kind == "questions":
                questions[first] += second * number
        return _leaf(where, right, grade, questions)


def _leaf(where: Where, right: Any = None, grade: Any = None, questions: Sequence[int] = ()) -> Leaf:
    limits = [[*name, *map(str, ends)] for name, ends in where.items()]
    return {
        "where": limits,
        "right": right or {},
        "grade": grade or {},
        "questions": list(map(str, questions)),
    }


def _rounded(split: Sequence[mpq], count: int) -> tuple[int, ...]:
    """Return whole numbers ≥ 0 near those of a split that add up to a count: the largest remainders go up."""
    row = [max(0, int(x)) for x in split]
    while sum(row) != count:
        step = 1 if sum(row) < count else -1
        places = [a for a in range(len(row)) if step > 0 or row[a]]
        row[max(places, key=lambda a: step * (split[a] - row[a]))] += step
    return tuple(row)
