"""`ntqr-exact census`: the tables, the JSON, the engines, the checkpoint, and bad input."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from ntqr_exact.census.census import take_census
from ntqr_exact.cli import main as frame
from ntqr_exact.evaluators.independent.independence_class import IndependenceClass

FIVE = """\
All votes of 3 judges between 2 labels on 5 questions

class          orbits  votes
independent        36    304
not whole           0      0
out of range       10     96
irrational          4     16
imaginary           0      0
contradictory      14    104
unidentified       31    272
total              95    792

                           orbits  votes
an independent key exists      67    576
"""


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setitem(frame.COMMANDS, "census", "ntqr_exact.cli.census:census")

    def in_process(*arguments):
        code = frame.main(["census", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


def test_the_table_of_five_questions(run):
    assert run("--judges", "3", "--questions", "5", "--symmetry") == (0, FIVE, "")


def test_the_alarms_are_told_on_request(run):
    code, out, _ = run("--questions", "5", "--alarms")
    assert code == 0
    assert "alarm fires       votes" in out
    assert "independent: no alarm" in out
    assert "orbits" not in out


def test_json_is_that_of_the_library(run):
    code, out, err = run("--questions", "6", "--json")
    assert (code, out, err) == (0, take_census(6).to_json(), "")
    assert json.loads(out)["total"]["votes"] == 1716


def test_chunks_that_are_taken_from_a_checkpoint_on_trust_are_told_of(run, tmp_path, monkeypatch):
    from ntqr_exact.cli import census

    monkeypatch.setattr(census, "take_census", partial(take_census, ranks_per_chunk=200))
    asked = "--questions", "6", "--json", "--checkpoint", str(tmp_path / "kept")
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    code, again, err = run(*asked)
    assert (code, again) == (0, out)
    assert err.startswith(f"note: taken from {tmp_path / 'kept'} without being counted again: 6 chunks; ")
    assert err.count("\n") == 1
    assert run(*asked, "--recount", "all") == run(*asked, "--recount", "9") == (0, out, "")
    for amount in ("-1", "some", "1/2"):
        code, _, err = run(*asked, "--recount", amount)
        assert (code, err.count("\n")) == (2, 1)


def test_workers_and_a_checkpoint_change_nothing(run, tmp_path):
    _, expected, _ = run("--questions", "6", "--json")
    path = str(tmp_path / "kept")
    for _ in range(2):
        assert run("--questions", "6", "--json", "--workers", "2", "--checkpoint", path) == (0, expected, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--questions", "5", "--judges", "4"], "three judges between two labels"),
        (["--questions", "0"], "at least one question"),
        (["--questions", "234"], "at most 233"),
        (["--questions", "5", "--workers", "0"], "--workers"),
        (["--questions", "5", "--workers", "2", "--dask", "tcp://x:1"], "not both"),
        (["--questions", "5", "--checkpoint", "/no/such/folder/file"], "cannot be opened"),
        (["--questions", "5", "--checkpoint", "/dev/null"], "an ordinary file"),
        ([], "--questions"),
    ],
)
def test_bad_input_is_one_line(run, arguments, words):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_an_interruption_from_the_keyboard_is_one_line_and_loses_nothing(run, tmp_path):
    path = tmp_path / "kept"
    command = "from ntqr_exact.cli.start import run; run()"
    arguments = ["census", "--questions", "22", "--workers", "2", "--checkpoint", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < 2):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "interrupted")
    kept = path.read_bytes().count(b"\n")
    assert 2 <= kept < 1 + 1_560_780 // 2**18 + 1
    assert run(*arguments[1:])[0] == 0
    assert path.read_bytes().count(b"\n") == 1 + -(-1_560_780 // 2**18)


def test_the_help_tells_what_each_class_is(run):
    told = " ".join(run("--help")[1].split())
    for kind in IndependenceClass:
        assert f"{kind.title} {kind.meaning}" in told


def test_the_command_tells_formula_and_count(run):
    code, out, err = run("--alarm", "--judges", "2", "--formula", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert (document["proven"], document["limit"]) == (True, "1/4")
    assert document["coefficients"][0] == ["1", "11/6", "1/2", "1/24"]
    assert run("--alarm", "--judges", "2", "--questions", "2")[1] == (
        "7 of the 10 votes of 2 questions raise the alarm.\n"
    )
    code, _, err = run("--judges", "3")
    assert code == 2
    assert "Missing option '--questions'" in err
