"""Which keys are left if no error covariance exceeds a budget: products of ranges, for two labels.

The inequalities are those of `budget_checker`. Each bounds a product of two of the numbers |w_i|, 1/|w_i|, ρ, 1/ρ. Once
the signs of the w are chosen, all that follows by multiplying bounds is found as shortest paths are (Floyd and
Warshall); a bound of x/x below 1 is a contradiction. The number of questions of the first label is cut into cells,
which bound ρ² and 1/ρ²: what follows from these takes a few products more.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

from gmpy2 import isqrt, mpq

from ntqr_exact.budget import Budget
from ntqr_exact.dependence.budget_checker import FORMAT, checksum, statement
from ntqr_exact.dependence.measure import check_panel, closest_key, dependence_of, moments, most_varying
from ntqr_exact.errors import BadChoice, BadNumber, BadQuery, BadVotes, TooMuchWork, listed
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.exact.rational import rational
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Range: TypeAlias = tuple[mpq, mpq]
IsKnown: TypeAlias = "Callable[[Any, Cell], bool]"
Table: TypeAlias = list[list[Any]]
"""`table[x][y]` bounds x/y, or is `None`; nodes 2i and 2i + 1 are |w_i| and its inverse, the last two ρ and 1/ρ."""

CELLS = 48  # of the numbers of questions of the first label, but for none and all
_ROOT, _MILLION = 10**12, 10**6
_ZERO, _ONE, _HALF = mpq(0), mpq(1), mpq(1, 2)


class Keys:
    """The keys of votes of two labels under which some judges are assumed to have w ≥ 0, and their moments."""

    def __init__(self, votes: VoteCounts, orders: Iterable[int], judges: Any, effort: int) -> None:
        self.votes, self.orders = check_panel(votes, common=True), tuple(sorted(set(orders)))
        if len(votes.labels) != 2:
            remedy = "closest_to_independence and joint alarms take more"
            raise BadVotes(votes.labels, "votes must have two labels for bounds on dependence", remedy)
        if self.orders not in ((2,), (2, 3)):
            raise BadChoice(orders, "orders must be (2,) or (2, 3)")
        if isinstance(judges, bool):
            judges = most_varying(self.votes, 1) if judges else ()
        elif isinstance(judges, str) or not isinstance(judges, Iterable):
            judges = [judges]
        self.assumed = tuple(map(self.votes.place, judges))
        self.names = tuple(votes.judges[i] for i in self.assumed)
        self.size, self.judges, self.budget = self.votes.size, range(len(votes.judges)), Budget(effort)
        self.firsts = [self.votes.responses(i)[votes.labels[0]] for i in self.judges]
        self.pairs = self._moments(2)

    @cached_property
    def trios(self) -> dict[tuple[int, ...], mpq]:
        """The third moments, if trios count."""
        return self._moments(3) if 3 in self.orders else {}

    def _moments(self, order: int) -> dict[tuple[int, ...], mpq]:
        groups, scale = moments(self.votes, order, self.votes.labels[:1]), self.size**order
        return {group: value * scale for group, _, value in groups}

    def cells(self, delta: mpq, wanted: list[Any], is_known: IsKnown) -> Iterator[tuple[Cell, list[Any]]]:
        """Iterate over cells that together hold every key with all |Γ| ≤ δ, with what is wanted and not known there.

        What is known in a cell is known in each part of it; a cell in which all is known is left out.
        """

        def unknown(wanted: list[Any], cell: Cell) -> list[Any]:
            self.budget.spend(10 * len(wanted), "products of ranges")
            return [one for one in wanted if not is_known(one, cell)]

        size, room, many = self.size, delta * self.size**2, min(CELLS, self.size - 1)
        starts = [0, *(1 + k * (size - 1) // many for k in range(many)), size, size + 1]
        for signs in self._choices(room):
            table = self._table(signs, room)
            if not (left := unknown(wanted, Cell(self, signs, table))):
                continue
            self.budget.spend((len(signs) + 1) ** 3, "products of ranges")
            left = unknown(left, Cell(self, signs, table)) if _close(table) else []
            for low, end in pairwise(starts) if left else ():
                above = mpq(size - low, low) if low else None
                below = mpq(end - 1, size - end + 1) if end <= size else None
                cell = Cell(self, signs, table, above, below)
                if not cell.is_empty and (rest := unknown(left, cell)) and cell.allows_trios(delta):
                    yield cell, rest

    def largest(self, limit: mpq, wanted: list[Any], is_known: IsKnown, *, strict: bool = False) -> Any:
        """Return the largest budget, a limit or in millionths, at which all is known; the best one if work runs out.

        If it is strict, all |Γ| are below it: they are fractions of at most Q² parts.
        """
        proven = list[mpq]()

        def fails(delta: mpq) -> bool:
            below = delta - mpq(strict, self.size**2 * delta.denominator)
            is_open = any(self.cells(below, wanted, is_known))
            proven.extend([] if is_open else [delta])
            return is_open

        with suppress(TooMuchWork):
            if fails(limit):
                bisect_left(range(int(limit * _MILLION) + 1), 1, key=lambda n: fails(mpq(n, _MILLION)))
        return max(proven, default=None)

    def closest(self, conditions: tuple[Any, ...] = ()) -> tuple[LabeledVoteCounts | None, Any]:
        """Return the closest key of those that meet conditions, and its largest |Γ|."""
        first, patterns = self.votes.labels[0], self.votes.counts
        for i in self.assumed:  # Σ (Q·[first answer] − F) over the questions of the first label
            conditions += (tuple((self.size * (p[i] == first) - self.firsts[i], 0) for p in patterns),)
        key = closest_key(self.votes, conditions)
        return key, None if key is None else dependence_of(key, self.orders).largest

    def certificate(self, delta: mpq, parts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document that `check_dependence_certificate` reads."""
        votes, counts = self.votes, [[list(pattern), count] for pattern, count in self.votes.counts.items()]
        document = {
            "format": FORMAT,
            "votes": {"labels": list(votes.labels), "judges": list(votes.judges), "counts": counts},
            "orders": list(self.orders),
            "budget": str(delta),
            "strict": False,
            "assumed": list(self.names),
            "cells": CELLS,
            **parts,
        }
        document["statement"] = statement(document)
        return {**document, "checksum": checksum(document)}

    def _choices(self, room: mpq) -> list[tuple[int, ...]]:
        choices: list[tuple[int, ...]] = [()]
        for j in self.judges:
            choices = [
                (*signs, sign)
                for signs in choices
                for sign in ((1,) if j in self.assumed else (1, -1))
                if all(sign * other * self.pairs[i, j] >= -room for i, other in enumerate(signs))
            ]
            self.budget.spend(len(choices) * j, "signs")
        return choices

    def _table(self, signs: Sequence[int], room: mpq) -> Table:
        rho = 2 * len(signs)
        table: Table = [[None] * (rho + 2) for _ in range(rho + 2)]

        def bound(x: int, y: int, value: mpq) -> None:  # of x·y, that is of x over the inverse of y
            table[x][y ^ 1] = table[y][x ^ 1] = value

        for i, (sign, first) in enumerate(zip(signs, self.firsts, strict=True)):
            times, over = (mpq(self.size - first), mpq(first))[::sign]
            for y, value in ((2 * i, times * over), (rho, times), (rho + 1, over)):
                bound(2 * i, y, value)
        for (i, j), moment in self.pairs.items():
            value = signs[i] * signs[j] * moment
            bound(2 * i, 2 * j, value + room)
            if value > room:
                bound(2 * i + 1, 2 * j + 1, 1 / (value - room))
        return table


