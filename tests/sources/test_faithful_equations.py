"""Every equation 1 to 20 of Goyal, Hu and Gupta 2023, proven or refuted.

Identities are proven with sympy as printed; claims about means and variances by summing over every outcome of small
samples in exact arithmetic, without the library; and the library is held against both.
"""

import itertools
from fractions import Fraction
from math import comb

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, Symbol, binomial, expand, simplify, summation, symbols

from ntqr_exact.exact.normal import enclose_normal_cdf, enclose_normal_quantile
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.faithful.readings import (
    SourceReading,
    built,
    expected_variance,
    printed_bias,
    real_share_variance,
    variance,
)
from ntqr_exact.sampling.comparison import Centre, compare, compare_paired
from ntqr_exact.sampling.metric_model import MetricModel, performance
from ntqr_exact.sampling.normal_interval import Decision, Ends, RationalCritical
from ntqr_exact.sampling.variance import VarianceReading, covariance_parts

PERFECT = MetricModel(1, 0)
METRICS = [
    MetricModel("8897/10000", "22769/100000"),
    MetricModel("3/4", "1/4"),
    MetricModel("1/3", "1/2"),
    PERFECT,
]
p, pi, phi = symbols("p pi phi", positive=True)
rates = st.fractions(0, 1, max_denominator=12)


def samples(size):
    return itertools.product((0, 1), repeat=size)


def mean(results):
    return Fraction(sum(results), len(results))


def variance_of_mean(results):
    """Equation 5 by its sum, with N_C for the |C| of its limit."""
    size, average = len(results), mean(results)
    return sum((value - average) ** 2 for value in results) / Fraction(size * (size - 1))


# -- 1 to 4: the results and their means -------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 5])
def test_1_to_4_the_performance_is_the_mean_of_the_results(size):
    for results in samples(size):
        model = performance((sum(results), size), metric=PERFECT)
        assert model.observed_rate == mean(results)


def test_3_and_4_as_printed_sum_from_0_and_have_one_result_too_many():
    # The results of eq. 1 are f_1 to f_N. A sum over i = 0 … N has N + 1 terms: all ones would have a mean above 1.
    size = 4
    as_printed = Fraction(sum(1 for _ in range(size + 1)), size)
    assert as_printed == Fraction(5, 4)
    assert performance((size, size), metric=PERFECT).observed_rate == 1


# -- 5 and 6: the variance of a mean ----------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_5_and_6_are_the_deterministic_variance(size):
    for results in samples(size):
        model = performance((sum(results), size), metric=METRICS[0])
        assert variance(model, SourceReading.DETERMINISTIC) == variance_of_mean(results)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_5_and_6_are_unbiased_for_the_variance_of_the_mean(size):
    rate = Fraction(2, 7)
    weights = {
        results: rate ** sum(results) * (1 - rate) ** (size - sum(results)) for results in samples(size)
    }
    average = sum(weight * mean(results) for results, weight in weights.items())
    spread = sum(weight * (mean(results) - average) ** 2 for results, weight in weights.items())
    assert sum(weight * variance_of_mean(results) for results, weight in weights.items()) == spread
    assert expected_variance(SourceReading.DETERMINISTIC, rate=rate, size=size, metric=PERFECT) == spread


# -- 7 and 8: the test --------------------------------------------------------------------------------


def test_7_is_about_sample_means_which_differ_with_certainty_or_not_at_all():
    # As printed the hypotheses are about the observed means, which are known; a test is about what they estimate.
    comparison = compare(control=(3, 10), treatment=(4, 10), metric=PERFECT)
    assert comparison.difference() != 0
    assert built(comparison, SourceReading.DETERMINISTIC).decision is Decision.NOT_SHOWN


@given(st.integers(0, 30), st.integers(0, 40))
def test_8_the_interval_leaves_out_0_exactly_where_the_squares_say_so(left, right):
    comparison = compare(control=(left, 30), treatment=(right, 40), metric=PERFECT)
    result = built(comparison, SourceReading.DETERMINISTIC)
    assert (result.decision is not Decision.NOT_SHOWN) == (
        result.interval.lower > 0 or result.interval.upper < 0
    )
    reach = Surd.sqrt(
        variance(comparison.control, SourceReading.DETERMINISTIC)
        + variance(comparison.treatment, SourceReading.DETERMINISTIC)
    )
    assert result.interval.upper == comparison.difference() + mpq(49, 25) * reach


def test_8_alpha_must_be_the_significance_level_and_1_96_is_rounded():
    # With α the confidence level 0.95, as printed, z at α/2 would be 0.0627.
    assert enclose_normal_quantile(1 - Fraction(95, 100) / 2).decimal(4) == "0.0627"
    assert enclose_normal_quantile(1 - Fraction(5, 100) / 2).decimal(6) == "1.959964"
    assert (2 * enclose_normal_cdf("1.96") - 1).decimal(6) == "0.950004"


