"""Certified probabilities of the beta distribution, and with them those of Student's t and of F.

I_x(a, b) = xᵃ(1−x)ᵇ/(a·B(a, b)) · Σ tₙ, where t₀ = 1 and tₙ₊₁ = tₙ·(a+b+n)x/(a+1+n). All terms are positive. Their
ratio goes to x ≤ 1/2 in one direction, so that what is left out is less than a geometric series once it is below 1.
For a greater x, I_x(a, b) = 1 − I_{1−x}(b, a). Terms are whole numbers of 2^−w, once rounded down and once up.
log Γ grows beyond 2, so that its rounded values there bound it; below, log Γ(a) = log Γ(a+2) − log a(a+1).
"""

from __future__ import annotations

from gmpy2 import mpfr, mpq, mpz

from ntqr_exact.errors import BadNumber, Undecided
from ntqr_exact.exact.enclosure import Enclosure, directed, enclose_exp, enclose_log, exactly
from ntqr_exact.exact.rational import RationalLike, rational

_GUARD = 32
_MOST_TERMS = 1_000_000


def enclose_beta_probability(
    x: RationalLike, a: RationalLike, b: RationalLike, precision: int = 64
) -> Enclosure:
    """Enclose I_x(a, b), the probability that a beta number with parameters a and b is at most x.

    >>> enclose_beta_probability("1/2", 2, 3).decimal(12), enclose_beta_probability("1/4", "1/2", "1/2").decimal(12)
    ('0.687500000000', '0.333333333333')
    """
    share, first, second = rational(x), rational(a), rational(b)
    if min(first, second) <= 0 or not 0 <= share <= 1:
        raise BadNumber((x, a, b), "a beta distribution has positive parameters, and lies between 0 and 1")
    if share in (0, 1):
        return Enclosure(share, share)
    if share <= mpq(1, 2):
        return _at_most_half(share, first, second, precision)
    # Below the mean, what is left of 1 may be small: the factor before the sum tells how many bits more it takes.
    below_mean = share < first / (first + second)
    size = int(-_log_factor(share, first, second, precision).lower) if below_mean else 0
    return 1 - _at_most_half(1 - share, second, first, precision + 2 * max(0, size))


def enclose_beta_quantile(
    tail: RationalLike, a: RationalLike, b: RationalLike, precision: int = 64
) -> Enclosure:
    """Enclose the x beyond which a beta number lies with probability `tail`, by halving with certified signs."""
    beyond = rational(tail)
    if not 0 < beyond < 1:
        raise BadNumber(tail, "a tail lies strictly between 0 and 1")
    low, high = mpq(0), mpq(1)
    while high - low > mpq(1, mpz(1) << precision):
        middle = (low + high) / 2
        above = 1 - enclose_beta_probability(middle, a, b, precision + _GUARD)
        if beyond in above:
            return Enclosure(low, high)
        low, high = (middle, high) if above.lower > beyond else (low, middle)
    return Enclosure(low, high)


def _at_most_half(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
    bits = precision + _GUARD
    return enclose_exp(_log_factor(x, a, b, bits), bits) * _series(x, a, b, bits)


def _log_factor(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
    """Enclose log xᵃ(1−x)ᵇ/(a·B(a, b))."""
    # The logarithms may be large and nearly cancel: bits for their whole parts are added.
    bits = precision + 2 * int(a + b + 1).bit_length()
    return (
        a * enclose_log(x, bits)
        + b * enclose_log(1 - x, bits)
        - enclose_log(a, bits)
        - _log_gamma(a, bits)
        - _log_gamma(b, bits)
        + _log_gamma(a + b, bits)
    )


def _series(x: mpq, a: mpq, b: mpq, bits: int) -> Enclosure:
    low = high = total_low = total_high = mpz(1) << bits
    for n in range(_MOST_TERMS):
        ratio = (a + b + n) * x / (a + 1 + n)
        low, high = (
            low * ratio.numerator // ratio.denominator,
            -(-high * ratio.numerator // ratio.denominator),
        )
        total_low, total_high = total_low + low, total_high + high
        # The ratios run from this one to x, in one direction.
        bound = max(ratio, x)
        if bound < 1 and high * bound <= (1 - bound) * (mpz(1) << _GUARD // 2):
            rest = high * bound / (1 - bound)
            return Enclosure(mpq(total_low, mpz(1) << bits), (total_high + rest) / (mpz(1) << bits))
    raise Undecided((x, a, b), f"the series has not converged after {_MOST_TERMS} terms")


def _log_gamma(value: mpq, bits: int) -> Enclosure:
    down, up = directed(bits + 16)
    lower, upper = mpfr(value + 2, 0, down), mpfr(value + 2, 0, up)
    enclosed = Enclosure(exactly(down.lgamma(lower)[0]), exactly(up.lgamma(upper)[0]))
    return enclosed - enclose_log(value * (value + 1), bits)
