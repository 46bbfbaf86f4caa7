"""A second implementation of `safe-region` that looks at all key counts, and the bugs to be caught."""

from fractions import Fraction
from itertools import combinations, product


def refusal(document):
    labels, judges = len(document["labels"]), document["judges"]
    counts, key, size = document["counts"], document["key_counts"], document["group_size"]
    factors, grade = [Fraction(f) for f in document["factors"]], Fraction(document["minimum_grade"])
    rules = {
        "bad-votes": len(counts) == labels**judges and len(factors) == labels and 1 <= size <= judges,
        "bad-number": min(*counts, *key) >= 0 and min(factors) > 1 and 0 <= grade <= 1,
        "empty-test": sum(counts) > 0,
        "bad-key-counts": len(key) == labels and sum(key) == sum(counts),
        "not-supported": (grade == 0 and size == 1) or labels < 4,
    }
    return next((kind for kind, holds in rules.items() if not holds), None)


def reference(document):
    error = refusal(document)
    if error:
        return {"error": error}
    labels, judges = document["labels"], document["judges"]
    votes = list(zip(product(labels, repeat=judges), document["counts"], strict=True))
    total = sum(document["counts"])
    factors = [Fraction(factor) for factor in document["factors"]]
    given = [[sum(c for v, c in votes if v[j] == label) for label in labels] for j in range(judges)]
    most = []
    for place, factor in enumerate(factors):
        bound = 0
        while factor * min(row[place] for row in given) > bound + 1:
            bound += 1
        most.append(bound)
    if document["group_size"] == 1:
        wanted = Fraction(document["minimum_grade"]) * total
        points = [key for key in keys(total, len(labels)) if single(key, given, factors, wanted)]
    else:
        groups = [joint_keys(document, votes, g) for g in combinations(range(judges), document["group_size"])]
        points = [key for key in keys(total, len(labels)) if all(key in safe for safe in groups)]
    return {
        "most_questions": most,
        "inside": tuple(document["key_counts"]) in points,
        "count": len(points),
        "vertices": [list(point) for point in points if is_corner(point, points)],
    }


def keys(total, labels):
    if labels == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in keys(total - first, labels - 1)]


def single(key, given, factors, wanted):
    for row in given:
        right = [min(q, r) for q, r in zip(key, row, strict=True)]
        if any(q and f * r <= q for f, r, q in zip(factors, right, key, strict=True)):
            return False
        if sum(right) < wanted:
            return False
    return True


def joint_keys(document, votes, group):
    """The key counts that some answer key of the group leaves safe."""
    labels = document["labels"]
    factors = [Fraction(factor) for factor in document["factors"]]
    wanted = Fraction(document["minimum_grade"]) * sum(count for _, count in votes)
    nothing = (0,) * len(labels)
    states = {(nothing, (nothing,) * len(group))}
    for v, count in votes:
        states = {
            (
                tuple(q + n for q, n in zip(key, split, strict=True)),
                tuple(
                    tuple(r + n * (v[j] == label) for r, n, label in zip(row, split, labels, strict=True))
                    for row, j in zip(right, group, strict=True)
                ),
            )
            for key, right in states
            for split in keys(count, len(labels))
        }
    return {
        key
        for key, right in states
        if all(
            all(q == 0 or f * x > q for f, x, q in zip(factors, row, key, strict=True)) and sum(row) >= wanted
            for row in right
        )
    }


def is_corner(point, points):
    """Whether the point is not between others, among all of which it is looked at."""
    if len(point) == 2:
        return point in {points[0], points[-1]}
    if len(point) == 3:
        seen = [(x - point[0], y - point[1]) for x, y, _ in points if (x, y) != point[:2]]
        return not seen or any(all(is_first(v, w) for w in seen) for v in seen)
    highest = [max(values) for values in zip(*points, strict=True)]
    lowest = [min(values) for values in zip(*points, strict=True)]
    between = [low < x < high for x, low, high in zip(point, lowest, highest, strict=True)]
    return sum(between) <= 1


def is_first(v, w):
    """Whether the direction w is the same as v, or less than half a turn to its left."""
    cross, dot = v[0] * w[1] - v[1] * w[0], v[0] * w[0] + v[1] * w[1]
    return cross > 0 or (cross == 0 and dot > 0)
