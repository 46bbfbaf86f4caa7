"""A second implementation of `dependence-leaf`, pattern by pattern, and the bugs that the vectors must catch."""

from fractions import Fraction
from itertools import product


def reference(document):
    judges = document["judges"]
    counts = [int(count) for count in document["counts"]]
    if len(counts) != 2**judges:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    if sum(counts) == 0:
        return {"error": "empty-test"}
    delta = Fraction(document["correlation"])
    ranges = [[tuple(map(Fraction, pair)) for pair in row] for row in document["ranges"]]
    bound = Fraction(0)
    for answers, count in zip(product((1, 0), repeat=judges), counts, strict=True):
        totals = [Fraction(0), Fraction(0)]
        for row in document["rows"]:
            label = row["label"]
            here = [(answers[i], *ranges[label][i]) for i in row["judges"]]
            totals[label] += Fraction(row["weight"]) * value(row, here, delta)
        bound += count * max(totals)
    return {"bound": str(bound), "refutes": bound < 0}


def value(row, here, delta):
    p, low, high = here[0]
    if row["kind"] == "low":
        return p - low
    if row["kind"] == "high":
        return high - p
    if row["kind"] == "pair":
        first, second = row["corner"].split()
        q, other_low, other_high = here[1]
        u = low if first == "low" else high
        v = other_low if second == "low" else other_high
        moved = (p - u) * (q - v)
        return moved + delta if first == second else delta - moved
    moved, half, room = Fraction(1), Fraction(0), Fraction(1)
    for p, low, high in here:
        moved *= p - (low + high) / 2
        half += (high - low) / 2
        room *= (high - low) / 2
    slack = delta + delta * half + room
    return slack + moved if row["corner"] == "+" else slack - moved
