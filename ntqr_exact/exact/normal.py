"""The normal distribution in certified enclosures: Φ(z), and its quantile z for a rational level.

Φ goes through erfc of |z|/√2, the quantile through erf or erfc, whichever keeps its relative accuracy:
erf near the middle, erfc in the tails. The quantile is proposed by Newton's method and then proven: its ends are exact
numbers whose Φ, rounded against them, lies on the two sides of the level. A bad proposal can
therefore cost time, never truth.
"""

from __future__ import annotations

import gmpy2
from gmpy2 import mpfr, mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, Undecided
from ntqr_exact.exact.enclosure import MAX_PRECISION, Enclosure, check_precision, directed, exactly
from ntqr_exact.exact.rational import RationalLike, rational

_LARGEST_Z = 1000


def enclose_normal_cdf(z: RationalLike, precision: int = 64) -> Enclosure:
    """Enclose Φ(z), the probability that a standard normal number is at most z.

    >>> enclose_normal_cdf("1.96").decimal(12)
    '0.975002104852'
    """
    number = rational(z)
    if abs(number) > _LARGEST_Z:
        raise BadNumber(z, f"z must not be beyond ±{_LARGEST_Z}")
    tail = _enclose_erfc(number, precision) / 2
    return 1 - tail if number > 0 else tail


def enclose_normal_quantile(level: RationalLike, precision: int = 64) -> Enclosure:
    """Enclose the z with Φ(z) = level, for a rational level between 0 and 1.

    >>> enclose_normal_quantile("0.975").decimal(15)
    '1.959963984540054'

    The relative width is at most 2^(2−precision); the middle is exactly 0.
    """
    check_precision(precision)
    check_work("a normal quantile at so many bits", precision**2 // 300)
    p = rational(level)
    if not 0 < p < 1:
        raise BadNumber(level, "a level lies strictly between 0 and 1")
    if p == mpq(1, 2):
        return Enclosure(0, 0)
    if p > mpq(1, 2):
        return _enclose_positive_quantile(1 - p, precision)
    return -_enclose_positive_quantile(p, precision)


def _enclose_positive_quantile(tail: mpq, precision: int) -> Enclosure:
    """Enclose the z > 0 beyond which a standard normal number lies with probability `tail` < 1/2."""
    working = precision + 16
    while working <= 4 * max(precision, MAX_PRECISION):
        proposal = _propose_quantile(tail, working)
        step = proposal / (1 << precision)
        down, up = directed(precision + 2)
        lower = exactly(mpfr(proposal - step, 0, down))
        upper = exactly(mpfr(proposal + step, 0, up))
        if _sides(lower, tail, working)[0] and _sides(upper, tail, working)[1]:
            return Enclosure(lower, upper)
        working *= 2
    raise Undecided(tail, f"the normal quantile is not certified at {working // 2} bits")


def _sides(z: mpq, tail: mpq, precision: int) -> tuple[bool, bool]:
    """Return whether z is surely below the quantile, and whether it is surely above."""
    if tail > mpq(1, 4):
        middle = _enclose_erf(z, precision)
        return middle.upper < 1 - 2 * tail, middle.lower > 1 - 2 * tail
    beyond = _enclose_erfc(z, precision)
    return beyond.lower > 2 * tail, beyond.upper < 2 * tail


def _propose_quantile(tail: mpq, precision: int) -> mpq:
    """Return a number near the quantile, by Newton's method on t = z/√2.

    erf is concave for t > 0 and t₀ = (√π/2)·erf(t) lies below the root; log erfc is concave and
    decreasing. In both cases the iterates move towards the root from one side after the first step.
    """
    near_middle = tail > mpq(1, 4)
    with gmpy2.context(precision=precision, round=gmpy2.RoundToNearest):
        half_root_pi = gmpy2.sqrt(gmpy2.const_pi()) / 2
        target = mpfr(1 - 2 * tail) if near_middle else gmpy2.log(mpfr(2 * tail))
        t = half_root_pi * target if near_middle else gmpy2.sqrt(-target)
        for _ in range(precision):
            density = gmpy2.exp(-t * t) / half_root_pi
            if near_middle:
                step = (gmpy2.erf(t) - target) / density
            else:
                tail_at_t = gmpy2.erfc(t)
                step = -(gmpy2.log(tail_at_t) - target) * tail_at_t / density
            t -= step
            if abs(step) <= abs(t) * mpfr(2) ** (8 - precision):
                break
        return exactly(t * gmpy2.sqrt(mpfr(2)))


def _enclose_erf(z: mpq, precision: int) -> Enclosure:
    """Enclose erf(z/√2) for z ≥ 0."""
    down, up = directed(precision)
    half_square = z * z / 2
    low = down.erf(down.sqrt(mpfr(half_square, 0, down)))
    high = up.erf(up.sqrt(mpfr(half_square, 0, up)))
    return Enclosure(exactly(low), exactly(high))


def _enclose_erfc(z: mpq, precision: int) -> Enclosure:
    """Enclose erfc(|z|/√2).

    A relative error ε of t becomes one of about 2t²ε of erfc(t), hence the extra bits.
    """
    half_square = z * z / 2
    down, up = directed(precision + int(half_square).bit_length() + 2)
    low = down.erfc(up.sqrt(mpfr(half_square, 0, up)))
    high = up.erfc(down.sqrt(mpfr(half_square, 0, down)))
    return Enclosure(exactly(low), exactly(high))
