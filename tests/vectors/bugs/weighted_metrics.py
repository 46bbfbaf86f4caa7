"""A second implementation of `weighted-metrics`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import pairwise
from math import lcm

AREAS = ("pr_auc_none", "pr_auc_first_precision", "pr_auc_one", "average_precision")


def total(samples, *, label=None, least=None):
    """The weight of the samples with a label and a score of at least a number."""
    return sum(
        (w for y, s, w in samples if (label is None or y == label) and (least is None or s >= least)),
        Fraction(0),
    )


def share(part, whole, word):
    return str(part / whole) if whole else word


def pairs_won(samples):
    won = all_pairs = Fraction(0)
    for y, s, w in samples:
        for z, t, v in samples:
            if y == 1 and z == 0:
                all_pairs += w * v
                won += w * v * (1 if s > t else Fraction(1, 2) if s == t else 0)
    return share(won, all_pairs, "no-positives" if total(samples, label=1) == 0 else "no-negatives")


def areas(samples, thresholds):
    positives = total(samples, label=1)
    if positives == 0:
        return dict.fromkeys(AREAS, "no-positives")
    points = []
    for t in thresholds:
        found = total(samples, label=1, least=t)
        points.append((found / positives, found / total(samples, least=t)))

    def trapezoids(anchor):
        line = anchor + points
        return sum(((s - r) * (p + q) / 2 for (r, p), (s, q) in pairwise(line)), Fraction(0))

    steps = [(Fraction(0), Fraction(0)), *points]
    values = (
        trapezoids([]),
        trapezoids([(Fraction(0), points[0][1])]),
        trapezoids([(Fraction(0), Fraction(1))]),
        sum((s - r) * q for (r, _), (s, q) in zip(steps, points, strict=False)),
    )
    return {name: str(value) for name, value in zip(AREAS, values, strict=True)}


def metrics(tp, fp, fn, tn):
    return {
        "matrix": {"tp": str(tp), "fp": str(fp), "fn": str(fn), "tn": str(tn)},
        "error_rate": str((fp + fn) / (tp + fp + fn + tn)),
        "precision": share(tp, tp + fp, "no-predicted-positives"),
        "recall": share(tp, tp + fn, "no-positives"),
        "f1": share(2 * tp, 2 * tp + fp + fn, "nothing-positive"),
        "!precision": share(tn, tn + fn, "no-predicted-negatives"),
        "!recall": share(tn, tn + fp, "no-negatives"),
    }


def reference(document):
    labels = document["labels"]
    try:
        scores = [Fraction(score) for score in document["scores"]]
        weights = [Fraction(weight) for weight in document["weights"]]
        threshold = Fraction(document["threshold"])
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if not len(labels) == len(scores) == len(weights) or any(label not in (0, 1) for label in labels):
        return {"error": "bad-samples"}
    if sum(weights) == 0 or min(weights) < 0:
        return {"error": "bad-samples"}
    samples = [sample for sample in zip(labels, scores, weights, strict=True) if sample[2] > 0]
    thresholds = sorted({score for _, score, _ in samples}, reverse=True)
    tp, fp = total(samples, label=1, least=threshold), total(samples, label=0, least=threshold)
    fn, tn = total(samples, label=1) - tp, total(samples, label=0) - fp
    return {
        "thresholds": [str(t) for t in thresholds],
        **metrics(tp, fp, fn, tn),
        "roc_auc": pairs_won(samples),
        **areas(samples, thresholds),
    }


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
