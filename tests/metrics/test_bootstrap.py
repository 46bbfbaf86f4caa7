"""The bootstrap by resampling: reproducible, fair, stratified on request, exact in its numbers."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotANumber, UndefinedMetric
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import average_precision
from ntqr_exact.metrics.bootstrap import (
    BootstrapDistribution,
    BootstrapMethod,
    QuantileDefinition,
    bootstrap,
    bootstrap_area,
    quantile,
)
from ntqr_exact.metrics.formulas import WhenUndefined
from ntqr_exact.metrics.multiclass import measure
from ntqr_exact.metrics.weights import ResampledWeights, Strata

NUMPY = {
    QuantileDefinition.INVERSE_CDF: "inverted_cdf",
    QuantileDefinition.AVERAGED_INVERSE_CDF: "averaged_inverted_cdf",
}
eighths = st.integers(0, 8).map(lambda k: mpq(k, 8))


@pytest.mark.parametrize("definition", list(QuantileDefinition))
@given(weights=st.lists(st.integers(1, 4), min_size=1, max_size=9), level=eighths)
def test_numpy_has_the_same_quantile_of_the_same_name(definition, weights, level):
    # Eighths and small whole numbers are exact in binary, so that numpy decides ties as we do.
    terms = [(mpq(k * k), weight) for k, weight in enumerate(weights)]
    numbers = [int(value) for value, weight in terms for _ in range(weight)]
    ours = quantile(terms, level, definition)
    assert ours == quantile([(mpq(number), 1) for number in numbers], level, definition)
    assert float(ours) == pytest.approx(np.quantile(numbers, float(level), method=NUMPY[definition]))


@pytest.mark.parametrize(
    ("terms", "level", "error"),
    [([(mpq(1), 1)], "1.1", BadNumber), ([(mpq(1), 1)], 0.5, FloatRefused), ([], "1/2", BadSamples)],
)
def test_bad_levels_and_no_numbers_are_refused(terms, level, error):
    with pytest.raises(error):
        quantile(terms, level)


def mean(items):
    return mpq(sum(items), len(items))


def precision(items):
    """Of pairs (predicted, actual)."""
    predicted = [actual for guess, actual in items if guess]
    return mean(predicted) if predicted else Undefined.NO_PREDICTED_POSITIVES


def draws(sample, strata=None, resamples=30, seed=1):
    found = []

    def keep(items):
        found.append(tuple(items))
        return 0

    bootstrap(sample, keep, resamples=resamples, seed=seed, strata=strata)
    return found[1:]  # the first is the sample


def test_the_draws_of_a_seed_are_the_same_everywhere():
    # Pinned: these may not change with the machine, the version of Python, or a new version of the library.
    drawn = draws(range(10), resamples=2, seed=2023)
    assert drawn == [(6, 7, 6, 5, 9, 9, 5, 1, 1, 4), (8, 8, 4, 2, 3, 2, 0, 3, 5, 1)]
    assert draws(range(10), resamples=5, seed=2023)[:2] == drawn


def test_the_same_seed_gives_the_same_result_and_another_seed_another():
    results = [bootstrap([0, 0, 1, 3, 8], mean, resamples=50, seed=seed) for seed in (7, 7, 8)]
    assert results[0] == results[1] != results[2]
    assert (results[0].total, results[0].estimate) == (50, mpq(12, 5))
    assert list(results[0].values) == sorted(results[0].values)
    with ThreadPoolExecutor(2) as pool:
        assert bootstrap([0, 0, 1, 3, 8], mean, resamples=50, seed=7, executor=pool) == results[0]


def test_strata_are_drawn_alone_and_keep_their_sizes():
    drawn = draws([10, 20, 11, 21], ["x", "y", "x", "y"])
    assert all([item // 10 for item in draw] == [1, 1, 2, 2] for draw in drawn)
    assert {draw[:2] for draw in drawn} == {(a, b) for a in (10, 11) for b in (10, 11)}
    assert len({tuple(sorted(item // 10 for item in draw)) for draw in draws([10, 20, 11, 21])}) > 1


def test_percentile_and_basic_intervals_are_those_computed_by_hand():
    sample = BootstrapDistribution(mpq(3), tuple((mpq(k), 1) for k in range(10)))
    percentile = sample.interval("4/5")
    assert (percentile.lower, percentile.upper) == (0, 8)
    basic = sample.interval("4/5", method=BootstrapMethod.BASIC)
    assert (basic.lower, basic.upper) == (6 - 8, 6 - 0)
    assert (basic.level, basic.method, sample.mean) == (mpq(4, 5), BootstrapMethod.BASIC, mpq(9, 2))


def test_undefined_resamples_are_counted_and_follow_the_named_policy():
    result = bootstrap([(1, 1), (0, 1), (0, 0)], precision, resamples=100, seed=4)
    assert result.values == ((1, 100 - result.undefined_weight),)
    assert result.undefined_weight > 0
    sample = BootstrapDistribution(mpq(1, 2), tuple((mpq(k, 4), 1) for k in (1, 2, 3)), 3)
    for policy, ends in (
        (None, (mpq(1, 4), mpq(3, 4))),
        (WhenUndefined.ZERO, (0, mpq(1, 2))),
        (WhenUndefined.ONE, (mpq(1, 2), 1)),
    ):
        interval = sample.interval("1/2", undefined=policy)
        assert (interval.lower, interval.upper) == ends
    with pytest.raises(UndefinedMetric):
        sample.interval(undefined=WhenUndefined.ERROR)
    never = bootstrap([(0, 1)], precision, resamples=3, seed=4)
    assert never.mean is Undefined.NO_SAMPLES
    assert (never.estimate, never.undefined_weight) == (Undefined.NO_PREDICTED_POSITIVES, 3)
    assert never.interval(undefined=WhenUndefined.ZERO).upper == 0
    for options in ({}, {"undefined": WhenUndefined.ZERO, "method": BootstrapMethod.BASIC}):
        with pytest.raises(UndefinedMetric):
            never.interval(**options)


def test_progress_is_called_after_each_resample_and_may_stop_the_run():
    calls = []
    bootstrap([1, 2], mean, resamples=5, seed=0, progress=calls.append)
    assert calls == [1] * 5

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bootstrap([1, 2], mean, resamples=5, seed=0, progress=stop)


@pytest.mark.parametrize(
    ("sample", "statistic", "options", "error"),
    [
        ([], mean, {}, BadSamples),
        ([1], mean, {"resamples": 0}, BadSamples),
        ([1, 2], mean, {"strata": ["a"]}, BadSamples),
        ([1, 2], lambda items: sum(items) / 2, {}, FloatRefused),
        ([1, 2], lambda items: None, {}, NotANumber),  # noqa: ARG005
        ([1, 2], mean, {"seed": -1}, BadNumber),
    ],
)
def test_bad_input_is_refused(sample, statistic, options, error):
    with pytest.raises(error):
        bootstrap(sample, statistic, **{"resamples": 5, "seed": 0, **options})


@pytest.mark.parametrize("level", [0, 1, "95"])
def test_a_level_is_between_zero_and_one(level):
    with pytest.raises(BadNumber):
        bootstrap([1, 2], mean, resamples=5, seed=0).interval(level)


def test_surds_are_resampled_and_ordered():
    pairs = [(1, 1), (0, 0), (1, 0), (0, 1), (1, 1), (1, 1)]
    found = bootstrap(pairs, lambda drawn: measure("mcc", *zip(*drawn, strict=True)), resamples=60, seed=2)
    assert found.estimate == measure("mcc", *zip(*pairs, strict=True))
    interval = found.interval("0.8")
    assert any(isinstance(value, Surd) and not value.is_rational for value, _ in found.values)
    assert -1 <= interval.lower <= interval.upper <= 1


LABELS, SCORES, NAMES = [1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1], list("aabbbb")


def test_weights_are_computed_anew_for_each_resample():
    populations = {"a": 10, "b": 90}
    weights = ResampledWeights(NAMES, populations)
    found = bootstrap_area(LABELS, SCORES, resamples=40, seed=5, weights=weights)

    def by_hand(drawn, importance):
        labels, scores, _ = zip(*drawn, strict=True)
        return average_precision(list(labels), list(scores), importance)

    def importance(drawn):
        names = [name for _, _, name in drawn]
        return Strata.of(names, populations).sample_weights(names)

    rows = list(zip(LABELS, SCORES, NAMES, strict=True))
    assert found == bootstrap(rows, by_hand, resamples=40, seed=5, weights=importance)
    assert found.redrawn > 0  # some resamples have no item of stratum a
    kept = bootstrap_area(LABELS, SCORES, weights(range(6)), resamples=40, seed=5)
    assert kept.estimate == found.estimate
    assert kept.values != found.values


def test_weights_that_never_exist_are_refused():
    with pytest.raises(BadSamples):
        bootstrap_area(LABELS, SCORES, resamples=3, seed=5, weights=ResampledWeights(NAMES, {"a": 10}))


def test_an_area_of_samples_that_are_each_a_stratum_does_not_vary():
    found = bootstrap_area(LABELS, SCORES, [1, 2, 3, 4, 5, 6], resamples=9, seed=1, strata=range(6))
    assert found.values == ((found.estimate, 9),)
    weightless = bootstrap_area(LABELS, SCORES, [1, 0, 0, 0, 0, 0], resamples=9, seed=1)
    assert weightless.undefined_weight > 0


def test_mean_and_basic_interval_of_surds_are_enclosed():
    sample = list(zip([1, 0, 1, 1, 0, 0, 1, 0], [1, 0, 0, 1, 0, 1, 1, 0], strict=True))
    result = bootstrap(sample, lambda rows: measure("mcc", *zip(*rows, strict=True)), resamples=40, seed=3)
    floats, weights = zip(*((float(value), weight) for value, weight in result.values), strict=True)
    assert float(result.mean) == pytest.approx(np.average(floats, weights=weights), abs=1e-12)
    percentile, basic = (result.interval("0.9", method=method) for method in ("percentile", "basic"))
    assert float(basic.lower) == pytest.approx(
        2 * float(result.estimate) - float(percentile.upper), abs=1e-12
    )
    assert float(basic.upper) == pytest.approx(
        2 * float(result.estimate) - float(percentile.lower), abs=1e-12
    )
    assert result.mean.upper - result.mean.lower < mpq(1, 2**100)
