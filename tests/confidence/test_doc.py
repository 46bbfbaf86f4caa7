"""DoC: plain, with a fitted line, and with the sign of the published code."""

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.confidence.atc import (
    PLAIN,
    DropLine,
    DropSign,
    calibrated_drop_line,
    doc,
    fit_drop_line,
    mean_confidence,
)
from ntqr_exact.confidence.probability_vector import ProbabilityVector, vectors_from_floats
from ntqr_exact.errors import BadSamples

SOURCE = [["0.9", "0.1"], ["0.7", "0.3"]]
TARGET = [["0.6", "0.4"], ["0.5", "0.5"]]


def test_the_plain_form_subtracts_the_drop_of_confidence_from_the_accuracy():
    found = doc(SOURCE, TARGET, accuracy="9/10")
    assert (found.difference, found.drop, found.line) == (mpq(1, 4), mpq(1, 4), PLAIN)
    assert (found.estimate, found.accuracy, found.error) == (mpq(13, 20), mpq(13, 20), mpq(7, 20))
    assert doc(SOURCE, TARGET, labels=[0, 1]).estimate == mpq(1, 4)
    assert doc(SOURCE, TARGET, error="1/10") == found


def test_the_published_sign_adds_the_drop():
    assert doc(SOURCE, TARGET, accuracy="1/2", sign=DropSign.ADDED).estimate == mpq(3, 4)


def test_weighted_confidences_have_a_weighted_mean():
    assert doc(SOURCE, TARGET, accuracy=1, source_weights=[3, 1], target_weights=[0, 1]).difference == mpq(
        7, 20
    )
    assert mean_confidence([ProbabilityVector((1, 0), 1), ProbabilityVector((1, 1), 2)], [1, 3]) == mpq(5, 8)


fractions = st.fractions(-3, 3, max_denominator=20)


@given(st.lists(st.tuples(fractions, fractions), min_size=2, max_size=8))
def test_least_squares_is_exact(points):
    if len({x for x, _ in points}) < 2:
        with pytest.raises(BadSamples):
            fit_drop_line(points)
        return
    line = fit_drop_line(points)
    residuals = [mpq(y) - line(mpq(x)) for x, y in points]
    assert sum(residuals) == 0
    assert sum(residual * mpq(x) for residual, (x, _) in zip(residuals, points, strict=True)) == 0
    slope, intercept = np.polyfit([float(x) for x, _ in points], [float(y) for _, y in points], 1)
    assert abs(float(line.slope) - slope) < 1e-6 * (1 + abs(slope))
    assert abs(float(line.intercept) - intercept) < 1e-6 * (1 + abs(slope) + abs(intercept))


def test_a_line_is_calibrated_on_sets_of_known_accuracy():
    sets = [([["0.6", "0.4"]], "0.7"), ([["0.5", "0.5"]], "0.6"), ([["0.8", "0.2"]], "0.9")]
    line = calibrated_drop_line(SOURCE, "0.9", sets)
    assert line == DropLine(mpq(0), mpq(1))


@pytest.mark.parametrize("least", [2.0**-9, 2.0**-10, 2.0**-11, 2.0**-12, 2.0**-40, 5e-324])
def test_a_table_of_floats_far_apart_is_summed_exactly(least):
    rows = np.array([[0.1 + 0.2, 0.7, least / 3], [0.9, np.nextafter(least, 1), 1 / 3]])
    table = vectors_from_floats(rows)
    assert mean_confidence(table) == mean_confidence(list(table))
