"""`ntqr-exact evaluate`: every way to grade, on examples and on files, in words and in JSON."""

import json
import re
from itertools import product
from pathlib import Path

import pytest

from ntqr_exact import VoteCounts, example

DECISIONS = """A,B,C,D,key
a,a,a,b,a
a,b,a,a,a
b,b,b,b,b
b,b,a,b,b
a,a,a,a,a
b,a,b,b,b
a,a,b,a,b
b,b,b,a,b
a,a,a,a,a
b,b,b,b,a
"""


@pytest.fixture
def decisions(tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text(DECISIONS)
    return path


@pytest.fixture
def votes_file(tmp_path):
    def write(votes: VoteCounts) -> Path:
        path = tmp_path / "votes.json"
        path.write_text(votes.to_json())
        return path

    return write


def grades_header(out):
    """The names of the columns of the table of grades."""
    return out.split("how often each judge is right:\n")[1].split("\n")[0].split()


def trio(*counts):
    return VoteCounts(dict(zip(product("ab", repeat=3), counts, strict=True)), judges=["A", "B", "C"])


# -- words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "1000 questions, 3 judges, labels a, b.",
        "                                  by key            majority  independent\n",
        "  1       361/500 = 0.722  799/1000 = 0.799   ≈ 0.719555\n",
        "- by key: 3 > 1 > 2\n- majority: 3 > 2 > 1\n- independent: 3 > 2 > 1\n",
        "  share of a                   2/5 = 0.4    443/1000 = 0.443   ≈ 0.362138\n",
        "  judge 1 right on a    297/400 = 0.7425  357/443 ≈ 0.805869   ≈ 0.764477\n",
        "Closest to the key: independent (sum of squared differences from the key: majority ≈ 0.042058,\n"
        "  independent ≈ 0.007347).",
        "  judge 1 right on a: (59839 + √657031321)/111804 ≈ 0.764477\n",
        "ALARM, irrational: the discriminant A is not the square of a rational: Q⁶A = 657031321000000 lies\n"
        "  between 25632622² and 25632623²",
        "Right answers, if the key has 362 of a, 638 of b:\n  judge  on a  on b\n  1       277   443\n",
        "  1, 2 on a    -3485/65522 ≈ -0.053188    8823/65522 ≈ 0.134657\n",
        "  error rate of judge 1: (575 - √65182)/1150 ≈ 0.277993\n",
        "ALARM, irrational: c² = 32591/3125000 is not the square of a rational",
    ],
)
def test_the_two_norm_example_is_graded_every_way(run, words):
    code, out, err = run("evaluate", "--details", "example:two-norm")
    assert (code, err) == (0, "")
    assert words in out


@pytest.mark.parametrize("name", ["two-norm", "uci-adult", "uci-adult-imaginary"])
def test_no_line_of_an_example_is_longer_than_100_characters(run, name):
    _, out, _ = run("evaluate", "--details", f"example:{name}")
    assert max(map(len, out.splitlines())) <= 100


def test_the_majority_is_closer_to_the_key_of_the_uci_adult_example(run):
    assert "Closest to the key: majority (" in run("evaluate", "--details", "example:uci-adult")[1]


def test_an_imaginary_solution_has_alarms_and_no_column(run):
    _, out, _ = run("evaluate", "--details", "example:uci-adult-imaginary")
    assert grades_header(out) == ["by", "key", "majority", "closest"]
    assert "judge 1 right on a: (94407 + i·√10586831)/162596 (imaginary)" in out
    assert "ALARM, negative product: " in out
    assert "ALARM, imaginary: the discriminant A is negative, Q⁶A = -42347324000000," in out
    assert "Nearest whole numbers" not in out
    assert "sum of squared differences from the key: majority ≈ 0.242579, closest ≈ " in " ".join(out.split())


def test_without_a_key_nothing_is_compared_with_it(run, decisions):
    code, out, err = run("evaluate", "--details", decisions, "--judges", "A,B,C")
    assert (code, err) == (0, "")
    assert "by key" not in out
    assert "from the key" not in out
    assert "There is no answer key." in out


def test_a_key_in_the_file_is_a_column_of_the_table(run, decisions):
    _, out, _ = run("evaluate", "--details", decisions, "--judges", "A,B,C", "--truth", "key")
    assert grades_header(out) == ["by", "key", "majority", "independent"]
    assert "  judge A right on a    4/5 = 0.8" in out
    assert "Closest to the key: majority (" in out


