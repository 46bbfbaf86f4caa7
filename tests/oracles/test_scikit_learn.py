"""scikit-learn in floats agrees with the exact values, on random data with ties and weights."""

import numpy as np
import pytest

from ntqr_exact.columns.inputs import float_scores
from ntqr_exact.metrics.areas import average_precision, roc_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.multiclass import Average, LabelMatrices, MulticlassConfusion
from ntqr_exact.metrics.ranking import precision_recall_curve, roc_curve

sk = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")

CLOSE = {"rtol": 1e-12, "atol": 1e-12}
KINDS = ("none", "whole", "floats")


def data(seed, size=300, distinct=40):
    generator = np.random.default_rng(seed)
    scores = np.round(generator.random(size) * distinct) / distinct
    labels = (generator.random(size) < scores).astype(int)
    return labels, scores, generator


def weights_of(kind, generator, size):
    if kind == "none":
        return None, None
    if kind == "whole":
        whole = generator.integers(0, 9, size)
        return whole, whole
    floats = generator.random(size)
    return float_scores(floats), floats


def decimals(column, below):
    return np.array([int(a) / int(b) for a, b in zip(column, below, strict=True)])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", KINDS)
def test_precision_recall_f1_and_accuracy_agree(seed, kind):
    labels, scores, generator = data(seed)
    ours, theirs = weights_of(kind, generator, len(labels))
    predicted = (scores >= 0.5).astype(int)
    matrix = ConfusionMatrix.from_labels(labels, predicted, ours)
    expected = {
        "precision": sk.precision_score(labels, predicted, sample_weight=theirs),
        "recall": sk.recall_score(labels, predicted, sample_weight=theirs),
        "f1": sk.f1_score(labels, predicted, sample_weight=theirs),
        "accuracy": sk.accuracy_score(labels, predicted, sample_weight=theirs),
        "!precision": sk.precision_score(labels, predicted, pos_label=0, sample_weight=theirs),
        "!recall": sk.recall_score(labels, predicted, pos_label=0, sample_weight=theirs),
        "!f1": sk.f1_score(labels, predicted, pos_label=0, sample_weight=theirs),
    }
    for name, value in expected.items():
        np.testing.assert_allclose(float(matrix[name]), value, **CLOSE)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [2, 30, 500])
def test_curves_and_areas_agree(seed, kind, size):
    labels, scores, generator = data(seed, size)
    labels[:2] = [0, 1]
    ours, theirs = weights_of(kind, generator, size)
    if theirs is not None:
        theirs = theirs + (theirs == 0)  # scikit-learn keeps a threshold that nothing is left of
        ours = theirs if kind == "whole" else float_scores(theirs)
    exact = float_scores(scores)
    np.testing.assert_allclose(
        float(roc_auc(labels, exact, ours)), sk.roc_auc_score(labels, scores, sample_weight=theirs), **CLOSE
    )
    np.testing.assert_allclose(
        float(average_precision(labels, exact, ours)),
        sk.average_precision_score(labels, scores, sample_weight=theirs),
        **CLOSE,
    )
    fpr, tpr, thresholds = sk.roc_curve(labels, scores, sample_weight=theirs, drop_intermediate=False)
    roc = roc_curve(labels, exact, ours)
    (x, x_below), (y, y_below) = roc.columns()
    np.testing.assert_allclose(decimals(x, x_below), fpr[1:], **CLOSE)
    np.testing.assert_allclose(decimals(y, y_below), tpr[1:], **CLOSE)
    assert [*map(float, roc.ranking.thresholds())] == thresholds[1:].tolist()
    precision, recall, thresholds = sk.precision_recall_curve(labels, scores, sample_weight=theirs)
    pr = precision_recall_curve(labels, exact, ours)
    (x, x_below), (y, y_below) = pr.columns()
    np.testing.assert_allclose(decimals(x, x_below)[::-1], recall[:-1], **CLOSE)
    np.testing.assert_allclose(decimals(y, y_below)[::-1], precision[:-1], **CLOSE)
    assert [*map(float, pr.ranking.thresholds())][::-1] == thresholds.tolist()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("average", "name"), [(Average.MICRO, "micro"), (Average.MACRO, "macro"), (Average.WEIGHTED, "weighted")]
)
def test_averages_over_many_labels_agree(seed, average, name):
    generator = np.random.default_rng(seed)
    truth, guess = generator.integers(0, 4, 200), generator.integers(0, 4, 200)
    weights = generator.integers(1, 9, 200)
    matrices = MulticlassConfusion.from_labels(truth, guess, weights).matrices
    precision, recall, f1, _ = sk.precision_recall_fscore_support(
        truth, guess, average=name, sample_weight=weights
    )
    for metric, value in (("precision", precision), ("recall", recall), ("f1", f1)):
        np.testing.assert_allclose(float(matrices.average(metric, average)), value, **CLOSE)


@pytest.mark.parametrize("seed", range(3))
def test_multi_label_matrices_agree(seed):
    generator = np.random.default_rng(seed)
    truth, guess = generator.integers(0, 2, (100, 3)), generator.integers(0, 2, (100, 3))

    def sets(rows):
        return [set(np.flatnonzero(row).tolist()) for row in rows]

    matrices = LabelMatrices.from_label_sets(sets(truth), sets(guess), labels=range(3))
    for label, ((tn, fp), (fn, tp)) in enumerate(sk.multilabel_confusion_matrix(truth, guess).tolist()):
        assert matrices[label] == ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    np.testing.assert_allclose(
        float(matrices.average("f1", Average.MICRO)), sk.f1_score(truth, guess, average="micro"), **CLOSE
    )


def test_a_sum_of_floats_drifts_where_ours_is_exact():
    labels, scores = np.array([0, 1] * 50), np.arange(100) / 128
    tenths = np.full(100, 0.1)
    exact = roc_auc(labels, float_scores(scores), float_scores(tenths))
    assert exact == roc_auc(labels, float_scores(scores))
