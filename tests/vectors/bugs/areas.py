"""Witnesses of `areas` besides the JavaScript runner."""

from fractions import Fraction
from math import lcm


def scikit_learn(document):
    """With at most 20 samples, every area is a whole number of parts that are known and not too small."""
    from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

    labels = document["labels"]
    values = [float(Fraction(score)) for score in document["scores"]]
    denominator = 2 * sum(labels) * lcm(*range(1, len(labels) + 1))
    pairs = 2 * sum(labels) * (len(labels) - sum(labels))

    def exact(value, parts=denominator):
        return str(Fraction(round(Fraction(float(value)) * parts), parts))

    precision, recall, _ = precision_recall_curve(labels, values)
    first = [*precision[:-1], precision[-2]]
    return {
        "roc_auc": exact(roc_auc_score(labels, values), pairs),
        "pr_auc_none": exact(auc(recall[:-1], precision[:-1]) if len(recall) > 2 else 0),
        "pr_auc_first_precision": exact(auc(recall, first)),
        "pr_auc_one": exact(auc(recall, precision)),
        "average_precision": exact(average_precision_score(labels, values)),
    }


WITNESSES = {"scikit-learn": scikit_learn}
