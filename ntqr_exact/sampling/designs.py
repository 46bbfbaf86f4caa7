"""Two designs of a sample, and how many of their equally likely samples show k positives.

`Binomial(n)`: n outputs, each positive with the same probability p = h/g. Of gⁿ equally likely ways,
C(n, k)·hᵏ(g−h)ⁿ⁻ᵏ show k positives. `Hypergeometric(size, graded)`: of Q questions m are drawn and graded. If M of
the Q answers are right, then N(r) = C(M, r)·C(Q−M, m−r) of the C(Q, m) samples show r right ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gmpy2
from gmpy2 import bincoef, divexact, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, rational, whole_number

_BLOCK = 1 << 14
_FINENESS = 10**9


def tail_sum(first: mpz, ratio: Callable[[int], tuple[int | mpz, int | mpz]], steps: int) -> mpz:
    """Return t₀ + … + t_steps for whole numbers t_{i+1} = tᵢ·n/d with (n, d) = ratio(i).

    >>> int(tail_sum(mpz(1), lambda i: (4 - i, i + 1), 4))  # 1 + 4 + 6 + 4 + 1
    16
    """
    term = total = first
    for start in range(0, steps, _BLOCK):
        p, q, t = _split(ratio, start, min(start + _BLOCK, steps))
        total += divexact(term * t, q)
        term = divexact(term * p, q)
    return total


def _split(
    ratio: Callable[[int], tuple[int | mpz, int | mpz]], start: int, stop: int
) -> tuple[mpz, mpz, mpz]:
    """Return P = Π n, Q = Π d, and T with T/Q = Σ of the partial products of n/d."""
    if stop - start == 1:
        above, below = ratio(start)
        return mpz(above), mpz(below), mpz(above)
    middle = (start + stop) // 2
    p, q, t = _split(ratio, start, middle)
    p2, q2, t2 = _split(ratio, middle, stop)
    return p * p2, q * q2, t * q2 + p * t2


@dataclass(frozen=True, slots=True, init=False)
class Binomial:
    """A sample of n independent outputs; its truth is a share p.

    >>> design = Binomial(3)
    >>> int(design.at_most(mpq(1, 10), 0)), int(design.samples(mpq(1, 10)))
    (729, 1000)
    """

    n: int

    def __init__(self, n: RationalLike) -> None:
        object.__setattr__(self, "n", whole_number(n))
        if self.n == 0:
            raise BadNumber(n, "n must be >= 1: a share needs outputs")

    def samples(self, share: mpq) -> mpz:
        """Return gⁿ."""
        return mpz(share.denominator) ** self.n

    def at_most(self, share: mpq, k: int) -> mpz:
        """Return the ways that show at most k positives."""
        hits, grid, n = share.numerator, share.denominator, self.n
        if k < 0 or (hits == grid and k < n):
            return mpz(0)
        if k >= n or hits == 0:
            return self.samples(share)
        if 2 * k >= n:  # the other tail is shorter
            return self.samples(share) - self.at_most(1 - share, n - k - 1)
        misses = grid - hits
        # From k down: the terms fall, and the first is the longest number.
        first = bincoef(n, k) * hits**k * misses ** (n - k)
        return tail_sum(first, lambda i: ((k - i) * misses, (n - k + i + 1) * hits), k)

    def at_least(self, share: mpq, k: int) -> mpz:
        """Return the ways that show k positives or more."""
        return self.at_most(1 - share, self.n - k)

    def probabilities(self, share: mpq) -> list[mpq]:
        """Return the probability of each number of positives, from 0 up."""
        n = self.n
        check_work(f"the probabilities of {n} outputs", n**2 * share.denominator.bit_length() // 40)
        return [bincoef(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]


@dataclass(frozen=True, slots=True, init=False)
class Hypergeometric:
    """A test of Q questions of which m, drawn at random, are graded; its truth is the number M of right answers.

    >>> design = Hypergeometric(10, 4)
    >>> int(design.samples()), int(design.at(5, 2)), int(design.at_most(5, 1))
    (210, 100, 55)
    """

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
    """Return the last kept number from one that is kept towards one that is not, by bisection.

    >>> last_kept(lambda number: number**2 < 50, 0, 50), last_kept(lambda number: number > 3, 9, 0)
    (7, 4)
    """
    while abs(dropped - kept) > 1:
        middle = (kept + dropped) // 2
        if keeps(middle):
            kept = middle
        else:
            dropped = middle
    return kept


def run_around(keeps: Callable[[int], bool], middle: int, last: int) -> range:
    """Return the run of kept numbers from 0 to `last` at the middle or just after it; all others are not kept.

    >>> run_around(lambda number: 3 <= number < 8, 5, 20)
    range(3, 8)
    """
    near = [number for number in (middle, middle + 1) if number <= last and keeps(number)]
    if not near:
        return range(0)
    return range(last_kept(keeps, near[0], -1), last_kept(keeps, near[-1], last + 1) + 1)


def check_level(level: RationalLike) -> mpq:
    """Return a level strictly between 0 and 1.

    >>> check_level("0.95")
    mpq(19,20)
    """
    number = rational(level)
    if not 0 < number < 1:
        raise BadNumber(level, "level must be strictly between 0 and 1", "write 0.95 for 95 %")
    return number


def independent_share(level: mpq, parts: int) -> mpq:
    """Return the smallest level on a fine grid whose power `parts` reaches `level`.

    Independent statements at this level hold together at `level`: it is √(1−α), or just above, for two.

    >>> independent_share(mpq(19, 20), 2)
    mpq(1949358869,2000000000)
    """
    grid = _FINENESS * level.denominator
    needed = -(-level.numerator * grid**parts // level.denominator)
    root, exact = gmpy2.iroot(needed, parts)
    return mpq(root if exact else root + 1, grid)
