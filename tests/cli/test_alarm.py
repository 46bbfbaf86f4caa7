"""`ntqr-exact alarm`: exit code 1 and a proof if the judges cannot all be safe, 0 if they could be."""

import json
from itertools import product

import pytest

from ntqr_exact import VoteCounts, check_safety_certificate


@pytest.fixture
def votes_file(tmp_path):
    def write(votes: VoteCounts):
        path = tmp_path / "votes.json"
        path.write_text(votes.to_json())
        return path

    return write


def trio(*counts):
    return VoteCounts(dict(zip(product("ab", repeat=3), counts, strict=True)), judges=["A", "B", "C"])


# -- words and exit codes ----------------------------------------------------------------------------


def test_no_alarm_is_exit_code_0_with_the_safe_key_counts(run):
    assert run("alarm", "example:two-norm") == (
        0,
        "A judge is safe if on every label 2 × its right answers > questions.\n\n"
        "- each judge by itself: no alarm: all judges could be safe if 0 to 905 of the 1000 questions are a\n"
        "- every pair: no alarm: all judges could be safe if 0 to 905 of the 1000 questions are a\n"
        "- every trio: no alarm: all judges could be safe if 0 to 905 of the 1000 questions are a\n",
        "",
    )


def test_an_alarm_of_pairs_where_single_judges_are_silent_is_exit_code_1(run):
    code, out, err = run("alarm", "example:uci-adult")
    assert (code, err) == (1, "")
    single, pair, trio_ = out.splitlines()[2:]
    assert single.endswith("all judges could be safe if 613 to 675 of the 1000 questions are a")
    assert pair == "- every pair: ALARM: whatever the answer key, 2 and 3 cannot both be safe"
    assert trio_.startswith("- every trio: ALARM: ")


def test_a_trio_fires_where_pairs_are_silent(run, votes_file):
    code, out, _ = run("alarm", votes_file(trio(0, 1, 1, 0, 1, 0, 0, 2)), "--factor", "3/2")
    assert code == 1
    assert ["ALARM" in line for line in out.splitlines()] == [False, False, False, False, True]
    assert out.startswith("A judge is safe if on every label 3/2 × its right answers > questions.\n")


def test_a_decimal_factor_is_taken_as_the_decimal(run, votes_file):
    path = votes_file(trio(0, 1, 1, 0, 1, 0, 0, 2))
    assert run("alarm", path, "--factor", "1.5") == run("alarm", path, "--factor", "3/2")


def test_the_proof_of_a_single_alarm_is_a_sum(run, votes_file):
    code, out, _ = run("alarm", votes_file(VoteCounts({"ab": 9, "ba": 1})))
    assert code == 1
    assert " ".join(out.split()).endswith(
        "- each judge by itself: ALARM: all judges could be safe on at most 1 of a, 1 of b, 2 questions together, "
        "but there are 10 - every pair: ALARM: all judges could be safe on at most 1 of a, 1 of b, 2 questions "
        "together, but there are 10"
    )


def test_one_safe_key_count_and_gaps_are_told(run, votes_file):
    _, out, _ = run("alarm", votes_file(VoteCounts({"aa": 1, "bb": 1})), "--minimum-grade", "1")
    assert out.splitlines() == [
        "A judge is safe if on every label 2 × its right answers > questions, and at least 1 of all its",
        "  answers are right.",
        "",
        "- each judge by itself: no alarm: all judges could be safe if 1 of the 2 questions are a",
        "- every pair: no alarm: all judges could be safe if 1 of the 2 questions are a",
    ]


def test_a_minimum_grade_can_raise_the_alarm(run, votes_file):
    path = votes_file(VoteCounts({"aa": 4, "ab": 1, "bb": 4}))
    assert run("alarm", path)[0] == 0
    assert run("alarm", path, "--minimum-grade", "1")[0] == 1


def test_with_three_labels_groups_are_looked_at_as_well(run, votes_file):
    votes = VoteCounts({("x", "y"): 1, ("y", "z"): 1, ("z", "x"): 1}, ("x", "y", "z"))
    code, out, _ = run("alarm", votes_file(votes))
    assert code == 1
    single, *_, pair = out.splitlines()[2:]
    assert single.startswith(
        "- each judge by itself: no alarm: all judges could be safe if the key has 1 of x"
    )
    assert pair == "- every pair: ALARM: whatever the answer key, J1 and J2 cannot both be safe"
    assert len(run("alarm", votes_file(votes), "--group", "2")[1].splitlines()) == 3


def test_the_smallest_groups_are_named(run, votes_file):
    rows = {"aaab": 1, "aaba": 1, "abaa": 1, "baaa": 1, "bbbb": 2}
    votes = VoteCounts(rows, judges=["gpt", "llama", "gemini", "qwen"])
    code, out, _ = run("alarm", votes_file(votes), "--factor", "4/3", "--group", "all")
    assert code == 1
    assert "all 4 judges: ALARM: whatever the answer key" in out
    (document,) = json.loads(
        run("alarm", votes_file(votes), "--factor", "4/3", "--group", "all", "--json")[1]
    )
    assert document["impossible_groups"]["complete"] is True
    assert document["impossible_groups"]["groups"]


