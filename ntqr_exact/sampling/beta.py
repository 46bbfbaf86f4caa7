"""Certified probabilities and quantiles of the beta distribution; Clopper–Pearson intervals and t-tests rest on them.

I_x(a, b) = xᵃ(1−x)ᵇ/(a·B(a, b)) · Σ tₙ, where t₀ = 1 and tₙ₊₁ = tₙ·(a+b+n)x/(a+1+n). All terms are positive. Their
ratio goes to x in one direction, so that what is left out is less than a geometric series once it is below 1. As
I_x(a, b) = 1 − I_{1−x}(b, a), the shorter of the two series is summed, in whole numbers of 2^−w rounded down.

The terms rise, then fall. A rounding of 1 in term k becomes at most tₙ/tₖ ≤ max(1, max t) in term n, so that N terms
err by at most N²·max(1, max t) together. log Γ grows beyond 2, so that its rounded values there bound it; below,
log Γ(a) = log Γ(a+2) − log a(a+1).
"""

from __future__ import annotations

from math import lcm

from gmpy2 import isqrt, mpfr, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, Undecided
from ntqr_exact.exact.enclosure import (
    Enclosure,
    directed,
    enclose_exp,
    enclose_log,
    enclose_normal_quantile,
    exactly,
)
from ntqr_exact.exact.rational import RationalLike, rational

_GUARD = 64
_SMALL = 80
"""Terms are left out below about e^−80."""

_MAX_EVALUATIONS = 2000


def enclose_beta_probability(
    x: RationalLike, a: RationalLike, b: RationalLike, precision: int = 64
) -> Enclosure:
    """Enclose I_x(a, b), the probability that a beta number with parameters a and b is at most x.

    >>> enclose_beta_probability("1/2", 2, 3).decimal(12), enclose_beta_probability("1/4", "1/2", "1/2").decimal(12)
    ('0.687500000000', '0.333333333333')
    """
    share, first, second = rational(x), rational(a), rational(b)
    if min(first, second) <= 0 or not 0 <= share <= 1:
        raise BadNumber((x, a, b), "a and b must be > 0, and x from 0 to 1")
    if share in (0, 1):
        return Enclosure(share, share)
    if _terms(share, first, second) <= _terms(1 - share, second, first):
        return _by_series(share, first, second, precision)
    # Below the mean, what is left of 1 may be small: the factor before the sum gives how many bits more it takes.
    below_mean = share < first / (first + second)
    size = int(-_log_factor(share, first, second, precision).lower) if below_mean else 0
    return 1 - _by_series(1 - share, second, first, precision + 2 * max(0, size))


def enclose_beta_quantile(
    tail: RationalLike, a: RationalLike, b: RationalLike, precision: int = 64
) -> Enclosure:
    """Enclose the x beyond which a beta number lies with probability `tail`, to a width of 2^−precision.

    Newton's method proposes, certified signs at both ends decide.

    >>> enclose_beta_quantile("0.5", 2, 2).decimal(6), enclose_beta_quantile("0.975", 333, 668).decimal(6)
    ('0.500000', '0.303818')
    """
    beyond, first, second = rational(tail), rational(a), rational(b)
    if not 0 < beyond < 1:
        raise BadNumber(tail, "tail must be strictly between 0 and 1")
    low, high, narrowest = mpq(0), mpq(1), mpq(1, mpz(1) << precision)
    at, margin, width = _normal_guess(beyond, first, second), mpq(1), mpq(1)
    for evaluation in range(_MAX_EVALUATIONS):
        if not low < at < high or (evaluation % 3 == 2 and 2 * (high - low) > width):
            at, margin = (low + high) / 2, high - low  # Newton's proposal is of no use
        if evaluation % 3 == 2:
            width = high - low
        bits = int(1 / min(margin, at, 1 - at)).bit_length() + 24  # a short number near it serves as well
        at = mpq(int(at * (mpz(1) << bits)), mpz(1) << bits)
        at, above = _side(at, beyond, first, second, bits)
        if above.lower > 0:
            low = at
        else:
            high = at
        if high - low <= narrowest:
            return Enclosure(low, high)
        # A step beyond the root by what Newton's method may err, so that the ends close in from both sides.
        density = exactly(_exp(_log_factor(at, first, second, 64).lower)) * first / (at * (1 - at))
        step = (above.lower + above.upper) / 2 / density
        bend = abs((first - 1) / at - (second - 1) / (1 - at)) / 2
        margin = max(narrowest / 4, 8 * bend * step**2)
        at += step + (margin if step > 0 else -margin)
    raise Undecided((tail, a, b), "the quantile was not reached")


