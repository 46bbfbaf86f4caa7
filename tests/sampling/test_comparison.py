"""Comparisons: variances by brute force, intervals, decisions, pairs; plans against the power of all samples."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import MetricModel, compare, compare_paired, plan
from ntqr_exact.errors import (
    BadNumber,
    BadSamples,
    EmptyTest,
    FloatRefused,
    NotANumber,
    NotASurd,
    NtqrExactError,
)
from ntqr_exact.sampling import planning
from ntqr_exact.sampling.comparison import READINGS, Centre, Decision, Ends, NormalInterval
from ntqr_exact.sampling.exact_tests import mcnemar_test
from ntqr_exact.sampling.intervals import Critical
from ntqr_exact.sampling.metric_model import (
    Performance,
    VarianceParts,
    VarianceReading,
    covariance_parts,
    performance,
    variance_parts,
)
from ntqr_exact.sampling.planning import power_at, size_shown
from tests.sampling.enumeration import probabilities

METRIC = MetricModel("0.8897", "0.22769")
PERFECT = MetricModel(1, 0)
ESTIMATED = MetricModel.from_counts(tp=6, fp=2, fn=2, tn=9)
ROUGH = MetricModel.of_classes(
    {"negative": "2/5", "positive": "1/2"}, positive=["positive"], variances={"positive": "1/20"}
)
BOLD = compare(control=(108, 23679), treatment=(56, 23679), metric=METRIC)
Z = Critical("1.96")
counts = st.integers(0, 40)
rates = st.fractions(0, 1, max_denominator=9)


# -- intervals and critical values ------------------------------------------------------------------


def test_a_level_uses_the_true_quantile() -> None:
    assert compare(control=(1, 9), treatment=(3, 9), metric=METRIC, level="0.95").critical == Critical(
        level="0.95"
    )
    interval = NormalInterval(mpq(1), mpq(2), Critical(level="0.95"))
    with pytest.raises(NotASurd):
        interval.lower  # noqa: B018
    assert interval.decimals(12) == ("-1.771807648699", "3.771807648699")
    # z² lies between 3.8414 and 3.8415 for the true quantile, and is 3.8416 for 1.96.
    assert Critical("1.96").compare_square(mpq(38415, 10000), mpq(1)) == -1
    assert Critical(level="0.95").compare_square(mpq(38415, 10000), mpq(1)) == 1


def test_ties_follow_the_ends() -> None:
    touching = [NormalInterval(mpq(49, 100), mpq(1, 16), Z, ends) for ends in (Ends.CLOSED, Ends.OPEN)]
    assert [one.lower for one in touching] == [0, 0]
    assert [one.decision() for one in touching] == [Decision.NOT_SHOWN, Decision.HIGHER]
    for critical, ends in product((Z, Critical(level="0.95")), Ends):
        assert NormalInterval(mpq(1, 9), mpq(0), critical, ends).decision() is Decision.HIGHER
        assert NormalInterval(mpq(0), mpq(0), critical, ends).decision() is Decision.NOT_SHOWN


def test_counts_give_rates_and_their_unbiased_variances() -> None:
    metric = MetricModel.from_counts(tp=6, fp=2, fn=1, tn=9)
    assert (metric.precision, metric.false_omission) == (mpq(3, 4), mpq(1, 10))
    assert [one.rate_variance for one in metric.classes] == [mpq(1, 100), mpq(3, 112)]


# -- variances by brute force -----------------------------------------------------------------------


def variance(model: Performance, reading: VarianceReading) -> mpq:
    return variance_parts(model, reading).at(model.size)


def real_share_moments(model: Performance) -> tuple[mpq, mpq]:
    """The mean and the variance of the real share of just these outputs, over all real labels."""
    mean = square = mpq(0)
    rates = [
        one.rate for one, count in zip(model.metric.classes, model.counts, strict=True) for _ in range(count)
    ]
    for labels in product((0, 1), repeat=len(rates)):
        chance = mpq(1)
        for label, rate in zip(labels, rates, strict=True):
            chance *= rate if label else 1 - rate
        share = mpq(sum(labels), len(rates))
        mean, square = mean + chance * share, square + chance * share**2
    return mean, square - mean**2


@pytest.mark.parametrize("metric", [PERFECT, METRIC, ESTIMATED])
@pytest.mark.parametrize("k", [0, 2, 5])
def test_given_labels_is_the_variance_over_all_real_labels(metric: MetricModel, k: int) -> None:
    model = performance((k, 5), metric=metric)
    assert real_share_moments(model) == (model.real_rate, variance(model, VarianceReading.GIVEN_LABELS))


@pytest.mark.parametrize("share", ["1/3", "3/4"])
@pytest.mark.parametrize(
    ("reading", "value"), [("deterministic", "observed_rate"), ("estimator", "real_rate")]
)
def test_a_variance_is_the_spread_of_its_estimate_on_average(share: str, reading: str, value: str) -> None:
    n, p = 6, mpq(share)
    masses = probabilities(n, p)
    models = [performance((k, n), metric=METRIC) for k in range(n + 1)]
    mean = sum(w * getattr(one, value) for w, one in zip(masses, models, strict=True))
    spread = sum(w * (getattr(one, value) - mean) ** 2 for w, one in zip(masses, models, strict=True))
    kind = VarianceReading(reading)
    assert sum(w * variance(one, kind) for w, one in zip(masses, models, strict=True)) == spread


def test_estimated_rates_add_their_variances() -> None:
    model, kind = performance((3, 10), metric=ESTIMATED), VarianceReading.ESTIMATED_RATES
    negative, positive = (one.rate_variance for one in ESTIMATED.classes)
    added = mpq(49, 100) * negative + mpq(9, 100) * positive
    assert variance(model, kind) - variance(model, VarianceReading.ESTIMATOR) == added > 0
    fixed = [
        covariance_parts(model, model, kind, joint=None, same_labelled_set=same).fixed
        for same in (False, True)
    ]
    assert fixed == [0, added]


def test_paired_covariance_is_that_of_the_columns() -> None:
    pairs = [(0, 0)] * 4 + [(0, 1)] + [(1, 0)] * 2 + [(1, 1)] * 3
    paired = compare_paired(*zip(*pairs, strict=True), metric=METRIC)
    gaps = [y - x for x, y in pairs]
    mean = mpq(sum(gaps), 10)
    assert paired.variance("deterministic") == sum((gap - mean) ** 2 for gap in gaps) / (10 * 9)
    assert paired.variance("estimator") == METRIC.slope**2 * paired.variance("deterministic")
    assert paired == compare(control=(5, 10), treatment=(4, 10), metric=METRIC, both=3)
    assert paired.exact_p_value() == mcnemar_test(2, 1)
    assert compare(control=(0, 2), treatment=(2, 2), metric=METRIC).exact_p_value() == mpq(1, 3)


@pytest.mark.parametrize("both", [None, 1, 9])
@pytest.mark.parametrize("reading", list(VarianceReading))
def test_parts_add_up_to_the_variance_at_the_present_size(reading: VarianceReading, both: int | None) -> None:
    metric = MetricModel.of_classes(
        {"negative": "1/10", "positive": "4/5"},
        positive=["positive"],
        variances={"negative": "1/70", "positive": "1/30"},
    )
    comparison = compare(control=(10, 30), treatment=(20, 30), metric=metric, both=both)
    assert comparison.parts(reading).at(30) == comparison.variance(reading)


# -- comparisons ------------------------------------------------------------------------------------


@given(counts, counts, rates, rates)
def test_known_rates_scale_the_difference_and_its_deviation_alike(
    left: int, right: int, pi: Fraction, phi: Fraction
) -> None:
    metric = MetricModel(pi, phi)
    one = compare(control=(left, 40), treatment=(right, 40), metric=metric)
    plain, scaled = one.result("deterministic").decision, one.result("estimator").decision
    mirrored = {Decision.HIGHER: Decision.LOWER, Decision.LOWER: Decision.HIGHER}
    expected = plain if pi > phi else mirrored.get(plain, plain) if pi < phi else Decision.NOT_SHOWN
    assert scaled is expected
    other = compare(control=(right, 40), treatment=(left, 40), metric=metric)
    for first, second in zip(one.results, other.results, strict=True):
        assert first.interval.lower == -second.interval.upper


def test_the_default_reading_is_the_estimate_with_its_rates() -> None:
    assert BOLD.result() == BOLD.results[0] == BOLD.result("estimated-rates")
    assert {one.reading: one.centre for one in BOLD.results} == READINGS
    assert {*BOLD.decisions} == {Decision.LOWER, Decision.NOT_SHOWN}


def test_columns_of_outcomes_are_counted_and_paired() -> None:
    left, right = [1, 1, 0, 0, 1, 0, 1, 0], [True, False, False, False, True, True, False, False]
    expected = compare(control=(4, 8), treatment=(3, 8), metric=METRIC, both=2)
    assert compare(control=left, treatment=np.array(right), metric=METRIC, both=2) == expected
    assert compare_paired(pd.Series(left), pd.Series(right), metric=METRIC) == expected


THREE = MetricModel.of_classes({"a": 0, "b": "1/2", "c": 1}, positive=["c"])
PAIR = {"control": (30, 100), "treatment": (20, 100), "metric": METRIC}
COLUMN, THIRDS = [1, 0, 1], dict.fromkeys("abc", 1)


def test_three_classes_have_the_variance_of_their_definition() -> None:
    model = performance({"c": 1, "a": 2, "b": 2}, metric=THREE)
    assert (model.counts, model.observed_rate, model.real_rate) == ((2, 2, 1), mpq(1, 5), mpq(2, 5))
    paired = compare_paired({("a", "b"): 1, ("b", "c"): 2, ("c", "c"): 1}, metric=THREE)
    # Real rates by pair: (0, 1/2), (1/2, 1) twice, (1, 1); differences 1/2, 1/2, 1/2, 0.
    assert paired.difference(Centre.REAL) == mpq(3, 8)
    assert paired.variance("estimator") == mpq(3, 64) / 3
    assert paired.difference() == mpq(1, 2)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: compare(**PAIR, both=21), BadNumber),
        (lambda: compare(**PAIR, critical="0.95"), BadNumber),
        (lambda: compare(**PAIR, critical=2, level="0.95"), BadNumber),
        (lambda: compare(**PAIR, level=95), BadNumber),
        (lambda: compare(**PAIR, critical=-2), BadNumber),
        (lambda: compare(control=(30, 100), treatment=(20, 101), metric=METRIC, both=2), BadNumber),
        (lambda: compare(control=THIRDS, treatment=THIRDS, metric=THREE, both=1), BadNumber),
        (lambda: compare(**PAIR | {"metric": (METRIC, PERFECT)}, same_labelled_set=True), BadNumber),
        (lambda: compare(**PAIR, same_labelled_set=False), BadNumber),
        (lambda: compare(control=[1, "neither", 0], treatment=COLUMN, metric=METRIC), BadNumber),
        (lambda: compare(control=[1, [], 0], treatment=COLUMN, metric=METRIC), BadSamples),
        (lambda: compare(control=(3, 2), treatment=(1, 2), metric=METRIC), BadNumber),
        (lambda: compare_paired({("positive", "perhaps"): 3}, metric=METRIC), BadNumber),
        (lambda: compare_paired({"positive": 2}, metric=METRIC), BadNumber),
        (lambda: compare_paired(COLUMN, COLUMN[1:], metric=METRIC), BadNumber),
        (lambda: compare_paired(COLUMN, metric=METRIC), BadNumber),
        (
            lambda: compare_paired(pd.Series(COLUMN), pd.Series(COLUMN, index=[1, 2, 3]), metric=METRIC),
            BadSamples,
        ),
        (lambda: plan(BOLD, power="0.49"), BadNumber),
        (lambda: plan(BOLD, power=1), BadNumber),
        (lambda: NormalInterval(mpq(0), mpq(-1), Z), BadNumber),
        (lambda: MetricModel("1.0001", 0), BadNumber),
        (lambda: MetricModel(1, "-1/10"), BadNumber),
        (lambda: MetricModel(0.8897, "0.22769"), FloatRefused),
        (lambda: MetricModel(True, 0), NotANumber),
        (lambda: MetricModel.of_classes({"a": 0, "b": 1}, positive=["b"], variances={"a": -1}), BadNumber),
        (lambda: MetricModel.from_counts(tp=1, fp=0, fn=5, tn=5), BadNumber),
        (lambda: MetricModel.from_counts(tp=5, fp=5, fn=0, tn=1), BadNumber),
        (lambda: MetricModel.of_classes({"yes": 1}, positive=["yes"]), BadNumber),
        (lambda: MetricModel.of_classes({"no": 0, "yes": 1}, positive=["maybe"]), BadNumber),
        (lambda: MetricModel.of_classes({"no": 0, "yes": 1}, positive=[], variances={"x": 0}), BadNumber),
        (lambda: THREE.precision, BadNumber),
        (lambda: performance((1, 2), metric=THREE), BadNumber),
        *(
            (lambda sample=sample: performance(sample, metric=METRIC), error)
            for sample, error in [
                ((0, 0), EmptyTest),
                ((1, 1), BadNumber),
                ((3, 2), BadNumber),
                ((-1, 2), BadNumber),
                (("1/2", 2), BadNumber),
                ((1, 2, 3), BadNumber),
                ((108.0, 23679), FloatRefused),
                ("12", BadNumber),
                ({"positive": 1}, BadNumber),
            ]
        ),
    ],
)
def test_impossible_comparisons_are_refused(call, error: type[NtqrExactError]) -> None:
    with pytest.raises(error):
        call()


# -- sizes ------------------------------------------------------------------------------------------


def counted_power(comparison, reading, n: int) -> mpq:
    """The power by going through all pairs of counts."""
    models = (comparison.control, comparison.treatment)
    masses = [probabilities(n, model.observed_rate) for model in models]
    total = mpq(0)
    for k, j in product(range(n + 1), repeat=2):
        control, treatment = (Performance((n - c, c), m.metric) for c, m in zip((k, j), models, strict=True))
        found = replace(comparison, control=control, treatment=treatment).result(reading)
        if found.decision is not Decision.NOT_SHOWN:
            total += masses[0][k] * masses[1][j]
    return total


@pytest.mark.parametrize(
    "metric", [PERFECT, MetricModel("1/5", "4/5"), (ESTIMATED, METRIC), (PERFECT, ROUGH)]
)
@pytest.mark.parametrize("options", [{}, {"critical": 1, "ends": "open"}, {"level": "0.9"}])
def test_power_is_counted_over_all_samples(metric, options: dict) -> None:
    comparison = compare(control=(2, 7), treatment=(5, 7), metric=metric, **options)
    for reading, n in zip(VarianceReading, (2, 5, 7, 9), strict=True):
        found = power_at(comparison, reading, n)
        assert found.lower == found.upper == counted_power(comparison, reading, n)


@pytest.mark.parametrize(("control", "treatment"), [((1, 2), (1, 4)), ((0, 10), (1, 10)), ((9, 10), (1, 10))])
@pytest.mark.parametrize("power", ["1/2", "4/5"])
def test_a_plan_is_the_smallest_size_with_its_power(control: tuple, treatment: tuple, power: str) -> None:
    comparison = compare(control=control, treatment=treatment, metric=PERFECT)
    found = plan(comparison, power=power)
    powers = {n: power_at(comparison, found.reading, n).lower for n in range(2, found.smallest_size + 1)}
    assert min(n for n, one in powers.items() if one >= mpq(power)) == found.smallest_size


def test_a_large_plan_has_its_power_and_the_size_below_has_not(monkeypatch) -> None:
    comparison = compare(control=(3, 10), treatment=(9, 20), metric=METRIC)
    found = plan(comparison)
    below, at = (power_at(comparison, found.reading, found.smallest_size - i).lower for i in (1, 0))
    assert below < mpq(4, 5) <= at
    assert "normal approximation" in str(plan(compare(**PAIR, both=2)))
    monkeypatch.setattr(planning, "_EXACT", 0)  # what is left out of a large sum is little, and counted
    for size in (2, 9, found.smallest_size):
        exact = counted_power(comparison, found.reading, size) if size < 10 else at
        rounded = power_at(comparison, found.reading, size)
        assert rounded.lower <= exact <= rounded.upper
        assert rounded.upper - rounded.lower < mpq(1, 2**64)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 4), rates, rates)
def test_the_size_shown_is_the_first_at_which_the_interval_excludes_0(left, right, step, pi, phi) -> None:
    metric = MetricModel.of_classes(
        {"negative": phi, "positive": pi}, positive=["positive"], variances={"positive": Fraction(step, 3000)}
    )
    comparison = compare(control=(left, 12), treatment=(right, 12), metric=metric)
    for reading, centre in READINGS.items():
        parts, f = comparison.parts(reading), comparison.difference(centre)
        smallest, _ = size_shown(f, parts, comparison.critical, comparison.ends)
        first = next((n for n in range(2, 120) if f**2 > Z.z**2 * parts.at(n)), None)
        assert smallest == first if first is not None or smallest is None else smallest >= 120


def test_ties_in_the_limit_are_never_shown() -> None:
    fixed, shrinking = VarianceParts(fixed=mpq(1, 4)), VarianceParts(mpq(1, 4), fixed=mpq(1, 4))
    one = Critical(1)
    sizes = [size_shown(mpq(1, 2), parts, one, ends)[0] for parts in (fixed, shrinking) for ends in Ends]
    assert sizes == [2, None, None, None]
    assert plan(compare(control=(3, 10), treatment=(3, 10), metric=METRIC)).smallest_size is None
    assert plan(compare(control=(0, 10), treatment=(10, 10), metric=PERFECT)).smallest_size == 2
