"""Probability vectors come in exactly, in lowest terms, or not at all."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.confidence.probability_vector import (
    FloatTotal,
    ProbabilityVector,
    VectorTable,
    probability_vector,
    probability_vectors,
    vectors_from_counts,
    vectors_from_floats,
)
from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotANumber


def test_rationals_decimals_and_counts_give_the_same_vector():
    expected = ProbabilityVector((5, 3, 2), 10)
    assert ProbabilityVector.of(["0.5", Fraction(3, 10), Decimal("0.2")]) == expected
    assert ProbabilityVector.of_counts([50, 30, 20]) == expected
    assert ProbabilityVector.of_weights(["1/4", "3/20", "1/10"]) == expected
    assert ProbabilityVector([10, 6, 4], 20) == expected
    assert list(expected) == [mpq(1, 2), mpq(3, 10), mpq(1, 5)]
    assert expected[1] == mpq(3, 10)
    assert (len(expected), expected.labels, expected.predicted) == (3, 3, 0)


def test_the_notation_can_be_pasted_back_and_copied():
    vector = ProbabilityVector.of(["1/3", "2/3"])
    assert eval(repr(vector)) == vector
    assert str(vector) == "(1, 2)/3"
    assert vector._repr_latex_() == r"$\tfrac{1}{3}(1, 2)$"
    assert pickle.loads(pickle.dumps(vector)) == copy.deepcopy(vector) == vector
    assert len({vector, ProbabilityVector.of_counts([2, 4])}) == 1


def test_the_first_of_the_largest_is_predicted():
    assert ProbabilityVector.of_counts([1, 2, 2]).predicted == 1


def test_floats_are_taken_by_their_binary_value_through_their_door_only():
    with pytest.raises(FloatRefused):
        ProbabilityVector.of([0.5, 0.5])
    vector = ProbabilityVector.of_floats([0.1, 0.2, 0.7])
    total = sum(Fraction(x) for x in (0.1, 0.2, 0.7))
    assert total != 1
    assert [Fraction(str(p)) for p in vector] == [Fraction(x) / total for x in (0.1, 0.2, 0.7)]
    with pytest.raises(BadSamples, match="sum to 1"):
        ProbabilityVector.of_floats([0.1, 0.2, 0.7], total=FloatTotal.REFUSE)
    assert ProbabilityVector.of_floats([0.25, 0.75], total=FloatTotal.REFUSE) == ProbabilityVector((1, 3), 4)


@pytest.mark.parametrize(
    ("make", "values", "words"),
    [
        (ProbabilityVector.of, ["0.5", "0.6"], "these to 11/10"),
        (ProbabilityVector.of, ["1.5", "-0.5"], "must not be negative"),
        (ProbabilityVector.of, [1], "at least two labels"),
        (ProbabilityVector.of, [], "at least two labels"),
        (ProbabilityVector.of_counts, [0, 0], "shares of nothing"),
        (ProbabilityVector.of_counts, [3], "at least two labels"),
        (ProbabilityVector.of_weights, ["-1", "2"], "must not be negative"),
        (ProbabilityVector.of_floats, [-0.5, 1.5], "must not be negative"),
    ],
)
def test_what_is_no_vector_is_refused_with_the_reason(make, values, words):
    with pytest.raises(BadSamples, match=words):
        make(values)


def test_numerators_must_sum_to_the_denominator():
    with pytest.raises(BadSamples, match="sum to 3"):
        ProbabilityVector((1, 2), 4)
    with pytest.raises(BadNumber):
        ProbabilityVector.of_counts([-1, 2])
    with pytest.raises(BadNumber):
        ProbabilityVector.of_counts(["1/2", "1/2"])
    with pytest.raises(BadSamples):
        ProbabilityVector.uniform(1)


def test_vectors_of_a_data_set_have_one_length_and_there_are_some():
    with pytest.raises(BadSamples, match="have 2 and 3"):
        probability_vectors([["1/2", "1/2"], ["1/2", "1/4", "1/4"]])
    with pytest.raises(BadSamples, match="no vectors"):
        probability_vectors([])
    vector = ProbabilityVector.uniform(3)
    assert probability_vector(vector) is vector


@given(st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any))
def test_a_vector_is_canonical_and_sums_to_one(counts):
    vector = ProbabilityVector.of_counts(counts)
    assert sum(vector) == 1
    assert vector == ProbabilityVector.of_counts([7 * count for count in counts])
    assert vector == ProbabilityVector.of(list(vector))


def test_the_first_labels_alone_are_normalised():
    assert ProbabilityVector.of_counts([3, 1, 4]).first(2) == ProbabilityVector((3, 1), 4)
    with pytest.raises(BadSamples, match="nothing"):
        ProbabilityVector.of_counts([0, 0, 4]).first(2)


def test_a_table_holds_the_same_vectors_as_a_list():
    counts = np.array([[4, 1, 1], [3, 3, 0]], dtype=np.uint8)
    table = vectors_from_counts(counts)
    assert isinstance(table, VectorTable)
    assert list(table) == vectors_from_counts(counts.tolist())
    assert table.predicted() == [0, 0]
    floats = np.array([[0.1, 0.2, 0.7], [1e-300, 0.5, 0.5]])
    assert list(vectors_from_floats(floats)) == vectors_from_floats(floats.tolist())
    assert list(vectors_from_floats(floats.astype(np.float32))) == vectors_from_floats(
        floats.astype(np.float32).tolist()
    )
    assert repr(table) == "<2 probability vectors of 3 labels>"
    large = np.array([[2**60, 2**60 + 1]])
    assert vectors_from_counts(large) == [ProbabilityVector.of_counts([2**60, 2**60 + 1])]


def test_a_bad_table_is_refused():
    with pytest.raises(BadSamples, match="negative"):
        vectors_from_counts(np.array([[1, -1]]))
    with pytest.raises(BadSamples, match="nothing"):
        vectors_from_counts(np.array([[1, 1], [0, 0]]))
    with pytest.raises(BadSamples, match="two labels"):
        vectors_from_counts(np.array([[1], [2]]))
    with pytest.raises(BadSamples, match="row for each"):
        vectors_from_counts(np.array([1, 2]))
    with pytest.raises(FloatRefused):
        vectors_from_counts(np.array([[0.5, 0.5]]))
    with pytest.raises(NotANumber):
        vectors_from_counts(np.array([["a", "b"]]))
    with pytest.raises(BadNumber, match="finite"):
        vectors_from_floats(np.array([[np.nan, 1.0]]))
    with pytest.raises(BadSamples, match="negative"):
        vectors_from_floats(np.array([[-0.5, 1.5]]))
    with pytest.raises(BadSamples, match="sum to 1"):
        vectors_from_floats(np.array([[0.5, 0.5], [0.1, 0.2]]), total=FloatTotal.REFUSE)
    assert len(vectors_from_floats(np.array([[0.5, 0.5]]), total=FloatTotal.REFUSE)) == 1


@pytest.mark.parametrize("make", [vectors_from_counts, vectors_from_floats])
def test_numbers_that_are_no_rows_are_refused(make):
    with pytest.raises(BadSamples, match="a row with a number for each label"):
        make([1, 2])


@pytest.mark.parametrize(
    ("make", "rows"),
    [(vectors_from_counts, [[1, 2], [3, 4]]), (vectors_from_floats, [[0.25, 0.75], [0.5, 0.5]])],
)
def test_a_table_does_not_change_when_what_was_given_is_written_into(make, rows):
    given = np.array(rows)
    table = make(given)
    given[:] = 1
    assert [*table] == [*make(np.array(rows))]
    with pytest.raises(ValueError, match="read-only"):
        table.numbers[0, 0] = 1
