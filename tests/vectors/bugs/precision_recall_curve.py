"""A second implementation of `precision-recall-curve`, and the bugs that the vectors must catch in it."""

from fractions import Fraction


def reference(document):
    labels = document["labels"]
    try:
        scores = [Fraction(score) for score in document["scores"]]
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if len(labels) != len(scores) or not labels or any(label not in (0, 1) for label in labels):
        return {"error": "bad-samples"}
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
    """A float stands for the one fraction near it whose denominator is at most the number of samples."""
    from sklearn.metrics import precision_recall_curve

    scores = [Fraction(score) for score in document["scores"]]
    precision, recall, thresholds = precision_recall_curve(
        document["labels"], [float(score) for score in scores], drop_intermediate=False
    )
    written = {float(score): str(score) for score in scores}

    def exact(value):
        return str(Fraction(float(value)).limit_denominator(len(scores)))

    # They run upwards, and end in a point (0, 1) that no threshold makes.
    points = list(zip(recall, precision, strict=True))[-2::-1]
    return {
        "thresholds": [written[float(t)] for t in thresholds[::-1]],
        "points": [[exact(x), exact(y)] for x, y in points],
    }


WITNESSES = {"scikit-learn": scikit_learn}
