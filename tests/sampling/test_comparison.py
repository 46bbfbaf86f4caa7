"""Comparisons: intervals, decisions, pairs, words; and sizes at which a decision would change."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, BadSamples, NotASurd, Undecided
from ntqr_exact.exact.surd import Surd
from ntqr_exact.sampling.comparison import READINGS, Centre, compare, compare_paired, decisions, explain
from ntqr_exact.sampling.exact_tests import mcnemar_test
from ntqr_exact.sampling.metric_model import MetricModel
from ntqr_exact.sampling.normal_interval import (
    Decision,
    Ends,
    NormalCritical,
    NormalInterval,
    RationalCritical,
)
from ntqr_exact.sampling.planning import plan, shown_probability
from ntqr_exact.sampling.variance import VarianceReading

METRIC = MetricModel("0.8897", "0.22769")
BOLD = compare(control=(108, 23679), treatment=(56, 23679), metric=METRIC)
Z = RationalCritical("1.96")


# -- critical values and intervals ---------------------------------------------------------------------


def test_the_ends_are_exact_surds_with_certified_decimals():
    interval = BOLD.results[1].interval
    assert isinstance(interval.lower, Surd)
    assert interval.lower + interval.upper == 2 * BOLD.difference()
    assert (interval.upper - interval.lower) ** 2 == 4 * Z.z**2 * BOLD.variance(VarianceReading.PRINTED)
    assert interval.decimals(12) == ("-0.009776499830", "0.005384422462")
    lower, upper = interval.enclose(80)
    assert (lower.decimal(12), upper.decimal(12)) == interval.decimals(12)


def test_the_true_quantile_has_enclosures_instead_of_surds():
    interval = NormalInterval(mpq(1), mpq(2), NormalCritical("0.95"))
    with pytest.raises(NotASurd, match="use enclose or decimals"):
        interval.lower  # noqa: B018
    # 1 ± 1.959963984540054… · √2
    assert interval.decimals(12) == ("-1.771807648699", "3.771807648699")
    assert interval.decimals(40)[1] == "3.7718076486993558905559474473803550433825"


def test_1_96_and_the_true_quantile_decide_differently_between_them():
    # z² lies between 3.8414 and 3.8415 for the true quantile, and is 3.8416 for 1.96.
    square, unit = mpq(38415, 10000), mpq(1)
    assert RationalCritical("1.96").compare_square(square, unit) == -1
    assert NormalCritical("0.95").compare_square(square, unit) == 1


def test_a_tie_is_exact_for_a_rational_z_and_open_or_closed_by_name():
    touching = [NormalInterval(mpq(49, 100), mpq(1, 16), Z, ends) for ends in (Ends.CLOSED, Ends.OPEN)]
    assert [interval.lower for interval in touching] == [0, 0]
    assert [interval.decision() for interval in touching] == [Decision.NOT_SHOWN, Decision.HIGHER]
    assert [str(interval) for interval in touching] == ["[0.000000, 0.980000]", "(0.000000, 0.980000)"]


def test_what_an_enclosure_cannot_tell_is_undecided_never_guessed():
    lower = NormalCritical("0.95").enclose(400).lower
    close = NormalCritical("0.95", budget=256)
    with pytest.raises(Undecided):
        NormalInterval(lower, mpq(1), close).decision()
    assert NormalInterval(lower, mpq(1), NormalCritical("0.95")).decision() is Decision.NOT_SHOWN


@pytest.mark.parametrize("critical", [Z, NormalCritical("0.95")])
@pytest.mark.parametrize("ends", list(Ends))
def test_no_variance_decides_for_any_difference_and_none_for_no_difference(critical, ends):
    assert NormalInterval(mpq(1, 9), mpq(0), critical, ends).decision() is Decision.HIGHER
    assert NormalInterval(mpq(-1, 9), mpq(0), critical, ends).decision() is Decision.LOWER
    assert NormalInterval(mpq(0), mpq(0), critical, ends).decision() is Decision.NOT_SHOWN


@pytest.mark.parametrize("level", [0, 1, "1.5", -1, "95"])
def test_a_level_lies_strictly_between_0_and_1(level):
    with pytest.raises(BadNumber, match=r"strictly between 0 and 1; write 0\.95 for 95 %"):
        NormalCritical(level)


@pytest.mark.parametrize("z", [0, "-1.96"])
def test_a_critical_value_is_positive(z):
    with pytest.raises(BadNumber, match="greater than 0"):
        RationalCritical(z)


def test_a_negative_variance_is_refused():
    with pytest.raises(BadNumber, match="a variance must not be negative"):
        NormalInterval(mpq(0), mpq(-1), Z)


def test_critical_values_tell_their_level():
    assert str(Z) == "z = 49/25 (a level of 0.950004)"
    assert str(NormalCritical("0.95")) == "z ≈ 1.959963985, the true quantile for the level 19/20"


# -- comparisons ---------------------------------------------------------------------------------------

counts = st.integers(0, 40)
rates = st.fractions(0, 1, max_denominator=9)


@given(counts, counts, rates, rates)
def test_the_estimator_decides_as_the_deterministic_reading_since_the_slope_cancels(left, right, pi, phi):
    comparison = compare(control=(left, 40), treatment=(right, 40), metric=MetricModel(pi, phi))
    plain = comparison.result(VarianceReading.DETERMINISTIC, Centre.OBSERVED).decision
    scaled = comparison.result(VarianceReading.ESTIMATOR, Centre.REAL).decision
    mirrored = {Decision.HIGHER: Decision.LOWER, Decision.LOWER: Decision.HIGHER}
    if pi > phi:
        assert scaled is plain
    elif pi < phi:
        assert scaled is mirrored.get(plain, plain)
    else:
        assert scaled is Decision.NOT_SHOWN


@given(counts, counts, rates, rates)
def test_exchanging_control_and_treatment_mirrors_every_interval(left, right, pi, phi):
    metric = MetricModel(pi, phi)
    one = compare(control=(left, 40), treatment=(right, 50), metric=metric)
    other = compare(control=(right, 50), treatment=(left, 40), metric=metric)
    for first, second in zip(one.results, other.results, strict=True):
        assert first.interval.lower == -second.interval.upper
        assert first.interval.variance == second.interval.variance


def test_the_results_stand_in_the_order_of_the_readings():
    assert tuple((result.reading, result.centre) for result in BOLD.results) == READINGS
    assert {reading for reading, _ in READINGS} == set(VarianceReading)


def test_more_overlap_means_less_variance():
    found = [
        compare(control=(30, 100), treatment=(20, 100), metric=METRIC, both=both).variance(reading)
        for reading in (VarianceReading.DETERMINISTIC, VarianceReading.PRINTED)
        for both in (0, 6, 20)
    ]
    independent = compare(control=(30, 100), treatment=(20, 100), metric=METRIC)
    assert found[0] > found[1] > found[2]
    assert found[3] > found[4] > found[5]
    # An overlap of exactly 30 · 20/100 is no covariance.
    assert found[1] == independent.variance(VarianceReading.DETERMINISTIC)
    assert found[4] == independent.variance(VarianceReading.PRINTED)


def test_pairs_by_name_and_an_overlap_are_the_same_thing():
    joint = {("positive", "positive"): 6, ("positive", "negative"): 24, ("negative", "positive"): 14}
    by_name = compare_paired({**joint, ("negative", "negative"): 56}, metric=METRIC)
    assert by_name == compare(control=(30, 100), treatment=(20, 100), metric=METRIC, both=6)
    assert by_name.joint == ((56, 14), (24, 6))


def test_two_metric_models_have_the_product_of_their_slopes_before_the_covariance():
    left, right = MetricModel("9/10", "1/5"), MetricModel("4/5", "3/10")
    comparison = compare(control=(30, 100), treatment=(20, 100), metric=(left, right), both=15)
    independent = compare(control=(30, 100), treatment=(20, 100), metric=(left, right))
    covariance = mpq(7, 10) * mpq(1, 2) * (mpq(15, 100) - mpq(30, 100) * mpq(20, 100)) / 99
    reading = VarianceReading.PRINTED
    assert comparison.variance(reading) == independent.variance(reading) - 2 * covariance
    assert comparison.difference(Centre.REAL) == mpq(3, 10) + mpq(1, 2) * mpq(1, 5) - mpq(1, 5) - mpq(
        7, 10
    ) * mpq(3, 10)


def test_pairs_of_more_classes():
    metric = MetricModel.of_classes({"a": 0, "b": "1/2", "c": 1}, positive=["c"])
    comparison = compare_paired({("a", "b"): 1, ("b", "c"): 2, ("c", "c"): 1}, metric=metric)
    # Real rates by pair: (0, 1/2), (1/2, 1) twice, (1, 1); differences 1/2, 1/2, 1/2, 0.
    assert comparison.difference(Centre.REAL) == mpq(3, 8)
    assert comparison.variance(VarianceReading.ESTIMATOR) == mpq(3, 64) / 3
    assert comparison.difference() == mpq(1, 2)


def test_impossible_pairs_are_refused():
    with pytest.raises(BadNumber, match="from 0 to 20 questions are positive in both"):
        compare(control=(30, 100), treatment=(20, 100), metric=METRIC, both=21)
    with pytest.raises(BadNumber, match="from 50 to 70 questions"):
        compare(control=(80, 100), treatment=(70, 100), metric=METRIC, both=49)
    with pytest.raises(BadNumber, match="one output of each model per question"):
        compare(control=(30, 100), treatment=(20, 101), metric=METRIC, both=2)
    with pytest.raises(BadNumber, match="a pair is a class observed of the control"):
        compare_paired({("positive", "perhaps"): 3}, metric=METRIC)
    three = MetricModel.of_classes({"a": 0, "b": "1/2", "c": 1}, positive=["c"])
    sample = {"a": 1, "b": 1, "c": 1}
    with pytest.raises(BadNumber, match="use compare_paired"):
        compare(control=sample, treatment=sample, metric=three, both=1)


# -- words -----------------------------------------------------------------------------------------------


def test_the_readings_that_differ_are_told_by_what_they_decide():
    assert [(decision, len(results)) for decision, results in decisions(BOLD).items()] == [
        (Decision.LOWER, 3),
        (Decision.NOT_SHOWN, 4),
    ]
    words = explain(BOLD)
    assert "the treatment is lower: deterministic, estimator, estimated-rates" in words
    assert "no difference is shown: printed around the observed difference, printed around the real" in words
    assert "δ scales the difference and its deviation alike" in words
    assert "taken as known: estimated-rates equals estimator" in words


@pytest.mark.parametrize(
    ("metric", "samples", "sentence"),
    [
        (METRIC, ((1, 9), (1, 9)), "All readings agree: no difference is shown."),
        (METRIC, ((1, 9), (1, 9)), "The observed shares are equal"),
        (MetricModel("1/3", "1/3"), ((0, 9), (9, 9)), "the observed labels say nothing about real ones"),
        (MetricModel("1/4", "3/4"), ((0, 9), (9, 9)), "with the sides exchanged, as δ < 0"),
        (MetricModel(1, 0), ((0, 9), (9, 9)), "The metric model is perfect"),
    ],
)
def test_what_follows_from_the_numbers_is_said(metric, samples, sentence):
    assert sentence in explain(compare(control=samples[0], treatment=samples[1], metric=metric))


def test_estimated_rates_are_not_called_known():
    metric = MetricModel.from_counts(tp=9, fp=1, fn=2, tn=8)
    assert "taken as known" not in explain(compare(control=(1, 9), treatment=(3, 9), metric=metric))


# -- sizes -----------------------------------------------------------------------------------------------


def first_shown(comparison, reading, centre, sizes):
    """The first of some sizes at which f² > z²V, if there is one."""
    parts, square = comparison.parts(reading), comparison.difference(centre) ** 2
    return next((size for size in sizes if square > comparison.critical.z**2 * parts.at(size)), None)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 4), rates, rates)
def test_the_smallest_size_is_the_first_at_which_the_difference_is_shown(left, right, step, pi, phi):
    metric = MetricModel(pi, phi, precision_variance=Fraction(step, 3000))
    comparison = compare(control=(left, 12), treatment=(right, 12), metric=metric)
    for reading, centre in READINGS:
        smallest = plan(comparison, reading, centre, power="1/2").smallest_size
        first = first_shown(comparison, reading, centre, range(2, 120))
        if first is not None or smallest is None:
            assert smallest == first
        else:
            assert smallest >= 120
            assert first_shown(comparison, reading, centre, [smallest - 1, smallest]) == smallest


def test_sizes_for_bold_come_out_and_agree_with_the_closed_form():
    sizes = [plan(BOLD, reading, centre, power="1/2").smallest_size for reading, centre in READINGS]
    assert sizes == [5498, 282136, 643766, 643765, 5498, 638269, 5498]
    parts, difference = BOLD.parts(VarianceReading.PRINTED), BOLD.difference()
    # f²(N − 1) > z²a, strictly: N = ⌊z²a/f²⌋ + 2.
    assert int(Z.z**2 * parts.per_degree / difference**2) + 2 == 282136


@pytest.mark.parametrize("both", [None, 1, 9])
@pytest.mark.parametrize("reading", list(VarianceReading))
def test_at_one_size_for_both_the_parts_add_up_to_the_variance(reading, both):
    metric = MetricModel("4/5", "1/10", precision_variance="1/30", false_omission_variance="1/70")
    comparison = compare(control=(10, 30), treatment=(20, 30), metric=metric, both=both)
    assert comparison.parts(reading).at(30) == comparison.variance(reading)


def test_an_interval_shows_itself_in_a_notebook():
    interval = NormalInterval(mpq(-1, 2), mpq(1, 50), RationalCritical(2))
    assert interval._repr_latex_() == r"$\left[\frac{-5 - 2 \sqrt{2}}{10}, \frac{-5 + 2 \sqrt{2}}{10}\right]$"
    true = NormalInterval(mpq(0), mpq(1), NormalCritical("0.95"), Ends.OPEN)
    assert true._repr_latex_() == r"$\left(-1.959964, 1.959964\right)$"


@pytest.mark.parametrize(("reading", "centre"), READINGS)
@pytest.mark.parametrize("treatment", [(1, 30), (9, 30), (20, 30)])
def test_the_plan_agrees_with_the_decision_at_the_present_size(reading, centre, treatment):
    comparison = compare(control=(10, 30), treatment=treatment, metric=MetricModel("4/5", "1/10"), both=1)
    smallest = plan(comparison, reading, centre, power="1/2").smallest_size
    decided = comparison.result(reading, centre).decision
    assert (decided is not Decision.NOT_SHOWN) == (smallest is not None and smallest <= 30)


def test_a_fixed_part_may_hide_a_difference_at_every_size():
    metric = MetricModel("1/2", "2/5", precision_variance="1/100", false_omission_variance="1/100")
    comparison = compare(control=(1, 10), treatment=(3, 10), metric=metric)
    found = plan(comparison, VarianceReading.ESTIMATED_RATES, Centre.REAL)
    assert found.smallest_size is None
    assert str(found) == "no difference is shown in 4/5 of all samples at any N"


def test_a_tie_in_the_limit_is_never_shown_but_one_that_is_reached_is_by_open_ends():
    # f = δ(p_T − p_C) and c = (p_T − p_C)²(Var π̂ + Var φ̂): a tie at z = 2 as δ² = 1/4 = 4 · 1/16.
    metric = MetricModel("3/4", "1/4", precision_variance="1/32", false_omission_variance="1/32")
    reading, centre = VarianceReading.ESTIMATED_RATES, Centre.REAL
    found = {}
    for ends in Ends:
        for treatment in (5, 10):
            comparison = compare(
                control=(0, 10),
                treatment=(treatment, 10),
                metric=metric,
                critical=RationalCritical(2),
                ends=ends,
            )
            found[ends, treatment] = plan(comparison, reading, centre, power="1/2").smallest_size
    assert found == {
        (Ends.OPEN, 5): None,
        (Ends.CLOSED, 5): None,
        (Ends.OPEN, 10): 2,
        (Ends.CLOSED, 10): None,
    }


def test_no_difference_is_never_shown_and_a_certain_one_always():
    equal = compare(control=(3, 10), treatment=(3, 10), metric=METRIC)
    assert plan(equal, VarianceReading.PRINTED, Centre.REAL).smallest_size is None
    certain = compare(control=(0, 10), treatment=(10, 10), metric=MetricModel(1, 0))
    always = plan(certain, VarianceReading.DETERMINISTIC, Centre.OBSERVED)
    assert (always.smallest_size, str(always)) == (
        2,
        "the treatment is higher, in 4/5 of all samples at every N",
    )


def test_the_ends_and_the_kind_of_critical_value_enter_the_plan():
    # f = 1/2, a = 1/4 with z = 1: f² = z²V exactly at N = 2.
    one = RationalCritical(1)
    open_ends = compare(
        control=(0, 2), treatment=(1, 2), metric=MetricModel(1, 0), critical=one, ends=Ends.OPEN
    )
    closed = compare(control=(0, 2), treatment=(1, 2), metric=MetricModel(1, 0), critical=one)
    reading, centre = READINGS[0]
    assert [plan(each, reading, centre, power="1/2").smallest_size for each in (open_ends, closed)] == [2, 3]
    true = compare(
        control=(108, 23679), treatment=(56, 23679), metric=METRIC, critical=NormalCritical("0.95")
    )
    assert plan(true, reading, centre, power="1/2").smallest_size == 5497


@pytest.mark.parametrize("power", ["1/2", "0.8", "0.9"])
def test_a_planned_size_has_its_power_when_all_samples_are_counted(power):
    comparison = compare(control=(15, 20), treatment=(9, 20), metric=METRIC)
    reading, centre = READINGS[0]
    planned = plan(comparison, reading, centre, power=power)
    found = shown_probability(comparison, reading, centre, size=planned.smallest_size)
    assert abs(found - mpq(power if "/" in power else Fraction(power))) < mpq(1, 25)


@pytest.mark.parametrize("power", ["0.49", 1, "1.2"])
def test_a_power_is_from_one_half_on_and_below_1(power):
    with pytest.raises(BadNumber, match="a power lies from 1/2 on"):
        plan(BOLD, *READINGS[0], power=power)


def test_columns_of_outcomes_are_counted_and_pairs_of_columns_are_paired():
    left, right = [1, 1, 0, 0, 1, 0, 1, 0], [True, False, False, False, True, True, False, False]
    counts = compare(control=(4, 8), treatment=(3, 8), metric=METRIC, both=2)
    assert compare(control=left, treatment=np.array(right), metric=METRIC, both=2) == counts
    assert compare_paired(left, right, metric=METRIC) == counts
    assert compare_paired(pd.Series(left), pd.Series(right), metric=METRIC) == counts
    assert counts.exact_p_value() == mcnemar_test(2, 1)
    with pytest.raises(BadSamples, match="different indices"):
        compare_paired(pd.Series(left), pd.Series(right, index=range(1, 9)), metric=METRIC)
    with pytest.raises(BadNumber, match="per question"):
        compare_paired(left, right[1:], metric=METRIC)
    with pytest.raises(BadNumber, match="outcome 2 is none of"):
        compare_paired(left, [1, "maybe", *right[2:]], metric=METRIC)
    with pytest.raises(BadNumber, match="one of the treatment"):
        compare_paired(left, metric=METRIC)


def test_small_counts_are_cautioned_about_and_large_ones_are_not():
    few = compare(control=(0, 2), treatment=(2, 2), metric=METRIC)
    assert few.results[0].decision is Decision.HIGHER
    assert few.exact_p_value() == mpq(1, 3)
    assert [caution.split(" ")[2] for caution in few.cautions] == ["control", "treatment"]
    assert "too few outputs for a normal interval" in explain(few)
    assert BOLD.cautions == ()
    assert [compare(control=(k, 30), treatment=(9, 30), metric=METRIC).cautions == () for k in (4, 5)] == [
        False,
        True,
    ]


def test_readings_without_a_target_say_so():
    targets = {reading for reading in VarianceReading if reading.target is None}
    assert targets == {VarianceReading.PRINTED, VarianceReading.REAL_SHARE}
    assert "cover neither the real share of all outputs nor that of new ones" in explain(BOLD)


def test_a_sample_of_nothing_shows_nothing():
    comparison = compare(control=(1, 2), treatment=(1, 4), metric=MetricModel(1, 0))
    with pytest.raises(BadNumber, match="at least one output"):
        shown_probability(comparison, "deterministic", "observed", size=0)


@pytest.mark.parametrize("pair", [1, None, True, "positive", ("positive",)])
def test_a_pair_that_is_none_is_refused(pair):
    with pytest.raises(BadNumber, match="a pair is a class observed"):
        compare_paired({pair: 2}, metric=MetricModel(1, 0))


@pytest.mark.parametrize("outcome", [[], ([],), {}, "neither", 2, None])
def test_an_outcome_that_is_none_is_refused_by_its_place(outcome):
    with pytest.raises(BadNumber, match="outcome 2 is none of 'negative', 'positive', False, True"):
        compare(control=[1, outcome, 0], treatment=[1, 0, 1], metric=MetricModel(1, 0))
