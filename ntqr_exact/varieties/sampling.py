"""Splits of the patterns over the true labels at key counts: how many there are, and uniform draws of them.

A split of c questions is a monomial of degree c: splits with key counts (Q_1, …, Q_R) are counted by the coefficient
of x_1^Q_1 ⋯ x_R^Q_R in Π_v h_{c_v}(x_1, …, x_R), where h_c is the sum of all monomials of degree c.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from math import factorial, prod
from operator import add, mul

from gmpy2 import mpq

from ntqr_exact.budget import Budget, check_work
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.varieties.compositions import Split, count_compositions, from_splits, uniform_composition
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

MAX_WEIGHT, WEIGHT_ROUNDS = 4096, 40
MAX_DRAWS = 50_000_000
"""Most splits of a pattern that are drawn for one sample before it is refused: about two minutes."""


def split_table(counts: Sequence[int], limits: Sequence[int]) -> list[int]:
    """Return how many splits have each sum of at most the limits, in lexicographic order of all sums but the last.

    >>> split_table([1, 1], (2, 1, 0))  # (x + y + 1)² without y²
    [1, 2, 2, 2, 1, 0]

    Raises `TooMuchWork` if the table would take too long.
    """
    radices = [limit + 1 for limit in limits[:-1]]
    steps = prod(radices) * (sum(counts) if len(radices) > 1 else 1) * len(limits)
    check_work("a table of the splits at key counts", steps // 20)
    table = [1, *[0] * (prod(radices) - 1)]
    for count in counts:
        if len(radices) == 1:
            table = times_window(table, count)[: radices[0]]
            continue
        parts = [list(table) for _ in range(count + 1)]  # times h_j of the last label, which is 1
        for axis, radix in enumerate(radices):
            stride = prod(radices[axis + 1 :])
            for before, after in pairwise(parts):  # h_j(x, …, y) = h_j(x, …) + y·h_{j−1}(x, …, y)
                for start in range(0, len(table), radix * stride):
                    first, stop = start + stride, start + radix * stride
                    after[first:stop] = map(add, after[first:stop], before[start : stop - stride])
        table = parts[count]
    return table


def times_window(coefficients: Sequence[int], count: int) -> list[int]:
    """Return the coefficients of a polynomial times 1 + x + … + x^count, in one pass of prefix sums."""
    sums = list(accumulate(coefficients))
    rising = sums + sums[-1:] * count
    return rising[: count + 1] + [high - low for high, low in zip(rising[count + 1 :], sums, strict=False)]


def count_splits(counts: Sequence[int], key: Sequence[int]) -> int:
    """Return the number of splits at key counts of any number of labels.

    For two labels it is Σ_S (−1)^|S|·C(Q_1 − Σ_S (c_v + 1) + m − 1, m − 1) over the sets S of the m patterns.

    >>> count_splits([1, 1], (1, 1, 0)), count_splits([10**12] * 8, (4 * 10**12, 4 * 10**12)) % 10**12
    (2, 600000000001)
    """
    limits = sorted(key)  # names do not matter, and the largest needs no axis
    if len(limits) > 2 or not counts:
        return split_table(counts, limits)[-1]
    check_work("splits at key counts", len(counts) * min(2 ** len(counts), limits[0] + 1))
    signs = {0: 1}
    for count in counts:
        for taken, sign in list(signs.items()):
            if taken + count < limits[0]:
                signs[taken + count + 1] = signs.get(taken + count + 1, 0) - sign
    return sum(sign * count_compositions(limits[0] - taken, len(counts)) for taken, sign in signs.items())


@dataclass(frozen=True, slots=True)
class GroupSampler:
    """Draws consistent group evaluations, uniformly and independently; its tables are made once."""

    votes: VoteCounts
    draw_splits: Callable[[random.Random], list[Split]]

    def draws(self, *, seed: RationalLike) -> Iterator[LabeledVoteCounts]:
        """Iterate without end; the same draws for the same seed."""
        bits = bits_from(seed)
        while True:
            splits = self.draw_splits(bits)
            yield from_splits(self.votes.labels, self.votes.judges, self.votes.counts, splits)


def group_sampler(votes: VoteCounts, key: tuple[int, ...] | None) -> GroupSampler:
    """Return the sampler of the consistent group evaluations, at key counts if given."""
    counts, labels = tuple(votes.counts.values()), len(votes.labels)
    if key is None:
        return GroupSampler(votes, lambda bits: [uniform_composition(bits, n, labels) for n in counts])
    if labels > 2 and counts:
        return GroupSampler(votes, _Rejection(counts, key).draw)
    sums, coefficients = [[1]], [1]
    for count in reversed(counts):
        coefficients = times_window(coefficients, count)
        sums.append(list(accumulate(coefficients)))
    return GroupSampler(votes, partial(_splits_of_two, counts, key[0], sums[-2::-1]))


def _splits_of_two(
    counts: tuple[int, ...], key: int, sums: list[list[int]], bits: random.Random
) -> list[Split]:
    """Draw splits over two true labels with `key` questions of the first, pattern after pattern.

    `sums[j][t]` is how many splits of the patterns after j have at most t questions of the first label: one number
    and one bisection draw what pattern j leaves.
    """
    left = key
    splits: list[Split] = []
    for count, after_it in zip(counts, sums, strict=True):
        highest = min(left, len(after_it) - 1)  # what may be left after this pattern
        before = left - count - 1
        skipped = after_it[before] if before >= 0 else 0
        after = bisect_right(after_it, skipped + below(bits, after_it[highest] - skipped))
        splits.append((left - after, count - left + after))
        left = after
    return splits


class _Rejection:
    """Draws at key counts of three labels or more.

    Each pattern's split k is drawn alone with a probability proportional to Π_l w_l^{k_l}. If the key counts come out
    right, all splits have the same weight Π_l w_l^{Q_l}: what is accepted is uniform, whatever the weights, which are
    chosen so that the key counts are about the mean. The block, the pattern seen most or all patterns seen once, gets
    what the others leave: r questions of each label, which W(r) splits of it have, 1 or a multinomial coefficient. The
    draw is accepted with probability W(r)·Π_l w_l^{r_l} over the greatest such number.
    """

    def __init__(self, counts: tuple[int, ...], key: Split) -> None:
        self.key, self.weights = key, _weights(Counter(counts), key)
        largest, once = max(counts, default=0), counts.count(1)
        # sums[l][c] is h_c of the weights of the labels from l on.
        self.sums = [_powers(self.weights[label:], largest) for label in range(len(key))]
        order = sorted(range(len(counts)), key=counts.__getitem__)
        # Accepted are more in proportion to (Σ W·Πw) / (greatest W·Πw).
        self.greatest, greatest_once = max(self.weights) ** largest, self._greatest_once(once)
        self.shuffled = sum(self.weights) ** once * self.greatest > greatest_once * self.sums[0][largest]
        if self.shuffled:
            self.greatest = greatest_once
            order = order[once:] + order[:once]
        self.block = once if self.shuffled else 1
        self.order, self.counts = order, [counts[index] for index in order[: -self.block]]

    def _greatest_once(self, number: int) -> int:
        """Return the greatest W(r)·Π w^r: each question more goes where w_l/(r_l + 1) is greatest."""
        rest = [0] * len(self.weights)
        for _ in range(number):
            rates = [mpq(weight, count + 1) for weight, count in zip(self.weights, rest, strict=True)]
            rest[rates.index(max(rates))] += 1
        return _orders(rest) * self._weight(rest)

    def _weight(self, parts: Sequence[int]) -> int:
        return prod(weight**part for weight, part in zip(self.weights, parts, strict=True))

    def draw(self, bits: random.Random) -> list[Split]:
        budget = Budget(MAX_DRAWS)
        while True:
            budget.spend(len(self.order), "draws at key counts")
            rest = list(self.key)
            splits: list[Split] = []
            for count in self.counts:
                splits.append(self._split(count, bits))
                rest = [left - part for left, part in zip(rest, splits[-1], strict=True)]
                if min(rest) < 0:
                    break
            else:
                ways = _orders(rest) if self.shuffled else 1
                if below(bits, self.greatest) < ways * self._weight(rest):
                    splits += self._shuffle(rest, bits) if self.shuffled else [tuple(rest)]
                    return [split for _, split in sorted(zip(self.order, splits, strict=True))]

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

    def _shuffle(self, rest: Sequence[int], bits: random.Random) -> list[Split]:
        labels = [label for label, count in enumerate(rest) for _ in range(count)]
        for last in range(len(labels) - 1, 0, -1):
            other = below(bits, last + 1)
            labels[last], labels[other] = labels[other], labels[last]
        return [tuple(int(label == here) for label in range(len(rest))) for here in labels]


def _orders(parts: Sequence[int]) -> int:
    return factorial(sum(parts)) // prod(map(factorial, parts))


def _powers(weights: Sequence[int], last: int) -> list[int]:
    """Return h_0, …, h_last of the weights: one more weight w gives h_c + w·(its own value at c − 1)."""
    values = [1, *[0] * last]
    for weight in weights:
        for c in range(1, last + 1):
            values[c] += weight * values[c - 1]
    return values


def _weights(patterns: Counter[int], key: Split) -> list[int]:
    """Return whole weights of the labels under which the key counts are about the mean.

    A pattern of c questions has at least j of label l with probability w_l^j·h_{c−j}/h_c. Newton's method on each
    log w_l, whose derivative is the variance, at half its step, in multiples of 1/unit.
    """
    unit = 1 << 32
    weights = [MAX_WEIGHT * count // (max(key) or 1) or int(count > 0) for count in key]
    for _ in range(WEIGHT_ROUNDS):
        sums = _powers(weights, max(patterns, default=0))
        for label, (weight, count) in enumerate(zip(weights, key, strict=True)):
            excess, variance = -count * unit, 1
            for c, number in patterns.items():
                powers = accumulate([weight] * c, mul)
                tails = list(map(mul, powers, sums[c - 1 :: -1]))
                mean = unit * sum(tails) // sums[c]
                square = unit * sum(map(mul, tails, range(1, 2 * c, 2))) // sums[c]
                excess += number * mean
                variance += number * (square - mean * mean // unit)
            step = weight * excess // (2 * variance)
            weights[label] = min(max(weight - step, weight // 2), 2 * weight) or int(count > 0)
        weights = [MAX_WEIGHT * w // (max(weights) or 1) or int(w > 0) for w in weights]
    return weights
