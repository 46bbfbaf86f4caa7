"""The readings of the variance: what each one estimates, by enumeration, and how they hang together."""

import itertools
from fractions import Fraction
from math import comb

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber
from ntqr_exact.sampling.comparison import compare, compare_paired
from ntqr_exact.sampling.metric_model import MetricModel, performance
from ntqr_exact.sampling.variance import (
    VarianceParts,
    VarianceReading,
    expected_variance,
    printed_bias,
    real_share_variance,
    variance,
    variance_parts,
)

METRIC = MetricModel("3/4", "1/10")
READINGS = list(VarianceReading)
rates = st.fractions(0, 1, max_denominator=10)


@given(st.integers(0, 12), st.integers(2, 12), rates, rates)
def test_the_printed_formulas_of_two_classes_come_out(count, size, precision, false_omission):
    count = min(count, size)
    metric = MetricModel(precision, false_omission, precision_variance="1/50", false_omission_variance="1/70")
    model = performance((count, size), metric=metric)
    p, delta = Fraction(count, size), precision - false_omission
    real = false_omission + delta * p
    estimator = delta**2 * p * (1 - p) / (size - 1)
    chance = count * precision * (1 - precision) + (size - count) * false_omission * (1 - false_omission)
    assert [variance(model, reading) for reading in READINGS] == [
        p * (1 - p) / (size - 1),
        real * (1 - real) / (size - 1),
        estimator + chance / size**2,
        estimator,
        chance / size**2,
        estimator + p**2 / 50 + (1 - p) ** 2 / 70,
    ]


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_each_reading_but_the_printed_one_is_unbiased_for_what_it_says(size):
    p = mpq(2, 7)
    delta = METRIC.slope
    chance = p * mpq(3, 16) + (1 - p) * mpq(9, 100)
    true = {
        VarianceReading.DETERMINISTIC: p * (1 - p) / size,
        VarianceReading.REAL_SHARE: real_share_variance(rate=p, size=size, metric=METRIC),
        VarianceReading.ESTIMATOR: delta**2 * p * (1 - p) / size,
        VarianceReading.GIVEN_LABELS: chance / size,
    }
    for reading, value in true.items():
        assert expected_variance(reading, rate=p, size=size, metric=METRIC) == value
    # The law of total variance: what was drawn, and what is left to chance.
    assert (
        true[VarianceReading.REAL_SHARE]
        == true[VarianceReading.ESTIMATOR] + true[VarianceReading.GIVEN_LABELS]
    )
    printed = expected_variance(VarianceReading.PRINTED, rate=p, size=size, metric=METRIC)
    assert printed - true[VarianceReading.REAL_SHARE] == chance / (size * (size - 1))
    assert printed_bias(rate=p, size=size, metric=METRIC) == chance / (size * (size - 1))


def binomial(size, rate):
    return [comb(size, k) * rate**k * (1 - rate) ** (size - k) for k in range(size + 1)]


def test_rates_estimated_on_one_labelled_set_err_in_common_for_both_models():
    """Over every labelled set and both samples: the mean of the reading is the truth plus σ²(Var π̂ + Var φ̂)."""
    labelled, size = 2, 2
    precision, false_omission = mpq(3, 4), mpq(1, 10)
    control, treatment = mpq(1, 3), mpq(3, 5)
    laws = [
        binomial(labelled, precision),
        binomial(labelled, false_omission),
        binomial(size, control),
        binomial(size, treatment),
    ]
    average = square = reading = mpq(0)
    for found, missed, left, right in itertools.product(range(3), repeat=4):
        weight = mpq(1)
        for law, count in zip(laws, (found, missed, left, right), strict=True):
            weight *= law[count]
        metric = MetricModel.from_counts(tp=found, fp=labelled - found, fn=missed, tn=labelled - missed)
        comparison = compare(control=(left, size), treatment=(right, size), metric=metric)
        difference = metric.slope * (mpq(right, size) - mpq(left, size))
        average += weight * difference
        square += weight * difference**2
        reading += weight * comparison.variance(VarianceReading.ESTIMATED_RATES)
    sampling = (control * (1 - control) + treatment * (1 - treatment)) / size
    rate_variances = precision * (1 - precision) / labelled + false_omission * (1 - false_omission) / labelled
    assert reading == square - average**2 + sampling * rate_variances


def test_rates_of_two_metric_models_err_apart():
    one = MetricModel("3/4", "1/10", precision_variance="1/50", false_omission_variance="1/70")
    other = MetricModel("3/5", "1/10", precision_variance="1/60", false_omission_variance="1/70")
    comparison = compare(control=(3, 10), treatment=(6, 10), metric=(one, other))
    reading = VarianceReading.ESTIMATED_RATES
    assert comparison.variance(reading) == variance(comparison.control, reading) + variance(
        comparison.treatment, reading
    )
    shared = compare(control=(3, 10), treatment=(6, 10), metric=one)
    expected = shared.variance(VarianceReading.ESTIMATOR) + mpq(9, 100) * (mpq(1, 50) + mpq(1, 70))
    assert shared.variance(reading) == expected


