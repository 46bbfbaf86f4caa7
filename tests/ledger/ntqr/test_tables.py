"""The tables of the first source, against counting by hand and against their own corrections."""

import itertools
from fractions import Fraction

import pytest

from ntqr_exact.errors import NtqrExactError
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.printed_cells import Cell, Exactly, cell_finding, over, read_exact
from ntqr_exact.ledger.ntqr.synthetic_tables import synthetic_votes
from ntqr_exact.ledger.registry import claim, printed
from ntqr_exact.varieties.correlations import pair_correlation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

PAIRS = ("1-2", "1-3", "2-3")


def rows_of(test):
    """The votes of a test, question by question."""
    return [pattern for pattern, count in graded.votes_of(test).counts.items() for _ in range(count)]


def correlation_by_counting(rows, label, i, j):
    both = Fraction(sum(row[i] == row[j] == label for row in rows), len(rows))
    single = [Fraction(sum(row[k] == label for row in rows), len(rows)) for k in (i, j)]
    return both - single[0] * single[1]


@pytest.mark.parametrize("test", graded.TESTS)
def test_grades_by_majority_vote_are_those_of_counting_question_by_question(test):
    truth = graded.truth_of(test)
    off = graded.accuracy_errors(test, "mv")
    for label in "ab":
        rows = [row for row in rows_of(test) if row.count(label) >= 2]
        assert len(rows) == graded.majority_of(test).key.key_counts[label]
        for judge in range(3):
            share = Fraction(sum(row[judge] == label for row in rows), len(rows))
            assert graded.accuracy(test, "mv", label, judge) == share
            true = Fraction(truth.correct[judge][label], truth.key_counts[label])
            assert off[f"{label}{judge + 1}"] == abs(share - true)
        for pair in PAIRS:
            counted = correlation_by_counting(rows, label, *graded.PAIRS[pair])
            assert graded.majority_correlation(test, label, pair) == counted


@pytest.mark.parametrize("test", graded.TESTS)
def test_one_answer_key_has_all_six_true_correlations_and_all_accuracies(test):
    votes, truth = graded.votes_of(test), graded.truth_of(test)
    e = graded.joint_keys(test)[0]
    k12, k13, k23 = (graded.true_point(test, pair).both_right[0] for pair in PAIRS)
    s1, s2, s3 = (right["a"] for right in truth.correct)
    of_a = {
        "aaa": e,
        "aab": k12 - e,
        "aba": k13 - e,
        "baa": k23 - e,
        "abb": s1 - k12 - k13 + e,
        "bab": s2 - k12 - k23 + e,
        "bba": s3 - k13 - k23 + e,
    }
    of_a["bbb"] = 400 - sum(of_a.values())
    of_b = {pattern: votes.counts[pattern] - count for pattern, count in of_a.items()}
    key = LabeledVoteCounts(
        {"a": VoteCounts(of_a, judges=votes.judges), "b": VoteCounts(of_b, judges=votes.judges)}
    )
    assert key.observed() == votes
    for label, pair in itertools.product("ab", PAIRS):
        i, j = graded.PAIRS[pair]
        assert pair_correlation(key, label, i, j) == graded.true_correlation(test, label, pair)
    for label, judge in itertools.product("ab", range(3)):
        assert key.by_label[label].responses(judge)[label] == truth.correct[judge][label]


@pytest.mark.parametrize("test", ["two-norm", "uci-adult"])
def test_the_printed_correlations_of_the_independent_solution_are_an_end_of_the_consistent_ones(test):
    projected, votes = graded.projected_of(test), graded.votes_of(test)
    for pair in PAIRS:
        i, j = graded.PAIRS[pair]
        seen = votes.marginal(i, j).counts
        questions, s, t = projected.key_counts["a"], projected.correct[i]["a"], projected.correct[j]["a"]
        possible = [
            e
            for e in range(questions + 1)
            if 0 <= e <= seen["aa"]
            and 0 <= s - e <= seen["ab"]
            and 0 <= t - e <= seen["ba"]
            and 0 <= questions - s - t + e <= seen["bb"]
        ]
        least = Fraction(possible[0], questions) - Fraction(s * t, questions**2)
        assert graded.printed_cell(test, "a", "correlation", pair, "iae").value == least
        assert len(possible) > 1


def test_single_frequencies_are_sums_of_four_patterns(by_id):
    votes = synthetic_votes()
    for judge, label in itertools.product(range(3), "ab"):
        four = [votes.frequency("".join(p)) for p in itertools.product("ab", repeat=3) if p[judge] == label]
        assert read_exact(by_id[f"ntqr/table-11/response-{label}/{judge + 1}"].finding.right) == sum(four)


def test_a_wrong_cell_or_number_holds_once_it_is_put_right(by_id):
    cells = 0
    for name, entry in by_id.items():
        right, printed_ = entry.finding.right, entry.claim.printed
        if not name.startswith("ntqr/table-") or not entry.finding.right or " or " in right or "no " in right:
            continue
        if isinstance(printed_, dict):
            exact, decimal = right.split(" = ")
            put = {"exact": exact, "decimal": decimal}
        elif isinstance(printed_, str) and printed_ and entry.claim.right == "":
            put = right
        else:
            continue
        cells += 1
        assert entry.claim.printing(put).find().verdict is Verdict.HOLDS, name
    assert cells > 35


