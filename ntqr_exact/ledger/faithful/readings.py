"""The variance that eq. 13 prints, the real share's own without bias, and what eq. 13 is on average.

p^R(1−p^R) = δ²p(1−p) + [pπ(1−π) + (1−p)φ(1−φ)]. Eq. 13 divides all of it by N − 1. But only the first part depends on
the estimated p, and needs that divisor: what is left over, [pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1)), is its bias.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from gmpy2 import mpq

from ntqr_exact.exact.rational import RationalLike, probability, whole_number
from ntqr_exact.sampling.comparison import Centre, Comparison
from ntqr_exact.sampling.designs import Binomial
from ntqr_exact.sampling.metric_model import MetricModel, Performance, performance
from ntqr_exact.sampling.normal_interval import Decision, NormalInterval
from ntqr_exact.sampling.variance import VarianceParts, VarianceReading, covariance_parts, variance_parts


class SourceReading(Enum):
    """A reading of the source: eq. 5, eq. 13, eq. 13 without its bias, and the variance of the estimate φ + δp."""

    DETERMINISTIC = "deterministic"
    PRINTED = "printed"
    REAL_SHARE = "real-share"
    ESTIMATOR = "estimator"


class BuiltInterval(NamedTuple):
    """The interval under a reading, and what it decides."""

    interval: NormalInterval
    decision: Decision


def variance(model: Performance, reading: SourceReading) -> mpq:
    """Return the variance of one model under a reading."""
    if reading is SourceReading.DETERMINISTIC:
        return variance_parts(model, VarianceReading.DETERMINISTIC).at(model.size)
    estimator, chance = (variance_parts(model, each) for each in (VarianceReading.ESTIMATOR, VarianceReading.GIVEN_LABELS))
    more = {
        SourceReading.PRINTED: VarianceParts(chance.per_output),
        SourceReading.REAL_SHARE: chance,
        SourceReading.ESTIMATOR: VarianceParts(),
    }
    return (estimator + more[reading]).at(model.size)


def difference_variance(comparison: Comparison, reading: SourceReading) -> mpq:
    """Return Var(T) + Var(C) − 2 Cov(C, T)."""
    kind = VarianceReading.DETERMINISTIC if reading is SourceReading.DETERMINISTIC else VarianceReading.ESTIMATOR
    common = covariance_parts(comparison.control, comparison.treatment, kind, joint=comparison.joint)
    each = variance(comparison.treatment, reading) + variance(comparison.control, reading)
    return each - 2 * common.at(comparison.control.size)


def built(comparison: Comparison, reading: SourceReading, centre: Centre = Centre.OBSERVED) -> BuiltInterval:
    """Return the interval around a difference under a reading, and its decision."""
    interval = NormalInterval(
        comparison.difference(centre), difference_variance(comparison, reading), comparison.critical, comparison.ends
    )
    return BuiltInterval(interval, interval.decision())


def expected_variance(reading: SourceReading, *, rate: RationalLike, size: RationalLike, metric: MetricModel) -> mpq:
    """Return the mean of the variance estimate over N₊ ~ Bin(N, p), summed exactly."""
    p, n = probability(rate), whole_number(size)
    weights = enumerate(Binomial(n).probabilities(p))
    return sum((w * variance(performance((k, n), metric=metric), reading) for k, w in weights), mpq(0))


def real_share_variance(*, rate: RationalLike, size: RationalLike, metric: MetricModel) -> mpq:
    """Return the variance of the real share, p^R(1−p^R)/N; eq. 12."""
    real = metric.false_omission + metric.slope * probability(rate)
    return real * (1 - real) / whole_number(size)


def printed_bias(*, rate: RationalLike, size: RationalLike, metric: MetricModel) -> mpq:
    """Return the bias of eq. 13, [pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1))."""
    p, n = probability(rate), whole_number(size)
    chance = p * metric.precision * (1 - metric.precision)
    chance += (1 - p) * metric.false_omission * (1 - metric.false_omission)
    return chance / (n * (n - 1))
