"""Options on how decisions are read: what each command says of missing answers, abstentions and ratings."""

import gzip
import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from ntqr_exact import VoteCounts, read_votes
from ntqr_exact.cli.main import cli
from ntqr_exact.cli.options import coloured

TOLD = "A,B,C\n" + "yes,yes,yes\n" * 6 + "no,no,no\n" * 5 + "yes,no,yes\n?,yes,no\n?,?,no\nno,yes,no\n"
RATED = "A,B\n1,2\n5,5\n4,3\n,2\n3,3\n"


@pytest.fixture
def file(tmp_path):
    def write(text, name="decisions.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


PIPED = ["A;B\na;b\nb;b\n", '{"A": "a", "B": "b"}\n{"A": "b", "B": "b"}\n', "gzip"]


@pytest.mark.parametrize("text", PIPED)
def test_a_file_of_any_form_may_come_through_a_pipe(text):
    program = [sys.executable, "-c", "from ntqr_exact.cli.start import run; run()", "votes", "count", "-"]
    given = gzip.compress(PIPED[1].encode()) if text == "gzip" else text.encode()
    done = subprocess.run(program, input=given, capture_output=True, check=True)
    assert done.stdout.decode() == VoteCounts({"ab": 1, "bb": 1}, judges=["A", "B"]).to_json()


def test_some_judges_of_a_votes_file_may_be_looked_at(run, file):
    path = file(VoteCounts({"aab": 2, "bbb": 1}, judges=["A", "B", "C"]).to_json(), "votes.json")
    assert "3 questions, 2 judges (C, A)" in run("votes", "show", path, "--judges", "C,A")[1]


def test_missing_answers_are_decided_by_an_option(run, file):
    path = file(RATED)
    code, out, err = run("votes", "count", path)
    assert code == 0
    assert "1 of 10 answers" in err
    assert len(json.loads(out)["counts"]) == 5
    code, out, err = run("votes", "count", path, "--missing", "drop")
    assert code == 0
    assert json.loads(out)["counts"] == {"1,2": 1, "3,3": 1, "4,3": 1, "5,5": 1}
    assert "'none'" in run("votes", "count", path, "--missing", "label:none")[2]


def test_an_abstention_is_an_answer_to_be_counted_and_left_out_elsewhere_with_a_word(run, file):
    path = file(TOLD)
    assert "?" in json.loads(run("votes", "count", path, "--abstain", "?")[1])["labels"]
    for command in ("alarm", "consistent", "dependence"):
        code, _, err = run(command, path, "--abstain", "?", "--json")
        assert code in (0, 1)
        assert err == (
            "note: 2 of 15 questions are left out, on which somebody answered '?': this looks at those that all "
            "judges answered\n"
        )
    document = json.loads(run("evaluate", path, "--abstain", "?", "--json")[1])
    assert (document["abstentions"]["left_out"], document["votes"]["labels"]) == (2, ["no", "yes"])
    assert "nobody answered 'pass'" in run("votes", "show", path, "--abstain", "pass")[2]
    told = json.loads(run("agreement", path, "--labels", "no,yes", "--abstain", "?", "--json")[1])
    assert told["labels"] == ["no", "yes"]


def test_an_abstention_in_the_key_is_refused(run, file):
    path = file("A,B,key\nyes,no,?\nno,no,no\n")
    code, _, err = run("evaluate", path, "--truth", "key", "--abstain", "?")
    assert (code, "an abstention is never the true label" in err) == (2, True)


def test_ratings_have_weighted_agreement_and_views(run, file):
    path = file(RATED)
    document = json.loads(run("agreement", path, "--ordinal", "1..5", "--json")[1])
    assert {row["weights"] for row in document["coefficients"]} == {"ordinal", "linear", "quadratic"}
    assert [view["at_least"] for view in document["views"]] == ["2", "3", "4", "5"]
    assert document["views"][1]["shares"] == {"A": "3/4", "B": "3/5"}
    view = json.loads(
        run("votes", "count", path, "--missing", "drop", "--ordinal", "1..5", "--at-least", "4")[1]
    )
    assert view["labels"] == ["below 4", "4 or above"]
    assert view["counts"] == {"below 4,below 4": 2, "4 or above,below 4": 1, "4 or above,4 or above": 1}
    code, _, err = run("evaluate", path, "--missing", "drop", "--ordinal", "1..5")
    assert (code, "taken for names without an order" in err) == (0, True)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--at-least", "4"], "say what they are by --ordinal"),
        (["--ordinal", "1..5", "--labels", "1,2"], "leave --labels out"),
        (["--ordinal", "1..3"], "one of '1', '2', '3'"),
        (["--ordinal", "1..5", "--at-least", "1", "--missing", "drop"], "a view begins at one of the levels"),
    ],
)
@pytest.mark.parametrize("command", ["evaluate", "agreement"])
def test_options_of_ratings_that_do_not_fit_are_refused(run, file, command, options, complaint):
    code, _, err = run(command, file(RATED), *options)
    assert (code, complaint in err) == (2, True)


def test_a_partial_key_is_seen_with_the_same_options(run, file):
    path = file("A,B,key\n1,2,\n5,5,5\n4,?,\n4,3,3\n")
    options = ("--truth", "key", "--ordinal", "1..5", "--abstain", "?", "--at-least", "4")
    document = json.loads(run("votes", "count", path, *options)[1])
    assert document["labels"] == ["below 4", "4 or above"]
    assert run("graded", path, *options, "--drawn", "by_strata")[0] == 2


def test_an_alarm_is_in_colour_on_a_terminal_alone(monkeypatch):
    arguments = ["evaluate", "--details", "example:uci-adult"]
    assert coloured("ALARM") == "\x1b[31m\x1b[1mALARM\x1b[0m"
    assert coloured("ALARM") in CliRunner().invoke(cli, arguments, color=True).output
    assert "\x1b" not in CliRunner().invoke(cli, arguments).output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in CliRunner().invoke(cli, arguments, color=True).output


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("ntqr-exact ev", "evaluate"),
        ("ntqr-exact evaluate --tr", "--truth"),
        ("ntqr-exact derive 33", "33e"),
        ("ntqr-exact vectors list maj", "majority"),
        ("ntqr-exact evaluate example:two", "example:two-norm"),
    ],
)
def test_the_shell_completes_commands_options_equations_families_and_examples(words, found):
    environment = {
        "_NTQR_EXACT_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    result = CliRunner().invoke(cli, [], prog_name="ntqr-exact", env=environment)
    assert f"plain,{found}" in result.output.splitlines()


def test_what_was_counted_with_all_options_reads_back(run, file, tmp_path):
    run("votes", "count", file(TOLD), "--abstain", "?", "-o", tmp_path / "votes.json")
    assert read_votes(tmp_path / "votes.json").size == 15


def test_key_out_has_a_label_for_each_question(run, file, tmp_path):
    path = file(
        "question,worker,answer\n" + "".join(f"q{n},{who},{'ab'[n % 2]}\n" for n in range(6) for who in "ABC")
    )
    target = tmp_path / "key.csv"
    assert run("evaluate", path, "--key-out", target)[0] == 0
    rows = target.read_text().splitlines()
    assert rows[0] == "question,answers,unanimous,majority,dawid_skene"
    assert rows[1:] == [f"q{n},3,yes,{'ab'[n % 2]},{'ab'[n % 2]}" for n in range(6)]