def test_with_four_judges_every_trio_is_listed_with_its_alarms(run, decisions):
    _, out, _ = run("evaluate", "--details", decisions, "--truth", "key")
    assert out.split("Every trio by itself, and the alarms that it raises:\n")[1] == (
        "  judges   alarms\n"
        "  A, B, C  irrational, out of range\n"
        "  A, B, D  irrational, out of range\n"
        "  A, C, D  irrational, out of range\n"
        "  B, C, D  irrational\n"
    )
    assert "Of 4 trios, 4 cannot have erred exactly independently." in out
    assert "ALARM, irrational roots: " in out
    assert "multiplied over the whole test" not in out


def test_four_judges_whose_trios_all_look_independent(run, votes_file):
    by_number_of_b = (83, 29, 19, 29, 83)
    path = votes_file(VoteCounts({p: by_number_of_b[p.count("b")] for p in product("ab", repeat=4)}))
    _, out, _ = run("evaluate", "--details", path)
    assert "ALARM, not reproduced: " in out
    assert "  J1, J2, J3  none\n  J1, J2, J4  none\n  J1, J3, J4  none\n  J2, J3, J4  none\n" in out


def test_two_judges_have_no_independent_solution_and_the_report_says_so(run, decisions):
    code, out, err = run("evaluate", "--details", decisions, "--judges", "A,B", "--truth", "key")
    assert (code, err) == (0, "")
    assert grades_header(out) == ["by", "key", "majority"]
    assert "\nIndependent errors are solved for three judges or more; here: 2.\n" in out


def test_three_labels_are_solved_too(run, votes_file):
    counts = (2, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 2)
    patterns = product("abc", repeat=3)
    _, out, _ = run(
        "evaluate",
        "--details",
        votes_file(VoteCounts(dict(zip(patterns, counts, strict=True)), tuple("abc"))),
    )
    assert "24 questions, 3 judges, labels a, b, c." in out
    assert "1/3 ≈ 0.333333\n" in next(line + "\n" for line in out.splitlines() if "share of c" in line)
    assert "  judge J3 right on c: 1/2 = 0.5\n" in out
    assert "No alarm: there is an answer key under which the errors are independent." in out
    assert "Solution 2" not in out
    assert "Nearest" not in out


def test_many_alarms_of_one_kind_are_one_line(run, votes_file):
    _, out, _ = run("evaluate", "--details", votes_file(trio(0, 0, 0, 1, 2, 1, 1, 1)))
    alarms = [line for line in out.splitlines() if line.startswith("ALARM, not whole")]
    assert alarms == ["ALARM, not whole: the number of questions of a would be 3/2; and 3 more"]


def test_the_table_shows_the_solution_under_which_the_judges_are_right_more_often(run, votes_file):
    """Judge B says the opposite of the others; with the positive root it alone would be right."""
    _, out, _ = run("evaluate", "--details", votes_file(trio(0, 0, 1, 0, 0, 1, 0, 0)))
    assert "The grades show solution 2, under which the judges are right more often." in out
    assert [line.split()[-1] for line in out.splitlines() if "right on a  " in line] == ["1", "0", "1"]
    assert "  judge B right on a: 1\n" in out


# -- ties --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "share", "words"),
    [
        ([], "3/5 = 0.6", "first-label"),
        (["--ties", "first-label"], "3/5 = 0.6", "first-label"),
        (["--ties", "last-label"], "2/5 = 0.4", "last-label"),
        (["--ties", "first-judge"], "1/2 = 0.5", "first-judge"),
    ],
)
def test_a_tie_goes_as_the_policy_says_and_the_report_tells(run, decisions, policy, share, words):
    _, out, _ = run("evaluate", "--details", decisions, "--judges", "A,B", "--labels", "a,b", *policy)
    assert re.search(rf"  share of a +{share}\n", out)
    assert f"Questions without a majority: 2, decided by the policy {words}.\n" in out


def test_ties_can_be_refused(run, decisions):
    code, out, err = run("evaluate", "--details", decisions, "--judges", "A,B", "--ties", "refuse")
    assert (code, out) == (2, "")
    assert err.startswith("ntqr-exact: ")
    assert "name a policy for ties: 'first-label', 'last-label', 'first-judge'" in err
    assert err.count("\n") == 1


