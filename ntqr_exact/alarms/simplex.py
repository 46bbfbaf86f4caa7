"""The simplex method for programs over fractional answer keys, in whole numbers.

A fractional key shares out the n_p questions of each pattern p: x_{p,l} ≥ 0 with Σ_l x_{p,l} = n_p. Rows ask for
Σ_{p,l} c_k(p,l)·x_{p,l} ≥ b_k. For multipliers λ ≥ 0 every key that meets all rows has Σ_k λ_k·b_k ≤
Σ_p n_p·max_l Σ_k λ_k·c_k(p,l), since a sum over a pattern is at most n_p times its largest term (weak duality).
Multipliers that violate this prove that no key, whole or fractional, meets the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from operator import mul
from typing import TypeAlias

from gmpy2 import mpq

_Variable: TypeAlias = "tuple[int, int]"
"""(pattern, label), or (_SURPLUS, row), (_SHORT, row) or (_ROOM, 0)."""

_SURPLUS, _ROOM, _SHORT = -1, -2, -3

_BLOCK = 100
"""Columns that are priced before the best of them enters."""

_PATIENCE = 40
"""Pivots without progress before the first column enters (Bland's rule), which cannot cycle."""


class Program:
    """Patterns with their questions and the labels that they may have, and rows over them."""

    def __init__(self, counts: Sequence[int], labels: Iterable[Iterable[int]]) -> None:
        self.counts, self.minimum, self.room = counts, list[int](), list[int]()
        self.columns: list[dict[int, list[tuple[int, int]]]] = [{a: [] for a in own} for own in labels]

    def add(self, minimum: int, room: int, cells: Iterable[tuple[int, int, int]]) -> None:
        """Add a row with the coefficients (pattern, label, coefficient)."""
        for p, a, coefficient in cells:
            if a in self.columns[p]:
                self.columns[p][a].append((len(self.minimum), coefficient))
        self.minimum.append(minimum)
        self.room.append(room)


def solve(program: Program, spend: Callable[[int], None]) -> tuple[list[dict[int, mpq]] | None, list[int]]:
    """Return a fractional key and no multipliers, or no key and multipliers that refute the rows.

    The key has the largest r for which it meets row k by room[k]·r more than its minimum. `spend` is called with the
    steps of each pivot.
    """
    tableau = _Tableau(program, spend)
    prices = tableau.improve(_SHORT)
    if prices:
        common = gcd(*prices)
        return None, [price // common for price in prices]
    if any(program.room):
        tableau.enter((_ROOM, 0))
        tableau.improve(_ROOM)
    return tableau.key(), []


class _Tableau:
    """A basis of as many columns as there are rows, c·x − surplus + short − room·r = b, with its inverse.

    The equations Σ_l x_{p,l} = n_p are generalised upper bounds (Dantzig and Van Slyke, 1967): in every pattern one
    label, its rest, takes what the others leave, so that x_{p,l} has the column c(p,l) − c(p,rest). `rows[i]` holds row
    i of the inverse, then the value of its variable, all times `scale`, the determinant of the basis: whole numbers.
    """

    def __init__(self, program: Program, spend: Callable[[int], None]) -> None:
        self.counts, self.columns, self.room = program.counts, program.columns, program.room
        self.spend, self.scale, self.cursor, self.rest = spend, 1, 0, list[int]()
        self.entries = sum(len(column) for labels in self.columns for column in labels.values())
        over = [-least for least in program.minimum]
        for count, labels in zip(self.counts, self.columns, strict=True):
            gains = {a: sum([(x > 0) - (x < 0) for _, x in labels[a]]) for a in labels}
            self.rest.append(max(gains, key=lambda a: gains[a]))
            for k, coefficient in labels[self.rest[-1]]:
                over[k] += count * coefficient
        self.basis = [(_SURPLUS if x >= 0 else _SHORT, k) for k, x in enumerate(over)]
        signs = [-1 if x >= 0 else 1 for x in over]
        self.rows = [[sign * (i == k) for i in range(len(over))] for k, sign in enumerate(signs)]
        for row, x in zip(self.rows, over, strict=True):
            row.append(abs(x))

    def key(self) -> list[dict[int, mpq]]:
        """Return the fractional key."""
        found = [dict.fromkeys(labels, mpq(0)) for labels in self.columns]
        for (pattern, label), row in zip(self.basis, self.rows, strict=True):
            if pattern >= 0:
                found[pattern][label] = mpq(row[-1], self.scale)
        for split, rest, count in zip(found, self.rest, self.counts, strict=True):
            split[rest] = count - sum(split.values(), mpq(0))
        return found

    def improve(self, goal: int) -> list[int]:
        """Pivot until the room is largest, or rows are least short; return the prices if some are short."""
        stuck, sign = 0, 1 if goal == _SHORT else -1
        while True:
            chosen = [row for row, (kind, _) in zip(self.rows, self.basis, strict=True) if kind == goal]
            *prices, value = [sign * sum(entries) for entries in zip(*chosen, strict=True)] or [0]
            if goal == _SHORT and not value:
                for place, (kind, k) in enumerate(self.basis):
                    if kind == _SHORT:  # by nothing, and so the surplus is nothing
                        self.rows[place], self.basis[place] = [-x for x in self.rows[place]], (_SURPLUS, k)
                return []
            best, variable, is_first = 0, None, stuck > _PATIENCE
            for seen, (gain, column) in enumerate(self._gains(prices, 0 if is_first else self.cursor)):
                if gain > best:
                    best, variable = gain, column
                if best and (is_first or seen % _BLOCK == _BLOCK - 1):
                    self.cursor = max(0, column[0])
                    break
            if variable is None:
                return prices
            digits = 1 + self.scale.bit_length() // 100
            self.spend(20 + len(self.rows) ** 2 * digits // 2 + self.entries // 16)
            stuck = 0 if self.enter(variable) else stuck + 1

    def _gains(self, prices: list[int], start: int) -> Iterator[tuple[int, _Variable]]:
        """Yield columns with what they gain: of surpluses, and of patterns from one on."""
        for k, price in enumerate(prices):
            yield -price, (_SURPLUS, k)
        for pattern in (*range(start, len(self.columns)), *range(start)):
            columns = self.columns[pattern]
            if self.counts[pattern] and len(columns) > 1:
                rest = self.rest[pattern]
                base = sum([prices[k] * c for k, c in columns[rest]])
                for label, column in columns.items():
                    gain = 0 if label == rest else sum([prices[k] * c for k, c in column]) - base
                    yield gain, (pattern, label)

    def _falls(self, variable: _Variable) -> list[int]:
        """Return how fast each value of the basis falls as a variable enters, times the scale."""
        pattern, label = variable
        if pattern == _SURPLUS:
            return [-row[label] for row in self.rows]
        entries = [-x if pattern == _ROOM else 0 for x in self.room]
        if pattern >= 0:
            for sign, own in ((1, label), (-1, self.rest[pattern])):
                for k, coefficient in self.columns[pattern][own]:
                    entries[k] += sign * coefficient
        return [sum(map(mul, row, entries)) for row in self.rows]

    def enter(self, variable: _Variable) -> bool:
        """Let a variable enter as far as it can; return whether that was a step."""
        falls = self._falls(variable)
        # What reaches 0 first, and where it is in the basis; ties go to the least variable, as Bland's rule asks.
        found: list[tuple[mpq, _Variable, int]] = []
        rests: dict[int, list[int]] = {}  # the value of the rest of a pattern, and how fast it falls
        if variable[0] >= 0:
            rests[variable[0]] = [self.scale * self.counts[variable[0]], self.scale]
        for place, (fall, inside) in enumerate(zip(falls, self.basis, strict=True)):
            if fall > 0:
                found.append((mpq(self.rows[place][-1], fall), inside, place))
            if inside[0] >= 0:
                rest = rests.setdefault(inside[0], [self.scale * self.counts[inside[0]], 0])
                rest[0] -= self.rows[place][-1]
                rest[1] -= fall
        for pattern, (value, fall) in rests.items():
            if fall > 0:
                found.append((mpq(value, fall), (pattern, self.rest[pattern]), -1))
        step, (pattern, _), leaving = min(found)
        places = [place for place, (other, _) in enumerate(self.basis) if other == pattern]
        if leaving < 0 and not places:  # the label takes all questions of its pattern and becomes its rest
            for row, fall in zip(self.rows, falls, strict=True):
                row[-1] -= fall * self.counts[pattern]
            self.rest[pattern] = variable[1]
            return step > 0
        if leaving < 0:  # a label of the basis becomes the rest, and the old rest takes its place
            leaving = places[0]
            row = [-sum(entries) for entries in zip(*(self.rows[place] for place in places), strict=True)]
            row[-1] += self.scale * self.counts[pattern]
            old, self.rest[pattern] = self.rest[pattern], self.basis[leaving][1]
            self.rows[leaving], self.basis[leaving] = row, (pattern, old)
            falls = self._falls(variable)
        self.basis[leaving] = variable
        sign = 1 if falls[leaving] > 0 else -1
        pivot, divisor = [sign * x for x in self.rows[leaving]], abs(falls[leaving])
        for place, (row, fall) in enumerate(zip(self.rows, falls, strict=True)):
            if fall or divisor != self.scale:  # divisions by the old scale leave no remainder
                cells = zip(row, pivot, strict=True)
                self.rows[place] = [(x * divisor - fall * y) // self.scale for x, y in cells]
        self.rows[leaving], self.scale = pivot, divisor
        return step > 0