# -- 9 to 12: what is real ---------------------------------------------------------------------------


def joint_law(rate, metric, size):
    """All (observed, real) outcomes of independent outputs, with their probabilities."""
    rate = Fraction(rate)
    one = {}
    for observed, real in itertools.product((0, 1), repeat=2):
        positive = Fraction(str(metric.precision if observed else metric.false_omission))
        one[observed, real] = (rate if observed else 1 - rate) * (positive if real else 1 - positive)
    for outcome in itertools.product(one, repeat=size):
        weight = Fraction(1)
        for pair in outcome:
            weight *= one[pair]
        yield sum(observed for observed, _ in outcome), sum(real for _, real in outcome), weight


@pytest.mark.parametrize("metric", METRICS)
def test_9_to_12_observed_and_real_positives_are_binomial(metric):
    size, rate = 4, Fraction(2, 5)
    real_rate = Fraction(str(metric.false_omission)) + Fraction(str(metric.slope)) * rate
    observed, real = [Fraction(0)] * (size + 1), [Fraction(0)] * (size + 1)
    for count, really, weight in joint_law(rate, metric, size):
        observed[count] += weight
        real[really] += weight
    for k in range(size + 1):
        assert observed[k] == comb(size, k) * rate**k * (1 - rate) ** (size - k)  # eq. 9
        assert real[k] == comb(size, k) * real_rate**k * (1 - real_rate) ** (size - k)  # eq. 10
    average = sum(k * weight for k, weight in enumerate(real))
    spread = sum((k - average) ** 2 * weight for k, weight in enumerate(real))
    assert spread == size * real_rate * (1 - real_rate)  # eq. 11
    assert spread / size**2 == real_share_variance(rate=rate, size=size, metric=metric)  # eq. 12


@given(st.integers(0, 20), rates, rates)
def test_10_the_real_rate_is_the_law_of_total_probability(count, precision, false_omission):
    model = performance((count, 20), metric=MetricModel(precision, false_omission))
    share = Fraction(count, 20)
    assert model.real_rate == precision * share + false_omission * (1 - share)


@pytest.mark.parametrize("metric", METRICS[:3])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_12_with_the_estimated_rate_put_in_is_biased_downwards_as_stated(metric, size):
    average = expected_variance(SourceReading.PRINTED, rate="2/5", size=size, metric=metric) * mpq(
        size - 1, size
    )
    lack = metric.slope**2 * mpq(2, 5) * mpq(3, 5) / size**2
    assert average == real_share_variance(rate="2/5", size=size, metric=metric) - lack


# -- 13: claimed to be unbiased ------------------------------------------------------------------------


def test_13_has_the_exact_bias_symbolically():
    size = Symbol("N", positive=True)
    real = phi + (pi - phi) * p
    # E of a quadratic in the share k/N needs its first two moments only: p and p² + p(1−p)/N.
    share = Symbol("share")
    estimate = expand((phi + (pi - phi) * share) * (1 - phi - (pi - phi) * share))
    average = (
        estimate.coeff(share, 0)
        + estimate.coeff(share, 1) * p
        + estimate.coeff(share, 2) * (p**2 + p * (1 - p) / size)
    ) / (size - 1)
    bias = (p * pi * (1 - pi) + (1 - p) * phi * (1 - phi)) / (size * (size - 1))
    assert simplify(average - real * (1 - real) / size - bias) == 0


def test_13_the_moments_used_are_those_of_the_binomial():
    k = Symbol("k", integer=True)
    for size in range(2, 7):
        for power, moment in ((1, p), (2, p**2 + p * (1 - p) / size)):
            total = summation(
                binomial(size, k) * p**k * (1 - p) ** (size - k) * (k / Rational(size)) ** power, (k, 0, size)
            )
            assert simplify(total - moment) == 0


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("rate", ["0", "1/3", "4/877", "1"])
def test_13_is_biased_upwards_by_enumeration_and_the_unbiased_form_is_not(size, metric, rate):
    true = real_share_variance(rate=rate, size=size, metric=metric)
    bias = expected_variance(SourceReading.PRINTED, rate=rate, size=size, metric=metric) - true
    assert bias == printed_bias(rate=rate, size=size, metric=metric)
    assert (bias == 0) if metric is PERFECT else (bias > 0)
    assert expected_variance(SourceReading.REAL_SHARE, rate=rate, size=size, metric=metric) == true


