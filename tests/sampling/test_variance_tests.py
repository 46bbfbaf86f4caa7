"""Student's and Welch's t, F, Cohen's f² and power, against scipy and statsmodels."""

import numpy as np
import pytest
from gmpy2 import mpq
from scipy import special, stats
from statsmodels.stats.power import FTestPower

from ntqr_exact.errors import BadNumber
from ntqr_exact.sampling.beta_probability import _series, enclose_beta_probability, enclose_beta_quantile
from ntqr_exact.sampling.variance_tests import Variances, cohen_f_squared, f_tail, f_test_power, t_test


@pytest.mark.parametrize(("a", "b"), [("1/2", "1/2"), (2, 3), ("7/3", 50), (200, "1/2"), ("1/2", 23678)])
@pytest.mark.parametrize("x", ["0.0001", "0.3", "1/2", "0.6", "0.9999"])
def test_the_enclosure_of_a_beta_probability_is_narrow_and_holds_that_of_scipy(x, a, b):
    found = enclose_beta_probability(x, a, b)
    theirs = special.betainc(float(mpq(a)), float(mpq(b)), float(mpq(x)))
    assert found.width <= mpq(1, 2**60)
    assert abs(float(found) - theirs) <= 1e-11 * max(theirs, 1e-300) + 1e-15


def test_a_beta_quantile_is_where_the_tail_is():
    found = enclose_beta_quantile("1/20", "3/2", 20)
    assert found.width <= mpq(1, 2**60)
    assert abs(float(found) - stats.beta.isf(0.05, 1.5, 20)) < 1e-12


@pytest.mark.parametrize("variances", Variances)
def test_t_tests_are_those_of_scipy(variances):
    left, right = [1, 2, 4, 4, 7], [mpq(5, 2), 6, 9, 3, 11, 12]
    found = t_test(left, np.array(right, dtype=object), variances=variances)
    theirs = stats.ttest_ind([float(x) for x in right], left, equal_var=variances is Variances.POOLED)
    assert abs(float(found.t) - theirs.statistic) < 1e-12
    assert abs(float(found.degrees) - theirs.df) < 1e-12
    assert abs(float(found.p_value) - theirs.pvalue) < 1e-12


def test_counts_are_columns_of_zeros_and_ones():
    assert t_test((1, 3), (3, 4)) == t_test([0, 1, 0], [1, 1, 0, 1])


def test_the_tail_of_f_is_that_of_scipy():
    assert abs(float(f_tail("49/25", 3, 20)) - stats.f.sf(1.96, 3, 20)) < 1e-12


@pytest.mark.parametrize(("effect", "u", "v"), [("0.1", 3, 40), ("0.02", 6, 300), (0, 2, 10)])
def test_the_power_of_f_is_that_of_the_noncentral_distribution(effect, u, v):
    found = f_test_power(effect, u, v)
    size = float(mpq(effect)) * (u + v + 1)
    theirs = stats.ncf.sf(stats.f.isf(0.05, u, v), u, v, size) if size else 0.05
    assert found.width < mpq(1, 10**9)
    assert abs(float(found) - theirs) < 1e-8
    if size:
        peer = FTestPower().power(float(mpq(effect)) ** 0.5, v, u, 0.05)
        assert abs(float(found) - peer) < 1e-8


def test_effects_are_ratios_of_squares():
    assert cohen_f_squared("0.02", "0.98") == mpq(1, 49)
    for explained, rest in ((-1, 1), (1, 0)):
        with pytest.raises(BadNumber, match="sums of squares"):
            cohen_f_squared(explained, rest)


@pytest.mark.parametrize("samples", [([1], [1, 2]), ([1, 1], [2, 2]), ((3, 2), (1, 2))])
def test_samples_that_cannot_be_tested_are_refused(samples):
    with pytest.raises(BadNumber):
        t_test(*samples)


@pytest.mark.parametrize("x", ["1/3", "2/7", "1/2"])
def test_the_series_of_a_beta_probability_is_held_where_its_bound_is_tight(x):
    share = mpq(x)
    for a in (mpq(1, 2), mpq(3), mpq(40)):
        assert 1 / (1 - share) in _series(share, a, mpq(1), 40)  # with b = 1 it is geometric
        narrow = _series(share, a, mpq(1, 100), 300)
        wide = _series(share, a, mpq(1, 100), 40)
        assert wide.lower <= narrow.lower <= narrow.upper <= wide.upper


def test_a_small_beta_probability_above_one_half_has_all_its_digits():
    found = enclose_beta_probability("3/5", 900, 10)
    assert found.lower > 0
    assert found.width < found.lower / 2**50
