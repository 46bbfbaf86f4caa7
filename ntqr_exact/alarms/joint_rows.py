"""The linear program of a safe key within bounds, and how its multipliers become the weights of a proof's leaf.

The variables are a fractional key of each group and the shared Q_l, which are one more pattern of Q questions. Rows tie
Σ_p x_{p,l} ≥ Q_l for every label (equality follows, since both add up to Q) and ask for right answers: the points
(q, least(q)) have a convex hull, and its facets u·right − v·Q_l ≥ w hold for all of them. Facets are added where a
solution violates them. A last pattern holds the room: how many right answers more than needed every judge has on every
label. A solution with the most room is easily rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.alarms.proof_checker import Bounds, Question, least_right, lowest_point
from ntqr_exact.linear.simplex import KeyProgram, Number, Row, Table

Facet: TypeAlias = tuple[int, int, int]
"""(u, v, w) with u·least(q) − v·q ≥ w for all q of a range."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A row about right answers, the key, the total, questions or a split: its coefficients of that and of Q_l."""

    kind: str
    group: int
    place: int
    label: int
    of: int
    questions: int
    least: int


@dataclass(frozen=True)
class JointRows:
    """The rows about some of the groups of a question."""

    question: Question
    groups: tuple[int, ...]

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many questions each pattern has, group by group; then all of them, for the Q_l and for the room."""
        counts = [count for group in self.groups for _, count in self.question.groups[group]]
        return (*counts, self.question.size, self.question.size)

    @property
    def room(self) -> Table:
        """The objective: the room."""
        labels = len(self.question.factors)
        return (*(((0,) * labels,) * (len(self.counts) - 1)), (1, *(0,) * (labels - 1)))

    @cached_property
    def starts(self) -> dict[int, int]:
        """Where the patterns of each group begin."""
        found, start = {}, 0
        for group in self.groups:
            found[group] = start
            start += len(self.question.groups[group])
        return found

    def program(self, demands: Sequence[Demand]) -> KeyProgram:
        """Return the program of these demands."""
        return KeyProgram(self.counts, len(self.question.factors), tuple(map(self._row, demands)))

    def _row(self, demand: Demand) -> Row:
        labels = range(len(self.question.factors))
        table: list[tuple[int, ...]] = [(0,) * len(labels)] * len(self.counts)
        units = [tuple(demand.of * (label == other) for other in labels) for label in labels]
        if demand.kind != "questions":
            start = self.starts[demand.group]
            for place, (pattern, _) in enumerate(self.question.groups[demand.group]):
                if demand.kind == "key" or (demand.kind == "split" and place == demand.place):
                    table[start + place] = units[demand.label]
                elif demand.kind == "total" or (
                    demand.kind == "right" and pattern[demand.place] == demand.label
                ):
                    table[start + place] = units[pattern[demand.place]]
        if demand.questions:
            table[-2] = tuple(demand.questions * (demand.label == other) for other in labels)
        if demand.kind == "right" and demand.of > 0:
            table[-1] = (-demand.of, *(0,) * (len(labels) - 1))
        return Row(tuple(table), demand.least)

    # -- rows ------------------------------------------------------------------------------------------

    def first_demands(self, bounds: Bounds) -> list[Demand]:
        """Return the rows to begin with; facets are added to them."""
        labels = range(len(self.question.factors))
        demands = [Demand("key", group, 0, label, 1, -1, 0) for group in self.groups for label in labels]
        for group in self.groups:
            judges = range(len(self.question.groups[group][0][0]) if self.question.total else 0)
            demands += [Demand("total", group, judge, 0, 1, 0, self.question.total) for judge in judges]
        for label in labels:
            low, high = bounds[f"questions {label}"]
            if low:
                demands.append(Demand("questions", 0, 0, label, 0, 1, low))
            if high < self.question.size:
                demands.append(Demand("questions", 0, 0, label, 0, -1, -high))
            u, v, w = facet_at(self.question, label, low, high, mpq(low + high, 2))
            demands += [
                Demand("right", group, judge, label, u, -v, w)
                for group in self.groups
                for judge in range(len(self.question.groups[group][0][0]))
            ]
        for name, (low, high) in bounds.items():
            kind, *places = name.split()
            if kind != "questions" and int(places[0]) in self.groups:
                group, place, label = map(int, places)
                demands += [
                    Demand(kind, group, place, label, s, 0, s * end) for s, end in ((1, low), (-1, high))
                ]
        return demands

    # -- leaves ----------------------------------------------------------------------------------------

    def leaf(self, demands: Sequence[Demand], multipliers: Sequence[Number]) -> dict[str, Any]:
        """Return the leaf of a certificate that the multipliers of refuted demands make, in whole numbers.

        A is what the rows give a right answer, −B what they give a question of a label in a group's key. What the Q_l
        are worth at most is the price of all questions: as ΣQ_l = Q, it goes with the prices of one group.
        """
        scale = lcm(*(int(mpq(number).denominator) for number in multipliers))
        labels = range(len(self.question.factors))
        # For each group the weights of each judge's votes, the prices, and the weights of answers anywhere.
        tables: dict[int, list[list[int]]] = {}
        for group in self.groups:
            judges = range(len(self.question.groups[group][0][0]))
            tables[group] = [*([0 for _ in labels] for _ in (*judges, None)), [0 for _ in judges]]
        worth = [0 for _ in labels]
        for demand, number in zip(demands, multipliers, strict=True):
            weight, table = int(number * scale), tables.get(demand.group, [])
            worth[demand.label] += weight * demand.questions
            if demand.kind == "right":
                table[demand.place][demand.label] += weight * demand.of
            elif demand.kind == "key":
                table[-2][demand.label] -= weight
            elif demand.kind == "total":
                table[-1][demand.place] += weight
        used = [group for group, table in tables.items() if any(map(any, table))] or [self.groups[0]]
        tables[used[0]][-2] = [price - max(worth) for price in tables[used[0]][-2]]
        common = gcd(*(number for group in used for row in tables[group] for number in row)) or 1
        parts = []
        for group in used:
            *votes, questions, anywhere = ([str(n // common) for n in row] for row in tables[group])
            parts.append({"group": group, "votes": votes, "questions": questions, "anywhere": anywhere})
        return {"leaf": parts}

    # -- what a solution says --------------------------------------------------------------------------

    def questions(self, key: Sequence[Sequence[mpq]]) -> Sequence[mpq]:
        """Return the Q_l of a solution."""
        return key[-2]

    def right(self, key: Sequence[Sequence[mpq]]) -> Iterable[tuple[int, int, int, mpq]]:
        """Iterate over (group, judge, label, right answers) of a solution."""
        for group in self.groups:
            rows, start = self.question.groups[group], self.starts[group]
            for judge in range(len(rows[0][0])):
                sums = [mpq(0) for _ in self.question.factors]
                for split, (pattern, _) in zip(key[start:], rows, strict=False):
                    sums[pattern[judge]] += split[pattern[judge]]
                for label, total in enumerate(sums):
                    yield group, judge, label, total


def facet_at(question: Question, label: int, low: int, high: int, q: mpq) -> Facet:
    """Return the facet of the hull of (q, least(q)), low ≤ q ≤ high, at q: u·least − v·q ≥ w.

    The chord of two points of the hull is a facet unless some point lies below it; the lowest one then is a corner, and
    takes the place of the end beyond which q is not.

    >>> facet_at(Question((), ((2, 1),), 0, 9), 0, 1, 9, mpq(4))  # 2·right − Q ≥ 1
    (8, 4, 4)
    """
    left, right = low, high
    while left < right:
        start, end = (least_right(question, label, x) for x in (left, right))
        u, v = right - left, end - start
        w = u * start - v * left
        corner = lowest_point(question.factors[label], u, v, max(left, 1), right)
        if u * least_right(question, label, corner) - v * corner >= w:
            return u, v, w
        if q <= corner:
            right = corner
        else:
            left = corner
    return 1, 0, least_right(question, label, left)
