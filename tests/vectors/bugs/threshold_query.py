"""A second implementation of `threshold-query`, and the bugs that the vectors must catch in it."""

from fractions import Fraction

COMPARISONS = {
    ">=": lambda value, bound: value >= bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    "<": lambda value, bound: value < bound,
    "=": lambda value, bound: value == bound,
}


def measure(name, tp, fp, fn, tn):
    """A share, or nothing where it would be one of nothing."""
    if name.startswith("!"):
        return measure(name[1:], tn, fn, fp, tp)
    size = tp + fp + fn + tn
    above, below = {
        "recall": (tp, tp + fn),
        "precision": (tp, tp + fp),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "fpr": (fp, fp + tn),
        "accuracy": (tp + tn, size),
        "error_rate": (fp + fn, size),
        "match_rate": (tp + fp, size),
        "filter_rate": (tn + fn, size),
    }[name]
    return Fraction(above, below) if below else None


NAMES = ("recall", "precision", "f1", "fpr", "accuracy", "error_rate", "match_rate", "filter_rate")


def metric_name(text):
    name = "".join(text.split())
    if name.removeprefix("!") not in NAMES:
        raise ValueError
    return name


def parsed(text):
    """The five parts of a question, cut out by hand."""
    goal, rest = text.lower().strip().split(maxsplit=1)
    if goal not in ("maximum", "minimum") or rest.count("@") != 1:
        raise ValueError
    target, rest = rest.split("@")
    sign = next((sign for sign in COMPARISONS if sign in rest), None)
    if sign is None or rest.count(sign) != 1:
        raise ValueError
    condition, bound = rest.split(sign)
    number = Fraction(bound.strip())
    if number < 0 or number > 1:
        raise ValueError
    return goal, metric_name(target), metric_name(condition), COMPARISONS[sign], number


def samples_of(document):
    labels = document["labels"]
    scores = [Fraction(score) for score in document["scores"]]
    if len(labels) != len(scores) or not labels or any(label not in (0, 1) for label in labels):
        return None
    return list(zip(labels, scores, strict=True))


def cells(samples, threshold, rule):
    counts = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for label, score in samples:
        positive = score >= threshold if rule == ">=" else score > threshold
        counts[("t" if positive == (label == 1) else "f") + ("p" if positive else "n")] += 1
    return counts


def reference(document):
    try:
        samples = samples_of(document)
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if samples is None:
        return {"error": "bad-samples"}
    try:
        goal, target, condition, holds, bound = parsed(document["query"])
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-query"}
    best = None
    # Upwards for a minimum and downwards for a maximum: the first of equals is the one to take.
    for threshold in sorted({score for _, score in samples}, reverse=goal == "maximum"):
        matrix = cells(samples, threshold, document["rule"])
        value, other = measure(target, **matrix), measure(condition, **matrix)
        if value is None or other is None or not holds(other, bound):
            continue
        if best is None or (value > best[1] if goal == "maximum" else value < best[1]):
            best = threshold, value, matrix
    if best is None:
        return {"answered": False}
    threshold, value, matrix = best
    return {
        "answered": True,
        "threshold": str(threshold),
        "value": str(value),
        "matrix": {name: str(count) for name, count in matrix.items()},
    }
