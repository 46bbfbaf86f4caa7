"""A second implementation of `roc-curve`, and the bugs that the vectors must catch in it."""

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
    positives = [score for label, score in samples if label == 1]
    negatives = [score for label, score in samples if label == 0]
    thresholds = sorted(set(scores), reverse=True)

    def point(chosen):
        across = Fraction(sum(map(chosen, negatives)), len(negatives)) if negatives else "no-negatives"
        up = Fraction(sum(map(chosen, positives)), len(positives)) if positives else "no-positives"
        return [str(across), str(up)]

    points = [point(lambda _: False)]
    points += [point(lambda score, t=t: score >= t) for t in thresholds]
    return {"thresholds": [str(t) for t in thresholds], "points": points}


def scikit_learn(document):
    """A float stands for the one fraction near it whose denominator is at most the number of samples."""
    from sklearn.metrics import roc_curve

    scores = [Fraction(score) for score in document["scores"]]
    fpr, tpr, thresholds = roc_curve(
        document["labels"], [float(score) for score in scores], drop_intermediate=False
    )
    written = {float(score): str(score) for score in scores}

    def exact(value):
        return str(Fraction(float(value)).limit_denominator(len(scores)))

    return {
        "thresholds": [written[float(t)] for t in thresholds[1:]],
        "points": [[exact(x), exact(y)] for x, y in zip(fpr, tpr, strict=True)],
    }


WITNESSES = {"scikit-learn": scikit_learn}
