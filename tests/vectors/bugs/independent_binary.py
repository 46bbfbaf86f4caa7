"""A second implementation of `independent-binary` in whole numbers and fractions, and its bugs.

A number u + v·√A is kept as the pair (u, v), with s = √A as the unit; it is written with the radicand Q⁶A.
"""

from fractions import Fraction
from itertools import product
from math import isqrt

PATTERNS = list(product("ab", repeat=3))
OTHERS = ((1, 2), (0, 2), (0, 1))


def reference(document):
    counts = [int(count) for count in document["counts"]]
    if len(counts) != 8:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    size = sum(counts)
    if size == 0:
        return {"error": "empty-test"}
    rate, delta, trio = moments(counts)
    pi = delta[0, 1] * delta[0, 2] * delta[1, 2]
    a = trio**2 + 4 * pi
    out = {"quadratic": [str(a), str(-a), str(pi)], "solutions": [], "keys": []}
    zeros = sum(value == 0 for value in delta.values())
    if zeros:
        contradicted = trio != 0 or zeros == 1
        alarms = {"contradiction"} if contradicted else set()
        out["identification"] = "none" if contradicted else "family"
    elif a == 0:
        alarms = {"no-root"}
        out["identification"] = "none"
    else:
        out["identification"] = "identified"
        root = square_root(a)
        found = solutions(rate, delta, trio, a)
        out["solutions"] = [
            {
                "prevalence": written(p, a, root),
                "accuracies": [[written(x, a, root), written(y, a, root)] for x, y in rates],
            }
            for p, rates in found
        ]
        alarms = root_alarms(found, a, root)
    if pi < 0:
        alarms.add("negative-product")
    if out["identification"] == "identified" and root is not None:
        keys = [key(size, p, rates, root) for p, rates in found]
        share = found[0][0][0] + found[0][0][1] * root
        if any(number.denominator != 1 for number in (size * share, *keys[0][0], *keys[0][1])):
            alarms.add("not-whole")
        if not alarms:
            out["keys"] = [[int(number) for number in of_label[0]] for of_label in keys]
    return {**out, "alarms": sorted(alarms), "key_exists": not alarms}


def moments(counts):
    share = {v: Fraction(count, sum(counts)) for v, count in zip(PATTERNS, counts, strict=True)}
    rate = [sum(f for v, f in share.items() if v[i] == "b") for i in range(3)]
    delta = {
        (i, j): sum(f for v, f in share.items() if v[i] == v[j] == "b") - rate[i] * rate[j] for i, j in OTHERS
    }
    trio = share["b", "b", "b"] - rate[0] * rate[1] * rate[2]
    trio -= rate[0] * delta[1, 2] + rate[1] * delta[0, 2] + rate[2] * delta[0, 1]
    return rate, delta, trio


def solutions(rate, delta, trio, a):
    found = []
    for sigma in (1, -1):
        prevalence = (Fraction(1, 2), sigma * trio / (2 * a))  # 1/s = s/A
        rates = []
        for i in range(3):
            d = 2 * delta[OTHERS[i]]
            rates.append(((1 - rate[i] - trio / d, sigma / d), (rate[i] + trio / d, sigma / d)))
        found.append((prevalence, rates))
    return found


def root_alarms(found, a, root):
    if a < 0:
        return {"imaginary"}
    numbers = [n for p, rates in found for n in (p, *(z for pair in rates for z in pair))]
    outside = any(sign(n, a) < 0 or sign((1 - n[0], -n[1]), a) < 0 for n in numbers)
    return ({"irrational"} if root is None else set()) | ({"out-of-range"} if outside else set())


def square_root(a):
    """The rational root of a, or None."""
    if a < 0:
        return None
    top, bottom = isqrt(a.numerator), isqrt(a.denominator)
    return Fraction(top, bottom) if (top * top, bottom * bottom) == (a.numerator, a.denominator) else None


def sign(number, a):
    """The sign of u + v√a: compare u² with v²a where u and v pull in different directions."""
    u, v = number
    if u >= 0 and v >= 0:
        return int(u > 0 or v > 0)
    if u <= 0 and v <= 0:
        return -1
    larger = (u * u > v * v * a) - (u * u < v * v * a)
    return larger if u > 0 else -larger


def written(number, a, root):
    u, v = number
    if root is not None:
        return str(u + v * root)
    if v == 0:
        return str(u)
    return {
        "rational": str(u),
        "coefficient": str(v / a.denominator),
        "radicand": str(a.numerator * a.denominator),
    }


def key(size, prevalence, rates, root):
    """The counts of the eight patterns among the questions of each label."""
    p = prevalence[0] + prevalence[1] * root
    of_a, of_b = [], []
    for v in PATTERNS:
        first, second = size * p, size * (1 - p)
        for given, (x, y) in zip(v, rates, strict=True):
            right_a, right_b = x[0] + x[1] * root, y[0] + y[1] * root
            first *= right_a if given == "a" else 1 - right_a
            second *= right_b if given == "b" else 1 - right_b
        of_a.append(first)
        of_b.append(second)
    return of_a, of_b
