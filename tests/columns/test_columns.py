"""Exact columns: arrays and lists give the same, at and beyond the bounds of 64 bits."""

import random

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.columns import whole_numbers as columns
from ntqr_exact.columns.float_values import binary_units, float_scores, float_weights
from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotANumber
from ntqr_exact.exact.rational import rational_from_float
from ntqr_exact.metrics.weights import SampleWeights, exact_weights

SIZES = (1, 8, 30, 31, 32, 33, 52, 58, 59, 60, 61, 62, 63, 64, 65, 100)
edges = st.one_of(
    st.integers(0, 5), st.sampled_from(SIZES).flatmap(lambda bits: st.integers(2**bits - 2, 2**bits + 1))
)


@given(st.lists(st.tuples(edges, edges), max_size=6))
def test_sums_and_products_are_exact_at_every_size(pairs):
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    a, b = columns.integer_array(left), columns.integer_array(right)
    assert columns.total(a) == columns.total(left) == sum(left)
    assert columns.dot(a, b) == columns.dot(left, right) == sum(x * y for x, y in pairs)
    assert columns.dot(left, b) == columns.dot(left, right)
    for factor in (0, 1, 3, 2**40):
        assert columns.as_list(columns.times(a, factor)) == [x * factor for x in left]


@given(st.lists(edges, min_size=1, max_size=8))
def test_limbs_make_up_the_numbers_and_their_sums_are_bounded(numbers):
    array = columns.integer_array(numbers)
    parts = columns.limbs_of(array)
    assert all(part.dtype == np.int64 and sum(part.tolist()) < columns.LIMIT for part in parts)
    assert (len(parts) == 1) == (sum(numbers) < columns.LIMIT)
    column = columns.joined(parts)
    assert columns.as_list(column) == numbers == list(column)
    assert columns.total(column) == sum(numbers)
    assert [int(column[place]) for place in range(len(column))] == numbers
    sums = columns.joined([part.cumsum() for part in parts])
    running = columns.cumulative(numbers)
    assert columns.as_list(sums) == running
    assert columns.as_list(columns.steps(sums)) == columns.steps(running) == numbers
    assert columns.as_list(columns.shifted(sums)) == columns.shifted(running) == [0, *running[:-1]]
    assert columns.as_list(columns.plus(sums, sums)) == columns.plus(running, running)
    assert columns.as_list(columns.plus(running, sums)) == columns.plus(running, running)
    assert columns.dot(columns.steps(sums), sums) == sum(a * b for a, b in zip(numbers, running, strict=True))
    assert columns.as_list(columns.times(sums, 3)) == [3 * number for number in running]
    assert columns.as_list(columns.doubled(sums)) == columns.doubled(running) == [2 * n for n in running]


