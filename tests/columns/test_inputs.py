"""Floats by their binary values, and weights of every kind."""

import json

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.columns.inputs import float_scores
from ntqr_exact.columns.whole_numbers import Multiples
from ntqr_exact.confidence.probability_vector import vectors_from_floats
from ntqr_exact.errors import BadNumber, BadSamples, NotANumber
from ntqr_exact.exact.json_text import exact_json
from ntqr_exact.exact.rational import rational_from_float
from ntqr_exact.metrics.weights import exact_weights

floats = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
odd = st.sampled_from([0.0, -0.0, 5e-324, 1.0, 0.1]) | st.integers(-90, 5).map(lambda e: 2.0**e)


@given(st.lists(floats | odd, max_size=6))
def test_floats_are_whole_units_of_a_power_of_two_exactly(values):
    exact = [rational_from_float(value) for value in values]
    for column in (float_scores(values), float_scores(np.array(values, dtype=float))):
        assert exact == list(column)
        assert list(exact_weights(column, len(values))) == exact if any(values) else True


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=6))
def test_an_array_of_floats_yields_the_binary_value_of_each(floats):
    assert list(float_scores(np.array(floats))) == [mpq(*each.as_integer_ratio()) for each in floats]


def test_columns_of_floats_have_an_exact_json_form():
    floats = np.array([0.5, 0.25])
    assert json.dumps(float_scores(floats), default=exact_json) == '["1/2", "1/4"]'
    vectors = json.loads(json.dumps(vectors_from_floats(np.array([[0.5, 0.5]])), default=exact_json))
    assert vectors == [{"numerators": [1, 1], "denominator": 2}]


def test_shorter_floats_are_taken_and_other_values_refused():
    assert list(float_scores(np.array([0.1], dtype=np.float32))) == [rational_from_float(np.float32(0.1))]
    assert list(float_scores([np.float32(0.1), 0.5])) == [rational_from_float(np.float32(0.1)), mpq(1, 2)]
    for bad in (float("nan"), float("inf")):
        for column in ([bad], np.array([0.5, bad])):
            with pytest.raises((BadNumber, BadSamples)):
                float_scores(column)
    for bad in ([1], ["0.5"], np.array([1]), [True]):
        with pytest.raises(NotANumber):
            float_scores(bad)


def test_weights_of_all_kinds_are_the_same_numbers():
    values, expected = ["1/2", "3/4", "2"], [mpq(1, 2), mpq(3, 4), mpq(2)]
    for kind in (
        values,
        iter(values),
        np.array(expected, dtype=object),
        np.array(values),
        float_scores([0.5, 0.75, 2.0]),
        np.array([0.5, 0.75, 2.0]),
        Multiples([2, 3, 8], mpq(1, 4)),
    ):
        assert list(exact_weights(kind, 3)) == expected
    assert list(exact_weights(np.array([2, 3, 8], dtype=np.uint8), 3)) == [2, 3, 8]
    assert list(exact_weights(None, 3)) == [1, 1, 1]
    assert (exact_weights([6, 4], 2).units, exact_weights([6, 4], 2).unit) == ([3, 2], 2)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ([1, -1], BadSamples),
        ([1, "-1/2"], BadSamples),
        (np.array([1, -1]), BadSamples),
        (float_scores([1.0, -0.5]), BadSamples),
        (np.array([1, -0.5]), BadSamples),
        (Multiples([1, -1], mpq(1)), BadSamples),
        ([0, "0"], BadSamples),
        (np.array([0, 0]), BadSamples),
        (float_scores([0.0, -0.0]), BadSamples),
        ([1], BadSamples),
        ([True, 1], NotANumber),
        ([1, True], NotANumber),
        ([1, 1.0], NotANumber),
        (np.array(["2020-01-01"], dtype="M8[D]"), NotANumber),
    ],
    ids=repr,
)
def test_bad_weights_are_refused(bad, error):
    with pytest.raises(error):
        exact_weights(bad, 2)
