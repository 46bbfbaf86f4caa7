"""Central, Blaker's and anytime intervals: by their definitions, and their coverage for every truth."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from gmpy2 import mpq

from ntqr_exact.sampling.coverage import coverage_of, coverage_while_grading
from ntqr_exact.sampling.designs import Design
from ntqr_exact.sampling.intervals import (
    anytime_interval,
    blaker_interval,
    blaker_intervals,
    central_interval,
    central_intervals,
)
from ntqr_exact.sampling.level import divided_share, independent_share

LEVEL = mpq(19, 20)
SMALL = [(size, graded) for size in (0, 1, 2, 5, 9, 12) for graded in range(size + 1)]


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


@pytest.mark.parametrize("level", ["0.95", "1/2", "1/10"])
@pytest.mark.parametrize(("size", "graded"), SMALL[::3])
def test_every_interval_is_what_its_definition_says(size: int, graded: int, level: str) -> None:
    design, share = Design(size, graded), mpq(Fraction(level))
    for right in range(graded + 1):
        for method, one, several in (
            ("central", central_interval, central_intervals),
            ("blaker", blaker_interval, blaker_intervals),
            ("anytime", anytime_interval, None),
        ):
            expected = by_definition(size, graded, right, Fraction(level), method)
            assert one(design, right, share) == expected
            assert several is None or several(design, share)[right] == expected


def assert_covers(size: int, graded: int) -> None:
    for method in ("central", "blaker", "anytime"):
        assert min(coverage_of(method, size=size, graded=graded)) >= LEVEL
    nested = zip(
        central_intervals(Design(size, graded), LEVEL),
        blaker_intervals(Design(size, graded), LEVEL),
        strict=True,
    )
    assert all(low <= inner_low and inner_high <= high for (low, high), (inner_low, inner_high) in nested)


@pytest.mark.parametrize("size", range(31))
def test_all_designs_to_thirty_questions_cover_every_truth(size: int) -> None:
    # The boxes of ten metrics: two independent ones at the shared level hold together at the level. The difference of
    # two judges: the graded ones among D differing questions are a random sample of these, also at the divided level.
    share, half = independent_share(LEVEL, 2), divided_share(LEVEL, 2)
    for graded in range(size + 1):
        assert_covers(size, graded)
        assert min(coverage_of("central", size=size, graded=graded, level=share)) ** 2 >= LEVEL
        assert min(coverage_of("central", size=size, graded=graded, level=half)) >= half
    assert min(coverage_while_grading("anytime", size=size)) >= LEVEL


def test_looking_after_each_grade_breaks_the_fixed_interval_but_not_the_anytime_one() -> None:
    fixed = min(coverage_while_grading("central", size=100))
    assert round(fixed, 2) == mpq(66, 100)
    assert min(coverage_while_grading("anytime", size=100)) >= LEVEL


def test_blakers_least_coverage_is_just_above_the_level() -> None:
    least = min(coverage_of("blaker", size=2000, graded=200))
    assert LEVEL <= least < mpq("0.9501")
    assert least < min(coverage_of("central", size=2000, graded=200))


def test_large_designs_agree_between_one_interval_and_all() -> None:
    design = Design(700, 90)
    assert [central_interval(design, r, LEVEL) for r in range(0, 91, 9)] == list(
        central_intervals(design, LEVEL)[::9]
    )
    assert [blaker_interval(design, r, LEVEL) for r in range(0, 91, 30)] == list(
        blaker_intervals(design, LEVEL)[::30]
    )
