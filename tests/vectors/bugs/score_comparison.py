"""Witnesses of `score-comparison` besides the JavaScript runner."""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from math import isqrt

SCORES = ("max", "l2", "l1-uniform", "l2-uniform", "entropy", "jensen-shannon", "jensen-shannon-printed")


def square(score, p):
    """The score, or its square where it is a root."""
    k = len(p)
    if score == "max":
        return max(p)
    if score == "l2":
        return sum(x * x for x in p)
    if score == "l1-uniform":
        return sum(abs(x - Fraction(1, k)) for x in p)
    return sum((x - Fraction(1, k)) ** 2 for x in p)


def log(x):
    return Decimal(x.numerator).ln() - Decimal(x.denominator).ln()


def real(score, p):
    """A score of logarithms to 80 digits."""
    with localcontext() as context:
        context.prec = 80
        k, u = len(p), Fraction(1, len(p))
        total = Decimal(0)
        for x in p:
            m = (x + u) / 2
            if score == "entropy":
                terms = [(x, x)]
            elif score == "jensen-shannon":
                terms = [(x / 2, x / m), (u / 2, u / m)]
            else:
                terms = [((x - u) / 2, x)]
            for factor, inside in terms:
                if factor != 0 and inside != 0:
                    total += Decimal(factor.numerator) / Decimal(factor.denominator) * log(inside)
        return total if k else None


def written(score, p):
    if score in SCORES[4:]:
        if score == SCORES[6] and 0 in p:
            return "infinite"
        with localcontext() as context:
            context.prec = 80
            return str(Fraction(real(score, p).quantize(Decimal(10) ** -12, rounding=ROUND_HALF_EVEN)))
    value = square(score, p)
    if score in ("max", "l1-uniform"):
        return str(value)
    radicand, below = value.numerator * value.denominator, value.denominator
    root = isqrt(radicand)
    if root * root == radicand:
        return str(Fraction(root, below))
    return {"rational": "0", "coefficient": str(Fraction(1, below)), "radicand": str(radicand)}


def with_mpmath(document):
    """The scores of logarithms by mpmath, at 120 digits: no two that differ are nearer than 10^−100."""
    import mpmath

    score, values = document["score"], []
    with mpmath.workdps(120):
        for side in ("left", "right"):
            p = [mpmath.mpf(x.numerator) / x.denominator for x in map(Fraction, document[side])]
            u = mpmath.mpf(1) / len(p)
            if score == "entropy":
                values.append(mpmath.fsum(x * mpmath.log(x) for x in p if x))
            elif score == "jensen-shannon":
                # the entropy of the mixture less the mean of the entropies
                mixed = mpmath.fsum(-(x + u) / 2 * mpmath.log((x + u) / 2) for x in p)
                own = mpmath.fsum(-x * mpmath.log(x) for x in p if x)
                values.append(mixed - own / 2 - mpmath.log(len(p)) / 2)
            else:
                values.append(mpmath.fsum((x - u) * mpmath.log(x) for x in p) / 2)
        gap = values[0] - values[1]
        sign = 0 if abs(gap) < mpmath.mpf(10) ** -100 else int(mpmath.sign(gap))
        written = [str(Fraction(int(mpmath.nint(value * 10**12)), 10**12)) for value in values]
    return {"comparison": ("less", "equal", "greater")[sign + 1], "left": written[0], "right": written[1]}


WITNESSES = {"mpmath": with_mpmath}
