"""The simplex method for programs over fractional answer keys, in whole numbers.

A fractional key shares out the n_p questions of each pattern p: x_{p,l} ≥ 0 with Σ_l x_{p,l} = n_p. Rows ask for
Σ_{p,l} c_k(p,l)·x_{p,l} ≥ b_k. For multipliers λ ≥ 0 every key that meets all rows has Σ_k λ_k·b_k ≤
Σ_p n_p·max_l Σ_k λ_k·c_k(p,l), since a sum over a pattern is at most n_p times its largest term (weak duality).
Multipliers that violate this prove that no key, whole or fractional, meets the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, lcm
from operator import mul
from typing import Any, TypeAlias

from gmpy2 import mpq

Column: TypeAlias = "list[tuple[int, int]]"
"""The rows in which a variable occurs, each with its coefficient."""

_Variable: TypeAlias = "tuple[int, int]"
"""(pattern, label), or (_SURPLUS, row), or (_MISSING, row)."""

_SURPLUS, _MISSING = -1, -2

_BLOCK = 48
"""Patterns that are priced before the best column among them enters."""

_PATIENCE = 40
"""Pivots without progress before the first column enters (Bland's rule), which cannot cycle."""


def solve(
    counts: Sequence[int],
    columns: Sequence[Sequence[Column]],
    minimum: Sequence[int],
    objective: _Variable | None,
    spend: Callable[[int], None],
) -> tuple[list[list[mpq]] | None, list[int]]:
    """Return a fractional key and no multipliers, or no key and multipliers that refute the rows.

    `columns[p][l]` are the entries of x_{p,l}. The key has the largest x_{p,l} of the objective (p, l) with two
    labels. `spend` is called with the steps of each pivot.

    >>> solve((1, 2), [[[(0, 1)], []], [[], [(0, 1)]]], [4], None, print)[1]
    [1]
    """
    tableau = _Tableau(counts, columns, minimum, spend)
    tableau.maximise(None)
    if tableau.rows[-1][-1]:
        return None, tableau.multipliers()
    if objective is not None:
        tableau.start(objective)
        tableau.maximise(objective)
    return tableau.key(), []


class _Tableau:
    """A basis of as many columns as there are rows, c·x − surplus + missing = b, with its inverse in whole numbers.

    The equations Σ_l x_{p,l} = n_p are generalised upper bounds (Dantzig and Van Slyke, 1967): in every pattern one
    label, its rest, takes what the others leave, so that x_{p,l} has the column c(p,l) − c(p,rest). `rows[i]` holds row
    i of the inverse, then the value of its variable, all over `scales[i]`; the last row holds the prices and the
    objective. The first objective is −Σ missing.
    """

    def __init__(self, counts: Any, columns: Any, minimum: Sequence[int], spend: Any) -> None:
        self.counts, self.columns, self.spend, self.cursor = counts, columns, spend, 0
        self.size = size = len(minimum)
        over = [-least for least in minimum]
        self.rest = []
        for count, labels in zip(counts, columns, strict=True):
            gains = [sum((x > 0) - (x < 0) for _, x in column) for column in labels]
            self.rest.append(gains.index(max(gains)))
            for k, coefficient in labels[self.rest[-1]]:
                over[k] += count * coefficient
        self.basis = [(_SURPLUS if x >= 0 else _MISSING, k) for k, x in enumerate(over)]
        self.rows = [
            [0] * k + [-1 if x >= 0 else 1] + [0] * (size - k - 1) + [abs(x)] for k, x in enumerate(over)
        ]
        self.rows.append([-(x < 0) for x in over] + [sum(x for x in over if x < 0)])
        self.scales = [1] * (size + 1)

    def start(self, objective: _Variable) -> None:
        """Make the objective that of a pattern of two labels, and surpluses of what is missing no more."""
        pattern, label = objective
        self.rows[-1], self.scales[-1] = [0] * (self.size + 1), 1
        for place, (kind, other) in enumerate(self.basis):
            if kind == _MISSING:
                self.rows[place] = [-entry for entry in self.rows[place]]
                self.basis[place] = (_SURPLUS, other)
            if kind == pattern:
                gain = 1 if other == label else -1
                self.rows[-1], self.scales[-1] = [gain * x for x in self.rows[place]], self.scales[place]

    # -- results ---------------------------------------------------------------------------------------

    def multipliers(self) -> list[int]:
        """Return the prices, negated, without a common factor."""
        prices = [max(-price, 0) for price in self.rows[-1][: self.size]]
        common = gcd(*prices) or 1
        return [price // common for price in prices]

    def key(self) -> list[list[mpq]]:
        """Return the fractional key."""
        return [self._split(pattern) for pattern in range(len(self.counts))]

    def _split(self, pattern: int) -> list[mpq]:
        split = [mpq(0)] * len(self.columns[pattern])
        for place, (other, label) in enumerate(self.basis):
            if other == pattern:
                split[label] = mpq(self.rows[place][-1], self.scales[place])
        split[self.rest[pattern]] = self.counts[pattern] - sum(split, mpq(0))
        return split

    # -- the method ------------------------------------------------------------------------------------

    def maximise(self, objective: _Variable | None) -> None:
        """Pivot until no column improves the objective, or nothing is missing."""
        stuck, entries = 0, sum(len(column) for columns in self.columns for column in columns)
        while objective is not None or self.rows[-1][-1]:
            entering = self._entering(objective, first=stuck > _PATIENCE)
            if entering is None:
                return
            digits = 1 + self.scales[-1].bit_length() // 100
            self.spend(20 + self.size * self.size * digits + entries // 8)
            stuck = 0 if self._enter(*entering) else stuck + 1

    def _entering(self, objective: _Variable | None, *, first: bool) -> tuple[_Variable, int] | None:
        """Return a column that improves, with its gain times the scale: the best of a block, or the first."""
        prices, scale, inside = self.rows[-1], self.scales[-1], set(self.basis)
        best, found = 0, None
        for k in range(self.size):
            if prices[k] > best and (_SURPLUS, k) not in inside:
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
            if objective is not None and pattern == objective[0]:
                worth[objective[1]] += scale
            base = worth[self.rest[pattern]]
            for label, gain in enumerate(worth):
                if gain - base > best and (pattern, label) not in inside:
                    best, found = gain - base, (pattern, label)
                    if first:
                        return found, best
        return None if found is None else (found, best)

    def _falls(self, variable: _Variable) -> list[int]:
        """Return how fast each value of the basis falls as a variable enters, over the scale of its row."""
        pattern, label = variable
        if pattern < 0:
            return [-row[label] for row in self.rows[:-1]]
        entries = [0] * self.size
        for k, coefficient in self.columns[pattern][label]:
            entries[k] += coefficient
        for k, coefficient in self.columns[pattern][self.rest[pattern]]:
            entries[k] -= coefficient
        return [sum(map(mul, row, entries)) for row in self.rows[:-1]]

    def _enter(self, variable: _Variable, gain: int) -> bool:
        """Let a variable enter as far as it can; return whether that was a step."""
        falls = self._falls(variable)
        step, (pattern, _), leaving = self._leaving(variable, falls)
        if leaving < 0 and all(pattern != other for other, _ in self.basis):
            # The entering label takes all questions of its pattern and becomes its rest.
            self._move([*falls, -gain], step)
            self.rest[pattern] = variable[1]
            return step > 0
        if leaving < 0:
            leaving = self._exchange_rest(pattern)
            falls = self._falls(variable)
        self.basis[leaving] = variable
        self._pivot(leaving, [*falls, -gain])
        return step > 0

    def _leaving(self, variable: _Variable, falls: list[int]) -> tuple[mpq, _Variable, int]:
        """Return at which step what reaches 0 first: a place of the basis, or −1 for the rest of a pattern.

        Ties go to the least variable, as Bland's rule asks.
        """
        found: list[tuple[mpq, _Variable, int]] = []
        rates = {variable[0]: mpq(1)}
        for place, (fall, inside) in enumerate(zip(falls, self.basis, strict=True)):
            if fall > 0:
                found.append((mpq(self.rows[place][-1], fall), inside, place))
            if fall and inside[0] >= 0:
                rates[inside[0]] = rates.get(inside[0], mpq(0)) - mpq(fall, self.scales[place])
        for pattern, rate in rates.items():
            if pattern >= 0 and rate > 0:
                rest = self.rest[pattern]
                found.append((self._split(pattern)[rest] / rate, (pattern, rest), -1))
        return min(found)

    def _pivot(self, leaving: int, falls: list[int]) -> None:
        """Make the column of these falls that of the leaving row."""
        pivot, divisor = self.rows[leaving], falls[leaving]
        if divisor < 0:
            pivot, divisor = [-x for x in pivot], -divisor
        pivot, divisor = _reduced(pivot, divisor)
        self.rows[leaving], self.scales[leaving] = pivot, divisor
        for place, fall in enumerate(falls):
            if fall and place != leaving:
                common = gcd(fall, divisor)
                p, q = divisor // common, fall // common
                if p == 1:
                    row = [x - q * y for x, y in zip(self.rows[place], pivot, strict=True)]
                else:
                    row = [p * x - q * y for x, y in zip(self.rows[place], pivot, strict=True)]
                self.rows[place], self.scales[place] = _reduced(row, self.scales[place] * p)

    def _move(self, falls: list[int], step: mpq) -> None:
        """Let the values fall by a step that changes no basis."""
        up, down = int(step.numerator), int(step.denominator)
        for place, fall in enumerate(falls):
            if fall and up:
                row = [x * down for x in self.rows[place]]
                row[-1] -= fall * up
                self.rows[place], self.scales[place] = row, self.scales[place] * down

    def _exchange_rest(self, pattern: int) -> int:
        """Make a label of the basis the rest of its pattern, and the old rest a column there; return its place."""
        places = [place for place, (other, _) in enumerate(self.basis) if other == pattern]
        scale = lcm(*(self.scales[i] for i in places))
        factors = [scale // self.scales[i] for i in places]
        columns = zip(*(self.rows[i] for i in places), strict=True)
        row = [-sum(map(mul, factors, entries)) for entries in columns]
        row[-1] += scale * self.counts[pattern]  # the old rest: what the others leave
        place = places[0]
        old, self.rest[pattern] = self.rest[pattern], self.basis[place][1]
        self.rows[place], self.scales[place], self.basis[place] = row, scale, (pattern, old)
        return place


def _reduced(row: list[int], scale: int) -> tuple[list[int], int]:
    common = gcd(scale, *row)
    return (row, scale) if common == 1 else ([x // common for x in row], scale // common)
