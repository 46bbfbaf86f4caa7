"""Tests of two samples: Fisher's and McNemar's by counting alone, Student's and Welch's with a certified p-value.

Fisher and McNemar condition on what does not depend on the difference, and then count equally likely tables: the
p-value is a rational. The statistic of a t-test is the root of a rational, and its p-value an enclosure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import bincoef, mpq, mpz, sign

from ntqr_exact.budget import check_work
from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import exact_column
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.sampling.designs import (
    Binomial,
    Hypergeometric,
    Share,
    counted,
    enclose_beta_probability,
    run_around,
)

NumbersLike: TypeAlias = "Share | Iterable[RationalLike]"
"""A column of numbers; a pair is a count of positives and a total, as in `compare`."""


class Alternative(Choice):
    """What the test holds against "no difference": any, or that the treatment has more, or fewer, positives."""

    TWO_SIDED = "two-sided"
    HIGHER = "higher"
    LOWER = "lower"


def fisher_test(
    control: Share, treatment: Share, *, alternative: Alternative | str = Alternative.TWO_SIDED
) -> mpq:
    """Return Fisher's exact p-value: the chance of a table as extreme, given all row and column totals.

    Two-sided, it sums the tables that are at most as likely as the observed one; ties are exact.

    >>> fisher_test((0, 2), (2, 2)), fisher_test((3, 10), (4, 10), alternative="higher")
    (mpq(1,3), mpq(1,2))

    Raises `BadNumber` for more positives than outputs. Source: Fisher 1935, The Logic of Inductive Inference.
    """
    (left, size), (right, drawn) = counted(control), counted(treatment)
    side = Alternative(alternative)
    # Of all outputs, `left + right` are positive; the treatment is a sample of `drawn` of them.
    design, positives = Hypergeometric(size + drawn, drawn), left + right
    steps = design.most(positives) * design.size.bit_length() // 4 + design.size // 4
    check_work(f"Fisher's test of {design.size} outputs", steps)
    tables = design.samples()
    if side is Alternative.HIGHER:
        tables = design.at_least(positives, right)
    elif side is Alternative.LOWER:
        tables = design.at_most(positives, right)
    else:
        # The number of tables rises to its mode and falls: all but a run around it are at most as likely.
        observed = design.at(positives, right)
        mode = (positives + 1) * (drawn + 1) // (design.size + 2)
        run = run_around(lambda x: design.at(positives, x) > observed, mode, drawn)
        if run:
            tables -= design.at_most(positives, run[-1]) - design.at_most(positives, run[0] - 1)
    return mpq(tables, design.samples())


def mcnemar_test(
    control_only: RationalLike,
    treatment_only: RationalLike,
    *,
    alternative: Alternative | str = Alternative.TWO_SIDED,
    mid_p: bool = False,
) -> mpq:
    """Return McNemar's exact p-value: pairs that differ fall to either side like a fair coin.

    `control_only` counts the questions on which the control alone was positive. Pairs that agree say nothing. With
    `mid_p` the observed table counts half: less cautious, and above the level now and then.

    >>> mcnemar_test(1, 7), mcnemar_test(1, 7, mid_p=True), mcnemar_test(0, 0)
    (mpq(9,128), mpq(5,128), mpq(1,1))

    Source: McNemar 1947; the mid-p form is that of Fagerland, Lydersen and Laake 2013.
    """
    less, more = whole_number(control_only), whole_number(treatment_only)
    flips, side = less + more, Alternative(alternative)
    check_work(f"McNemar's test of {flips} pairs", flips * flips.bit_length() // 10)
    extreme = less if side is Alternative.HIGHER else more
    extreme = min(less, more) if side is Alternative.TWO_SIDED else extreme
    ways = 2 * Binomial(max(1, flips)).at_most(mpq(1, 2), extreme) - (bincoef(flips, extreme) if mid_p else 0)
    return min(mpq(1), mpq(ways, mpz(1) << (flips if side is Alternative.TWO_SIDED else flips + 1)))


@dataclass(frozen=True, slots=True)
class TTest:
    """The difference of two means, t², its degrees of freedom, and the two-sided p-value."""

    difference: mpq
    squared: mpq
    degrees: mpq
    p_value: Enclosure

    @property
    def t(self) -> Surd:
        """The statistic t, a root with the sign of the difference."""
        return int(sign(self.difference)) * Surd.sqrt(self.squared)


def t_test(left: NumbersLike, right: NumbersLike, *, welch: bool = False) -> TTest:
    """Return the two-sample t-test of mean(right) − mean(left).

    Student's (1908), with one variance for both; `welch` (1947) takes two, and the degrees of Satterthwaite.

    >>> t_test((3, 10), (7, 10)).p_value.decimal(6), t_test((3, 10), (7, 10), welch=True).degrees
    ('0.080554', mpq(18,1))

    Arrays and series of floats stand for their binary values. Goyal, Hu and Gupta 2023 name the test, though eq. 14
    is a z-test. Raises `BadNumber` for fewer than two numbers in a sample, and where neither varies.
    """
    (mean, squares, n), (other, others, m) = _moments(left), _moments(right)
    if squares == 0 and others == 0:
        raise BadNumber((squares, others), "the numbers of a t-test must vary")
    one, two = squares / (n - 1) / n, others / (m - 1) / m
    variance = one + two
    if welch:
        degrees = variance**2 / (one**2 / (n - 1) + two**2 / (m - 1))
    else:
        degrees = mpq(n + m - 2)
        variance = (squares + others) / degrees * (mpq(1, n) + mpq(1, m))
    squared = (other - mean) ** 2 / variance
    # P(|T| ≥ t) with v degrees of freedom is I_x(v/2, 1/2) at x = v/(v + t²).
    p_value = enclose_beta_probability(degrees / (degrees + squared), degrees / 2, mpq(1, 2))
    return TTest(other - mean, squared, degrees, p_value)


def _moments(sample: NumbersLike) -> tuple[mpq, mpq, int]:
    """Return the mean, the sum of squares about it, and the size."""
    if isinstance(sample, tuple) and len(sample) == 2:
        positives, size = counted(sample)
        total = squares = mpq(positives)
    else:
        numbers = exact_column(sample)
        size, total = len(numbers), sum(numbers, mpq(0))
        squares = sum((number * number for number in numbers), mpq(0))
    if size < 2:
        raise BadNumber(size, "a sample must have at least 2 numbers")
    return total / size, squares - total**2 / size, size
