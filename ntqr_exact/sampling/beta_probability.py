"""Certified probabilities of the beta distribution, and with them those of Student's t and of F.

I_x(a, b) = xᵃ(1−x)ᵇ/(a·B(a, b)) · Σ tₙ, where t₀ = 1 and tₙ₊₁ = tₙ·(a+b+n)x/(a+1+n). All terms are positive. Their
ratio goes to x in one direction, so that what is left out is less than a geometric series once it is below 1. As
I_x(a, b) = 1 − I_{1−x}(b, a), the shorter of the two series is taken. Terms are whole numbers of 2^−w, once rounded
down and once up.
log Γ grows beyond 2, so that its rounded values there bound it; below, log Γ(a) = log Γ(a+2) − log a(a+1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from gmpy2 import isqrt, mpfr, mpq, mpz

from ntqr_exact.errors import BadNumber, Undecided
from ntqr_exact.exact.enclosure import Enclosure, directed, enclose_exp, enclose_log, exactly
from ntqr_exact.exact.rational import RationalLike, rational

_Ends: TypeAlias = "tuple[tuple[mpq, mpq], tuple[mpq, mpq]]"
"""Two places, each with about how much more than the tail lies beyond it."""

_GUARD = 32
_FIRST = 16
_ROOT_BITS = 40
_SMALL = 80
"""Terms are left out below about e^−80."""

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
    if _terms(share, first, second) <= _terms(1 - share, second, first):
        return _by_series(share, first, second, precision)
    # Below the mean, what is left of 1 may be small: the factor before the sum tells how many bits more it takes.
    below_mean = share < first / (first + second)
    size = int(-_log_factor(share, first, second, precision).lower) if below_mean else 0
    return 1 - _by_series(1 - share, second, first, precision + 2 * max(0, size))


def enclose_beta_quantile(
    tail: RationalLike, a: RationalLike, b: RationalLike, precision: int = 64
) -> Enclosure:
    """Enclose the x beyond which a beta number lies with probability `tail`, to a width of 2^−precision.

    Signs at both ends are certified; where to look next only decides how soon it ends.

    >>> enclose_beta_quantile("0.5", 2, 2).decimal(6), enclose_beta_quantile("0.975", 333, 668).decimal(6)
    ('0.500000', '0.303818')
    """
    beyond = rational(tail)
    if not 0 < beyond < 1:
        raise BadNumber(tail, "a tail lies strictly between 0 and 1")
    first, second = rational(a), rational(b)
    ends = (mpq(0), 1 - beyond), (mpq(1), -beyond)
    for place in _likely(beyond, first, second):
        ends = _moved(ends, place, beyond, first, second)
    least, narrower = mpq(1, mpz(1) << precision), _FIRST
    while (width := ends[1][0] - ends[0][0]) > least:
        # The straight line between the ends meets 0 here; the nearer they are, the closer is the quantile to it.
        (low, above), (_, below) = ends
        guess, reach = low + width * above / (above - below), max(width / narrower, least / 2)
        for place in (guess - reach, guess + reach):
            ends = _moved(ends, place, beyond, first, second)
        found = ends[1][0] - ends[0][0]
        narrower = narrower**2 // 4 if found <= 3 * reach else _FIRST
        if 4 * found > width:
            ends = _moved(ends, (ends[0][0] + ends[1][0]) / 2, beyond, first, second)
    return Enclosure(ends[0][0], ends[1][0])


def _likely(beyond: mpq, a: mpq, b: mpq) -> Iterator[mpq]:
    """Yield places on both sides of a quantile, as Cantelli's inequality puts it by mean and deviation."""
    mean = a / (a + b)
    variance = mean * (1 - mean) / (a + b + 1)
    for side in (-variance * beyond / (1 - beyond), variance * (1 - beyond) / beyond):
        root = mpq(isqrt(mpz(abs(side) * (mpz(1) << 2 * _ROOT_BITS))) + 1, mpz(1) << _ROOT_BITS)
        yield mean + (root if side > 0 else -root)


def _moved(ends: _Ends, place: mpq, beyond: mpq, a: mpq, b: mpq) -> _Ends:
    """Return the ends with one of them moved to a place, or near it, if that lies between them."""
    (low, _), (high, _) = ends
    bits = int(1 / (high - low)).bit_length() + _ROOT_BITS
    at = mpq(int(place * (mpz(1) << bits)), mpz(1) << bits)  # a short number near it serves as well
    precision = 2 * _GUARD
    while low < at < high:
        above = 1 - enclose_beta_probability(at, a, b, precision) - beyond
        if 0 not in above:
            end = (at, (above.lower + above.upper) / 2)
            return (end, ends[1]) if above.lower > 0 else (ends[0], end)
        precision *= 2
        if precision > 8 * bits:  # the quantile may be this very number: it is not the one beside it
            at, precision = at + mpq(1, mpz(1) << bits - _GUARD), 2 * _GUARD
    return ends


def _terms(x: mpq, a: mpq, b: mpq) -> mpq:
    """Return about how many terms the series takes: until they fall, and then until their product is small."""
    rising = max(((a + b) * x - a - 1) / (1 - x), mpq(0))
    falling = mpq(isqrt(mpz(2 * _SMALL * (a + 1 + rising) / (1 - x))))
    first = (a + b) * x / (a + 1)
    return rising + (min(falling, _SMALL / (1 - first)) if first < 1 else falling) + _SMALL * x / (1 - x)


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
