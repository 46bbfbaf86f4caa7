"""The claims of Maaz et al. 2023: printed tables, bounds, and what other printed values lead to."""

import importlib
import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from gmpy2 import mpq

from ntqr_exact.confidence.anova import two_way_anova
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.ledger.finding import Verdict
from ntqr_exact.ledger.orderings import significance
from ntqr_exact.ledger.orderings.printed_scores import read_score
from ntqr_exact.ledger.orderings.printed_tables import (
    DATASETS,
    METHODS,
    document,
    overall,
    printed_rows,
    read_row,
    rows,
)
from ntqr_exact.ledger.orderings.win_table import least, sure_and_possible
from ntqr_exact.ledger.registry import MODULES

CLAIMS = {
    claim.id.removeprefix("orderings/"): claim
    for module in MODULES["orderings"]
    for claim in importlib.import_module(f"ntqr_exact.ledger.orderings.{module}").CLAIMS
}
TYPED_APART = json.loads(
    (Path(__file__).parents[2] / "sources" / "orderings_tables.json").read_text(encoding="utf-8")
)


def verdict(key, printed=None):
    claim = CLAIMS[key]
    return claim.check(claim.printed if printed is None else printed).verdict


# -- the data --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dataset", "table"), DATASETS.items())
def test_every_printed_cell_agrees_with_the_table_that_was_typed_apart(dataset, table):
    theirs = TYPED_APART[table.replace("-", " ")]
    assert theirs["dataset"] == dataset == document()[table]["dataset"]
    assert [row["dimension"] for row in theirs["rows"]] == list(rows(dataset))
    for row in theirs["rows"]:
        ours = rows(dataset)[row["dimension"]].cells
        for method in METHODS:
            mean, low, high = row["cells"][method]
            assert str(ours[method]) == f"{mean} [{low}, {high}]"
            assert ours[method].bold == (method in row.get("bold", []))


def test_the_counts_of_table_2_agree_with_those_typed_apart():
    for method, cells in document()["table-2"].items():
        assert [int(cell) for cell in cells] == [TYPED_APART["table 2"][method][name] for name in DATASETS]


@pytest.mark.parametrize(
    "text", ["", "3", "3 | 1.28 [0.00, 3.07]", printed_rows("table-1")[0].replace("[", "(")]
)
def test_a_row_of_another_form_is_refused(text):
    with pytest.raises(BadDocument):
        read_row(text)


# -- verdicts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("sec-2-1/negative-entropy", Verdict.MISPRINT),
        ("eq-2", Verdict.WRONG),
        ("lemma-1", Verdict.WRONG),
        ("lemma-1/fixed", Verdict.MISPRINT),
        ("lemma-2", Verdict.HOLDS),
        ("lemma-3", Verdict.HOLDS),
        ("sec-2-2/two-scores", Verdict.WRONG),
        *((f"thm-1/{item}", Verdict.HOLDS) for item in range(1, 7)),
        *((f"thm-1/proof-{item}", Verdict.HOLDS) for item in (2, 3, 4, "2/equivalences", "range")),
        ("thm-1/proof-5", Verdict.WRONG),
        ("thm-1/proof-6", Verdict.MISPRINT),
        ("thm-2", Verdict.HOLDS),
        *(
            (f"thm-2/proof-{line}", Verdict.HOLDS)
            for line in ("forms", "gradient-s", "gradient-s-hat", "equal")
        ),
        ("thm-2/remark-equal-components", Verdict.HOLDS),
        ("thm-2/remark-fixed-vector", Verdict.HOLDS),
        ("sec-2-5/subspace", Verdict.DEPENDS),
        ("sec-2-5/only-pair", Verdict.HOLDS),
        ("alg-1/append", Verdict.MISPRINT),
        ("sec-3-2/js-best", Verdict.MISPRINT),
        ("sec-3-2/outperforms", Verdict.WRONG),
        ("sec-4/outperforms", Verdict.DEPENDS),
        ("sec-3-2/l2-within", Verdict.WRONG),
        ("sec-3-2/plurality-banking77", Verdict.DEPENDS),
        ("sec-3-2/magnitude", Verdict.WRONG),
        ("sec-3-2/cohen", Verdict.MISPRINT),
        ("sec-3-2/tukey-emotion", Verdict.HOLDS),
        ("sec-3-2/tukey-tweeteval", Verdict.WRONG),
        ("sec-3-2/tukey-banking77", Verdict.NOT_CHECKABLE),
        ("table-2/emotion/l2", Verdict.MISPRINT),
        ("table-2/banking77/l2n", Verdict.DEPENDS),
        ("table-4/k-14/l2-l2n", Verdict.WRONG),
        ("table-3/k-14/l2-l2n", Verdict.HOLDS),
    ],
)
def test_theorems_hold_and_deviations_are_found(key, expected):
    assert verdict(key) is expected


