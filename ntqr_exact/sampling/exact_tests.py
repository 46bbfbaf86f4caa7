"""Tests of two shares by counting alone: Fisher's for independent samples, McNemar's for paired ones.

Both condition on what says nothing about the difference, and then count: a probability is a whole number of equally
likely tables over all of them. So it is a rational, right for every sample size.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.sampling.designs import Design

Share: TypeAlias = "tuple[RationalLike, RationalLike]"
"""Positives and total of one sample."""


class Alternative(Enum):
    """What the test holds against "no difference"."""

    TWO_SIDED = "two-sided"
    HIGHER = "higher"
    """The treatment has more positives."""

    LOWER = "lower"


class McNemarTail(Enum):
    """What the probability of just the observed table counts for."""

    EXACT = "exact"
    MID = "mid-p"
    """Half of it: less cautious, and not always at most the level."""


@checked
def fisher_test(control: Share, treatment: Share, *, alternative: Alternative = Alternative.TWO_SIDED) -> mpq:
    """Return Fisher's exact p-value: the chance of a table as extreme, given all row and column totals.

    Two-sided, it sums the tables that are at most as likely as the observed one; ties are exact.

    >>> fisher_test((0, 2), (2, 2)), fisher_test((3, 10), (4, 10), alternative="higher")
    (mpq(1,3), mpq(1,2))

    Raises `BadNumber` for more positives than outputs. Source: Fisher 1935, The Logic of Inductive Inference.
    """
    (left, size), (right, drawn) = _counted(control), _counted(treatment)
    # Of all outputs, `left + right` are positive; the treatment is a sample of `drawn` of them.
    design, positives = Design(size + drawn, drawn), left + right
    check_work("Fisher's test of so many outputs", design.most(positives) * design.size // 5000)
    match chosen(alternative, Alternative):
        case Alternative.HIGHER:
            found = design.at_least(positives, right)
        case Alternative.LOWER:
            found = design.at_most(positives, right)
        case Alternative.TWO_SIDED:
            observed = design.at(positives, right)
            most = design.most(positives)
            likely = (tables for tables in design.downwards(positives, most) if tables <= observed)
            found = sum(likely, mpz(0))
    return mpq(found, design.samples)


@checked
def mcnemar_test(
    control_only: RationalLike,
    treatment_only: RationalLike,
    *,
    alternative: Alternative = Alternative.TWO_SIDED,
    tail: McNemarTail = McNemarTail.EXACT,
) -> mpq:
    """Return McNemar's exact p-value: pairs that differ fall to either side like a fair coin.

    `control_only` counts the questions on which the control alone was positive. Pairs that agree say nothing.

    >>> mcnemar_test(1, 7), mcnemar_test(1, 7, tail="mid"), mcnemar_test(0, 0)
    (mpq(9,128), mpq(5,128), mpq(1,1))

    Source: McNemar 1947; the mid-p form is that of Fagerland, Lydersen and Laake 2013.
    """
    less, more = whole_number(control_only), whole_number(treatment_only)
    flips = less + more
    check_work("McNemar's test of so many pairs", flips**2 // 5000)
    match chosen(alternative, Alternative):
        case Alternative.TWO_SIDED:
            extreme, sides = min(less, more), 2
        case Alternative.HIGHER:
            extreme, sides = less, 1
        case Alternative.LOWER:
            extreme, sides = more, 1
    ways = sum((bincoef(flips, k) for k in range(extreme + 1)), mpz(0))
    if chosen(tail, McNemarTail) is McNemarTail.MID:
        return min(mpq(1), mpq(sides * (2 * ways - bincoef(flips, extreme)), mpz(2) ** (flips + 1)))
    return min(mpq(1), mpq(sides * ways, mpz(2) ** flips))


def _counted(sample: Share) -> tuple[int, int]:
    positives, size = map(whole_number, sample)
    if positives > size:
        raise BadNumber(sample, "there are at most as many positives as outputs")
    return positives, size
