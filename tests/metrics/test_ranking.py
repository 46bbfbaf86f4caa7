"""Rankings: ties together, scores of every kind, both rules, thresholds between scores, bad input."""

import sys

import numpy as np
import pandas as pd
import pytest
from gmpy2 import mpq

from ntqr_exact.columns.inputs import float_scores
from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotANumber
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import METRICS, metric
from ntqr_exact.metrics.ranking import Rule, rank

LABELS = [1, 0, 1, 0, 1]
SCORES = ["3/4", "3/4", "1/2", "1/4", "1/4"]
WEIGHTS = [1, 2, 3, 4, 5]


def rows(ranking, rule=Rule.AT_LEAST):
    return [(ranking.threshold(place), ranking.confusion(place, rule=rule)) for place in range(len(ranking))]


EXPECTED = [
    (mpq(3, 4), ConfusionMatrix(tp=1, fp=2, fn=8, tn=4)),
    (mpq(1, 2), ConfusionMatrix(tp=4, fp=2, fn=5, tn=4)),
    (mpq(1, 4), ConfusionMatrix(tp=9, fp=6, fn=0, tn=0)),
]


@pytest.mark.parametrize(
    "scores",
    [
        SCORES,
        [mpq(score) for score in SCORES],
        ["0.75", mpq(3, 4), "0.50", "2.5e-1", Surd("1/4")],
        float_scores([0.75, 0.75, 0.5, 0.25, 0.25]),
        float_scores(np.array([0.75, 0.75, 0.5, 0.25, 0.25])),
        float_scores(np.array([0.75, 0.75, 0.5, 0.25, 0.25], dtype=np.float32)),
        float_scores(pd.Series([0.75, 0.75, 0.5, 0.25, 0.25])),
        np.array(SCORES),
    ],
    ids=lambda scores: type(scores).__name__,
)
@pytest.mark.parametrize(
    "labels", [LABELS, np.array(LABELS), np.array(LABELS, dtype=bool), pd.Series(LABELS), tuple(LABELS)]
)
@pytest.mark.parametrize(
    "weights", [WEIGHTS, np.array(WEIGHTS), float_scores(np.array(WEIGHTS, dtype=float)), pd.Series(WEIGHTS)]
)
def test_all_kinds_of_columns_give_the_same_ranking(labels, scores, weights):
    assert rows(rank(labels, scores, weights)) == EXPECTED


def test_irrational_scores_are_ordered_exactly():
    ranking = rank([1, 0, 1], [Surd.sqrt(2), "1.41421356237309504", Surd(0, 1, 3)])
    assert ranking.thresholds() == [
        Surd.sqrt(3),
        Surd.sqrt(2),
        mpq("141421356237309504/100000000000000000"),
    ]
    assert ranking.at(Surd.sqrt(2)).tp == 2
    with pytest.raises(BadNumber):
        rank([1], [Surd.sqrt(-1)])


def test_decimals_that_floats_cannot_tell_apart_are_apart():
    assert len(rank([1, 0], ["0.3000000000000000001", "0.3"])) == 2
    assert len(rank([1, 0], float_scores([0.1 + 0.2, 0.3]))) == 2
    assert len(rank([1, 0], float_scores([0.0, -0.0]))) == 1
    assert len(rank([1, 0], float_scores(np.array([0.0, -0.0])))) == 1


@pytest.mark.parametrize(
    ("threshold", "rule", "place"),
    [
        ("1", Rule.AT_LEAST, -1),
        ("3/4", Rule.AT_LEAST, 0),
        ("3/4", Rule.ABOVE, -1),
        ("0.6", Rule.AT_LEAST, 0),
        ("0.6", Rule.ABOVE, 0),
        ("1/2", Rule.AT_LEAST, 1),
        ("1/2", Rule.ABOVE, 0),
        ("1/4", Rule.AT_LEAST, 2),
        ("1/4", Rule.ABOVE, 1),
        (0, Rule.AT_LEAST, 2),
        (-5, Rule.ABOVE, 2),
    ],
)
def test_any_threshold_splits_the_samples_by_its_rule(threshold, rule, place):
    for scores in (SCORES, float_scores(np.array([0.75, 0.75, 0.5, 0.25, 0.25]))):
        matrix = rank(LABELS, scores, WEIGHTS).at(threshold, rule=rule)
        expected = EXPECTED[place][1] if place >= 0 else ConfusionMatrix(tp=0, fp=0, fn=9, tn=6)
        assert matrix == expected


