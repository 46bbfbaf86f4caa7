"""Uniform whole numbers from a seed."""

import random

import numpy as np
import pytest

from ntqr_exact.errors import BadNumber, FloatRefused
from ntqr_exact.exact.seeded_draws import below, bits_from, drawn_below


def test_another_mersenne_twister_draws_the_same_indices():
    words = np.frombuffer(np.random.RandomState([2023]).bytes(400), dtype="<u4")
    theirs = [int(word) >> 28 for word in words if int(word) >> 28 < 10]
    bits = random.Random(2023)
    assert [below(bits, 10) for _ in range(40)] == theirs[:40]
    assert below(random.Random(2023), 16) == int(words[0]) >> 28


def test_nothing_is_drawn_from_an_empty_set():
    with pytest.raises(BadNumber):
        below(bits_from(1), 0)


def test_a_seed_is_a_whole_number():
    assert below(bits_from("7"), 10**9) == below(bits_from(7), 10**9)
    for seed in ("1/2", -1):
        with pytest.raises(BadNumber):
            bits_from(seed)
    with pytest.raises(FloatRefused):
        bits_from(0.5)


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 8, 1000, 2**31 + 1, 2**32, 2**32 + 1])
def test_many_draws_are_those_drawn_one_by_one(bound):
    one, other = bits_from(3), bits_from(3)
    for count in (450, 1000):
        assert list(drawn_below(one, bound, count)) == [below(other, bound) for _ in range(count)]
    assert one.getstate() == other.getstate()
