"""Samples with scores, as several second implementations read them, and as scikit-learn writes them."""

from fractions import Fraction


def samples_of(document):
    """The labels and the scores, or the kind of the refusal."""
    labels = document["labels"]
    try:
        scores = [Fraction(score) for score in document["scores"]]
    except (ValueError, ZeroDivisionError):
        return "bad-number"
    if len(labels) != len(scores) or not labels or any(label not in (0, 1) for label in labels):
        return "bad-samples"
    return labels, scores


def exact_curve(scores, thresholds, points):
    """A float stands for the one fraction near it whose denominator is at most the number of samples."""
    written = {float(score): str(score) for score in scores}

    def exact(value):
        return str(Fraction(float(value)).limit_denominator(len(scores)))

    return {
        "thresholds": [written[float(t)] for t in thresholds],
        "points": [[exact(x), exact(y)] for x, y in points],
    }
