"""The readings of "the variance" of a performance, each named, since they answer different questions.

Every reading has the form V(N) = a/(N−1) + b/N + c. The part a comes from which outputs were drawn, where the
mean had to be estimated; b from the metric model's errors on the outputs that were drawn, where no mean is
estimated; c from rates that were estimated on another, labelled set, and does not shrink with N.

What a variance estimate is on average, exactly: is it the variance that it claims to estimate?

With N₊ ~ Bin(N, p) the mean of an estimate is a finite sum of rationals. Goyal, Hu and Gupta 2023 call eq. 13
unbiased for eq. 12, Var(N^R₊/N) = p^R(1−p^R)/N. It is not: the divisor N − 1 makes up for the estimated mean of a
sample of real labels, but only the δ²p(1−p) of the spread p^R(1−p^R) depends on the estimated p. What is left over is
the bias, [pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1)): never negative, and 0 only where every label seen can be trusted or
mistrusted with certainty. The sum of the readings ESTIMATOR and GIVEN_LABELS is unbiased: REAL_SHARE.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from typing import TypeAlias, assert_never

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, probability, whole_number
from ntqr_exact.sampling.metric_model import MetricModel, ObservedClass, Performance, performance
from ntqr_exact.sampling.share_intervals import binomial_probabilities

JointCounts: TypeAlias = tuple[tuple[int, ...], ...]
"""How often each class of the control (row) was observed with each of the treatment (column)."""


class VarianceReading(Enum):
    """Which variance is meant; `formula` and `meaning` say it in symbols and in words."""

    DETERMINISTIC = "deterministic"
    PRINTED = "printed"
    REAL_SHARE = "real-share"
    ESTIMATOR = "estimator"
    GIVEN_LABELS = "given-labels"
    ESTIMATED_RATES = "estimated-rates"

    @property
    def formula(self) -> str:
        """The formula for two classes."""
        return _ABOUT[self][0]

    @property
    def meaning(self) -> str:
        """The question that this variance answers."""
        return _ABOUT[self][1]

    @property
    def target(self) -> str | None:
        """What an interval with this variance covers at its level in the long run; none where there is no such thing.

        The real share of N outputs varies by REAL_SHARE (PRINTED, with its bias), but it is not estimated by itself:
        an interval around φ + δp errs by less than that as an estimate of p^R, and by more as a forecast of the real
        share of N other outputs.
        """
        return _ABOUT[self][2]


_ABOUT: dict[VarianceReading, tuple[str, str, str | None]] = {
    VarianceReading.DETERMINISTIC: (
        "p(1−p)/(N−1)",
        "the observed share, labels taken at their word",
        "the share that the metric model would observe of all outputs",
    ),
    VarianceReading.PRINTED: (
        "p^R(1−p^R)/(N−1)",
        "the real share of N outputs, as printed in eq. 13 (biased upwards)",
        None,
    ),
    VarianceReading.REAL_SHARE: (
        "δ²p(1−p)/(N−1) + [N₊π(1−π) + N₋φ(1−φ)]/N²",
        "the real share of N outputs, without bias",
        None,
    ),
    VarianceReading.ESTIMATOR: (
        "δ²p(1−p)/(N−1)",
        "the estimate φ + δp that can be computed, with π and φ known",
        "the real share of all outputs, with π and φ known",
    ),
    VarianceReading.GIVEN_LABELS: (
        "[N₊π(1−π) + N₋φ(1−φ)]/N²",
        "the real share of just these outputs, given their observed labels",
        "the real share of just these outputs",
    ),
    VarianceReading.ESTIMATED_RATES: (
        "δ²p(1−p)/(N−1) + p²Var(π̂) + (1−p)²Var(φ̂)",
        "the estimate φ̂ + δ̂p, with π and φ estimated on a labelled set",
        "the real share of all outputs, with π and φ estimated",
    ),
}


_NOTHING = mpq(0)


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """The numbers a, b, c of V(N) = a/(N−1) + b/N + c; none is negative in a variance.

    >>> VarianceParts(mpq(2), mpq(3), mpq(1)).at(3)
    mpq(3,1)
    """

    per_degree: mpq = _NOTHING
    per_output: mpq = _NOTHING
    fixed: mpq = _NOTHING

    def at(self, size: int) -> mpq:
        """Return V(N); raises `BadNumber` below N = 2."""
        if size < 2:
            raise BadNumber(size, "a variance needs at least 2 outputs")
        return self.per_degree / (size - 1) + self.per_output / size + self.fixed


def variance_parts(model: Performance, reading: VarianceReading) -> VarianceParts:
    """Return the parts of the variance of one model's performance under a reading."""
    reading = chosen(reading, VarianceReading)
    match reading:
        case VarianceReading.DETERMINISTIC:
            return VarianceParts(model.observed_rate * (1 - model.observed_rate))
        case VarianceReading.PRINTED:
            return VarianceParts(model.real_rate * (1 - model.real_rate))
        case VarianceReading.REAL_SHARE:
            return VarianceParts(_spread_of_rates(model), _spread_of_labels(model))
        case VarianceReading.ESTIMATOR:
            return VarianceParts(_spread_of_rates(model))
        case VarianceReading.GIVEN_LABELS:
            return VarianceParts(per_output=_spread_of_labels(model))
        case VarianceReading.ESTIMATED_RATES:
            return VarianceParts(_spread_of_rates(model), fixed=_common_error(model, model))
        case _:
            assert_never(reading)


