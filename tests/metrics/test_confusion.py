"""Confusion matrices: counts, labels, weights, names, population rates, undefined values, bad input."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadQuery, BadSamples, FloatRefused, UndefinedMetric
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, METRICS, WhenUndefined, defined, metric

MATRIX = ConfusionMatrix(tp=30, fp=10, fn=5, tn=55)
EMPTY = ConfusionMatrix(tp=0, fp=0, fn=0, tn=0)
ATTRIBUTES = {
    **{name: name for name in METRICS},
    "!recall": "negated_recall",
    "!precision": "negated_precision",
    "!f1": "negated_f1",
}


@pytest.mark.parametrize(("name", "attribute"), ATTRIBUTES.items())
def test_a_metric_is_the_same_by_name_and_by_attribute(name, attribute):
    assert MATRIX[name] == getattr(MATRIX, attribute)
    assert MATRIX[name] == MATRIX.measure(metric(name)) == MATRIX.value(name)


@pytest.mark.parametrize("name", METRICS)
def test_negating_twice_is_the_metric_itself(name):
    assert METRICS[name].negated.negated == METRICS[name]
    assert metric(f"!{name}").name == f"!{name}"


@pytest.mark.parametrize("name", ["", "!", "!!recall", "Recall", "roc_auc", "tp"])
def test_an_unknown_metric_is_refused(name):
    with pytest.raises(BadQuery):
        MATRIX[name]


def test_weights_are_exact_and_the_repr_can_be_pasted_back():
    matrix = ConfusionMatrix(tp="0.1", fp=Fraction(1, 3), fn=mpq(2), tn=0)
    assert matrix.precision == mpq(3, 13)
    assert repr(matrix) == "ConfusionMatrix(tp='1/10', fp='1/3', fn=2, tn=0)"
    assert eval(repr(matrix)) == matrix
    assert pickle.loads(pickle.dumps(matrix)) == copy.deepcopy(matrix) == matrix
    assert len({matrix, copy.copy(matrix)}) == 1


def test_labels_may_be_numbers_truth_values_arrays_or_named():
    expected = ConfusionMatrix(tp=1, fp=1, fn=1, tn=2)
    actual, predicted = [1, 1, 0, 0, 0], [1, 0, 1, 0, 0]
    assert ConfusionMatrix.from_labels(actual, predicted) == expected
    assert ConfusionMatrix.from_labels(np.array(actual), np.array(predicted, dtype=bool)) == expected
    assert ConfusionMatrix.from_labels(iter(actual), iter(predicted)) == expected
    names = ["ham", "spam"]
    named = [[names[label] for label in labels] for labels in (actual, predicted)]
    assert ConfusionMatrix.from_labels(*named, pos_label="spam") == expected
    assert ConfusionMatrix.from_labels(*named, pos_label="ham") == expected.negated


def test_counts_and_rates_have_the_layout_of_ores():
    assert MATRIX.counts == {
        "labels": {"false": 65, "true": 35},
        "n": 100,
        "predictions": {"false": {"false": 55, "true": 10}, "true": {"false": 5, "true": 30}},
    }
    assert MATRIX.rates == {"false": mpq(13, 20), "true": mpq(7, 20)}
    assert (MATRIX.positives, MATRIX.negatives, MATRIX.total) == (35, 65, 100)


@pytest.mark.parametrize(
    ("cells", "name", "reason"),
    [
        ((0, 3, 0, 4), "recall", Undefined.NO_POSITIVES),
        ((0, 0, 3, 4), "precision", Undefined.NO_PREDICTED_POSITIVES),
        ((0, 0, 0, 4), "f1", Undefined.NOTHING_POSITIVE),
        ((3, 0, 4, 0), "fpr", Undefined.NO_NEGATIVES),
        ((3, 0, 4, 0), "!recall", Undefined.NO_NEGATIVES),
        ((3, 4, 0, 0), "!precision", Undefined.NO_PREDICTED_NEGATIVES),
        ((3, 0, 0, 0), "!f1", Undefined.NOTHING_NEGATIVE),
        ((0, 4, 0, 4), "!fpr", Undefined.NO_POSITIVES),
        *(((0, 0, 0, 0), name, Undefined.NO_SAMPLES) for name in ("accuracy", "match_rate", "!filter_rate")),
    ],
)
def test_a_zero_denominator_is_undefined_with_its_reason(cells, name, reason):
    matrix = ConfusionMatrix(**dict(zip(CELLS, cells, strict=True)))
    assert matrix[name] is reason
    assert matrix.value(name, undefined=WhenUndefined.ZERO) == 0
    assert matrix.value(name, undefined=WhenUndefined.ONE) == 1
    with pytest.raises(UndefinedMetric, match=reason.value):
        matrix.value(name)
    with pytest.raises(ArithmeticError):
        defined(matrix[name], WhenUndefined.ERROR)


def test_a_population_rate_keeps_the_total_recall_and_fpr():
    scaled = MATRIX.at_population_rate("0.034")
    assert scaled.total == MATRIX.total
    assert (scaled.recall, scaled.fpr) == (MATRIX.recall, MATRIX.fpr)
    assert scaled.rates["true"] == mpq(34, 1000)
    assert scaled.tp == 30 * mpq(34, 1000) / mpq(35, 100)
    assert scaled.tn == 55 * mpq(966, 1000) / mpq(65, 100)


def test_the_ends_of_the_population_rate_leave_one_label():
    assert MATRIX.at_population_rate(0).positives == 0
    assert MATRIX.at_population_rate(1).negatives == 0
    only_negative = ConfusionMatrix(tp=0, fp=1, fn=0, tn=3)
    assert only_negative.at_population_rate(0) == only_negative


def test_a_population_rate_that_the_sample_cannot_stand_for_is_refused():
    with pytest.raises(BadSamples):
        ConfusionMatrix(tp=0, fp=1, fn=0, tn=3).at_population_rate("0.1")
    with pytest.raises(BadSamples):
        ConfusionMatrix(tp=1, fp=0, fn=2, tn=0).at_population_rate("0.1")
    with pytest.raises(BadSamples):
        EMPTY.at_population_rate("0.1")
    for rate in ("-0.1", "1.01", 2):
        with pytest.raises(BadNumber):
            MATRIX.at_population_rate(rate)
    with pytest.raises(FloatRefused):
        MATRIX.at_population_rate(0.034)


@pytest.mark.parametrize("cell", CELLS)
def test_a_negative_count_is_refused_by_its_name(cell):
    with pytest.raises(BadSamples, match=f"^{cell} "):
        ConfusionMatrix(**{**dict.fromkeys(CELLS, 1), cell: -1})


@pytest.mark.parametrize(
    ("data", "options", "error"),
    [
        (([1, 0], [1]), {}, BadSamples),
        (([1, 2], [1, 0]), {}, BadSamples),
        ((["no"], ["maybe"]), {"pos_label": "yes"}, BadSamples),
        ((["a", "b"], ["c", "b"]), {"pos_label": "b"}, BadSamples),
        (([[1]], [1]), {}, BadSamples),
        (([1, 0], [1, 0], [1]), {}, BadSamples),
        (([1, 0], [1, 0], [1, "-1/2"]), {}, BadSamples),
        (([1, 0], [1, 0], [0, "0"]), {}, BadSamples),
        (([1, 0], [1, 0], [0.5, 1]), {}, FloatRefused),
    ],
)
def test_bad_labels_and_weights_are_refused(data, options, error):
    with pytest.raises(error):
        ConfusionMatrix.from_labels(*data, **options)
