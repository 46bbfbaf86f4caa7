"""What a variance estimate is on average, exactly: is it the variance that it claims to estimate?

With N₊ ~ Bin(N, p) the mean of an estimate is a finite sum of rationals. Goyal, Hu and Gupta 2023 call eq. 13
unbiased for eq. 12, Var(N^R₊/N) = p^R(1−p^R)/N. It is not: the divisor N − 1 makes up for the estimated mean of a
sample of real labels, but only the δ²p(1−p) of the spread p^R(1−p^R) depends on the estimated p. What is left over is
the bias, [pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1)): never negative, and 0 only where every label seen can be trusted or
mistrusted with certainty. The sum of the readings ESTIMATOR and GIVEN_LABELS is unbiased: REAL_SHARE.
"""

from __future__ import annotations

from math import comb

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.performance import performance
from ntqr_exact.significance.variance import VarianceReading, variance


def expected_variance(
    reading: VarianceReading, *, rate: RationalLike, size: RationalLike, metric: MetricModel
) -> mpq:
    """Return the mean of the variance estimate over N₊ ~ Bin(N, p), summed exactly.

    >>> metric = MetricModel("3/4", "1/4")
    >>> expected_variance(VarianceReading.DETERMINISTIC, rate="1/3", size=4, metric=metric)
    mpq(1,18)
    """
    p, n = _rate(rate), whole_number(size)
    return sum(
        (
            comb(n, k) * p**k * (1 - p) ** (n - k) * variance(performance((k, n), metric=metric), reading)
            for k in range(n + 1)
        ),
        mpq(0),
    )


def real_share_variance(*, rate: RationalLike, size: RationalLike, metric: MetricModel) -> mpq:
    """Return the variance of the real share, p^R(1−p^R)/N; Goyal, Hu and Gupta 2023, eq. 12.

    >>> real_share_variance(rate="1/3", size=4, metric=MetricModel("3/4", "1/4"))
    mpq(35,576)
    """
    p, n = _rate(rate), whole_number(size)
    real = metric.false_omission + metric.slope * p
    return real * (1 - real) / n


def printed_bias(*, rate: RationalLike, size: RationalLike, metric: MetricModel) -> mpq:
    """Return the bias of eq. 13, [pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1)).

    >>> printed_bias(rate="1/3", size=4, metric=MetricModel("3/4", "1/4"))
    mpq(1,64)
    """
    p, n = _rate(rate), whole_number(size)
    if n < 2:
        raise BadNumber(size, "a variance needs at least 2 outputs")
    left_to_chance = p * metric.precision * (1 - metric.precision)
    left_to_chance += (1 - p) * metric.false_omission * (1 - metric.false_omission)
    return left_to_chance / (n * (n - 1))


def _rate(value: RationalLike) -> mpq:
    number = rational(value)
    if not 0 <= number <= 1:
        raise BadNumber(value, "a probability lies between 0 and 1")
    return number
