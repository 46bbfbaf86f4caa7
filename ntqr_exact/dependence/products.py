"""Which keys are left if no error covariance exceeds a budget: products of ranges, for two labels.

Of Q questions m have the first label, F_i the first answer of judge i, G_ij those of i and j. With P = m/Q, rates
α and β of the first answer on the two labels, ρ = √((1−P)/P), W_i = Q·(α_i − β_i)·√(P(1−P)) and C_ij = Q·G_ij −
F_i·F_j, a key with no |Γ| above δ has

    |C_ij − W_i·W_j| ≤ δ·Q² ,  W_i² ≤ F_i·(Q − F_i) ,  F_i + W_i·ρ = Q·α_i ≤ Q ,  F_i − W_i/ρ = Q·β_i ≥ 0  (W_i > 0).

Each bounds a quotient of two of the numbers |W_i|, 1/|W_i|, ρ, 1/ρ. Once the signs of the W are chosen, all that
follows by multiplying bounds is found as shortest paths are (Floyd and Warshall); a bound of x/x below 1 is a
contradiction. P is cut into cells, which bound ρ. If trios count, Q³·T differs from (ρ − 1/ρ)·W_i·W_j·W_k by at most
δ·Q³·(1 + 2·P(1−P)·Σ|α − β|), which excludes more cells.

Claims are about the share of a label, a judge's accuracy, and claims that compare them.

A claim is a strict inequality, read from text such as `gpt > claude`, `gpt > claude on a`, `gpt on a > 0.8` or
`share of a > 1/2`. It fails under a key where the opposite inequality holds, which is linear in the key: accuracy ≤ t
on label l is Σ (t − right) ≥ 0 over the questions of l.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any, TypeAlias

from gmpy2 import isqrt, mpq

from ntqr_exact.budget import Budget
from ntqr_exact.errors import BadNumber, BadQuery
from ntqr_exact.exact.rational import rational
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

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
        """Return the ranges of the cell with these ends of the first label's questions; `None` if it has no key."""
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


_REMEDY = "write it like 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8' or 'share of a > 1/2'"
_SIDES = re.compile(r"\s*([^<>]+?)\s*([<>])\s*([^<>]+?)\s*")


@dataclass(frozen=True, slots=True)
class Condition:
    """A sum over the questions that must be at least `minimum`: `gains[pattern][label]` for each question."""

    gains: tuple[tuple[int, ...], ...]
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class KeyQuantity:
    """The share of `label`, or the accuracy of `judge` on it; a judge without a label is meant on all questions."""

    label: str | None
    judge: str | None = None

    def __str__(self) -> str:
        on = "" if self.label is None else f" on {self.label}"
        return f"the share of {self.label}" if self.judge is None else f"the accuracy of {self.judge}{on}"

    def value(self, key: LabeledVoteCounts) -> mpq | None:
        """Return the number under a key; `None` if the judge answered no question of the label."""
        if self.judge is None:
            return mpq(key.key_counts[str(self.label)], key.size)
        confusion = key.confusion(self.judge)
        rows = confusion if self.label is None else {self.label: confusion[self.label]}
        answers = sum(sum(row.values()) for row in rows.values())
        return mpq(sum(row[label] for label, row in rows.items()), answers) if answers else None

    def range_in(self, cell: KeyCell, votes: VoteCounts) -> Range | None:
        """Return the range in a cell; `None` if the label has no questions there."""
        return _mean(_by_label(self, cell, votes), self.label if self.judge else None, cell, votes)


Side: TypeAlias = KeyQuantity | mpq


def quantities(votes: VoteCounts) -> list[KeyQuantity]:
    """Return everything that has a range: the share of each label, each judge's accuracy on each label and on all."""
    return [KeyQuantity(label) for label in votes.labels] + [
        KeyQuantity(label, judge) for judge in votes.judges for label in (*votes.labels, None)
    ]


