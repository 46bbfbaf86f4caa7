"""Sums of quotients: exact on lists and narrow arrays, short by less than the weights on wide columns."""

import itertools
import random

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.columns.quotients import fractions, sum_of_quotients, weighted_quotients
from ntqr_exact.columns.whole_numbers import WideColumn, integer_array

SIZES = (1, 8, 30, 31, 32, 33, 52, 53, 58, 59, 60, 61, 62, 63, 64, 65, 89, 90, 91, 100)
edges = st.one_of(
    st.integers(0, 5), st.sampled_from(SIZES).flatmap(lambda bits: st.integers(2**bits - 2, 2**bits + 1))
)
rows = st.lists(st.tuples(edges, edges, edges), min_size=1, max_size=6)


def columns_of(rows):
    """Return weights, numerators and divisors that are not less."""
    return [w for w, _, _ in rows], [min(a, b) for _, a, b in rows], [max(a, b, 1) for _, a, b in rows]


def wide(numbers, spill=0):
    """Return a column of limbs; with `spill`, that much of each limb stays in the one below, as in running sums."""
    limbs = [[number >> 30 * at & (2**30 - 1) for number in numbers] for at in range(5)]
    for low, high in itertools.pairwise(limbs):
        for place, number in enumerate(high):
            moved = min(number, spill)
            high[place] -= moved
            low[place] += moved << 30
    return WideColumn(tuple(np.array(limb, dtype=np.int64) for limb in limbs))


@given(rows, st.sampled_from([1, 7, 64, 200]))
def test_quotients_are_rounded_down_at_every_size(rows, bits):
    weights, above, below = columns_of(rows)
    exact = sum(w * ((a << bits) // b) for w, a, b in zip(weights, above, below, strict=True))
    arrays = [integer_array(column) for column in (weights, above, below)]
    assert weighted_quotients(*arrays, bits) == exact
    assert weighted_quotients(weights, above, below, bits) == exact


@given(rows, st.sampled_from([1, 7, 23, 64, 99, 200]), st.sampled_from([0, 1, 1000]))
def test_quotients_of_wide_columns_fall_short_by_less_than_the_weights(rows, bits, spill):
    weights, above, below = columns_of(rows)
    true = (1 << bits) * sum(w * mpq(a, b) for w, a, b in zip(weights, above, below, strict=True))
    found = weighted_quotients(wide(weights, spill), wide(above, spill), wide(below, spill), bits)
    assert 0 <= true - found < max(sum(weights), 1)


@pytest.mark.parametrize(("bits", "size"), [(99, 73), (20, 61), (150, 118), (99, 90)])
def test_more_rows_than_one_block_holds_are_all_divided(bits, size):
    generator = random.Random(size)
    below = [
        max(generator.getrandbits(size) >> generator.choice((0, 0, 0, 0, 5, 40)), 1) for _ in range(20_000)
    ]
    above = [generator.choice((0, b, b - 1, generator.randrange(b + 1))) for b in below]
    weights = [generator.getrandbits(generator.choice((1, 30, 53, 70))) for _ in below]
    true = (1 << bits) * mpq(*sum_of_quotients(weights, above, below))
    assert 0 <= true - weighted_quotients(*map(wide, (weights, above, below)), bits) < sum(weights)


@pytest.mark.parametrize("divisor", [2**65, 2**65 + 2**38 - 1])
@pytest.mark.parametrize("bits", [26, 99, 104])
def test_digits_are_guessed_well_enough_where_the_upper_bits_of_a_divisor_say_least(bits, divisor):
    largest, weight = 2**73 - 1, 2**40 + 1
    for share in range(0, 1001, 7):
        number = divisor * share // 1000
        found = weighted_quotients(*map(wide, ([0, weight], [0, number], [largest, divisor])), bits)
        assert 0 <= (1 << bits) * weight * mpq(number, divisor) - found < weight


@pytest.mark.parametrize("bits", [23, 49, 75, 26])
@pytest.mark.parametrize("divisor", [2**65, 2**70 + 1, 2**73 - 1])
def test_a_quotient_of_one_with_a_weight_of_one_is_exact(bits, divisor):
    assert weighted_quotients(*map(wide, ([0, 1], [0, divisor], [2**73 - 1, divisor])), bits) == 1 << bits


@pytest.mark.parametrize("size", [31, 32, 33, 62])
def test_fractions_have_words_that_hold_the_largest_number(size):
    for largest in range(2**size - 2, 2**size + 2):
        above, below = np.array([largest, 1, 0]), np.array([3, largest, largest])
        assert fractions(above, below) == [mpq(largest, 3), mpq(1, largest), 0]
        assert fractions(above[:1], below[:1]) == [mpq(largest, 3)]
        assert fractions(above[1:], below[1:]) == [mpq(1, largest), 0]


@given(st.lists(st.tuples(edges, edges), max_size=6))
def test_fractions_of_arrays_are_those_of_gmpy2(pairs):
    above, below = [min(a, 2**63 - 1) for a, _ in pairs], [min(max(b, 1), 2**63 - 1) for _, b in pairs]
    made = fractions(np.array(above, dtype=np.int64), np.array(below, dtype=np.int64))
    assert made == list(map(mpq, above, below))
    assert all(type(each) is mpq for each in made)
    assert list(map(hash, made)) == list(map(hash, map(mpq, above, below)))
