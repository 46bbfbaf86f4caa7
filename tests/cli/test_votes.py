"""`ntqr-exact votes`: counting into a votes file, showing votes, and both together."""

import io
import json
import sys

import pytest

from ntqr_exact import VoteCounts, count_rows, example, read_votes
from ntqr_exact.cli import options

CSV = "id,A,key,B,C\n1,a,a,b,a\n2,b,b,b,a\n3,a,b,b,b\n4,a,a,a,a\n"
COLUMNS = ["--judges", "A,B,C"]
VOTES = count_rows(["aba", "bba", "abb", "aaa"], judges=["A", "B", "C"])
LABELED = count_rows(["aba", "bba", "abb", "aaa"], judges=["A", "B", "C"], truth="abba")


@pytest.fixture
def decisions(tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text(CSV)
    return path


# -- count -------------------------------------------------------------------------------------------


def test_counting_prints_the_votes_file(run, decisions):
    assert run("votes", "count", decisions, *COLUMNS) == (0, VOTES.to_json(), "")
    assert run("votes", "count", decisions, *COLUMNS, "--truth", "key") == (0, LABELED.to_json(), "")


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_counting_writes_the_votes_file_and_says_so(run, decisions, tmp_path, option):
    path = tmp_path / "votes é.json"
    code, out, err = run("votes", "count", decisions, *COLUMNS, option, path)
    assert (code, out) == (0, "")
    assert err == f"4 questions, 3 judges, 2 labels -> {path}\n"
    assert path.read_bytes() == VOTES.to_json().encode()
    assert read_votes(path) == VOTES


def test_counting_a_votes_file_gives_it_back(run, tmp_path):
    path = tmp_path / "votes.json"
    for votes in (VOTES, LABELED):
        path.write_text(votes.to_json())
        assert run("votes", "count", path)[1] == votes.to_json()


def test_names_with_commas_stand_in_quotes(run, tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text('"A, the first",B\n"yes, sure",no\nno,no\n')
    code, out, _ = run(
        "votes", "count", path, "--judges", 'B,"A, the first"', "--labels", '"yes, sure",no,maybe'
    )
    assert code == 0
    votes = VoteCounts.from_json(out)
    assert votes.judges == ("B", "A, the first")
    assert votes.labels == ("yes, sure", "no", "maybe")
    assert votes.counts["no", "yes, sure"] == 1


def test_another_delimiter_may_be_named(run, decisions):
    decisions.write_text(CSV.replace(",", "\t"))
    assert run("votes", "count", decisions, *COLUMNS, "--delimiter", "\t")[1] == VOTES.to_json()


# -- show --------------------------------------------------------------------------------------------


SHOWN = """\
4 questions, 3 judges (A, B, C), labels a, b.

How often each pattern of answers was seen (judges in the order above; 4 possible patterns were
  not):
  pattern  count       share
  a, a, a      1  1/4 = 0.25
  a, b, a      1  1/4 = 0.25
  a, b, b      1  1/4 = 0.25
  b, b, a      1  1/4 = 0.25

How often each judge gave each label:
  judge  a  b  share of a  share of b
  A      3  1  3/4 = 0.75  1/4 = 0.25
  B      1  3  1/4 = 0.25  3/4 = 0.75
  C      3  1  3/4 = 0.75  1/4 = 0.25

Share of questions on which all judges agree: 1/4 = 0.25.

Share of questions on which a pair agrees:
  judges  agreement
  A, B    1/2 = 0.5
  A, C    1/2 = 0.5
  B, C    1/2 = 0.5

Pair moments Δ_ij = f_bb − f_b·f_b:
  judges                Δ
  A, B      1/16 = 0.0625
  A, C    -1/16 = -0.0625
  B, C      1/16 = 0.0625

Trio moments T:
  judges                  T
  A, B, C  -1/32 = -0.03125
"""

KEY = """\

The answer key
Questions of each true label: a 2, b 2.

Answers of each judge by true label:
  judge  true label  answered a  answered b
  A      a                    2           0
  A      b                    1           1
  B      a                    1           1
  B      b                    0           2
  C      a                    2           0
  C      b                    1           1
"""


def test_showing_tells_counts_answers_agreements_and_moments(run, decisions):
    assert run("votes", "show", decisions, *COLUMNS) == (0, SHOWN, "")


def test_showing_votes_with_a_key_tells_the_answers_by_true_label(run, decisions):
    code, out, err = run("votes", "show", decisions, *COLUMNS, "--truth", "key")
    assert (code, err) == (0, "")
    assert out.endswith(KEY)
    assert (
        "  pattern  count       share  true a  true b\n  a, a, a      1  1/4 = 0.25       1       0\n" in out
    )


def test_what_was_counted_can_be_shown(run, decisions, tmp_path):
    path = tmp_path / "votes.json"
    for more in ([], ["--truth", "key"]):
        run("votes", "count", decisions, *COLUMNS, *more, "-o", path)
        assert run("votes", "show", path) == run("votes", "show", decisions, *COLUMNS, *more)
        assert run("votes", "show", path, "--json") == run(
            "votes", "show", decisions, *COLUMNS, *more, "--json"
        )


def test_showing_as_json_tells_the_same_exactly(run, decisions):
    code, out, err = run("votes", "show", decisions, *COLUMNS, "--truth", "key", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["votes"] == LABELED.to_document()
    assert document["size"] == 4
    assert document["responses"]["B"] == {"a": 1, "b": 3}
    assert document["agreements"][1] == {"judges": ["A", "C"], "value": "1/2"}
    assert [row["value"] for row in document["pair_moments"]] == ["1/16", "-1/16", "1/16"]
    assert document["trio_moments"] == [{"judges": ["A", "B", "C"], "value": "-1/32"}]
    without = json.loads(run("votes", "show", decisions, *COLUMNS, "--json")[1])
    assert without["votes"] == VOTES.to_document()
    assert {**document, "votes": 0} == {
        **without,
        "votes": 0,
        "key_counts": {"a": 2, "b": 2},
        "confusion": document["confusion"],
    }
    assert document["confusion"]["B"] == {"a": {"a": 1, "b": 1}, "b": {"a": 0, "b": 2}}


def test_the_example_can_be_shown_and_counted(run):
    code, out, _ = run("votes", "show", "example:two-norm")
    assert code == 0
    assert "1000 questions, 3 judges (1, 2, 3), labels a, b." in out
    assert "1, 2, 3  -883439/125000000 ≈ -0.007068" in out
    assert run("votes", "count", "example:two-norm")[1] == example("two-norm").votes.to_json()
    assert "example:two-norm" in run("votes", "show", "--help")[1]


def test_three_labels_have_no_moments_without_a_name(run, decisions):
    decisions.write_text("A,B,C\na,b,c\na,a,a\n")
    out = run("votes", "show", decisions)[1]
    assert "moments" not in out
    assert "A, B    1/2 = 0.5" in out
    document = json.loads(run("votes", "show", decisions, "--json")[1])
    assert not {"pair_moments", "trio_moments"} & set(document)


def test_one_and_two_judges_show_what_they_have(run, decisions):
    out = run("votes", "show", decisions, "--judges", "A")[1]
    assert "4 questions, 1 judge (A)" in out
    assert "agrees" not in out
    assert "moments" not in out
    out = run("votes", "show", decisions, "--judges", "A,B")[1]
    assert "Pair moments" in out
    assert "Trio moments" not in out


def test_an_empty_test_has_nothing_to_show(run, decisions):
    decisions.write_text("A,B\n")
    code, out, _ = run("votes", "show", decisions, "--labels", "a,b")
    assert (code, out) == (0, "0 questions, 2 judges (A, B), labels a, b. There is nothing to show.\n")
    document = json.loads(run("votes", "show", decisions, "--labels", "a,b", "--json")[1])
    assert document["size"] == 0
    assert document["responses"] == {"A": {"a": 0, "b": 0}, "B": {"a": 0, "b": 0}}
    assert "agreements" not in document


def test_huge_counts_are_shortened_for_people_and_written_exactly(run, tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(VoteCounts({"ab": 10**999, "aa": 1}).to_json())
    code, out, _ = run("votes", "show", path)
    assert code == 0
    assert out.startswith("≈ 1.00000e999 questions")
    document = json.loads(run("votes", "show", path, "--json")[1])
    assert document["size"] == str(10**999 + 1)


# -- progress ----------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("looking", [True, False])
def test_a_long_count_says_how_far_it_is_if_somebody_is_looking(run, decisions, monkeypatch, looking):
    decisions.write_text("A,B\n" + "a,b\n" * 20_000)
    monkeypatch.setattr(options, "_TOLD_EVERY", 10_000)
    stream = Terminal() if looking else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    assert run("votes", "count", decisions)[0] == 0
    assert stream.getvalue().startswith("\r10,2") == looking


def test_a_short_count_says_nothing(run, decisions, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    run("votes", "count", decisions, *COLUMNS)
    assert stream.getvalue() == ""


def test_counting_tells_in_json_what_was_written(run, decisions, tmp_path):
    target = tmp_path / "out.json"
    code, out, err = run("votes", "count", decisions, *COLUMNS, "-o", target, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "output": str(target),
        "questions": 4,
        "judges": ["A", "B", "C"],
        "labels": ["a", "b"],
    }
    assert read_votes(target) == VOTES
    assert run("votes", "count", decisions, *COLUMNS, "--json") == run("votes", "count", decisions, *COLUMNS)


def test_one_question_and_one_judge_are_told_in_the_singular(run, tmp_path):
    path = tmp_path / "one.json"
    path.write_text(VoteCounts({"a": 1}).to_json())
    assert run("votes", "show", path)[1].startswith("1 question, 1 judge (J1), labels a, b.")
    assert run("votes", "count", path, "-o", tmp_path / "two.json")[2].startswith(
        "1 question, 1 judge, 2 labels"
    )
    assert "\n1 question, 1 judge, labels a, b" in run("evaluate", path)[1]
    assert "of the 1 question are a" in run("alarm", path)[1]


def test_a_delimiter_with_a_votes_file_is_refused(run, tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(VOTES.to_json())
    for given in (path, "example:two-norm"):
        code, out, err = run("votes", "show", given, "--delimiter", ";")
        assert (code, out) == (2, "")
        assert "has no delimiter" in err


def test_a_column_of_question_numbers_is_told_from_a_judge(run, tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_text("question,A,B\n" + "".join(f"{n},a,b\n" for n in range(6)), encoding="utf-8")
    code, out, err = run("votes", "show", path)
    assert code == 0
    assert "question" in err
    assert "--judges" in err
    assert out == run("votes", "show", path, "--judges", "A,B")[1]
    assert run("votes", "show", path, "--judges", "A,B")[2] == ""