@dataclass(frozen=True, slots=True)
class JudgeClaim:
    """`greater` exceeds `lesser`: two accuracies, or an accuracy or a share and a number."""

    greater: Side
    lesser: Side

    def __str__(self) -> str:
        return f"{self.greater} exceeds {self.lesser}"

    @property
    def label(self) -> str | None:
        """The label on whose questions accuracies are compared; `None` for all questions."""
        sides = (self.greater, self.lesser)
        return next((s.label for s in sides if isinstance(s, KeyQuantity) and s.judge is not None), None)

    def holds_in(self, cell: KeyCell, votes: VoteCounts) -> bool:
        """Return whether the claim holds for all keys of a cell to which it applies."""
        sides = zip(*(_by_label(side, cell, votes) for side in (self.greater, self.lesser)), strict=True)
        apart = [left and right and (left[0] - right[1], left[1] - right[0]) for left, right in sides]
        margin = _mean(apart, self.label, cell, votes)
        return margin is None or bool(margin[0] > 0)

    def failure(self, votes: VoteCounts) -> tuple[Condition, ...]:
        """Return the conditions under which the claim fails; a rate needs a question of its label."""
        sides = (self.greater, self.lesser)
        scale = prod(int(side.denominator) for side in sides if not isinstance(side, KeyQuantity))

        def part(side: Side, pattern: Sequence[str | None], label: str) -> int:
            if not isinstance(side, KeyQuantity):
                return int(side * scale)
            return scale * (label == (side.label if side.judge is None else pattern[votes.place(side.judge)]))

        def gain(pattern: Sequence[str | None], label: str) -> int:
            is_counted = self.label in (None, label)
            return part(self.lesser, pattern, label) - part(self.greater, pattern, label) if is_counted else 0

        fails = Condition(tuple(tuple(gain(p, label) for label in votes.labels) for p in votes.counts))
        occurs = tuple(int(label == self.label) for label in votes.labels)
        return (fails,) if self.label is None else (fails, Condition((occurs,) * len(votes.counts), 1))


def no_worse_than_chance(votes: VoteCounts, judges: Iterable[int]) -> tuple[Condition, ...]:
    """Return the conditions W ≥ 0: Σ (Q·[first answer] − F) ≥ 0 over the questions of the first label."""
    first, size = votes.labels[0], votes.size
    counts = {i: votes.responses(i)[first] for i in judges}
    return tuple(
        Condition(tuple((size * (p[i] == first) - counts[i], 0) for p in votes.counts)) for i in judges
    )


def read_claim(text: str, votes: VoteCounts) -> JudgeClaim:
    """Return the claim that a text makes about votes; judges are named as in the votes.

    >>> str(read_claim("J1 > J2 on a", VoteCounts({"ab": 1})))
    'the accuracy of J1 on a exceeds the accuracy of J2 on a'

    Raises `BadQuery` for a text that is not a claim, or names unknown judges or labels.
    """
    match = _SIDES.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BadQuery(text, "a claim must have one > or < between two sides", _REMEDY)
    left, right = (_side(match[k], votes, text) for k in (1, 3))
    if isinstance(left, KeyQuantity) and isinstance(right, KeyQuantity):
        label = left.label or right.label  # "A > B on a" means both on a
        is_mixed = bool({left.label, right.label} - {None, label})
        if None in (left.judge, right.judge) or left.judge == right.judge or is_mixed:
            raise BadQuery(text, "a claim must compare two judges on the same label or on all", _REMEDY)
        left, right = KeyQuantity(label, left.judge), KeyQuantity(label, right.judge)
    elif not isinstance(left, KeyQuantity) and not isinstance(right, KeyQuantity):
        raise BadQuery(text, "a claim must be about a judge or a share", _REMEDY)
    return JudgeClaim(left, right) if match[2] == ">" else JudgeClaim(right, left)


def _side(text: str, votes: VoteCounts, whole: str) -> Side:
    named = {judge: KeyQuantity(None, judge) for judge in votes.judges}
    for label in votes.labels:
        named |= {f"{kind} of {label}": KeyQuantity(label) for kind in ("share", "prevalence")}
        named |= {f"{judge} on {label}": KeyQuantity(label, judge) for judge in votes.judges}
    if text in named:
        return named[text]
    try:
        number = rational(text)
    except BadNumber:
        rule = f"{text!r} must be a number, a share of a label or one of {', '.join(votes.judges)}"
        raise BadQuery(whole, rule, _REMEDY) from None
    if not 0 <= number <= 1:
        raise BadQuery(whole, "a share or an accuracy must be compared with a number from 0 to 1", _REMEDY)
    return number


def _by_label(side: Side, cell: KeyCell, votes: VoteCounts) -> list[Any]:
    """Return the ranges of a quantity on the questions of each label; `None` for a label without questions."""
    if not isinstance(side, KeyQuantity):
        return [(side, side)] * 2
    if side.judge is None:
        return [(mpq(label == side.label),) * 2 for label in votes.labels]
    return [rates and rates[votes.place(side.judge)] for rates in cell.accuracy]


def _mean(ranges: list[Any], label: str | None, cell: KeyCell, votes: VoteCounts) -> Range | None:
    """Return the range on a label, or of P·x + (1−P)·y on all questions."""
    if label is not None:
        return ranges[votes.labels.index(label)]  # type: ignore[no-any-return]
    first, second = (ends or (mpq(0), mpq(0)) for ends in ranges)
    ends = [p * first[k] + (1 - p) * second[k] for k in (0, 1) for p in cell.share]
    return min(ends), max(ends)
