"""Witnesses of `weighted-metrics` besides the JavaScript runner."""

from fractions import Fraction
from math import lcm


def scikit_learn(document):
    """With whole weights that sum to at most 26, every result is a whole number of parts that are known."""
    from sklearn.metrics import (
        auc,
        average_precision_score,
        confusion_matrix,
        f1_score,
        precision_recall_curve,
        precision_score,
        recall_score,
        roc_auc_score,
        zero_one_loss,
    )

    labels, weights = document["labels"], document["weights"]
    scores = [Fraction(score) for score in document["scores"]]
    values = [float(score) for score in scores]
    predicted = [int(score >= Fraction(document["threshold"])) for score in scores]
    positives, size = sum(w for y, w in zip(labels, weights, strict=True) if y), sum(weights)
    denominator = 2 * positives * lcm(*range(1, size + 1))
    precision, recall, thresholds = precision_recall_curve(labels, values, sample_weight=weights)
    (tn, fp), (fn, tp) = confusion_matrix(labels, predicted, sample_weight=weights)

    def exact(value, parts=denominator):
        return str(Fraction(round(Fraction(float(value)) * parts), parts))

    def near(measure, **options):
        value = measure(labels, predicted, sample_weight=weights, **options)
        return str(Fraction(float(value)).limit_denominator(2 * size))

    written = {float(score): str(score) for score in scores}
    return {
        "thresholds": [written[float(t)] for t in thresholds[::-1]],
        "matrix": {"tp": int(tp), "fp": int(fp), "fn": int(fn), "tn": int(tn)},
        "error_rate": near(zero_one_loss),
        "precision": near(precision_score),
        "recall": near(recall_score),
        "f1": near(f1_score),
        "!precision": near(precision_score, pos_label=0),
        "!recall": near(recall_score, pos_label=0),
        "roc_auc": exact(
            roc_auc_score(labels, values, sample_weight=weights), 2 * positives * (size - positives)
        ),
        "pr_auc_none": exact(auc(recall[:-1], precision[:-1]) if len(recall) > 2 else 0),
        "pr_auc_first_precision": exact(auc(recall, [*precision[:-1], precision[-2]])),
        "pr_auc_one": exact(auc(recall, precision)),
        "average_precision": exact(average_precision_score(labels, values, sample_weight=weights)),
    }


WITNESSES = {"scikit-learn": scikit_learn}
