"""Metrics of labels, probabilities and many labels, each against the function of scikit-learn of that name."""

import pickle

import numpy as np
import pandas as pd
import pytest
from gmpy2 import mpq
from sklearn import metrics as peer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

import ntqr_exact as ours
from ntqr_exact.errors import BadQuery, BadSamples, UndefinedMetric
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics import formulas
from ntqr_exact.metrics.multiclass import OF_ALL_LABELS

GENERATOR = np.random.default_rng(17)
SIZE = 60
TRUE = GENERATOR.integers(0, 2, SIZE)
GUESS = np.where(GENERATOR.random(SIZE) < 0.7, TRUE, 1 - TRUE)
SCORES = np.round(np.clip(GENERATOR.normal(0.35 + 0.3 * TRUE, 0.25), 0.01, 0.99), 2)
WEIGHTS = GENERATOR.integers(0, 5, SIZE)
MANY = GENERATOR.integers(0, 4, SIZE)
MANY_GUESS = np.where(GENERATOR.random(SIZE) < 0.6, MANY, GENERATOR.integers(0, 4, SIZE))
ROWS = GENERATOR.dirichlet(np.ones(4), SIZE)

OF_LABELS = {
    "accuracy": peer.accuracy_score,
    "balanced_accuracy": peer.balanced_accuracy_score,
    "mcc": peer.matthews_corrcoef,
    "kappa": peer.cohen_kappa_score,
}
RATIOS = {
    "precision": peer.precision_score,
    "recall": peer.recall_score,
    "f1": peer.f1_score,
    "jaccard": peer.jaccard_score,
    "f2": lambda *data, **options: peer.fbeta_score(*data, beta=2, **options),
    "f1/2": lambda *data, **options: peer.fbeta_score(*data, beta=0.5, **options),
}


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("name", OF_LABELS)
def test_metrics_of_all_labels_together_agree(name, weights):
    for truth, guess in ((TRUE, GUESS), (MANY, MANY_GUESS)):
        found = ours.measure(name, truth, guess, sample_weight=weights)
        assert abs(float(found) - OF_LABELS[name](truth, guess, sample_weight=weights)) < 1e-12


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("name", RATIOS)
def test_ratios_of_two_labels_and_their_averages_over_more(name, weights):
    found = ours.measure(name, TRUE, GUESS, sample_weight=weights)
    assert abs(float(found) - RATIOS[name](TRUE, GUESS, sample_weight=weights)) < 1e-12
    swapped = ours.measure(name, TRUE, GUESS, sample_weight=weights, pos_label=0)
    assert abs(float(swapped) - RATIOS[name](TRUE, GUESS, sample_weight=weights, pos_label=0)) < 1e-12
    for average in ("micro", "macro", "weighted"):
        found = ours.measure(name, MANY, MANY_GUESS, sample_weight=weights, average=average)
        theirs = RATIOS[name](MANY, MANY_GUESS, sample_weight=weights, average=average)
        assert abs(float(found) - theirs) < 1e-12


def test_rates_have_their_other_names():
    tn, fp, fn, tp = peer.confusion_matrix(TRUE, GUESS).ravel().tolist()
    expected = {
        "sensitivity": mpq(tp, tp + fn),
        "tpr": mpq(tp, tp + fn),
        "specificity": mpq(tn, tn + fp),
        "npv": mpq(tn, tn + fn),
        "fdr": mpq(fp, tp + fp),
        "false_omission_rate": mpq(fn, fn + tn),
        "fnr": mpq(fn, fn + tp),
        "lift": mpq(tp, tp + fp) / mpq(tp + fn, SIZE),
    }
    assert {name: ours.measure(name, TRUE, GUESS) for name in expected} == expected
    matrix = ours.ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    metric = ours.MetricModel.from_counts(tp=matrix.tp, fp=matrix.fp, fn=matrix.fn, tn=matrix.tn)
    assert metric.false_omission == matrix["false_omission_rate"]


