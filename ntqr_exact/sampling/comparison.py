"""Two models compared through a metric model, under each reading of the variance, and why they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.inputs import refuse_other_index
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.sampling.exact_tests import fisher_test, mcnemar_test
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
from ntqr_exact.sampling.normal_interval import (
    CriticalValue,
    Decision,
    Ends,
    NormalCritical,
    NormalInterval,
    RationalCritical,
)

FEWEST = 5
"""Fewer outputs of a class than this make a normal interval a poor guess; `coverage` computes how poor."""

TEXTBOOK = RationalCritical("1.96")
"""The critical value that the textbooks, and Goyal, Hu and Gupta 2023, take for a level of 95 %."""


def _critical_value(
    critical: CriticalValue | RationalLike | None, level: RationalLike | None
) -> CriticalValue:
    """Return the critical value that is given, the true quantile of a level, or 1.96."""
    if level is not None and critical is not None:
        raise BadNumber((critical, level), "critical and level must not both be given")
    if level is not None:
        return NormalCritical(level)
    if critical is None:
        return TEXTBOOK
    if isinstance(critical, (RationalCritical, NormalCritical)):
        return critical
    result = RationalCritical(critical)
    if result.z < 1:
        raise BadNumber(critical, "critical must be a z >= 1", f"for a level write level={critical!r}")
    return result


MetricPair: TypeAlias = "MetricModel | tuple[MetricModel, MetricModel]"
"""One metric model for both, or one for the control and another for the treatment.

Rates of one metric model come from one labelled set, those of two from two, unless `same_labelled_set=True` is given.
"""


class Centre(Enum):
    """The difference around which an interval is built."""

    OBSERVED = "observed"
    REAL = "real"


READINGS: tuple[tuple[VarianceReading, Centre], ...] = (
    (VarianceReading.ESTIMATED_RATES, Centre.REAL),
    (VarianceReading.ESTIMATOR, Centre.REAL),
    (VarianceReading.GIVEN_LABELS, Centre.REAL),
    (VarianceReading.DETERMINISTIC, Centre.OBSERVED),
)
"""What a comparison shows, the default first: each variance around the difference that it is a variance of."""


@dataclass(frozen=True, slots=True)
class Result:
    """The interval and the decision under one reading of the variance, around one difference."""

    reading: VarianceReading
    centre: Centre
    interval: NormalInterval
    decision: Decision


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two performances; `joint` counts pairs of observed classes by their index, and is `None` for independent samples.

    `same_labelled_set`: the rates of both metric models were estimated on one labelled set, and err in common.
    """

    control: Performance
    treatment: Performance
    joint: JointCounts | None
    critical: CriticalValue
    ends: Ends
    same_labelled_set: bool

    def difference(self, centre: Centre = Centre.OBSERVED) -> mpq:
        """Return treatment − control, of observed shares or of estimated real shares."""
        if chosen(centre, Centre) is Centre.OBSERVED:
            return self.treatment.observed_rate - self.control.observed_rate
        return self.treatment.real_rate - self.control.real_rate

    def variance(self, reading: VarianceReading | str) -> mpq:
        """Return Var(T − C) = Var(T) + Var(C) − 2 Cov(C, T) under a reading."""
        each = (variance_parts(one, reading).at(one.size) for one in (self.treatment, self.control))
        return sum(each, mpq(0)) - 2 * self._covariance_parts(reading).at(self.control.size)

    def parts(self, reading: VarianceReading | str) -> VarianceParts:
        """Return the parts of Var(T − C) as a function of one N for both models, at the observed shares."""
        treatment, control = variance_parts(self.treatment, reading), variance_parts(self.control, reading)
        return treatment + control + self._covariance_parts(reading) * -2

    def result(
        self,
        reading: VarianceReading | str = VarianceReading.ESTIMATED_RATES,
        centre: Centre | str | None = None,
    ) -> Result:
        """Return the interval and the decision under a reading, around the difference that it is a variance of."""
        kind = chosen(reading, VarianceReading)
        around = dict(READINGS)[kind] if centre is None else chosen(centre, Centre)
        interval = NormalInterval(self.difference(around), self.variance(kind), self.critical, self.ends)
        return Result(kind, around, interval, interval.decision())

    @property
    def results(self) -> tuple[Result, ...]:
        """All readings, in the order of `READINGS`."""
        return tuple(self.result(reading, centre) for reading, centre in READINGS)

    @property
    def cautions(self) -> tuple[str, ...]:
        """Where a normal interval should not be trusted: a model with fewer than 5 outputs of some class."""
        found = []
        for who, model in (("control", self.control), ("treatment", self.treatment)):
            classes = zip(model.counts, model.metric.classes, strict=True)
            few = [f"{count} observed as {one.name}" for count, one in classes if count < FEWEST]
            if few:
                found.append(f"of the {who} only {' and '.join(few)}: too few outputs for a normal interval")
        return tuple(found)

    def exact_p_value(self) -> mpq:
        """Return the p-value of "no difference in observed positives": McNemar's for pairs, else Fisher's.

        >>> compare(control=(0, 2), treatment=(2, 2), metric=MetricModel(1, 0)).exact_p_value()
        mpq(1,3)
        """
        if self.joint is None:
            return fisher_test(*((model.positives, model.size) for model in (self.control, self.treatment)))
        seen: Counter[tuple[int, int]] = Counter()
        for left, row in zip(self.control.metric.classes, self.joint, strict=True):
            for right, count in zip(self.treatment.metric.classes, row, strict=True):
                seen[left.counts_as, right.counts_as] += count
        return mcnemar_test(seen[1, 0], seen[0, 1])

    def _covariance_parts(self, reading: VarianceReading | str) -> VarianceParts:
        return covariance_parts(
            self.control, self.treatment, reading, joint=self.joint, same_labelled_set=self.same_labelled_set
        )


