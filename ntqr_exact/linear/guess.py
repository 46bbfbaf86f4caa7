"""Guesses in floats: the one place where a solver in floats proposes, and exact arithmetic decides what it is worth.

The program asks for the least c·x + C·t with A·x + d·t + b ≥ 0 and 0 ≤ x ≤ n. Its dual has a row for each x and one
for t, however many rows A has, and a point to start from:

    least b·λ + n·u  with  Aᵀλ − u + s = c,  d·λ = C (or ≤ C, if t ≥ 0),  λ, u, s ≥ 0.

A tableau of the columns λ, s and the slack of the last row is kept; the column of u is that of s, negated. At the end x
is read off the prices of s. Nothing is believed that comes out of here: by weak duality any multipliers λ are sound,
and they are weighed exactly elsewhere.

Guesses are the same bit for bit on every machine. Each number of a tableau comes from single products, quotients and
differences, which IEEE 754 fixes; sums are `fsum`, which rounds once. Large tableaux are arrays where numpy is
installed: it does the same to each number, many at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Any

from ntqr_exact.budget import spend

_TOLERANCE = 1e-9
_PATIENCE = 60
_MOST_PIVOTS = 3000
_NEVER = 1e30
_SHADE = 1e-7
_GOLDEN = 0.6180339887
_LARGE = 2_000
"""Tableaux with more entries than this are arrays, if numpy is there."""


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


def least_cost(program: FloatProgram) -> Optimum | None:
    """Return the optimum, or nothing if the method lost its way.

    >>> program = FloatProgram([[1.0], [-1.0]], [-2.0, 1.0], [1.0, 1.0], [3.0], [0.0], 1.0, True)
    >>> round(least_cost(program).value, 3)  # x ≥ 2 and x ≤ 1 miss each other by 1/2
    0.5
    """
    spend("a linear program in floats", 3 * len(program.rows) * len(program.room))
    return _Tableau(program).optimum()


class _Lists:
    """Rows of numbers that pivots change, the prices of the columns last; the last column is the right side."""

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows: Any = rows

    def entry(self, row: int, place: int) -> float:
        return float(self.rows[row][place])

    def column(self, place: int, sign: int = 1) -> Any:
        """Return a column, or what it is negated."""
        return [sign * row[place] for row in self.rows]

    def prices(self) -> list[float]:
        """Return the last row without its right side."""
        return list(self.rows[-1][:-1])

    def turn(self, place: int, price: float) -> None:
        """Negate a row, and take this many times it from the prices."""
        self.rows[place] = turned = [-entry for entry in self.rows[place]]
        self.rows[-1] = [a - price * b for a, b in zip(self.rows[-1], turned, strict=True)]

    def leaving(self, column: Any) -> tuple[float, int] | None:
        """Return the least quotient of the right side and a positive entry, and the first row that has it."""
        falls = [(self.rows[k][-1] / c, k) for k, c in enumerate(column[:-1]) if c > _TOLERANCE]
        return min(falls, default=None)

    def pivot(self, leaving: int, column: Any) -> None:
        """Divide a row by its entry of the column, and take so much of it from the others that theirs vanish."""
        divisor = column[leaving]
        row = [entry / divisor for entry in self.rows[leaving]]
        for k, c in enumerate(column):
            if c and k != leaving:
                self.rows[k] = [entry - c * other for entry, other in zip(self.rows[k], row, strict=True)]
        self.rows[leaving] = row


class _Arrays(_Lists):
    """The same in an array of numpy."""

    def __init__(self, numpy: Any, rows: list[list[float]]) -> None:
        super().__init__(numpy.array(rows))
        self.numpy, self.taken = numpy, numpy.empty_like(self.rows)

    def column(self, place: int, sign: int = 1) -> Any:
        return sign * self.rows[:, place]

    def prices(self) -> list[float]:
        found: list[float] = self.rows[-1, :-1].tolist()
        return found

    def turn(self, place: int, price: float) -> None:
        self.rows[place] = -self.rows[place]
        self.rows[-1] -= price * self.rows[place]

    def leaving(self, column: Any) -> tuple[float, int] | None:
        (places,) = (column[:-1] > _TOLERANCE).nonzero()
        if not len(places):
            return None
        falls = self.rows[places, -1] / column[places]
        least = falls.argmin()
        return float(falls[least]), int(places[least])

    def pivot(self, leaving: int, column: Any) -> None:
        row = self.rows[leaving] / column[leaving]
        column[leaving] = 0.0
        self.numpy.multiply.outer(column, row, out=self.taken)
        self.rows -= self.taken
        self.rows[leaving] = row


def _grid(rows: list[list[float]]) -> _Lists:
    if len(rows) * len(rows[0]) > _LARGE:
        try:
            import numpy
        except ImportError:
            return _Lists(rows)
        return _Arrays(numpy, rows)
    return _Lists(rows)


class _Tableau:
    """The dual tableau; a basic column is a row's λ (k), s (rows + p), the last slack (rows + size), or u (−1 − p)."""

    def __init__(self, program: FloatProgram) -> None:
        self.program = program
        self.rows, self.size = rows, size = len(program.rows), len(program.room)
        # Without costs all rows of the dual would be tied: costs so small that they do not matter tell them apart.
        self.cost = [c + _SHADE * (1 + (k * _GOLDEN) % 1) for k, c in enumerate(program.cost)]
        table = []
        for p, column in enumerate(zip(*program.rows, strict=True) if rows else [()] * size):
            unit = [0.0] * size
            unit[p] = 1.0
            table.append([*column, *unit, 0.0, self.cost[p]])
        table.append([*program.slopes, *([0.0] * size), 1.0, program.weight])
        self.grid = _grid([*table, [*program.constants, *([0.0] * (size + 2))]])
        self.basis = [rows + p for p in range(size + 1)]
        if program.t_is_free:
            first = min(range(rows), key=lambda k: program.constants[k] / (program.slopes[k] or 1e-12))
            self.grid.pivot(size, self.grid.column(first))
            self.basis[size] = first
        for p in range(size):
            if self.grid.entry(p, -1) < 0:  # u takes the place of s: its price is n_p
                self.grid.turn(p, program.room[p])
                self.basis[p] = -1 - p

    def optimum(self) -> Optimum | None:
        """Pivot until no reduced cost is negative."""
        stuck, entries = 0, (self.rows + self.size) * self.size
        for _ in range(_MOST_PIVOTS):
            spend("a linear program in floats", entries // (20 if entries < _LARGE else 800))
            prices = self.grid.prices()
            if self.program.t_is_free:
                prices[-1] = _NEVER
            entering = self._entering(prices, first=stuck > _PATIENCE)
            if entering is None:
                return self._read(prices)
            place = entering if entering >= 0 else self.rows - 1 - entering
            column = self.grid.column(place, 1 if entering >= 0 else -1)
            if entering < 0:
                column[-1] = self.program.room[-1 - entering] - prices[place]
            found = self.grid.leaving(column)
            if found is None:
                return None
            step, leaving = found
            stuck = stuck + 1 if step <= _TOLERANCE else 0
            self.grid.pivot(leaving, column)
            self.basis[leaving] = entering
        return None

    def _entering(self, prices: list[float], *, first: bool) -> int | None:
        """Return the column with the most negative reduced cost, or simply the first negative one."""
        of_u = [n - price for n, price in zip(self.program.room, prices[self.rows : -1], strict=True)]
        limit = -_TOLERANCE * 10
        if first:
            found = [k for k, price in enumerate(prices) if price < limit]
            found += [-1 - p for p, price in enumerate(of_u) if price < limit]
            return found[0] if found else None
        least, least_u = min(prices), min(of_u, default=0.0)
        if min(least, least_u) >= limit:
            return None
        return prices.index(least) if least <= least_u else -1 - of_u.index(least_u)

    def _read(self, prices: list[float]) -> Optimum:
        program = self.program
        multipliers = [0.0] * self.rows
        for k, name in enumerate(self.basis):
            if 0 <= name < self.rows:
                multipliers[name] = max(0.0, self.grid.entry(k, -1))
        used = [(number, row) for number, row in zip(multipliers, program.rows, strict=True) if number]
        terms = [b * number for b, number in zip(program.constants, multipliers, strict=True)]
        for p, n in enumerate(program.room):
            terms.append(n * max(0.0, fsum([number * row[p] for number, row in used]) - self.cost[p]))
        shares = zip(prices[self.rows : -1], program.room, strict=True)
        return Optimum([min(max(0.0, price), n) for price, n in shares], -fsum(terms), multipliers)
