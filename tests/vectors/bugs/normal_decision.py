"""A second implementation of `normal-decision` by series in whole numbers, and the bugs that must be caught in it."""

from fractions import Fraction
from functools import cache
from math import isqrt

DIGITS = 120
ONE = 10**DIGITS


@cache
def pi():
    """Machin's formula, in units of 10^−120."""

    def arctangent(inverse):
        total = term = ONE // inverse
        n = 1
        while term:
            term //= -inverse * inverse
            n += 2
            total += term // n
        return total

    return 4 * (4 * arctangent(5) - arctangent(239))


def middle(square):
    """The probability that a standard normal number is at most t in size, from t², in units of 10^−120.

    It is √(2/π)·t·exp(−t²/2) times the sum of t^2n/(1·3·5···(2n+1)); with u = t² all terms are rational.
    """
    u = square.numerator * ONE // square.denominator
    total = term = ONE
    n = 0
    while term:
        n += 1
        term = term * u // (ONE * (2 * n + 1))
        total += term
    decay = power = ONE
    n = 0
    while power:
        n += 1
        power = power * u // (2 * ONE * n)
        decay += power
    root = isqrt(2 * ONE * ONE * u // pi())
    return root * total // decay


def beyond(square, level):
    """Whether t is beyond the critical value of a level; an error of 10^−90 would be told."""
    gap = middle(square) - level.numerator * ONE // level.denominator
    if abs(gap) < ONE // 10**90:
        raise ArithmeticError
    return gap > 0


@cache
def quantile(level):
    """The critical value as a whole number of 10^−15, by halving."""
    unit = 2 * 10**15
    low, high = 0, 20 * 10**15
    while high - low > 1:
        half = (low + high) // 2
        # half − 1/2 is the border below which half is not the nearest
        if beyond(Fraction(2 * half - 1, unit) ** 2, level):
            high = half
        else:
            low = half
    return Fraction(low, 10**15)


def refusal(level, variance, ends):
    if variance < 0 or not 0 < level < 1:
        return "bad-number"
    return None if ends in ("open", "closed") else "bad-choice"


def excluded(square, variance, level):
    if variance == 0 or square > 200 * variance:
        return True
    return beyond(square / variance, level)


def reference(document):
    try:
        level, centre, variance = (Fraction(document[name]) for name in ("level", "centre", "variance"))
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    kind = refusal(level, variance, document["ends"])
    if kind:
        return {"error": kind}
    shown = centre != 0 and excluded(centre**2, variance, level)
    decision = "not-shown" if not shown else "lower" if centre < 0 else "higher"
    return {"z": str(quantile(level)), "decision": decision}


def with_mpmath(document):
    """The same with mpmath, at 100 digits."""
    import mpmath

    try:
        level, centre, variance = (Fraction(document[name]) for name in ("level", "centre", "variance"))
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    kind = refusal(level, variance, document["ends"])
    if kind:
        return {"error": kind}
    with mpmath.workdps(100):
        probability = mpmath.mpf(level.numerator) / level.denominator
        z = mpmath.sqrt(2) * mpmath.erfinv(probability)
        size = mpmath.mpf(abs(centre).numerator) / centre.denominator
        deviation = mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator)
        shown = size > z * deviation
        nearest = Fraction(int(mpmath.nint(z * 10**15)), 10**15)
    return {"z": str(nearest), "decision": "not-shown" if not shown else "lower" if centre < 0 else "higher"}


WITNESSES = {"mpmath": with_mpmath}
