"""The bootstrap by resampling: reproducible, fair, stratified on request, exact in its numbers."""

import random
from collections import Counter
from itertools import islice

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotANumber, UndefinedMetric
from ntqr_exact.exact.seeded_draws import below
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.bootstrap import (
    BootstrapSample,
    bootstrap,
    bootstrap_area,
    bootstrap_places,
    resampled,
)
from ntqr_exact.metrics.bootstrap_interval import BootstrapMethod, QuantileDefinition, UndefinedResamples


def mean(items):
    return mpq(sum(items), len(items))


def precision(items):
    """Of pairs (predicted, actual)."""
    predicted = [actual for guess, actual in items if guess]
    return mean(predicted) if predicted else Undefined.NO_PREDICTED_POSITIVES


def test_the_draws_of_a_seed_are_the_same_everywhere():
    # Pinned: these places may not change with the machine, the version of Python, or a new version of the library.
    places = list(islice(resampled(range(10), lambda items: int("".join(map(str, items))), seed=2023), 2))
    assert places == [6765995114, 8842320351]


def test_every_place_is_drawn_about_equally_often():
    counts = Counter(below(bits, 6) for bits in [random.Random(5)] for _ in range(6000))
    assert sorted(counts) == list(range(6))
    # Five standard deviations of Bin(6000, 1/6) are 144.
    assert all(abs(count - 1000) < 144 for count in counts.values())


def test_the_same_seed_gives_the_same_result_and_another_seed_another():
    results = [bootstrap([0, 0, 1, 3, 8], mean, resamples=50, seed=seed) for seed in (7, 7, 8)]
    assert results[0] == results[1] != results[2]
    assert results[0].resamples == 50
    assert list(results[0].values) == sorted(results[0].values)
    assert results[0].estimate == mpq(12, 5)


def test_more_resamples_begin_with_the_fewer_ones():
    stream = list(islice(resampled([0, 1, 5], mean, seed=3), 30))
    assert tuple(sorted(stream)) == bootstrap([0, 1, 5], mean, resamples=30, seed=3).values


def test_strata_keep_their_sizes():
    sample, strata = list("aaabbc"), [1, 1, 1, 2, 2, 3]

    def check(items):
        assert Counter(items) == {"a": 3, "b": 2, "c": 1}
        return 0

    bootstrap(sample, check, resamples=20, seed=1, strata=strata)
    seen = {tuple(sorted(Counter(draw).items())) for draw in draws(sample, None)}
    assert len(seen) > 1


def draws(sample, strata):
    found = []

    def keep(items):
        found.append(tuple(items))
        return 0

    list(islice(resampled(sample, keep, seed=1, strata=strata), 30))
    return found


def test_strata_are_drawn_by_themselves():
    drawn = draws([10, 20, 11, 21], ["x", "y", "x", "y"])
    assert all(
        {item // 10 for item in draw[:2]} == {1} and {item // 10 for item in draw[2:]} == {2}
        for draw in drawn
    )
    assert {draw[:2] for draw in drawn} == {(a, b) for a in (10, 11) for b in (10, 11)}


def test_percentile_and_basic_intervals_by_hand():
    sample = BootstrapSample(mpq(3), tuple(mpq(k) for k in range(10)), 0)
    percentile = sample.interval("4/5")
    assert (percentile.lower, percentile.upper) == (0, 8)
    basic = sample.interval("4/5", method=BootstrapMethod.BASIC)
    assert (basic.lower, basic.upper) == (6 - 8, 6 - 0)
    linear = sample.interval("4/5", quantiles=QuantileDefinition.LINEAR)
    assert (linear.lower, linear.upper) == (mpq(9, 10), mpq(81, 10))
    assert (linear.level, linear.method) == (mpq(4, 5), BootstrapMethod.PERCENTILE)


def test_undefined_resamples_follow_the_named_policy():
    sample = BootstrapSample(mpq(1, 2), (mpq(1, 4), mpq(1, 2), mpq(3, 4)), 3)
    ends = {
        policy: (
            sample.interval("1/2", undefined=policy).lower,
            sample.interval("1/2", undefined=policy).upper,
        )
        for policy in (UndefinedResamples.OMIT, UndefinedResamples.ZERO, UndefinedResamples.ONE)
    }
    assert ends == {
        UndefinedResamples.OMIT: (mpq(1, 4), mpq(3, 4)),
        UndefinedResamples.ZERO: (0, mpq(1, 2)),
        UndefinedResamples.ONE: (mpq(1, 2), 1),
    }
    with pytest.raises(UndefinedMetric):
        sample.interval(undefined=UndefinedResamples.ERROR)
    assert BootstrapSample(mpq(0), (mpq(0),), 0).interval(undefined=UndefinedResamples.ERROR).lower == 0


def test_undefined_resamples_are_counted():
    pairs = [(1, 1), (0, 1), (0, 0)]
    result = bootstrap(pairs, precision, resamples=100, seed=4)
    assert 0 < result.undefined < 100
    assert result.undefined + len(result.values) == 100
    assert set(result.values) == {1}


def test_nothing_defined_has_no_interval():
    result = bootstrap([(0, 1)], precision, resamples=3, seed=4)
    assert result.estimate is Undefined.NO_PREDICTED_POSITIVES
    assert result.undefined == 3
    with pytest.raises(UndefinedMetric):
        result.interval()
    assert result.interval(undefined=UndefinedResamples.ZERO).upper == 0
    with pytest.raises(UndefinedMetric):
        result.interval(undefined=UndefinedResamples.ZERO, method=BootstrapMethod.BASIC)


def test_progress_is_told_of_each_resample_and_may_stop_the_run():
    told = []
    bootstrap([1, 2], mean, resamples=5, seed=0, progress=told.append)
    assert told == [1] * 5

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bootstrap([1, 2], mean, resamples=5, seed=0, progress=stop)


def test_bad_input_is_refused():
    with pytest.raises(BadSamples):
        bootstrap([], mean, resamples=5, seed=0)
    with pytest.raises(BadSamples):
        bootstrap([1], mean, resamples=0, seed=0)
    with pytest.raises(BadSamples):
        bootstrap([1, 2], mean, resamples=5, seed=0, strata=["a"])
    with pytest.raises(FloatRefused):
        bootstrap([1, 2], lambda items: sum(items) / 2, resamples=5, seed=0)
    with pytest.raises(NotANumber):
        bootstrap([1, 2], lambda items: None, resamples=5, seed=0)  # noqa: ARG005
    with pytest.raises(BadNumber):
        bootstrap([1, 2], mean, resamples=5, seed=-1)
    for level in (0, 1, "95"):
        with pytest.raises(BadNumber):
            bootstrap([1, 2], mean, resamples=5, seed=0).interval(level)


@pytest.mark.parametrize("size", [1, 5, 300])
def test_places_are_resampled_as_the_items_of_a_range_are(size):
    def share(places):
        return mean(list(map(int, places)))

    assert bootstrap_places(size, share, resamples=7, seed=2) == bootstrap(
        range(size), share, resamples=7, seed=2
    )


def test_an_area_of_samples_that_are_each_a_stratum_does_not_vary():
    labels, scores, weights = [1, 0, 1, 0, 1], [5, 4, 3, 2, 1], [1, 2, 3, 4, 5]
    found = bootstrap_area(labels, scores, weights, resamples=9, seed=1, strata=range(5))
    assert set(found.values) == {found.estimate}
