"""`ntqr-exact consistent`: the numbers of a known test, in words and in JSON, and bad input."""

import json

import pytest
from gmpy2 import mpq

from ntqr_exact.cli import main as frame
from ntqr_exact.votes.counts import VoteCounts

PATTERNS = ("aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb")
VOTES = VoteCounts(dict(zip(PATTERNS, (269, 88, 88, 60, 81, 74, 64, 276), strict=True)))


@pytest.fixture
def run(capsys):
    def in_process(*arguments):
        code = frame.main(["consistent", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


@pytest.fixture
def votes_file(tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(VOTES.to_json())
    return path


def test_words_tell_counts_before_and_after_the_votes(run, votes_file):
    code, out, err = run(votes_file)
    assert (code, err) == (0, "")
    for number in (
        "14,445,808,519,252,500",
        "861,684,993,367,430,042,755,986,529,814,326",
        "167,668,501",
        "53,123,832",
    ):
        assert number in out
    assert "with" not in out.split("consistent with the votes")[1]


def test_key_counts_add_their_own_numbers(run, votes_file):
    code, out, _ = run(votes_file, "--key", "400,600")
    assert code == 0
    for words in ("33,259,347,089,633", "with 400 of a, 600 of b", "least", "most"):
        assert words in out


def test_json_holds_the_same_numbers_exactly(run, votes_file):
    code, out, _ = run(votes_file, "--key", "400,600", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["group"] == {
        "judges": ["J1", "J2", "J3"],
        "possible": "861684993367430042755986529814326",
        "consistent": "14445808519252500",
        "possible_at_key": "2027744041930659809961890880051",
        "consistent_at_key": 33259347089633,
    }
    assert document["key_counts"] == {"a": 400, "b": 600}
    assert [row["judges"] for row in document["pairs"]] == [["J1", "J2"], ["J1", "J3"], ["J2", "J3"]]
    answered = VOTES.responses(0)["a"]
    assert document["single"][0]["consistent"] == (answered + 1) * (1001 - answered)
    assert document["right_answers"][2] == {
        "judge": "J1",
        "label": "b",
        "questions": 600,
        "least": 600 - answered,
        "most": 1000 - answered,
        "accuracy": [str(mpq(600 - answered, 600)), str(mpq(1000 - answered, 600))],
    }


def test_a_csv_with_an_answer_key_is_counted_without_looking_at_it(run, tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text("A,B,key\nyes,no,yes\nyes,yes,no\nno,no,no\n")
    code, out, _ = run(path, "--truth", "key", "--json")
    assert code == 0
    assert json.loads(out)["group"] == {"judges": ["A", "B"], "possible": 120, "consistent": 8}


def test_three_labels_and_an_empty_label_are_no_trouble(run, tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(VoteCounts({"ab": 2, "cc": 1}, ("a", "b", "c")).to_json())
    code, out, _ = run(path, "--key", "3,0,0")
    assert code == 0
    assert "undefined" in out
    assert "each pair" not in out


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("400,500", "add up to the number of questions, 1000, and these to 900"),
        ("400", "--key takes 2 counts, for the labels a, b"),
        ("-1,1001", "must not be negative"),
        ("x,1000", "not a number"),
        ("", "--key takes 2 counts"),
    ],
)
def test_bad_key_counts_are_one_line_and_exit_code_2(run, votes_file, key, words):
    code, out, err = run(votes_file, f"--key={key}")
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
