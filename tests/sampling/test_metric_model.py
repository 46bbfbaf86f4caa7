"""Metric models and performances: rates, variances of rates, samples of every form, and what is refused."""

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, EmptyTest, FloatRefused, NotANumber, NtqrExactError
from ntqr_exact.sampling.metric_model import MetricModel, performance

METRIC = MetricModel(precision="0.8897", false_omission="0.22769")
THREE = MetricModel.of_classes({"no": 0, "perhaps": "1/2", "yes": 1}, positive=["yes"])


def test_counts_give_rates_and_their_unbiased_variances():
    metric = MetricModel.from_counts(tp=6, fp=2, fn=1, tn=9)
    assert (metric.precision, metric.false_omission) == (mpq(3, 4), mpq(1, 10))
    assert [one.rate_variance for one in metric.classes] == [mpq(1, 100), mpq(3, 112)]


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
    ("call", "error"),
    [
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
def test_invalid_rates_and_samples_are_refused(call, error: type[NtqrExactError]):
    with pytest.raises(error):
        call()
