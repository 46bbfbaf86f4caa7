"""A second implementation of `score-comparison` by whole powers, and the bugs that the vectors must catch in it."""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from math import isqrt, lcm

SCORES = ("max", "l2", "l1-uniform", "l2-uniform", "entropy", "jensen-shannon", "jensen-shannon-printed")


def vector(probabilities):
    numbers = [Fraction(number) for number in probabilities]
    if len(numbers) < 2 or min(numbers) < 0 or sum(numbers) != 1:
        raise LookupError
    return numbers


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


def power(score, p, whole):
    """The product of powers that grows with a score of logarithms, for the common denominator of both."""
    k = len(p)
    numbers = [int(x * whole) for x in p]
    above = below = 1
    for a in numbers:
        if score == "entropy":
            above *= a**a
        elif score == "jensen-shannon":
            above *= a ** (k * a)
            below *= (k * a + whole) ** (k * a + whole)
        else:
            exponent = k * a - whole
            above *= a ** max(exponent, 0)
            below *= a ** max(-exponent, 0)
    return Fraction(above, below)


def compared(score, p, q):
    if score in SCORES[:4]:
        left, right = square(score, p), square(score, q)
        return (left > right) - (left < right)
    if score == SCORES[6] and 0 in p + q:
        return (0 in p) - (0 in q)
    if sorted(p) == sorted(q):
        return 0
    whole = lcm(*(x.denominator for x in p + q))
    if whole > 10**6:  # the powers would be too long: by logarithms, as no such test has a tie
        left, right = real(score, p), real(score, q)
    else:
        left, right = power(score, p, whole), power(score, q, whole)
    return (left > right) - (left < right) if left != right else 0


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


def reference(document):
    score = document["score"]
    try:
        p, q = vector(document["left"]), vector(document["right"])
    except LookupError:
        return {"error": "bad-samples"}
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    if len(p) != len(q) or score not in SCORES:
        return {"error": "bad-samples"}
    sign = compared(score, p, q)
    return {
        "comparison": ("less", "equal", "greater")[sign + 1],
        "left": written(score, p),
        "right": written(score, q),
    }


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
