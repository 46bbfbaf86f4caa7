"""Which keys are left if no error covariance exceeds a budget: products of ranges, for two labels.

Of Q questions m have the first label, F_i the first answer of judge i, G_ij those of i and j. With P = m/Q, rates
α and β of the first answer on the two labels, ρ = √((1−P)/P), W_i = Q·(α_i − β_i)·√(P(1−P)) and C_ij = Q·G_ij −
F_i·F_j, a key with no |Γ| above δ has

    |C_ij − W_i·W_j| ≤ δ·Q² ,  W_i² ≤ F_i·(Q − F_i) ,  F_i + W_i·ρ = Q·α_i ≤ Q ,  F_i − W_i/ρ = Q·β_i ≥ 0  (W_i > 0).

Each bounds a quotient of two of the numbers |W_i|, 1/|W_i|, ρ, 1/ρ. Once the signs of the W are chosen, all that
follows by multiplying bounds is found as shortest paths are (Floyd and Warshall); a bound of x/x below 1 is a
contradiction. P is cut into cells, which bound ρ. If trios count, Q³·T differs from (ρ − 1/ρ)·W_i·W_j·W_k by at most
δ·Q³·(1 + 2·P(1−P)·Σ|α − β|), which excludes more cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any, TypeAlias

from gmpy2 import isqrt, mpq

from ntqr_exact.budget import Budget
from ntqr_exact.votes.counts import VoteCounts

Range: TypeAlias = tuple[mpq, mpq]
Table: TypeAlias = list[list[Any]]
"""`table[x][y]` bounds x/y, or is `None`; nodes 2i and 2i + 1 are |W_i| and its inverse, the last two ρ and 1/ρ."""

CELLS = 48
"""The share of the first label is cut into this many cells."""

_ROOT = 10**12
_ZERO, _ONE, _HALF = mpq(0), mpq(1), mpq(1, 2)


@dataclass(frozen=True, slots=True)
class KeyCell:
    """Ranges for all keys of a cell: the share of the first label, and accuracies by label (if it occurs) and judge."""

    share: Range
    accuracy: tuple[tuple[Range, ...] | None, tuple[Range, ...] | None]


class Products:
    """The moments of votes of two labels without gaps, and the cells of keys that they leave under a budget."""

    def __init__(self, votes: VoteCounts, orders: Iterable[int] = (2,)) -> None:
        self.size, self.judges, first = votes.size, range(len(votes.judges)), votes.labels[0]
        self.firsts = [votes.responses(i)[first] for i in self.judges]
        pairs = combinations(self.judges, 2)
        self.pairs = {pair: int(votes.pair_moment(*pair, label=first) * self.size**2) for pair in pairs}
        self.votes, self.has_trios = votes, 3 in orders

    @cached_property
    def trios(self) -> dict[tuple[int, ...], mpq]:
        """Q³ times the third central moment of three judges' first answers, if trios count."""
        trios, first = combinations(self.judges, 3) if self.has_trios else (), self.votes.labels[0]
        return {trio: self.votes.central_moment(trio, label=first) * self.size**3 for trio in trios}

    def cells(
        self,
        delta: mpq,
        assumed: Sequence[int] = (),
        *,
        is_strict: bool = False,
        budget: Budget | None = None,
    ) -> Iterator[KeyCell]:
        """Iterate over the cells that may hold a key with no |Γ| above δ; with all |Γ| below δ, if `is_strict`.

        The judges assumed have W ≥ 0: they give the first label at least as often on its own questions as on others.
        """
        budget, size, nodes = budget or Budget(None), self.size, 2 * len(self.judges) + 2
        if self.has_trios:
            budget.spend(comb(len(self.judges), 3) * len(self.votes.counts) // 2, "moments of trios")
        moments = [mpq(moment, size**2) for moment in self.pairs.values()]
        moments += [moment / size**3 for moment in self.trios.values()]
        if all(abs(moment) < delta or (abs(moment) == delta and not is_strict) for moment in moments):
            rates = [mpq(first, size) for first in self.firsts]  # of the keys with one label only
            yield KeyCell((_ONE, _ONE), (tuple((rate, rate) for rate in rates), None))
            yield KeyCell((_ZERO, _ZERO), (None, tuple((1 - rate, 1 - rate) for rate in rates)))
        how_many = min(CELLS, size - 1)
        for signs in self._signs(delta * size**2, assumed, is_strict=is_strict):
            budget.spend(nodes**3 // 2, "products of ranges")
            table = self._table(signs, delta * size**2)
            if is_strict and not _close(table, is_strict=True):
                continue
            for i, first in enumerate(
                self.firsts
            ):  # no rate is below 0 or above 1: these bounds are not strict
                times, over = (size - first, first)[:: signs[i]]
                table[2 * i][nodes - 1] = table[nodes - 2][2 * i + 1] = mpq(times)
                table[2 * i][nodes - 2] = table[nodes - 1][2 * i + 1] = mpq(over)
            for k in range(how_many) if _close(table) else ():
                budget.spend(20 * nodes + (2 * nodes**2 if self.trios else 0) + 8 * len(self.trios))
                start, stop = (1 + part * (size - 1) // how_many for part in (k, k + 1))
                cell = self._cell(table, signs, (start, stop - 1), delta)
                if cell is not None:
                    yield cell

    def _signs(
        self, room: mpq, assumed: Sequence[int], known: tuple[int, ...] = (), *, is_strict: bool
    ) -> Iterator[tuple[int, ...]]:
        """Iterate over the signs of the W that the pairs allow."""
        j = len(known)
        if j == len(self.judges):
            yield known
            return
        for sign in (1,) if j in assumed else (1, -1):
            lows = [known[i] * sign * self.pairs[i, j] for i in range(j)]
            if all(low >= 0 or -low < room or (-low == room and not is_strict) for low in lows):
                yield from self._signs(room, assumed, (*known, sign), is_strict=is_strict)

    def _table(self, signs: Sequence[int], room: mpq) -> Table:
        """Return the bounds of products of two |W|."""
        nodes = 2 * len(signs) + 2
        table: Table = [[None] * nodes for _ in range(nodes)]
        for i, first in enumerate(self.firsts):
            table[2 * i][2 * i + 1] = mpq(first * (self.size - first))
        for (i, j), moment in self.pairs.items():
            value = signs[i] * signs[j] * moment
            table[2 * i][2 * j + 1] = table[2 * j][2 * i + 1] = value + room
            if value > room:
                table[2 * i + 1][2 * j] = table[2 * j + 1][2 * i] = 1 / (value - room)
        return table

    def _cell(self, table: Table, signs: Sequence[int], ends: tuple[int, int], delta: mpq) -> KeyCell | None:
        """Return the ranges of the cell in which the first label has so many questions; `None` if there is no key."""
        rho, size = 2 * len(signs), self.size
        # Bounds of ρ² and of 1/ρ²: a path takes at most one of them, and once, as their product is at least 1.
        new = ((rho, mpq(size - ends[0], ends[0]), rho + 1), (rho + 1, mpq(ends[1], size - ends[1]), rho))
        if any(table[end][start] is not None and table[end][start] * bound < 1 for start, bound, end in new):
            return None

        def between(x: int, y: int) -> Any:
            best = table[x][y]
            for start, bound, end in new:
                left = _ONE if x == start else table[x][start]
                right = _ONE if y == end else table[end][y]
                if left is not None and right is not None:
                    path = left * bound * right
                    best = path if best is None or path < best else best
            return best

        def quotient(x: int, y: int) -> Range:  # also by the roots of the ranges of x² and of 1/y²
            high = min(between(x, y), _root_above(between(x, x ^ 1) * between(y ^ 1, y)))
            inverse, low, other = between(y, x), between(x ^ 1, x), between(y, y ^ 1)
            lows = [1 / inverse] if inverse else []
            if low is not None and other is not None:
                lows.append(1 / _root_above(low * other))
            return max(lows, default=_ZERO), high

        low, high = 1 / (1 + between(rho, rho + 1)), 1 - 1 / (1 + between(rho + 1, rho))
        times, over = ([quotient(2 * i, node) for i in self.judges] for node in (rho + 1, rho))
        if self.trios:
            middle = min(max(low, _HALF), high)
            least = {(i, j): between(2 * i + 1, 2 * j) for i, j in self.pairs}
            products = (
                {pair: _ZERO if bound is None else 1 / bound for pair, bound in least.items()},
                {(i, j): between(2 * i, 2 * j + 1) for i, j in self.pairs},
            )
        for trio, moment in self.trios.items():
            apart = sum((min(_ONE, (times[i][1] + over[i][1]) / size) for i in trio), _ZERO)
            slack = delta * (1 + 2 * middle * (1 - middle) * apart) * size**3
            # (ρ − 1/ρ)·W·W·W lies between corners; a number times its size, which avoids roots, keeps the order.
            sign = prod(signs[i] for i in trio)
            sides = [prod((part[pair] for pair in combinations(trio, 2)), start=sign) for part in products]
            corners = [w * (1 - 2 * p) * abs(1 - 2 * p) / (p * (1 - p)) for w in sides for p in (low, high)]
            least_moment, most_moment = moment - slack, moment + slack
            if max(corners) < least_moment * abs(least_moment) or most_moment * abs(most_moment) < min(
                corners
            ):
                return None
        first = tuple(self._rate(i, signs[i], times[i]) for i in self.judges)
        second = (self._rate(i, -signs[i], over[i]) for i in self.judges)
        return KeyCell((low, high), (first, tuple((1 - b, 1 - a) for a, b in second)))

    def _rate(self, judge: int, sign: int, ends: Range) -> Range:
        low, high = sorted((self.firsts[judge] + sign * end) / self.size for end in ends)
        return low, high


def _close(table: Table, *, is_strict: bool = False) -> bool:
    """Complete a table by products; `False` if a bound of x/x is below 1 (or 1, if all bounds are strict)."""
    for middle, line in enumerate(table):
        known = [(y, bound) for y, bound in enumerate(line) if bound is not None]
        for x, row in enumerate(table):
            first = row[middle]
            if first is None:
                continue
            for y, second in known:
                bound = first * second
                if row[y] is None or bound < row[y]:
                    row[y] = bound
            if row[x] is not None and (row[x] < 1 or (is_strict and row[x] == 1)):
                return False  # at once: products around a contradiction grow without end
    return True


def _root_above(value: mpq) -> mpq:
    scaled = value * _ROOT**2
    return mpq(isqrt(scaled.numerator // scaled.denominator) + 1, _ROOT)
