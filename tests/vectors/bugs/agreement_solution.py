"""A second implementation of `agreement-solution` in fractions, and its bugs.

A number u + v·c is kept as the pair (u, v); where c is irrational it is written with the radicand n·d of c² = n/d.
"""

from fractions import Fraction
from itertools import product
from math import isqrt

PATTERNS = list(product("ab", repeat=3))
OTHERS = ((1, 2), (0, 2), (0, 1))


def reference(document):
    counts = [int(count) for count in document["counts"]]
    if document["judges"] != 3 or len(document["labels"]) != 2 or len(counts) != 8:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    size = sum(counts)
    if size == 0:
        return {"error": "empty-test"}
    agree = {
        (i, j): Fraction(sum(c for v, c in zip(PATTERNS, counts, strict=True) if v[i] == v[j]), size)
        for i, j in ((0, 1), (0, 2), (1, 2))
    }
    excess = {pair: 2 * rate - 1 for pair, rate in agree.items()}
    square = excess[0, 1] * excess[0, 2] * excess[1, 2]
    out = {"agreements": [str(rate) for rate in agree.values()], "square": str(square)}
    if square == 0:
        zeros = list(excess.values()).count(0)
        return {**out, "branches": [], "alarms": ["contradiction"] if zeros == 1 else []}
    root = square_root(square)
    found = [
        [(Fraction(1, 2), -sign / (2 * excess[OTHERS[judge]])) for judge in range(3)] for sign in (1, -1)
    ]
    out["branches"] = [[written(number, square, root) for number in errors] for errors in found]
    return {**out, "alarms": sorted(alarms(found, square, root, size))}


def alarms(found, square, root, size):
    if square < 0:
        return {"imaginary"}
    fired = set() if root is not None else {"irrational"}
    # 0 ≤ 1/2 + v·c ≤ 1 says (v·c)² ≤ 1/4: no root is needed.
    if any(v * v * square > Fraction(1, 4) for errors in found for _, v in errors):
        fired.add("out-of-range")
    if root is not None and any((size * (u + v * root)).denominator != 1 for u, v in found[0]):
        fired.add("not-whole")
    return fired


def square_root(number):
    """The rational root, or None."""
    if number < 0:
        return None
    top, bottom = isqrt(number.numerator), isqrt(number.denominator)
    exact = (top * top, bottom * bottom) == (number.numerator, number.denominator)
    return Fraction(top, bottom) if exact else None


def written(number, square, root):
    u, v = number
    if root is not None:
        return str(u + v * root)
    return {
        "rational": str(u),
        "coefficient": str(v / square.denominator),
        "radicand": str(square.numerator * square.denominator),
    }
