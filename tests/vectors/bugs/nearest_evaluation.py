"""A second implementation of `nearest-evaluation`, and the bugs that the vectors must catch in it.

A coordinate or distance u + w√d is kept as a pair (u, w), with one d for an input.
"""

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


def floor(number, d):
    u, w = number
    low = u.numerator // u.denominator - abs(w) * (isqrt(d) + 1) - 2
    low = low.numerator // low.denominator
    while not is_negative(u - low - 1, w, d):
        low += 1
    return low


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


def has_key(counts, q, rights):
    """Whether a key has these right answers on a: a search over the questions on which judges 1 and 2 are right."""
    if len(rights) == 1:
        return 0 <= rights[0] <= counts[0] and 0 <= q - rights[0] <= counts[1]
    if len(rights) == 2:
        s, t = rights
        return any(
            inside((e, s - e, t - e, q - s - t + e), counts) for e in range(max(0, s + t - q), min(s, t) + 1)
        )
    first, second, third = rights
    with_a, with_b = counts[0::2], counts[1::2]
    pairs = [a + b for a, b in zip(with_a, with_b, strict=True)]
    for e in range(max(0, first + second - q), min(first, second) + 1):
        parts = (e, first - e, second - e, q - first - second + e)
        if inside(parts, pairs):
            least = sum(max(0, m - b) for m, b in zip(parts, with_b, strict=True))
            most = sum(min(m, a) for m, a in zip(parts, with_a, strict=True))
            if least <= third <= most:
                return True
    return False


def inside(parts, counts):
    return all(0 <= m <= n for m, n in zip(parts, counts, strict=True))


def answered_b(counts, judges):
    patterns = list(product("ab", repeat=judges))
    return [sum(c for v, c in zip(patterns, counts, strict=True) if v[i] == "b") for i in range(judges)]


def distance(numbers, point, d):
    total = (Fraction(0), Fraction(0))
    for number, (u, w) in zip(numbers, point, strict=True):
        square = multiply((number - u, -w), (number - u, -w), d)
        total = (total[0] + square[0], total[1] + square[1])
    return total


def candidates(document, around, radius):
    """The consistent points in a box, in order."""
    counts, judges = document["counts"], document["judges"]
    size = sum(counts)
    keys = range(max(0, around[0] - radius), min(size, around[0] + 1 + radius) + 1)
    if "at" in document:
        keys = [document["at"][0]]
    for q in keys:
        boxes = [
            range(max(0, x - radius), min(q, x + 1 + radius) + 1) for x in around[1 : 2 * judges + 1 : 2]
        ]
        for rights in product(*boxes):
            if has_key(counts, q, rights):
                yield q, rights


def reference(document):
    reason = refusal(document)
    found = reason or read(document)
    if isinstance(found, str):
        return {"error": found}
    point, d = found
    around = [floor(number, d) for number in point]
    wrong = answered_b(document["counts"], document["judges"])
    radius, size = 1, sum(document["counts"])
    while True:
        best = None
        for q, rights in candidates(document, around, radius):
            others = [s - q + b for s, b in zip(rights, wrong, strict=True)]
            numbers = [q, *(n for pair in zip(rights, others, strict=True) for n in pair)]
            here = distance(numbers, point, d)
            if best is None or is_negative(here[0] - best[0][0], here[1] - best[0][1], d):
                best = (here, q, rights, others)
        if best is not None:
            u, w = best[0]
            enough = not is_negative(radius * radius - u, -w, d)
            # At key counts that are given the box does not move, and q has no part in it.
            if enough or radius > 2 * size + max(map(abs, around)) + 2:
                return told(best, size, d)
        radius *= 2


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
