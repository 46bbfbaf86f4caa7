"""Metrics of all labels together, lift and F-beta, where there is nothing to divide by or no such metric."""

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.label_metrics import balanced_accuracy, cohen_kappa, lift, matthews, measure
from ntqr_exact.metrics.multiclass import MulticlassConfusion

ONE_LABEL = MulticlassConfusion({"a": {"a": 3}, "b": {}})
ONE_GIVEN = MulticlassConfusion({"a": {"a": 3}, "b": {"a": 1}})
NOTHING = MulticlassConfusion({"a": {}, "b": {}})


def test_one_label_on_both_sides_says_nothing_of_agreement_beyond_chance():
    assert (cohen_kappa(ONE_LABEL), matthews(ONE_LABEL)) == (Undefined.ONE_LABEL, Undefined.ONE_LABEL)
    assert (cohen_kappa(ONE_GIVEN), matthews(ONE_GIVEN)) == (0, Undefined.ONE_LABEL)
    assert (balanced_accuracy(ONE_LABEL), balanced_accuracy(ONE_GIVEN)) == (1, mpq(1, 2))


def test_of_no_samples_nothing_is_told():
    assert {cohen_kappa(NOTHING), matthews(NOTHING), balanced_accuracy(NOTHING)} == {Undefined.NO_SAMPLES}


def test_lift_says_what_there_is_none_of():
    assert lift(ConfusionMatrix(tp=2, fp=1, fn=1, tn=5)) == mpq(2, 3) / mpq(3, 9)
    assert lift(ConfusionMatrix(tp=0, fp=0, fn=2, tn=3)) is Undefined.NO_PREDICTED_POSITIVES
    assert lift(ConfusionMatrix(tp=0, fp=0, fn=0, tn=0)) is Undefined.NO_PREDICTED_POSITIVES
    assert lift(ConfusionMatrix(tp=0, fp=2, fn=0, tn=3)) is Undefined.NO_POSITIVES


@pytest.mark.parametrize("name", ["f0", "f0/3", "f1001"])
def test_a_beta_is_positive_and_no_larger_than_a_thousand(name):
    with pytest.raises(BadNumber):
        metric(name)
    assert metric("f1000").name == "f1000"


def test_an_average_is_of_each_label_against_the_rest():
    data = ["a", "b", "c"], ["a", "b", "b"]
    assert measure("accuracy", *data) == mpq(2, 3)
    assert measure("accuracy", *data, average="macro") == (1 + mpq(2, 3) + mpq(2, 3)) / 3
