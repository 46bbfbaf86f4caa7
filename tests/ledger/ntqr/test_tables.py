"""The tables, captions and sentences of the source, against counting by hand and against their own corrections."""

import itertools
from contextlib import suppress
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path

import pytest

from ntqr_exact.errors import NtqrExactError
from ntqr_exact.ledger.finding import Verdict
from ntqr_exact.ledger.ntqr import estimate_errors as errors
from ntqr_exact.ledger.ntqr import figures, graded_tables, sentences, synthetic_tables
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.printed_cells import cell_finding, over, read_exact, split_cell
from ntqr_exact.ledger.ntqr.synthetic_trio import synthetic_votes
from ntqr_exact.varieties.correlations import pair_correlation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

MODULES = (graded_tables, synthetic_tables, figures, sentences)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}
FINDINGS = {name: claim.find() for name, claim in CLAIMS.items()}
PAIRS = ("1-2", "1-3", "2-3")


def rows_of(test):
    """The votes of a test, question by question."""
    return [pattern for pattern, count in graded.votes_of(test).counts.items() for _ in range(count)]


def correlation_by_counting(rows, label, i, j):
    both = Fraction(sum(row[i] == row[j] == label for row in rows), len(rows))
    single = [Fraction(sum(row[k] == label for row in rows), len(rows)) for k in (i, j)]
    return both - single[0] * single[1]


def verdicts(pattern):
    return {name: finding.verdict for name, finding in FINDINGS.items() if fnmatchcase(name, pattern)}


# -- against counting --------------------------------------------------------------------------------


@pytest.mark.parametrize("test", graded.TESTS)
def test_grades_by_majority_vote_are_those_of_counting_question_by_question(test):
    for label in "ab":
        rows = [row for row in rows_of(test) if row.count(label) >= 2]
        assert len(rows) == graded.majority_of(test).key.key_counts[label]
        for judge in range(3):
            share = Fraction(sum(row[judge] == label for row in rows), len(rows))
            assert graded.accuracy(test, "mv", label, judge) == share
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
        fraction, _ = split_cell(graded.printed_test(test, "a")["correlation"][pair]["iae"])
        assert read_exact(fraction) == least
        assert len(possible) > 1


def test_single_frequencies_are_sums_of_four_patterns():
    votes = synthetic_votes()
    for judge, label in itertools.product(range(3), "ab"):
        four = [votes.frequency("".join(p)) for p in itertools.product("ab", repeat=3) if p[judge] == label]
        assert len(four) == 4
        right = FINDINGS[f"ntqr/table-11/response-{label}/{judge + 1}"].right
        assert read_exact(right) == sum(four)


# -- a cell that is corrected as the ledger says holds -----------------------------------------------

PUT_RIGHT = [
    ("table-8/caption/symbol", "Pa = 19/20"),
    ("table-11/header", "fa_i, fb_i"),
    ("table-11/header", "fa_j, fb_j"),
    ("sec-7-2/equation-40-quantity", "Pa"),
    ("table-1/resolved-square-roots", "unresolved"),
    ("table-10/caption/c", "√(9838505097/10)/312500"),
]
"""Words, symbols and roots, which the finding writes in another way than the printed text."""


def corrected(claim, finding):
    """What the finding says should be printed."""
    if " = " not in claim.printed:
        return finding.right
    parts = dict(zip(("fraction", "decimal"), split_cell(claim.printed), strict=True))
    for part in finding.right.split("; "):
        name, _, value = part.partition(": ")
        parts[name] = value
    return f"{parts['fraction']} = {parts['decimal']}"


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, finding in FINDINGS.items()
        if finding.verdict is Verdict.MISPRINT
        and fnmatchcase(name, "ntqr/table-*")
        and finding.right != "no estimate"
        and name.removeprefix("ntqr/") not in dict(PUT_RIGHT)
    ],
)
def test_a_misprinted_cell_corrected_holds(name):
    claim = CLAIMS[name]
    assert claim.check(corrected(claim, FINDINGS[name])).verdict is Verdict.HOLDS


def test_a_right_cell_that_is_changed_anywhere_holds_no_longer():
    for name, claim in CLAIMS.items():
        if not fnmatchcase(name, "ntqr/table-[2-7]/*/mv") or FINDINGS[name].verdict is not Verdict.HOLDS:
            continue
        for place, character in enumerate(claim.printed):
            if character.isdigit():
                other = claim.printed[:place] + str((int(character) + 5) % 10) + claim.printed[place + 1 :]
                with suppress(NtqrExactError):  # a denominator 0
                    assert claim.check(other).verdict is not Verdict.HOLDS, other


# -- how the misprints arose -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["table-3/correlation-b", "table-4/correlation-a", "table-5/correlation-b", "table-6/correlation-a"],
)
def test_four_correlations_by_majority_vote_took_judge_1_for_judge_2(name):
    assert FINDINGS[f"ntqr/{name}/2-3/mv"].arose == "the accuracy of judge 1 was taken for that of judge 2"


