"""Witnesses of `population-rescaling` besides the JavaScript runner."""

from fractions import Fraction

CELLS = ("tp", "fp", "fn", "tn")

RATIOS = {
    "recall": ("tp", "tp fn", "no-positives"),
    "precision": ("tp", "tp fp", "no-predicted-positives"),
    "f1": ("tp tp", "tp tp fp fn", "nothing-positive"),
    "fpr": ("fp", "fp tn", "no-negatives"),
    "accuracy": ("tp tn", "tp fp fn tn", "no-samples"),
    "match_rate": ("tp fp", "tp fp fn tn", "no-samples"),
    "!precision": ("tn", "fn tn", "no-predicted-negatives"),
    "!f1": ("tn tn", "tn tn fp fn", "nothing-negative"),
}


def ratio(matrix, above, below, word):
    lower = sum(matrix[name] for name in below.split())
    return str(sum(matrix[name] for name in above.split()) / lower) if lower else word


def brute_force(document):
    """List a population of this rate, every positive sample repeated alike and every negative one, and count."""
    tp, fp, fn, tn = (document[name] for name in CELLS)
    share = Fraction(document["rate"])
    each_positive = share.numerator * (fp + tn)
    each_negative = (share.denominator - share.numerator) * (tp + fn)
    members = ["tp"] * (tp * each_positive) + ["fn"] * (fn * each_positive)
    members += ["fp"] * (fp * each_negative) + ["tn"] * (tn * each_negative)
    per_member = Fraction(tp + fp + fn + tn, len(members))
    matrix = {name: members.count(name) * per_member for name in CELLS}
    return {
        "positive_factor": str(each_positive * per_member),
        "negative_factor": str(each_negative * per_member),
        "matrix": {name: str(value) for name, value in matrix.items()},
        "metrics": {name: ratio(matrix, *RATIOS[name]) for name in RATIOS},
    }


WITNESSES = {"brute-force": brute_force}
