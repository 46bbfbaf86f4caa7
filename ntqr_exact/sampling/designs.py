"""Counts of samples: of the C(Q, m) ways to grade m of Q questions, how many show a judge right r times.

M of the Q answers are right. Then N(r) = C(M, r)·C(Q−M, m−r) samples show r right ones, and
g(r, M) = N(0) + … + N(r) show at most r. Two steps carry every algorithm here, in whole numbers:

* g(r+1, M) = g(r, M) + N(r+1);
* g(r, M+1) = g(r, M) − C(M, r)·C(Q−M−1, m−r−1): when one more answer is right, the samples that drop out are
  those that hold this answer and exactly r of the M others.

The second one shows that g falls in M: a greater truth makes few right answers rarer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gmpy2 import bincoef, divexact, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, whole_number


@dataclass(frozen=True, slots=True)
class Design:
    """A test of Q questions of which m, drawn at random, are graded.

    >>> design = Design(10, 4)
    >>> int(design.samples), int(design.at(5, 2)), int(design.at_most(5, 1))
    (210, 100, 55)
    """

    size: int
    graded: int

    def __init__(self, size: RationalLike, graded: RationalLike) -> None:
        """Take whole numbers; nobody grades more questions than there are."""
        object.__setattr__(self, "size", whole_number(size))
        object.__setattr__(self, "graded", whole_number(graded))
        check_work("a sample of so many questions", 20 * self.size)
        if self.graded > self.size:
            raise BadNumber(graded, f"at most {self.size} questions can be graded")

    @property
    def samples(self) -> mpz:
        """The number of samples, C(Q, m)."""
        return bincoef(self.size, self.graded)

    def limit(self, share: mpq) -> mpz:
        """Return the greatest whole number that is not above a share of all samples."""
        return self.samples * share.numerator // share.denominator

    def fewest(self, truth: int) -> int:
        """Return the least number of right answers that a sample can show if M are right."""
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
        """Return g(r, M) − g(r, M+1), the samples that have more than r right answers from M+1 on."""
        if right < 0 or right >= self.graded or right > truth:
            return mpz(0)
        return bincoef(truth, right) * bincoef(self.size - truth - 1, self.graded - right - 1)

    def at_most(self, truth: int, right: int) -> mpz:
        """Return g(r, M), summed over the shorter side."""
        low, high = self.fewest(truth), self.most(truth)
        if right < low:
            return mpz(0)
        if right >= high:
            return self.samples
        if 2 * right > low + high:
            # Right and wrong exchanged, the samples above r are those at most m − r − 1.
            truth, right = self.size - truth, self.graded - right - 1
            return self.samples - sum(self.downwards(truth, right), mpz(0))
        return sum(self.downwards(truth, right), mpz(0))

    def at_least(self, truth: int, right: int) -> mpz:
        """Return the samples with r right answers or more."""
        return self.samples - self.at_most(truth, right - 1)

    def downwards(self, truth: int, right: int) -> Iterator[mpz]:
        """Yield N(r), N(r−1), … to the last that is not 0, by N(x−1)/N(x) = x(Q−M−m+x)/((M−x+1)(m−x+1))."""
        term = self.at(truth, right)
        yield term
        beyond = self.size - truth - self.graded
        for x in range(right, self.fewest(truth), -1):
            term = divexact(term * (x * (beyond + x)), (truth - x + 1) * (self.graded - x + 1))
            yield term
