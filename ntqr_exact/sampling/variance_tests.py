"""Tests that compare means by their variances: Student's and Welch's t, F, Cohen's f² and the power of F.

All statistics are rationals (t is a root of one); probabilities are certified enclosures.

>>> found = t_test([1, 2, 3, 4], [2, 4, 6, 9])
>>> found.difference, found.squared, found.degrees, found.p_value.decimal(9)
(mpq(11,4), mpq(363,127), mpq(6,1), '0.141860360')
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from gmpy2 import mpq, sign

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.enclosure import Enclosure, enclose_exp
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.sampling.beta_probability import enclose_beta_probability, enclose_beta_quantile

NumbersLike: TypeAlias = "tuple[RationalLike, RationalLike] | Iterable[RationalLike]"
"""A column of numbers; a pair is a count of positives and a total, as in `compare`."""


class Variances(Enum):
    """Whether two samples share one variance."""

    POOLED = "pooled"
    """They do: Student 1908."""

    SEPARATE = "separate"
    """They need not: Welch 1947, with the degrees of freedom of Satterthwaite."""


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


@checked
def t_test(left: NumbersLike, right: NumbersLike, *, variances: Variances = Variances.POOLED) -> TTest:
    """Return the two-sample t-test of mean(right) − mean(left).

    >>> t_test((3, 10), (7, 10)).p_value.decimal(6), t_test((3, 10), (7, 10), variances="separate").degrees
    ('0.080554', mpq(18,1))

    Goyal, Hu and Gupta 2023 name it in their limitations, though eq. 14 is a z-test. Raises `BadNumber` for fewer than
    two numbers in a sample, and where neither sample varies.
    """
    (mean, squares, n), (other, others, m) = _moments(left), _moments(right)
    if squares == 0 and others == 0:
        raise BadNumber((squares, others), "a t-test needs numbers that vary")
    if chosen(variances, Variances) is Variances.POOLED:
        degrees = mpq(n + m - 2)
        variance = (squares + others) / degrees * (mpq(1, n) + mpq(1, m))
    else:
        one, two = squares / (n - 1) / n, others / (m - 1) / m
        variance = one + two
        degrees = variance**2 / (one**2 / (n - 1) + two**2 / (m - 1))
    difference = other - mean
    squared = difference**2 / variance
    return TTest(difference, squared, degrees, f_tail(squared, 1, degrees))


def f_tail(
    value: RationalLike, above: RationalLike, below: RationalLike, *, precision: int = 64
) -> Enclosure:
    """Enclose the probability that F with these degrees of freedom is at least `value`; t² is F with 1 above.

    >>> f_tail("49/25", 3, 20).decimal(9)
    '0.152519762'
    """
    number, u, v = rational(value), rational(above), rational(below)
    if number < 0 or u <= 0 or v <= 0:
        raise BadNumber((value, above, below), "F is not negative, and its degrees of freedom are positive")
    return enclose_beta_probability(v / (v + u * number), v / 2, u / 2, precision)


@checked
def cohen_f_squared(explained: RationalLike, unexplained: RationalLike) -> mpq:
    """Return Cohen's effect size f² = R²/(1 − R²): the sum of squares of an effect over that of the rest.

    >>> cohen_f_squared("0.02", "0.98")
    mpq(1,49)

    Source: Cohen 1988, chapter 9; Maaz et al. 2023, section 3.2.
    """
    effect, rest = rational(explained), rational(unexplained)
    if effect < 0 or rest <= 0:
        raise BadNumber((explained, unexplained), "sums of squares are not negative, and the rest varies")
    return effect / rest


@checked
def f_test_power(
    f_squared: RationalLike,
    above: RationalLike,
    below: RationalLike,
    *,
    level: RationalLike = "0.05",
    precision: int = 64,
) -> Enclosure:
    """Enclose the power of the F-test at a significance level, for an effect f² and its degrees of freedom u and v.

    The noncentral F has λ = f²(u + v + 1). Its tail is Σ e^(−λ/2)(λ/2)ʲ/j! · P(Beta(u/2 + j, v/2) > x), with x where
    the central one leaves `level`. What the sum leaves out is at most the rest of the Poisson weights.

    >>> f_test_power("0.1", 3, 40).decimal(6)
    '0.358081'
    """
    effect, u, v = rational(f_squared), whole_number(above), whole_number(below)
    if effect < 0 or u < 1 or v < 1:
        raise BadNumber(
            (f_squared, above, below), "an effect is not negative, and degrees of freedom are positive"
        )
    precision = whole_number(precision)
    if precision < 32:
        raise BadNumber(precision, "a power is enclosed with 32 bits or more")
    half = effect * (u + v + 1) / 2
    # About λ/2 terms matter; each is a probability of a beta distribution.
    steps = (int(half) + 40) * (2000 + 70 * math.isqrt(u + v)) * (1 + precision // 64)
    check_work("a power at so many degrees of freedom", steps)
    edge = enclose_beta_quantile(level, mpq(u, 2), mpq(v, 2), precision)
    weight = enclose_exp(-half, precision + 32)
    total, spent, j = Enclosure(0, 0), Enclosure(0, 0), 0
    while spent.lower < 1 - mpq(1, 1 << (precision - 16)):
        a = mpq(u, 2) + j
        low = 1 - enclose_beta_probability(edge.upper, a, mpq(v, 2), precision)
        high = 1 - enclose_beta_probability(edge.lower, a, mpq(v, 2), precision)
        total = total + weight * Enclosure(low.lower, high.upper)
        spent = spent + weight
        j += 1
        weight = weight * half / j
    return Enclosure(total.lower, min(mpq(1), total.upper + max(mpq(0), 1 - spent.lower)))


def _moments(sample: NumbersLike) -> tuple[mpq, mpq, int]:
    """Return the mean, the sum of squares about it, and the size."""
    values: Any = sample.tolist() if hasattr(sample, "tolist") else list(sample)
    if isinstance(sample, tuple) and len(sample) == 2:
        positives, size = map(whole_number, sample)
        if positives > size or size < 2:
            raise BadNumber(sample, "a pair is a count of positives and a total of 2 at least")
        return mpq(positives, size), mpq(positives * (size - positives), size), size
    if len(values) < 2:
        raise BadNumber(len(values), "a variance needs at least 2 numbers")
    numbers = [rational(value) for value in values]
    mean = sum(numbers, mpq(0)) / len(numbers)
    return mean, sum((number * number for number in numbers), mpq(0)) - mean**2 * len(numbers), len(numbers)