@pytest.mark.parametrize("size", [2, 3, 4])
def test_13_by_enumeration_of_every_real_and_observed_outcome(size):
    metric, rate = METRICS[1], Fraction(1, 3)
    law = list(joint_law(rate, metric, size))
    average = sum(Fraction(real, size) * weight for _, real, weight in law)
    true = sum((Fraction(real, size) - average) ** 2 * weight for _, real, weight in law)
    estimate = sum(
        Fraction(str(variance(performance((count, size), metric=metric), SourceReading.PRINTED))) * weight
        for count, _, weight in law
    )
    assert estimate - true == printed_bias(rate=rate, size=size, metric=metric) > 0


# -- 14: the interval ----------------------------------------------------------------------------------


def test_14_is_built_around_a_difference_that_it_has_no_variance_of():
    # On average p^O_T − p^O_C is the real difference only if δ = 1; eq. 14 puts the deviation of the real shares
    # around it. Here the real difference is half the observed one.
    metric = MetricModel("3/4", "1/4")
    comparison = compare(control=(10, 100), treatment=(50, 100), metric=metric)
    assert comparison.difference(Centre.REAL) == metric.slope * comparison.difference(Centre.OBSERVED)
    as_printed = built(comparison, SourceReading.PRINTED, Centre.OBSERVED).interval
    assert as_printed.lower > comparison.difference(Centre.REAL)  # the estimate itself is not even inside


def test_14_for_a_perfect_metric_model_is_8():
    comparison = compare(control=(10, 100), treatment=(30, 90), metric=PERFECT)
    deterministic, printed = (
        built(comparison, each) for each in (SourceReading.DETERMINISTIC, SourceReading.PRINTED)
    )
    assert (deterministic.interval, deterministic.decision) == (printed.interval, printed.decision)


def test_14_open_and_closed_ends_differ_where_an_end_is_0():
    # f = 1/2 and V = 1/4: with z = 1 the interval begins exactly at 0. Eq. 8 and 14 print open ends.
    decided = {}
    for ends in Ends:
        touching = compare(
            control=(0, 2), treatment=(1, 2), metric=PERFECT, critical=RationalCritical(1), ends=ends
        ).result("deterministic")
        assert touching.interval.lower == 0
        decided[ends] = touching.decision
    assert decided == {Ends.OPEN: Decision.HIGHER, Ends.CLOSED: Decision.NOT_SHOWN}


def test_errors_of_the_metric_model_may_also_lower_the_printed_variance():
    model = performance((50, 100), metric=MetricModel("1/2", 0))
    assert variance(model, SourceReading.PRINTED) < variance(model, SourceReading.DETERMINISTIC)


# -- 15 and 16: a perfect metric model ----------------------------------------------------------------


@given(st.integers(0, 30))
def test_15_a_perfect_metric_model_gives_the_deterministic_variance(count):
    model = performance((count, 30), metric=PERFECT)
    share = mpq(count, 30)
    assert variance(model, SourceReading.PRINTED) == share * (1 - share) / 29
    assert variance(model, SourceReading.PRINTED) == variance(model, SourceReading.DETERMINISTIC)


def test_16_holds_line_by_line():
    ones, size = symbols("N_1 N_C", positive=True)
    share = ones / size
    lines = [
        ones * (1 - share) ** 2 + (size - ones) * share**2,
        ones - 2 * ones * share + size * share**2,
        share * size - 2 * size * share**2 + size * share**2,
        share * (1 - share) * size,
    ]
    assert all(simplify(line - lines[0]) == 0 for line in lines)


# -- 17: more classes -----------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 9), rates), min_size=3, max_size=5))
def test_17_the_real_rate_with_more_classes_is_the_law_of_total_probability(classes):
    size = sum(count for count, _ in classes)
    if size < 2:
        return
    metric = MetricModel.of_classes({str(k): rate for k, (_, rate) in enumerate(classes)}, positive=["0"])
    model = performance({str(k): count for k, (count, _) in enumerate(classes)}, metric=metric)
    assert model.real_rate == sum(Fraction(count, size) * rate for count, rate in classes)


# -- 18 to 20: paired samples ---------------------------------------------------------------------------

PAIRS = {(0, 0): Fraction(5, 12), (0, 1): Fraction(1, 12), (1, 0): Fraction(2, 12), (1, 1): Fraction(4, 12)}


def real_covariance(law):
    """Cov(R_C, R_T) of a law of one question: {(R_C, R_T): probability}."""
    both = law[1, 1]
    return both - (law[1, 0] + law[1, 1]) * (law[0, 1] + law[1, 1])


def conditional_law(first, second):
    """The law of (R_C, R_T), each real label drawn by itself given both observed labels."""
    law = {pair: Fraction(0) for pair in itertools.product((0, 1), repeat=2)}
    for observed, weight in PAIRS.items():
        for left, right in law:
            chance = (first[observed] if left else 1 - first[observed]) * (
                second[observed] if right else 1 - second[observed]
            )
            law[left, right] += weight * chance
    return law


