"""Witnesses of `smallest-inversion` besides the JavaScript runner."""

from fractions import Fraction
from itertools import product

NAMES = ("max", "l2", "l1-uniform", "l2-uniform", "entropy", "jensen-shannon", "jensen-shannon-printed")


def whole(value):
    number = Fraction(value)
    if number.denominator != 1 or number < 2:
        raise ValueError
    return int(number)


def score_of(given, k):
    """A name as it is, a vector as fractions."""
    if isinstance(given, str):
        if given not in NAMES:
            raise LookupError
        return given
    centre = [Fraction(number) for number in given]
    if len(centre) != k or min(centre) < 0 or sum(centre) != 1:
        raise LookupError
    return centre


def key(score, a, n):
    """A number that grows with the score of a/n, among all vectors over n."""
    k = len(a)
    if isinstance(score, list):
        return sum((Fraction(x, n) - r) ** 2 for x, r in zip(a, score, strict=True))
    if score == "max":
        return max(a)
    if score == "l1-uniform":
        return sum(abs(k * x - n) for x in a)
    if score in ("l2", "l2-uniform"):
        return sum(x * x for x in a)
    value = Fraction(1)
    for x in a:
        if score == "entropy":
            value *= x**x
        elif score == "jensen-shannon":
            value *= Fraction(x ** (k * x), (k * x + n) ** (k * x + n))
        elif x == 0:
            return None
        else:
            value *= Fraction(x) ** (k * x - n)
    return value


def above(one, other):
    """Whether a key is strictly greater; none stands for infinity."""
    if one is None or other is None:
        return one is None and other is not None
    return one > other


def inversions(left, right, vectors, n):
    keys = {a: (key(left, a, n), key(right, a, n)) for a in vectors}
    return [
        (p, q)
        for p in vectors
        for q in vectors
        if above(keys[p][0], keys[q][0]) and above(keys[q][1], keys[p][1])
    ]


def brute_force(document):
    try:
        k, largest = whole(document["labels"]), whole(document["max_denominator"])
        left, right = (score_of(document[side], k) for side in ("left", "right"))
    except LookupError:
        return {"error": "bad-samples"}
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    falling = isinstance(left, str) and isinstance(right, str)
    counts, found, n = [], [], 1
    while not found and n < largest:
        n += 1
        vectors = [(*a, n - sum(a)) for a in product(range(n + 1), repeat=k - 1) if sum(a) <= n]
        if falling:
            vectors = [a for a in vectors if list(a) == sorted(a, reverse=True)]
        counts.append(len(vectors))
        found = inversions(left, right, vectors, n)
    p, q = max(found, default=(None, None))
    return {
        "denominator": n if found else "none",
        "vectors": counts,
        "inversions": len(found),
        "higher_left": p if p is None else list(p),
        "higher_right": q if q is None else list(q),
    }


WITNESSES = {"brute-force": brute_force}  # every pair of every denominator