def test_the_true_correlations_on_b_are_one_row_printed_three_times():
    tables = [graded.printed_test(test, "b")["correlation"] for test in graded.TESTS]
    rows = [[table[pair]["gt"] for pair in PAIRS] for table in tables]
    assert rows[0] == rows[1] == rows[2]
    for table, pair in itertools.product((5, 7), PAIRS):
        assert FINDINGS[f"ntqr/table-{table}/correlation-b/{pair}/gt"].arose == "it is the cell of table 3"
    assert (
        len({tuple(graded.true_correlation(test, "b", pair) for pair in PAIRS) for test in graded.TESTS}) == 3
    )


def test_table_11_has_sums_of_three_patterns_and_moments_made_of_them():
    for name, finding in FINDINGS.items():
        if fnmatchcase(name, "ntqr/table-11/response-*"):
            assert finding.arose.startswith("it is the sum of only three patterns")
        if fnmatchcase(name, "ntqr/table-11/moment/*"):
            assert finding.arose.startswith("it is f_bb")


def test_captions_of_the_imaginary_test_were_copied():
    assert "table 2" in FINDINGS["ntqr/table-4/caption/iae"].arose
    assert "table 3" in FINDINGS["ntqr/table-5/caption/mv"].arose
    assert FINDINGS["ntqr/fig-7/mv-prevalence"].arose == "it is the estimate for two-norm"
    assert FINDINGS["ntqr/fig-8/mv-prevalence"].arose.startswith("447 is how often judge 1")


def test_the_printed_quadratic_of_figure_8_has_a_turned_sign_and_a_lost_zero():
    claim = CLAIMS["ntqr/fig-8/quadratic"]
    right = "475733909/61035156250000 - 11686017/250000000000*P*(1-P)"
    assert claim.check(right).verdict is Verdict.HOLDS
    assert claim.check(right.replace(" - ", " + ")).verdict is Verdict.MISPRINT
    assert claim.check(f"-3*({right})").verdict is Verdict.HOLDS
    assert FINDINGS["ntqr/fig-8/quadratic"].verdict is Verdict.MISPRINT
    assert FINDINGS["ntqr/fig-8/quadratic"].arose.startswith("the sign before P(1 − P) is turned, and a 0")


# -- verdicts at large -------------------------------------------------------------------------------


def test_table_9_and_most_of_tables_2_and_10_hold():
    assert set(verdicts("ntqr/table-9/*").values()) == {Verdict.HOLDS}
    assert [
        name for name, verdict in verdicts("ntqr/table-10/?-?/*").items() if verdict is not Verdict.HOLDS
    ] == ["ntqr/table-10/2-3/aa"]
    assert Verdict.MISPRINT not in verdicts("ntqr/table-2/*").values()


def test_every_misprint_in_the_tables_has_its_right_value():
    for name, finding in FINDINGS.items():
        if finding.verdict is Verdict.MISPRINT:
            assert finding.right, name


def test_the_cell_with_two_possible_corrections_names_both():
    finding = FINDINGS["ntqr/table-4/correlation-a/2-3/gt"]
    assert finding.right == "decimal: 0.050; or fraction: 409/80000"
    claim = CLAIMS["ntqr/table-4/correlation-a/2-3/gt"]
    assert claim.check("409/80000 = 0.005").verdict is Verdict.HOLDS
    assert "Γ^b = 1019/6000" in FINDINGS["ntqr/table-5/correlation-b/2-3/gt"].evidence[-1]


def test_how_much_better_depends_on_what_is_compared():
    for place in ("sec-5-4", "fig-8"):
        readings = FINDINGS[f"ntqr/{place}/performance-better"].readings
        assert {each.name: each.verdict for each in readings} == {
            "each accuracy": Verdict.WRONG,
            "sum of the absolute errors": Verdict.HOLDS,
            "sum of the squared errors": Verdict.WRONG,
            "all right answers of each judge": Verdict.WRONG,
        }


def test_judges_2_and_3_are_the_correlated_pair_of_the_imaginary_test():
    assert FINDINGS["ntqr/sec-5-3/correlation-of-1-and-2"].verdict is Verdict.WRONG
    assert FINDINGS["ntqr/sec-5-3/triggered-by-1-and-2"].verdict is Verdict.HOLDS
    points = {pair: graded.consistent_pairs("uci-adult-imaginary", "gt", pair) for pair in ("1-2", "2-3")}
    smallest = min(max(map(abs, point.correlations)) for point in points["2-3"])
    assert all(abs(value) < smallest for point in points["1-2"] for value in point.correlations)