@pytest.mark.parametrize(
    ("key", "printed", "expected"),
    [
        ("sec-2-1/negative-entropy", "sum p log p", Verdict.HOLDS),
        ("sec-2-3/l2-uniform", "sqrt sum (p - 1/3)**2", Verdict.MISPRINT),
        ("sec-2-3/l2", "sum p**2", Verdict.MISPRINT),
        ("lemma-1/fixed", "f, D^s, D^t, Gamma^s", Verdict.HOLDS),
        ("thm-1/proof-2", "a**2 + (1 - a)**2 = 2*a**2 - 2*a + 2", Verdict.MISPRINT),
        ("thm-1/proof-3", "|a - 0.5| + |(1 - a) - 0.5| = 2*a - 2", Verdict.MISPRINT),
        ("thm-1/proof-5", "(0.5, 1)", Verdict.HOLDS),
        (
            "thm-1/proof-6",
            "1/2: a log 2*a/(a + 0.5); 1 - a log 2*(1 - a)/(1.5 - a); 0.5 log 1/(a + 0.5); 0.5 log 1/(1.5 - a)",
            Verdict.HOLDS,
        ),
        ("thm-2/proof-gradient-s", "2*pj + 2*(1 - S)", Verdict.MISPRINT),
        ("sec-2-5/counterexample", "0.5 0.2 0.3; 0.5 0.5 0; 0.39 0.5; 0.5 0.5", Verdict.MISPRINT),
        ("alg-1/append", "d m n; d m n epsilon", Verdict.HOLDS),
        ("alg-1/size", "1000 × 77 × 7 = 532,000", Verdict.MISPRINT),
        ("sec-3-2/js-best", "3 4 6; 5", Verdict.HOLDS),
        ("sec-3-2/l2-within", "0.7", Verdict.HOLDS),
        ("sec-3-2/cohen", "0.02", Verdict.HOLDS),
        ("fig-1/reference", "Figure 1", Verdict.HOLDS),
        ("sec-1/unlabeled", "labeled", Verdict.HOLDS),
        ("table-2/emotion/l2", "1", Verdict.HOLDS),
        ("table-2/emotion/js", "4", Verdict.MISPRINT),
        ("table-2/banking77/l2", "10", Verdict.HOLDS),
        ("table-2/banking77/max", "40", Verdict.MISPRINT),
        ("table-2/banking77/column", "3 12 10 7 39 5 8", Verdict.HOLDS),
        ("table-2/banking77/column", "2 12 9 2 40 4 8", Verdict.MISPRINT),
        ("table-4/k-14/l2-l2n", "14.81 [9.29, 20.91] | 14.81 [9.29, 20.91]", Verdict.HOLDS),
    ],
)
def test_another_printed_value_is_judged_anew(key, printed, expected):
    assert verdict(key, printed) is expected


def test_a_mean_outside_its_interval_and_a_wrong_bold_mark_are_seen():
    claim = CLAIMS["table-1/k-3"]
    assert claim.find().verdict is Verdict.NOT_CHECKABLE
    assert claim.check(claim.printed.replace("1.28 [0.00", "1.28 [1.30")).verdict is Verdict.WRONG
    assert (
        claim.check(claim.printed.replace("*1.28", "1.28").replace("| 1.29", "| *1.29")).verdict
        is Verdict.MISPRINT
    )
    assert claim.check("4" + claim.printed[1:]).verdict is Verdict.MISPRINT


