"""Certified probabilities and quantiles of the beta distribution, for Clopper–Pearson intervals and t-tests.

I_x(a, b) = xᵃ(1−x)ᵇ/(a·B(a, b)) · Σ tₙ with t₀ = 1 and tₙ₊₁ = tₙ·(a+b+n)x/(a+1+n). For a whole number b, Σ tₙ/(1−x) is
also the shorter sum of tₙ₊₁ = tₙ·(b−1−n)x/((a+1+n)(1−x)), the tail of a binomial distribution. All terms are positive,
they rise, then fall, and their ratios go in one direction, so that what is left out is less than a geometric series.
They are summed in whole numbers of 2^−w, rounded down: a rounding in term k becomes at most tₙ/tₖ ≤ max(1, max t) in
term n, so that N terms err by at most N²·max(1, max t) together.
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
_SMALL = 60
"""Terms are left out below about e^−60."""

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
        log = mpfr(_log_factor(at, first, second, 64).lower, 64)
        density = exactly(directed(64)[0].exp(log)) * first / (at * (1 - at))
        step = (above.lower + above.upper) / 2 / density
        bend = abs((first - 1) / at - (second - 1) / (1 - at)) / 2
        margin = max(narrowest / 4, 8 * bend * step**2)
        at += step + (margin if step > 0 else -margin)
    raise Undecided((tail, a, b), "the quantile was not reached")


def _normal_guess(beyond: mpq, a: mpq, b: mpq) -> mpq:
    """Return where the quantile would be if the distribution were normal, or the mean."""
    mean = a / (a + b)
    variance = mean * (1 - mean) / (a + b + 1)
    root = mpq(isqrt(mpz(variance * (mpz(1) << 128))), mpz(1) << 64)
    guess = mean + enclose_normal_quantile(1 - beyond, 64).lower * root
    return guess if 0 < guess < 1 else mean


def _side(at: mpq, beyond: mpq, a: mpq, b: mpq, bits: int) -> tuple[mpq, Enclosure]:
    """Return a number near `at`, and its certified P(beta > at) − beyond, which is not 0."""
    precision = 32
    while True:
        above = 1 - enclose_beta_probability(at, a, b, precision) - beyond
        if 0 not in above:
            return at, above
        precision *= 2
        if precision > 8 * bits:  # the quantile may be this very number: take its neighbour
            at, precision = at + mpq(1, mpz(1) << bits), 32


def _terms(x: mpq, a: mpq, b: mpq) -> int:
    """Return about how many terms the series takes: until they fall, and then until their product is small."""
    whole = b.denominator == 1
    slowing = (a + b) * x * (1 - x) if whole else None
    rising = max((b - 1) * x - (a + 1) * (1 - x) if whole else ((a + b) * x - a - 1) / (1 - x), mpq(0))
    falling = mpq(isqrt(mpz(2 * _SMALL * (slowing or (a + 1 + rising) / (1 - x)))))
    first = (b - 1) * x / ((a + 1) * (1 - x)) if whole else (a + b) * x / (a + 1)
    falling = min(falling, _SMALL / (1 - first)) if first < 1 else falling
    terms = rising + falling + _SMALL * x / (1 - x)
    return int(min(terms, b) if whole else terms)


def _by_series(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
    bits = precision + _GUARD
    factor = enclose_exp(_log_factor(x, a, b, bits), bits)
    return factor * _series(x, a, b, precision) / (1 - x if b.denominator == 1 else mpq(1))


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


def _series(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
    terms, whole = _terms(x, a, b), b.denominator == 1
    check_work(f"a beta probability of {terms} terms", terms)
    unit = lcm(int(a.denominator), int(b.denominator))
    hits, misses = unit * x.numerator, unit * (x.denominator - x.numerator)
    above, more_above = (mpz((b - 1) * hits), -hits) if whole else (mpz((a + b) * hits), hits)
    more_below = misses if whole else hits + misses
    below = mpz((a + 1) * more_below)
    last = mpq(0) if whole else x  # the ratios run from the first one to this, in one direction
    bits = precision + _GUARD
    term = total = peak = mpz(1) << bits
    small = mpz(1) << _GUARD - 8
    for n in range(1, 100 * terms + 10_000):
        term = term * above // below
        total += term
        if term < small and (bound := max(mpq(above, below), last)) < 1:
            error = n * n * (1 + (peak >> (bits - 1)))
            rest = (term + error) * bound / (1 - bound)
            if rest <= total >> (precision + 8):
                return Enclosure(mpq(total, mpz(1) << bits), (total + error + rest) / (mpz(1) << bits))
        elif term > peak:
            peak = term
        above += more_above
        below += more_below
    raise Undecided((x, a, b), "the series did not converge")


def enclose_log_gamma(value: mpq, bits: int) -> Enclosure:
    """Enclose log Γ of a positive number; beyond 2 it grows, and log Γ(a) = log Γ(a+2) − log a(a+1)."""
    down, up = directed(bits + 16)
    lower, upper = mpfr(value + 2, 0, down), mpfr(value + 2, 0, up)
    enclosed = Enclosure(exactly(down.lgamma(lower)[0]), exactly(up.lgamma(upper)[0]))
    return enclosed - enclose_log(value * (value + 1), bits)
