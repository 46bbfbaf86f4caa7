"""Witnesses of `logical-alarm-single` besides the JavaScript runner."""

from fractions import Fraction


def refusal(rows, factors, grade, labels):
    if any(len(row) != labels or sum(row) != sum(rows[0]) for row in rows) or len(factors) != labels:
        return "bad-votes"
    if min(map(min, rows)) < 0 or min(factors) <= 1 or not 0 <= grade <= 1:
        return "bad-number"
    return "empty-test" if sum(rows[0]) == 0 else None


def read(document):
    rows = [[int(count) for count in row] for row in document["responses"]]
    return rows, [Fraction(factor) for factor in document["factors"]], Fraction(document["minimum_grade"])


def keys(total, most):
    """All key counts with this sum, none above its bound."""
    if len(most) == 1:
        return [(total,)] if total <= most[0] else []
    return [
        (first, *rest) for first in range(min(total, most[0]) + 1) for rest in keys(total - first, most[1:])
    ]


def confusions(row, key):
    """The numbers of right answers, for every way to give these answers to these questions."""
    ways = {(tuple(key), ())}
    for answer, count in enumerate(row):
        ways = {
            (tuple(k - s for k, s in zip(left, split, strict=True)), (*right, split[answer]))
            for left, right in ways
            for split in keys(count, left)
        }
    return {right for left, right in ways if not any(left)}


def brute_force(document):
    rows, factors, grade = read(document)
    error = refusal(rows, factors, grade, len(document["labels"]))
    if error:
        return {"error": error}
    size, labels = sum(rows[0]), len(factors)

    def safe(right, key):
        enough = all(f * r > q or q == 0 for f, r, q in zip(factors, right, key, strict=True))
        return enough and sum(right) >= grade * size

    found = any(
        all(any(safe(right, key) for right in confusions(row, key)) for row in rows)
        for key in keys(size, [size] * labels)
    )
    most = []
    for label, factor in enumerate(factors):
        bound = 0
        while all(factor * row[label] > bound + 1 for row in rows):
            bound += 1
        most.append(bound)
    return {
        "most_questions": [str(bound) for bound in most],
        "together": str(sum(most)),
        "misaligned": not found,
    }


WITNESSES = {"brute-force": brute_force}
