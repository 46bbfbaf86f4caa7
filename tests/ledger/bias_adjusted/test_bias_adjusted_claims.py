"""What the claims of the derivation of bias-adjusted metrics compute, against enumeration by hand."""

import itertools
from fractions import Fraction
from itertools import pairwise

import pytest

from ntqr_exact.ledger.bias_adjusted.derivation import intervals, points_of
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.registry import claim


@pytest.mark.parametrize(
    ("key", "printed", "expected"),
    [
        ("sets/selected", "=", Verdict.MISPRINT),
        ("error-rate/total-probability", "e1*t0 + e0*t1", Verdict.MISPRINT),
        ("error-rate/combined", "1/n*b*e + 1/n*(1 - b)*g", Verdict.MISPRINT),
        ("error-rate/averaged", "(wB*e + wC*g)/n", Verdict.MISPRINT),
        ("testing/weights", ["(n + m)/n*b", "(n + m)/m*b"], Verdict.MISPRINT),
        ("precision", "1/(tp + fn)*tp", Verdict.MISPRINT),
        ("f1", "P*R/(P + R)", Verdict.MISPRINT),
        ("aupr/sum", "(r2 - r1)*(p1 + p2)", Verdict.MISPRINT),
        ("aupr/last-index", "E - 1", Verdict.MISPRINT),
        ("bootstrap/levels", ["0.05", "0.95"], Verdict.MISPRINT),
        ("bootstrap/method", ["x + dlow", "x + dhigh"], Verdict.DEPENDS),
        ("error-rate/selected", "e", Verdict.DEPENDS),
    ],
)
def test_another_printed_value_is_judged_anew(key, printed, expected):
    assert claim(f"bias_adjusted/{key}").printing(printed).find().verdict is expected


def test_with_the_signs_of_the_ends_turned_the_two_readings_of_the_quantiles_change_places():
    method = claim("bias_adjusted/bootstrap/method")
    assert [each.verdict for each in method.find().readings] == [Verdict.HOLDS, Verdict.WRONG]
    turned = method.printing(["x + dlow", "x + dhigh"]).find()
    assert [each.verdict for each in turned.readings] == [Verdict.WRONG, Verdict.HOLDS]


def by_hand(labels):
    """The points of samples in the order of their scores, by counting."""
    positives, points = sum(labels), []
    for cut in range(1, len(labels) + 1):
        hits = sum(labels[:cut])
        points.append((Fraction(hits, positives), Fraction(hits, cut)))
    return points


def test_points_and_area_are_those_counted_by_hand():
    for labels in itertools.product((0, 1), repeat=4):
        if not any(labels):
            continue
        points = by_hand(labels)
        assert points_of(labels, [4, 3, 2, 1]) == points
        area = sum((r2 - r1) * (p1 + p2) / 2 for (r1, p1), (r2, p2) in itertools.pairwise(points))
        points = points_of(labels, [4, 3, 2, 1])
        assert sum((s - r) * (p + q) / 2 for (r, p), (s, q) in pairwise(points)) == area


def test_the_three_beginnings_have_the_areas_of_the_smallest_test_that_tells_them_apart():
    readings = claim("bias_adjusted/aupr/start").find().readings
    assert [reading.evidence[1].rpartition(" ")[2] for reading in readings] == ["7/24", "13/24", "2/3"]
    assert [reading.verdict for reading in readings] == [Verdict.WRONG, Verdict.HOLDS, Verdict.HOLDS]


def resamples(found, missed):
    """The recall of every resample of `found` ones and `missed` zeros, in ascending order."""
    sample = (1,) * found + (0,) * missed
    return sorted(Fraction(sum(each), len(sample)) for each in itertools.product(sample, repeat=len(sample)))


def quantile(values, level):
    return values[max(-(-len(values) * level // 1), 1) - 1]


def test_the_percentile_and_the_basic_interval_are_those_of_all_resamples():
    for found, missed in ((2, 1), (3, 1), (1, 1)):
        values, estimate = resamples(found, missed), Fraction(found, found + missed)
        low, high = quantile(values, Fraction(1, 40)), quantile(values, Fraction(39, 40))
        percentile, basic = intervals(found, missed)
        assert (percentile.lower, percentile.upper) == (low, high)
        assert (basic.lower, basic.upper) == (2 * estimate - high, 2 * estimate - low)


def test_the_chance_between_the_quantiles_is_that_of_all_resamples():
    values = resamples(3, 1)
    low, high = quantile(values, Fraction(1, 40)), quantile(values, Fraction(39, 40))
    inside = Fraction(sum(low <= value <= high for value in values), len(values))
    assert f"it is {inside}:" in claim("bias_adjusted/bootstrap/probability").find().evidence[1]


def test_half_of_the_resamples_of_two_strata_of_one_lose_a_stratum():
    kept, anew = claim("bias_adjusted/bootstrap/resampling").find().readings
    assert (kept.verdict, anew.verdict) == (Verdict.HOLDS, Verdict.WRONG)
    assert "average to 1/2, 1, 3/2" in kept.evidence[0]
    assert "probability 1/2" in anew.evidence[0]