class Cell:
    """All keys with some signs and, if given, two more bounds, of ρ² and 1/ρ²: no product needs one of these twice."""

    def __init__(self, keys: Keys, signs: Sequence[int], table: Table, *ends: mpq | None) -> None:
        self.keys, self.signs, self.table, (above, below) = keys, signs, table, ends or (None, None)
        self.above, self.below = _least(above, table[-2][-1], _ONE), _least(below, table[-1][-2], _ONE)
        self.is_empty = None not in (self.above, self.below) and self.above * self.below < 1
        low, rest = (_ZERO if bound is None else 1 / (1 + bound) for bound in (self.above, self.below))
        self.share = low, 1 - rest  # 1/(1 + ρ²)

    def rates(self, i: int) -> tuple[Range | None, Range | None]:
        """Return the ranges of a judge's accuracy on each label; `None` for a label without questions."""
        (times, over), sign, first, size = self._ranges(i), self.signs[i], self.keys.firsts[i], self.keys.size
        a, b = ((first + sign * end) / size for end in times[::sign])
        c, d = ((size - first + sign * end) / size for end in over[::sign])
        return None if self.below == 0 else (a, b), None if self.above == 0 else (c, d)

    def allows_trios(self, delta: mpq) -> bool:
        """Return whether the third moments do not exclude these keys."""
        keys, share, signs, least, most = self.keys, self.share, self.signs, {}, {}
        keys.budget.spend(len(keys.judges) ** 2 + 8 * len(keys.trios), "products of ranges")
        for i, j in keys.pairs:
            inverse = self._product(2 * i + 1, 2 * j + 1)
            least[i, j], most[i, j] = 1 / inverse if inverse else _ZERO, self._product(2 * i, 2 * j)
        middle, unit = min(max(share[0], _HALF), share[1]), delta * keys.size**3
        apart = [min(_ONE, (up[1] + down[1]) / keys.size) for up, down in map(self._ranges, keys.judges)]
        # (ρ − 1/ρ)·w·w·w lies between corners; a number times its size, which avoids roots, keeps the order.
        tilts = [(1 - 2 * p) * abs(1 - 2 * p) / (p * (1 - p)) if 0 < p < 1 else _ZERO for p in share]
        for (i, j, k), moment in keys.trios.items():
            if abs(moment) <= unit and not (least[i, j] and least[i, k] and least[j, k]):
                continue  # 0 is a corner
            slack = unit * (1 + 2 * middle * (1 - middle) * (apart[i] + apart[j] + apart[k]))
            sides = [part[i, j] * part[i, k] * part[j, k] for part in (least, most)]
            corners = [signs[i] * signs[j] * signs[k] * side * tilt for side in sides for tilt in tilts]
            ends = [end * abs(end) for end in (moment - slack, moment + slack)]
            if max(corners) < ends[0] or ends[1] < min(corners):
                return False
        return True

    def _by_rho(self, x: int) -> tuple[Any, Any]:
        """Return bounds of x·ρ and of x/ρ."""
        over, times = self.table[x][-2:]
        return _least(times, over, self.above), _least(over, times, self.below)

    def _product(self, x: int, y: int) -> Any:
        """Return a bound of x·y."""
        (times, over), (other_times, other_over) = self._by_rho(x), self._by_rho(y)
        return _least(_least(self.table[x][y ^ 1], times, other_over), over, other_times)

    def _ranges(self, i: int) -> tuple[Range, Range]:
        """Return the ranges of |w_i|·ρ and of |w_i|/ρ, also by roots."""
        ends = []
        for x in (2 * i, 2 * i + 1):
            times, over = self._by_rho(x)
            square = _least(self.table[x][x ^ 1], times, over)
            ends += [_or_root(times, square, self.above), _or_root(over, square, self.below)]
        times, over, *inverse = ends
        low_over, low_times = (1 / bound if bound else _ZERO for bound in inverse)
        return (low_times, times), (low_over, over)


