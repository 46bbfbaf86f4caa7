"""Two models compared through a metric model, under each reading of the variance, and why the readings differ.

A normal interval f ± z√V excludes 0 iff f² > z²V with closed ends, iff f² ≥ z²V with open ones: without a root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import refuse_other_index
from ntqr_exact.errors import BadNumber, NotASurd
from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.sampling.exact_tests import fisher_test, mcnemar_test
from ntqr_exact.sampling.intervals import Critical, decimals_of_ends
from ntqr_exact.sampling.metric_model import (
    JointCounts,
    MetricModel,
    Performance,
    SampleLike,
    VarianceParts,
    VarianceReading,
    covariance_parts,
    outcomes,
    performance,
    variance_parts,
)

_FEWEST = 5
"""Fewer outputs of a class than this make a normal interval a poor guess; `coverage` computes how poor."""


class Ends(Choice):
    """Whether the ends belong to the interval, which matters where one of them is exactly 0."""

    OPEN = "open"
    CLOSED = "closed"


class Decision(Enum):
    """What an interval for the difference treatment − control says."""

    LOWER = "the treatment is lower"
    HIGHER = "the treatment is higher"
    NOT_SHOWN = "no difference is shown"


@dataclass(frozen=True, slots=True)
class NormalInterval:
    """The interval from f − z√V to f + z√V around a difference f with variance V.

    >>> interval = NormalInterval(mpq(-1, 2), mpq(1, 50), Critical(2))
    >>> interval.lower, interval.upper.decimal(4), interval.decision().value
    (Surd('-1/2', '-1/5', 2), '-0.2172', 'the treatment is lower')

    Goyal, Hu and Gupta 2023, eq. 8 and 14, print it with open ends; the default here is closed.
    """

    centre: mpq
    variance: mpq
    critical: Critical
    ends: Ends = Ends.CLOSED

    def __post_init__(self) -> None:
        if self.variance < 0:
            raise BadNumber(self.variance, "variance must be >= 0")

    @property
    def lower(self) -> Surd:
        """The lower end f − z√V as an exact surd, where z is rational."""
        return self.centre - self._reach()

    @property
    def upper(self) -> Surd:
        """The upper end f + z√V as an exact surd, where z is rational."""
        return self.centre + self._reach()

    def decision(self) -> Decision:
        """Return which side of 0 the interval lies on; a difference of exactly 0 is never shown to differ from 0."""
        if self.centre == 0:
            return Decision.NOT_SHOWN
        side = self.critical.compare_square(self.centre**2, self.variance)
        if side < 0 or (side == 0 and self.ends is Ends.CLOSED):
            return Decision.NOT_SHOWN
        return Decision.HIGHER if self.centre > 0 else Decision.LOWER

    def enclose(self, precision: int = 64) -> tuple[Enclosure, Enclosure]:
        """Enclose both ends, for any kind of critical value."""
        reach = self.critical.enclose(precision) * enclose_sqrt(self.variance, precision)
        return self.centre - reach, self.centre + reach

    def decimals(self, places: int = 6) -> tuple[str, str]:
        """Return both ends as correctly rounded decimals."""
        if self.critical.z is not None:
            return self.lower.decimal(places), self.upper.decimal(places)
        return decimals_of_ends(self.enclose, places)

    def __str__(self) -> str:
        left, right = "()" if self.ends is Ends.OPEN else "[]"
        return f"{left}{', '.join(self.decimals())}{right}"

    def _reach(self) -> Surd:
        if self.critical.z is None:
            rule = "critical value must be rational for ends that are surds"
            raise NotASurd(self.critical, rule, "use enclose or decimals")
        return self.critical.z * Surd.sqrt(self.variance)


class Centre(Choice):
    """The difference around which an interval is built."""

    OBSERVED = "observed"
    REAL = "real"


READINGS = {
    VarianceReading.ESTIMATED_RATES: Centre.REAL,
    VarianceReading.ESTIMATOR: Centre.REAL,
    VarianceReading.GIVEN_LABELS: Centre.REAL,
    VarianceReading.DETERMINISTIC: Centre.OBSERVED,
}
"""What a comparison shows, the default first: each variance around the difference that it is a variance of."""


@dataclass(frozen=True, slots=True)
class Result:
    """The interval and the decision under one reading of the variance, around its difference."""

    reading: VarianceReading
    centre: Centre
    interval: NormalInterval
    decision: Decision


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two performances; `joint` counts pairs of observed classes, and is `None` for independent samples."""

    control: Performance
    treatment: Performance
    joint: JointCounts | None
    critical: Critical
    ends: Ends
    same_labelled_set: bool

    def difference(self, centre: Centre = Centre.OBSERVED) -> mpq:
        """Return treatment − control, of observed shares or of estimated real shares."""
        if Centre(centre) is Centre.OBSERVED:
            return self.treatment.observed_rate - self.control.observed_rate
        return self.treatment.real_rate - self.control.real_rate

    def variance(self, reading: VarianceReading | str) -> mpq:
        """Return Var(T − C) = Var(T) + Var(C) − 2 Cov(C, T) under a reading."""
        each = (variance_parts(one, reading).at(one.size) for one in (self.treatment, self.control))
        return sum(each, mpq(0)) - 2 * self.covariance_parts(reading).at(self.control.size)

    def parts(self, reading: VarianceReading | str) -> VarianceParts:
        """Return the parts of Var(T − C) as a function of one N for both models, at the observed shares."""
        both = variance_parts(self.treatment, reading).plus(variance_parts(self.control, reading))
        return both.plus(self.covariance_parts(reading), -2)

    def covariance_parts(self, reading: VarianceReading | str) -> VarianceParts:
        """Return the parts of Cov(C, T) under a reading."""
        return covariance_parts(
            self.control, self.treatment, reading, joint=self.joint, same_labelled_set=self.same_labelled_set
        )

    def result(self, reading: VarianceReading | str = VarianceReading.ESTIMATED_RATES) -> Result:
        """Return the interval and the decision under a reading, around the difference that it is a variance of."""
        kind = VarianceReading(reading)
        centre = READINGS[kind]
        interval = NormalInterval(self.difference(centre), self.variance(kind), self.critical, self.ends)
        return Result(kind, centre, interval, interval.decision())

    @property
    def results(self) -> tuple[Result, ...]:
        """All readings, in the order of `READINGS`."""
        return tuple(map(self.result, READINGS))

    @property
    def decisions(self) -> dict[Decision, tuple[VarianceReading, ...]]:
        """The readings by what they decide, in the order in which the decisions first come up."""
        made = {one.reading: one.decision for one in self.results}
        return {
            kind: tuple(one for one in made if made[one] is kind) for kind in dict.fromkeys(made.values())
        }

    @property
    def cautions(self) -> tuple[str, ...]:
        """Where a normal interval should not be trusted: a model with fewer than 5 outputs of some class."""
        return tuple(
            f"Of the {who} only {count} observed as {name}: too few outputs for a normal interval."
            for who, model in (("control", self.control), ("treatment", self.treatment))
            for count, name in zip(model.counts, model.metric.names, strict=True)
            if count < _FEWEST
        )

    def exact_p_value(self) -> mpq:
        """Return the p-value of "no difference in observed positives": McNemar's for pairs, else Fisher's."""
        if self.joint is None:
            return fisher_test(*((model.positives, model.size) for model in (self.control, self.treatment)))
        seen: Counter[int] = Counter()
        for left, row in zip(self.control.metric.classes, self.joint, strict=True):
            for right, count in zip(self.treatment.metric.classes, row, strict=True):
                seen[right.counts_as - left.counts_as] += count
        return mcnemar_test(seen[-1], seen[1])


