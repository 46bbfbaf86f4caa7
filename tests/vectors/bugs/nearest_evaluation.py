"""Witnesses of `nearest-evaluation` besides the JavaScript runner."""

from fractions import Fraction
from itertools import product
from math import gcd, isqrt


def read(document):
    """The coordinates as pairs, and their d; or the reason for which there are none."""
    counts, judges = document["counts"], document["judges"]
    size = sum(counts)
    if "right" in document:
        numbers = [document["key_counts"][0], *(n for row in document["right"] for n in row)]
        return [(Fraction(number), Fraction(0)) for number in numbers], 1
    surds = [number for row in (document["prevalence"], *document["accuracies"]) for number in row]
    parts = [split(number) for number in surds]
    d = next((root for _, w, root in parts if w), 1)
    if any(root < 0 for _, w, root in parts if w):
        return "not-ordered"
    pairs = []
    for u, w, root in parts:
        ratio = commensurable(root, d) if w else 0
        if ratio is None:
            return "not-a-surd"
        pairs.append((u, w * ratio))
    (p_a, p_b), rates = pairs[:2], pairs[2:]
    point = [times(p_a, size, d)]
    for judge in range(judges):
        for label, share in enumerate((p_a, p_b)):
            point.append(times(multiply(share, rates[2 * judge + label], d), size, d))
    return point, d


def split(number):
    if number is None:
        return Fraction(0), Fraction(0), 1
    if isinstance(number, str):
        return Fraction(number), Fraction(0), 1
    return Fraction(number["rational"]), Fraction(number["coefficient"]), int(number["radicand"])


def commensurable(root, d):
    """The rational √root/√d, or None."""
    common = gcd(root, d)
    top, bottom = root // common, d // common
    if isqrt(top) ** 2 != top or isqrt(bottom) ** 2 != bottom:
        return None
    return Fraction(isqrt(top), isqrt(bottom))


def multiply(left, right, d):
    return left[0] * right[0] + left[1] * right[1] * d, left[0] * right[1] + left[1] * right[0]


def times(number, factor, d):
    return multiply(number, (Fraction(factor), Fraction(0)), d)


def is_negative(u, w, d):
    """Whether u + w√d is less than zero, for d that is no square unless w is zero."""
    if u >= 0 and w >= 0:
        return False
    if u <= 0 and w <= 0:
        return True
    return (u * u < w * w * d) == (u > 0)


def refusal(document):
    counts, key, right = document["counts"], document.get("key_counts"), document.get("right")
    if min(counts) < 0:
        return "bad-number"
    if right is not None:
        if min([*key, *(n for row in right for n in row)]) < 0:
            return "bad-number"
        if any(s > key[0] or t > key[1] for s, t in right):
            return "bad-votes"
    at = document.get("at")
    if at is not None and (min(at) < 0 or sum(at) != sum(counts)):
        return "bad-key-counts"
    if len(right if right is not None else document["accuracies"]) != document["judges"]:
        return "bad-votes"
    return None


def distance(numbers, point, d):
    total = (Fraction(0), Fraction(0))
    for number, (u, w) in zip(numbers, point, strict=True):
        square = multiply((number - u, -w), (number - u, -w), d)
        total = (total[0] + square[0], total[1] + square[1])
    return total


def told(best, size, d):
    (u, w), q, rights, others = best
    written = {"rational": str(u), "coefficient": str(w), "radicand": str(d)} if w else str(u)
    return {
        "key_counts": [q, size - q],
        "right": [list(pair) for pair in zip(rights, others, strict=True)],
        "squared_distance": written,
    }


def brute_force(document):
    """Try every key, and compare the distances of all."""
    reason = refusal(document)
    found = reason or read(document)
    if isinstance(found, str):
        return {"error": found}
    point, d = found
    counts, judges = document["counts"], document["judges"]
    patterns = list(product("ab", repeat=judges))
    points = set()
    for key in product(*(range(count + 1) for count in counts)):
        rows = list(zip(patterns, key, counts, strict=True))
        rights = tuple(sum(k for v, k, _ in rows if v[i] == "a") for i in range(judges))
        others = tuple(sum(c - k for v, k, c in rows if v[i] == "b") for i in range(judges))
        points.add((sum(key), rights, others))
    best = None
    for q, rights, others in sorted(points):
        if "at" in document and q != document["at"][0]:
            continue
        here = distance([q, *(n for pair in zip(rights, others, strict=True) for n in pair)], point, d)
        if best is None or is_negative(here[0] - best[0][0], here[1] - best[0][1], d):
            best = (here, q, rights, others)
    return told(best, sum(counts), d)


WITNESSES = {"brute-force": brute_force}
