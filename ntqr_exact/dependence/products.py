"""Which keys are left if no error covariance exceeds a budget: products of ranges, for two labels.

The inequalities are those of `budget_checker`. Each bounds a quotient of two of the numbers |W_i|, 1/|W_i|, ρ, 1/ρ.
Once the signs of the W are chosen, all that follows by multiplying bounds is found as shortest paths are (Floyd and
Warshall); a bound of x/x below 1 is a contradiction. The share of the first label is cut into cells, which bound ρ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any, TypeAlias

from gmpy2 import isqrt, mpq

from ntqr_exact.budget import Budget
from ntqr_exact.dependence.measure import Condition
from ntqr_exact.errors import BadNumber, BadQuery, listed
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
    accuracy: tuple[Sequence[Range] | None, Sequence[Range] | None]


class Products:
    """The moments of votes of two labels without gaps, and the cells of keys that they leave under a budget."""

    def __init__(self, votes: VoteCounts, orders: Iterable[int] = (2,)) -> None:
        self.size, self.judges, self.votes = votes.size, range(len(votes.judges)), votes
        self.firsts = [votes.responses(i)[votes.labels[0]] for i in self.judges]
        self.pairs, self.has_trios = self._moments(2), 3 in orders

    @cached_property
    def trios(self) -> dict[tuple[int, ...], mpq]:
        """The third moments, if trios count."""
        return self._moments(3) if self.has_trios else {}

    def _moments(self, order: int) -> dict[tuple[int, ...], mpq]:
        """Return Q^order times the central moments of that many judges' first answers."""
        groups, first, scale = combinations(self.judges, order), self.votes.labels[0], self.size**order
        return {group: self.votes.central_moment(group, label=first) * scale for group in groups}

    def cells(
        self,
        delta: mpq,
        assumed: Sequence[int] = (),
        *,
        budget: Budget,
        is_known: Callable[[KeyCell], bool] = lambda _: False,
        is_strict: bool = False,
    ) -> Iterator[KeyCell]:
        """Iterate over cells that together hold every key with all |Γ| ≤ δ (< δ if strict) that is not known.

        The judges in `assumed` have W ≥ 0. `is_known` says that a cell, and so each part of it, can be left out.
        """
        size, room, how_many = self.size, delta * self.size**2, min(CELLS, self.size - 1)

        def allows(moment: mpq, limit: mpq) -> bool:
            return bool(abs(moment) < limit or (abs(moment) == limit and not is_strict))

        if self.has_trios:
            budget.spend(comb(len(self.judges), 3) * len(self.votes.counts) // 2, "moments of trios")
        if all(allows(moment, room) for moment in self.pairs.values()) and all(
            allows(moment, room * size) for moment in self.trios.values()
        ):
            rates = [mpq(first, size) for first in self.firsts]  # of the keys with one label only
            sides = [(rate, rate) for rate in rates], [(1 - rate, 1 - rate) for rate in rates]
            one_label = KeyCell((_ONE, _ONE), (sides[0], None)), KeyCell((_ZERO, _ZERO), (None, sides[1]))
            yield from (cell for cell in one_label if not is_known(cell))
        choices: list[tuple[int, ...]] = [()]
        for j in self.judges:
            both = [(*signs, sign) for signs in choices for sign in ((1,) if j in assumed else (1, -1))]
            choices = [
                signs
                for signs in both
                if all(allows(min(_ZERO, signs[i] * signs[j] * self.pairs[i, j]), room) for i in range(j))
            ]
            budget.spend(len(choices) * j, "signs")
        for signs in choices:
            reach = [(size - first, first)[::sign] for first, sign in zip(self.firsts, signs, strict=True)]
            limits = ([(_ZERO, ends[k]) for ends in reach] for k in (0, 1))
            budget.spend(10 * len(signs), "products of ranges")
            if is_known(self._cell((_ZERO, _ONE), signs, *limits)):
                continue
            budget.spend(4 * (len(signs) + 1) ** 3, "products of ranges")
            table = self._table(signs, reach, room, is_strict=is_strict)
            parts = [(0, how_many)] if table and how_many else []
            while parts:  # in halves, down to single cells
                start, stop = parts.pop()
                low, high = (1 + part * (size - 1) // how_many for part in (start, stop))
                budget.spend(20 * len(table), "products of ranges")
                bounds = _within(table, size, low, high - 1)
                if not bounds or is_known(cell := self._cell(_share(bounds), signs, *_rates(bounds))):
                    continue
                if stop - start > 1:
                    middle = (start + stop) // 2
                    parts += [(middle, stop), (start, middle)]
                elif not self.trios or self._allows_trios(bounds, signs, delta, budget):
                    yield cell

    def _table(self, signs: Sequence[int], reach: Any, room: mpq, *, is_strict: bool) -> Table:
        """Return the bounds that signs give, with all their products; no table if they contradict each other."""
        rho = 2 * len(signs)
        table: Table = [[None] * (rho + 2) for _ in range(rho + 2)]
        for i, (times, over) in enumerate(reach):
            table[2 * i][2 * i + 1] = mpq(times * over)
        for (i, j), moment in self.pairs.items():
            value = signs[i] * signs[j] * moment
            table[2 * i][2 * j + 1] = table[2 * j][2 * i + 1] = value + room
            if value > room:
                table[2 * i + 1][2 * j] = table[2 * j + 1][2 * i] = 1 / (value - room)
        if is_strict and not _close(table, is_strict=True):
            return []
        for i, (times, over) in enumerate(
            reach
        ):  # no rate is below 0 or above 1: these bounds are not strict
            table[2 * i][rho + 1] = table[rho][2 * i + 1] = mpq(times)
            table[2 * i][rho] = table[rho + 1][2 * i + 1] = mpq(over)
        return table if _close(table) else []

    def _cell(self, share: Range, signs: Sequence[int], times: Any, over: Any) -> KeyCell:
        """Return the ranges of a cell from those of |W|·ρ and |W|/ρ."""
        first, second = list[Any](), list[Any]()
        for i, (sign, count) in enumerate(zip(signs, self.firsts, strict=True)):
            first.append(tuple((count + sign * end) / self.size for end in times[i][::sign]))
            second.append(tuple(1 - (count - sign * end) / self.size for end in over[i][::sign]))
        return KeyCell(share, (first, second))

    def _allows_trios(self, bounds: Table, signs: Sequence[int], delta: mpq, budget: Budget) -> bool:
        """Return whether the third moments do not exclude a cell."""
        budget.spend(2 * len(bounds) ** 2 + 8 * len(self.trios), "products of ranges")
        share, (times, over), size = _share(bounds), _rates(bounds), self.size
        middle = min(max(share[0], _HALF), share[1])
        inverse = {(i, j): bounds[2 * i + 1][2 * j] for i, j in self.pairs}
        least = {pair: _ZERO if bound is None else 1 / bound for pair, bound in inverse.items()}
        most = {(i, j): bounds[2 * i][2 * j + 1] for i, j in self.pairs}
        # (ρ − 1/ρ)·W·W·W lies between corners; a number times its size, which avoids roots, keeps the order.
        tilts = [(1 - 2 * p) * abs(1 - 2 * p) / (p * (1 - p)) for p in share]
        for trio, moment in self.trios.items():
            apart = sum((min(_ONE, (times[i][1] + over[i][1]) / size) for i in trio), _ZERO)
            slack = delta * (1 + 2 * middle * (1 - middle) * apart) * size**3
            sign, pairs = prod(signs[i] for i in trio), list(combinations(trio, 2))
            sides = [prod((part[pair] for pair in pairs), start=sign) for part in (least, most)]
            corners = [side * tilt for side in sides for tilt in tilts]
            ends = [end * abs(end) for end in (moment - slack, moment + slack)]
            if max(corners) < ends[0] or ends[1] < min(corners):
                return False
        return True


def _within(table: Table, size: int, low: int, high: int) -> Table:
    """Return a table with the bounds that m from `low` to `high` gives to ρ² and 1/ρ²; none if they contradict it."""
    rho, table = len(table) - 2, [list(row) for row in table]
    for x, y, bound in (
        (rho, rho + 1, mpq(size - low, low)),
        (rho + 1, rho, mpq(high, size - high)),
    ):
        table[x][y] = bound if table[x][y] is None else min(bound, table[x][y])
    return table if _close(table, (rho, rho + 1)) else []


def _share(table: Table) -> Range:
    return 1 / (1 + table[-2][-1]), 1 - 1 / (1 + table[-1][-2])


def _rates(table: Table) -> list[list[Range]]:
    """Return the ranges of |W|·ρ and of |W|/ρ of each judge."""
    rho = len(table) - 2
    return [[_quotient(table, w, y) for w in range(0, rho, 2)] for y in (rho + 1, rho)]


def _quotient(table: Table, x: int, y: int) -> Range:
    """Return the range of x/y, also by the roots of the ranges of x² and of 1/y²."""
    high = min(table[x][y], _root_above(table[x][x ^ 1] * table[y ^ 1][y]))
    inverse, low, other = table[y][x], table[x ^ 1][x], table[y][y ^ 1]
    lows = [1 / inverse] if inverse else []
    if low is not None and other is not None:
        lows.append(1 / _root_above(low * other))
    return max(lows, default=_ZERO), high


def _close(table: Table, middles: Iterable[int] = (), *, is_strict: bool = False) -> bool:
    """Complete a table by products; `False` if a bound of x/x is below 1 (or 1, if all bounds are strict)."""
    for middle in middles or range(len(table)):
        known = [(y, bound) for y, bound in enumerate(table[middle]) if bound is not None]
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


# -- quantities and claims: the share of a label, a judge's accuracy, and comparisons of them ------------

_REMEDY = "write it like 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8' or 'share of a > 1/2'"
_SIDES = re.compile(r"\s*([^<>]+?)\s*([<>])\s*([^<>]+?)\s*")


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


Side: TypeAlias = KeyQuantity | mpq


@dataclass(frozen=True, slots=True)
class JudgeClaim:
    """`greater` exceeds `lesser`: two accuracies, or an accuracy or a share and a number."""

    greater: Side
    lesser: Side = _ZERO

    def __str__(self) -> str:
        return f"{self.greater} exceeds {self.lesser}"

    @property
    def judges(self) -> list[str]:
        """The judges that are named."""
        return [s.judge for s in (self.greater, self.lesser) if isinstance(s, KeyQuantity) and s.judge]

    @property
    def label(self) -> str | None:
        """The label on whose questions accuracies are compared; `None` for all questions."""
        sides = (self.greater, self.lesser)
        return next((s.label for s in sides if isinstance(s, KeyQuantity) and s.judge is not None), None)

    def margin_in(self, cell: KeyCell, votes: VoteCounts) -> Range | None:
        """Return the range of greater − lesser in a cell; `None` if the label has no questions there."""
        sides = zip(*(_by_label(side, cell, votes) for side in (self.greater, self.lesser)), strict=True)
        apart = [left and right and (left[0] - right[1], left[1] - right[0]) for left, right in sides]
        if self.label is not None:
            return apart[votes.labels.index(self.label)]
        first, second = (ends or (_ZERO, _ZERO) for ends in apart)
        ends = [p * first[k] + (1 - p) * second[k] for k in (0, 1) for p in cell.share]
        return min(ends), max(ends)

    def failure(self, votes: VoteCounts) -> tuple[Condition, ...]:
        """Return the conditions under which the claim fails; a rate needs a question of its label."""
        sides = (self.lesser, self.greater)
        scale = prod(int(side.denominator) for side in sides if not isinstance(side, KeyQuantity))

        def part(side: Side, pattern: Sequence[str | None], label: str) -> int:
            if not isinstance(side, KeyQuantity):
                return int(side * scale)
            return scale * (label == (side.label if side.judge is None else pattern[votes.place(side.judge)]))

        def gain(pattern: Sequence[str | None], label: str) -> int:
            lesser, greater = (part(side, pattern, label) for side in sides)
            return lesser - greater if self.label in (None, label) else 0

        fails = Condition(tuple(tuple(gain(p, label) for label in votes.labels) for p in votes.counts))
        occurs = tuple(int(label == self.label) for label in votes.labels)
        return (fails,) if self.label is None else (fails, Condition((occurs,) * len(votes.counts), 1))


def read_claim(text: str, votes: VoteCounts) -> JudgeClaim:
    """Return the claim that a text makes about votes; judges are named as in the votes.

    >>> str(read_claim("J1 > J2 on a", VoteCounts({"ab": 1})))
    'the accuracy of J1 on a exceeds the accuracy of J2 on a'

    Raises `BadQuery` for a text that is not a claim, or names unknown judges or labels.
    """
    match = _SIDES.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BadQuery(text, "a claim must have one > or < between two sides", _REMEDY)
    sides = [_side(match[k], votes, text) for k in (1, 3)]
    named = [side for side in sides if isinstance(side, KeyQuantity)]
    labels = {side.label for side in named} - {None}
    is_pair = len({side.judge for side in named} - {None}) == 2 and len(labels) < 2
    if len(named) != 1 and not is_pair:
        rule = "a claim must compare two judges, on the same label or on all, or one quantity with a number"
        raise BadQuery(text, rule, _REMEDY)
    if is_pair:  # "A > B on a" means both on a
        sides = [KeyQuantity(next(iter(labels), None), side.judge) for side in named]
    return JudgeClaim(*(sides if match[2] == ">" else reversed(sides)))


def _side(text: str, votes: VoteCounts, whole: str) -> Side:
    named = {judge: KeyQuantity(None, judge) for judge in votes.judges}
    for label in votes.labels:
        named |= {f"{judge} on {label}": KeyQuantity(label, judge) for judge in votes.judges}
        named[f"share of {label}"] = KeyQuantity(label)
    try:
        side = named[text] if text in named else rational(text)
    except BadNumber:
        rule = f"{text!r} must be a number, a share of a label or one of {listed(votes.judges)}"
        raise BadQuery(whole, rule, _REMEDY) from None
    if not isinstance(side, KeyQuantity) and not 0 <= side <= 1:
        raise BadQuery(whole, "a share or an accuracy must be compared with a number from 0 to 1", _REMEDY)
    return side


def _by_label(side: Side, cell: KeyCell, votes: VoteCounts) -> list[Any]:
    """Return the ranges of a quantity on the questions of each label; `None` for a label without questions."""
    if not isinstance(side, KeyQuantity):
        return [(side, side)] * 2
    if side.judge is None:
        return [(mpq(label == side.label),) * 2 for label in votes.labels]
    return [rates and rates[votes.place(side.judge)] for rates in cell.accuracy]