MetricPair: TypeAlias = "MetricModel | tuple[MetricModel, MetricModel]"
"""One metric model for both, or one for the control and another for the treatment."""


def compare(
    *,
    control: SampleLike,
    treatment: SampleLike,
    metric: MetricPair,
    both: RationalLike | None = None,
    critical: Critical | RationalLike | None = None,
    level: RationalLike | None = None,
    ends: Ends | str = Ends.CLOSED,
    same_labelled_set: bool | None = None,
) -> Comparison:
    """Return the comparison of two models from what a metric model observed on each.

    >>> metric = MetricModel(precision="0.8897", false_omission="0.22769")
    >>> found = compare(control=(108, 23679), treatment=(56, 23679), metric=metric).result()
    >>> print(found.interval, found.decision.value)
    [-0.002154, -0.000753] the treatment is lower

    `critical` is a value z, 1.96 unless given; `level` asks for the true normal quantile of a level instead.
    `both` makes the samples paired: the number of questions on which both models were observed as positive.
    Two metric models have two labelled sets unless `same_labelled_set=True`. Raises `BadNumber` for impossible numbers.
    """
    metrics, one_set = _metrics(metric, same_labelled_set)
    left, right = performance(control, metric=metrics[0]), performance(treatment, metric=metrics[1])
    joint = None if both is None else _overlap(left, right, whole_number(both))
    return Comparison(left, right, joint, _critical(critical, level), Ends(ends), one_set)