def test_the_cell_with_two_possible_corrections_names_both(by_id):
    cell = by_id["ntqr/table-4/correlation-a/2-3/gt"]
    assert cell.finding.right == "4009/80000 = 0.050 or 409/80000 = 0.005"
    for exact, decimal in (("4009/80000", "0.050"), ("409/80000", "0.005")):
        put = cell.claim.printing({"exact": exact, "decimal": decimal})
        assert put.find().verdict is Verdict.POSSIBLE
    assert "Γ^b = 1019/6000" in by_id["ntqr/table-5/correlation-b/2-3/gt"].finding.evidence[-1]


@pytest.mark.parametrize(
    ("names", "arose"),
    [
        (
            ["3/correlation-b/2-3", "4/correlation-a/2-3", "5/correlation-b/2-3", "6/correlation-a/2-3"],
            "the accuracy of judge 1 was taken for that of judge 2",
        ),
        ([f"7/correlation-b/{pair}" for pair in PAIRS], "it is the cell of table 5"),
    ],
)
def test_wrong_correlations_by_majority_vote_have_one_origin(by_id, names, arose):
    assert {by_id[f"ntqr/table-{name}/mv"].finding.arose for name in names} == {arose}


def test_the_true_correlations_on_b_are_one_row_printed_three_times(by_id):
    rows = {tuple(str(printed(f"ntqr/table-{n}/correlation-b/{p}/gt")) for p in PAIRS) for n in (3, 5, 7)}
    assert len(rows) == 1
    for table, pair in itertools.product((5, 7), PAIRS):
        found = by_id[f"ntqr/table-{table}/correlation-b/{pair}/gt"].finding
        assert found.arose == "it is the cell of table 3"


def test_table_11_has_sums_of_three_patterns_and_moments_made_of_them(by_id):
    for name, entry in by_id.items():
        if name.startswith(("ntqr/table-11/response", "ntqr/table-11/moment")):
            assert entry.verdict is Verdict.COMPUTATION
            assert "only three patterns" in entry.finding.arose or "wrong f_b" in entry.finding.arose


def test_captions_were_copied_from_another_test(by_id):
    assert "table 2" in by_id["ntqr/table-4/caption/iae"].finding.arose
    assert "table 3" in by_id["ntqr/table-5/caption/mv"].finding.arose
    assert by_id["ntqr/fig-7/mv-prevalence"].finding.arose == "it is the estimate for two-norm"
    assert by_id["ntqr/fig-8/mv-prevalence"].finding.arose.startswith("447 is how often judge 1")


def test_a_quadratic_holds_up_to_a_factor():
    each = claim("ntqr/fig-8/quadratic")
    spread, constant = (Fraction(each.right[name]) for name in ("spread", "constant"))
    assert each.printing({"spread": str(-3 * spread), "constant": str(-3 * constant)}).find().right == ""
    assert each.printing({"spread": str(-spread), "constant": str(constant)}).find().right != ""


def test_equation_40_gives_the_other_root_of_both_tests():
    for test, right in (("two-norm", "638"), ("uci-adult", "789")):
        each = claim(f"ntqr/sec-5-2/equation-40-{test}")
        assert each.find().verdict is Verdict.MISPRINT
        assert each.printing(right).find().verdict is Verdict.HOLDS


def test_judges_2_and_3_are_the_correlated_pair_of_the_imaginary_test():
    points = {pair: graded.consistent_pairs("uci-adult-imaginary", "gt", pair) for pair in ("1-2", "2-3")}
    smallest = min(max(map(abs, point.correlations)) for point in points["2-3"])
    assert all(abs(value) < smallest for point in points["1-2"] for value in point.correlations)


def test_without_its_correlation_the_moment_of_judges_1_and_2_would_be_positive(by_id):
    p, x, y = (
        Fraction(2, 5),
        (Fraction(268, 400), Fraction(314, 400)),
        (Fraction(263, 600), Fraction(396, 600)),
    )
    moment = p * (1 - p) * (x[0] + y[0] - 1) * (x[1] + y[1] - 1)
    assert f"= {moment} =" in by_id["ntqr/sec-5-3/triggered-by-1-and-2"].finding.evidence[0]


def test_the_factor_c_of_table_10_was_made_with_the_factors_of_eq_23():
    rates = [Fraction(15961, 25000), Fraction(28687, 50000), Fraction(1948, 3125)]
    product = (1 - rates[0]) * (1 - rates[1]) * (1 - rates[2])
    assert product == Fraction(226746939639, 10) / 625000**2
    assert claim("ntqr/table-10/caption/c").find().verdict is Verdict.COMPUTATION


def test_a_cell_is_a_fraction_and_a_decimal():
    for decimal, verdict in (("0.12", Verdict.HOLDS), ("0.13", Verdict.HOLDS), ("0.11", Verdict.MISPRINT)):
        assert cell_finding(Cell("1/8", decimal), read_exact("1/8"), "x").verdict is verdict
    cut = cell_finding(Cell("2/3", "0.66"), read_exact("2/3"), "x")
    assert (cut.verdict, cut.arose) == (Verdict.MISPRINT, "digits were cut off instead of rounded")
    assert over(read_exact("1/2"), 418) == "209/418"
    assert over(read_exact("1/3"), 418) == "1/3"


@pytest.mark.parametrize("text", ["(1 + √2)/0", "√(1/0)/3", "√(1/2)/0", "x", "1/0", ""])
def test_texts_that_are_no_number_are_refused(text):
    with pytest.raises(NtqrExactError):
        Exactly.from_data(text)
    with pytest.raises(NtqrExactError):
        Cell.from_data({"exact": text, "decimal": "0.1"})


@pytest.mark.parametrize("value", ["1/8", {"exact": "1/8"}, {"exact": "1/8", "decimal": "x"}])
def test_cells_of_another_form_are_refused(value):
    with pytest.raises(NtqrExactError):
        Cell.from_data(value)
