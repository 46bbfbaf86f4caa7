"""The claims of the ORES documentation: that other printed values are found out, and that small cases are all there."""

from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.ores.curves import samples
from ntqr_exact.ledger.ores.formulas import DISEASE, ENWIKI, matrices, number, of_library
from ntqr_exact.ledger.registry import claim
from ntqr_exact.metrics.formulas import METRICS


@pytest.mark.parametrize(
    ("key", "printed", "expected"),
    [
        ("sec-1-1/example", ["30/(30+6)", "0.86"], Verdict.MISPRINT),
        ("sec-1-5/range", ["0", "1"], Verdict.DEPENDS),
        ("sec-1-5/range", ["0", "2"], Verdict.WRONG),
        ("sec-1-6/point", ["0.86", "0.75"], Verdict.MISPRINT),
        ("sec-1-3/highest", "0.450", Verdict.MISPRINT),
        ("sec-1-10/labels", ["positives", "positives"], Verdict.MISPRINT),
        ("confusion-matrix", [["TP", "FN"], ["FP", "TN"]], Verdict.MISPRINT),
        ("table/not-f1", ["2*(not_rec*not_prec)/(not_rec+prec)"], Verdict.MISPRINT),
        ("table/filter-rate", ["1 - match_rate", "(TN+FP)/Total"], Verdict.MISPRINT),
        ("sec-1-6/higher-fpr", "(a)", Verdict.MISPRINT),
        ("sec-1-12/not-e", "recall", Verdict.MISPRINT),
        ("sec-1-6/axes", [["recall", "fpr"], ["recall", "precision"]], Verdict.MISPRINT),
    ],
)
def test_another_printed_value_is_judged_anew(key, printed, expected):
    assert claim(f"ores/{key}").printing(printed).find().verdict is expected


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        ("sec-1-1/example", ["nonsense"]),
        ("sec-1-5/point", ["0.15"]),
        ("confusion-matrix", [["TP"]]),
        ("sec-1-11/who-false", {"people": "all", "share": "1"}),
        ("sec-1-5/direction", "Turning"),
    ],
)
def test_what_is_not_of_the_printed_form_is_refused(key, printed):
    with pytest.raises((BadDocument, ValueError)):
        claim(f"ores/{key}").printing(printed).find()


@pytest.mark.parametrize("name", METRICS)
def test_the_formula_of_a_metric_agrees_with_the_matrix(name):
    for matrix in (DISEASE, ENWIKI):
        values = {cell.upper(): getattr(matrix, cell) for cell in ("tp", "fp", "fn", "tn")}
        assert of_library(name).evaluate(values) == matrix[name]
        assert of_library("!" + name).evaluate(values) == matrix["!" + name]


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
    finding = claim("ores/sec-1-1/names").find()
    assert finding.verdict is Verdict.HOLDS
    cases = sum((2**size - 1) * 2**size for size in (1, 2, 3, 4))
    assert f"true in all {cases} cases" in finding.evidence[1]
