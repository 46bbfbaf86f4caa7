"""Exact columns: arrays and lists give the same, at and beyond the bounds of 64 bits."""

import itertools
import random
from itertools import accumulate

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.columns import whole_numbers as columns
from ntqr_exact.columns.whole_numbers import (
    WideColumn,
    as_column,
    fractions,
    rounded_quotients,
    scaled,
    sum_of_quotients,
)

SIZES = (1, 8, 30, 31, 32, 33, 52, 53, 58, 59, 60, 61, 62, 63, 64, 65, 89, 90, 91, 100)
edges = st.one_of(
    st.integers(0, 5), st.sampled_from(SIZES).flatmap(lambda bits: st.integers(2**bits - 2, 2**bits + 1))
)
rows = st.lists(st.tuples(edges, edges, edges), min_size=1, max_size=6)


@given(st.lists(st.tuples(edges, edges), min_size=1, max_size=6))
def test_sums_steps_and_products_are_exact_at_every_size(pairs):
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    a, b = as_column(left), as_column(right)
    assert all(limb.dtype == np.int64 and sum(limb.tolist()) < columns.LIMIT for limb in a.limbs)
    assert (a.tolist(), list(a), [a[place] for place in range(len(a))]) == (left, left, left)
    assert columns.total(a) == columns.total(left) == sum(left)
    product = sum(x * y for x, y in pairs)
    assert columns.dot(a, b) == columns.dot(left, right) == columns.dot(left, b) == product
    running = list(accumulate(left))
    sums = a.each(np.cumsum)
    assert list(sums) == running
    assert list(columns.steps(sums)) == columns.steps(running) == left
    for factor in (0, 1, 3, 2**40):
        assert list(columns.times(sums, factor)) == [x * factor for x in running]


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.uint64])
def test_columns_of_arrays_keep_their_numbers(kind):
    numbers = np.array([7, np.iinfo(kind).max, 0], dtype=kind)
    assert as_column(numbers).tolist() == numbers.tolist()


def test_a_long_dot_product_is_the_one_of_big_integers():
    generator = random.Random(1)
    left = [generator.randrange(2**40) for _ in range(2000)]
    right = [generator.randrange(2**45) for _ in range(2000)]
    assert columns.dot(as_column(left), as_column(right)) == columns.dot(left, right)


def test_products_in_limbs_are_exact_up_to_63_bits():
    numbers, factors = [0, 1, 2**63 - 1, 2**62 + 12345, 10**18 - 1], [1, 2**90 - 1, 10**40]
    for which in range(3):
        found = scaled(np.array(numbers), factors, np.full(len(numbers), which))
        assert found.tolist() == [number * factors[which] for number in numbers]
        assert all(int(limb.max()) < 2**30 for limb in found.limbs)


def columns_of(rows):
    """Return weights, numerators and divisors that are not less."""
    return [w for w, _, _ in rows], [min(a, b) for _, a, b in rows], [max(a, b, 1) for _, a, b in rows]


def wide(numbers, spill=0, limbs=5):
    """Return a column of limbs; with `spill`, that much of each limb stays in the one below, as in running sums."""
    parts = [[number >> 30 * at & (2**30 - 1) for number in numbers] for at in range(limbs)]
    for low, high in itertools.pairwise(parts):
        for place, number in enumerate(high):
            moved = min(number, spill)
            high[place] -= moved
            low[place] += moved << 30
    return WideColumn(tuple(np.array(part, dtype=np.int64) for part in parts))


def shortfall(weights, above, below, bits, found):
    return (1 << bits) * mpq(*sum_of_quotients(weights, above, below)) - found


@given(rows, st.sampled_from([1, 7, 23, 64, 99, 200]), st.sampled_from([0, 1, 1000]))
def test_quotients_fall_short_by_at_most_the_weights(rows, bits, spill):
    data = columns_of(rows)
    assert rounded_quotients(*data, bits) == sum(
        w * ((a << bits) // b) for w, a, b in zip(*data, strict=True)
    )
    kinds = [[wide(column, spill) for column in data], [wide(column, limbs=40) for column in data]]
    if all(sum(column) < columns.LIMIT for column in data):
        kinds.append([as_column(column) for column in data])
    for kind in kinds:
        assert 0 <= shortfall(*data, bits, rounded_quotients(*kind, bits)) <= sum(data[0]) + 1


@pytest.mark.parametrize(("bits", "size"), [(99, 73), (20, 61), (150, 118), (99, 90), (99, 45)])
def test_more_rows_than_one_block_holds_are_all_divided(bits, size):
    generator = random.Random(size)
    below = [
        max(generator.getrandbits(size) >> generator.choice((0, 0, 0, 0, 5, 40)), 1) for _ in range(20_000)
    ]
    above = [generator.choice((0, b, b - 1, generator.randrange(b + 1))) for b in below]
    weights = [generator.getrandbits(generator.choice((1, 30, size))) for _ in below]
    kinds = [wide(column) if size > 45 else as_column(column) for column in (weights, above, below)]
    found = rounded_quotients(*kinds, bits)
    assert 0 <= shortfall(weights, above, below, bits, found) <= sum(weights) + 1


@pytest.mark.parametrize("size", [31, 32, 33, 62])
def test_fractions_have_words_that_hold_the_largest_number(size):
    for largest in range(2**size - 2, 2**size + 2):
        above, below = np.array([largest, 1, 0]), np.array([3, largest, largest])
        assert fractions(above, below) == [mpq(largest, 3), mpq(1, largest), 0]
        assert fractions(above[1:], below[1:]) == [mpq(1, largest), 0]


@given(st.lists(st.tuples(edges, edges), max_size=6))
def test_fractions_of_arrays_are_those_of_gmpy2(pairs):
    above, below = [min(a, 2**63 - 1) for a, _ in pairs], [min(max(b, 1), 2**63 - 1) for _, b in pairs]
    made = fractions(np.array(above, dtype=np.int64), np.array(below, dtype=np.int64))
    assert made == list(map(mpq, above, below))
    assert list(map(hash, made)) == list(map(hash, map(mpq, above, below)))