def test_an_array_is_narrow_as_long_as_each_number_fits():
    assert columns.integer_array([2**63 - 1]).dtype == np.int64
    assert columns.integer_array([2**63]).dtype == object
    assert columns.narrowed(np.array([2**63 + 5], dtype=np.uint64)).tolist() == [2**63 + 5]
    assert columns.narrowed(np.array([7], dtype=np.uint8)).dtype == np.int64
    assert isinstance(columns.times(np.array([1 << 40]), 1 << 30), list)
    assert len(columns.limbs_of(np.array([columns.LIMIT - 1]))) == 1
    assert len(columns.limbs_of(np.array([columns.LIMIT // 2] * 2))) == 2


def test_only_flat_arrays_are_arrays():
    assert columns.as_array([1, 2]) is None
    assert columns.as_array(np.ones((2, 2))) is None
    assert columns.as_array(np.ones(2)) is not None


floats = st.floats(min_value=0, allow_nan=False, allow_infinity=False)


@given(
    st.lists(
        st.one_of(
            floats, st.sampled_from([0.0, -0.0, 5e-324, 1.0, 0.1]), st.integers(-90, 5).map(lambda e: 2.0**e)
        ),
        max_size=6,
    )
)
def test_floats_are_whole_units_of_a_power_of_two_exactly(values):
    exact = [rational_from_float(value) for value in values]
    for door in (float_weights(values), float_weights(np.array(values, dtype=float))):
        units, unit = binary_units(door)
        assert [n * unit for n in columns.as_list(units)] == exact
        assert list(door) == exact
        assert len(door) == len(values)


def test_the_float_door_takes_shorter_floats_and_refuses_what_is_none():
    assert list(float_scores(np.array([0.1], dtype=np.float32))) == [rational_from_float(np.float32(0.1))]
    assert list(float_scores([np.float32(0.1), 0.5])) == [rational_from_float(np.float32(0.1)), mpq(1, 2)]
    for bad in (float("nan"), float("inf")):
        with pytest.raises(BadNumber):
            float_scores([bad])
        with pytest.raises(BadNumber):
            float_scores(np.array([0.5, bad]))
    for bad in ([1], ["0.5"], np.array([1]), np.array([0.5], dtype=np.longdouble), [True]):
        with pytest.raises(NotANumber):
            float_scores(bad)


def test_weights_of_all_kinds_are_the_same_numbers():
    values = ["1/2", "3/4", "2"]
    expected = [mpq(1, 2), mpq(3, 4), mpq(2)]
    kinds = [
        values,
        iter(values),
        tuple(expected),
        np.array(expected, dtype=object),
        np.array(values),
        float_weights([0.5, 0.75, 2.0]),
        float_weights(np.array([0.5, 0.75, 2.0])),
        SampleWeights([2, 3, 8], mpq(1, 4)),
        SampleWeights.by_group("abc", dict(zip("abc", expected, strict=True))),
        SampleWeights.by_group(np.array([7, 8, 9]), dict(zip((7, 8, 9), expected, strict=True))),
    ]
    for kind in kinds:
        assert exact_weights(kind, 3).values() == expected
    assert exact_weights(np.array([2, 3, 8], dtype=np.uint8), 3).values() == [2, 3, 8]
    assert exact_weights(None, 3).values() == [1, 1, 1]
    assert exact_weights([6, 4], 2).units == [3, 2]
    assert exact_weights([6, 4], 2).unit == 2


@pytest.mark.parametrize(
    "negative",
    [[1, -1], [1, "-1/2"], np.array([1, -1]), float_weights([1.0, -0.5]), float_weights(np.array([1, -0.5]))],
)
def test_a_negative_weight_of_any_kind_is_refused(negative):
    with pytest.raises(BadSamples):
        exact_weights(negative, 2)


def test_negative_units_are_refused_like_negative_weights():
    with pytest.raises(BadSamples):
        exact_weights(SampleWeights([1, -1], mpq(1)), 2)


def test_a_column_of_floats_is_taken_by_its_binary_values_and_dates_are_refused():
    assert exact_weights(np.array([0.1, 1]), 2).values() == list(float_weights([0.1, 1.0]))
    with pytest.raises(NotANumber):
        exact_weights(np.array(["2020-01-01"], dtype="M8[D]"), 1)


@pytest.mark.parametrize("zero", [[0, "0"], np.array([0, 0]), float_weights([0.0, -0.0])])
def test_weights_that_are_all_zero_are_refused(zero):
    with pytest.raises(BadSamples):
        exact_weights(zero, 2)


@pytest.mark.parametrize("bad", [[True, 1], [1, True], [1, 1.0], [1.0, 1]])
def test_truth_values_and_floats_are_no_weights(bad):
    with pytest.raises(NotANumber):
        exact_weights(bad, 2)
    if not any(isinstance(value, bool) for value in bad):
        with pytest.raises(FloatRefused):
            exact_weights(bad, 2)


def test_an_unknown_group_has_no_weight():
    with pytest.raises(BadSamples):
        SampleWeights.by_group("abc", {"a": mpq(1), "b": mpq(1)})
    with pytest.raises(BadSamples):
        SampleWeights.by_group(np.array([1, 3]), {1: mpq(1)})


def test_a_long_dot_product_in_limbs_is_the_one_of_big_integers():
    generator = random.Random(1)
    left = [generator.randrange(2**40) for _ in range(2000)]
    right = [generator.randrange(2**45) for _ in range(2000)]
    assert columns.dot(columns.integer_array(left), columns.integer_array(right)) == sum(
        a * b for a, b in zip(left, right, strict=True)
    )


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=6))
def test_an_array_of_floats_yields_the_binary_value_of_each(floats):
    assert list(float_scores(np.array(floats))) == [mpq(*each.as_integer_ratio()) for each in floats]
