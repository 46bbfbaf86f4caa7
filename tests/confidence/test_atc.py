"""ATC: threshold, estimate, readings, ties, weights, the curve, and the bootstrap."""

import numpy as np
import pandas as pd
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.confidence.atc import (
    AtcReading,
    TieRule,
    atc,
    atc_curve,
    bootstrap_atc,
    doc,
)
from ntqr_exact.confidence.probability_vector import ProbabilityVector, vectors_from_floats
from ntqr_exact.confidence.scores import SIX, compare_scores, max_key
from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused

SOURCE = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
TARGET = [["0.55", "0.45"], ["0.65", "0.35"], ["0.95", "0.05"]]
pairs = st.lists(st.integers(0, 12), min_size=2, max_size=2).filter(any)
triples = st.lists(st.integers(0, 12), min_size=3, max_size=3).filter(any)
shares = st.fractions(0, 1, max_denominator=12)


def by_definition(source, target, error, score, rule):
    """Equations 2 and 3 word for word, with plain loops."""

    def below(vectors, t):
        return mpq(sum(compare_scores(score, vector, t) < 0 for vector in vectors), len(vectors))

    best = min(abs(error - below(source, t)) for t in source)
    candidates = [t for t in source if abs(error - below(source, t)) == best]
    chosen = candidates[0]
    for t in candidates:
        if compare_scores(score, t, chosen) == (-1 if rule is TieRule.SMALLEST else 1):
            chosen = t
    return below(source, chosen), below(target, chosen), chosen


@given(
    st.lists(triples, min_size=1, max_size=8),
    st.lists(triples, min_size=1, max_size=6),
    shares,
    st.sampled_from(SIX),
    st.sampled_from(TieRule),
)
def test_the_estimate_is_that_of_the_definition(source, target, error, score, rule):
    first, second = ([ProbabilityVector.of_counts(row) for row in rows] for rows in (source, target))
    found = atc(first, second, error=error, score=score, tie_rule=rule)
    share, estimate, vector = by_definition(first, second, mpq(error), score, rule)
    assert (found.source_share, found.estimate) == (share, estimate)
    assert compare_scores(score, found.threshold_vector, vector) == 0


def test_accuracy_above_is_the_same_estimate_as_error_below():
    below = atc(SOURCE, TARGET, error="2/5")
    above = atc(SOURCE, TARGET, accuracy="3/5")
    assert above.reading is AtcReading.ACCURACY_ABOVE
    assert (above.estimate, above.source_share, above.gamma) == (mpq(1, 3), mpq(3, 5), mpq(3, 5))
    assert (above.error, above.threshold) == (below.error, below.threshold)


def test_arrays_of_floats_mean_their_binary_values():
    rows = [[0.9, 0.1], [0.8, 0.2], [0.6, 0.4]]
    exact = vectors_from_floats(np.array(rows))
    for table in (np.array(rows), pd.DataFrame(rows)):
        assert atc(table, table, labels=[0, 1, 0]) == atc(exact, exact, labels=[0, 1, 0])
        assert doc(table, table[:1], accuracy="1/2") == doc(exact, [exact[0]], accuracy="1/2")
    with pytest.raises(BadSamples):
        atc(np.array([[0.9, 0.8]]), np.array(rows), error="1/5")


@given(st.lists(pairs, min_size=1, max_size=8), st.lists(pairs, min_size=1, max_size=5), shares)
def test_isomorphic_scores_give_one_estimate(source, target, error):
    """The ordering lemma (lemma 1), on two labels, where all six scores are isomorphic."""
    first, second = ([ProbabilityVector.of_counts(row) for row in rows] for rows in (source, target))
    for rule in TieRule:
        found = {atc(first, second, error=error, score=score, tie_rule=rule).estimate for score in SIX}
        assert len(found) == 1


@given(st.lists(pairs, min_size=1, max_size=10), st.data())
def test_on_the_source_itself_the_estimate_is_gamma(rows, data):
    vectors = list({max_key(vector): vector for vector in map(ProbabilityVector.of_counts, rows)}.values())
    n = len(vectors)
    error = mpq(data.draw(st.integers(0, n - 1)), n)
    for score in SIX:
        assert atc(vectors, vectors, error=error, score=score).estimate == error


def test_whole_weights_are_repetitions():
    weights, others = [2, 0, 1, 3, 1], [1, 4, 2]
    repeated = [row for row, weight in zip(SOURCE, weights, strict=True) for _ in range(weight)]
    targets = [row for row, weight in zip(TARGET, others, strict=True) for _ in range(weight)]
    for error in ("0", "1/7", "2/7", "1/2", "24/35", "6/7", "1"):
        for score in ("max", "entropy"):
            weighted = atc(
                SOURCE, TARGET, error=error, score=score, source_weights=weights, target_weights=others
            )
            assert weighted == atc(repeated, targets, error=error, score=score)
    halves = ["1", 0, "1/2", "3/2", "1/2"]
    assert atc(SOURCE, TARGET, error="1/3", source_weights=halves) == (
        atc(SOURCE, TARGET, error="1/3", source_weights=weights)
    )


