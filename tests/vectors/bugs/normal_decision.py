"""Witnesses of `normal-decision` besides the JavaScript runner."""

from fractions import Fraction


def refusal(level, variance, ends):
    if variance < 0 or not 0 < level < 1:
        return "bad-number"
    return None if ends in ("open", "closed") else "bad-choice"


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
