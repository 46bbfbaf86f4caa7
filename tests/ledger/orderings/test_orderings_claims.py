"""The claims of Maaz et al. 2023: printed tables, bounds, and what other printed values lead to."""

import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from gmpy2 import mpq

from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.claim import read_as
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.orderings import significance
from ntqr_exact.ledger.orderings.printed_scores import PrintedScore
from ntqr_exact.ledger.orderings.results import (
    METHODS,
    TABLES,
    MeanError,
    apart,
    overall,
    printed_wins,
    rows,
    wins,
)
from ntqr_exact.ledger.orderings_analysis.two_way_anova import two_way_anova
from ntqr_exact.ledger.registry import claim

TYPED_APART = json.loads(
    (Path(__file__).parents[2] / "sources" / "orderings_tables.json").read_text(encoding="utf-8")
)


def verdict(key, printed):
    return claim(f"orderings/{key}").printing(printed).find().verdict


# -- the data --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dataset", "table"), TABLES.items())
def test_every_printed_cell_agrees_with_the_table_that_was_typed_apart(dataset, table):
    theirs = TYPED_APART[table.replace("-", " ")]["rows"]
    assert [row["dimension"] for row in theirs] == list(rows(dataset))
    for row in theirs:
        ours = rows(dataset)[row["dimension"]]
        for method in METHODS:
            mean, low, high = row["cells"][method]
            assert ours[method].text() == f"{mean} [{low}, {high}]"
    if dataset == "Emotion":
        bold = {str(row["dimension"]): [name.removeprefix("ATC-") for name in row["bold"]] for row in theirs}
        assert claim("orderings/table-1/bold").printed == bold


def test_the_counts_of_table_2_agree_with_those_typed_apart():
    for dataset in TABLES:
        theirs = {method: int(TYPED_APART["table 2"][method][dataset]) for method in METHODS}
        assert printed_wins(dataset) == theirs
        for method, number in wins(dataset).items():
            means = {row["dimension"]: row["cells"] for row in TYPED_APART[_table(dataset)]["rows"]}
            by_hand = [
                k
                for k, cells in means.items()
                if k > 2 and mpq(cells[method][0]) == min(mpq(cells[name][0]) for name in METHODS)
            ]
            assert number == len(by_hand)


def _table(dataset):
    return TABLES[dataset].replace("-", " ")


def test_a_cell_has_three_numbers():
    with pytest.raises(BadDocument):
        MeanError.from_data(["1.28", "0.00"])


# -- verdicts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "printed", "expected"),
    [
        ("sec-2-3/l2", {"form": "sum", "term": "p**2"}, Verdict.MISPRINT),
        ("sec-2-3/l2-uniform", {"form": "root of sum", "term": "(p - 1/3)**2"}, Verdict.MISPRINT),
        ("def-1/third-point", ["<", "<"], Verdict.MISPRINT),
        ("lemma-3", "monotonic", Verdict.WRONG),
        ("sec-3-2/l2-within", "0.7", Verdict.POSSIBLE),
        ("sec-3-2/doc-once", "TweetEval", Verdict.MISPRINT),
        ("table-2/emotion/l2", "1", Verdict.COMPUTATION),
        ("table-2/emotion/js", "4", Verdict.MISPRINT),
        ("table-2/banking77/js", "3", Verdict.HOLDS),
        ("table-2/banking77/max", "40", Verdict.MISPRINT),
        (
            "alg-1/size",
            {"runs": "1000", "dimensions": "77", "methods": "7", "points": "532000"},
            Verdict.MISPRINT,
        ),
        ("thm-2/proof-mean-value", "2/k", Verdict.MISPRINT),
        ("sec-3-2/tukey-tweeteval", ["ATC-L2", "ATC-Max"], Verdict.WRONG),
    ],
)
def test_another_printed_value_is_judged_anew(key, printed, expected):
    assert verdict(key, printed) is expected


def test_a_mean_outside_its_interval_is_seen():
    row = claim("orderings/table-1/k-3")
    assert row.find().verdict is Verdict.NOT_CHECKABLE
    assert row.printing([["1.28", "1.30", "3.07"], *row.printed[1:]]).find().verdict is Verdict.MISPRINT


def test_the_rows_whose_twin_columns_differ_are_those_counted_apart():
    found = {k for _, k, _ in apart("Banking77")}
    theirs = {row["dimension"]: row["cells"] for row in TYPED_APART["table 4"]["rows"]}
    assert found == {k for k, cells in theirs.items() if cells["ATC-L2"] != cells["ATC-L2n"]}
    assert {k for size, k, _ in apart("Banking77") if size > mpq(1, 100)} == {14, 15, 18, 19, 34}
    assert {k for _, k, _ in apart("Emotion")} == {3}
    assert apart("TweetEval") == []


def test_a_printed_score_orders_vectors_as_its_namesake():
    p, q = ProbabilityVector((4, 1, 1), 6), ProbabilityVector((3, 3, 0), 6)
    assert PrintedScore("max", "p").compare(p, q) == 1
    assert PrintedScore("sum", "p", "p").compare(p, q) == -1
    assert PrintedScore("minus sum", "p", "p").compare(p, q) == 1
    assert PrintedScore("sum of absolute values", "p - 1/k").is_at(p, SCORES["l1-uniform"])
    assert not PrintedScore("sum of absolute values", "p").is_at(p, SCORES["l1-uniform"])
    with pytest.raises(BadDocument):
        read_as(PrintedScore, {"form": "product", "term": "p"})


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


def test_roundings_of_the_means_leave_tukeys_test_on_emotion_open():
    _, exact = significance.studentized("Emotion", "ATC-JS", "ATC-L2n", rounding=mpq(0))
    _, wide = significance.studentized("Emotion", "ATC-JS", "ATC-L2n", rounding=mpq(1, 100))
    assert significance.not_significant(exact)
    assert not significance.not_significant(wide)
