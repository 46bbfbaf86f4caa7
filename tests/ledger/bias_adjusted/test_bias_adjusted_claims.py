"""What the claims of the derivation of bias-adjusted metrics compute, and that right prints are found right."""

import itertools
from fractions import Fraction

import pytest

from ntqr_exact.ledger.bias_adjusted import bootstrap, curve, formulas
from ntqr_exact.ledger.bias_adjusted.curve import points_of, trapezoids
from ntqr_exact.ledger.claim import Claim
from ntqr_exact.ledger.finding import Verdict

CLAIMS: dict[str, Claim] = {
    claim.id: claim for module in (formulas, curve, bootstrap) for claim in module.CLAIMS
}

CORRECTED = {
    "bias_adjusted/sets/complement": "equal",
    "bias_adjusted/aupr/thresholds": "[0, 1)",
    "bias_adjusted/bootstrap/statistics": "wanted: F1, AUPR; computed: F1, AUPR",
    "bias_adjusted/bootstrap/method": "x + dlow; x + dhigh",
    "bias_adjusted/bootstrap/symbols": "B = the set of selected reviews; R = the number of resamples",
}


@pytest.mark.parametrize("name", CORRECTED)
def test_what_is_printed_does_not_hold_and_what_is_right_does(name):
    claim = CLAIMS[name]
    assert claim.find().verdict is not Verdict.HOLDS
    assert claim.check(CORRECTED[name]).verdict is Verdict.HOLDS


BROKEN = {
    "bias_adjusted/error-rate/total-probability": "e1*t0 + e0*t1",
    "bias_adjusted/error-rate/selection": "B/U; 1 + B/U",
    "bias_adjusted/error-rate/combined": "1/n*b*e + 1/n*(1 - b)*g",
    "bias_adjusted/error-rate/averaged": "(wB*e + wC*g)/n",
    "bias_adjusted/error-rate/weights": "(n + m)/m*b; (n + m)/n*(1 - b)",
    "bias_adjusted/testing/weights": "(n + m)/n*b; (n + m)/m*b",
    "bias_adjusted/precision": "1/(tp + fn)*tp",
    "bias_adjusted/recall": "1/(tp + fp)*tp",
    "bias_adjusted/f1": "P*R/(P + R)",
    "bias_adjusted/aupr/sum": "(r2 - r1)*(p1 + p2)",
    "bias_adjusted/bootstrap/levels": "0.05; 0.95",
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_printed_holds_and_what_is_broken_on_purpose_does_not(name):
    claim = CLAIMS[name]
    assert claim.find().verdict is Verdict.HOLDS
    assert claim.check(BROKEN[name]).verdict is Verdict.MISPRINT


def test_an_index_that_stops_one_early_fits_points_numbered_from_0_only():
    early = CLAIMS["bias_adjusted/aupr/last-index"].check("i < E - 1")
    assert [reading.verdict for reading in early.readings] == [Verdict.MISPRINT, Verdict.HOLDS]


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
        assert trapezoids(points_of(labels, [4, 3, 2, 1])) == area


def test_no_shorter_ranking_than_three_samples_has_an_area_that_depends_on_the_order():
    # Points of equal recall matter only where recall rises before or after them.
    for size in (1, 2):
        for labels in itertools.product((0, 1), repeat=size):
            if any(labels):
                points = by_hand(labels)
                orders = [
                    order
                    for order in itertools.permutations(points)
                    if all(left[0] <= right[0] for left, right in itertools.pairwise(order))
                ]
                assert len({trapezoids(order) for order in orders}) == 1
    evidence = CLAIMS["bias_adjusted/aupr/order"].find().readings[1].evidence[0]
    assert "(0, 1, 0)" in evidence
    assert "1/6 or 1/4" in evidence


def test_the_three_beginnings_have_the_areas_of_the_smallest_test_that_tells_them_apart():
    readings = CLAIMS["bias_adjusted/aupr/start"].find().readings
    assert [reading.evidence[1].rpartition(" ")[2] for reading in readings] == ["7/24", "13/24", "2/3"]
    assert [reading.verdict for reading in readings] == [Verdict.WRONG, Verdict.HOLDS, Verdict.HOLDS]


def resamples(found, missed):
    """The recall of every resample of `found` ones and `missed` zeros, in ascending order."""
    sample = (1,) * found + (0,) * missed
    return sorted(Fraction(sum(each), len(sample)) for each in itertools.product(sample, repeat=len(sample)))


def quantile(values, level):
    return values[max(-(-len(values) * level // 1), 1) - 1]


def test_the_percentile_and_the_basic_interval_are_those_of_all_resamples():
    values = resamples(2, 1)
    low, high = quantile(values, Fraction(1, 40)), quantile(values, Fraction(39, 40))
    assert (low, high) == (0, 1)
    evidence = " ".join(CLAIMS["bias_adjusted/bootstrap/method"].find().evidence)
    assert f"[{low}, {high}]" in evidence
    assert f"[{Fraction(4, 3) - high}, {Fraction(4, 3) - low}]: basic" in evidence


def test_in_smaller_samples_the_two_intervals_agree():
    for found, missed in ((1, 0), (2, 0), (1, 1)):
        values, estimate = resamples(found, missed), Fraction(found, found + missed)
        low, high = quantile(values, Fraction(1, 40)), quantile(values, Fraction(39, 40))
        assert (low, high) == (2 * estimate - high, 2 * estimate - low)


def test_the_chance_between_the_quantiles_is_that_of_all_resamples():
    values = resamples(3, 1)
    low, high = quantile(values, Fraction(1, 40)), quantile(values, Fraction(39, 40))
    inside = Fraction(sum(low <= value <= high for value in values), len(values))
    assert str(inside) in CLAIMS["bias_adjusted/bootstrap/probability"].find().readings[0].evidence[0]


def test_the_coverage_of_the_basic_interval_is_that_of_all_samples():
    total, true = Fraction(0), Fraction(3, 4)
    for found in range(5):
        values, estimate = resamples(found, 4 - found), Fraction(found, 4)
        low, high = quantile(values, Fraction(1, 40)), quantile(values, Fraction(39, 40))
        if 2 * estimate - high <= true <= 2 * estimate - low:
            ways = sum(1 for each in itertools.product((0, 1), repeat=4) if sum(each) == found)
            total += ways * true**found * (1 - true) ** (4 - found)
    assert str(total) in CLAIMS["bias_adjusted/bootstrap/probability"].find().readings[1].evidence[0]


def test_a_threshold_above_all_scores_has_no_precision():
    claim = CLAIMS["bias_adjusted/aupr/every-threshold"]
    finding = claim.check(claim.printed)
    assert finding.verdict is Verdict.WRONG
    assert "1 at t = 1/2, 0/0 at t = 3/4" in finding.evidence[0]


def test_half_of_the_resamples_of_two_strata_of_one_lose_a_stratum():
    kept, anew = CLAIMS["bias_adjusted/bootstrap/resampling"].find().readings
    assert (kept.verdict, anew.verdict) == (Verdict.HOLDS, Verdict.WRONG)
    assert "average to 1/2, 1, 3/2" in kept.evidence[0]
    assert "probability 1/2" in anew.evidence[0]
