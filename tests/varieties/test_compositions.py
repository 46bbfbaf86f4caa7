"""Sums from few values, against sums of all of them."""

from __future__ import annotations

import random

from ntqr_exact.varieties.compositions import extended, sum_in_pieces
from ntqr_exact.varieties.pair_bounds import PairBounds


def test_a_polynomial_is_known_from_its_first_values() -> None:
    values = [7 * q**3 - 4 * q + 2 for q in range(30)]
    assert [extended(values[:4], q) for q in range(30)] == values


def test_pieces_between_breaks_add_up() -> None:
    generator = random.Random(3)
    for _ in range(200):
        breaks = [generator.randrange(40) for _ in range(3)]

        def bent(q: int, breaks=breaks) -> int:
            return sum(max(0, q - place) ** 2 for place in breaks)

        last = generator.randrange(60)
        expected = sum(map(bent, range(last + 1)))
        assert sum_in_pieces(bent, last, breaks, degree=2) == expected


def test_the_consistent_evaluations_of_a_pair_are_counted_as_key_by_key() -> None:
    generator = random.Random(4)
    for _ in range(1500):
        counts = [generator.choice((0, generator.randrange(30))) for _ in range(4)]
        pair = PairBounds(*counts)
        assert pair.count() == sum(map(pair.count_at, range(sum(counts) + 1))), counts
