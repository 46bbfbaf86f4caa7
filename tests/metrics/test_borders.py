"""Columns at the border: one way to take them, and everything else is refused."""

import numpy as np
import pandas as pd
import pytest
from gmpy2 import mpq

import ntqr_exact as nx
from ntqr_exact.errors import BadSamples, NtqrExactError
from ntqr_exact.metrics.multiclass import LabelMatrices

Y = np.array([1, 0, 1, 0])
P = [0.9, 0.2, 0.4, 0.6]
ARRAYS = {
    "array": np.asarray,
    "pandas": pd.Series,
    "frame": pd.DataFrame,
    "polars": lambda c: pytest.importorskip("polars").DataFrame({"c": c}),
    "arrow": lambda c: pytest.importorskip("pyarrow").chunked_array([c]),
    "arrow table": lambda c: pytest.importorskip("pyarrow").table({"c": c}),
}
CALLS = {
    "accuracy": lambda y, _: nx.measure("accuracy", y, y),
    "brier": nx.brier_score,
    "log loss": lambda y, p: nx.log_loss(y, p).decimal(9),
    "calibration": lambda y, p: nx.calibration(y, p).error,
    "roc": nx.roc_auc,
    "kappa": lambda y, _: nx.measure("kappa", y, y),
    "matrix": lambda y, _: nx.ConfusionMatrix.from_labels(y, y),
    "strata": lambda y, _: nx.Strata.of(y, {0: 5, 1: 9}),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("make", ARRAYS)
def test_a_column_is_the_same_in_every_container(call, make):
    column = ARRAYS[make]
    assert CALLS[call](column(Y), column(P)) == CALLS[call](Y, np.array(P))


BAD = {
    "dict": {0: 1, 1: 0, 2: 1, 3: 0},
    "set": {0, 1},
    "two columns": pd.DataFrame({"a": Y, "b": Y}),
    "masked": np.ma.masked_array(Y, mask=[0, 0, 0, 1]),
    "missing": [1, None, 1, 0],
    "nan": np.array([1, np.nan, 1, 0]),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_lazy_frame_is_refused(call):
    lazy = pytest.importorskip("polars").LazyFrame({"c": Y})
    with pytest.raises(BadSamples):
        CALLS[call](lazy, np.array(P))


def test_a_missing_label_of_an_array_is_named_by_its_row():
    with pytest.raises(BadSamples, match="row 2 "):
        nx.roc_auc(np.array([1, np.nan, 1, 0]), np.array(P))
    with pytest.raises(BadSamples, match="row 2"):
        nx.many_label_roc_auc(["a", "b"], np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]]))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("bad", BAD)
def test_anything_else_is_refused(call, bad):
    with pytest.raises(NtqrExactError):
        CALLS[call](BAD[bad], P)


MASKED = np.ma.masked_array(P, mask=[0, 1, 0, 0])


@pytest.mark.parametrize(
    "call",
    [
        lambda: nx.brier_score(Y, MASKED),
        lambda: nx.roc_auc(Y, MASKED),
        lambda: nx.bootstrap_area(Y, np.array(P), strata=np.full(4, np.nan), resamples=5, seed=1),
        lambda: nx.bootstrap_area(Y, np.array(P), weights=[1, 1, 1, 1], resamples=1, seed=1),
    ],
)
def test_masked_values_strata_without_names_and_fixed_weights_are_refused(call):
    with pytest.raises(BadSamples):
        call()


def test_indicator_rows_are_read_as_such():
    truth, guess = np.array([[1, 0, 1], [0, 1, 0]]), np.array([[1, 0, 0], [0, 1, 0]])
    sets = LabelMatrices.from_label_sets([{0, 2}, {1}], [{0}, {1}], labels=[0, 1, 2])
    assert LabelMatrices.from_label_sets(truth, guess, labels=[0, 1, 2]).average(
        "f1", "micro"
    ) == sets.average("f1", "micro")
    both = np.array([[1, 1], [0, 1]])
    assert LabelMatrices.from_label_sets(both, both, labels=[0, 1])[0].tp == 1
    with pytest.raises(BadSamples):
        LabelMatrices.from_label_sets(truth * 2, guess, labels=[0, 1, 2])
    frame = pd.DataFrame([[1, 0], [0, 1]], columns=["b", "a"])
    for rows in (frame, {"ab": 1, "b": 2}, [[1, 0], [0, 1]], [[1, 1], [0, 1]]):
        with pytest.raises(BadSamples):
            LabelMatrices.from_label_sets(rows, rows, labels=["a", "b"] if rows is frame else [0, 1])


