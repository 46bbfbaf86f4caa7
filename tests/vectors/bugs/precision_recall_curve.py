"""Witnesses of `precision-recall-curve` besides the JavaScript runner."""

from fractions import Fraction

from tests.vectors.bugs.shared.ranked import exact_curve


def scikit_learn(document):
    from sklearn.metrics import precision_recall_curve

    scores = [Fraction(score) for score in document["scores"]]
    precision, recall, thresholds = precision_recall_curve(
        document["labels"], [float(score) for score in scores], drop_intermediate=False
    )
    # They run upwards, and end in a point (0, 1) that no threshold makes.
    points = list(zip(recall, precision, strict=True))[-2::-1]
    return exact_curve(scores, thresholds[::-1], points)


WITNESSES = {"scikit-learn": scikit_learn}
