"""Which keys the votes' own moments leave if all correlations are small: the arithmetic of `tree_checker`.

For two labels ranges of products of two numbers are multiplied, and whole numbers are tried; for more the rank of
covariances decides. Numbers are fractions, or any exact numbers given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import isqrt, prod
from typing import Any, TypeAlias

Products: TypeAlias = dict[tuple[int, int], Any]
"""Upper bounds of quotients of two nodes: i stands for |W_i|, ~i for its inverse."""

Places: TypeAlias = tuple[int, ...]

Cell: TypeAlias = tuple[tuple[Any, Any], tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]]
"""A range of the share of the first label; on each label, for each judge, a range of the rate of the first answer."""

Counts: TypeAlias = Sequence[tuple[tuple[int, ...], int]]


class ProductRanges:
    """What follows for two labels by multiplying ranges, if no |Γ| exceeds δ; or if all are below it, if `is_strict`.

    Of Q questions m have the first label, F_i the first answer of judge i, G_ij those of i and j. With P = m/Q, rates α
    and β of the first answer, ρ = √((1−P)/P), W_i = Q·(α_i − β_i)·√(P(1−P)) and C_ij = Q·G_ij − F_i·F_j

        |C_ij − W_i·W_j| ≤ δ·Q² ,  W_i² ≤ F_i·(Q − F_i) ,  F_i + W_i·ρ = Q·α_i ≤ Q ,  F_i − W_i/ρ = Q·β_i ≥ 0  (W > 0),

    and if trios count, Q³·T differs from (ρ − 1/ρ)·W_i·W_j·W_k by at most δ·Q³·(1 + 2·P(1−P)·Σ|α − β|).
    """

    def __init__(
        self, counts: Counts, delta: Any, orders: Sequence[int] = (2,), *, is_strict: bool = False
    ) -> None:
        """Add up the votes."""
        self.counts, self.delta, self.orders, self.is_strict = counts, delta, orders, is_strict
        self.one = type(delta)(1)  # a whole number over another would be a float
        self.judges, self.size = range(len(counts[0][0])), sum(n for _, n in counts)
        self.firsts = [sum(n for p, n in counts if p[i] == 0) for i in self.judges]
        pairs = product(self.judges, repeat=2)
        self.both = {(i, j): sum(n for p, n in counts if p[i] == p[j] == 0) for i, j in pairs}
        self.moments = {
            (i, j): self.size * g - self.firsts[i] * self.firsts[j] for (i, j), g in self.both.items()
        }
        self.room, self.nodes = delta * self.size**2, [*self.judges, *(~i for i in self.judges)]

    def is_small(self, total: Any, scale: int) -> bool:
        """Tell whether total/scale is a size of a correlation that is allowed."""
        top, bottom = abs(total) * self.delta.denominator, self.delta.numerator * scale
        return bool(top < bottom or (top == bottom and not self.is_strict))

    def signs(self, better: Sequence[int], known: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Iterate over the signs of the W that the pairs allow; those of better judges are positive."""
        j = len(known)
        if j == len(self.judges):
            yield known
            return
        for sign in (1,) if j in better else (1, -1):
            values = [known[i] * sign * self.moments[i, j] for i in range(j)]
            if all(value >= 0 or self.is_small(value, self.size**2) for value in values):
                yield from self.signs(better, (*known, sign))

    def table(self, signs: Sequence[int]) -> Products:
        """Return the bounds of products of two |W|."""
        table: Products = {(i, ~i): self.one * self.moments[i, i] for i in self.judges}
        for i, j in combinations(self.judges, 2):
            value = signs[i] * signs[j] * self.moments[i, j]
            table[i, ~j] = table[j, ~i] = value + self.room
            if value > self.room:
                table[~i, j] = table[~j, i] = 1 / (value - self.room)
        return table

    def cells(self, better: Sequence[int], how_many: int) -> Iterator[Cell]:
        """Iterate over ranges of P and of the rates in which keys may be, for so many ranges of m and all signs."""
        rho, one = len(self.judges), self.one
        if self.allows_one_label():  # nobody has rates on the other
            rates, free = [(one * f / self.size,) * 2 for f in self.firsts], [(0 * one, one)] * rho
            yield from (((one, one), (rates, free)), ((0 * one, 0 * one), (free, rates)))
        how_many = min(how_many, self.size - 1)
        for signs in self.signs(better):
            table, nodes = self.table(signs), [*self.nodes, rho, ~rho]
            for i, first in enumerate(self.firsts):
                bounds = (self.one * (self.size - first), self.one * first)[:: signs[i]]
                table[i, ~rho] = table[rho, ~i] = bounds[0]
                table[i, rho] = table[~rho, ~i] = bounds[1]
            if multiplied(table, nodes) < 1:
                continue
            for k in range(how_many):
                start, stop = (1 + part * (self.size - 1) // how_many for part in (k, k + 1))
                least, most = one * start / self.size, one * (stop - 1) / self.size
                cell = self._cell(dict(table), nodes, signs, least, most)
                if cell is not None:
                    yield cell

    def allows_one_label(self) -> bool:
        """Tell whether a key that gives all questions one label is one of those asked for."""
        pairs = combinations(self.judges, 2)
        return all(self.is_small(self.moments[pair], self.size**2) for pair in pairs) and all(
            self.is_small(self.third(trio), self.size**4) for trio in self.trios()
        )

    def _cell(
        self, table: Products, nodes: Sequence[int], signs: Sequence[int], least: Any, most: Any
    ) -> Cell | None:
        """Return the ranges of a cell of P, or nothing if they contradict each other."""
        rho = len(signs)
        for pair, bound in (((rho, ~rho), 1 / least - 1), ((~rho, rho), most / (1 - most))):
            table[pair] = min(table.get(pair, bound), bound)
        if multiplied(table, nodes, (rho, ~rho)) < 1:
            return None
        least, most = 1 / (1 + table[rho, ~rho]), 1 - 1 / (1 + table[~rho, rho])
        times, over = ([self._quotient(table, i, end) for i in self.judges] for end in (~rho, rho))
        middle = min(max(least, self.one / 2), most)
        for trio in self.trios():
            apart = sum(min(1, (times[i][1] + over[i][1]) / self.size) for i in trio)
            slack = self.delta * (1 + 2 * middle * (1 - middle) * apart) * self.size**3
            low = high = prod(signs[i] for i in trio)
            for i, j in combinations(trio, 2):
                high, low = high * table[i, ~j], low / table[~i, j] if (~i, j) in table else 0
            # (ρ − 1/ρ)·W·W·W lies between corners; numbers times their sizes spare the roots.
            corners = [
                w * (1 - 2 * p) * abs(1 - 2 * p) / (p * (1 - p)) for w in (low, high) for p in (least, most)
            ]
            moment = self.one * self.third(trio) / self.size
            below, above = moment - slack, moment + slack
            if max(corners) < below * abs(below) or above * abs(above) < min(corners):
                return None
        sides = (
            zip(self.firsts, signs, times, strict=True),
            zip(self.firsts, [-s for s in signs], over, strict=True),
        )
        first, second = ([self._rate(*part) for part in side] for side in sides)
        return (least, most), (first, second)

    def _quotient(self, table: Products, x: int, y: int) -> tuple[Any, Any]:
        """Return the range of x/y, which also is the root of that of x² times that of 1/y²."""
        high = min(table[x, y], _root_above(table[x, ~x] * table[~y, y]))
        lows = [1 / table[y, x]] if table.get((y, x)) else []
        if (~x, x) in table and (y, ~y) in table:
            lows.append(1 / _root_above(table[~x, x] * table[y, ~y]))
        return max(lows, default=0 * high), high

    def _rate(self, first: int, sign: int, ends: tuple[Any, Any]) -> tuple[Any, Any]:
        low, high = sorted((first + sign * end) / self.size for end in ends)
        return low, high

    def trios(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the trios, if they count."""
        return combinations(self.judges, 3) if 3 in self.orders else iter(())

    def third(self, trio: Sequence[int]) -> int:
        """Return Q⁴ times the third central moment of the votes of three judges."""
        return _third(self.size, self.votes_of(trio), [self.firsts[i] for i in trio])

    def votes_of(self, judges: Sequence[int]) -> dict[Any, int]:
        """Return how often some judges gave each pattern."""
        votes: dict[Any, int] = dict.fromkeys(product((0, 1), repeat=len(judges)), 0)
        for p, n in self.counts:
            votes[tuple(p[i] for i in judges)] += n
        return votes


class WholeSums(ProductRanges):
    """How many questions of the first label, and answers on them, a key has if all its pairs have |Γ| < δ.

    Of the m questions let R_i have the first answer of judge i, S_ij those of i and j, and let D_i = R_i·Q − F_i·m:
    then W_i·W_j = D_i·D_j/(m·(Q − m)). Where products leave room, m and the R_i are tried one by one: each pair
    needs a whole S_ij with |m·S − R_i·R_j| < δ·m², and the same on the other label.
    """

    def __init__(
        self, counts: Counts, delta: Any, orders: Sequence[int] = (2,), most_steps: int | None = None
    ) -> None:
        """Add up the votes."""
        super().__init__(counts, delta, orders, is_strict=True)
        self.steps, self.most_steps = 0, most_steps
        self.groups: dict[Places, dict[Any, int]] = {}

    def tables(self) -> Iterator[tuple[tuple[int, ...], Products]]:
        """Iterate over the possible signs of the W, the first positive, and the ranges of products with them."""
        for signs in self.signs((0,)):
            table = self.table(signs)
            if multiplied(table, self.nodes) > 1:
                yield signs, table

    def found(self) -> Iterator[tuple[int, list[int]]]:
        """Iterate over the m and R that pass, 0 for a key of one label; `delta` may be lowered on the way."""
        if self.allows_one_label():
            yield 0, []
        for signs, table in self.tables():
            order = [max(self.judges, key=lambda i: sum(abs(self.moments[i, j]) for j in self.judges))]
            signed = [sign * signs[order[0]] for sign in signs]  # the mirror image of a key is as dependent
            while len(order) < len(self.judges):  # next whoever is bound most narrowly
                rest = [(j, k) for j, k in product(order, self.judges) if k not in order]
                widths = [table.get((~j, k), self.size**2) * table[j, ~k] for j, k in rest]
                order.append(rest[widths.index(min(widths))][1])
            for m in range(1, self.size):
                yield from self._answers(m, order, signed, table)

    def _answers(
        self, m: int, order: Sequence[int], signs: Sequence[int], table: Products
    ) -> Iterator[tuple[int, list[int]]]:
        """Iterate over the R that pass for one m, judge by judge."""
        q, answers = self.size - m, [0] * len(order)
        ranges = {}
        for i, j in product(self.judges, repeat=2):
            least, most = table.get((~i, j)), table[i, ~j]
            low = 0 if least is None else m * q * least.denominator // least.numerator
            ranges[i, j] = (low, -(-m * q * most.numerator // most.denominator))

        def tried(depth: int) -> Iterator[tuple[int, list[int]]]:
            self.count_step()
            if depth == len(order):
                if all(self.trio_shares(m, answers, trio) for trio in combinations(self.judges, 3)) and all(
                    self.four_fit(m, answers, four) for four in combinations(self.judges, 4)
                ):
                    yield m, list(answers)
                return
            k = order[depth]
            total = self.firsts[k]
            low, high = max(0, total - q), min(m, total)
            limits = [(isqrt(ranges[k, k][0]), isqrt(ranges[k, k][1]))]
            for j in order[:depth]:
                size = abs(answers[j] * self.size - self.firsts[j] * m)
                least, most = ranges[j, k]
                if size:
                    limits.append((-(-least // size), most // size))
                elif least > 0:
                    return
            for least, most in limits:
                below, above = (least, most) if signs[k] > 0 else (-most, -least)
                low = max(low, -(-(below + total * m) // self.size))
                high = min(high, (above + total * m) // self.size)
            for number in range(low, high + 1):
                answers[k] = number
                if all(self._pairs(m, answers, j, k) for j in order[:depth]):
                    yield from tried(depth + 1)

        yield from tried(0)

    def _pairs(self, m: int, answers: Sequence[int], i: int, j: int) -> range:
        """Return the S_ij that are not too far from R_i·R_j/m, on either label."""
        low, high, both = 0, self.both[i, j], self.both[i, j]
        rest = (self.size - m, self.firsts[i] - answers[i], self.firsts[j] - answers[j])
        for size, a, b in ((m, answers[i], answers[j]), rest):
            # The largest whole number below δ·size².
            slack = (self.delta.numerator * size * size - 1) // self.delta.denominator
            least, most = max(-((slack - a * b) // size), a + b - size, 0), min((a * b + slack) // size, a, b)
            # The range of the other label; after two turns it is that of this one again.
            low, high = max(both - high, least), min(both - low, most)
        return range(int(both - high), int(both - low) + 1)

    def trio_shares(self, m: int, answers: Sequence[int], trio: Sequence[int]) -> dict[Any, int] | None:
        """Return how many questions of each pattern of three judges have the first label, or nothing if none fit."""
        firsts, rest = (
            [side[i] for i in trio]
            for side in (answers, [f - r for f, r in zip(self.firsts, answers, strict=True)])
        )
        for known in self._known(m, answers, trio):
            votes, offsets, numbers = self._last(known, trio)
            for three in numbers:
                shares = {p: o + s * three for p, (s, o) in offsets.items()}
                others = {p: n - shares[p] for p, n in votes.items()}
                parts = ((m, shares, firsts), (self.size - m, others, rest)) if 3 in self.orders else ()
                if all(self.is_small(_third(*part), part[0] ** 4) for part in parts):
                    return shares
        return None

    def _known(self, m: int, answers: Sequence[int], group: Sequence[int]) -> Iterator[dict[Places, int]]:
        """Iterate over how many of the m questions have first answers of each subset of a group, up to pairs."""
        places = range(len(group))
        pairs = list(combinations(places, 2))
        ranges = [self._pairs(m, answers, group[i], group[j]) for i, j in pairs]
        for numbers in product(*ranges):
            self.count_step()
            yield {
                (): m,
                **{(i,): answers[group[i]] for i in places},
                **dict(zip(pairs, numbers, strict=True)),
            }

    def _last(
        self, known: Mapping[Places, int], group: Sequence[int]
    ) -> tuple[dict[Any, int], dict[Any, Any], range]:
        """Return what is known of a group's patterns, and the numbers that questions may have with all first answers.

        A pattern has sign·number + offset questions, by inclusion and exclusion.
        """
        if tuple(group) not in self.groups:
            self.groups[tuple(group)] = self.votes_of(group)
        votes, offsets = self.groups[tuple(group)], {}
        low, high = 0, self.size
        for p, sign, parts in _exclusions(len(group)):
            offset = sum([s * known[subset] for s, subset in parts])
            offsets[p] = (sign, offset)
            ends = (-offset, votes[p] - offset) if sign > 0 else (offset - votes[p], offset)
            low, high = max(low, ends[0]), min(high, ends[1])
        return votes, offsets, range(low, high + 1)

    def four_fit(self, m: int, answers: Sequence[int], four: Sequence[int]) -> bool:
        """Tell whether pairs and trios of four judges fit together."""
        trios = list(combinations(range(4), 3))
        for known in self._known(m, answers, four):
            within = [
                {
                    tuple(trio.index(i) for i in subset): n
                    for subset, n in known.items()
                    if set(subset) <= set(trio)
                }
                for trio in trios
            ]
            threes = [
                self._last(part, [four[i] for i in trio])[2] for part, trio in zip(within, trios, strict=True)
            ]
            for numbers in product(*threes):
                self.count_step()
                if self._last({**known, **dict(zip(trios, numbers, strict=True))}, four)[2]:
                    return True
        return False

    def count_step(self) -> None:
        """Raise `TimeoutError` after as many steps as are allowed."""
        self.steps += 1
        if self.most_steps is not None and self.steps >= self.most_steps:
            raise TimeoutError("too many numbers to try")


@cache
def _exclusions(judges: int) -> list[tuple[Places, int, list[tuple[int, Places]]]]:
    """Return for each pattern the sign of the number with all first answers, and the signs of smaller subsets."""
    found = []
    for p in product((0, 1), repeat=judges):
        firsts = {i for i in range(judges) if p[i] == 0}
        subsets = [t for k in range(judges) for t in combinations(range(judges), k) if firsts <= set(t)]
        parts = [((-1) ** (len(t) - len(firsts)), t) for t in subsets]
        found.append((p, (-1) ** (judges - len(firsts)), parts))
    return found


def _third(size: int, shares: Mapping[Any, int], firsts: Sequence[int]) -> int:
    """Return size⁴ times the third central moment of the first answers of three judges."""
    ends = [(size - first, -first) for first in firsts]
    return sum(n * ends[0][p[0]] * ends[1][p[1]] * ends[2][p[2]] for p, n in shares.items())


def _root_above(value: Any) -> Any:
    """Return a multiple of 10⁻¹² above the root."""
    return type(value)(isqrt(int(value * 10**24)) + 1) / 10**12


def multiplied(table: Products, nodes: Sequence[int], middles: Sequence[int] | None = None) -> Any:
    """Complete bounds table[x, y] of x/y by their products (Floyd, Warshall); return the least bound of some x/x.

    The node i is |W_i| and ~i its inverse. A bound of x/x below 1 is a contradiction. In a complete table, only nodes
    with new bounds between them have to stand in the middle.
    """
    for middle, x in product(middles or nodes, nodes):
        first = table.get((x, middle))
        if first is not None:
            for y in nodes:
                second = table.get((middle, y))
                if second is not None and ((x, y) not in table or first * second < table[x, y]):
                    table[x, y] = first * second
    return min((table[x, x] for x in nodes if (x, x) in table), default=2)


def rank_proves(
    counts: Counts, labels: int, who: Sequence[int], matrices: Sequence[Any], delta: Fraction
) -> bool:
    """Tell whether U·C·Vᵀ = I_R, and δ·Σ_a S(u_a)·S(v_a) ≤ 1, S adding up over the judges min_c Σ_r |u(r) − c|.

    C has the covariances of two judges with two others: a matrix of rank at most R − 1 plus a mean of the Γ.
    """
    (left, right), size = matrices, sum(n for _, n in counts)

    def share(*cells: tuple[int, int]) -> Fraction:
        return Fraction(sum(n for p, n in counts if all(p[who[i]] == r for i, r in cells)), size)

    if not len(left) == len(right) == labels:
        return False
    rows, columns = ([(place, r) for place in pair for r in range(labels)] for pair in ((0, 1), (2, 3)))
    block = [[share(row, column) - share(row) * share(column) for column in columns] for row in rows]
    for a, u in enumerate(left):
        across = [sum(x * line[k] for x, line in zip(u, block, strict=True)) for k in range(2 * labels)]
        for b, v in enumerate(right):
            if sum(x * y for x, y in zip(across, v, strict=True)) != (a == b):
                return False
    spreads = (spread(u, labels) * spread(v, labels) for u, v in zip(left, right, strict=True))
    return delta * sum(spreads, Fraction(0)) <= 1


def spread(row: Sequence[Any], labels: int) -> Any:
    """Return S(u): over the judges, Σ_r |u(r) − c| with the median as c, which makes it least."""
    parts = (sorted(row[start : start + labels]) for start in range(0, len(row), labels))
    return sum([abs(x - part[labels // 2]) for part in parts for x in part])
