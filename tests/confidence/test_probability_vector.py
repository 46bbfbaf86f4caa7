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
    ProbabilityVector,
    VectorTable,
    probability_vectors,
    vectors_from_counts,
    vectors_from_floats,
)
from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused


def test_rationals_decimals_and_counts_give_the_same_vector():
    expected = ProbabilityVector((5, 3, 2), 10)
    assert ProbabilityVector.of(["0.5", Fraction(3, 10), Decimal("0.2")]) == expected
    assert ProbabilityVector.of_counts([50, 30, 20]) == expected
    assert ProbabilityVector.of_counts(["1/4", "3/20", "1/10"]) == expected
    assert ProbabilityVector([10, 6, 4], 20) == expected
    assert list(expected) == [mpq(1, 2), mpq(3, 10), mpq(1, 5)]
    assert expected[1] == mpq(3, 10)
    assert (len(expected), expected.labels, expected.predicted) == (3, 3, 0)


def test_the_notation_can_be_pasted_back_and_copied():
    vector = ProbabilityVector.of(["1/3", "2/3"])
    assert eval(repr(vector)) == vector
    assert str(vector) == "(1, 2)/3"
    assert pickle.loads(pickle.dumps(vector)) == copy.deepcopy(vector) == vector
    assert len({vector, ProbabilityVector.of_counts([2, 4])}) == 1


def test_floats_are_taken_by_their_binary_values():
    vector = ProbabilityVector.of_floats([0.1, 0.2, 0.7])
    total = sum(Fraction(x) for x in (0.1, 0.2, 0.7))
    assert total != 1
    assert [Fraction(str(p)) for p in vector] == [Fraction(x) / total for x in (0.1, 0.2, 0.7)]


@pytest.mark.parametrize(
    ("make", "values", "error"),
    [
        (ProbabilityVector.of, ["0.5", "0.6"], BadSamples),
        (ProbabilityVector.of, ["1.5", "-0.5"], BadSamples),
        (ProbabilityVector.of, [1], BadSamples),
        (ProbabilityVector.of, [], BadSamples),
        (ProbabilityVector.of, [0.5, 0.5], FloatRefused),
        (ProbabilityVector.of_counts, [0, 0], BadSamples),
        (ProbabilityVector.of_counts, [3], BadSamples),
        (ProbabilityVector.of_counts, [-1, 2], BadSamples),
        (ProbabilityVector.of_floats, [-0.5, 1.5], BadSamples),
        (lambda numbers: ProbabilityVector(numbers, 4), (1, 2), BadSamples),
        (probability_vectors, [["1/2", "1/2"], ["1/2", "1/4", "1/4"]], BadSamples),
        (probability_vectors, [], BadSamples),
        (probability_vectors, [{0: "1/2", 1: "1/2"}, {1: 0, 0: 1}], BadSamples),
        (ProbabilityVector.of, {0, 1}, BadSamples),
        (vectors_from_counts, np.array([[1, -1]]), BadSamples),
        (vectors_from_counts, np.array([[1, 1], [0, 0]]), BadSamples),
        (vectors_from_counts, np.array([[1], [2]]), BadSamples),
        (vectors_from_counts, np.array([1, 2]), BadSamples),
        (vectors_from_counts, [1, 2], BadSamples),
        (vectors_from_counts, np.array([[0.5, 0.5]]), FloatRefused),
        (vectors_from_counts, np.array([["a", "b"]]), BadNumber),
        (vectors_from_floats, np.array([[np.nan, 1.0]]), BadNumber),
        (vectors_from_floats, np.array([[-0.5, 1.5]]), BadSamples),
        (vectors_from_floats, [1, 2], BadSamples),
    ],
)
def test_bad_vectors_are_refused(make, values, error):
    with pytest.raises(error):
        make(values)


@given(st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any))
def test_a_vector_is_canonical_and_sums_to_one(counts):
    vector = ProbabilityVector.of_counts(counts)
    assert sum(vector) == 1
    assert vector == ProbabilityVector.of_counts([7 * count for count in counts])
    assert vector == ProbabilityVector.of(list(vector))


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