def test_the_sign_before_the_covariance_is_printed_wrong():
    # Var(T − C) over all tables of two paired questions: the sum of the variances minus twice the covariance.
    size = 2
    outcomes = {}
    for pair in itertools.product(PAIRS, repeat=size):
        left = Fraction(sum(observed for observed, _ in pair), size)
        right = Fraction(sum(observed for _, observed in pair), size)
        outcomes[pair] = (left, right, PAIRS[pair[0]] * PAIRS[pair[1]])

    def average(value):
        return sum(weight * value(left, right) for left, right, weight in outcomes.values())

    def spread(value):
        return average(lambda left, right: value(left, right) ** 2) - average(value) ** 2

    both = average(lambda left, right: left * right)
    covariance = both - average(lambda left, _: left) * average(lambda _, right: right)
    true = spread(lambda left, right: right - left)
    separate = spread(lambda left, _: left) + spread(lambda _, right: right)
    assert true == separate - 2 * covariance != separate + 2 * covariance
    assert covariance == real_covariance(PAIRS) / size  # eq. 18, first line: 1/N times that of one question


def test_18_the_covariance_of_two_zero_one_values_is_the_chance_of_both_less_the_product():
    # Its second line lacks an E before the last bracket, perhaps by extraction.
    law = conditional_law(*[{pair: Fraction(1, 3 + pair[0] + 2 * pair[1]) for pair in PAIRS}] * 2)
    first, second = law[1, 0] + law[1, 1], law[0, 1] + law[1, 1]
    by_definition = sum(weight * (left - first) * (right - second) for (left, right), weight in law.items())
    assert by_definition == real_covariance(law)


@pytest.mark.parametrize("metric", METRICS)
def test_19_and_20_under_both_assumptions_the_covariance_is_delta_squared_times_the_observed_one(metric):
    precision, false_omission = Fraction(str(metric.precision)), Fraction(str(metric.false_omission))
    own = [{pair: (precision if pair[side] else false_omission) for pair in PAIRS} for side in (0, 1)]
    law = conditional_law(*own)
    assert real_covariance(law) == Fraction(str(metric.slope)) ** 2 * real_covariance(PAIRS)


def test_19_needs_a_second_assumption_that_is_not_stated():
    # Given both observed labels the real ones are independent, as stated; but the control's real label follows the
    # treatment's observed one, so that the second step of eq. 19 fails.
    first = {(0, 0): Fraction(0), (0, 1): Fraction(1), (1, 0): Fraction(0), (1, 1): Fraction(1)}
    second = {pair: Fraction(pair[1]) for pair in PAIRS}
    law = conditional_law(first, second)
    weight = {x: PAIRS[x, 0] + PAIRS[x, 1] for x in (0, 1)}
    given_own = {x: sum(PAIRS[x, y] * first[x, y] for y in (0, 1)) / weight[x] for x in (0, 1)}
    as_printed = sum(given_own[x] * y * share for (x, y), share in PAIRS.items())
    assert as_printed != law[1, 1]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_20_is_unbiased_unlike_13(size):
    metric = METRICS[1]
    true = metric.slope**2 * mpq(real_covariance(PAIRS)) / size
    average = mpq(0)
    for questions in itertools.product(PAIRS, repeat=size):
        weight = Fraction(1)
        for pair in questions:
            weight *= PAIRS[pair]
        names = ("negative", "positive")
        joint = {}
        for left, right in questions:
            key = (names[left], names[right])
            joint[key] = joint.get(key, 0) + 1
        comparison = compare_paired(joint, metric=metric)
        parts = covariance_parts(
            comparison.control, comparison.treatment, VarianceReading.ESTIMATOR, joint=comparison.joint
        )
        average += mpq(weight) * parts.at(size)
    assert average == true


@given(st.lists(st.integers(0, 9), min_size=4, max_size=4), rates, rates)
def test_20_as_printed_is_the_covariance_of_the_library(counts, precision, false_omission):
    if sum(counts) < 2:
        return
    size = sum(counts)
    shares = dict(zip(PAIRS, (Fraction(count, size) for count in counts), strict=True))
    rate = (false_omission, precision)
    real = [sum(share * rate[pair[side]] for pair, share in shares.items()) for side in (0, 1)]
    printed = (sum(rate[x] * rate[y] * share for (x, y), share in shares.items()) - real[0] * real[1]) / (
        size - 1
    )
    names = ("negative", "positive")
    comparison = compare_paired(
        {(names[x], names[y]): count for (x, y), count in zip(PAIRS, counts, strict=True)},
        metric=MetricModel(precision, false_omission),
    )
    parts = covariance_parts(
        comparison.control, comparison.treatment, VarianceReading.ESTIMATOR, joint=comparison.joint
    )
    assert parts.at(size) == printed
