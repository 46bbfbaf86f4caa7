"""Witnesses of `roc-curve` besides the JavaScript runner."""

from fractions import Fraction

from tests.vectors.bugs.shared.ranked import exact_curve


def scikit_learn(document):
    from sklearn.metrics import roc_curve

    scores = [Fraction(score) for score in document["scores"]]
    fpr, tpr, thresholds = roc_curve(
        document["labels"], [float(score) for score in scores], drop_intermediate=False
    )
    return exact_curve(scores, thresholds[1:], zip(fpr, tpr, strict=True))


WITNESSES = {"scikit-learn": scikit_learn}