def variance(model: Performance, reading: VarianceReading) -> mpq:
    """Return the variance of a model's performance under a reading.

    >>> from ntqr_exact.sampling.metric_model import MetricModel
    >>> from ntqr_exact.sampling.metric_model import performance
    >>> model = performance((1, 3), metric=MetricModel("3/4", "1/4"))
    >>> [str(variance(model, reading)) for reading in VarianceReading]
    ['1/9', '35/288', '13/144', '1/36', '1/16', '1/36']
    """
    return variance_parts(model, reading).at(model.size)


def covariance_parts(
    control: Performance,
    treatment: Performance,
    reading: VarianceReading,
    *,
    joint: JointCounts | None,
    same_labelled_set: bool = False,
) -> VarianceParts:
    """Return the parts of the covariance of two performances; they may be negative.

    `joint` counts the pairs of classes observed of control and treatment on the same questions; `None` means
    independent samples. For real labels Cov(R_C, R_T) = Σ r_x r_y P(x, y) − p^R_C p^R_T, which is
    δ_C δ_T Cov(O_C, O_T) for two classes. It rests on two assumptions: given both observed labels, the real labels
    are independent of each other; and each real label depends on its own observed label only.
    Goyal, Hu and Gupta 2023, eq. 18 to 20, which states the first.

    Rates that both models took from one labelled set (`same_labelled_set`) err in common, even if the samples are
    independent: Σ_o P(O_C=o) P(O_T=o) Var(r̂_o). Equal rates alone do not tell: two sets may have equal counts.
    """
    reading = chosen(reading, VarianceReading)
    match reading:
        case VarianceReading.DETERMINISTIC:
            return VarianceParts(_joint_spread(control, treatment, joint, lambda one: mpq(one.counts_as)))
        case VarianceReading.GIVEN_LABELS:
            return VarianceParts()
        case VarianceReading.PRINTED | VarianceReading.REAL_SHARE | VarianceReading.ESTIMATOR:
            return VarianceParts(_joint_spread(control, treatment, joint, attrgetter("rate")))
        case VarianceReading.ESTIMATED_RATES:
            common = _common_error(control, treatment) if same_labelled_set else mpq(0)
            return VarianceParts(_joint_spread(control, treatment, joint, attrgetter("rate")), fixed=common)
        case _:
            assert_never(reading)


def _spread_of_rates(model: Performance) -> mpq:
    """Return Σ_o P(o)(r_o − p^R)², which is δ²p(1−p) for two classes."""
    real = model.real_rate
    return model.mean([(observed.rate - real) ** 2 for observed in model.metric.classes])


def _spread_of_labels(model: Performance) -> mpq:
    """Return Σ_o P(o) r_o(1 − r_o), what is left to chance once the observed labels are known."""
    return model.mean([observed.rate * (1 - observed.rate) for observed in model.metric.classes])


def _joint_spread(
    control: Performance,
    treatment: Performance,
    joint: JointCounts | None,
    value: Callable[[ObservedClass], mpq],
) -> mpq:
    """Return Σ v_x v_y P(x, y) − (Σ v_x P(x))(Σ v_y P(y)), 0 for independent samples."""
    if joint is None:
        return mpq(0)
    left = [value(observed) for observed in control.metric.classes]
    right = [value(observed) for observed in treatment.metric.classes]
    size = control.size
    product = sum(
        (mpq(count, size) * left[x] * right[y] for x, row in enumerate(joint) for y, count in enumerate(row)),
        mpq(0),
    )
    return product - control.mean(left) * treatment.mean(right)


def _common_error(control: Performance, treatment: Performance) -> mpq:
    terms = zip(control.shares, treatment.shares, control.metric.classes, strict=True)
    return sum((left * right * observed.rate_variance for left, right, observed in terms), mpq(0))


def expected_variance(
    reading: VarianceReading, *, rate: RationalLike, size: RationalLike, metric: MetricModel
) -> mpq:
    """Return the mean of the variance estimate over N₊ ~ Bin(N, p), summed exactly.

    >>> metric = MetricModel("3/4", "1/4")
    >>> expected_variance(VarianceReading.DETERMINISTIC, rate="1/3", size=4, metric=metric)
    mpq(1,18)
    """
    p, n = probability(rate), whole_number(size)
    weights = enumerate(binomial_probabilities(n, p))
    return sum((w * variance(performance((k, n), metric=metric), reading) for k, w in weights), mpq(0))


def real_share_variance(*, rate: RationalLike, size: RationalLike, metric: MetricModel) -> mpq:
    """Return the variance of the real share, p^R(1−p^R)/N; Goyal, Hu and Gupta 2023, eq. 12.

    >>> real_share_variance(rate="1/3", size=4, metric=MetricModel("3/4", "1/4"))
    mpq(35,576)
    """
    p, n = probability(rate), whole_number(size)
    real = metric.false_omission + metric.slope * p
    return real * (1 - real) / n


def printed_bias(*, rate: RationalLike, size: RationalLike, metric: MetricModel) -> mpq:
    """Return the bias of eq. 13, [pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1)).

    >>> printed_bias(rate="1/3", size=4, metric=MetricModel("3/4", "1/4"))
    mpq(1,64)
    """
    p, n = probability(rate), whole_number(size)
    if n < 2:
        raise BadNumber(size, "a variance needs at least 2 outputs")
    left_to_chance = p * metric.precision * (1 - metric.precision)
    left_to_chance += (1 - p) * metric.false_omission * (1 - metric.false_omission)
    return left_to_chance / (n * (n - 1))
