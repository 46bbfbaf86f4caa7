"""The simplex method for programs over fractional answer keys, exact, with a basis of as many columns as rows.

A fractional key shares out the n_p questions of each pattern p among R labels: x_{p,l} ≥ 0 with Σ_l x_{p,l} = n_p.
Rows ask for Σ_{p,l} c_k(p,l)·x_{p,l} ≥ b_k. For multipliers λ ≥ 0 every key that meets all rows has, whatever w,

    Σ w(p,l)·x_{p,l}  ≤  Σ_p n_p·max_l(w(p,l) + Σ_k λ_k·c_k(p,l)) − Σ_k λ_k·b_k ,

since the rows add Σ_k λ_k·(Σ c_k·x − b_k) ≥ 0 on the left, and a sum over a pattern is at most n_p times its largest
term (weak duality). With w = 0 a negative right side proves that no key, whole or fractional, meets the rows. An extra
variable between 0 and n is a pattern of n questions: the first label takes it, the others have coefficients 0.

The equations Σ_l x_{p,l} = n_p are generalised upper bounds (Dantzig and Van Slyke, 1967): in every pattern one label,
its key, takes what the others leave, so that x_{p,l} moves questions from the key to l, with the column
c(p,l) − c(p,key). Rows read Σ c·x − surplus + missing = b; the first phase maximises −Σ missing, the second the
objective. At its end the prices of the rows, negated, are multipliers: those that refute the program, or those that
prove the optimum. All numbers are rationals; `guess` is the method in floats, of which nothing is believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.errors import Undecided

Number: TypeAlias = "int | mpq"
Table: TypeAlias = tuple[tuple[Number, ...], ...]
"""A number for each pattern and label: `table[p][l]`."""

_SURPLUS, _MISSING = -1, -2
"""In place of a pattern, in a column (pattern, label): the surplus of row `label`, or what is missing there."""

_BLOCK = 32
"""So many patterns are looked at before the best column found there enters."""

_MOST_PIVOTS = 100_000
_PATIENCE = 40
"""After this many pivots without progress the least column enters (Bland's rule), which cannot go round in circles."""


@dataclass(frozen=True, slots=True)
class Row:
    """The inequality Σ coefficients[p][l]·x_{p,l} ≥ least."""

    coefficients: Table
    least: Number


@dataclass(frozen=True, slots=True)
class KeyProgram:
    """The fractional keys of `counts[p]` questions of each pattern over this many labels that meet all rows."""

    counts: tuple[int, ...]
    labels: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """A fractional key with the multipliers that bound the objective, or the multipliers that refute the program."""

    is_feasible: bool
    key: tuple[tuple[Any, ...], ...]
    multipliers: tuple[Any, ...]
    pivots: int


def solve(program: KeyProgram, objective: Table | None = None) -> Solution:
    """Return a fractional key, of the greatest objective if there is one, or multipliers that refute the program.

    >>> solve(KeyProgram((1, 2), 2, (Row(((1, 0), (0, 1)), 4),))).multipliers
    (mpq(1,1),)

    Raises `Undecided` after very many pivots.
    """
    tableau = _Tableau(program)
    if tableau.missing():
        tableau.improve(None)
    if tableau.missing():
        return Solution(False, (), tableau.multipliers(), tableau.pivots)
    tableau.drop_missing()
    if objective is not None:
        tableau.improve(objective)
    return Solution(True, tableau.key_values(), tableau.multipliers(), tableau.pivots)


def _whole_scale(row: Row) -> mpq:
    """Return what makes a row whole: then pricing, a product for each pattern, label and row, is quick."""
    numbers = {row.least, *(c for coefficients in row.coefficients for c in coefficients)}
    return mpq(lcm(*(int(c.denominator) for c in numbers)))


class _Tableau:
    """The state of the method: the key of each pattern, the columns of the basis, its inverse and their values."""

    def __init__(self, program: KeyProgram) -> None:
        self.pivots = 0
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
        self.basis = [(_SURPLUS if rest >= 0 else _MISSING, k) for k, rest in enumerate(over)]
        self.values = [mpq(abs(rest)) for rest in over]
        self.inverse = [[mpq(0)] * size for _ in over]
        for k, rest in enumerate(over):
            self.inverse[k][k] = mpq(-1 if rest >= 0 else 1)
        self.prices: list[Any] = [mpq(0)] * size
        self.cursor = 0
        # Places of a pattern's columns in the basis.
        self.inside: list[list[int]] = [[] for _ in self.columns]

    def _first_key(self, columns: list[list[tuple[int, Any]]]) -> int:
        gains = [sum((c > 0) - (c < 0) for _, c in column) for column in columns]
        return gains.index(max(gains))

    # -- what came out ---------------------------------------------------------------------------------

    def missing(self) -> bool:
        """Whether some row is not met yet."""
        pairs = zip(self.basis, self.values, strict=True)
        return any(pattern == _MISSING and value > 0 for (pattern, _), value in pairs)

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
            if self.pivots >= _MOST_PIVOTS:
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
        self.inverse[leaving] = pivot = [entry / fall[leaving] for entry in self.inverse[leaving]]
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
        found: list[tuple[Any, tuple[int, int], int, int | None]] = [
            (self.values[place] / rate, self.basis[place], place, None)
            for place, rate in enumerate(fall)
            if rate > 0
        ]
        for pattern in {pattern for pattern, _ in (*self.basis, column) if pattern >= 0}:
            rate = (1 if pattern == column[0] else 0) - sum(fall[place] for place in self.inside[pattern])
            if rate > 0:
                found.append((self._key_value(pattern) / rate, (pattern, self.keys[pattern]), -1, pattern))
        step, _, place, key_of = min(found, key=lambda item: item[:2])
        return place, key_of, step

    def _exchange_key(self, pattern: int) -> int:
        """Make a label of the basis the key of its pattern, and the old key a column there; return its place."""
        places = self.inside[pattern]
        place = places[0]
        # The old key has n_p less the others, whose columns now start from the new key.
        self.values[place] = self._key_value(pattern)
        rows = (self.inverse[i] for i in places)
        self.inverse[place] = [-sum(entries) for entries in zip(*rows, strict=True)]
        old, self.keys[pattern] = self.keys[pattern], self.basis[place][1]
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