# -- JSON --------------------------------------------------------------------------------------------


def test_json_has_exact_numbers_and_the_same_bytes_every_time(run):
    first, second = (run("evaluate", "--details", "example:two-norm", "--json") for _ in range(2))
    assert first == second
    code, out, err = first
    assert (code, err) == (0, "")
    document = json.loads(out, parse_float=pytest.fail)
    assert {"votes", "key", "majority", "independent", "nearest", "agreement", "summary"} <= set(document)
    assert document["grades"]["closest_to_key"] == ["independent"]
    assert document["agreement"]["defects"][0]["judges"] == ["1", "2"]
    assert document["votes"] == example("two-norm").votes.to_document()
    assert document["key"]["response_rates"][0]["a"] == {"a": "297/400", "b": "103/400"}
    assert document["majority"]["evaluation"]["prevalence"] == {"a": "443/1000", "b": "557/1000"}
    assert document["majority"]["reversed"]["prevalence"] == {"a": "557/1000", "b": "443/1000"}
    assert document["majority"]["ties"] == 0
    assert document["independent"]["solutions"][0]["response_rates"][0]["a"]["a"] == {
        "rational": "59839/111804",
        "coefficient": "1/111804",
        "radicand": "657031321",
    }
    assert document["independent"]["alarms"][0]["proof"]["lower_root"] == "25632622"
    assert document["nearest"]["key_counts"] == {"a": 362, "b": 638}
    assert document["nearest"]["right"]["3"] == {"a": 280, "b": 465}
    assert document["nearest"]["correlations"][0] == {
        "judges": ["1", "2"],
        "label": "a",
        "least": "-3485/65522",
        "greatest": "8823/65522",
        "points": 69,
    }
    assert document["agreement"]["agreements"]["0,1"] == "151/250"


def test_json_of_four_judges_has_all_trios_and_of_two_has_no_solution(run, decisions):
    four = json.loads(run("evaluate", "--details", decisions, "--truth", "key", "--json")[1])
    assert {"votes", "key", "majority", "independent", "trios"} <= set(four)
    assert not {"agreement", "nearest"} & set(four)
    assert [entry["judges"] for entry in four["trios"]] == [
        list(names) for names in ("ABC", "ABD", "ACD", "BCD")
    ]
    assert four["trios"][3]["alarms"][0]["kind"] == "irrational"
    two = json.loads(run("evaluate", "--details", decisions, "--judges", "A,B", "--json")[1])
    assert not {"key", "independent", "agreement", "nearest", "trios"} & set(two)


# -- mistakes and help -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.csv"], "'none.csv': the file cannot be read"),
        (["example:none"], "'none'"),
        (["example:two-norm", "--ties", "coin"], "'coin' is not one of"),
        ([], "VOTES"),
        (["example:two-norm", "--factor", "2"], "No such option"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(run, arguments, words):
    code, out, err = run("evaluate", "--details", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("ntqr-exact: ")
    assert err.count("\n") == 1


def test_an_empty_test_is_a_mistake(run, votes_file):
    code, _, err = run("evaluate", "--details", votes_file(VoteCounts({}, judges=["A", "B", "C"])))
    assert code == 2
    assert "a test without questions cannot be graded" in err


def test_help_names_the_policies_the_examples_and_the_way_to_name_a_key(run):
    code, out, err = run("evaluate", "--details", "--help")
    assert (code, err) == (0, "")
    for words in (
        "--truth COLUMN",
        "[refuse|first-label|last-label|first-judge]",
        "example:two-norm",
        "--json",
    ):
        assert words in out
    assert "ntqr-exact evaluate example:uci-adult" in out


# -- not identified ------------------------------------------------------------------------------------


def test_judges_that_are_not_identified_are_told_as_undecided(run, votes_file):
    counts = dict(zip(product("ab", repeat=3), (10, 8, 19, 12, 12, 9, 14, 16), strict=True))
    code, out, err = run("evaluate", "--details", votes_file(VoteCounts(counts, ("a", "b", "c"))))
    assert (code, err) == (0, "")
    assert "UNDECIDED" in out
    more = votes_file(VoteCounts({(*p, "a"): n for p, n in counts.items()}, ("a", "b", "c")))
    trios = json.loads(run("evaluate", "--details", more, "--json")[1])["trios"]
    assert "undecided" in {trio["independent_key"] for trio in trios}
