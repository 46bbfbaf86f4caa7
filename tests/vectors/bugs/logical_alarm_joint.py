"""Witnesses of `logical-alarm-joint` besides the JavaScript runner."""

from fractions import Fraction
from itertools import combinations, product


def refusal(document):
    counts, size = document["counts"], document["group_size"]
    factors, grade = [Fraction(factor) for factor in document["factors"]], Fraction(document["minimum_grade"])
    if (
        len(counts) != len(document["labels"]) ** document["judges"]
        or len(factors) != len(document["labels"])
        or not 1 <= size <= document["judges"]
    ):
        return "bad-votes"
    if min(counts) < 0 or min(factors) <= 1 or not 0 <= grade <= 1:
        return "bad-number"
    return "empty-test" if sum(counts) == 0 else None


def brute_force(document):
    """Write down the questions, and give them true labels in every way."""
    error = refusal(document)
    if error:
        return {"error": error}
    labels, judges = range(len(document["labels"])), range(document["judges"])
    patterns = product(labels, repeat=len(judges))
    questions = [v for v, count in zip(patterns, document["counts"], strict=True) for _ in range(count)]
    factors = [Fraction(factor).as_integer_ratio() for factor in document["factors"]]
    least = Fraction(document["minimum_grade"]) * len(questions)
    groups = list(combinations(judges, document["group_size"]))
    found = {group: set() for group in groups}
    key, right = [0] * len(labels), [[0] * len(labels) for _ in judges]

    def is_good(row):
        return sum(row) >= least and all(
            p * n > q * size for n, size, (p, q) in zip(row, key, factors, strict=True) if size
        )

    def give(place):
        if place == len(questions):
            good = {judge for judge in judges if is_good(right[judge])}
            for group in groups:
                if good.issuperset(group):
                    found[group].add(tuple(key))
            return
        for true in labels:
            rows = [row for row, given in zip(right, questions[place], strict=True) if given == true]
            for row in (key, *rows):
                row[true] += 1
            give(place + 1)
            for row in (key, *rows):
                row[true] -= 1

    give(0)
    safe = set.intersection(*found.values())
    return {"misaligned": not safe, "safe_keys": sorted(map(list, safe))}


WITNESSES = {"brute-force": brute_force}
