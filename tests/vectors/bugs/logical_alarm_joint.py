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

    States are (key counts, right answers by judge and label), pattern by pattern.
    """
    labels = range(len(document["labels"]))
    judges = range(len(next(iter(joint))))
    states = {((0,) * len(labels), ((0,) * len(labels),) * len(judges))}
    for v, count in joint.items():
        states = {
            (
                tuple(q + n for q, n in zip(key, split, strict=True)),
                tuple(
                    tuple(right[judge][label] + split[label] * (v[judge] == label) for label in labels)
                    for judge in judges
                ),
            )
            for key, right in states
            for split in splits(count, len(labels))
        }
    return {key for key, right in states if all(is_safe(document, key, row) for row in right)}


def is_safe(document, key, right):
    for questions, answers, factor in zip(key, right, document["factors"], strict=False):
        if questions > 0 and Fraction(factor) * answers <= questions:
            return False
    return sum(right) >= Fraction(document["minimum_grade"]) * sum(key)


def brute_force(document):
    """Write down the questions, and give them true labels in every way."""
    error = refusal(document)
    if error:
        return {"error": error}
    labels = document["labels"]
    patterns = product(labels, repeat=document["judges"])
    questions = [v for v, count in zip(patterns, document["counts"], strict=True) for _ in range(count)]
    factors = dict(zip(labels, map(Fraction, document["factors"]), strict=True))
    least = Fraction(document["minimum_grade"]) * len(questions)
    groups = list(combinations(range(document["judges"]), document["group_size"]))
    found = {group: set() for group in groups}
    for key in product(labels, repeat=len(questions)):
        good = set()
        for judge in range(document["judges"]):
            right = [true for v, true in zip(questions, key, strict=True) if v[judge] == true]
            if (
                all(factors[true] * right.count(true) > key.count(true) for true in set(key))
                and len(right) >= least
            ):
                good.add(judge)
        for group in groups:
            if good.issuperset(group):
                found[group].add(tuple(map(key.count, labels)))
    safe = set.intersection(*found.values())
    return {"misaligned": not safe, "safe_keys": sorted(map(list, safe))}


WITNESSES = {"brute-force": brute_force}
