"""A second implementation of `matthews-and-kappa` by the covariances of marks, and the bugs to be caught in it."""

from fractions import Fraction
from math import isqrt


def covariance(cells, size, left, right):
    """Summed over all labels: the covariance, over the samples, of having the label on one side and on the other."""
    labels = {label for cell in cells for label in cell[:2]}
    total = Fraction(0)
    for label in labels:
        both = sum(w for t, g, w in cells if (t, g)[left] == label == (t, g)[right])
        one = sum(w for t, g, w in cells if (t, g)[left] == label)
        other = sum(w for t, g, w in cells if (t, g)[right] == label)
        total += both / size - one * other / size**2
    return total


def root(numerator, square):
    """numerator/√square, as a number a√d."""
    radicand = square.numerator * square.denominator
    whole = isqrt(radicand)
    if whole * whole == radicand:
        return str(numerator * square.denominator / whole)
    if numerator == 0:
        return "0"
    coefficient = numerator / square.numerator
    return {"rational": "0", "coefficient": str(coefficient), "radicand": str(radicand)}


def reference(document):
    labels, rows = document["labels"], document["counts"]
    try:
        table = [[Fraction(count) for count in row] for row in rows]
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if not labels or len(table) != len(labels) or any(len(row) != len(labels) for row in table):
        return {"error": "bad-samples"}
    if any(count < 0 for row in table for count in row):
        return {"error": "bad-samples"}
    cells = [(t, g, count) for t, row in enumerate(table) for g, count in enumerate(row)]
    size = sum(count for _, _, count in cells)
    if size == 0:
        return dict.fromkeys(("matthews", "kappa", "balanced_accuracy"), "no-samples")
    between = covariance(cells, size, 0, 1)
    square = covariance(cells, size, 0, 0) * covariance(cells, size, 1, 1)
    agreed = sum(count for t, g, count in cells if t == g) / size
    chance = agreed - between
    recalls = [row[place] / sum(row) for place, row in enumerate(table) if sum(row) > 0]
    return {
        "matthews": root(between, square) if square else "one-label",
        "kappa": str(between / (1 - chance)) if chance != 1 else "one-label",
        "balanced_accuracy": str(sum(recalls) / len(recalls)),
    }