def test_without_its_correlation_the_moment_of_judges_1_and_2_would_be_positive():
    p, x, y = (
        Fraction(2, 5),
        (Fraction(268, 400), Fraction(314, 400)),
        (Fraction(263, 600), Fraction(396, 600)),
    )
    moment = p * (1 - p) * (x[0] + y[0] - 1) * (x[1] + y[1] - 1)
    assert f"= {moment} =" in FINDINGS["ntqr/sec-5-3/triggered-by-1-and-2"].evidence[0]


@pytest.mark.parametrize("test", graded.TESTS)
def test_errors_are_distances_from_the_truth(test):
    found = errors.accuracy_errors(test, "mv")
    for label, judge in itertools.product("ab", range(3)):
        rows = [row for row in rows_of(test) if row.count(label) >= 2]
        share = Fraction(sum(row[judge] == label for row in rows), len(rows))
        truth = Fraction(graded.truth_of(test).correct[judge][label], graded.truth_of(test).key_counts[label])
        assert found[f"{label}{judge + 1}"] == abs(share - truth)
    assert errors.largest({"x": Fraction(-3, 4), "y": Fraction(1, 2)}) == ("x", Fraction(3, 4))


@pytest.mark.parametrize(
    "name",
    [
        "fig-3/plane",
        "fig-4/plane",
        "fig-5/exact-recovery",
        "fig-6/slightly-better",
        "fig-7/no-solution",
        "fig-7/degrades",
        "fig-8/majority-better",
        "sec-5-2/small-correlations",
        "sec-5-4/prevalence-not-better",
        "sec-6/soundness",
    ],
)
def test_these_sentences_hold(name):
    assert FINDINGS[f"ntqr/{name}"].verdict is Verdict.HOLDS


def test_equation_40_gives_the_other_root_of_both_tests():
    for test, right in (("two-norm", "638"), ("uci-adult", "789")):
        claim = CLAIMS[f"ntqr/sec-5-2/equation-40-{test}"]
        assert claim.find().verdict is Verdict.MISPRINT
        assert claim.check(right).verdict is Verdict.HOLDS


def test_many_correlations_go_with_the_grades_of_a_pair():
    found = FINDINGS["ntqr/sec-6/only-consistent-correlation"]
    assert found.verdict is Verdict.WRONG
    assert "aa:1 ab:1 ba:1 bb:1" in found.evidence[0]


def test_a_cell_is_a_fraction_and_a_decimal():
    assert cell_finding("1/8 = 0.12", read_exact("1/8"), "x").verdict is Verdict.HOLDS
    assert cell_finding("1/8 = 0.13", read_exact("1/8"), "x").verdict is Verdict.HOLDS
    assert (
        cell_finding("2/3 = 0.66", read_exact("2/3"), "x").arose == "digits were cut off instead of rounded"
    )
    assert cell_finding("2/3 = 0.66", read_exact("2/3"), "x").verdict is Verdict.MISPRINT
    assert cell_finding("1/8 = 0.11", read_exact("1/8"), "x").verdict is Verdict.MISPRINT
    assert over(read_exact("1/2"), 418) == "209/418"
    assert over(read_exact("1/3"), 418) == "1/3"
    with pytest.raises(NtqrExactError):
        split_cell("1/8")


@pytest.mark.parametrize("text", ["(1 + √2)/0", "√(1/0)/3", "√(1/2)/0", "x", "1/0", ""])
def test_texts_that_are_no_number_are_refused(text):
    with pytest.raises(NtqrExactError):
        read_exact(text)


@pytest.mark.parametrize(("name", "right"), PUT_RIGHT)
def test_a_wrong_word_or_symbol_holds_once_it_is_put_right(name, right):
    claim = CLAIMS[f"ntqr/{name}"]
    assert claim.find().verdict is Verdict.MISPRINT
    assert claim.check(right).verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table-8/caption/symbol", "z = 19/20"),
        ("table-8/caption/symbol", "x = "),
        ("table-11/header", "fa_i"),
        ("sec-7-2/equation-40-quantity", ""),
        ("table-1/resolved-square-roots", "solved"),
    ],
)
def test_symbols_that_are_not_read_are_refused(name, text):
    with pytest.raises(NtqrExactError):
        CLAIMS[f"ntqr/{name}"].check(text)


def test_the_factor_c_of_table_10_was_made_with_the_misprint_of_eq_23():
    rates = [Fraction(15961, 25000), Fraction(28687, 50000), Fraction(1948, 3125)]
    product = (1 - rates[0]) * (1 - rates[1]) * (1 - rates[2])
    assert product == Fraction(226746939639, 10) / 625000**2
    assert "misprinted" in FINDINGS["ntqr/table-10/caption/c"].arose


def test_the_index_is_complete():
    lines = Path(__file__).with_name("index_tables.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if not line.startswith("#")]
    assert [each for each in wanted if not any(fnmatchcase(name, each) for name in CLAIMS)] == []
