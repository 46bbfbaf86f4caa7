"""`quick_ranges`: outer ranges under a budget by multiplying ranges, in a fraction of a second; two labels.

With w_i = (α_i − β_i)·s, s = √(P(1−P)) and ρ = √((1−P)/P), a budget δ and rates between 0 and 1 bound products of two:

    |Δ_ij| − δ ≤ |w_i·w_j| ≤ |Δ_ij| + δ ,   α_i = f_i + w_i·ρ ≤ 1 ,   β_i = f_i − w_i/ρ ≥ 0   (for w_i > 0).

For every choice of signs and every cell of the prevalence, all that follows by multiplying such bounds is found as
shortest paths are (O(N³)). With correlations of trios a cell must also leave room for the third moments of the votes,

    |T − (ρ − 1/ρ)·w_i·w_j·w_k| ≤ δ·(1 + 2s·Σ|w|) ,  s·|w_k| = P(1−P)·|α_k − β_k| .

The ranges hold the numbers of every key within the budget. They are wider than those of `evaluate_within`, and their
proof is this computation: rationals, and roots rounded outwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, TypeAlias

from gmpy2 import isqrt, mpq

from ntqr_exact.dependence.key_dependence import check_orders, check_panel, one_label_dependence
from ntqr_exact.dependence.panel import better_judges
from ntqr_exact.dependence.tree_checker import Products, multiplied
from ntqr_exact.errors import BadNumber, BadVotes
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.votes.counts import Judge, VoteCounts

Pair: TypeAlias = tuple[mpq, mpq]

_CELLS = 48
_DIGITS = 10**12
"""Roots are multiples of 1/_DIGITS, rounded outwards."""


@dataclass(frozen=True, slots=True)
class QuickRanges:
    """Ranges that hold the numbers of every key within a budget; none at all, if `is_empty`."""

    votes: VoteCounts
    correlation: mpq
    orders: tuple[int, ...]
    better: tuple[str, ...]
    prevalence: Mapping[str, Pair]
    accuracy: tuple[Mapping[str, Pair], ...]
    overall: tuple[Pair, ...]
    is_empty: bool

    def to_document(self) -> dict[str, Any]:
        """Return the ranges as a JSON document."""
        return {
            "correlation": self.correlation,
            "orders": list(self.orders),
            "better_than_chance": list(self.better),
            "empty": self.is_empty,
            "prevalence": {label: list(ends) for label, ends in self.prevalence.items()},
            "accuracy": [{label: list(ends) for label, ends in rates.items()} for rates in self.accuracy],
            "overall": [list(ends) for ends in self.overall],
        }


def quick_ranges(
    votes: VoteCounts,
    correlation: RationalLike,
    *,
    better_than_chance: bool | Judge | Iterable[Judge] = True,
    orders: Iterable[int] = (2, 3),
) -> QuickRanges:
    """Return outer ranges of prevalence and accuracies over all keys whose correlations do not exceed a budget.

    >>> votes = VoteCounts({"aaa": 40, "bbb": 40, "aab": 5, "bba": 5, "aba": 5, "bab": 5})
    >>> low, high = quick_ranges(votes, correlation="1/100").prevalence["a"]
    >>> 0 < low < mpq(1, 2) < high < 1
    True

    Raises `BadNumber` for a negative budget, `BadVotes` for other than two labels or fewer than two judges, `EmptyTest`
    for no questions, `BadChoice` for orders without pairs.
    """
    check_panel(votes)
    if len(votes.labels) != 2:
        raise BadVotes(votes.labels, "quick ranges are for two labels", "evaluate_within takes more")
    delta, wanted = rational(correlation), check_orders({2, *orders})
    if delta < 0:
        raise BadNumber(correlation, "a budget of correlation is not negative")
    better = better_judges(votes, better_than_chance)
    bounds = _Bounds(votes, delta, wanted)
    cells = [cell for signs in bounds.signs(better) for cell in bounds.cells(signs)]
    if one_label_dependence(votes, wanted) <= delta:
        cells += bounds.one_label()
    places, (first, second) = range(len(votes.judges)), votes.labels
    shares, rates = (
        _hull(cell.share for cell in cells),
        [
            {
                first: _hull(cell.alpha[i] for cell in cells),
                second: _turned(_hull(cell.beta[i] for cell in cells)),
            }
            for i in places
        ],
    )
    names = tuple(votes.judges[i] for i in better)
    overall = tuple(_hull(cell.right(i) for cell in cells) for i in places)
    both = {first: shares, second: _turned(shares)}
    return QuickRanges(votes, delta, wanted, names, both, tuple(rates), overall, not cells)


@dataclass(frozen=True, slots=True)
class _Cell:
    """Ranges of the share of the first label and of the rates of the first answer on both, empty ones left out."""

    share: Pair
    alpha: tuple[Pair | None, ...]
    beta: tuple[Pair | None, ...]

    def right(self, judge: int) -> Pair:
        """Return the range of P·α + (1−P)·(1−β)."""
        alpha, beta = self.alpha[judge], self.beta[judge]
        ends = [
            p * (alpha[k] if alpha else 0) + (1 - p) * (1 - beta[1 - k] if beta else 0)
            for k in (0, 1)
            for p in self.share
        ]
        return min(ends), max(ends)


class _Bounds:
    """The moments of votes, and what multiplying their ranges gives."""

    def __init__(self, votes: VoteCounts, delta: mpq, orders: tuple[int, ...]) -> None:
        self.delta, self.size = delta, votes.size
        self.places = range(len(votes.judges))
        self.rates = [votes.response_rate(i, votes.labels[0]) for i in self.places]
        self.pairs = {(i, j): votes.pair_moment(i, j) for i, j in combinations(self.places, 2)}
        trios = combinations(self.places, 3) if 3 in orders else ()
        self.trios = {trio: votes.trio_moment(*trio, label=votes.labels[0]) for trio in trios}

    def signs(self, better: tuple[int, ...]) -> Iterator[list[int]]:
        """Iterate over the signs of the w that the pairs allow."""

        def more(signs: list[int]) -> Iterator[list[int]]:
            j = len(signs)
            if j == len(self.places):
                yield signs
                return
            for sign in (1,) if j in better else (1, -1):
                if all(sign * signs[i] * self.pairs[i, j] + self.delta >= 0 for i in range(j)):
                    yield from more([*signs, sign])

        yield from more([])

    def cells(self, signs: list[int]) -> Iterator[_Cell]:
        """Iterate over the cells of the prevalence in which some key may be."""
        rho = len(signs)
        nodes = [*range(rho + 1), *(~i for i in range(rho + 1))]
        table: Products = {(i, ~i): rate * (1 - rate) for i, rate in enumerate(self.rates)}
        for (i, j), moment in self.pairs.items():
            size = signs[i] * signs[j] * moment
            table[i, ~j] = table[j, ~i] = size + self.delta
            if size > self.delta:
                table[~i, j] = table[~j, i] = 1 / (size - self.delta)
        for i, rate in enumerate(self.rates):
            times, over = (1 - rate, rate) if signs[i] > 0 else (rate, 1 - rate)
            table[i, ~rho] = table[rho, ~i] = times
            table[i, rho] = table[~rho, ~i] = over
        if multiplied(table, nodes) < 1 or self.size < 2:
            return
        steps = min(_CELLS, self.size - 1)
        edges = [1 + k * (self.size - 1) // steps for k in range(steps + 1)]
        for start, stop in pairwise(edges):
            least, most = mpq(start, self.size), mpq(stop - 1, self.size)
            cell = {**table}
            cell[rho, ~rho] = _smaller(cell.get((rho, ~rho)), (1 - least) / least)
            cell[~rho, rho] = _smaller(cell.get((~rho, rho)), most / (1 - most))
            if multiplied(cell, nodes) >= 1 and (found := self._cell(cell, signs, least, most)) is not None:
                yield found

    def _cell(self, table: Products, signs: list[int], least: mpq, most: mpq) -> _Cell | None:
        rho = len(signs)
        least, most = max(least, 1 / (1 + table[rho, ~rho])), min(most, 1 - 1 / (1 + table[~rho, rho]))
        if least > most:
            return None
        times = [self._product(table, i, ~rho) for i in self.places]
        over = [self._product(table, i, rho) for i in self.places]
        spread = mpq(1, 4) if least <= mpq(1, 2) <= most else max(least * (1 - least), most * (1 - most))
        for trio, moment in self.trios.items():
            slack = self.delta * (1 + 2 * spread * sum(min(mpq(1), times[k][1] + over[k][1]) for k in trio))
            low, high = self._third(table, trio, least, most)
            if signs[trio[0]] * signs[trio[1]] * signs[trio[2]] < 0:
                low, high = -high, -low
            if high + slack < moment or moment < low - slack:
                return None
        alpha, beta = [], []
        for i, (rate, sign) in enumerate(zip(self.rates, signs, strict=True)):
            up, down = sorted(rate + sign * x for x in times[i]), sorted(rate - sign * x for x in over[i])
            alpha.append((max(mpq(0), up[0]), min(mpq(1), up[1])))
            beta.append((max(mpq(0), down[0]), min(mpq(1), down[1])))
        return _Cell((least, most), tuple(alpha), tuple(beta))

    def _product(self, table: Products, x: int, y: int) -> Pair:
        """Return the range of x/y, which also is the root of the range of x² over that of y²."""
        high = table[x, y]
        if (x, ~x) in table and (~y, y) in table:
            high = min(high, _root(table[x, ~x] * table[~y, y], up=True))
        low = 1 / table[y, x] if table.get((y, x)) else mpq(0)
        if (~x, x) in table and (y, ~y) in table and table[~x, x] * table[y, ~y]:
            low = max(low, 1 / _root(table[~x, x] * table[y, ~y], up=True))
        return low, high

    def _third(self, table: Products, trio: tuple[int, int, int], least: mpq, most: mpq) -> Pair:
        """Return the range of (ρ − 1/ρ)·|w_i·w_j·w_k| for prevalences in a range; ρ − 1/ρ = (1−2P)/√(P(1−P))."""
        low = high = mpq(1)
        for i, j in combinations(trio, 2):
            high *= table[i, ~j]
            low = low / table[~i, j] if (~i, j) in table else mpq(0)
        sizes = (_root(low, up=False), _root(high, up=True))
        ends = [
            _signed_root(1 - 2 * p, (1 - 2 * p) ** 2 / (p * (1 - p)), up=up)
            for p, up in ((most, False), (least, True))
        ]
        corners = [a * b for a in sizes for b in ends]
        return min(corners), max(corners)

    def one_label(self) -> list[_Cell]:
        """Return the cells of keys that give all questions one label."""
        rates = tuple((rate, rate) for rate in self.rates)
        nobody: tuple[None, ...] = (None,) * len(rates)
        zero, one = mpq(0), mpq(1)
        return [_Cell((one, one), rates, nobody), _Cell((zero, zero), nobody, rates)]


def _smaller(known: Any, value: mpq) -> mpq:
    return value if known is None else min(known, value)


def _root(value: mpq, *, up: bool) -> mpq:
    """Return a multiple of 1/_DIGITS at or below the root, or above it."""
    below = isqrt(value.numerator * _DIGITS**2 // value.denominator)
    return mpq(below + (1 if up else 0), _DIGITS)


def _signed_root(sign: mpq, square: mpq, *, up: bool) -> mpq:
    return _root(square, up=up) if sign >= 0 else -_root(square, up=not up)


def _hull(ranges: Iterable[Pair | None]) -> Pair:
    """Return the range that holds all; from 0 to 1, which says nothing, if there are none."""
    known = [ends for ends in ranges if ends is not None]
    if not known:
        return mpq(0), mpq(1)
    return min(low for low, _ in known), max(high for _, high in known)


def _turned(ends: Pair) -> Pair:
    return 1 - ends[1], 1 - ends[0]
