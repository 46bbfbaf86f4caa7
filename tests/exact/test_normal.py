"""The normal distribution is certified from the middle to the far tails."""

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact import enclosure as normal
from ntqr_exact.exact.enclosure import Enclosure, enclose_normal_cdf, enclose_normal_quantile

TINY = mpq(1, 10**300)
precisions = st.integers(2, 80)


def in_mpmath(x):
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


def true_cdf(z, precision):
    """Return what mpmath says of Φ(z) at more than four times the precision, as a rational."""
    with mpmath.workprec(4 * precision + 3000):
        sign, mantissa, exponent, _ = (mpmath.erfc(-in_mpmath(z) / mpmath.sqrt(2)) / 2)._mpf_
    assert sign == 0
    return mpq(int(mantissa)) * mpq(2) ** int(exponent)


def assert_cdf_certified(z, precision):
    enclosure, truth = enclose_normal_cdf(z, precision), true_cdf(z, precision)
    slack = truth / 2 ** (3 * precision + 1000)  # mpmath is not exact
    assert enclosure.lower - slack <= truth <= enclosure.upper + slack
    assert enclosure.upper - enclosure.lower <= truth * mpq(2) ** (2 - precision)


def assert_quantile_certified(level, precision):
    enclosure = enclose_normal_quantile(level, precision)
    # Φ grows, so the ends enclose the quantile iff their Φ enclose the level.
    assert true_cdf(enclosure.lower, precision) < level < true_cdf(enclosure.upper, precision)
    nearer = enclose_normal_quantile(level, precision + 60)
    assert 0 < enclosure.upper - enclosure.lower <= abs(nearer.lower) * mpq(2) ** (2 - precision)
    assert enclosure.sign() == (1 if level > mpq(1, 2) else -1)


@given(st.fractions(min_value=-3, max_value=3) | st.fractions(min_value=-40, max_value=40), precisions)
def test_the_distribution_function_is_certified(z, precision):
    assert_cdf_certified(mpq(z), precision)


@pytest.mark.parametrize("precision", [2, 3, 53, 64, 200])
@pytest.mark.parametrize(
    "z",
    [
        mpq(1),
        mpq(1) - TINY,
        mpq(1) + TINY,
        TINY,
        mpq(99, 100),
        mpq(5),
        mpq(40),
        mpq(1, 3),
        mpq(7, 4),
        mpq(1999, 50),
    ],
)
def test_the_distribution_function_is_certified_at_extreme_arguments(z, precision):
    assert_cdf_certified(z, precision)
    assert_cdf_certified(-z, precision)


def test_the_farthest_z_is_one_thousand():
    assert 0 < enclose_normal_cdf(-1000).lower < mpq(1, 10**200_000)
    for z in (1000 + TINY, -1000 - TINY, 10**9):
        with pytest.raises(BadNumber) as caught:
            enclose_normal_cdf(z)
        assert caught.value.given == z


@given(st.fractions(min_value=0, max_value=1).filter(lambda p: p not in (0, 1) and 2 * p != 1), precisions)
def test_the_quantile_is_certified(level, precision):
    assert_quantile_certified(mpq(level), precision)


@pytest.mark.parametrize("precision", [2, 3, 53, 64, 200])
@pytest.mark.parametrize(
    "level",
    [
        mpq(975, 1000),
        mpq(25, 1000),
        mpq(1, 4),
        mpq(3, 4),
        mpq(1, 4) + TINY,
        mpq(1, 4) - TINY,
        mpq(499, 1000),
        mpq(1, 2) + mpq(1, 10**200),
        mpq(1, 2) - mpq(1, 10**200),
        TINY,
        1 - TINY,
        mpq(1, 10**6),
    ],
)
def test_extreme_quantiles_are_certified(level, precision):
    assert_quantile_certified(level, precision)


@pytest.mark.parametrize("level", [mpq(975, 1000), mpq(1, 3), mpq(1, 10**6)])
def test_a_bad_proposal_costs_time_but_the_result_is_right(monkeypatch, level):
    propose, asked = normal._propose_quantile, []

    def propose_badly_at_first(tail, precision):
        asked.append(precision)
        good = propose(tail, precision)
        return good * [1 + mpq(1, 2**50), 1 - mpq(1, 2**50), 1][len(asked) - 1]

    expected = enclose_normal_quantile(level)
    monkeypatch.setattr(normal, "_propose_quantile", propose_badly_at_first)
    assert abs(enclose_normal_quantile(level).lower - expected.lower) < mpq(1, 2**60)
    assert asked == [80, 160, 320]


@pytest.mark.parametrize("level", [0, 1, -1, 2, "-1/2", "3/2"])
def test_a_level_lies_strictly_between_zero_and_one(level):
    with pytest.raises(BadNumber) as caught:
        enclose_normal_quantile(level)
    assert caught.value.given == level


@pytest.mark.parametrize("precision", [4, 6, 9])
def test_bounds_of_the_error_function_hold_the_value_even_at_few_bits(precision):
    with mpmath.workdps(60):
        for step in range(1, 90):
            found = normal._enclose_erfc(mpq(step, 17), precision)
            value = mpmath.erfc(mpmath.mpf(step) / 17 / mpmath.sqrt(2))
            assert in_mpmath(found.lower) < value < in_mpmath(found.upper)
    assert normal._enclose_erfc(mpq(0), precision) == Enclosure(1, 1)
