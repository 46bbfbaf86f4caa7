"""A second implementation of `sample-intervals`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from math import comb


def whole(value):
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None
    return int(number) if number.denominator == 1 and number >= 0 else None


def reference(document):
    size, graded, right = (whole(document[name]) for name in ("size", "graded", "right"))
    level = Fraction(str(document["level"]))
    if None in (size, graded, right) or right > graded or not 0 < level < 1:
        return {"error": "bad-number"}
    if graded > size:
        return {"error": "bad-votes"}
    alpha, every = 1 - level, comb(size, graded)
    kept = {"central": [], "blaker": [], "anytime": []}
    for truth in range(size + 1):
        ways = [comb(truth, x) * comb(size - truth, graded - x) for x in range(graded + 1)]
        below = [sum(ways[: x + 1]) for x in range(graded + 1)]
        above = [sum(ways[x:]) for x in range(graded + 1)]
        gamma = [min(pair) for pair in zip(below, above, strict=True)]
        if below[right] > alpha / 2 * every and above[right] > alpha / 2 * every:
            kept["central"].append(truth)
        if sum(n for n, g in zip(ways, gamma, strict=True) if g <= gamma[right]) > alpha * every:
            kept["blaker"].append(truth)
        if (graded + 1) * ways[right] > alpha * every:
            kept["anytime"].append(truth)
    return {name: [min(truths), max(truths)] for name, truths in kept.items()}
