"""Guesses in floats: the one place where a solver in floats proposes, and exact arithmetic decides what it is worth.

The program asks for the least c·x + C·t with A·x + d·t + b ≥ 0 and 0 ≤ x ≤ n. Its dual has a row for each x and one
for t, however many rows A has, and a point to start from:

    least b·λ + n·u  with  Aᵀλ − u + s = c,  d·λ = C (or ≤ C, if t ≥ 0),  λ, u, s ≥ 0.

A tableau of the columns λ, s and the slack of the last row is kept; the column of u is that of s, negated. At the end x
is read off the prices of s. Large programs go to HiGHS where scipy is installed, which is quicker. Nothing is believed
that comes out of here: by weak duality any multipliers λ are sound, and they are weighed exactly elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ntqr_exact.work import spend

_TOLERANCE = 1e-9
_PATIENCE = 60
_MOST_PIVOTS = 3000
_NEVER = 1e30
_SHADE = 1e-7
_GOLDEN = 0.6180339887
_LARGE = 6_000
"""Tableaux with more entries than this go to HiGHS, if it is there."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The point x, the least t at it, and the multipliers λ of the rows."""

    point: list[float]
    value: float
    multipliers: list[float]


@dataclass(frozen=True, slots=True)
class FloatProgram:
    """Rows A·x + d·t + b ≥ 0 with 0 ≤ x ≤ room; t costs `weight`, and is at least 0 unless it is free."""

    rows: list[list[float]]
    constants: list[float]
    slopes: list[float]
    room: list[float]
    cost: list[float]
    weight: float
    t_is_free: bool


@cache
def highs() -> Any:
    """Return scipy's `linprog`, or `None` where there is none."""
    try:
        from scipy.optimize import linprog
    except ImportError:
        return None
    return linprog


def least_cost(program: FloatProgram) -> Optimum | None:
    """Return the optimum, or nothing if the method lost its way.

    >>> program = FloatProgram([[1.0], [-1.0]], [-2.0, 1.0], [1.0, 1.0], [3.0], [0.0], 1.0, True)
    >>> round(least_cost(program).value, 3)  # x ≥ 2 and x ≤ 1 miss each other by 1/2
    0.5
    """
    size, rows = len(program.room), len(program.rows)
    if (size + 1) * (rows + size + 2) > _LARGE and highs() is not None:
        return _by_highs(program)
    return _Tableau(program).optimum()


def _by_highs(program: FloatProgram) -> Optimum | None:
    answer = highs()(
        [*program.cost, program.weight],
        A_ub=[[-c for c in row] + [-slope] for row, slope in zip(program.rows, program.slopes, strict=True)],
        b_ub=program.constants,
        bounds=[*((0, n) for n in program.room), (None if program.t_is_free else 0, None)],
        method="highs-ds",
    )
    if answer.status != 0:
        return None
    point = [float(number) for number in answer.x]
    return Optimum(point[:-1], float(answer.fun), [-float(number) for number in answer.ineqlin.marginals])


class _Tableau:
    """The dual tableau; a basic column is a row's λ (k), s (rows + p), the last slack (rows + size), or u (−1 − p)."""

    def __init__(self, program: FloatProgram) -> None:
        self.program = program
        self.rows, self.size = rows, size = len(program.rows), len(program.room)
        # Without costs all rows of the dual would be tied: costs so small that they do not matter tell them apart.
        self.cost = [c + _SHADE * (1 + (k * _GOLDEN) % 1) for k, c in enumerate(program.cost)]
        self.table = []
        for p, column in enumerate(zip(*program.rows, strict=True) if rows else [()] * size):
            unit = [0.0] * size
            unit[p] = 1.0
            self.table.append([*column, *unit, 0.0, self.cost[p]])
        self.table.append([*program.slopes, *([0.0] * size), 1.0, program.weight])
        self.reduced = [*program.constants, *([0.0] * (size + 1))]
        self.basis = [rows + p for p in range(size + 1)]
        if program.t_is_free:
            first = min(range(rows), key=lambda k: program.constants[k] / (program.slopes[k] or 1e-12))
            self._pivot(size, [row[first] for row in self.table], self.reduced[first])
            self.basis[size] = first
            self.reduced[-1] = _NEVER
        for p, row in enumerate(self.table[:-1]):
            if (
                row[-1] < 0
            ):  # u takes the place of s; its price is n_p: the reduced costs fall by n_p times the row
                self.table[p] = turned = [-entry for entry in row]
                room = program.room[p]
                self.reduced = [r - room * e for r, e in zip(self.reduced, turned, strict=False)]
                self.basis[p] = -1 - p

    def optimum(self) -> Optimum | None:
        """Pivot until no reduced cost is negative."""
        rows, program, stuck = self.rows, self.program, 0
        for _ in range(_MOST_PIVOTS):
            entering = self._entering(first=stuck > _PATIENCE)
            if entering is None:
                return self._read()
            if entering >= 0:
                column, price = [row[entering] for row in self.table], self.reduced[entering]
            else:
                place = rows - 1 - entering
                column = [-row[place] for row in self.table]
                price = program.room[-1 - entering] - self.reduced[place]
            falls = [
                (row[-1] / c, k)
                for k, (row, c) in enumerate(zip(self.table, column, strict=True))
                if c > _TOLERANCE
            ]
            if not falls:
                return None
            step, leaving = min(falls)
            stuck = stuck + 1 if step <= _TOLERANCE else 0
            self._pivot(leaving, column, price)
            self.basis[leaving] = entering
        return None

    def _entering(self, *, first: bool) -> int | None:
        """Return the column with the most negative reduced cost, or simply the first negative one."""
        prices = self.reduced
        of_u = [n - price for n, price in zip(self.program.room, prices[self.rows : -1], strict=True)]
        if first:
            limit = -_TOLERANCE * 10
            found = next((k for k, price in enumerate(prices) if price < limit), None)
            return (
                found
                if found is not None
                else next((-1 - p for p, price in enumerate(of_u) if price < limit), None)
            )
        least, least_u = min(prices), min(of_u, default=0.0)
        if min(least, least_u) >= -_TOLERANCE * 10:
            return None
        return prices.index(least) if least <= least_u else -1 - of_u.index(least_u)

    def _pivot(self, leaving: int, column: Sequence[float], price: float) -> None:
        spend("a linear program in floats", (self.rows + self.size) * self.size // 20)
        divisor = column[leaving]
        row = [entry / divisor for entry in self.table[leaving]]
        for k, c in enumerate(column):
            if c and k != leaving:
                self.table[k] = [entry - c * other for entry, other in zip(self.table[k], row, strict=True)]
        self.table[leaving] = row
        self.reduced = [entry - price * other for entry, other in zip(self.reduced, row, strict=False)]

    def _read(self) -> Optimum:
        program = self.program
        multipliers = [0.0] * self.rows
        for row, name in zip(self.table, self.basis, strict=True):
            if 0 <= name < self.rows:
                multipliers[name] = max(0.0, row[-1])
        bound = sum(b * number for b, number in zip(program.constants, multipliers, strict=True))
        used = [(number, row) for number, row in zip(multipliers, program.rows, strict=True) if number]
        for p, n in enumerate(program.room):
            bound += n * max(0.0, sum(number * row[p] for number, row in used) - self.cost[p])
        prices = self.reduced[self.rows : -1]
        point = [min(max(0.0, price), n) for price, n in zip(prices, program.room, strict=True)]
        return Optimum(point, -bound, multipliers)
