"""Uniform draws from the sets, with a seed, in integers alone and without a Markov chain."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise

from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.varieties.compositions import compositions
from ntqr_exact.varieties.group import Split, from_splits
from ntqr_exact.varieties.split_counts import PackedPolynomial, times_window
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


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
        return GroupSampler(votes, partial(_any_splits, counts, labels))
    if labels == 2:
        return GroupSampler(votes, partial(_splits_of_two, counts, key[0], _suffix_sums(counts)))
    products = PackedPolynomial.products(counts[::-1], labels=labels)
    return GroupSampler(votes, partial(_splits_of_many, counts, key, tuple(products)[::-1]))


def _any_splits(counts: tuple[int, ...], labels: int, bits: random.Random) -> list[Split]:
    """Draw the split of each pattern over the true labels on its own."""
    return [uniform_composition(bits, count, labels) for count in counts]


def _suffix_sums(counts: tuple[int, ...]) -> tuple[list[int], ...]:
    """Return for each j how many splits of the patterns from j on have at most t questions of the first label.

    The suffix products are computed once, in O(2^N Q).
    """
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


def _splits_of_many(
    counts: tuple[int, ...], key: tuple[int, ...], suffixes: tuple[PackedPolynomial, ...], bits: random.Random
) -> list[Split]:
    """Draw splits over three or more true labels at key counts: the same with packed suffix products."""
    left: Sequence[int] = key
    splits = []
    for place, count in enumerate(counts):
        drawn = below(bits, suffixes[place].at(left))
        for split in compositions(count, len(left), limits=left):
            after = [q - k for q, k in zip(left, split, strict=True)]
            drawn -= suffixes[place + 1].at(after)
            if drawn < 0:
                break
        splits.append(split)
        left = after
    return splits
