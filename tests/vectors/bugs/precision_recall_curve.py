"""A second implementation of `precision-recall-curve`, and the bugs that the vectors must catch in it."""

from fractions import Fraction

from tests.vectors.bugs.shared.ranked import exact_curve, samples_of


def reference(document):
    samples = samples_of(document)
    if isinstance(samples, str):
        return {"error": samples}
    labels, scores = samples
    samples = list(zip(labels, scores, strict=True))
    all_positives = sum(labels)
    thresholds = sorted(set(scores), reverse=True)
    points = []
    for t in thresholds:
        found = [label for label, score in samples if score >= t]
        recall = Fraction(sum(found), all_positives) if all_positives else "no-positives"
        precision = Fraction(sum(found), len(found))
        points.append([str(recall), str(precision)])
    return {"thresholds": [str(t) for t in thresholds], "points": points}


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
