"""A second implementation of `chance-agreement-coefficients`, on single pairs of answers, and planted bugs."""

from fractions import Fraction
from itertools import permutations

BY_PLACE = ("nominal", "linear", "quadratic")
DIFFERENCES = ("nominal", "ordinal", "interval", "ratio")
COEFFICIENTS = (
    "percent_pooled",
    "percent_by_question",
    "cohen",
    "scott",
    "fleiss",
    "krippendorff",
    "gwet",
    "brennan_prediger",
)


def mean(values):
    return sum(values, Fraction(0)) / len(values)


def reference(document):  # noqa: PLR0911, PLR0912
    labels, rows = document["labels"], document["answers"]
    kind, weights = document["coefficient"], document["weights"]
    if len({*labels}) != max(2, len(labels)) or "" in labels:
        return {"error": "bad-votes"}
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        return {"error": "bad-votes"}
    if any(answer is not None and answer not in labels for row in rows for answer in row):
        return {"error": "bad-votes"}
    if kind not in COEFFICIENTS or weights not in (DIFFERENCES if kind == "krippendorff" else BY_PLACE):
        return {"error": "bad-choice"}
    if kind in ("cohen", "scott") and len(rows[0]) != 2:
        return {"error": "bad-votes"}
    numbers = {}
    if weights in ("interval", "ratio"):
        try:
            numbers = {a: Fraction(a) for a in labels}
        except ValueError:
            return {"error": "bad-number"}
        if len({*numbers.values()}) < len(labels) or (weights == "ratio" and min(numbers.values()) < 0):
            return {"error": "bad-number"}
    answered = [[a for a in row if a is not None] for row in rows]
    answered = [row for row in answered if row]
    paired = [row for row in answered if len(row) > 1]
    if kind == "fleiss" and len({len(row) for row in answered}) > 1:
        return {"error": "bad-votes"}
    if not paired:
        return {"value": None, "undefined": "no-pairs"}
    if kind == "krippendorff":
        return alpha(labels, paired, weights, numbers)
    power = BY_PLACE.index(weights)
    q = len(labels)

    def weight(a, b):
        if power == 0:
            return Fraction(a == b)
        return 1 - Fraction(abs(labels.index(a) - labels.index(b)), q - 1) ** power

    pairs = [[weight(a, b) for a, b in permutations(row, 2)] for row in paired]
    if kind == "percent_pooled":
        return {"value": str(mean([w for some in pairs for w in some])), "undefined": None}
    observed = mean([mean(some) for some in pairs])
    if kind == "percent_by_question":
        return {"value": str(observed), "undefined": None}
    every = sum(weight(a, b) for a in labels for b in labels)
    flat = [a for row in paired for a in row]
    if kind == "cohen":
        chance = mean([weight(x[0], y[1]) for x in paired for y in paired])
    elif kind in ("scott", "fleiss"):
        chance = mean([weight(x, y) for x in flat for y in flat])
    elif kind == "gwet":
        shares = [mean([Fraction(row.count(k), len(row)) for row in answered]) for k in labels]
        chance = every * sum(u * (1 - u) for u in shares) / (q * (q - 1))
    else:
        chance = every / q**2
    if chance == 1:
        return {"value": None, "undefined": "one-label"}
    return {"value": str((observed - chance) / (1 - chance)), "undefined": None}


def alpha(labels, paired, weights, numbers):
    flat = [a for row in paired for a in row]

    def delta(a, b):
        if a == b:
            return Fraction(0)
        if weights == "nominal":
            return Fraction(1)
        if weights == "ordinal":
            low, high = sorted((labels.index(a), labels.index(b)))
            between = sum(flat.count(k) for k in labels[low + 1 : high])
            return (Fraction(flat.count(a) + flat.count(b), 2) + between) ** 2
        if weights == "interval":
            return (numbers[a] - numbers[b]) ** 2
        return ((numbers[a] - numbers[b]) / (numbers[a] + numbers[b])) ** 2

    observed = sum(delta(a, b) / (len(row) - 1) for row in paired for a, b in permutations(row, 2))
    expected = sum(delta(a, b) for a in flat for b in flat)
    if expected == 0:
        return {"value": None, "undefined": "one-label"}
    return {"value": str(1 - (len(flat) - 1) * observed / expected), "undefined": None}