@pytest.mark.parametrize("weights", [None, WEIGHTS, WEIGHTS / 7])
def test_brier_score_and_log_loss_agree(weights):
    options = {"sample_weight": weights}
    assert (
        abs(float(ours.brier_score(TRUE, SCORES, **options)) - peer.brier_score_loss(TRUE, SCORES, **options))
        < 1e-12
    )
    assert abs(float(ours.log_loss(TRUE, SCORES, **options)) - peer.log_loss(TRUE, SCORES, **options)) < 1e-12


def test_log_loss_is_ordered_formatted_and_infinite_where_a_label_was_impossible():
    better, worse = ours.log_loss([1, 0], ["0.9", "0.2"]), ours.log_loss([1, 0], ["0.8", "0.2"])
    assert better < worse < ours.log_loss([1, 0], [0, 0])
    assert float(ours.log_loss([1, 0], [0, 0])) == float("inf")
    assert (f"{worse:.4f}", f"{worse:.2e}") == ("0.2231", "2.23e-1")
    assert ours.log_loss([1, 0], ["1/2", "1/2"]).decimal(12) == "0.693147180560"


def test_the_calibration_error_is_the_weighted_gap_of_its_bins():
    found = ours.calibration(TRUE, SCORES, WEIGHTS, bins=5)
    place = np.minimum((SCORES * 5).astype(int), 4)
    gap = 0
    for each in range(5):
        here = place == each
        if WEIGHTS[here].sum():
            gap += abs((WEIGHTS[here] * (SCORES[here] - TRUE[here])).sum())
    assert abs(float(found.error) - gap / WEIGHTS.sum()) < 1e-12
    assert found.largest_gap >= found.error
    assert ours.calibration([1, 0], [1, "1/2"], bins=2).bins[-1].weight == 2


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_accuracy_with_ties_broken_as_scikit_learn_does(k):
    tied = np.round(ROWS, 1)
    for rows, ties in ((ROWS, "first"), (tied, "last")):
        found = ours.top_k_accuracy(MANY, rows, WEIGHTS, k=k, ties=ties)
        assert abs(float(found) - peer.top_k_accuracy_score(MANY, rows, k=k, sample_weight=WEIGHTS)) < 1e-12
    assert ours.top_k_accuracy([0, 1], [[1, 1, 1], [1, 1, 1]], k=1, ties="shared") == mpq(1, 3)


