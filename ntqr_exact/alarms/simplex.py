"""The simplex method for programs over fractional answer keys, in whole numbers.

A fractional key shares out the n_p questions of each pattern p among its labels: x_{p,l} ≥ 0 with Σ_l x_{p,l} = n_p.
Rows ask for Σ_{p,l} c_k(p,l)·x_{p,l} ≥ b_k. For multipliers λ ≥ 0 every key that meets all rows has

    Σ_k λ_k·b_k  ≤  Σ_p n_p·max_l Σ_k λ_k·c_k(p,l) ,

since a sum over a pattern is at most n_p times its largest term (weak duality). Multipliers that violate this prove
that no key, whole or fractional, meets the rows.

The equations Σ_l x_{p,l} = n_p are generalised upper bounds (Dantzig and Van Slyke, 1967): in every pattern one label,
its rest, takes what the others leave, so that x_{p,l} moves questions from the rest to l, with the column
c(p,l) − c(p,rest). Rows read Σ c·x − surplus + missing = b. The basis has as many columns as there are rows; each row
of its inverse, with the value of its variable, is kept in whole numbers over one denominator, and so are the prices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from operator import mul
from typing import TypeAlias

from gmpy2 import mpq

Column: TypeAlias = "list[tuple[int, int]]"
"""The rows in which a variable occurs, each with its coefficient."""

_SURPLUS, _MISSING = -1, -2
"""In place of a pattern in a column (pattern, label): the surplus of row `label`, or what is missing there."""

_BLOCK = 48
"""So many patterns are priced before the best column among them enters."""

_PATIENCE = 40
"""After this many pivots without progress the first column enters (Bland's rule), which cannot cycle."""


@dataclass(frozen=True, slots=True)
class KeyProgram:
    """The fractional keys with `counts[p]` questions of each pattern; `columns[p][l]` are the entries of x_{p,l}."""

    counts: Sequence[int]
    columns: Sequence[Sequence[Column]]
    least: Sequence[int]


def solve(
    program: KeyProgram, objective: dict[tuple[int, int], int] | None, spend: Callable[[int], None]
) -> tuple[list[list[mpq]] | None, list[int]]:
    """Return a fractional key and no multipliers, or no key and multipliers that refute the program.

    The key has the greatest value of the objective, if one is given. `spend` is told the steps of each pivot.

    >>> solve(KeyProgram((1, 2), [[[(0, 1)], []], [[], [(0, 1)]]], [4]), None, print)[1]
    [1]
    """
    tableau = _Tableau(program, spend)
    if tableau.improve({}) < 0:
        return None, tableau.multipliers()
    tableau.drop_missing()
    if objective:
        tableau.start(objective)
        tableau.improve(objective)
    return tableau.key(), []


class _Tableau:
    """The state: the rest of each pattern, the columns of the basis, its inverse and values, and the prices.

    `rows[i]` holds row i of the inverse, then the value of its variable, all over `scales[i]`; the last row holds the
    prices and the objective.
    """

    def __init__(self, program: KeyProgram, spend: Callable[[int], None]) -> None:
        self.counts, self.columns, self.spend = program.counts, program.columns, spend
        self.size = size = len(program.least)
        gains = [
            [sum((x > 0) - (x < 0) for _, x in column) for column in columns] for columns in self.columns
        ]
        self.rest = [row.index(max(row)) for row in gains]
        over = [-least for least in program.least]
        for count, columns, rest in zip(self.counts, self.columns, self.rest, strict=True):
            for k, coefficient in columns[rest]:
                over[k] += count * coefficient
        self.basis = [(_SURPLUS if value >= 0 else _MISSING, k) for k, value in enumerate(over)]
        self.rows = [[0] * (size + 1) for _ in range(size + 1)]
        self.scales = [1] * (size + 1)
        prices = self.rows[size]
        for k, value in enumerate(over):
            self.rows[k][k] = -1 if value >= 0 else 1
            self.rows[k][size] = abs(value)
            if value < 0:  # the first phase maximises −Σ missing
                prices[k] = -1
                prices[size] += value
        self.inside: list[list[int]] = [[] for _ in self.columns]
        self.cursor = 0

    def start(self, objective: dict[tuple[int, int], int]) -> None:
        """Set the prices for an objective: the gains of the basis times its inverse."""
        size = self.size
        total = [mpq(0)] * (size + 1)
        for place, (pattern, label) in enumerate(self.basis):
            gain = self._gain(objective, pattern, label)
            if gain:
                scale = self.scales[place]
                total = [t + mpq(gain * x, scale) for t, x in zip(total, self.rows[place], strict=True)]
        scale = 1
        for t in total:
            scale = scale * int(t.denominator) // gcd(scale, int(t.denominator))
        self.rows[size] = [int(t * scale) for t in total]
        self.scales[size] = scale

    def _gain(self, objective: dict[tuple[int, int], int], pattern: int, label: int) -> int:
        if pattern < 0 or not objective:
            return 0
        return objective.get((pattern, label), 0) - objective.get((pattern, self.rest[pattern]), 0)

    # -- results ---------------------------------------------------------------------------------------

    def multipliers(self) -> list[int]:
        """The prices, negated: a common factor does not matter."""
        prices = [max(-price, 0) for price in self.rows[self.size][: self.size]]
        common = gcd(*prices) or 1
        return [price // common for price in prices]

    def key(self) -> list[list[mpq]]:
        """The fractional key."""
        found = []
        for pattern, rest in enumerate(self.rest):
            split = [mpq(0)] * len(self.columns[pattern])
            for place in self.inside[pattern]:
                split[self.basis[place][1]] = self._value(place)
            split[rest] = self._rest_value(pattern)
            found.append(split)
        return found

    def _value(self, place: int) -> mpq:
        return mpq(self.rows[place][self.size], self.scales[place])

    def _rest_value(self, pattern: int) -> mpq:
        return self.counts[pattern] - sum((self._value(place) for place in self.inside[pattern]), mpq(0))

    # -- the method ------------------------------------------------------------------------------------

    def improve(self, objective: dict[tuple[int, int], int]) -> int:
        """Pivot until no column improves; return the sign of −Σ missing, in the first phase."""
        stuck = 0
        while objective or any(
            pattern == _MISSING and self.rows[place][self.size]
            for place, (pattern, _) in enumerate(self.basis)
        ):
            entering = self._entering(objective, first=stuck > _PATIENCE)
            if entering is None:
                return -1
            digits = 1 + self.scales[self.size].bit_length() // 100
            self.spend(20 + self.size * self.size * digits + len(self.counts))
            stuck = 0 if self._enter(entering) else stuck + 1
        return 0

    def _entering(
        self, objective: dict[tuple[int, int], int], *, first: bool
    ) -> tuple[tuple[int, int], int] | None:
        """Return a column that improves, with its gain times the scale: the best of a block, or the first."""
        prices, scale = self.rows[self.size], self.scales[self.size]
        best, found = 0, None
        for k in range(self.size):
            if prices[k] > best and (_SURPLUS, k) not in self.basis:
                best, found = prices[k], (_SURPLUS, k)
                if first:
                    return found, best
        patterns = len(self.columns)
        start = 0 if first else self.cursor
        for seen in range(patterns):
            if found is not None and seen % _BLOCK == _BLOCK - 1:
                break
            self.cursor = pattern = (start + seen) % patterns
            columns = self.columns[pattern]
            if not self.counts[pattern] or len(columns) == 1:
                continue
            worth = [-sum([prices[k] * c for k, c in column]) for column in columns]
            if objective:
                worth = [w + scale * objective.get((pattern, a), 0) for a, w in enumerate(worth)]
            base = worth[self.rest[pattern]]
            for label, gain in enumerate(worth):
                if gain - base > best and (pattern, label) not in self.basis:
                    best, found = gain - base, (pattern, label)
                    if first:
                        return found, best
        return None if found is None else (found, best)

    def _falls(self, column: tuple[int, int]) -> list[int]:
        """Return how fast each value of the basis falls as the column enters, over the scale of its row."""
        pattern, label = column
        if pattern < 0:
            return [-row[label] for row in self.rows[:-1]]
        entries = [0] * self.size
        for k, coefficient in self.columns[pattern][label]:
            entries[k] += coefficient
        for k, coefficient in self.columns[pattern][self.rest[pattern]]:
            entries[k] -= coefficient
        return [sum(map(mul, row, entries)) for row in self.rows[:-1]]

    def _enter(self, entering: tuple[tuple[int, int], int]) -> bool:
        """Let a column enter as far as it can; return whether that was a step."""
        column, gain = entering
        falls = self._falls(column)
        leaving, of, step = self._leaving(column, falls)
        if of is not None and not self.inside[of]:
            # The entering label takes all questions of its pattern and becomes its rest.
            self._move([*falls, -gain], step)
            self.rest[of] = column[1]
            return step > 0
        if of is not None:
            leaving = self._exchange_rest(of)
            falls = self._falls(column)
        if self.basis[leaving][0] >= 0:
            self.inside[self.basis[leaving][0]].remove(leaving)
        if column[0] >= 0:
            self.inside[column[0]].append(leaving)
        self.basis[leaving] = column
        self._pivot(leaving, [*falls, -gain])
        return step > 0

    def _pivot(self, leaving: int, falls: list[int]) -> None:
        """Make the column of these falls that of the leaving row."""
        pivot, divisor = self.rows[leaving], falls[leaving]
        if divisor < 0:
            pivot, divisor = [-x for x in pivot], -divisor
        common = gcd(divisor, *pivot)
        if common > 1:
            pivot, divisor = [x // common for x in pivot], divisor // common
        self.rows[leaving], self.scales[leaving] = pivot, divisor
        for place, fall in enumerate(falls):
            if fall and place != leaving:
                common = gcd(fall, divisor)
                p, q = divisor // common, fall // common
                scale = self.scales[place] * p
                if p == 1:
                    row = [x - q * y for x, y in zip(self.rows[place], pivot, strict=True)]
                else:
                    row = [p * x - q * y for x, y in zip(self.rows[place], pivot, strict=True)]
                common = gcd(scale, *row)
                if common > 1:
                    row, scale = [x // common for x in row], scale // common
                self.rows[place], self.scales[place] = row, scale

    def _move(self, falls: list[int], step: mpq) -> None:
        """Let the values fall by a step that changes no basis."""
        if step:
            up, down = int(step.numerator), int(step.denominator)
            for place, fall in enumerate(falls):
                if fall:
                    row = self.rows[place]
                    if down > 1:
                        self.scales[place] *= down
                        row = [x * down for x in row]
                    row[self.size] -= fall * up
                    self.rows[place] = row

    def _leaving(self, column: tuple[int, int], falls: list[int]) -> tuple[int, int | None, mpq]:
        """Return what reaches 0 first: a place of the basis, or the rest of a pattern, and at which step.

        Ties go to the least column, as Bland's rule asks.
        """
        size = self.size
        found: list[tuple[mpq, tuple[int, int], int, int | None]] = [
            (mpq(self.rows[place][size], fall), self.basis[place], place, None)
            for place, fall in enumerate(falls)
            if fall > 0
        ]
        for pattern in {pattern for pattern, _ in (*self.basis, column) if pattern >= 0}:
            rate = mpq(pattern == column[0])
            for place in self.inside[pattern]:
                if falls[place]:
                    rate -= mpq(falls[place], self.scales[place])
            if rate > 0:
                step = self._rest_value(pattern) / rate
                found.append((step, (pattern, self.rest[pattern]), -1, pattern))
        step, _, place, of = min(found, key=lambda item: item[:2])
        return place, of, step

    def _exchange_rest(self, pattern: int) -> int:
        """Make a label of the basis the rest of its pattern, and the old rest a column there; return its place."""
        places = self.inside[pattern]
        place, size = places[0], self.size
        scale = 1
        for i in places:
            scale = scale * self.scales[i] // gcd(scale, self.scales[i])
        factors = [scale // self.scales[i] for i in places]
        row = [
            -sum(map(mul, factors, entries)) for entries in zip(*(self.rows[i] for i in places), strict=True)
        ]
        row[size] += scale * self.counts[pattern]  # the old rest: what the others leave
        self.rows[place], self.scales[place] = row, scale
        old, self.rest[pattern] = self.rest[pattern], self.basis[place][1]
        self.basis[place] = (pattern, old)
        return place

    def drop_missing(self) -> None:
        """Put surpluses, whose columns are the negated ones, in the place of what is missing no more."""
        for place, (pattern, k) in enumerate(self.basis):
            if pattern == _MISSING:
                self.rows[place] = [-entry for entry in self.rows[place]]
                self.basis[place] = (_SURPLUS, k)