def _exp(value: mpq) -> mpfr:
    return directed(64)[0].exp(mpfr(value, 64))


def _normal_guess(beyond: mpq, a: mpq, b: mpq) -> mpq:
    """Return where the quantile would be if the distribution were normal, or the mean."""
    mean = a / (a + b)
    variance = mean * (1 - mean) / (a + b + 1)
    root = mpq(isqrt(mpz(variance * (mpz(1) << 128))), mpz(1) << 64)
    guess = mean + enclose_normal_quantile(1 - beyond, 64).lower * root
    return guess if 0 < guess < 1 else mean


def _side(at: mpq, beyond: mpq, a: mpq, b: mpq, bits: int) -> tuple[mpq, Enclosure]:
    """Return a number near `at`, and its certified P(beta > at) − beyond, which is not 0."""
    precision = 64
    while True:
        above = 1 - enclose_beta_probability(at, a, b, precision) - beyond
        if 0 not in above:
            return at, above
        precision *= 2
        if precision > 8 * bits:  # the quantile may be this very number: take its neighbour
            at, precision = at + mpq(1, mpz(1) << bits), 64


def _terms(x: mpq, a: mpq, b: mpq) -> int:
    """Return about how many terms the series takes: until they fall, and then until their product is small."""
    rising = max(((a + b) * x - a - 1) / (1 - x), mpq(0))
    falling = mpq(isqrt(mpz(2 * _SMALL * (a + 1 + rising) / (1 - x))))
    first = (a + b) * x / (a + 1)
    falling = min(falling, _SMALL / (1 - first)) if first < 1 else falling
    return int(rising + falling + _SMALL * x / (1 - x))


def _by_series(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
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
        - enclose_log_gamma(a, bits)
        - enclose_log_gamma(b, bits)
        + enclose_log_gamma(a + b, bits)
    )


def _series(x: mpq, a: mpq, b: mpq, bits: int) -> Enclosure:
    terms = _terms(x, a, b)
    check_work(f"a beta probability of {terms} terms", terms)
    unit = lcm(int(a.denominator), int(b.denominator))
    above, below = mpz((a + b) * unit) * x.numerator, mpz((a + 1) * unit) * x.denominator
    more_above, more_below = unit * x.numerator, unit * x.denominator
    term = total = peak = mpz(1) << bits
    small = mpz(1) << _GUARD // 2
    for n in range(1, 100 * terms + 10_000):
        term = term * above // below
        total += term
        peak = max(peak, term)
        # The ratios run from this one to x, in one direction.
        if term < small and (bound := max(mpq(above, below), x)) < 1:
            error = n * n * (1 + (peak >> (bits - 1)))
            rest = (term + error) * bound / (1 - bound)
            if rest <= total >> (bits - _GUARD + 8):
                return Enclosure(mpq(total, mpz(1) << bits), (total + error + rest) / (mpz(1) << bits))
        above, below = above + more_above, below + more_below
    raise Undecided((x, a, b), "the series did not converge")


def enclose_log_gamma(value: mpq, bits: int) -> Enclosure:
    """Enclose log Γ of a positive number."""
    down, up = directed(bits + 16)
    lower, upper = mpfr(value + 2, 0, down), mpfr(value + 2, 0, up)
    enclosed = Enclosure(exactly(down.lgamma(lower)[0]), exactly(up.lgamma(upper)[0]))
    return enclosed - enclose_log(value * (value + 1), bits)
