"""Exact coverages of the textbooks' intervals, against sums over all samples and against scipy."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gmpy2 import mpq

from ntqr_exact import coverage_of
from ntqr_exact.errors import BadChoice, BadNumber, FloatRefused
from ntqr_exact.sampling.coverage import IntervalMethod, coverages, intervals_of
from ntqr_exact.sampling.designs import Design
from tests.sampling.test_intervals import chances

TEXTBOOK = [method for method in IntervalMethod if "_" in method.value or method.value in ("wald", "wilson")]


@pytest.mark.parametrize("method", IntervalMethod)
@pytest.mark.parametrize(("size", "graded"), [(0, 0), (1, 1), (7, 0), (11, 4), (12, 12), (10, 9)])
def test_coverage_is_the_sum_over_all_samples(method: IntervalMethod, size: int, graded: int) -> None:
    intervals = intervals_of(method, Design(size, graded), mpq(9, 10))
    for truth, found in enumerate(coverage_of(method, size=size, graded=graded, level="0.9")):
        chance = chances(size, graded, truth)
        held = [p for p, ends in zip(chance, intervals, strict=True) if ends and ends[0] <= truth <= ends[1]]
        assert found == sum(held, Fraction(0))


def test_coverage_of_scattered_intervals() -> None:
    intervals = [(0, 2), None, (1, 1), (0, 6), (5, 6)]
    for truth, found in enumerate(coverages(Design(6, 4), intervals)):
        chance = chances(6, 4, truth)
        assert found == sum(
            p for p, ends in zip(chance, intervals, strict=True) if ends and ends[0] <= truth <= ends[1]
        )


@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("graded", [10, 20, 50])
def test_the_intervals_of_the_textbooks_are_those_of_statsmodels(graded: int, *, corrected: bool) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    size = 200
    factor = (size - graded) / (size - 1) if corrected else 1
    peers = {"wald": "normal", "wilson": "wilson"} | ({} if corrected else {"clopper_pearson": "beta"})
    for name, theirs in peers.items():
        method = IntervalMethod(name + ("_corrected" if corrected else ""))
        for right, ends in enumerate(intervals_of(method, Design(size, graded), mpq(19, 20))):
            sample = graded / factor  # a sample of this size with replacement has the corrected variance
            low, high = proportion.proportion_confint(right * sample / graded, sample, method=theirs)
            inside = [truth for truth in range(size + 1) if low - 1e-9 <= truth / size <= high + 1e-9]
            assert ends == (inside[0], inside[-1])


@pytest.mark.parametrize(
    ("method", "graded", "least"),
    [
        ("wald", 20, "0.1"),
        ("wald_corrected", 20, "0.1"),
        ("wilson_corrected", 18, "0.8277"),
        ("central", 20, "0.9517"),
    ],
)
def test_what_the_methods_promise_and_give(method: str, graded: int, least: str) -> None:
    assert round(min(coverage_of(method, size=200, graded=graded)), 4) == mpq(least)


def test_what_is_no_level_design_or_method_is_refused() -> None:
    with pytest.raises(FloatRefused):
        coverage_of("central", size=10, graded=2, level=0.95)  # type: ignore[arg-type]
    with pytest.raises(BadNumber, match="strictly between 0 and 1"):
        coverage_of("central", size=10, graded=2, level=95)
    with pytest.raises(BadNumber, match="at most 10 questions"):
        coverage_of("central", size=10, graded=11)
    with pytest.raises(BadChoice):
        coverage_of("bayes", size=10, graded=2)
