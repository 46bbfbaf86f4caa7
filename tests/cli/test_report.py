"""`ntqr-exact report`: writes one file, whole or not at all; bad input is one line and exit code 2."""

from __future__ import annotations

import html
import json
import os
import re
import shlex

import pytest

from ntqr_exact import VoteCounts
from ntqr_exact.cli import main as frame

DECISIONS = "A,B,key\na,a,a\na,b,a\nb,b,b\nb,b,b\na,a,b\n"
SCORES = "y,s,g\n1,0.9,u\n0,0.6,u\n1,0.4,v\n0,0.1,v\n"
PAIR = [
    "--control",
    "108/23679",
    "--treatment",
    "56/23679",
    "--precision",
    "0.8897",
    "--false-omission",
    "0.22769",
]

# Whole pages take seconds each; tests/study looks at every number of some of them.
pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(frame.COMMANDS, "report", "ntqr_exact.cli.report:report")
    (tmp_path / "decisions.csv").write_text(DECISIONS)
    (tmp_path / "scores.csv").write_text(SCORES)


def made_by(path):
    text = path.read_text(encoding="utf-8")
    found = re.search(r"This report was made by</p>\s*<pre[^>]*><code>(.*?)</code>", text)
    return shlex.split(html.unescape(found[1]))


def test_votes_are_reported_on_with_or_without_the_name_of_the_command(run, tmp_path):
    first = run("report", "decisions.csv", "--truth", "key", "-o", "one.html")
    assert first[:2] == (0, "")
    assert re.fullmatch(r"\d+ kB -> one.html\n", first[2])
    assert run("report", "votes", "-o", "two.html", "decisions.csv", "--truth", "key")[0] == 0
    assert run("report", "-o", "three.html", "decisions.csv", "--truth", "key")[0] == 0
    one, two, three = ((tmp_path / f"{name}.html").read_text() for name in ("one", "two", "three"))
    assert len({page.partition('<section id="reproduce"')[0] for page in (one, two, three)}) == 1
    assert "<title>Report on decisions.csv</title>" in one
    assert "The answer key is known: 2 of a, 3 of b." in one


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "decisions.csv", "--truth", "key", "--factor", "3/2", "--ties", "first-judge"],
        ["report", "decisions.csv", "--judges", "A,B", "--labels", 'a,b,"c, d"'],
        [
            "report",
            "metrics",
            "scores.csv",
            "--label",
            "y",
            "--score",
            "s",
            "--query",
            "maximum recall @ fpr <= 1/2",
        ],
        [
            "report",
            "metrics",
            "scores.csv",
            "--label",
            "y",
            "--score",
            "s",
            "--stratum",
            "g",
            "--population",
            "u=5,v=9",
        ],
        ["report", "significance", *PAIR, "--both", "3"],
        [
            "report",
            "significance",
            "--control",
            "3/9",
            "--treatment",
            "4/9",
            "--labelled",
            "5",
            "1",
            "2",
            "9",
        ],
    ],
    ids=["votes", "names with commas", "metrics", "strata", "significance", "labelled"],
)
def test_the_command_in_a_report_makes_the_same_report(run, tmp_path, arguments):
    assert run(*arguments, "-o", "report.html")[0] == 0
    first = (tmp_path / "report.html").read_bytes()
    typed = made_by(tmp_path / "report.html")
    assert sorted(typed) == sorted(["ntqr-exact", *arguments, "-o", "report.html"])
    assert run(*typed[1:])[0] == 0
    assert (tmp_path / "report.html").read_bytes() == first


def test_a_report_does_not_tell_the_folders_of_its_maker(run, tmp_path):
    folder = tmp_path / "secret"
    folder.mkdir()
    (folder / "votes.json").write_text(VoteCounts({"ab": 1, "bb": 2}).to_json())
    assert run("report", folder / "votes.json", "-o", folder / "report.html")[0] == 0
    assert "secret" not in (folder / "report.html").read_text()


def test_with_json_it_says_what_was_written(run, tmp_path):
    code, out, err = run(
        "report", "decisions.csv", "-o", "r.html", "--json", "--labels", "a,b", "--judges", "A,B"
    )
    assert (code, err) == (0, "")
    assert json.loads(out) == {"output": "r.html", "bytes": (tmp_path / "r.html").stat().st_size}


def test_standard_output_can_be_asked_for(run, tmp_path):
    code, out, err = run("report", "decisions.csv", "--truth", "key", "-o", "-")
    assert (code, err) == (0, "")
    assert out.startswith("<!DOCTYPE html>")
    assert not (tmp_path / "-").exists()


def test_a_file_is_replaced_at_once_and_kept_if_the_writing_fails(run, tmp_path, monkeypatch):
    target = tmp_path / "report.html"
    target.write_text("old")
    os.chmod(target, 0o600)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    code, out, err = run("report", "significance", *PAIR, "-o", "report.html")
    assert (code, out) == (2, "")
    assert err == "ntqr-exact: 'report.html' cannot be written: No space left\n"
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["decisions.csv", "report.html", "scores.csv"]
    monkeypatch.undo()


def test_a_written_report_can_be_read_by_others_as_other_new_files_can(run, tmp_path):
    assert run("report", "significance", *PAIR, "-o", "report.html")[0] == 0
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "report.html").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["missing.csv", "-o", "r.html"], "'missing.csv': the file cannot be read"),
        (["decisions.csv"], "Missing option '-o'"),
        (
            ["decisions.csv", "--truth", "key", "-o", "no/such/folder/r.html"],
            "cannot be written: No such file or directory",
        ),
        (["decisions.csv", "-o", "r.html", "--factor", "1"], "a safety factor is greater than 1"),
        (
            ["decisions.csv", "-o", "r.html", "--ties", "refuse", "--truth", "key"],
            "no label has the most votes",
        ),
        (["decisions.csv", "-o", "r.html", "--truth", "nope"], "nope"),
        (["metrics", "scores.csv", "--label", "y", "-o", "r.html"], "Missing option '--score'"),
        (
            ["metrics", "scores.csv", "--label", "y", "--score", "s", "--query", "best", "-o", "r.html"],
            "a query is",
        ),
        (
            ["metrics", "scores.csv", "--label", "y", "--score", "s", "--stratum", "g", "-o", "r.html"],
            "--stratum and --population belong together",
        ),
        (["significance", "--control", "1/2", "--treatment", "1/2", "-o", "r.html"], "give --precision"),
        (
            [
                "significance",
                "--control",
                "3/2",
                "--treatment",
                "1/2",
                "--precision",
                "1",
                "--false-omission",
                "0",
            ],
            "-o",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2_and_writes_nothing(run, tmp_path, arguments, complaint):
    code, out, err = run("report", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("ntqr-exact: ")
    assert complaint in err
    assert err.count("\n") == 1
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize("name", ["votes", "metrics", "significance"])
def test_every_kind_of_report_has_help_with_an_example(run, name):
    code, out, _ = run("report", name, "--help")
    assert code == 0
    assert "Example:" in out
    assert "-o, --output FILE" in out


def test_without_anything_the_help_is_shown(run):
    code, out, _ = run("report")
    assert code == 0
    assert "metrics" in out
    assert "significance" in out
