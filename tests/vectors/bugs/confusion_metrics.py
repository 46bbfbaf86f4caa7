"""A second implementation of `confusion-metrics`, and the bugs that the vectors must catch in it."""

from fractions import Fraction

MIRROR = {
    "no-positives": "no-negatives",
    "no-negatives": "no-positives",
    "no-predicted-positives": "no-predicted-negatives",
    "nothing-positive": "nothing-negative",
    "no-samples": "no-samples",
}


def share(part, whole, word):
    return Fraction(part) / whole if whole else word


def harmonic(precision, recall, tp, wrong):
    """F1 as the harmonic mean wherever that exists."""
    if tp + wrong == 0:
        return "nothing-positive"
    if tp == 0:
        return Fraction(0)
    return 2 / (1 / precision + 1 / recall)


def measures(tp, fp, fn, tn):
    everything = tp + fp + fn + tn
    recall = share(tp, tp + fn, "no-positives")
    precision = share(tp, tp + fp, "no-predicted-positives")
    return {
        "recall": recall,
        "precision": precision,
        "f1": harmonic(precision, recall, tp, fp + fn),
        "fpr": share(fp, fp + tn, "no-negatives"),
        "accuracy": share(tp + tn, everything, "no-samples"),
        "error_rate": share(fn + fp, everything, "no-samples"),
        "match_rate": share(fp + tp, everything, "no-samples"),
        "filter_rate": share(tn + fn, everything, "no-samples"),
    }


def reference(document):
    try:
        cells = [Fraction(document[name]) for name in ("tp", "fp", "fn", "tn")]
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if any(cell < 0 for cell in cells):
        return {"error": "bad-samples"}
    tp, fp, fn, tn = cells
    found = {name: str(value) for name, value in measures(tp, fp, fn, tn).items()}
    for name, value in measures(tn, fn, fp, tp).items():
        found["!" + name] = MIRROR.get(value, str(value))
    return found


def scikit_learn(document):
    """Four samples, weighted by the cells; a float stands for the one fraction near it with a denominator up to 2n."""
    from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score, zero_one_loss

    weights = [document[name] for name in ("tp", "fp", "fn", "tn")]
    actual, predicted = [1, 0, 1, 0], [1, 1, 0, 0]

    def exact(measure, truth=actual, guess=predicted, **options):
        value = measure(truth, guess, sample_weight=weights, **options)
        return Fraction(float(value)).limit_denominator(2 * sum(weights))

    found = {}
    for mark, positive in (("", 1), ("!", 0)):
        everywhere, nowhere = [positive] * 4, [1 - positive] * 4
        found |= {
            mark + "recall": exact(recall_score, pos_label=positive),
            mark + "precision": exact(precision_score, pos_label=positive),
            mark + "f1": exact(f1_score, pos_label=positive),
            mark + "fpr": 1 - exact(recall_score, pos_label=1 - positive),
            mark + "accuracy": exact(accuracy_score),
            mark + "error_rate": exact(zero_one_loss),
            mark + "match_rate": exact(accuracy_score, everywhere),
            mark + "filter_rate": exact(accuracy_score, nowhere),
        }
    return {name: str(value) for name, value in found.items()}


WITNESSES = {"scikit-learn": scikit_learn}
