"""Could all judges be safe? The search for a key under which they are, or for a proof that there is none.

With f = s/t and whole numbers, f·right > Q **is** s·right − t·Q ≥ 1, a linear row; with ≥ 0 it holds whether there are
questions or not. So the search solves the rows with ≥ 0 over fractional keys. If they are infeasible, one leaf refutes
all keys. Otherwise the key is rounded; if that is not safe, the search splits: on whether judge j has questions of l
(then its row has ≥ 1), or on a fractional x_{p,l}. The program begins with few judges and takes in violated ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.simplex import Program, solve
from ntqr_exact.answer import Answer
from ntqr_exact.budget import Budget
from ntqr_exact.errors import TooMuchWork

Key: TypeAlias = "tuple[tuple[int, ...], ...]"
"""How many questions of each pattern have each true label."""

Where: TypeAlias = "dict[tuple[str, int, int], tuple[int, int]]"
"""("pattern", p, l): (low, high) limits x_{p,l}; ("judge", j, l): (1, 1) says that j has questions of l, (0, 0) not."""

Leaf: TypeAlias = "dict[str, Any]"
"""A case that multipliers refute: where it applies, and its rows with their multipliers, as in a certificate."""

BUDGET = 20_000_000
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
    def given(self) -> list[list[list[int]]]:
        """For each judge the patterns on which it gave each label."""
        given: list[list[list[int]]] = [[[] for _ in self.ranges] for _ in self.minimum]
        for p, pattern in enumerate(self.patterns):
            for own, x in zip(given, pattern, strict=True):
                if x is not None:
                    own[x].append(p)
        return given

    @cached_property
    def answered(self) -> list[frozenset[int]]:
        """The patterns that each judge answered."""
        return [frozenset(p for own in given for p in own) for given in self.given]

    @cached_property
    def picks(self) -> list[tuple[list[Any], int, Any]]:
        """For each judge what picks its patterns of each label from a column, and (1, all of these) or (−1, its gaps).

        They pick from columns with a 0 at the end, and that twice, as one place alone would give no tuple.
        """
        every, picks = frozenset(range(len(self.counts))), list[tuple[list[Any], int, Any]]()
        for given, own in zip(self.given, self.answered, strict=True):
            sign, fewer = min((1, own), (-1, every - own), key=lambda part: len(part[1]))
            picks.append(([itemgetter(-1, -1, *x) for x in given], sign, itemgetter(-1, -1, *fewer)))
        return picks

    def slacks(self, key: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int, Any, Any]]:
        """Yield (judge, label, Q_{j,l}, s·right − t·Q_{j,l}) of a key, and (judge, −1, 1, right − minimum + 1).

        So a whole key is safe if a slack is at least 1 wherever there are questions.
        """
        columns = [(*column, 0) for column in zip(*key, strict=True)]
        sizes = list(map(sum, columns))
        for j, least in enumerate(self.minimum):
            given, sign, fewer = self.picks[j]
            right = [sum(pick(column)) for pick, column in zip(given, columns, strict=True)]
            for label, (s, t) in enumerate(self.factors[j]):
                size = sign * sum(fewer(columns[label])) + (sign < 0) * sizes[label]
                yield j, label, size, s * right[label] - t * size
            if least:
                yield j, -1, 1, sum(right) - least + 1

    def unsafe(self, key: Key) -> set[int]:
        """Return the judges that are not safe under a key."""
        return {j for j, _, size, slack in self.slacks(key) if size and slack < 1}

    def is_safe(self, key: Key) -> bool:
        """Return whether all judges are safe under a key, within the ranges of its counts."""
        sizes = map(sum, zip(*key, strict=True))
        fits = all(low <= size <= high for size, (low, high) in zip(sizes, self.ranges, strict=True))
        return fits and not self.unsafe(key)

    def plurality_key(self, judges: Collection[int]) -> Key:
        """Return the key by the plurality of some judges; where they did not answer, of all."""
        key, labels = [], range(len(self.ranges))
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            given = [x for j in judges if (x := pattern[j]) is not None]
            best = max(labels, key=(given or pattern).count)
            key.append(tuple([count * (a == best) for a in labels]))
        return tuple(key)


def decide(question: Question, budget: Budget, share: int = 1) -> tuple[Answer, Key | None, tuple[Leaf, ...]]:
    """Return YES with a key that makes all judges safe, NO with leaves that refute all keys, or UNDECIDED.

    It takes at most 1/share of what is left of a budget.
    """
    part = _part(budget, share)
    search = _Search(question, part)
    try:
        key = search.run()
    except TooMuchWork:
        return Answer.UNDECIDED, None, ()
    finally:
        budget.spent += part.spent
    return (Answer.NO, None, tuple(search.leaves)) if key is None else (Answer.YES, key, ())


def _part(budget: Budget, share: int) -> Budget:
    return Budget(None if budget.limit is None else max(0, budget.limit - budget.spent) // share)


def judges_of(leaves: Iterable[Leaf]) -> list[int]:
    """Return the judges that a proof is about."""
    return sorted({j for leaf in leaves for kind, j, *_ in leaf["rows"] if kind != "questions"})


class _Search:
    """The state of one search: the leaves so far, and the judges whose rows are in the program."""

    def __init__(self, question: Question, budget: Budget) -> None:
        self.question, self.budget = question, budget
        self.leaves: list[Leaf] = []
        self.working: list[int] = []

    def run(self) -> Key | None:
        """Return a safe key, or `None` after the leaves have refuted all keys."""
        question = self.question
        key = self._repaired(question.plurality_key(range(len(question.minimum))))
        stack: list[Where] = [{}]
        while not question.is_safe(key):
            if not stack:
                return None
            where = stack.pop()
            result = self._relaxed(where)
            if isinstance(result, dict):
                self.leaves.append(result)
                continue
            key = tuple(map(_rounded, result, question.counts))
            if not question.is_safe(key):
                key = self._repaired(key)
                stack += self._parts(where, result)
        return key

    def _repaired(self, key: Key) -> Key:
        """Move questions of a pattern to another label while the judges miss less."""
        question, part, shares = self.question, _part(self.budget, 8), [list(split) for split in key]
        state = {
            (j, a): (size, slack, max(0, 1 - slack) if size else 0)
            for j, a, size, slack in question.slacks(key)
        }
        with suppress(TooMuchWork):
            for p, source, to, count in () if question.is_safe(key) else local_moves(shares):
                part.spend(1 + len(question.minimum))
                gain, after = self._moved(state, p, source, to, count)
                if gain > 0:
                    state.update(after)
                    shares[p][source] -= count
                    shares[p][to] += count
        self.budget.spend(part.spent)
        return tuple(map(tuple, shares))

    def _moved(self, state: Any, p: int, source: int, to: int, count: int) -> tuple[int, list[Any]]:
        """Return how much less is missing if questions of a pattern get another label, and the rows that change."""
        factors, minimum, gain, after = self.question.factors, self.question.minimum, 0, list[Any]()
        for j, x in enumerate(self.question.patterns[p]):
            if x is None:
                continue
            for a, n in ((source, -count), (to, count)) if factors[j] else ():
                (size, slack, missing), (s, t) = state[j, a], factors[j][a]
                size, slack = size + n, slack + n * (s - t if x == a else -t)
                less = 1 - slack if size and slack < 1 else 0
                gain += missing - less
                after.append(((j, a), (size, slack, less)))
            if minimum[j]:
                _, slack, missing = state[j, -1]
                slack += count * ((x == to) - (x == source))
                gain += missing - max(0, 1 - slack)
                after.append(((j, -1), (1, slack, max(0, 1 - slack))))
        return gain, after

    def _parts(self, where: Where, key: list[list[mpq]]) -> list[Where]:
        """Return the two cases of a split, the more promising one last."""
        used, slacks = self._used(where), self.question.slacks(key)
        free = [(size, j, a) for j, a, size, _ in slacks if size and a >= 0 and (j, a) not in used]
        if free:
            _, j, a = max(free)
            return [{**where, ("judge", j, a): (n, n)} for n in (0, 1)]
        fractions = [(p, a) for p, split in enumerate(key) for a, x in enumerate(split) if x.denominator != 1]
        p, a = max(fractions, key=lambda cell: self.question.counts[cell[0]])
        x = key[p][a]
        low, high = where.get(("pattern", p, a), (0, self.question.counts[p]))
        parts = [{**where, ("pattern", p, a): ends} for ends in ((low, int(x)), (int(x) + 1, high))]
        return parts if 2 * (x - int(x)) > 1 else parts[::-1]

    def _used(self, where: Where) -> set[tuple[int, int]]:
        """Return the judges and labels with questions: the patterns of one judge may be among those of another."""
        own = self.question.answered
        uses = [(j, a) for (kind, j, a), (low, _) in where.items() if kind == "judge" and low]
        return {(j, a) for i, a in uses for j in range(len(own)) if own[i] <= own[j]}

    def _ends(self, where: Where) -> list[list[tuple[int, int]]] | None:
        """Return the least and greatest x_{p,l}, or `None` if a pattern has no split."""
        ends = [[(0, count)] * len(self.question.ranges) for count in self.question.counts]
        for (kind, i, a), (low, high) in where.items():
            for p in (i,) if kind == "pattern" else () if high else self.question.answered[i]:
                ends[p][a] = (max(low, ends[p][a][0]), min(high, ends[p][a][1]))
        for p, count in enumerate(self.question.counts):
            lows, highs = map(sum, zip(*ends[p], strict=True))
            if not lows <= count <= highs or any(low > high for low, high in ends[p]):
                return None
            ends[p] = [(max(x, count - highs + y), min(y, count - lows + x)) for x, y in ends[p]]
        return ends

    def _relaxed(self, where: Where) -> Leaf | list[list[mpq]]:
        """Return a leaf, or a fractional key that meets the rows of all judges."""
        question, used, ends = self.question, self._used(where), self._ends(where)
        if ends is None:
            return _leaf(where, [])
        while True:
            cells = 2 * len(question.ranges) * len(self.working)  # of a row for each judge and label
            self.budget.spend(len(question.counts) * (len(question.minimum) + cells) // 4)
            program, names = _program(question, self.working, ends, used)
            splits, multipliers = solve(program, self.budget.spend)
            if splits is None:
                return _leaf(where, zip(names, multipliers, strict=True))
            rows = zip(ends, splits, strict=True)
            key = [[low + split.get(a, mpq(0)) for a, (low, _) in enumerate(row)] for row, split in rows]
            missing: dict[int, mpq] = {}
            for j, a, _, slack in question.slacks(key):
                scale = question.factors[j][a][0] if a >= 0 else 1
                missing[j] = max(missing.get(j, mpq(0)), mpq((a < 0 or (j, a) in used) - slack) / scale)
            more = sorted((j for j in missing if missing[j] > 0), key=lambda j: -missing[j])
            if not more:
                return key
            self.working += more[: max(_MORE_JUDGES, len(self.working) // 2)]


def _program(
    question: Question, judges: Sequence[int], ends: list[list[tuple[int, int]]], used: set[tuple[int, int]]
) -> tuple[Program, list[tuple[str, int, int]]]:
    """Return the program of some judges, over x_{p,l} less its least value, and the names of its rows."""
    free = [count - sum(low for low, _ in row) for count, row in zip(question.counts, ends, strict=True)]
    allowed = ([a for a, (low, high) in enumerate(row) if low < high] or [0] for row in ends)
    program, names, patterns = Program(free, allowed), list[tuple[str, int, int]](), range(len(ends))

    def add(name: tuple[str, int, int], minimum: int, room: int, cells: list[tuple[int, int, int]]) -> None:
        names.append(name)
        program.add(minimum - sum([c * ends[p][a][0] for p, a, c in cells]), room, cells)

    for j in judges:
        given = [(p, x) for p, pattern in enumerate(question.patterns) if (x := pattern[j]) is not None]
        for a, (s, t) in enumerate(question.factors[j]):
            add(("right", j, a), int((j, a) in used), s, [(p, a, s * (x == a) - t) for p, x in given])
        if question.minimum[j]:
            room = int(not question.factors[j])
            add(("grade", j, 0), question.minimum[j], room, [(p, x, 1) for p, x in given])
    for a, (low, high) in enumerate(question.ranges):
        if low > 0:
            add(("questions", 1, a), low, 0, [(p, a, 1) for p in patterns])
        if high < sum(question.counts):
            add(("questions", -1, a), -high, 0, [(p, a, -1) for p in patterns])
    for p, row in enumerate(ends):
        for a, (low, high) in enumerate(row):
            if 0 < high - low < free[p]:
                add(("limit", p, a), -high, 0, [(p, a, -1)])
    return program, names


def _leaf(where: Where, rows: Iterable[tuple[tuple[str, int, int], int]]) -> Leaf:
    """Return the leaf of some multipliers; the limits of splits need none."""
    limits = [[*name, *map(str, ends)] for name, ends in where.items()]
    return {"where": limits, "rows": [[*name, str(x)] for name, x in rows if x and name[0] != "limit"]}


def local_moves(shares: list[list[int]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield moves (pattern, source, to, count): all questions of a label, half of them, and so on.

    The shares may change in between; it ends after a sweep in which they did not.
    """
    before: list[list[int]] = []
    while before != shares:
        before = [list(row) for row in shares]
        for p, row in enumerate(shares):
            for source, to in ((a, b) for a in range(len(row)) if row[a] for b in range(len(row)) if a != b):
                count = row[source]
                while count:
                    yield p, source, to, count
                    count = min(count // 2, row[source])


def _rounded(split: Sequence[mpq], count: int) -> tuple[int, ...]:
    """Return whole numbers near those of a split that add up to its count: the largest remainders go up."""
    row = [int(x) for x in split]
    for a in sorted(range(len(row)), key=lambda a: row[a] - split[a])[: count - sum(row)]:
        row[a] += 1
    return tuple(row)
