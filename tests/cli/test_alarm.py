"""`ntqr-exact alarm`: exit code 1 and a proof if the judges cannot all be safe, 0 if they could be."""

import json
from itertools import product

import pytest

from ntqr_exact import VoteCounts, check_failing_certificate, check_safety_certificate


@pytest.fixture
def votes_file(tmp_path):
    def write(votes: VoteCounts):
        path = tmp_path / "votes.json"
        path.write_text(votes.to_json())
        return path

    return write


def trio(*counts):
    return VoteCounts(dict(zip(product("ab", repeat=3), counts, strict=True)), judges=["A", "B", "C"])


def test_no_alarm_is_exit_code_0_with_the_safe_key_counts(run):
    code, out, err = run("alarm", "example:two-norm")
    assert (code, err) == (0, "")
    assert "all judges together: no alarm: all judges could be safe only if 0 to 905 of the 1000" in " ".join(
        out.split()
    )


def test_an_alarm_of_all_where_single_judges_are_silent_is_exit_code_1(run):
    code, out, err = run("alarm", "example:uci-adult")
    assert (code, err) == (1, "")
    assert "each judge alone: no alarm" in out
    assert "all judges together: ALARM" in out


def test_a_decimal_factor_is_taken_as_the_decimal(run, votes_file):
    path = votes_file(trio(0, 1, 1, 0, 1, 0, 0, 2))
    assert run("alarm", path, "--factor", "1.5") == run("alarm", path, "--factor", "3/2")


def test_a_minimum_grade_can_raise_the_alarm(run, votes_file):
    path = votes_file(VoteCounts({"aa": 4, "ab": 1, "bb": 4}))
    assert run("alarm", path)[0] == 0
    assert run("alarm", path, "--minimum-grade", "1")[0] == 1


def test_the_best_level_is_printed_with_its_proof(run, votes_file, tmp_path):
    path = votes_file(VoteCounts({"aa": 3, "ab": 1, "ba": 1, "bb": 3}))
    certificate = tmp_path / "proof.json"
    code, out, _ = run("alarm", path, "--best-level", "--certificate", certificate)
    assert code == 0
    level = json.loads(run("alarm", path, "--best-level", "--json")[1])
    assert f"right on {level['attained']} of the questions of every label, and not on more." in out
    assert check_safety_certificate(json.loads(certificate.read_text())) == []


def test_the_ranges_of_the_key_counts_are_printed(run, votes_file):
    path = votes_file(VoteCounts({"aa": 2, "bb": 2, "cc": 1, "ab": 1}, ("a", "b", "c")))
    *_, on_a, on_b, on_c = run("alarm", path, "--ranges")[1].splitlines()
    ranges = json.loads(run("alarm", path, "--ranges", "--json")[1])["ranges"]
    for line, (label, (low, high)) in zip((on_a, on_b, on_c), ranges.items(), strict=True):
        assert line == f"questions of {label}: {low['proven']} to {high['proven']}"


def test_a_certificate_is_written_that_the_checker_accepts(run, votes_file, tmp_path):
    path, certificate = votes_file(VoteCounts({"ab": 1, "ba": 1, "aa": 1})), tmp_path / "proof.json"
    assert run("alarm", path, "--factor", "3/2", "--certificate", certificate)[0] == 1
    document = json.loads(certificate.read_text(encoding="utf-8"))
    assert document["answer"] == "no"
    assert check_safety_certificate(document) == []


def test_an_answer_key_in_the_file_is_not_used(run, tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text("A,B,key\na,a,b\nb,b,a\n")
    assert run("alarm", path, "--truth", "key") == run("alarm", path, "--judges", "A,B")


def test_json_is_exact_and_the_same_every_time(run, votes_file):
    path = votes_file(VoteCounts({"ab": 1, "ba": 1}))
    first, second = (run("alarm", path, "--json") for _ in range(2))
    assert first == second
    code, out, err = first
    assert (code, err) == (1, "")
    document = json.loads(out, parse_float=pytest.fail)
    assert document["fires"]
    assert check_safety_certificate(document["together"]) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["example:two-norm", "--factor", "1"], "> 1"),
        (["example:two-norm", "--factor", "abc"], "abc"),
        (["example:two-norm", "--factor", "1/0"], "zero"),
        (["example:two-norm", "--minimum-grade", "2"], "from 0 to 1"),
        (["none.csv"], "none.csv"),
        ([], "Missing argument"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(run, arguments, message):
    code, out, err = run("alarm", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_an_empty_test_is_a_mistake(run, votes_file):
    assert run("alarm", votes_file(VoteCounts({}, judges=["A", "B"])))[0] == 2


def test_failing_judges_lead_and_one_level_is_a_gate(run, votes_file, tmp_path):
    path, certificate = votes_file(trio(4, 0, 2, 2, 2, 2, 0, 4)), tmp_path / "proof.json"
    assert "Whatever the answer key, at least" in run("alarm", path)[1].partition("A judge is safe")[0]
    code, out, _ = run("alarm", path, "--level", "4/5", "--certificate", certificate)
    assert code == 1
    assert out.startswith("Whatever the answer key, at least 1 of 3 judges fail")
    assert check_failing_certificate(json.loads(certificate.read_text())) == []
    assert run("alarm", path, "--level", "4/5", "--at-most", "1")[0] == 0
    assert run("alarm", path, "--level", "4/5", "--at-most", "0")[0] == 1
    assert run("alarm", path, "--level", "1/10")[0] == 0
    document = json.loads(run("alarm", path, "--level", "4/5", "--measure", "overall", "--json")[1])
    assert document["measure"] == "overall"


def test_a_trusted_judge_names_others(run, votes_file):
    votes = VoteCounts({"aab": 3, "bba": 3, "aaa": 1}, judges=["gpt", "llama", "falcon"])
    out = run("alarm", votes_file(votes), "--level", "2/3", "--trust", "gpt")[1]
    assert " ".join(out.split()).startswith("If gpt passes")
    assert "falcon" in out
    assert run("alarm", votes_file(votes), "--level", "2/3", "--trust", "gpt", "--trust", "falcon")[0] == 2
