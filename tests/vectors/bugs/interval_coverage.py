"""A second implementation of `interval-coverage`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from math import comb
from statistics import NormalDist

METHODS = (
    "central",
    "blaker",
    "anytime",
    "wald",
    "wald_corrected",
    "wilson",
    "wilson_corrected",
    "clopper_pearson",
)


def keeps(method, design, right, truth, level):
    size, graded = design
    alpha, every = 1 - level, comb(size, graded)
    ways = [comb(truth, x) * comb(size - truth, graded - x) for x in range(graded + 1)]
    below, above = sum(ways[: right + 1]), sum(ways[right:])
    if method == "central":
        return below > alpha / 2 * every and above > alpha / 2 * every
    if method == "anytime":
        return (graded + 1) * ways[right] > alpha * every
    if method == "blaker":
        gamma = [min(sum(ways[: x + 1]), sum(ways[x:])) for x in range(graded + 1)]
        return sum(n for n, g in zip(ways, gamma, strict=True) if g <= gamma[right]) > alpha * every
    if graded == 0:
        return True
    share = Fraction(truth, size)
    if method == "clopper_pearson":
        chance = [comb(graded, x) * share**x * (1 - share) ** (graded - x) for x in range(graded + 1)]
        return sum(chance[: right + 1]) >= alpha / 2 and sum(chance[right:]) >= alpha / 2
    seen = Fraction(right, graded)
    variance = seen * (1 - seen) / graded if method.startswith("wald") else share * (1 - share) / graded
    if method.endswith("corrected"):
        variance *= Fraction(size - graded, max(1, size - 1))
    z = Fraction(NormalDist().inv_cdf(float((1 + level) / 2)))
    return (seen - share) ** 2 <= z * z * variance


def reference(document):
    if document["method"] not in METHODS:
        return {"error": "bad-choice"}
    size, graded, level = (Fraction(str(document[name])) for name in ("size", "graded", "level"))
    if (
        size < 0
        or graded < 0
        or graded > size
        or size.denominator * graded.denominator != 1
        or not 0 < level < 1
    ):
        return {"error": "bad-number"}
    size, graded = int(size), int(graded)
    ends = []
    for right in range(graded + 1):
        kept = [m for m in range(size + 1) if keeps(document["method"], (size, graded), right, m, level)]
        ends.append((min(kept), max(kept)) if kept else (1, 0))
    found = []
    for truth in range(size + 1):
        ways = [comb(truth, x) * comb(size - truth, graded - x) for x in range(graded + 1)]
        held = [n for n, (low, high) in zip(ways, ends, strict=True) if low <= truth <= high]
        found.append(Fraction(sum(held), comb(size, graded)))
    return {"coverages": [str(share) for share in found], "least": str(min(found))}
