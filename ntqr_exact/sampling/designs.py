"""Two designs of a sample, how many of their equally likely samples show k positives, and the beta distribution.

`Binomial(n)`: n outputs, each positive with the same probability p = h/g. Of gⁿ equally likely ways,
C(n, k)·hᵏ(g−h)ⁿ⁻ᵏ show k positives. `Hypergeometric(size, graded)`: of Q questions m are drawn and graded. If M of
the Q answers are right, then N(r) = C(M, r)·C(Q−M, m−r) of the C(Q, m) samples show r right ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import lcm
from typing import TypeAlias

import gmpy2
from gmpy2 import bincoef, divexact, isqrt, mpfr, mpq, mpz

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
from ntqr_exact.exact.rational import RationalLike, rational, whole_number

Share: TypeAlias = "tuple[RationalLike, RationalLike]"
"""Positives and total of one sample: how many of how many."""

_LEAF = 32
_FINENESS = 10**9


def tail_sum(first: mpz, ratio: Callable[[int], tuple[int | mpz, int | mpz]], steps: int) -> mpz:
    """Return t₀ + … + t_steps for whole numbers t_{i+1} = tᵢ·n/d with (n, d) = ratio(i), by binary splitting.

    >>> int(tail_sum(mpz(1), lambda i: (4 - i, i + 1), 4))  # 1 + 4 + 6 + 4 + 1
    16
    """

    def split(start: int, stop: int) -> tuple[mpz, mpz, mpz]:
        """Return P = Π n, Q = Π d, and T with T/Q = Σ of the partial products of n/d."""
        if stop - start <= _LEAF:
            p, q, t = mpz(1), mpz(1), mpz(0)
            for i in range(start, stop):
                above, below = ratio(i)
                p, q = p * above, q * below
                t = t * below + p
            return p, q, t
        middle = (start + stop) // 2
        p, q, t = split(start, middle)
        p2, q2, t2 = split(middle, stop)
        return p * p2, q * q2, t * q2 + p * t2

    _, below, above = split(0, steps)
    return first + divexact(first * above, below)


@dataclass(frozen=True, slots=True, init=False)
class Binomial:
    """A sample of n outputs, each positive with the same probability."""

    n: int

    def __init__(self, n: RationalLike) -> None:
        object.__setattr__(self, "n", whole_number(n))
        if self.n == 0:
            raise BadNumber(n, "n must be >= 1: a share needs outputs")

    def at_most(self, share: mpq, k: int) -> mpz:
        """Return the ways, of gⁿ, that show at most k positives."""
        hits, grid, n = share.numerator, share.denominator, self.n
        if k < 0 or (hits == grid and k < n):
            return mpz(0)
        if k >= n or hits == 0:
            return grid**n
        if 2 * k >= n:  # the other tail is shorter
            return grid**n - self.at_most(1 - share, n - k - 1)
        misses = grid - hits
        first = bincoef(n, k) * hits**k * misses ** (n - k)
        return tail_sum(first, lambda i: ((k - i) * misses, (n - k + i + 1) * hits), k)


@dataclass(frozen=True, slots=True, init=False)
class Hypergeometric:
    """A test of Q questions of which m, drawn at random, are graded; its truth is the number M of right answers."""

    size: int
    graded: int

    def __init__(self, size: RationalLike, graded: RationalLike) -> None:
        object.__setattr__(self, "size", whole_number(size))
        object.__setattr__(self, "graded", whole_number(graded))
        check_work(f"a sample of {self.size} questions", 20 * self.size)
        if self.graded > self.size:
            raise BadNumber(graded, f"graded must be at most the number of questions, {self.size}")

    def samples(self) -> mpz:
        """Return the number of samples, C(Q, m)."""
        return bincoef(self.size, self.graded)

    def limit(self, share: mpq) -> mpz:
        """Return the greatest whole number that is not above a share of all samples."""
        return self.samples() * share.numerator // share.denominator

    def fewest(self, truth: int) -> int:
        """Return the smallest number of right answers that a sample can show if M are right."""
        return max(0, self.graded - (self.size - truth))

    def most(self, truth: int) -> int:
        """Return the greatest number of right answers that a sample can show if M are right."""
        return min(self.graded, truth)

    def at(self, truth: int, right: int) -> mpz:
        """Return N(r), the samples with exactly r right answers if M of all are right."""
        if not self.fewest(truth) <= right <= self.most(truth):
            return mpz(0)
        return bincoef(truth, right) * bincoef(self.size - truth, self.graded - right)

    def lost(self, truth: int, right: int) -> mpz:
        """Return g(r, M) − g(r, M+1), the samples that have more than r right answers from M+1 on.

        They hold the new right answer and exactly r of the others: C(M, r)·C(Q−M−1, m−r−1). So g falls in M.
        """
        if right < 0 or right >= self.graded or right > truth:
            return mpz(0)
        return bincoef(truth, right) * bincoef(self.size - truth - 1, self.graded - right - 1)

    def at_most(self, truth: int, right: int) -> mpz:
        """Return g(r, M) = N(0) + … + N(r), summed over the shorter side."""
        low, high = self.fewest(truth), self.most(truth)
        if right < low:
            return mpz(0)
        if right >= high:
            return self.samples()
        if 2 * right > low + high:
            return self.samples() - self.at_most(self.size - truth, self.graded - right - 1)
        # N(x−1)/N(x) = x(Q−M−m+x)/((M−x+1)(m−x+1))
        beyond, graded = self.size - truth - self.graded, self.graded

        def ratio(i: int) -> tuple[int, int]:
            x = right - i
            return x * (beyond + x), (truth - x + 1) * (graded - x + 1)

        return tail_sum(self.at(truth, right), ratio, right - low)

    def at_least(self, truth: int, right: int) -> mpz:
        """Return the samples with r right answers or more."""
        return self.samples() - self.at_most(truth, right - 1)


def last_kept(keeps: Callable[[int], bool], kept: int, dropped: int) -> int:
    """Return the last kept number from one that is kept towards one that is not, by bisection."""
    while abs(dropped - kept) > 1:
        middle = (kept + dropped) // 2
        if keeps(middle):
            kept = middle
        else:
            dropped = middle
    return kept


def run_around(keeps: Callable[[int], bool], middle: int, last: int) -> range:
    """Return the run of kept numbers from 0 to `last` at the middle or just after it; all others are not kept."""
    near = [number for number in (middle, middle + 1) if number <= last and keeps(number)]
    if not near:
        return range(0)
    return range(last_kept(keeps, near[0], -1), last_kept(keeps, near[-1], last + 1) + 1)


def counted(sample: Share) -> tuple[int, int]:
    """Return the positives and the total of a sample as whole numbers."""
    positives, size = map(whole_number, sample)
    if positives > size:
        raise BadNumber(sample, "positives must be at most the number of outputs")
    return positives, size


def check_level(level: RationalLike) -> mpq:
    """Return a level strictly between 0 and 1."""
    number = rational(level)
    if not 0 < number < 1:
        raise BadNumber(level, "level must be strictly between 0 and 1", "write 0.95 for 95 %")
    return number


def independent_share(level: mpq, parts: int) -> mpq:
    """Return the smallest level on a fine grid whose power `parts`, of independent statements, reaches `level`."""
    grid = _FINENESS * level.denominator
    needed = -(-level.numerator * grid**parts // level.denominator)
    root, exact = gmpy2.iroot(needed, parts)
    return mpq(root if exact else root + 1, grid)


# -- the beta distribution -------------------------------------------------------------------------------
#
# I_x(a, b) = xᵃ(1−x)ᵇ/(a·B(a, b)) · Σ tₙ with t₀ = 1 and tₙ₊₁ = tₙ·(a+b+n)x/(a+1+n). The terms are positive, they rise,
# then fall, and their ratios go in one direction to x: what is left out is less than a geometric series. They are
# summed in whole numbers of 2^−w, rounded down: a rounding in term k becomes at most tₙ/tₖ ≤ max(1, max t) in term n,
# so that N terms err by at most N²·max(1, max t) together.

_GUARD = 64
_SMALL = 60
"""Terms are left out below about e^−60."""

_MAX_EVALUATIONS = 2000


def enclose_beta_probability(x: mpq, a: mpq, b: mpq, precision: int = 64) -> Enclosure:
    """Enclose I_x(a, b), the probability that a beta number with parameters a and b is at most x."""
    if x in (0, 1):
        return Enclosure(x, x)
    if _terms(x, a, b) <= _terms(1 - x, b, a):
        return _by_series(x, a, b, precision)
    # Below the mean, what is left of 1 may be small: the factor before the sum gives how many bits more it takes.
    size = int(-_log_factor(x, a, b, precision).lower) if x < a / (a + b) else 0
    return 1 - _by_series(1 - x, b, a, precision + 2 * max(0, size))


def enclose_beta_quantile(tail: mpq, a: mpq, b: mpq, precision: int = 64) -> Enclosure:
    """Enclose the x beyond which a beta number lies with probability `tail`, to a width of 2^−precision.

    Newton's method proposes, certified signs at both ends decide.
    """
    low, high, narrowest = mpq(0), mpq(1), mpq(1, mpz(1) << precision)
    at, margin, width = _normal_guess(tail, a, b), mpq(1), mpq(1)
    for evaluation in range(_MAX_EVALUATIONS):
        if not low < at < high or (evaluation % 3 == 2 and 2 * (high - low) > width):
            at, margin = (low + high) / 2, high - low  # Newton's proposal is of no use
        if evaluation % 3 == 2:
            width = high - low
        bits = int(1 / min(margin, at, 1 - at)).bit_length() + 24  # a short number near it serves as well
        at = mpq(int(at * (mpz(1) << bits)), mpz(1) << bits)
        at, above = _side(at, tail, a, b, bits)
        if above.lower > 0:
            low = at
        else:
            high = at
        if high - low <= narrowest:
            return Enclosure(low, high)
        # A step beyond the root by what Newton's method may err, so that the ends close in from both sides.
        log = mpfr(_log_factor(at, a, b, 64).lower, 64)
        density = exactly(directed(64)[0].exp(log)) * a / (at * (1 - at))
        step = (above.lower + above.upper) / 2 / density
        bend = abs((a - 1) / at - (b - 1) / (1 - at)) / 2
        margin = max(narrowest / 4, 8 * bend * step**2)
        at += step + (margin if step > 0 else -margin)
    raise Undecided((tail, a, b), "the quantile was not reached")


def _normal_guess(tail: mpq, a: mpq, b: mpq) -> mpq:
    """Return where the quantile would be if the distribution were normal, or the mean."""
    mean = a / (a + b)
    variance = mean * (1 - mean) / (a + b + 1)
    root = mpq(isqrt(mpz(variance * (mpz(1) << 128))), mpz(1) << 64)
    guess = mean + enclose_normal_quantile(1 - tail, 64).lower * root
    return guess if 0 < guess < 1 else mean


def _side(at: mpq, tail: mpq, a: mpq, b: mpq, bits: int) -> tuple[mpq, Enclosure]:
    """Return a number near `at`, and its certified P(beta > at) − tail, which is not 0."""
    precision = 32
    while True:
        above = 1 - enclose_beta_probability(at, a, b, precision) - tail
        if 0 not in above:
            return at, above
        precision *= 2
        if precision > 8 * bits:  # the quantile may be this very number: take its neighbour
            at, precision = at + mpq(1, mpz(1) << bits), 32


def _terms(x: mpq, a: mpq, b: mpq) -> int:
    """Return about how many terms the series takes: until they fall, and then until their product is small."""
    rising = max(((a + b) * x - a - 1) / (1 - x), mpq(0))
    falling = mpq(isqrt(mpz(2 * _SMALL * (a + 1 + rising) / (1 - x))))
    first = (a + b) * x / (a + 1)
    falling = min(falling, _SMALL / (1 - first)) if first < 1 else falling
    return int(rising + falling + _SMALL * x / (1 - x))


def _by_series(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
    bits = precision + _GUARD
    return enclose_exp(_log_factor(x, a, b, bits), bits) * _series(x, a, b, precision)


def _log_factor(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
    """Enclose log xᵃ(1−x)ᵇ/(a·B(a, b)), where 1/(a·B(a, b)) = Γ(a+b)/(Γ(a+1)Γ(b))."""
    # The logarithms may be large and nearly cancel: bits for their whole parts are added.
    bits = precision + 2 * int(a + b + 1).bit_length()
    gammas = _log_gamma(a + b, bits) - _log_gamma(a + 1, bits) - _log_gamma(b, bits)
    return a * enclose_log(x, bits) + b * enclose_log(1 - x, bits) + gammas


def _series(x: mpq, a: mpq, b: mpq, precision: int) -> Enclosure:
    terms, bits = _terms(x, a, b), precision + _GUARD
    check_work(f"a beta probability of {terms} terms", terms)
    unit = lcm(int(a.denominator), int(b.denominator))
    more_above, more_below = unit * x.numerator, unit * x.denominator
    above, below = mpz((a + b) * more_above), mpz((a + 1) * more_below)
    term = total = peak = mpz(1) << bits
    small = mpz(1) << _GUARD - 8
    for n in range(1, 100 * terms + 10_000):
        term = term * above // below
        total += term
        if term < small and (bound := max(mpq(above, below), x)) < 1:
            error = n * n * (1 + (peak >> (bits - 1)))
            rest = (term + error) * bound / (1 - bound)
            if rest <= total >> (precision + 8):
                return Enclosure(mpq(total, mpz(1) << bits), (total + error + rest) / (mpz(1) << bits))
        elif term > peak:
            peak = term
        above += more_above
        below += more_below
    raise Undecided((x, a, b), "the series did not converge")


def _log_gamma(value: mpq, bits: int) -> Enclosure:
    """Enclose log Γ of a positive number; beyond 2 it grows, and log Γ(a) = log Γ(a+2) − log a(a+1)."""
    down, up = directed(bits + 16)
    lower, upper = mpfr(value + 2, 0, down), mpfr(value + 2, 0, up)
    enclosed = Enclosure(exactly(down.lgamma(lower)[0]), exactly(up.lgamma(upper)[0]))
    return enclosed - enclose_log(value * (value + 1), bits)
