"""The claims of the ORES documentation: what its checks find, and that other printed values are found out."""

import importlib
from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.finding import Verdict
from ntqr_exact.ledger.ores.curves import samples
from ntqr_exact.ledger.ores.sentences import matrices
from ntqr_exact.ledger.ores.worked_lines import DISEASE, ENWIKI, decimal_after, number, of_library, worked
from ntqr_exact.ledger.registry import MODULES
from ntqr_exact.metrics.formulas import METRICS

CLAIMS = {
    claim.id.removeprefix("ores/"): claim
    for module in MODULES["ores"]
    for claim in importlib.import_module(f"ntqr_exact.ledger.ores.{module}").CLAIMS
}


def verdict(key, printed=None):
    claim = CLAIMS[key]
    return claim.check(claim.printed if printed is None else printed).verdict


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("sec-1-1/example", Verdict.HOLDS),
        ("sec-1-3/range", Verdict.DEPENDS),
        ("sec-1-3/extreme", Verdict.DEPENDS),
        ("sec-1-3/highest", Verdict.NOT_CHECKABLE),
        ("sec-1-5/range", Verdict.WRONG),
        ("sec-1-5/direction", Verdict.WRONG),
        ("sec-1-5/top-right", Verdict.MISPRINT),
        ("sec-1-5/probability", Verdict.DEPENDS),
        ("sec-1-6/point", Verdict.MISPRINT),
        ("sec-1-6/imbalance", Verdict.DEPENDS),
        ("sec-1-11/who-false", Verdict.MISPRINT),
        ("sec-1-11/who-true", Verdict.HOLDS),
        ("sec-1-11/sample-false", Verdict.HOLDS),
    ],
)
def test_the_deviations_are_found(key, expected):
    assert verdict(key) is expected


@pytest.mark.parametrize(
    ("key", "printed", "expected"),
    [
        ("sec-1-1/example", "30/(30+5) ≈ 0.85", Verdict.MISPRINT),
        ("sec-1-1/example", "30/(30+6) ≈ 0.86", Verdict.MISPRINT),
        ("sec-1-5/range", "0 1", Verdict.HOLDS),
        ("sec-1-5/range", "0 2", Verdict.WRONG),
        ("sec-1-5/top-right", "0", Verdict.HOLDS),
        ("sec-1-6/point", "(0.86, 0.75)", Verdict.HOLDS),
        ("sec-1-11/who-false", "non infected: 65/100", Verdict.HOLDS),
        ("sec-1-3/highest", "0.450", Verdict.MISPRINT),
        ("sec-1-10/labels", "false=negatives, true=positives", Verdict.HOLDS),
        ("confusion-matrix", "TP FN / FP TN", Verdict.MISPRINT),
        ("table/not-f1", "2*(not_rec*not_prec)/(not_rec+prec)", Verdict.MISPRINT),
        ("table/filter-rate", "1 - match_rate = (TN+FP)/Total", Verdict.MISPRINT),
        ("scenario", "100 people, 35 %: 35 and 65; 30 and 5; 11 and 55", Verdict.MISPRINT),
    ],
)
def test_another_printed_value_is_judged_anew(key, printed, expected):
    assert verdict(key, printed) is expected


@pytest.mark.parametrize(
    "key", ["sec-1-1/example", "sec-1-5/point", "confusion-matrix", "sec-1-11/who-false"]
)
def test_what_is_not_of_the_printed_form_is_refused(key):
    with pytest.raises(BadDocument):
        CLAIMS[key].check("nonsense")


@pytest.mark.parametrize("name", METRICS)
def test_the_formula_of_a_metric_agrees_with_the_matrix(name):
    for matrix in (DISEASE, ENWIKI):
        values = {cell.upper(): getattr(matrix, cell) for cell in ("tp", "fp", "fn", "tn")}
        assert of_library(name).evaluate(values) == matrix[name]
        assert of_library("!" + name).evaluate(values) == matrix["!" + name]


def test_a_rounding_after_an_equals_sign_is_judged_as_a_rounding_and_noted():
    third = mpq(1, 3)
    assert decimal_after("≈", "0.33", third, "a third").verdict is Verdict.HOLDS
    assert decimal_after("=", "0.33", third, "a third").verdict is Verdict.HOLDS
    assert "printed after =" in decimal_after("=", "0.33", third, "a third").evidence[-1]
    assert decimal_after("=", "0.34", third, "a third").verdict is Verdict.MISPRINT
    assert decimal_after("=", "0.25", mpq(1, 4), "a quarter").verdict is Verdict.HOLDS
    assert worked("1/3 ≈ 0.33", third, "a third").verdict is Verdict.HOLDS
    assert worked("1/4 ≈ 0.33", third, "a third").verdict is Verdict.MISPRINT


def test_numbers_with_decimals_are_exact():
    assert number("0.75*(30/35)") == mpq(9, 14)
    with pytest.raises(BadDocument):
        number("x + 1")


def test_small_samples_and_matrices_are_all_there_and_the_smallest_come_first():
    sizes = [len(labels) for labels, _ in samples(3, levels=3)]
    assert sizes == sorted(sizes)
    assert len(sizes) == 2 * 2**2 + 6 * 2**3
    totals = [matrix.total for matrix in matrices(2)]
    assert totals == sorted(totals)
    assert len(totals) == len(list(product(range(3), repeat=4)))


def test_the_share_of_positives_found_is_recall_on_all_small_samples():
    finding = CLAIMS["sec-1-1/names"].find()
    assert finding.verdict is Verdict.HOLDS
    cases = sum((2**size - 1) * 2**size for size in (1, 2, 3, 4))
    assert f"true in all {cases} cases" in finding.evidence[1]


def test_a_perfect_ranking_has_no_area_from_the_first_point_on_and_all_of_it_otherwise():
    readings = CLAIMS["sec-1-6/area"].find().readings
    assert [reading.verdict for reading in readings] == [Verdict.WRONG, *[Verdict.HOLDS] * 3]
    assert [reading.evidence[0].split()[-1] for reading in readings] == ["7/24", "13/24", "2/3", "7/12"]
