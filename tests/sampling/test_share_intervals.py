"""Intervals of shares and differences against statsmodels, and their exact coverage by brute force."""

from math import comb

import pytest
from gmpy2 import mpq
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from ntqr_exact.errors import BadNumber, TooMuchWork
from ntqr_exact.sampling.beta_probability import enclose_beta_quantile
from ntqr_exact.sampling.normal_interval import Decision
from ntqr_exact.sampling.share_intervals import (
    DifferenceMethod,
    ShareMethod,
    binomial_interval,
    binomial_probabilities,
    coverage,
    difference_decision,
    difference_interval,
    holding,
    share_interval,
)

PEERS = {ShareMethod.WALD: "normal", ShareMethod.WILSON: "wilson", ShareMethod.CLOPPER_PEARSON: "beta"}


@pytest.mark.parametrize("method", ShareMethod)
@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 7), (3, 7), (7, 7), (15, 200)])
@pytest.mark.parametrize("level", ["0.8", "0.95"])
def test_the_ends_of_a_share_are_those_of_statsmodels(method, k, n, level):
    theirs = proportion_confint(k, n, alpha=1 - float(level), method=PEERS[method])
    found = share_interval(k, n, method=method, level=level)
    assert all(end.width < mpq(1, 10**12) for end in (found.lower, found.upper))
    ours = (float(found.lower), float(found.upper))
    for end, other in zip(ours, theirs, strict=True):
        assert abs((end if method is not ShareMethod.WALD else min(max(end, 0), 1)) - other) < 1e-9


@pytest.mark.parametrize(("k", "n"), [(1, 9), (33, 40), (70, 300)])
def test_clopper_and_pearsons_ends_are_where_the_exact_binomial_tails_leave_the_level(k, n):
    grid, found = 1 << 60, share_interval(k, n, method="clopper-pearson")
    low, high = binomial_interval(grid, n, k, mpq(19, 20))
    for end, above in ((found.lower, low), (found.upper, high + 1)):
        assert end.upper * grid > above - 1
        assert end.lower * grid < above
        assert end.width <= mpq(1, 1 << 64)


@pytest.mark.slow
def test_clopper_and_pearsons_ends_are_found_for_a_million_outputs():
    found = share_interval(333_333, 10**6, method="clopper-pearson")
    theirs = proportion_confint(333_333, 10**6, method="beta")
    for end, other in zip((found.lower, found.upper), theirs, strict=True):
        assert abs(float(end) - other) < 1e-12


@pytest.mark.parametrize(
    ("tail", "a", "b", "exact"), [("1/2", 5, 5, "1/2"), ("1/4", 1, 1, "3/4"), ("1/9", 2, 1, None)]
)
def test_a_quantile_that_is_a_rational_is_enclosed_as_narrowly_as_any(tail, a, b, exact):
    found = enclose_beta_quantile(tail, a, b)
    assert found.width <= mpq(1, 1 << 64)
    if exact is None:  # x² = 8/9
        assert found.lower**2 < mpq(8, 9) < found.upper**2
    else:
        assert found.lower < mpq(exact) < found.upper


@pytest.mark.parametrize(
    "samples", [((0, 2), (2, 2)), ((3, 10), (9, 12)), ((7, 7), (0, 5)), ((4, 9), (4, 9))]
)
def test_newcombes_and_walds_differences_are_those_of_statsmodels(samples):
    (k, n), (j, m) = samples
    for method, name in ((DifferenceMethod.NEWCOMBE, "newcomb"), (DifferenceMethod.WALD, "wald")):
        theirs = confint_proportions_2indep(j, m, k, n, method=name, compare="diff")
        found = difference_interval(*samples, method=method)
        for end, other in zip((found.lower, found.upper), theirs, strict=True):
            assert abs(float(end) - other) < 1e-9
        expected = Decision.NOT_SHOWN
        if theirs[0] > 1e-12 or theirs[1] < -1e-12:
            expected = Decision.HIGHER if theirs[0] > 0 else Decision.LOWER
        assert difference_decision(*samples, method=method) is expected


@pytest.mark.parametrize("method", ShareMethod)
@pytest.mark.parametrize("share", ["0", "1/10", "1/2", "5/7"])
def test_coverage_is_the_probability_of_the_counts_whose_interval_holds_the_share(method, share):
    p, n = mpq(share), 12
    held = mpq(0)
    for k in range(n + 1):
        found = share_interval(k, n, method=method)
        if float(found.lower) - 1e-12 <= p <= float(found.upper) + 1e-12:
            held += comb(n, k) * p**k * (1 - p) ** (n - k)
    assert coverage(method, n, share) == held
    if method is ShareMethod.CLOPPER_PEARSON:
        assert held >= mpq(19, 20)


@pytest.mark.parametrize("method", DifferenceMethod)
def test_coverage_of_a_difference_is_summed_over_both_samples(method):
    (n, m), (p, q) = (5, 4), (mpq(1, 3), mpq(3, 5))
    held = mpq(0)
    for k in range(n + 1):
        for j in range(m + 1):
            found = difference_interval((k, n), (j, m), method=method)
            if float(found.lower) - 1e-12 <= q - p <= float(found.upper) + 1e-12:
                held += comb(n, k) * p**k * (1 - p) ** (n - k) * comb(m, j) * q**j * (1 - q) ** (m - j)
    assert coverage(method, (n, m), (p, q)) == held


def test_wald_covers_less_than_its_level_and_wilson_about_it():
    assert coverage("wald", 20, "1/10") < mpq(9, 10) < coverage("wilson", 20, "1/10")


def test_what_is_no_sample_or_no_share_is_refused():
    with pytest.raises(BadNumber, match="at most as many positives"):
        share_interval(3, 2)
    with pytest.raises(BadNumber, match="needs outputs"):
        coverage("wald", 0, "1/2")
    with pytest.raises(BadNumber, match="between 0 and 1"):
        coverage("wald", 5, "3/2")
    with pytest.raises(BadNumber, match="two shares"):
        coverage("newcombe", (5, 5), "1/2")


@pytest.mark.parametrize("share", ["0", "1/10", "1/2", "3/7", "1"])
def test_clopper_pearson_holds_a_share_where_neither_tail_is_too_small(share):
    for n in range(1, 12):
        masses = binomial_probabilities(n, mpq(share))
        held = [k for k in range(n + 1) if min(sum(masses[: k + 1]), sum(masses[k:])) >= mpq(1, 40)]
        assert holding(ShareMethod.CLOPPER_PEARSON, n, share) == held


def test_the_intervals_of_too_many_outputs_are_refused():
    with pytest.raises(TooMuchWork):
        holding(ShareMethod.WALD, 10**9, "1/2")
    with pytest.raises(TooMuchWork):
        coverage("wilson", 1000, mpq(1, 10**4000))