def test_samples_of_weight_0_change_nothing():
    for labels, scores, weights in (
        ([1, 0, 1], ["0.9", "0.5", "0.1"], [0, 1, 2]),
        (np.array([1, 0, 1]), float_scores(np.array([0.9, 0.5, 0.125])), np.array([0, 1, 2])),
    ):
        assert len(rank(labels, scores, weights)) == 2


@pytest.mark.parametrize("name", [*METRICS, *(f"!{name}" for name in METRICS)])
@pytest.mark.parametrize("arrays", [False, True])
@pytest.mark.parametrize("factor", [1, 2**70])
def test_columns_of_a_metric_are_the_metric_of_each_matrix(name, arrays, factor):
    scores = float_scores(np.array([0.75, 0.75, 0.5, 0.25, 0.25])) if arrays else SCORES
    ranking = rank(LABELS, scores, [weight * factor + 1 for weight in WEIGHTS])
    above, below = ranking.ratios(metric(name))
    for place, matrix in enumerate(ranking.confusions()):
        value = matrix[name]
        if isinstance(value, Undefined):
            assert below[place] == 0
        else:
            assert mpq(above[place], below[place]) == value


@pytest.mark.parametrize("arrays", [False, True])
@pytest.mark.parametrize("rate", ["0.034", "1/2", "9/15", 1, 0, "1/1000000000000000000007"])
def test_a_population_rate_rescales_every_matrix(arrays, rate):
    scores = float_scores(np.array([0.75, 0.75, 0.5, 0.25, 0.25])) if arrays else SCORES
    ranking = rank(LABELS, scores, WEIGHTS)
    scaled = ranking.at_population_rate(rate)
    assert scaled.confusions() == [matrix.at_population_rate(rate) for matrix in ranking.confusions()]
    assert scaled.at("1/2") == ranking.at("1/2").at_population_rate(rate)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (([1, 0], ["1/2"]), BadSamples),
        (([1, 0], np.array([1])), BadSamples),
        (([1, 0], float_scores([0.5])), BadSamples),
        (([], []), BadSamples),
        (([], np.array([], dtype=int)), BadSamples),
        (([1, 2], ["1/2", "1/3"]), BadSamples),
        ((np.array([1, 2]), np.array([1, 2])), BadSamples),
        ((np.array([1.0, 0.5]), np.array([1, 2])), BadSamples),
        ((np.array(["spam", "ham"]), np.array([1, 2])), BadSamples),
        (([1, 0], [1, 2], [1]), BadSamples),
        ((np.array([1, 0]), np.array([1, 2]), np.array([0, 0])), BadSamples),
        (([1, 0], [0.5, 0.25]), FloatRefused),
        (([1, 0], [True, False]), NotANumber),
        (([1, 0], np.array([True, False])), NotANumber),
        (([1, 0], [None, 1]), BadSamples),
        (([1], ["high"]), BadNumber),
    ],
    ids=repr,
)
def test_bad_samples_are_refused(data, error):
    with pytest.raises(error):
        rank(*data)


def test_lists_without_numpy_give_the_same_results(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)  # importing it fails
    assert rows(rank(LABELS, SCORES, WEIGHTS)) == EXPECTED
    assert rows(rank(LABELS, float_scores([0.75, 0.75, 0.5, 0.25, 0.25]), WEIGHTS)) == EXPECTED
