"""A second implementation of `areas`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import pairwise
from math import lcm

from tests.vectors.bugs.shared.ranked import samples_of


def pairs_won(positives, negatives):
    """The area under ROC as a share of pairs, each looked at."""
    if not positives:
        return "no-positives"
    if not negatives:
        return "no-negatives"
    won = sum(p > n for p in positives for n in negatives)
    tied = sum(p == n for p in positives for n in negatives)
    return Fraction(2 * won + tied, 2 * len(positives) * len(negatives))


def trapezoids(points):
    area = Fraction(0)
    for (r, p), (s, q) in pairwise(points):
        area += (s - r) * (p + q) / 2
    return area


def reference(document):
    samples = samples_of(document)
    if isinstance(samples, str):
        return {"error": samples}
    labels, scores = samples
    positives = [score for label, score in zip(labels, scores, strict=True) if label == 1]
    negatives = [score for label, score in zip(labels, scores, strict=True) if label == 0]
    found = {"roc_auc": str(pairs_won(positives, negatives))}
    names = ("pr_auc_none", "pr_auc_first_precision", "pr_auc_one", "average_precision")
    if not positives:
        return found | dict.fromkeys(names, "no-positives")

    def precision_at(t):
        return Fraction(sum(p >= t for p in positives), sum(s >= t for s in scores))

    points = [
        (Fraction(sum(p >= t for p in positives), len(positives)), precision_at(t))
        for t in sorted(set(scores), reverse=True)
    ]
    areas = (
        trapezoids(points),
        trapezoids([(Fraction(0), points[0][1]), *points]),
        trapezoids([(Fraction(0), Fraction(1)), *points]),
        sum(map(precision_at, positives)) / len(positives),  # the mean over the positive samples
    )
    return found | {name: str(area) for name, area in zip(names, areas, strict=True)}


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
