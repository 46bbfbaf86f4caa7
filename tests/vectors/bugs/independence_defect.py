"""A second implementation of `independence-defect`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import combinations, product


def reference(document):
    labels, judges = document["labels"], document["judges"]
    patterns = list(product(labels, repeat=judges))
    by_key = [[int(count) for count in counts] for counts in document["counts_by_key"]]
    if len(by_key) != len(labels) or any(len(counts) != len(patterns) for counts in by_key):
        return {"error": "bad-votes"}
    if any(count < 0 for counts in by_key for count in counts):
        return {"error": "bad-number"}
    if not all(map(sum, by_key)):
        return {"error": "empty-test"}
    # Rows (count, true label, answers): all that follows is averages over some of them.
    rows = [
        (count, label, v)
        for label, counts in zip(labels, by_key, strict=True)
        for v, count in zip(patterns, counts, strict=True)
    ]
    pairs = list(combinations(range(judges), 2))
    return {
        "error_rates": [str(error_rate(rows, judge)) for judge in range(judges)],
        "defects": [str(defect(rows, i, j)) for i, j in pairs],
        "within": [str(within(rows, labels, i, j)) for i, j in pairs],
        "between": [str(between(rows, labels, i, j)) for i, j in pairs],
    }


def mean(rows, value):
    return Fraction(sum(count * value(label, v) for count, label, v in rows), sum(row[0] for row in rows))


def error_rate(rows, judge):
    return mean(rows, lambda label, v: v[judge] != label)


def defect(rows, i, j):
    both = mean(rows, lambda label, v: v[i] != label and v[j] != label)
    return both - error_rate(rows, i) * error_rate(rows, j)


def of_label(rows, wanted):
    return [row for row in rows if row[1] == wanted]


def within(rows, labels, i, j):
    total = Fraction(0)
    for wanted in labels:
        here = of_label(rows, wanted)
        share = mean(rows, lambda label, _, wanted=wanted: label == wanted)
        total += share * defect(here, i, j)  # errors covary as right answers do
    return total


def between(rows, labels, i, j):
    """What the means of the labels covary: Σ_l P_l·(e^l_i − e_i)(e^l_j − e_j)."""
    total = Fraction(0)
    for wanted in labels:
        here = of_label(rows, wanted)
        share = mean(rows, lambda label, _, wanted=wanted: label == wanted)
        first = error_rate(here, i) - error_rate(rows, i)
        second = error_rate(here, j) - error_rate(rows, j)
        total += share * first * second
    return total