def compare_paired(
    joint: Mapping[tuple[str, str], RationalLike] | Iterable[Any],
    treatment: Iterable[Any] | None = None,
    *,
    metric: MetricPair,
    critical: Critical | RationalLike | None = None,
    level: RationalLike | None = None,
    ends: Ends | str = Ends.CLOSED,
    same_labelled_set: bool | None = None,
) -> Comparison:
    """Return the comparison of two models on the same questions, from counts of pairs of observed classes.

    >>> counts = {("positive", "positive"): 10, ("positive", "negative"): 9, ("negative", "negative"): 81}
    >>> compare_paired(counts, metric=MetricModel("9/10", "1/5")).difference()
    mpq(-9,100)

    A pair is (control, treatment). Or give two columns of outcomes, of both models on the same questions in order.
    """
    metrics, one_set = _metrics(metric, same_labelled_set)
    names = [one.names for one in metrics]
    if (treatment is None) != isinstance(joint, Mapping):
        raise BadNumber(treatment, "treatment must be a column of outcomes, or None with counts of pairs")
    if treatment is not None:
        refuse_other_index(joint, treatment)
        left, right = (outcomes(column, one) for column, one in zip((joint, treatment), metrics, strict=True))
        if len(left) != len(right):
            rule = "paired samples must have one output of each model per question"
            raise BadNumber((len(left), len(right)), rule)
        joint = Counter(zip(left, right, strict=True))
    known = dict.fromkeys(product(*names), 0)
    for pair, count in dict(joint).items():
        if pair not in known:
            raise BadNumber(pair, "a pair must be a class observed of the control and one of the treatment")
        known[pair] = whole_number(count)
    rows = tuple(tuple(known[x, y] for y in names[1]) for x in names[0])
    control = dict(zip(names[0], map(sum, rows), strict=True))
    other = dict(zip(names[1], map(sum, zip(*rows, strict=True)), strict=True))
    rules: dict[str, Any] = {"critical": critical, "level": level, "ends": ends}
    unpaired = compare(control=control, treatment=other, metric=metrics, same_labelled_set=one_set, **rules)
    return replace(unpaired, joint=rows)


def _critical(critical: Any, level: RationalLike | None) -> Critical:
    """Return a critical value; a plain number below 1 is rather a level."""
    if isinstance(critical, Critical) and level is None:
        return critical
    result = Critical(critical, level=level)
    if result.z is not None and result.z < 1:
        raise BadNumber(critical, "critical must be a z >= 1", f"for a level write level={critical!r}")
    return result


def _metrics(metric: MetricPair, said: bool | None) -> tuple[tuple[MetricModel, MetricModel], bool]:
    """Return the metric models of control and treatment, and whether they have one labelled set."""
    if isinstance(metric, MetricModel):
        if said is False:
            rule = "same_labelled_set must be True with one metric model"
            raise BadNumber(said, rule, "give one for each of the two")
        return (metric, metric), True
    if said and metric[0] != metric[1]:
        rule = "metric models must have equal rates with same_labelled_set"
        raise BadNumber(metric, rule, "leave same_labelled_set out")
    return metric, bool(said)


def _overlap(control: Performance, treatment: Performance, both: int) -> JointCounts:
    if not (control.metric.is_binary and treatment.metric.is_binary) or control.size != treatment.size:
        rule = "both must be of two samples of one size, with two classes"
        raise BadNumber(both, rule, "compare_paired takes more classes")
    only_control, only_treatment = control.counts[1] - both, treatment.counts[1] - both
    neither = control.size - both - only_control - only_treatment
    if min(only_control, only_treatment, neither) < 0:
        least = max(0, control.counts[1] + treatment.counts[1] - control.size)
        raise BadNumber(both, f"both must be from {least} to {min(control.counts[1], treatment.counts[1])}")
    return ((neither, only_treatment), (only_control, both))