@pytest.mark.parametrize("reading", READINGS)
def test_splitting_a_class_into_two_alike_changes_no_variance(reading):
    two = performance((4, 10), metric=METRIC)
    three = performance(
        {"negative": 6, "positive": 1, "also": 3},
        metric=MetricModel.of_classes(
            {"negative": "1/10", "positive": "3/4", "also": "3/4"}, positive=["positive", "also"]
        ),
    )
    assert variance(three, reading) == variance(two, reading)


def test_three_classes_by_hand():
    metric = MetricModel.of_classes({"a": 0, "b": "1/2", "c": 1}, positive=["c"])
    model = performance({"a": 1, "b": 2, "c": 1}, metric=metric)
    found = [variance(model, reading) for reading in READINGS]
    # p = 1/4, p^R = 1/2, spread of rates 1/8, chance 1/8, N = 4.
    assert found == [mpq(1, 16), mpq(1, 12), mpq(7, 96), mpq(1, 24), mpq(1, 32), mpq(1, 24)]


@pytest.mark.parametrize("reading", READINGS)
def test_a_model_compared_with_itself_on_the_same_questions_has_no_sampling_variance(reading):
    joint = {("positive", "positive"): 4, ("negative", "negative"): 6}
    found = compare_paired(joint, metric=METRIC).variance(reading)
    by_draw = {VarianceReading.DETERMINISTIC, VarianceReading.ESTIMATOR, VarianceReading.ESTIMATED_RATES}
    assert (found == 0) == (reading in by_draw)


@given(st.lists(st.integers(0, 6), min_size=4, max_size=4))
def test_the_deterministic_variance_of_pairs_is_that_of_their_differences(counts):
    both, left, right, neither = counts
    size = sum(counts)
    if size < 2:
        return
    differences = [0] * (both + neither) + [-1] * left + [1] * right
    average = Fraction(sum(differences), size)
    expected = sum((value - average) ** 2 for value in differences) / Fraction(size * (size - 1))
    comparison = compare(
        control=(both + left, size), treatment=(both + right, size), metric=METRIC, both=both
    )
    assert comparison.variance(VarianceReading.DETERMINISTIC) == expected
    assert comparison.variance(VarianceReading.ESTIMATOR) == expected * Fraction(str(METRIC.slope)) ** 2


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_says_what_it_means(reading):
    assert reading.formula
    assert reading.meaning
    parts = variance_parts(performance((4, 10), metric=METRIC), reading)
    assert min(parts.per_degree, parts.per_output, parts.fixed) >= 0


def test_a_variance_needs_two_outputs():
    with pytest.raises(BadNumber, match="at least 2 outputs"):
        VarianceParts(mpq(1), mpq(1), mpq(0)).at(1)
    with pytest.raises(BadNumber, match="at least 2 outputs"):
        printed_bias(rate="1/2", size=1, metric=METRIC)
    with pytest.raises(BadNumber, match="between 0 and 1"):
        expected_variance(VarianceReading.PRINTED, rate=2, size=3, metric=METRIC)


def test_two_metric_models_of_equal_counts_err_apart_unless_they_are_said_to_share_their_set():
    counts = {"tp": 30, "fp": 10, "fn": 5, "tn": 55}
    one, other = MetricModel.from_counts(**counts), MetricModel.from_counts(**counts)
    assert one == other
    reading = VarianceReading.ESTIMATED_RATES
    samples = {"control": (3, 10), "treatment": (6, 10)}
    apart = compare(**samples, metric=(one, other))
    assert apart.variance(reading) == variance(apart.control, reading) + variance(apart.treatment, reading)
    shared = compare(**samples, metric=one)
    assert compare(**samples, metric=(one, other), same_labelled_set=True) == shared != apart
    assert shared.variance(reading) < apart.variance(reading)
    pairs = {("positive", "positive"): 3, ("negative", "positive"): 3, ("negative", "negative"): 4}
    assert compare_paired(pairs, metric=(one, other)).variance(reading) > compare_paired(
        pairs, metric=(one, other), same_labelled_set=True
    ).variance(reading)


def test_different_rates_cannot_come_from_one_labelled_set_nor_one_model_from_two():
    samples = {"control": (3, 10), "treatment": (6, 10)}
    with pytest.raises(BadNumber, match="one labelled set gives both models the same rates"):
        compare(**samples, metric=(METRIC, MetricModel("1/2", "1/4")), same_labelled_set=True)
    with pytest.raises(BadNumber, match="one metric model has one labelled set"):
        compare(**samples, metric=METRIC, same_labelled_set=False)