@pytest.mark.parametrize("pairs", ["ovr", "ovo"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_areas_of_many_labels_agree(pairs, average):
    found = ours.many_label_roc_auc(MANY, ROWS, pairs=pairs, average=average)
    assert abs(float(found) - peer.roc_auc_score(MANY, ROWS, multi_class=pairs, average=average)) < 1e-12


def test_the_pooled_area_of_many_labels_and_one_that_is_missing():
    found = ours.many_label_roc_auc(MANY, ROWS, average="micro")
    assert abs(float(found) - peer.roc_auc_score(MANY, ROWS, multi_class="ovr", average="micro")) < 1e-12
    assert ours.many_label_roc_auc([0, 1], [[1, 2, 3]] * 2, label_names=[0, 1, 2]) is Undefined.PART_UNDEFINED


@pytest.mark.parametrize("weights", [None, WEIGHTS + 1])
def test_curves_unpack_as_in_scikit_learn(weights):
    fpr, tpr, thresholds = ours.roc_curve(TRUE, SCORES, sample_weight=weights)
    theirs = peer.roc_curve(TRUE, SCORES, sample_weight=weights, drop_intermediate=False)
    for own, other in zip((fpr, tpr, thresholds[1:]), (theirs[0], theirs[1], theirs[2][1:]), strict=True):
        assert np.allclose(np.array(own, dtype=float), other)
    assert thresholds[0] is None
    recall, precision, at = ours.precision_recall_curve(TRUE, SCORES, sample_weight=weights)
    their_precision, their_recall, their_at = peer.precision_recall_curve(TRUE, SCORES, sample_weight=weights)
    kept = slice(None, -1)
    assert np.allclose(np.array(recall, dtype=float)[::-1], their_recall[kept])
    assert np.allclose(np.array(precision, dtype=float)[::-1], their_precision[kept])
    assert np.allclose(np.array(at, dtype=float)[::-1], their_at)


def test_det_curves_agree():
    fpr, fnr, _ = ours.det_curve(TRUE, SCORES)
    points = {(round(a, 12), round(b, 12)) for a, b in zip(map(float, fpr), map(float, fnr), strict=True)}
    theirs = peer.det_curve(TRUE, SCORES)
    assert {(round(a, 12), round(b, 12)) for a, b in zip(*theirs[:2], strict=True)} <= points


def test_scorers_work_in_cross_validation():
    features = pd.DataFrame({"x": SCORES, "z": GENERATOR.random(SIZE)})
    model, labels = LogisticRegression(), pd.Series(TRUE)
    function = pickle.loads(pickle.dumps(ours.MetricFunction("f1", {"undefined": "0"})))
    found = cross_val_score(model, features, labels, scoring=peer.make_scorer(function), cv=3)
    assert np.allclose(found, cross_val_score(model, features, labels, scoring="f1", cv=3))
    found = cross_val_score(
        model, features, labels, scoring=peer.make_scorer(ours.MetricFunction("mcc")), cv=3
    )
    theirs = cross_val_score(model, features, labels, scoring="matthews_corrcoef", cv=3)
    assert np.allclose(found.astype(float), theirs)
    area = peer.make_scorer(ours.roc_auc, response_method="predict_proba")
    found = cross_val_score(model, features, labels, scoring=area, cv=3)
    assert np.allclose(found, cross_val_score(model, features, labels, scoring="roc_auc", cv=3))


def test_pandas_indices_must_match():
    labels = pd.Series(TRUE)
    other = pd.Series(SCORES, index=range(1, SIZE + 1))
    for asked in (ours.roc_auc, ours.brier_score, ours.roc_curve):
        with pytest.raises(BadSamples):
            asked(labels, other)
    with pytest.raises(BadSamples):
        ours.measure("f1", labels, pd.Series(GUESS, index=range(1, SIZE + 1)))
    assert ours.roc_auc(labels, other.to_numpy()) == ours.roc_auc(TRUE, SCORES)


def test_bad_names_and_labels_are_refused_and_zero_denominators_follow_the_policy():
    with pytest.raises(BadQuery, match="metric must be one of"):
        ours.MetricFunction("f-score")
    with pytest.raises(BadSamples, match="name pos_label= of two labels, or average= for more"):
        ours.measure("f1", MANY, MANY_GUESS)
    assert ours.measure("precision", [1, 0], [0, 0]) is Undefined.NO_PREDICTED_POSITIVES
    assert not ours.measure("precision", [1, 0], [0, 0])
    assert ours.measure("precision", [1, 0], [0, 0], undefined="0") == 0
    with pytest.raises(UndefinedMetric):
        ours.MetricFunction("precision")([1, 0], [0, 0])
    assert ours.measure("mcc", [1, 1], [1, 0]) is Undefined.ONE_LABEL
    assert ours.measure("kappa", [1, 1], [1, 1]) is Undefined.ONE_LABEL
    assert isinstance(ours.measure("mcc", TRUE, GUESS), Surd)
    for name in (*formulas.RATIOS, *formulas.SYNONYMS, *OF_ALL_LABELS, "lift"):
        assert ours.measure(name, TRUE, GUESS) is not None


@pytest.mark.parametrize("area", ["average_precision", "pr_auc", "roc_auc"])
def test_the_bootstrap_of_an_area_is_that_of_the_samples_it_draws(area):
    weights = [mpq(int(w) + 1, 3) for w in WEIGHTS[:20]]
    rows = list(zip(TRUE[:20].tolist(), map(str, SCORES[:20]), weights, strict=True))
    by_hand = ours.bootstrap(
        rows, lambda drawn: getattr(ours, area)(*map(list, zip(*drawn, strict=True))), resamples=30, seed=3
    )
    found = ours.bootstrap_area(*map(list, zip(*rows, strict=True)), resamples=30, seed=3, area=area)
    assert found == by_hand
    assert found.mean == sum(value * count for value, count in found.values) / 30
