"""A second implementation of `logical-alarm-joint`, one that tries every answer key, and the bugs to be caught."""

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


def reference(document):
    error = refusal(document)
    if error:
        return {"error": error}
    patterns = list(product(range(len(document["labels"])), repeat=document["judges"]))
    safe = None
    for group in combinations(range(document["judges"]), document["group_size"]):
        joint = {}
        for v, count in zip(patterns, document["counts"], strict=True):
            here = tuple(v[judge] for judge in group)
            joint[here] = joint.get(here, 0) + count
        found = safe_at(joint, document)
        safe = found if safe is None else safe & found
    return {"misaligned": not safe, "safe_keys": sorted(map(list, safe))}


def splits(count, parts):
    if parts == 1:
        return [(count,)]
    return [(first, *rest) for first in range(count + 1) for rest in splits(count - first, parts - 1)]


def safe_at(joint, document):
    """The key counts with a key under which the whole group is safe.

    A state is one number whose digits are the key counts, and the right answers by judge and label.
    """
    labels, judges = range(len(document["labels"])), range(len(next(iter(joint))))
    base, states = 1 + sum(joint.values()), {0}
    for v, count in joint.items():
        rows = [[0, *(1 + judge for judge in judges if v[judge] == label)] for label in labels]
        units = [sum(base ** (row * len(labels) + label) for row in rows[label]) for label in labels]
        added = [
            sum(n * unit for n, unit in zip(split, units, strict=True))
            for split in splits(count, len(labels))
        ]
        states = {state + more for state in states for more in added}
    factors, grade = list(map(Fraction, document["factors"])), Fraction(document["minimum_grade"])
    found = {}
    for state in states:
        digits = [state // base**place % base for place in range(len(labels) * (1 + len(judges)))]
        key, *right = (
            tuple(digits[start : start + len(labels)]) for start in range(0, len(digits), len(labels))
        )
        found.setdefault(key, []).append(right)
    return {
        key
        for key, keys in found.items()
        if any(all(is_safe(factors, grade, key, row) for row in rows) for rows in keys)
    }


def is_safe(factors, grade, key, right):
    for questions, answers, factor in zip(key, right, factors, strict=False):
        if questions > 0 and factor * answers <= questions:
            return False
    return sum(right) >= grade * sum(key)


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
