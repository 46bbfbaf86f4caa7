"""A second implementation of `roc-curve`, and the bugs that the vectors must catch in it."""

from fractions import Fraction

from tests.vectors.bugs.shared.ranked import exact_curve, samples_of


def reference(document):
    samples = samples_of(document)
    if isinstance(samples, str):
        return {"error": samples}
    labels, scores = samples
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
    from sklearn.metrics import roc_curve

    scores = [Fraction(score) for score in document["scores"]]
    fpr, tpr, thresholds = roc_curve(
        document["labels"], [float(score) for score in scores], drop_intermediate=False
    )
    return exact_curve(scores, thresholds[1:], zip(fpr, tpr, strict=True))


WITNESSES = {"scikit-learn": scikit_learn}