def test_all_rows_whose_twin_columns_differ_are_named():
    wrong = [
        key
        for key in CLAIMS
        if key.endswith("/l2-l2n") and key.startswith("table") and verdict(key) is Verdict.WRONG
    ]
    expected = [12, 13, 14, 15, 16, 17, 18, 19, 22, 24, 25, 26, 27, 30, 34, 46, 47, 55, 76]
    assert wrong == ["table-1/k-3/l2-l2n", *(f"table-4/k-{k}/l2-l2n" for k in expected)]


def test_each_pair_of_scores_but_the_twins_has_a_claim():
    pairs = [key for key in CLAIMS if key.startswith("sec-2-5/others/")]
    assert len(pairs) == 14
    assert all(verdict(key) is Verdict.HOLDS for key in pairs)


def test_sure_and_possible_wins_enclose_every_printed_count():
    for dataset in DATASETS:
        for method in METHODS:
            sure, possible = sure_and_possible(dataset, method)
            by_hand = [d for d, methods in least(dataset).items() if method in methods]
            assert (len([d for d in by_hand if len(least(dataset)[d]) == 1]), len(by_hand)) == (
                sure,
                possible,
            )
            assert sure <= int(document()["table-2"][method][list(DATASETS).index(dataset)]) <= possible


# -- printed scores --------------------------------------------------------------------------------------


def test_a_printed_score_orders_vectors_as_its_namesake():
    p, q = ProbabilityVector((4, 1, 1), 6), ProbabilityVector((3, 3, 0), 6)
    assert read_score("max p").compare(p, q) == 1
    assert read_score("sum p log p").compare(p, q) == -1
    assert read_score("minus sum p log p").compare(p, q) == 1
    assert read_score("sum abs p - 1/k").is_at(p, SCORES["l1-uniform"])
    assert not read_score("sum abs p").is_at(p, SCORES["l1-uniform"])


@pytest.mark.parametrize("text", ["", "p**2", "minus sum p**2", "sum p ** x"])
def test_a_score_of_another_form_is_refused(text):
    with pytest.raises(NtqrExactError):
        read_score(text)


# -- significance ----------------------------------------------------------------------------------------


def test_the_bounds_of_the_mean_square_enclose_that_of_any_runs_behind_a_table():
    """Make 40 errors for each cell, read off mean and interval as the source does, and compare with the bounds."""
    bits = random.Random(7)
    cells = {
        (d, m): sorted(mpq(bits.randrange(0, 3000), 100) for _ in range(40)) for d in (3, 4) for m in "xyz"
    }
    table = two_way_anova(cells)
    low = high = mpq(0)
    for errors in cells.values():
        mean = sum(errors, mpq(0)) / 40
        low += (mean - errors[0]) ** 2 + (errors[-1] - mean) ** 2  # 2.5 % of 40 is one run beyond each end
        high += 40 * mean * (100 - mean)
    assert low < table.rest.sum_of_squares < high


def test_known_critical_values_lie_where_the_two_bounds_leave_room():
    """The 5 % point of the studentized range of seven is 4.17 for many degrees of freedom."""
    assert significance.not_significant(mpq("3.1") ** 2)
    assert not significance.not_significant(mpq("4.17") ** 2)
    assert not significance.significant(mpq("4.17") ** 2)
    assert significance.significant(mpq("4.8") ** 2)


def test_the_tail_of_chi_squared_agrees_with_tables():
    assert mpq("0.0499") < significance.chi_squared_tail(mpq("12.592")) < mpq("0.0501")
    assert mpq("0.0099") < significance.chi_squared_tail(mpq("16.812")) < mpq("0.0101")


def test_the_pair_that_tukey_cannot_have_found_is_the_nearest_but_one():
    mean = overall("TweetEval")
    gaps = sorted((abs(mean[a] - mean[b]), a, b) for a, b in combinations(METHODS, 2))
    assert gaps[0] == (0, "ATC-L2", "ATC-L2n")
    assert {gaps[1][1:], gaps[2][1:]} == {("ATC-L2", "ATC-Max"), ("ATC-L2n", "ATC-Max")}
    low, high = significance.studentized("TweetEval", "ATC-L2", "ATC-Max", rounding=mpq(1, 100))
    assert low == 0 < high < 9


def test_the_estimate_of_eq_3_is_not_the_metric_of_the_target():
    readings = CLAIMS["eq-3/symbol"].find().readings
    assert [reading.verdict for reading in readings] == [Verdict.HOLDS, Verdict.WRONG]