def _series(values):
    return pd.Series(values, index=range(len(values) - 1, -1, -1))


OTHER_INDEX = {
    "sets": lambda: LabelMatrices.from_label_sets(_series([{0}, {1}]), pd.Series([{0}, {1}]), labels=[0, 1]),
    "top k": lambda: nx.top_k_accuracy(_series([0, 1]), pd.DataFrame([[2, 1], [1, 2]]), k=1),
    "strata": lambda: nx.bootstrap_area(
        pd.Series(Y), P, strata=_series(["a", "a", "b", "b"]), resamples=1, seed=1
    ),
    "atc": lambda: nx.atc(pd.DataFrame([[0.5, 0.5], [1.0, 0]]), [["1", 0]], labels=_series([0, 1])),
    "doc": lambda: nx.doc(pd.DataFrame([[0.5, 0.5], [1.0, 0]]), [["1", 0]], labels=_series([0, 1])),
    "bootstrap of atc": lambda: nx.bootstrap_atc(
        pd.DataFrame([[0.5, 0.5], [1.0, 0]]), [["1", 0]], labels=_series([0, 1]), resamples=1, seed=1
    ),
}


@pytest.mark.parametrize("call", OTHER_INDEX)
def test_columns_with_other_indices_are_refused(call):
    with pytest.raises(BadSamples, match="index"):
        OTHER_INDEX[call]()


def test_columns_of_scores_must_match_the_labels():
    rows = pd.DataFrame({"b": [0.1, 0.8, 0.3], "a": [0.9, 0.2, 0.7]})
    with pytest.raises(BadSamples):
        nx.many_label_roc_auc(["a", "b", "a"], rows)
    assert nx.many_label_roc_auc(["a", "b", "a"], rows[["a", "b"]]) == 1
    table = pytest.importorskip("pyarrow").Table.from_pandas
    assert nx.many_label_roc_auc(["a", "b", "a"], table(rows[["a", "b"]])) == 1
    with pytest.raises(BadSamples):
        nx.many_label_roc_auc(["a", "b", "a"], table(rows))


def test_a_log_loss_compares_with_numbers_and_negates():
    loss = nx.log_loss(Y, ["0.9", "0.2", "0.4", "0.6"])
    assert loss < 1
    assert mpq(1, 2) < loss
    assert loss != mpq(1, 2)
    assert float(-1 * loss) == -float(loss)


def test_a_scorer_returns_floats():
    scorer = nx.MetricFunction("accuracy")
    values = np.array([scorer(Y, Y), scorer(Y, 1 - Y)])
    assert values.std() == 0.5
    for name in ("roc_auc", "average_precision", "pr_auc", "brier_score", "log_loss"):
        exact = getattr(nx, name)(Y, np.array(P))
        assert -1 * nx.MetricFunction(name)(Y, np.array(P)) == -float(exact)


def test_missing_numbers_of_a_list_are_named_by_their_row():
    for bad in (None, float("nan"), pd.NA):
        for call in (nx.roc_auc, nx.brier_score, lambda y, p: nx.roc_auc(y, y, p)):
            with pytest.raises(BadSamples, match="row 3"):
                call(Y, ["0.9", "0.2", bad, "0.6"])


def test_outcomes_are_taken_as_any_column():
    metric = nx.MetricModel("9/10", "1/5")
    assert nx.compare(control=pd.DataFrame(Y), treatment=Y, metric=metric).difference() == 0
    for bad in ({0, 1}, np.ma.masked_array(Y, mask=[0, 0, 0, 1]), [1, 0, None]):
        with pytest.raises(BadSamples):
            nx.compare(control=bad, treatment=Y, metric=metric)