def compare(
    *,
    control: SampleLike,
    treatment: SampleLike,
    metric: MetricPair,
    both: RationalLike | None = None,
    critical: CriticalValue | RationalLike | None = None,
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
    Raises `BadNumber` if that is impossible, if paired samples differ in size, if z is below 1, or if two different
    metric models are said to have one labelled set (see `MetricPair`).
    """
    metrics = metric if isinstance(metric, tuple) else (metric, metric)
    one_set = _one_labelled_set(metric, same_labelled_set)
    left, right = (
        performance(sample, metric=one) for sample, one in zip((control, treatment), metrics, strict=True)
    )
    joint = None if both is None else _overlap(left, right, whole_number(both))
    return Comparison(left, right, joint, _critical_value(critical, level), chosen(ends, Ends), one_set)


def compare_paired(
    joint: Mapping[tuple[str, str], RationalLike] | Iterable[Any],
    treatment: Iterable[Any] | None = None,
    *,
    metric: MetricPair,
    critical: CriticalValue | RationalLike | None = None,
    level: RationalLike | None = None,
    ends: Ends | str = Ends.CLOSED,
    same_labelled_set: bool | None = None,
) -> Comparison:
    """Return the comparison of two models on the same questions, from counts of pairs of observed classes.

    >>> metric = MetricModel("9/10", "1/5")
    >>> counts = {("positive", "positive"): 10, ("positive", "negative"): 9, ("negative", "negative"): 81}
    >>> compare_paired(counts, metric=metric).difference()
    mpq(-9,100)

    A pair is (observed of the control, observed of the treatment); a pair that is not named was never seen. Instead of
    counts, give two columns of outcomes, of the control and of the treatment on the same questions in the same order.
    """
    metrics = metric if isinstance(metric, tuple) else (metric, metric)
    if not isinstance(joint, Mapping):
        joint = _counted_pairs(joint, treatment, metrics)
    elif treatment is not None:
        raise BadNumber(treatment, "treatment must be left out where counts of pairs are given")
    left, right = ([observed.name for observed in one.classes] for one in metrics)
    known = list(product(left, right))
    for pair in joint:
        if pair not in known:
            raise BadNumber(pair, "a pair must be a class observed of the control and one of the treatment")
    counts = {pair: whole_number(joint.get(pair, 0)) for pair in known}
    return Comparison(
        performance({x: sum(counts[x, y] for y in right) for x in left}, metric=metrics[0]),
        performance({y: sum(counts[x, y] for x in left) for y in right}, metric=metrics[1]),
        tuple(tuple(counts[x, y] for y in right) for x in left),
        _critical_value(critical, level),
        chosen(ends, Ends),
        _one_labelled_set(metric, same_labelled_set),
    )


def _counted_pairs(
    control: Iterable[Any], treatment: Iterable[Any] | None, metrics: tuple[MetricModel, MetricModel]
) -> Mapping[tuple[str, str], RationalLike]:
    if treatment is None:
        raise BadNumber(treatment, "treatment must be a column of outcomes, like the first argument")
    refuse_other_index(control, treatment)
    left, right = (outcomes(column, one) for column, one in zip((control, treatment), metrics, strict=True))
    if len(left) != len(right):
        raise BadNumber(
            (len(left), len(right)), "paired samples must have one output of each model per question"
        )
    names = [[observed.name for observed in one.classes] for one in metrics]
    return Counter((names[0][x], names[1][y]) for x, y in zip(left, right, strict=True))


def _one_labelled_set(metric: MetricPair, said: bool | None) -> bool:
    if not isinstance(metric, tuple):
        if said is False:
            raise BadNumber(said, "one metric model has one labelled set", "give one for each of the two")
        return True
    if said and metric[0] != metric[1]:
        raise BadNumber(
            metric, "one labelled set gives both models the same rates", "leave same_labelled_set out"
        )
    return bool(said)


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


def decisions(comparison: Comparison) -> dict[Decision, tuple[Result, ...]]:
    """Return the readings by what they decide, in the order in which the decisions first come up."""
    grouped: dict[Decision, tuple[Result, ...]] = {}
    for result in comparison.results:
        grouped[result.decision] = (*grouped.get(result.decision, ()), result)
    return grouped


def explain(comparison: Comparison) -> str:
    """Return in words which readings agree, which differ, and where they should not be trusted.

    >>> print(explain(compare(control=(90, 99), treatment=(9, 99), metric=MetricModel(1, 0))))
    All readings agree: the treatment is lower.
    """
    grouped = decisions(comparison)
    lines = [f"All readings agree: {next(iter(grouped)).value}."]
    if len(grouped) > 1:
        lines = ["The readings differ:"]
        for decision, results in grouped.items():
            lines.append(f"  {decision.value}: {', '.join(one.reading.value for one in results)}")
    return "\n".join(lines + [f"{caution[0].upper()}{caution[1:]}." for caution in comparison.cautions])
