"""Splits of the patterns over the true labels at key counts: how many there are, and uniform draws of them.

A split of c questions over R labels is a monomial of degree c, so the splits with key counts (Q_1, …, Q_R) are counted
by the coefficient of x_1^Q_1 ⋯ x_R^Q_R in Π_v h_{c_v}(x_1, …, x_R), where h_c is the sum of all monomials of degree c.

**Two labels.** Prefix sums give all coefficients in O(patterns · Q), and suffix products the exact weights of a walk.

**More labels: rejection.** Draw the split of each pattern alone, k with a probability proportional to Π_l
w_l^{k_l}. If the key counts come out right, all splits have the same weight Π_l w_l^{Q_l}: what is accepted is
uniform, whatever the weights, which are chosen so that the key counts are about the mean. Some patterns, the block,
are drawn last. If the others leave r questions of each label to it, W(r) splits of the block fit, and the draw is
accepted with probability W(r)·Π_l w_l^{r_l} divided by the greatest such number; then the split of the block is
uniform. The block is the patterns seen once, for which W is a multinomial coefficient, or as many patterns as a
table holds.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise, product
from math import factorial, prod
from operator import add
from typing import Protocol

from gmpy2 import mpq

from ntqr_exact.budget import Budget, check_work
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.varieties.compositions import Split, compositions, count_compositions, from_splits
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

MAX_TABLE = 200_000
"""Most steps for the tables of a block: a fraction of a second."""
MAX_WEIGHT, WEIGHT_ROUNDS = 4096, 60
MAX_DRAWS = 50_000_000
"""Most splits of a pattern that are drawn for one sample before it is refused: about two minutes."""


# -- counting ----------------------------------------------------------------------------------------


def times_window(coefficients: Sequence[int], count: int) -> list[int]:
    """Return the coefficients of a polynomial times 1 + x + … + x^count, in one pass of prefix sums.

    >>> times_window([1, 1, 1], 1)
    [1, 2, 2, 1]
    """
    sums = list(accumulate(coefficients))
    rising = sums + sums[-1:] * count
    return rising[: count + 1] + [high - low for high, low in zip(rising[count + 1 :], sums, strict=False)]


def split_tables(counts: Sequence[int], limits: Sequence[int]) -> Iterator[list[int]]:
    """Yield for the first 0, 1, 2, … patterns how many splits have each sum of at most the limits.

    A table is the flat list of an array with an axis for each label but the last, whose sum is what is left.

    >>> list(split_tables([1, 1], (2, 1, 0)))[-1]  # (x + y + 1)² without y²
    [1, 2, 2, 2, 1, 0]

    Raises `TooMuchWork` if the tables would take too long.
    """
    axes = _axes(limits)
    check_work("splits at key counts of so many labels", table_work(sum(counts), limits))
    table = [1, *[0] * (prod(radix for radix, _ in axes) - 1)]
    yield table
    for count in counts:
        if len(axes) == 1:
            table = times_window(table, count)[: axes[0][0]]
            yield table
            continue
        parts = [list(table) for _ in range(count + 1)]  # times h_j of the last label, which is 1
        for radix, stride in axes:
            for before, after in pairwise(parts):  # h_j(x, …, y) = h_j(x, …) + y·h_{j−1}(x, …, y)
                for start in range(0, len(table), radix * stride):
                    first, stop = start + stride, start + radix * stride
                    after[first:stop] = map(add, after[first:stop], before[start : stop - stride])
        table = parts[count]
        yield table


def table_work(questions: int, limits: Sequence[int]) -> int:
    """Return about how many steps the tables of so many questions take."""
    return (
        prod(limit + 1 for limit in limits[:-1]) * (questions if len(limits) > 2 else 1) * len(limits) // 20
    )


def _axes(limits: Sequence[int]) -> list[tuple[int, int]]:
    """Return radix and stride of each axis, the last one fastest."""
    radices = [limit + 1 for limit in limits[:-1]]
    return [(radix, prod(radices[place + 1 :])) for place, radix in enumerate(radices)]


def index_of(sums: Sequence[int], limits: Sequence[int]) -> int:
    """Return the place of sums in a table; the last one is not needed."""
    return sum(here * stride for here, (_, stride) in zip(sums, _axes(limits), strict=False))


def count_splits(counts: Sequence[int], key: Sequence[int]) -> int:
    """Return the number of splits at key counts of any number of labels.

    For two labels it is Σ_S (−1)^|S|·C(Q_1 − Σ_S (c_v + 1) + m − 1, m − 1) over the sets S of the m patterns.

    >>> count_splits([1, 1], (1, 1, 0)), count_splits([10**12] * 8, (4 * 10**12, 4 * 10**12)) % 10**12
    (2, 600000000001)
    """
    limits = sorted(key)  # names do not matter, and the largest needs no axis
    if len(limits) > 2 or not counts:
        *_, table = split_tables(counts, limits)
        return table[-1]
    check_work("splits at key counts", len(counts) * min(2 ** len(counts), limits[0] + 1))
    signs = {0: 1}
    for count in counts:
        for taken, sign in list(signs.items()):
            if taken + count < limits[0]:
                signs[taken + count + 1] = signs.get(taken + count + 1, 0) - sign
    return sum(sign * count_compositions(limits[0] - taken, len(counts)) for taken, sign in signs.items())


# -- drawing -----------------------------------------------------------------------------------------


def uniform_composition(bits: random.Random, total: int, boxes: int) -> tuple[int, ...]:
    """Return a uniform way to distribute `total` equal things over the boxes.

    Such a way is a set of boxes − 1 bars among total + boxes − 1 places; Floyd's algorithm draws the
    set with one number for each bar (Bentley and Floyd, Communications of the ACM 30 (1987) 754).
    """
    places = total + boxes - 1
    bars: set[int] = set()
    for last in range(places - boxes + 1, places):
        place = below(bits, last + 1)
        bars.add(last if place in bars else place)
    fences = [-1, *sorted(bars), places]
    return tuple(right - left - 1 for left, right in pairwise(fences))


@dataclass(frozen=True, slots=True)
class GroupSampler:
    """Draws consistent group evaluations, uniformly; made once, it draws as often as one likes."""

    votes: VoteCounts
    draw_splits: Callable[[random.Random], list[Split]]

    def draw(self, bits: random.Random) -> LabeledVoteCounts:
        """Return one uniform group evaluation, taking its randomness from `bits`."""
        splits = self.draw_splits(bits)
        return from_splits(self.votes.labels, self.votes.judges, self.votes.counts, splits)

    def draws(self, *, seed: RationalLike) -> Iterator[LabeledVoteCounts]:
        """Iterate without end over independent uniform group evaluations."""
        bits = bits_from(seed)
        while True:
            yield self.draw(bits)


def group_sampler(votes: VoteCounts, key: tuple[int, ...] | None) -> GroupSampler:
    """Return the sampler of the consistent group evaluations, at key counts if given."""
    counts, labels = tuple(votes.counts.values()), len(votes.labels)
    if key is None:
        return GroupSampler(votes, lambda bits: [uniform_composition(bits, n, labels) for n in counts])
    if labels == 2:
        return GroupSampler(votes, partial(_splits_of_two, counts, key[0], _suffix_sums(counts)))
    return GroupSampler(votes, _Rejection(counts, key).draw)


def _suffix_sums(counts: tuple[int, ...]) -> tuple[list[int], ...]:
    """Return for each j how many splits of the patterns from j on have at most t questions of the first label."""
    coefficients, sums = [1], [[1]]
    for count in reversed(counts):
        coefficients = times_window(coefficients, count)
        sums.append(list(accumulate(coefficients)))
    return tuple(reversed(sums))


def _splits_of_two(
    counts: tuple[int, ...], key: int, sums: tuple[list[int], ...], bits: random.Random
) -> list[Split]:
    """Draw splits over two true labels with `key` questions of the first, pattern after pattern.

    Pattern j takes k of the q that are left with weight w_{j+1}(q − k); these weights are
    consecutive differences of `sums[j + 1]`, so one number and one bisection draw k exactly.
    """
    left = key
    splits: list[Split] = []
    for count, after_it in zip(counts, sums[1:], strict=True):
        highest = min(left, len(after_it) - 1)  # what may be left after this pattern
        before = left - count - 1
        skipped = after_it[before] if before >= 0 else 0
        after = bisect_right(after_it, skipped + below(bits, after_it[highest] - skipped))
        splits.append((left - after, count - left + after))
        left = after
    return splits


class _Block(Protocol):
    """The patterns that are drawn last: how many splits fit into a rest, and a uniform one of them."""

    def ways(self, rest: Split) -> int: ...
    def draw(self, rest: Split, bits: random.Random) -> list[Split]: ...
    def greatest(self, weights: Sequence[int]) -> int: ...


class _SeenOnce:
    """Patterns seen once: a split is an order of the labels that are left."""

    def __init__(self, number: int) -> None:
        self.number = number

    def ways(self, rest: Split) -> int:
        return factorial(self.number) // prod(map(factorial, rest))

    def draw(self, rest: Split, bits: random.Random) -> list[Split]:
        labels = [label for label, count in enumerate(rest) for _ in range(count)]
        for last in range(len(labels) - 1, 0, -1):
            other = below(bits, last + 1)
            labels[last], labels[other] = labels[other], labels[last]
        return [tuple(int(label == here) for label in range(len(rest))) for here in labels]

    def greatest(self, weights: Sequence[int]) -> int:
        """Return the greatest W(r)·Π w^r: each question more goes where w_l/(r_l + 1) is greatest."""
        rest = [0] * len(weights)
        for _ in range(self.number):
            best = 0
            for label, weight in enumerate(weights):
                if weight * (rest[best] + 1) > weights[best] * (rest[label] + 1):
                    best = label
            rest[best] += 1
        return self.ways(tuple(rest)) * _weight(weights, rest)


class _InATable:
    """Any patterns, with tables of the sums of the first 0, 1, 2, … of them."""

    def __init__(self, counts: Sequence[int], key: Split) -> None:
        self.counts, self.size = counts, sum(counts)
        self.limits = [min(count, self.size) for count in key]
        self.tables = list(split_tables(counts, self.limits))

    def ways(self, rest: Split) -> int:
        return self.tables[-1][index_of(rest, self.limits)]

    def draw(self, rest: Split, bits: random.Random) -> list[Split]:
        splits: list[Split] = []
        for place in reversed(range(len(self.counts))):
            drawn = below(bits, self.tables[place + 1][index_of(rest, self.limits)])
            for split in compositions(self.counts[place], len(rest), limits=rest):
                left = tuple(q - k for q, k in zip(rest, split, strict=True))
                drawn -= self.tables[place][index_of(left, self.limits)]
                if drawn < 0:
                    break
            splits.append(split)
            rest = left
        return splits[::-1]

    def greatest(self, weights: Sequence[int]) -> int:
        sums = product(*(range(limit + 1) for limit in self.limits[:-1]))
        found = zip(sums, self.tables[-1], strict=True)
        return max(n * _weight(weights, (*some, self.size - sum(some))) for some, n in found if n)


class _Rejection:
    """Draws at key counts of three labels or more; see above."""

    def __init__(self, counts: tuple[int, ...], key: Split) -> None:
        self.key = key
        order = sorted(range(len(counts)), key=lambda place: counts[place])
        sizes = list(accumulate(counts[place] for place in order))
        tabled = sum(table_work(size, [min(count, size) for count in key]) <= MAX_TABLE for size in sizes)
        once = counts.count(1)
        in_block = order[: max(once, tabled)]
        self.block: _Block = (
            _SeenOnce(once) if once > tabled else _InATable([counts[i] for i in in_block], key)
        )
        others = order[len(in_block) :]
        self.counts = [counts[place] for place in others]
        self.places = [*others, *in_block]
        self.weights = _weights(self.counts, sum(counts[i] for i in in_block), key)
        # sums[l][c] is h_c of the weights of the labels from l on.
        self.sums = [_powers(self.weights[label:], max(self.counts, default=0)) for label in range(len(key))]
        self.greatest = self.block.greatest(self.weights)

    def draw(self, bits: random.Random) -> list[Split]:
        budget = Budget(MAX_DRAWS)
        while True:
            budget.spend(len(self.places), "draws at key counts of so many labels")
            rest = list(self.key)
            splits: list[Split] = []
            for count in self.counts:
                splits.append(self._split(count, bits))
                for label, part in enumerate(splits[-1]):
                    rest[label] -= part
                if min(rest) < 0:
                    break
            else:
                left = tuple(rest)
                if below(bits, self.greatest) < self.block.ways(left) * _weight(self.weights, left):
                    splits += self.block.draw(left, bits)
                    return [split for _, split in sorted(zip(self.places, splits, strict=True))]

    def _split(self, count: int, bits: random.Random) -> Split:
        """Draw the split of a pattern with weight Π w_l^{k_l}, label after label."""
        split = []
        for label, weight in enumerate(self.weights[:-1]):
            drawn = below(bits, self.sums[label][count])
            here, power, after = 0, 1, self.sums[label + 1]
            while drawn >= power * after[count - here]:
                drawn -= power * after[count - here]
                here += 1
                power *= weight
            split.append(here)
            count -= here
        return (*split, count)


def _weight(weights: Sequence[int], parts: Sequence[int]) -> int:
    return prod(weight**part for weight, part in zip(weights, parts, strict=True))


def _powers(weights: Sequence[int], last: int) -> list[int]:
    """Return h_0, …, h_last of the weights: one more weight w gives h_c + w·(its own value at c − 1)."""
    values = [1, *[0] * last]
    for weight in weights:
        for c in range(1, last + 1):
            values[c] += weight * values[c - 1]
    return values


def _weights(counts: Sequence[int], block: int, key: Split) -> list[int]:
    """Return whole weights of the labels under which the key counts are about the mean.

    A pattern of c questions has Σ_{j ≥ 1} w_l^j·h_{c−j}/h_c of label l on average, and the block about its share of w.
    Small steps: the mean of many questions of one pattern changes fast with the weights.
    """
    weights = [MAX_WEIGHT * count // max(key) or int(count > 0) for count in key]
    number = {count: counts.count(count) for count in set(counts)}
    for _ in range(WEIGHT_ROUNDS):
        sums = _powers(weights, max(counts, default=0))
        steps = []
        for weight, count in zip(weights, key, strict=True):
            mean = mpq(block * weight, sum(weights))
            for c, times in number.items():
                mean += mpq(times * sum(weight**j * sums[c - j] for j in range(1, c + 1)), sums[c])
            steps.append(weight * (7 * mean + count) / (8 * mean) if mean else mpq(0))
        scale = MAX_WEIGHT / max(steps)
        weights = [int(step * scale) or int(step > 0) for step in steps]
    return weights
