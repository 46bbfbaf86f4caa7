"""A second implementation of `interval-decision` by whole square roots, and the bugs that must be caught in it."""

from fractions import Fraction
from math import isqrt


def end(centre, z, variance, side):
    """The number f ± z√V: √(n/d) is √(n·d)/d."""
    radicand, below = variance.numerator * variance.denominator, variance.denominator
    root = isqrt(radicand)
    if root * root == radicand:
        return str(centre + side * z * Fraction(root, below))
    return {"rational": str(centre), "coefficient": str(side * z / below), "radicand": str(radicand)}


def shown(size, reach_squared, closed):
    """Whether a size is beyond the root of a number, by the whole root of it times a square."""
    scaled = size.numerator * reach_squared.denominator
    number = size.denominator**2 * reach_squared.numerator * reach_squared.denominator
    root = isqrt(number)
    if scaled == root and root * root == number:
        return not closed
    return scaled > root


def reference(document):
    try:
        centre, variance, z = (Fraction(document[name]) for name in ("centre", "variance", "z"))
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if variance < 0 or z <= 0:
        return {"error": "bad-number"}
    if document["ends"] not in ("open", "closed"):
        return {"error": "bad-choice"}
    decision = "not-shown"
    if centre != 0 and shown(abs(centre), z * z * variance, document["ends"] == "closed"):
        decision = "lower" if centre < 0 else "higher"
    return {
        "decision": decision,
        "lower": end(centre, z, variance, -1),
        "upper": end(centre, z, variance, 1),
    }