def _least(bound: Any, left: Any, right: Any) -> Any:
    """Return the lesser of a bound and a product of two; any may be missing."""
    if left is None or right is None:
        return bound
    product = left * right
    return product if bound is None or product < bound else bound


def _or_root(bound: Any, left: Any, right: Any) -> Any:
    """Return the lesser of a bound and a multiple of 10⁻¹² above the root of a product; any may be missing."""
    if left is None or right is None or (bound is not None and bound * bound <= left * right):
        return bound
    scaled = left * right * _ROOT**2
    root = mpq(isqrt(scaled.numerator // scaled.denominator) + 1, _ROOT)
    return root if bound is None else min(bound, root)


def _close(table: Table) -> bool:
    """Complete a table by products; `False` if a bound of x/x is below 1."""
    for middle, own in enumerate(table):
        known = [(y, bound) for y, bound in enumerate(own) if bound is not None]
        for x, row in enumerate(table):
            if (first := row[middle]) is None:
                continue
            for y, second in known:
                bound = first * second
                if row[y] is None or bound < row[y]:
                    row[y] = bound
            if row[x] is not None and row[x] < 1:
                return False  # at once: products around a contradiction grow without end
    return True


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
        if self.label is None:
            return share_right(key, key.judges.index(self.judge))
        votes = key.by_label[self.label]
        return votes.response_rate(self.judge, self.label) if votes.answered(self.judge) else None


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

    def margin_in(self, cell: Cell, votes: VoteCounts) -> Range | None:
        """Return the range of greater − lesser in a cell; `None` if the label has no questions there."""
        sides = zip(*(_by_label(side, cell, votes) for side in (self.greater, self.lesser)), strict=True)
        apart = [left and right and (left[0] - right[1], left[1] - right[0]) for left, right in sides]
        if self.label is not None:
            return apart[votes.labels.index(self.label)]
        first, second = (ends or (_ZERO, _ZERO) for ends in apart)
        ends = [p * first[k] + (1 - p) * second[k] for k in (0, 1) for p in cell.share]
        return min(ends), max(ends)

    def failure(self, votes: VoteCounts) -> tuple[Any, ...]:
        """Return the conditions under which the claim fails; a rate needs a question of its label."""

        def gain(pattern: Any, label: str) -> mpq | int:
            one = LabeledVoteCounts({label: VoteCounts({pattern: 1}, votes.labels, votes.judges)})
            sides = (self.lesser, self.greater)
            lesser, greater = (s.value(one) if isinstance(s, KeyQuantity) else s for s in sides)
            return 0 if lesser is None or greater is None else lesser - greater

        fails = tuple(tuple(gain(p, label) for label in votes.labels) for p in votes.counts)
        occurs = tuple(votes.size * (label == self.label) - 1 for label in votes.labels)
        return (fails,) if self.label is None else (fails, (occurs,) * len(votes.counts))


def read_claim(text: str, votes: VoteCounts) -> JudgeClaim:
    """Return the claim that a text makes about votes; judges are named as in the votes.

    >>> str(read_claim("J1 > J2 on a", VoteCounts({"ab": 1})))
    'the accuracy of J1 on a exceeds the accuracy of J2 on a'

    Raises `BadQuery` for a text that is not a claim, or names unknown judges or labels.
    """
    named = {judge: KeyQuantity(None, judge) for judge in votes.judges}
    for label in votes.labels:
        named |= {f"{judge} on {label}": KeyQuantity(label, judge) for judge in votes.judges}
        named[f"share of {label}"] = KeyQuantity(label)
    form = _SIDES.fullmatch(text) if isinstance(text, str) else None
    sides: list[Any] = []
    with suppress(BadNumber):
        sides = [named[form[k]] if form[k] in named else rational(form[k]) for k in (1, 3)] if form else []
    quantities = [side for side in sides if isinstance(side, KeyQuantity)]
    labels = {one.label for one in quantities} - {None}
    if len({one.judge for one in quantities} - {None}) == 2 and len(labels) < 2:
        sides = [KeyQuantity(next(iter(labels), None), one.judge) for one in quantities]  # both "on a"
    elif len(quantities) != 1 or not any(0 <= side <= 1 for side in sides if side not in quantities):
        rule = "a claim must compare two judges, on one label or on all, or one quantity with a number from 0 to 1"
        remedy = "write it like 'gpt > claude', 'gpt > claude on a', 'gpt on a > 0.8' or 'share of a > 1/2'"
        names = f"; judges are {listed(votes.judges)}, labels {listed(votes.labels)}"
        raise BadQuery(text, rule, remedy + names)
    return JudgeClaim(*(sides if form and form[2] == ">" else reversed(sides)))


def _by_label(side: Side, cell: Cell, votes: VoteCounts) -> Any:
    """Return the ranges of a quantity on the questions of each label; `None` for a label without questions."""
    if not isinstance(side, KeyQuantity):
        return (side, side), (side, side)
    if side.judge is not None:
        return cell.rates(votes.place(side.judge))
    return [(mpq(label == side.label),) * 2 for label in votes.labels]
