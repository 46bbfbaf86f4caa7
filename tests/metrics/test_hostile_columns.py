"""Columns of things that are not labels or numbers: an error of the tree, whatever the container."""

import datetime

import numpy as np
import pandas as pd
import pytest

import ntqr_exact as ours
from ntqr_exact.errors import BadSamples, NtqrExactError

LABELS, SCORES, ROWS = [1, 0, 1], ["0.9", "0.5", "0.1"], [[1, 2], [2, 1], [1, 0]]
OF_LABELS = {
    "roc_auc": lambda column: ours.roc_auc(column, SCORES),
    "measure": lambda column: ours.measure("f1", LABELS, column),
    "confusion": lambda column: ours.ConfusionMatrix.from_labels(column, LABELS),
    "many labels": lambda column: ours.MulticlassConfusion.from_labels(column, LABELS),
    "top k": lambda column: ours.top_k_accuracy(column, ROWS, k=1),
    "many areas": lambda column: ours.many_label_roc_auc(column, ROWS),
    "strata": lambda column: ours.Strata.of(column, {0: 5, 1: 5}),
    "paired": lambda column: ours.compare_paired(
        column, LABELS, metric=ours.MetricModel(precision="0.9", false_omission="0.1")
    ),
}
OF_NUMBERS = {
    "roc_auc": lambda column: ours.roc_auc(LABELS, column),
    "weights": lambda column: ours.average_precision(LABELS, SCORES, column),
    "brier": lambda column: ours.brier_score(LABELS, column),
    "log loss": lambda column: ours.log_loss(LABELS, column),
    "bootstrap": lambda column: ours.bootstrap_area(LABELS, column, resamples=3, seed=1),
    "atc": lambda column: ours.atc(column, column, error="1/2"),
    "rows": lambda column: ours.top_k_accuracy(LABELS, column, k=1),
}
ODD = [float("nan"), None, pd.NA, pd.NaT, [1], {}, 1j, object(), datetime.date(2020, 1, 1)]
CONTAINERS = {
    "list": lambda odd: [1, 0, odd],
    "array": lambda odd: pd.array([1, 0, odd], dtype=object),
    "series": lambda odd: pd.Series([1, 0, odd], dtype=object),
    "rows": lambda odd: [[1, 0, 1], [0, odd, 1], [1, 1, 1]],
    "no column": lambda odd: odd,
}


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_odd_values_are_refused_as_labels_and_as_numbers(odd, container):
    column = CONTAINERS[container](odd)
    for name, call in (*OF_LABELS.items(), *OF_NUMBERS.items()):
        if name != "weights" or column is not None:
            with pytest.raises(NtqrExactError):
                call(column)


@pytest.mark.parametrize(
    "column",
    ["101", b"101", {1, 0, 2}, {"a": 1, "b": 0, "c": 1}, np.zeros((3, 2, 2))],
    ids=lambda column: type(column).__name__,
)
def test_only_columns_of_samples_are_accepted(column):
    for call in OF_NUMBERS.values():
        with pytest.raises(NtqrExactError):
            call(column)


def test_areas_of_many_labels_need_samples_and_pairs_need_two_labels():
    with pytest.raises(NtqrExactError):
        ours.many_label_roc_auc([], [])
    assert ours.many_label_roc_auc([0, 0], [[1], [2]], pairs="ovo").name == "ONE_LABEL"
    others = ours.many_label_roc_auc(["a", "b", "x"], [[3, 1], [1, 3], [9, 9]], label_names=["a", "b"])
    assert others == ours.rational("1/2")  # the sample of another label is above both


@pytest.mark.parametrize("kind", [np.array, pd.Series, pd.Index, tuple])
def test_the_names_of_labels_may_be_a_column(kind):
    scores = [["0.9", "0.1"], ["0.2", "0.8"]]
    assert ours.top_k_accuracy(["b", "a"], scores, k=1, label_names=kind(["b", "a"])) == 1
    with pytest.raises(BadSamples):
        ours.top_k_accuracy([0, 1], scores, k=1, label_names=[])
