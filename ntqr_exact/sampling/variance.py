"""The readings of "the variance" of a performance, each named, since they answer different questions.

Every reading has the form V(N) = a/(N−1) + b/N + c. The part a comes from which outputs were drawn, where the
mean had to be estimated; b from the metric model's errors on the outputs that were drawn, where no mean is
estimated; c from rates that were estimated on another, labelled set, and does not shrink with N.
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
from ntqr_exact.sampling.metric_model import ObservedClass, Performance

JointCounts: TypeAlias = tuple[tuple[int, ...], ...]
"""How often each class of the control (row) was observed with each of the treatment (column)."""


class VarianceReading(Enum):
    """Which variance is meant; `formula` and `meaning` say it in symbols and in words."""

    DETERMINISTIC = "deterministic"
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
    def target(self) -> str:
        """What an interval with this variance covers at its level in the long run."""
        return _ABOUT[self][2]


_ABOUT: dict[VarianceReading, tuple[str, str, str]] = {
    VarianceReading.DETERMINISTIC: (
        "p(1−p)/(N−1)",
        "the observed share, labels taken as given",
        "the share that the metric model would observe of all outputs",
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

    def __add__(self, other: VarianceParts) -> VarianceParts:
        return VarianceParts(
            self.per_degree + other.per_degree, self.per_output + other.per_output, self.fixed + other.fixed
        )

    def __mul__(self, factor: int) -> VarianceParts:
        return VarianceParts(self.per_degree * factor, self.per_output * factor, self.fixed * factor)

    def at(self, size: int) -> mpq:
        """Return V(N); raises `BadNumber` below N = 2."""
        if size < 2:
            raise BadNumber(size, "a sample must have at least 2 outputs")
        return self.per_degree / (size - 1) + self.per_output / size + self.fixed


def variance_parts(model: Performance, reading: VarianceReading | str) -> VarianceParts:
    """Return the parts of the variance of one model's performance under a reading."""
    reading = chosen(reading, VarianceReading)
    match reading:
        case VarianceReading.DETERMINISTIC:
            return VarianceParts(model.observed_rate * (1 - model.observed_rate))
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

    >>> from ntqr_exact.sampling.metric_model import MetricModel, performance
    >>> model = performance((1, 3), metric=MetricModel("3/4", "1/4"))
    >>> [str(variance(model, reading)) for reading in VarianceReading]
    ['1/9', '1/36', '1/16', '1/36']
    """
    return variance_parts(model, reading).at(model.size)


def covariance_parts(
    control: Performance,
    treatment: Performance,
    reading: VarianceReading | str,
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
        case VarianceReading.ESTIMATOR:
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
