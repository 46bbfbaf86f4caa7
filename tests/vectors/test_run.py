"""A program is asked over its standard input; whatever it does, every test gets its right mark."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ntqr_exact.errors import BadChoice, BadDocument
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.files import fresh, text_of
from ntqr_exact.vectors.run import Report, run_vectors

NAME, TESTS = "vote-moments", 22

KNOWING = """
import json, os, sys, time
known = {
    test["id"]: test["expected"]
    for group in json.load(open(sys.argv[1], encoding="utf-8"))["groups"]
    for test in group["tests"]
}
assert os.environ["NTQR_VECTORS_PROTOCOL"] == "1"
later = []
def say(question, **reply):
    print(json.dumps({"id": question["id"], **reply}), flush=True)
for number, line in enumerate(sys.stdin):
    question = json.loads(line)
    output = known[question["id"]]
    BEHAVIOUR
for question in reversed(later):
    say(question, output=known[question["id"]])
"""
"""A program that reads the answers from the file; what it does with a question is put in."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("vectors")
    (directory / f"{NAME}.json").write_text(text_of(fresh(NAME, seed=1, count=TESTS)), encoding="utf-8")
    return directory


Run = Callable[..., Report]


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Run:
    def asked(behaviour: str, *, limit: int = 20) -> Report:
        program = tmp_path / "program.py"
        body = behaviour.strip().replace("\n", "\n    ")
        program.write_text(KNOWING.replace("BEHAVIOUR", body), encoding="utf-8")
        return run_vectors([sys.executable, str(program), str(made / f"{NAME}.json")], made, limit=limit)

    return asked


def marks(report: Report) -> list[str]:
    return [one.agreement.name for one in report.families[NAME]]


@pytest.mark.parametrize("behaviour", ["say(question, output=output)", "later.append(question)"])
def test_answers_in_any_order_pass(run: Run, behaviour: str) -> None:
    report = run(behaviour)
    assert report.passes
    assert marks(report) == ["EXACT"] * TESTS


def test_a_test_that_crashes_the_program_is_marked_and_no_other(run: Run) -> None:
    report = run('assert "/5-" not in question["id"], "this one hurts"\nsay(question, output=output)')
    assert marks(report) == ["CRASHED" if place == 5 else "EXACT" for place in range(TESTS)]
    assert "its last words: AssertionError: this one hurts" in report.incidents[0]
    assert not report.passes


def test_a_program_that_ends_at_every_tenth_test_answers_all_and_does_not_pass(run: Run) -> None:
    report = run("if number % 10 == 9: sys.exit(3)\nsay(question, output=output)")
    assert marks(report) == ["EXACT"] * TESTS
    assert len(report.incidents) == 2
    assert not report.passes


def test_a_program_that_hangs_is_ended_and_the_test_is_marked(run: Run) -> None:
    report = run('if "/3-" in question["id"]: time.sleep(60)\nsay(question, output=output)', limit=3)
    assert marks(report) == ["TIMEOUT" if place == 3 else "EXACT" for place in range(TESTS)]


def test_a_program_without_any_answer_is_given_up(run: Run) -> None:
    report = run("sys.exit(1)")
    assert marks(report)[:5] == ["CRASHED"] * 5
    assert set(marks(report)[5:]) == {"NOT_ASKED"}


def test_skipped_tests_are_no_failures_and_a_family_skipped_whole_is_not_tried(run: Run) -> None:
    some = run("say(question, skip=True) if number % 2 else say(question, output=output)")
    assert some.passes
    assert Agreement.SKIPPED in some.counts(NAME)
    whole = run("say(question, skip=True)")
    assert whole.tried == {}
    assert not whole.passes


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ('print("hello", flush=True)', "no JSON"),
        ('say({"id": "vote-moments/none"}, output=1)', "an id that was not asked"),
        ("say(question, output=output)", "a second answer to a test"),
        ("print([], flush=True)", 'no "id"'),
    ],
)
def test_a_line_that_answers_no_test_is_reported(run: Run, behaviour: str, words: str) -> None:
    report = run(f"say(question, output=output)\n{behaviour}")
    assert words in report.strays[0]
    assert not report.passes
    assert marks(report) == ["EXACT"] * TESTS


def test_wrong_outputs_fail_with_the_place_where_they_differ(run: Run) -> None:
    report = run('say(question, output={**output, "trio_moment": "77"})')
    assert len(report.failed) == TESTS
    assert report.failed[0].words[0].startswith("/trio_moment: '77', expected")
    assert report.to_document()["families"][NAME]["wrong"] == TESTS


@pytest.mark.slow
def test_a_flood_of_output_does_not_hang(run: Run) -> None:
    report = run('while True: print("x" * 10000)', limit=2)
    assert set(marks(report)) == {"TIMEOUT", "NOT_ASKED"}


def test_a_program_that_cannot_be_started_and_a_family_that_is_not_there_are_refused(made: Path) -> None:
    with pytest.raises(BadDocument):
        run_vectors(["/nonexistent/program"], made)
    with pytest.raises(BadChoice):
        run_vectors(["true"], made, names=["grade"])