def test_the_curve_rises_and_holds_the_estimate():
    curve = atc_curve(SOURCE, TARGET)
    assert [(point.source_below, point.target_below) for point in curve] == [
        (mpq(0), mpq(0)),
        (mpq(1, 5), mpq(1, 3)),
        (mpq(2, 5), mpq(2, 3)),
        (mpq(3, 5), mpq(2, 3)),
        (mpq(4, 5), mpq(2, 3)),
    ]
    found = atc(SOURCE, TARGET, error="2/5")
    assert (found.source_share, found.estimate) == (curve[2].source_below, curve[2].target_below)
    assert found.threshold_vector == curve[2].threshold_vector


@pytest.mark.parametrize(
    ("source", "target", "options", "error"),
    [
        ([], TARGET, {"error": 0}, BadSamples),
        (SOURCE, [], {"error": 0}, BadSamples),
        (SOURCE, [["1/2", "1/4", "1/4"]], {"error": 0}, BadSamples),
        (SOURCE, TARGET, {"error": "1.1"}, BadNumber),
        (SOURCE, TARGET, {"error": "-0.1"}, BadNumber),
        (SOURCE, TARGET, {"accuracy": 2}, BadNumber),
        (SOURCE, TARGET, {}, BadSamples),
        (SOURCE, TARGET, {"error": 0, "accuracy": 1}, BadSamples),
        (SOURCE, TARGET, {"labels": [0, 1]}, BadSamples),
        (SOURCE, TARGET, {"labels": [0, 1, 0, 1, 2]}, BadSamples),
        (SOURCE[:2], TARGET, {"labels": {0, 1}}, BadSamples),
        (SOURCE[:2], TARGET, {"labels": {0: 1, 1: 0}}, BadSamples),
        (SOURCE[:2], TARGET, {"labels": [0, None]}, BadSamples),
        (SOURCE[:2], TARGET, {"labels": np.ma.masked_array([0, 1], mask=[0, 1])}, BadSamples),
        (SOURCE, TARGET, {"error": 0.2}, FloatRefused),
        (SOURCE, TARGET, {"error": 0, "score": "best"}, BadSamples),
        (SOURCE, TARGET, {"error": 0, "source_weights": [1]}, BadSamples),
        (SOURCE, TARGET, {"error": 0, "target_weights": [0, 0, 0]}, BadSamples),
        ([["0.9", "0.2"]], TARGET, {"error": 0}, BadSamples),
        ([[1]], TARGET, {"error": 0}, BadSamples),
    ],
)
def test_bad_input_is_refused(source, target, options, error):
    with pytest.raises(error):
        atc(source, target, **options)


def test_labels_are_taken_as_any_column():
    pandas = pytest.importorskip("pandas")
    labels = [0, 1, 0, 1, 1]
    for column in (np.array(labels), pandas.DataFrame(labels), iter(labels)):
        assert atc(SOURCE, TARGET, labels=column) == atc(SOURCE, TARGET, labels=labels)


def test_a_bad_row_of_an_array_is_named_from_one():
    for row, error in ([0.5, np.nan], BadNumber), ([0.25, 0.25], BadSamples):
        with pytest.raises(error, match="row 2 "):
            atc(np.array([[0.5, 0.5], row]), TARGET, error=0)


def test_the_bootstrap_is_seeded_and_counts_the_error_anew():
    labels = [0, 0, 1, 1, 0]
    drawn = bootstrap_atc(SOURCE, TARGET, labels=labels, resamples=200, seed=3, score="entropy")
    assert drawn == bootstrap_atc(SOURCE, TARGET, labels=labels, resamples=200, seed=3, score="entropy")
    assert drawn != bootstrap_atc(SOURCE, TARGET, labels=labels, resamples=200, seed=4, score="entropy")
    assert drawn.estimate == atc(SOURCE, TARGET, labels=labels, score="entropy").estimate
    assert drawn == bootstrap_atc(SOURCE, TARGET, labels=labels, resamples=200, seed=3, score="max")
    assert {value for value, _ in drawn.values} <= {mpq(n, 3) for n in range(4)}
    interval = drawn.interval("0.9")
    assert interval.lower <= drawn.estimate <= interval.upper
    fixed = bootstrap_atc(SOURCE, TARGET, error="2/5", resamples=200, seed=3)
    assert fixed.estimate == drawn.estimate
    assert fixed.values != drawn.values


def test_a_resample_is_estimated_as_a_source_of_its_own():
    from ntqr_exact.metrics.bootstrap import bootstrap

    rows = list(zip(SOURCE, [0, 0, 1, 1, 0], strict=True))

    def statistic(items):
        return atc(
            [row for row, _ in items],
            TARGET,
            labels=[label for _, label in items],
            reading=AtcReading.ACCURACY_ABOVE,
        ).estimate

    slow = bootstrap(rows, statistic, resamples=50, seed=9)
    seen = []
    quick = bootstrap_atc(
        SOURCE,
        TARGET,
        labels=[0, 0, 1, 1, 0],
        reading=AtcReading.ACCURACY_ABOVE,
        resamples=50,
        seed=9,
        progress=seen.append,
    )
    assert quick == slow
    assert seen == [1] * 50


def test_a_tie_is_broken_by_its_rule():
    pair = [["5/10", "5/10"], ["7/10", "3/10"]]
    for table in (pair, vectors_from_floats(np.array([[0.5, 0.5], [0.75, 0.25]]))):
        target = [["6/10", "4/10"]]
        found = [atc(table, target, error="1/4", tie_rule=rule).estimate for rule in TieRule]
        assert found == [0, 1]
