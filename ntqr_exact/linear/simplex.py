"""The simplex method for programs over fractional keys, exact, with a basis of as many columns as there are rows.

The equations Σ_l x_{p,l} = n_p are generalised upper bounds (Dantzig and Van Slyke, 1967): in every pattern one label,
its key, takes what the others leave, so that x_{p,l} moves questions from the key to l, with the column
c(p,l) − c(p,key). The basis holds as many columns as there are rows, however many patterns there are. Rows read
Σ c·x − surplus + missing = b; the first phase maximises −Σ missing, the second the objective. At its end the prices of
the rows, negated, are multipliers: those that refute the program, or those that prove the optimum.

All numbers are rationals; `guess` is the method in floats, of which nothing is believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import lcm
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import Undecided
from ntqr_exact.linear.program import KeyProgram, Row, Table, check_table
from ntqr_exact.work import spend

_SURPLUS, _MISSING = -1, -2
"""In place of a pattern, in a column (pattern, label): the surplus of row `label`, or what is missing there."""

_BLOCK = 32
"""So many patterns are looked at before the best column found there enters."""

_PATIENCE = 40
"""After this many pivots without progress the least column enters (Bland's rule), which cannot go round in circles."""


class Feasibility(Enum):
    """What a solver found."""

    FEASIBLE = "there is a fractional key, and it is given"
    INFEASIBLE = "there is none, and multipliers prove it"


@dataclass(frozen=True, slots=True)
class Solution:
    """A fractional key with the multipliers that bound the objective, or the multipliers that refute the program."""

    feasibility: Feasibility
    key: tuple[tuple[Any, ...], ...]
    multipliers: tuple[Any, ...]
    pivots: int

    @property
    def is_feasible(self) -> bool:
        """Whether there is a fractional key."""
        return self.feasibility is Feasibility.FEASIBLE


def solve(
    program: KeyProgram,
    objective: Table | None = None,
    *,
    most_pivots: int = 100_000,
) -> Solution:
    """Return a fractional key, of the greatest objective if there is one, or multipliers that refute the program.

    >>> from ntqr_exact.linear.program import Row, refutes
    >>> program = KeyProgram((1, 2), 2, (Row(((1, 0), (0, 1)), 4),))
    >>> refutes(program, solve(program).multipliers)
    True

    Raises `Undecided` after this many pivots.
    """
    if objective is not None:
        check_table(program, objective)
    tableau = _Tableau(program, most_pivots)
    if tableau.missing():
        tableau.improve(None)
    if tableau.missing():
        return Solution(Feasibility.INFEASIBLE, (), tableau.multipliers(), tableau.pivots)
    tableau.drop_missing()
    if objective is not None:
        tableau.improve(objective)
    return Solution(Feasibility.FEASIBLE, tableau.key_values(), tableau.multipliers(), tableau.pivots)


def _whole_scale(row: Row) -> mpq:
    """Return what makes a row whole: then pricing, a product for each pattern, label and row, is quick."""
    numbers = {row.least, *(c for coefficients in row.coefficients for c in coefficients)}
    return mpq(lcm(*(int(c.denominator) for c in numbers)))


class _Tableau:
    """The state of the method: the key of each pattern, the columns of the basis, its inverse and their values."""

    def __init__(self, program: KeyProgram, most_pivots: int) -> None:
        self.pivots, self.most_pivots = 0, most_pivots
        self.counts = [mpq(count) for count in program.counts]
        self.labels = range(program.labels)
        self.scales = [_whole_scale(row) for row in program.rows]
        self.columns: list[list[list[tuple[int, Any]]]] = [[[] for _ in self.labels] for _ in program.counts]
        for k, (row, scale) in enumerate(zip(program.rows, self.scales, strict=True)):
            for columns, coefficients in zip(self.columns, row.coefficients, strict=True):
                for column, coefficient in zip(columns, coefficients, strict=True):
                    if coefficient:
                        column.append((k, int(coefficient * scale)))
        self.least = [int(row.least * scale) for row, scale in zip(program.rows, self.scales, strict=True)]
        size = len(program.rows)
        digits = max((int(count).bit_length() for count in program.counts), default=0)
        self.steps = (size * size + len(program.counts) + 20) * (1 + digits // 1000)
        spend("a linear program in exact numbers", size * size // 4)
        self.keys = [self._first_key(columns) for columns in self.columns]
        over = [-least for least in self.least]
        for count, columns, key in zip(self.counts, self.columns, self.keys, strict=True):
            for k, coefficient in columns[key]:
                over[k] += count * coefficient
        zero, one = mpq(0), mpq(1)
        self.basis = [(_SURPLUS if rest >= 0 else _MISSING, k) for k, rest in enumerate(over)]
        self.values = [mpq(abs(rest)) for rest in over]
        self.inverse = [
            [(-one if over[k] >= 0 else one) if k == column else zero for column in range(size)]
            for k in range(size)
        ]
        self.prices: list[Any] = [zero] * size
        self.cursor = 0
        self.inside: list[list[int]] = [
            [] for _ in self.columns
        ]  # places of a pattern's columns in the basis

    def _first_key(self, columns: list[list[tuple[int, Any]]]) -> int:
        gains = [sum((c > 0) - (c < 0) for _, c in column) for column in columns]
        return gains.index(max(gains))

    # -- what came out ---------------------------------------------------------------------------------

    def missing(self) -> bool:
        """Whether some row is not met yet."""
        return any(
            pattern == _MISSING and value > 0
            for (pattern, _), value in zip(self.basis, self.values, strict=True)
        )

    def multipliers(self) -> tuple[Any, ...]:
        """The prices, negated, of the rows as they were given."""
        return tuple(
            max(-price, mpq(0)) * scale for price, scale in zip(self.prices, self.scales, strict=True)
        )

    def key_values(self) -> tuple[tuple[Any, ...], ...]:
        """The fractional key."""
        found = []
        for pattern, key in enumerate(self.keys):
            split = [mpq(0)] * len(self.labels)
            for place in self.inside[pattern]:
                split[self.basis[place][1]] = self.values[place]
            split[key] = self._key_value(pattern)
            found.append(tuple(split))
        return tuple(found)

    def _key_value(self, pattern: int) -> Any:
        return self.counts[pattern] - sum(self.values[place] for place in self.inside[pattern])

    # -- the method ------------------------------------------------------------------------------------

    def improve(self, objective: Table | None) -> None:
        """Pivot until no column improves: the objective, or what is missing if there is none."""
        stuck = 0
        while True:
            self._price(objective)
            entering = self._entering(objective, first=stuck > _PATIENCE)
            if entering is None:
                return
            if self.pivots >= self.most_pivots:
                raise Undecided(len(self.columns), "a linear program was not solved within the stated pivots")
            self.pivots += 1
            spend("a linear program in exact numbers", self.steps)
            stuck = 0 if self._enter(entering) else stuck + 1

    def _gain(self, column: tuple[int, int], objective: Table | None) -> Any:
        pattern, label = column
        if pattern < 0:
            return -1 if objective is None and pattern == _MISSING else 0
        if objective is None:
            return 0
        return mpq(objective[pattern][label]) - objective[pattern][self.keys[pattern]]

    def _price(self, objective: Table | None) -> None:
        """Set the prices: the gains of the basis times its inverse."""
        self.prices = [mpq(0)] * len(self.basis)
        for row, column in zip(self.inverse, self.basis, strict=True):
            gain = self._gain(column, objective)
            if gain:
                self.prices = [price + gain * entry for price, entry in zip(self.prices, row, strict=True)]

    def _entering(self, objective: Table | None, *, first: bool) -> tuple[int, int] | None:
        """Return a column outside the basis that improves: the most promising one, or simply the first."""
        scale = lcm(*(int(price.denominator) for price in self.prices))  # whole prices are quick to multiply
        prices = [int(price * scale) for price in self.prices]
        best: Any = 0
        found = None
        for k, price in enumerate(prices):
            if price > best and (_SURPLUS, k) not in self.basis:
                if first:
                    return (_SURPLUS, k)
                best, found = price, (_SURPLUS, k)
        patterns = len(self.columns)
        start = 0 if first else self.cursor
        for seen in range(patterns):
            if found is not None and not first and seen % _BLOCK == 0:
                break
            self.cursor = pattern = (start + seen) % patterns
            columns = self.columns[pattern]
            if not self.counts[pattern]:
                continue
            worth = [-sum([prices[k] * c for k, c in column]) for column in columns]
            if objective is not None:
                worth = [w + scale * mpq(o) for w, o in zip(worth, objective[pattern], strict=True)]
            threshold = worth[self.keys[pattern]] + best
            for label, gain in enumerate(worth):
                if gain > threshold and (pattern, label) not in self.basis:
                    if first:
                        return (pattern, label)
                    best, found = gain - worth[self.keys[pattern]], (pattern, label)
                    threshold = gain
        return found

    def _direction(self, column: tuple[int, int]) -> list[Any]:
        """Return how fast the values of the basis fall as the column enters."""
        pattern, label = column
        zero = mpq(0)
        if pattern < 0:
            return [-row[label] for row in self.inverse]
        entries = dict(self.columns[pattern][label])
        for k, coefficient in self.columns[pattern][self.keys[pattern]]:
            entries[k] = entries.get(k, 0) - coefficient
        sparse = [(k, entry) for k, entry in entries.items() if entry]
        return [sum((row[k] * entry for k, entry in sparse), zero) for row in self.inverse]

    def _enter(self, column: tuple[int, int]) -> bool:
        """Let a column enter as far as it can; tell whether that was a step."""
        fall = self._direction(column)
        leaving, key_of, step = self._leaving(column, fall)
        if key_of is not None and not self.inside[key_of]:
            # The entering label takes all questions of its pattern and becomes its key.
            self._move(fall, step)
            self.keys[key_of] = column[1]
            return bool(step > 0)
        if key_of is not None:
            leaving = self._exchange_key(key_of)
            fall = self._direction(column)
        self._move(fall, step)
        old_pattern = self.basis[leaving][0]
        if old_pattern >= 0:
            self.inside[old_pattern].remove(leaving)
        if column[0] >= 0:
            self.inside[column[0]].append(leaving)
        self.basis[leaving] = column
        self.values[leaving] = step
        pivot = self.inverse[leaving]
        divisor = fall[leaving]
        self.inverse[leaving] = pivot = [entry / divisor for entry in pivot]
        nonzero = [k for k, entry in enumerate(pivot) if entry]
        for place, rate in enumerate(fall):
            if rate and place != leaving:
                row = self.inverse[place]
                for k in nonzero:
                    row[k] -= rate * pivot[k]
        return bool(step > 0)

    def _move(self, fall: list[Any], step: Any) -> None:
        if step:
            self.values = [value - rate * step for value, rate in zip(self.values, fall, strict=True)]

    def _leaving(self, column: tuple[int, int], fall: list[Any]) -> tuple[int, int | None, Any]:
        """Return what reaches 0 first: a place of the basis, or the key of a pattern, and at which step.

        Ties go to the least column, as Bland's rule asks.
        """
        found: list[tuple[Any, tuple[int, int], int, int | None]] = []
        for place, rate in enumerate(fall):
            if rate > 0:
                found.append((self.values[place] / rate, self.basis[place], place, None))
        touched = {pattern for pattern, _ in self.basis if pattern >= 0} | (
            {column[0]} if column[0] >= 0 else set()
        )
        for pattern in touched:
            rate = (1 if pattern == column[0] else 0) - sum(fall[place] for place in self.inside[pattern])
            if rate > 0:
                found.append((self._key_value(pattern) / rate, (pattern, self.keys[pattern]), -1, pattern))
        step, _, place, key_of = min(found, key=lambda item: item[:2])
        return place, key_of, step

    def _exchange_key(self, pattern: int) -> int:
        """Make a label of the basis the key of its pattern, and the old key a column there; return its place."""
        places = self.inside[pattern]
        place = places[0]
        old, new = self.keys[pattern], self.basis[place][1]
        # The old key has n_p less the others, whose columns now start from the new key.
        total = self._key_value(pattern)
        self.inverse[place] = [
            -sum(entries) for entries in zip(*(self.inverse[i] for i in places), strict=True)
        ]
        self.values[place] = total
        self.keys[pattern] = new
        self.basis[place] = (pattern, old)
        return place

    def drop_missing(self) -> None:
        """Put surpluses, whose columns are the negated ones, in the place of what is missing no more."""
        for place, (pattern, k) in enumerate(self.basis):
            if pattern == _MISSING:
                self.inverse[place] = [-entry for entry in self.inverse[place]]
                self.basis[place] = (_SURPLUS, k)
                self.values[place] = mpq(0)
        self.prices = [mpq(0)] * len(self.basis)