def test_the_best_level_is_told_with_the_factor(run, votes_file):
    path = votes_file(VoteCounts({"aa": 3, "ab": 1, "ba": 1, "bb": 3}))
    code, out, _ = run("alarm", path, "--level")
    assert code == 0
    level = json.loads(run("alarm", path, "--level", "--json")[1])
    assert out.splitlines() == [
        f"all judges could be right on {level['attained']} of the questions of every label, and not on more.",
        f"So all could be safe for every factor above {level['factor']}, and for no other.",
    ]
    assert run("alarm", path, "--group", "2", "--factor", level["factor"])[0] == 1


def test_the_ranges_of_the_key_counts_are_told_with_their_proofs(run, votes_file):
    path = votes_file(VoteCounts({"aa": 2, "bb": 2, "cc": 1, "ab": 1}, ("a", "b", "c")))
    *_, on_a, on_b, on_c = run("alarm", path, "--group", "all", "--ranges")[1].splitlines()
    document = json.loads(run("alarm", path, "--group", "all", "--ranges", "--json")[1])
    for line, (label, (low, high)) in zip((on_a, on_b, on_c), document.items(), strict=True):
        assert line == f"questions of {label}: {low['proven']} to {high['proven']}"
        for end in (low, high):
            assert end["proven"] == end["attained"]
            assert not any(check_safety_certificate(end[part]) for part in ("witness", "proof") if end[part])


@pytest.mark.parametrize("more", [(), ("--level",)])
def test_a_certificate_is_written_that_the_checker_accepts(run, votes_file, tmp_path, more):
    path, certificate = votes_file(VoteCounts({"ab": 1, "ba": 1, "aa": 1})), tmp_path / "proof.json"
    run("alarm", path, "--factor", "3/2", "--certificate", certificate, *more)
    document = json.loads(certificate.read_text(encoding="utf-8"))
    assert document["verdict"] == "impossible"
    assert check_safety_certificate(document) == []


def test_an_answer_key_in_the_file_is_not_looked_at(run, tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text("A,B,key\na,a,b\nb,b,a\n")
    assert run("alarm", path, "--truth", "key") == run("alarm", path, "--judges", "A,B")


# -- JSON --------------------------------------------------------------------------------------------


def test_json_is_valid_exact_and_the_same_every_time(run, votes_file):
    path = votes_file(VoteCounts({"ab": 1, "ba": 1}))
    first, second = (run("alarm", path, "--json") for _ in range(2))
    assert first == second
    code, out, err = first
    assert (code, err) == (1, "")
    single, pair = json.loads(out, parse_float=pytest.fail)
    assert (single["misaligned"], single["group_size"]) == (False, 1)
    assert single["witness"] == {
        "key_counts": {"a": 1, "b": 1},
        "right": [{"a": 1, "b": 1}, {"a": 1, "b": 1}],
    }
    assert single["safe_keys"] == [{"a": 1, "b": 1}]
    assert (pair["misaligned"], pair["group_size"], pair["safe_keys"]) == (True, 2, [])


def test_json_without_an_alarm_has_a_witness_for_every_group(run):
    code, out, _ = run("alarm", "example:two-norm", "--json")
    assert code == 0
    documents = json.loads(out)
    assert [len(document["group_witnesses"]) for document in documents] == [0, 3, 1]
    assert all(len(document["safe_keys"]) == 906 for document in documents)


# -- mistakes and help -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["example:two-norm", "--factor", "1"],
            "a safety factor is greater than 1; 2 asks for better than half",
        ),
        (["example:two-norm", "--factor", "-2"], "a safety factor is greater than 1"),
        (["example:two-norm", "--factor", "abc"], "'abc': not a number"),
        (["example:two-norm", "--factor", "nan"], "'nan': not a number"),
        (["example:two-norm", "--factor", "1/0"], "the denominator must not be zero"),
        (["example:two-norm", "--factor", ""], "not a number"),
        (["example:two-norm", "--minimum-grade", "2"], "a minimum grade lies between 0 and 1"),
        (["none.csv"], "'none.csv': the file cannot be read"),
        ([], "Missing argument 'VOTES'"),
        (["example:two-norm", "--group", "some"], "'some' is neither a number of judges nor all"),
        (["example:two-norm", "--group", "4"], "groups have 1 to 3 judges here"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(run, arguments, words):
    code, out, err = run("alarm", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("ntqr-exact: ")
    assert err.count("\n") == 1


def test_an_empty_test_is_a_mistake(run, votes_file):
    code, _, err = run("alarm", votes_file(VoteCounts({}, judges=["A", "B"])))
    assert code == 2
    assert "a test without questions has no alarms" in err


def test_help_tells_what_a_factor_is_and_the_exit_code(run):
    code, out, err = run("alarm", "--help")
    assert (code, err) == (0, "")
    for words in ("--factor", "2 is better than half", "Exit code 1 if an alarm fires", "example:uci-adult"):
        assert words in " ".join(out.split())


def test_three_labels_tell_how_many_key_counts_are_safe(run, votes_file):
    path = votes_file(VoteCounts({"aaa": 40, "bbb": 35, "ccc": 25}, ("a", "b", "c")))
    code, out, err = run("alarm", path)
    assert (code, err) == (0, "")
    assert "(one of 3098 such key counts)" in " ".join(out.split())
    assert json.loads(run("alarm", path, "--json")[1])[0]["safe_region"]["count"] == 3098
    assert "such key count" not in run("alarm", path, "--minimum-grade", "1/2")[1]
