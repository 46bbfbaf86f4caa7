"""`interval` and `coverage` for every design: by definition, against statsmodels and scipy, never below the level."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from gmpy2 import mpq
from scipy.stats import beta

from ntqr_exact import Binomial, Hypergeometric, corrected_share, coverage, coverage_of, interval
from ntqr_exact.errors import BadChoice, BadNumber, FloatRefused, NtqrExactError, TooMuchWork
from ntqr_exact.sampling.designs import enclose_beta_probability, enclose_beta_quantile, independent_share
from ntqr_exact.sampling.intervals import (
    DIFFERENCE_METHODS,
    SAMPLE_METHODS,
    SHARE_METHODS,
    IntervalMethod,
    central_intervals,
    holds,
)
from tests.sampling.enumeration import probabilities

LEVEL = mpq(19, 20)
SMALL = [(size, graded) for size in (0, 1, 2, 5, 9, 12) for graded in range(size + 1)]
PEERS = {
    IntervalMethod.WALD: "normal",
    IntervalMethod.WILSON: "wilson",
    IntervalMethod.CLOPPER_PEARSON: "beta",
}


def peer():
    return pytest.importorskip("statsmodels.stats.proportion")


def chances(size: int, graded: int, truth: int) -> list[Fraction]:
    ways = comb(size, graded)
    return [Fraction(comb(truth, r) * comb(size - truth, graded - r), ways) for r in range(graded + 1)]


def by_definition(size: int, graded: int, right: int, level: Fraction, method: str) -> tuple[int, int]:
    kept = []
    for truth in range(size + 1):
        chance = chances(size, graded, truth)
        gamma = [min(sum(chance[: r + 1]), sum(chance[r:])) for r in range(graded + 1)]
        match method:
            case "central":
                keeps = gamma[right] > (1 - level) / 2
            case "blaker":
                keeps = sum(p for p, g in zip(chance, gamma, strict=True) if g <= gamma[right]) > 1 - level
            case "anytime":
                keeps = (graded + 1) * chance[right] > 1 - level
        if keeps:
            kept.append(truth)
    return kept[0], kept[-1]


def coverage_at_all_looks(method: str, size: int) -> Fraction:
    """The least share of the orders of grades whose every beginning has an interval that holds the truth."""
    looks = [[interval(Hypergeometric(size, m), r, method) for r in range(m + 1)] for m in range(size + 1)]

    def orders(truth: int) -> int:
        ways = {0: 1}
        for ends in looks[1:]:
            held = [r for r, (low, high) in enumerate(ends) if low <= truth <= high]
            ways = {r: ways.get(r, 0) + ways.get(r - 1, 0) for r in held}
        return ways.get(truth, 0)

    return min(Fraction(orders(truth), comb(size, truth)) for truth in range(size + 1))


def test_ends_are_computed_as_precisely_as_rounding_them_takes() -> None:
    ends = [interval(Binomial(4), 3, "wilson", level).decimals(0) for level in ("0.68268949", "0.68268950")]
    assert ends == [("1", "1"), ("0", "1")]  # the lower end is 1/2 at the level 2Φ(1) − 1 = 0.682689492...


@pytest.mark.parametrize("level", ["0.95", "1/2", "1/10"])
@pytest.mark.parametrize(("size", "graded"), SMALL[::3])
def test_every_exact_interval_is_what_its_definition_says(size: int, graded: int, level: str) -> None:
    design = Hypergeometric(size, graded)
    for method in ("central", "blaker", "anytime"):
        expected = [by_definition(size, graded, r, Fraction(level), method) for r in range(graded + 1)]
        assert [interval(design, right, method, level) for right in range(graded + 1)] == expected
        if method == "central":
            assert list(central_intervals(design, mpq(Fraction(level)))) == expected


@pytest.mark.parametrize("size", range(31))
def test_exact_methods_cover_every_truth_of_all_designs_to_thirty_questions(size: int) -> None:
    share = independent_share(LEVEL, 2)
    assert share**2 >= LEVEL > (share - mpq(1, 10**9)) ** 2
    for graded in range(size + 1):
        for method in ("central", "blaker", "anytime"):
            assert min(coverage_of(method, size=size, graded=graded)) >= LEVEL
        assert min(coverage_of("central", size=size, graded=graded, level=share)) ** 2 >= LEVEL
        for right, (low, high) in enumerate(central_intervals(Hypergeometric(size, graded), LEVEL)):
            in_low, in_high = interval(Hypergeometric(size, graded), right, "blaker")
            assert low <= in_low <= in_high <= high
    assert coverage_at_all_looks("anytime", size) >= LEVEL


@pytest.mark.parametrize("method", SAMPLE_METHODS)
@pytest.mark.parametrize(("size", "graded"), [(0, 0), (1, 1), (7, 0), (11, 4), (12, 12), (10, 9)])
def test_coverage_is_the_sum_over_all_samples(method: IntervalMethod, size: int, graded: int) -> None:
    intervals = [interval(Hypergeometric(size, graded), r, method, "0.9") for r in range(graded + 1)]
    for truth, found in enumerate(coverage_of(method, size=size, graded=graded, level="0.9")):
        pairs = zip(chances(size, graded, truth), intervals, strict=True)
        held = [p for p, ends in pairs if ends and ends[0] <= truth <= ends[1]]
        assert found == sum(held, Fraction(0)) == coverage(Hypergeometric(size, graded), method, truth, "0.9")


def test_looking_after_each_grade_breaks_the_fixed_interval_but_not_the_anytime_one() -> None:
    assert coverage_at_all_looks("central", 60) < Fraction(8, 10)
    assert coverage_at_all_looks("anytime", 60) >= LEVEL


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("graded", [10, 50])
def test_textbook_intervals_of_samples_are_those_of_statsmodels(graded: int, *, corrected: bool) -> None:
    size = 200
    factor = (size - graded) / (size - 1) if corrected else 1
    for name in ("wald", "wilson", *(() if corrected else ("clopper_pearson",))):
        method = IntervalMethod(name + ("_corrected" if corrected else ""))
        for right in range(graded + 1):
            ends = interval(Hypergeometric(size, graded), right, method)
            sample = graded / factor  # a sample of this size with replacement has the corrected variance
            low, high = peer().proportion_confint(
                right * sample / graded, sample, method=PEERS[IntervalMethod(name)]
            )
            inside = [truth for truth in range(size + 1) if low - 1e-9 <= truth / size <= high + 1e-9]
            assert ends == (inside[0], inside[-1])


@pytest.mark.parametrize("method", SHARE_METHODS)
@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 7), (3, 7), (7, 7), (15, 200)])
@pytest.mark.parametrize("level", ["0.8", "0.95"])
def test_ends_of_a_share_are_those_of_statsmodels(method: IntervalMethod, k: int, n: int, level: str) -> None:
    theirs = peer().proportion_confint(k, n, alpha=1 - float(level), method=PEERS[method])
    found = interval(Binomial(n), k, method, level)
    assert all(end.upper - end.lower < mpq(1, 10**12) for end in (found.lower, found.upper))
    for end, other in zip((float(found.lower), float(found.upper)), theirs, strict=True):
        assert abs((end if method is not IntervalMethod.WALD else min(max(end, 0), 1)) - other) < 1e-9


@pytest.mark.parametrize(("k", "n"), [(0, 10**9), (3, 10**9), (333_333, 10**6), (999_999, 10**6)])
def test_clopper_pearson_of_very_many_outputs(k: int, n: int) -> None:
    found = interval(Binomial(n), k, "clopper-pearson")
    theirs = (beta.ppf(0.025, k, n - k + 1) if k else 0, beta.ppf(0.975, k + 1, n - k))
    for end, other in zip((found.lower, found.upper), theirs, strict=True):
        assert float(end) == pytest.approx(other, rel=1e-7)
        assert end.upper - end.lower <= mpq(1, 1 << 64)


@pytest.mark.parametrize("a", ["1/2", 1, 3, "97/2", 400])
@pytest.mark.parametrize("b", ["1/2", 2, "5/7", 300])
def test_beta_probabilities_and_quantiles_are_those_of_scipy(a: object, b: object) -> None:
    first, second = (float(Fraction(str(one))) for one in (a, b))
    for percent in (1, 30, 77, 99):
        found = enclose_beta_probability(mpq(percent, 100), mpq(a), mpq(b))
        assert float(found.lower) == pytest.approx(
            beta.cdf(percent / 100, first, second), rel=1e-9, abs=1e-15
        )
        assert found.upper - found.lower <= mpq(1, 1 << 40)
        coarse, fine = (enclose_beta_probability(mpq(percent, 100), mpq(a), mpq(b), n) for n in (8, 200))
        assert coarse.lower <= fine.lower <= fine.upper <= coarse.upper
        at = enclose_beta_quantile(mpq(percent, 100), mpq(a), mpq(b), 50)
        assert float(at.lower) == pytest.approx(beta.isf(percent / 100, first, second), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(("tail", "a", "b"), [("1/2", 5, 5), ("1/4", 1, 1), ("1/9", 2, 1)])
def test_a_rational_quantile_is_enclosed_as_narrowly_as_any(tail: str, a: int, b: int) -> None:
    found = enclose_beta_quantile(mpq(tail), mpq(a), mpq(b))
    exact = {5: lambda x: x < mpq(1, 2), 1: lambda x: x < mpq(3, 4), 2: lambda x: x**2 < mpq(8, 9)}[a]
    assert exact(found.lower)
    assert not exact(found.upper)
    assert found.upper - found.lower <= mpq(1, 1 << 64)


@pytest.mark.parametrize("share", ["0", "1/10", "1/2", "3/7", "1"])
def test_clopper_pearson_never_covers_less_than_its_level(share: str) -> None:
    for n in range(1, 16):
        design, masses = Binomial(n), probabilities(n, mpq(share))
        held = [k for k in range(n + 1) if min(sum(masses[: k + 1]), sum(masses[k:])) >= mpq(1, 40)]
        assert [k for k in range(n + 1) if holds(design, k, "clopper_pearson", share)] == held
        assert coverage(design, "clopper_pearson", share) >= LEVEL
        below = [int(design.at_most(mpq(share), k)) for k in range(-1, n + 1)]
        total = mpq(share).denominator ** n
        assert [mpq(one, total) for one in below] == [sum(masses[:k]) for k in range(n + 2)]


@pytest.mark.parametrize(
    "samples", [((0, 2), (2, 2)), ((3, 10), (9, 12)), ((7, 7), (0, 5)), ((4, 9), (4, 9))]
)
@pytest.mark.parametrize("method", DIFFERENCE_METHODS)
def test_differences_are_those_of_statsmodels(samples: tuple, method: IntervalMethod) -> None:
    (k, n), (j, m) = samples
    name = "newcomb" if method is IntervalMethod.NEWCOMBE else "wald"
    theirs = peer().confint_proportions_2indep(j, m, k, n, method=name, compare="diff")
    found = interval((Binomial(n), Binomial(m)), (k, j), method)
    for end, other in zip((found.lower, found.upper), theirs, strict=True):
        assert abs(float(end) - other) < 1e-9
    shown = theirs[0] > 1e-12 or theirs[1] < -1e-12
    assert holds((Binomial(n), Binomial(m)), (k, j), method, 0) is not shown


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: interval(Binomial(2), 3, "wilson"), BadNumber),
        (lambda: interval(Binomial(2), 1, "central"), BadChoice),
        (lambda: interval(Hypergeometric(9, 2), 1, "newcombe"), BadChoice),
        (lambda: interval(20, 1, "wilson"), BadChoice),  # type: ignore[call-overload]
        (lambda: interval(Binomial(5), 1, "wilson", 95), BadNumber),
        (lambda: Binomial(0), BadNumber),
        (lambda: Hypergeometric(10, 11), BadNumber),
        (lambda: coverage(Binomial(5), "wald", "3/2"), BadNumber),
        (lambda: coverage(Hypergeometric(5, 2), "wald", 6), BadNumber),
        (lambda: coverage_of("central", size=10, graded=2, level=0.95), FloatRefused),  # type: ignore[arg-type]
        (lambda: coverage_of("bayes", size=10, graded=2), BadChoice),
        (lambda: coverage(Binomial(10**9), "wald", "1/2"), TooMuchWork),
        (lambda: coverage(Binomial(1000), "wilson", mpq(1, 10**4000)), TooMuchWork),
        (lambda: corrected_share((3, 2), sensitivity=(1, 2), specificity=(1, 2)), BadNumber),
    ],
)
def test_invalid_designs_methods_and_levels_are_refused(call, error: type[NtqrExactError]) -> None:
    with pytest.raises(error):
        call()


def test_corrected_share_covers_at_its_level() -> None:
    whole = corrected_share((5, 10), sensitivity=(0, 0), specificity=(0, 0))
    assert (whole.lower, whole.upper) == (0, 1)
    assert corrected_share((500, 500), sensitivity=(0, 500), specificity=(500, 500)).lower is None
    narrow = corrected_share((60, 200), sensitivity=(45, 50), specificity=(48, 50))
    assert (narrow.lower, narrow.upper) == (mpq(63742, 813457), mpq(380760, 751679))
    sizes, theta, q1, q0 = (6, 4, 4), mpq(1, 4), mpq(9, 10), mpq(4, 5)
    rates = (theta * q1 + (1 - theta) * (1 - q0), q1, q0)
    masses = [probabilities(n, p) for n, p in zip(sizes, rates, strict=True)]
    covered = mpq(0)
    for k, first in enumerate(masses[0]):
        for hit, second in enumerate(masses[1]):
            for miss, third in enumerate(masses[2]):
                found = corrected_share((k, 6), sensitivity=(hit, 4), specificity=(miss, 4), level="0.9")
                if found.lower is not None and found.lower <= theta <= found.upper:
                    covered += first * second * third
    assert covered >= mpq(9, 10)
