"""Metric models and performances: what goes in, what is refused, what is pasted back."""

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, EmptyTest, FloatRefused, NotANumber
from ntqr_exact.sampling.metric_model import MetricModel, performance

METRIC = MetricModel(precision="0.8897", false_omission="0.22769")
THREE = MetricModel.of_classes({"no": 0, "perhaps": "1/2", "yes": 1}, positive=["yes"])


def test_the_slope_is_precision_less_false_omission():
    assert (METRIC.precision, METRIC.false_omission) == (mpq(8897, 10000), mpq(22769, 100000))
    assert METRIC.slope == mpq(66201, 100000)
    assert not METRIC.is_estimated


def test_counts_give_rates_and_their_unbiased_variances():
    metric = MetricModel.from_counts(tp=6, fp=2, fn=1, tn=9)
    assert (metric.precision, metric.false_omission) == (mpq(3, 4), mpq(1, 10))
    assert [one.rate_variance for one in metric.classes] == [mpq(1, 100), mpq(3, 112)]
    assert metric.is_estimated


@pytest.mark.parametrize(
    "metric",
    [
        METRIC,
        THREE,
        MetricModel.from_counts(tp=6, fp=2, fn=1, tn=9),
        MetricModel(1, 0, precision_variance="1/9"),
    ],
)
def test_a_metric_model_can_be_pasted_back_and_hashed(metric):
    again = eval(repr(metric), {"MetricModel": MetricModel})
    assert again == metric
    assert hash(again) == hash(metric)


def test_only_a_model_that_is_always_right_is_perfect():
    assert MetricModel(1, 0).is_perfect
    assert not MetricModel(0, 1).is_perfect
    assert not METRIC.is_perfect


@pytest.mark.parametrize("rate", ["1.0001", "-1/10", 2])
def test_a_probability_outside_0_and_1_is_refused(rate):
    for build in (lambda: MetricModel(rate, 0), lambda: MetricModel(1, rate)):
        with pytest.raises(BadNumber, match="a probability must lie between 0 and 1"):
            build()


def test_floats_and_truth_values_are_refused():
    with pytest.raises(FloatRefused):
        MetricModel(0.8897, "0.22769")
    with pytest.raises(NotANumber):
        MetricModel(True, 0)
    with pytest.raises(FloatRefused):
        performance((108.0, 23679), metric=METRIC)


def test_a_negative_variance_is_refused():
    with pytest.raises(BadNumber, match="a variance must not be negative"):
        MetricModel(1, 0, precision_variance=-1)


@pytest.mark.parametrize("counts", [(1, 0, 5, 5), (5, 5, 0, 1), (0, 0, 5, 5)])
def test_one_labelled_output_of_a_class_has_no_variance(counts):
    tp, fp, fn, tn = counts
    with pytest.raises(BadNumber, match="at least 2 outputs observed as"):
        MetricModel.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)


def test_classes_must_be_two_or_more_and_known():
    with pytest.raises(BadNumber, match="at least two classes"):
        MetricModel.of_classes({"yes": 1}, positive=["yes"])
    with pytest.raises(BadNumber, match="a class is one of 'no', 'yes'"):
        MetricModel.of_classes({"no": 0, "yes": 1}, positive=["maybe"])
    with pytest.raises(BadNumber, match="a class is one of"):
        MetricModel.of_classes({"no": 0, "yes": 1}, positive=["yes"], variances={"maybe": 0})
    with pytest.raises(BadNumber, match="only a metric model of two classes"):
        THREE.precision  # noqa: B018


def test_the_real_rate_is_a_line_in_the_observed_rate():
    for count in range(11):
        model = performance((count, 10), metric=METRIC)
        assert model.observed_rate == mpq(count, 10)
        assert model.real_rate == METRIC.false_omission + METRIC.slope * mpq(count, 10)


def test_classes_are_counted_by_name_in_any_order():
    model = performance({"yes": 1, "no": 2, "perhaps": 2}, metric=THREE)
    assert (model.counts, model.size) == ((2, 2, 1), 5)
    assert (model.observed_rate, model.real_rate) == (mpq(1, 5), mpq(2, 5))
    assert performance({"positive": 3, "negative": 7}, metric=METRIC) == performance((3, 10), metric=METRIC)


@pytest.mark.parametrize(
    ("sample", "error", "rule"),
    [
        ((0, 0), EmptyTest, "a sample holds outputs"),
        ((1, 1), BadNumber, "at least 2 outputs"),
        ((3, 2), BadNumber, "at most as many positives as outputs"),
        ((-1, 2), BadNumber, "must not be negative"),
        (("1/2", 2), BadNumber, "must be a whole number"),
        ((1, 2, 3), BadNumber, "outcome 2 is none of"),
        ("12", BadNumber, "a sample is a pair"),
        ({"positive": 1}, BadNumber, "a count for each class: 'negative', 'positive'"),
    ],
)
def test_a_sample_that_is_none_is_refused_with_its_rule(sample, error, rule):
    with pytest.raises(error, match=rule):
        performance(sample, metric=METRIC)


def test_a_pair_does_not_tell_three_classes_apart():
    with pytest.raises(BadNumber, match="give a count for each of 'no', 'perhaps', 'yes'"):
        performance((1, 2), metric=THREE)
