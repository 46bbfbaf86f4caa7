"""A program is asked over its standard input; whatever it does, every test gets its right mark."""

from __future__ import annotations

import json
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from gmpy2 import mpq

from ntqr_exact.cli.main import main
from ntqr_exact.errors import BadDocument
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.diagnosis import TestRun, diagnosis
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.files import all_tests, read_family, shipped
from ntqr_exact.vectors.judge import judge_output
from ntqr_exact.vectors.make import make_vectors
from ntqr_exact.vectors.program import Failure, Stray, ask
from ntqr_exact.vectors.registry import family, family_names
from ntqr_exact.vectors.run import RunReport, run_vectors
from ntqr_exact.vectors.specification import cause_of, real_bug
from tests.vectors.shipped_tests import shipped_tests

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "vectors_runner"
NAME = "vote-moments"
PROGRAMS = {
    "runner.mjs": ("node", family_names()),
    "minimal.R": ("Rscript", ("consistent-membership", "pair-correlation-interval", "possible-group")),
}
"""The example programs: what runs them, and the families that they answer."""
TESTS = len(family(NAME).edge_cases) + 12

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
    make_vectors(directory, names=[NAME], count=12)
    return directory


Run = Callable[..., RunReport]


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Run:
    def asked(behaviour: str, *, limit: int = 10, workers: int = 1) -> RunReport:
        program = tmp_path / "program.py"
        body = behaviour.strip().replace("\n", "\n    ")
        program.write_text(KNOWING.replace("BEHAVIOUR", body), encoding="utf-8")
        command = [sys.executable, str(program), str(made / f"{NAME}.json")]
        return run_vectors(command, made, limit=limit, workers=workers)

    return asked


def outcomes(report: RunReport) -> list[str]:
    return [one.outcome.name for one in report.families[NAME].tests]


@pytest.mark.parametrize("behaviour", ["say(question, output=output)", "later.append(question)"])
def test_answers_in_any_order_pass(run: Run, behaviour: str) -> None:
    report = run(behaviour, workers=2)
    assert report.passes
    assert outcomes(report) == ["EXACT"] * TESTS


def test_a_test_that_crashes_the_program_is_marked_and_no_other(run: Run) -> None:
    report = run('assert question["id"][-1] not in "05", "this one hurts"\nsay(question, output=output)')
    runs = report.families[NAME].tests
    hurt = [one.test.id[-1] in "05" for one in runs]
    assert any(hurt)
    assert [one.outcome is Failure.CRASHED for one in runs] == hurt
    assert all(one.is_right for one in runs if one.outcome is not Failure.CRASHED)
    assert "its last words: AssertionError: this one hurts" in report.families[NAME].incidents[0].words
    assert not report.passes


def test_a_program_that_crashes_at_every_tenth_test_answers_all_and_does_not_pass(run: Run) -> None:
    report = run("if number % 10 == 9: sys.exit(3)\nsay(question, output=output)")
    assert outcomes(report) == ["EXACT"] * TESTS
    tests = report.families[NAME].tests
    assert [one.test for one in report.families[NAME].incidents] == [
        tests[place].test.id for place in range(9, TESTS, 10)
    ]
    assert not report.passes


@pytest.mark.slow
def test_a_test_on_which_the_program_hangs_is_marked_and_the_others_are_answered(run: Run) -> None:
    report = run(
        "if question['input']['counts'] == [1] * 8: time.sleep(60)\nsay(question, output=output)", limit=2
    )
    hung = [one.test.input["counts"] == [1] * 8 for one in report.families[NAME].tests]
    assert outcomes(report) == ["TIMEOUT" if one else "EXACT" for one in hung]
    assert sum(hung) == 1


@pytest.mark.parametrize(
    ("last", "strays"),
    [
        ('print("done")', {Stray.NOT_JSON: 1}),
        ('print("{}")', {Stray.NO_ANSWER: 1}),
        ("say(question, output=output)", {Stray.AGAIN: 1}),
        ("say({'id': 'nonsense/1'}, output=output)", {Stray.UNKNOWN: 1}),
        ('time.sleep(0.3); print("hello\\n" * 50)', {Stray.NOT_JSON: 50}),
    ],
)
def test_what_comes_after_the_last_answer_fails_the_family(
    run: Run, last: str, strays: dict[Stray, int]
) -> None:
    report = run(f"say(question, output=output)\nif number == {TESTS - 1}: {last}")
    assert outcomes(report) == ["EXACT"] * TESTS
    assert report.families[NAME].strays == strays
    assert not report.families[NAME].incidents
    assert not report.passes


def test_every_second_answer_is_counted(run: Run) -> None:
    report = run("say(question, output=output); say(question, output=output)")
    assert report.families[NAME].strays == {Stray.AGAIN: TESTS}


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ("sys.exit('an error at the end')", "exit code 1; its last words: an error at the end"),
        ("sys.stdout.close(); time.sleep(60)", "it did not end within 1 seconds"),
        ("time.sleep(60)", "it did not end within 1 seconds"),
    ],
)
def test_how_a_program_ends_after_its_last_answer_is_told_and_no_failure(
    run: Run, last: str, told: str
) -> None:
    report = run(f"say(question, output=output)\nif number == {TESTS - 1}: {last}", limit=1)
    assert report.passes
    assert report.families[NAME].endings == (told,)
    assert report.to_document()["families"][NAME]["endings"] == [told]


@pytest.mark.slow
def test_garbage_without_end_after_the_last_answer_ends_at_the_limit(run: Run) -> None:
    report = run(f'say(question, output=output)\nwhile number == {TESTS - 1}: print("hello")', limit=1)
    assert outcomes(report) == ["EXACT"] * TESTS
    assert not report.passes


def test_garbage_is_told_and_does_not_hide_the_answers(run: Run) -> None:
    report = run('print("hello"); print("{"); print(json.dumps({"id": 3})); say(question, output=output)')
    assert outcomes(report) == ["EXACT"] * TESTS
    assert report.families[NAME].garbage_lines == 3 * TESTS
    assert report.families[NAME].garbage[:2] == ("hello", "{")
    assert not report.passes


@pytest.mark.slow
def test_garbage_without_end_is_no_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ntqr_exact.vectors.program._HOPELESS", 1)
    report = run('while True: print("hello")', limit=1)
    assert set(outcomes(report)) == {"TIMEOUT", "NOT_ASKED"}


def test_a_program_that_never_answers_is_given_up(run: Run) -> None:
    report = run("sys.exit(1)")
    assert outcomes(report) == ["CRASHED"] * 5 + ["NOT_ASKED"] * (TESTS - 5)


def test_what_is_skipped_is_no_failure_but_the_family_is_not_whole(run: Run) -> None:
    report = run(
        'say(question, skip=True) if "large" in question["id"] or number % 2 else say(question, output=output)'
    )
    assert report.passes
    assert not report.families[NAME].is_complete
    assert not run("say(question, skip=True)").passes


def test_flags_of_failed_tests_name_the_likely_cause(run: Run) -> None:
    large = "'error' not in output and max(map(int, question['input']['counts'])) > 10**9"
    report = run(f"say(question, output={{**output, 'trio_moment': '7'}} if {large} else output)")
    document = report.to_document()
    assert document["flags"]["refused"] == {"tests": 6, "failed": 0}
    assert document["flags"]["large"] == {"tests": 5, "failed": 5}
    assert document["likely_causes"][NAME][0].startswith("large (5 of 5 fail, 0 of ")
    assert "numbers pass through floats" in document["likely_causes"][NAME][0]
    for one in document["families"][NAME]["failed"]:
        assert one["outcome"] == "wrong"
        assert one["input"]["judges"] == 3
        assert one["comment"]
    json.dumps({**document, "tolerance": str(document["tolerance"])})


WRONG = "say(question, output=output if 'error' in output else {0})"


@pytest.mark.parametrize(
    ("output", "cause"),
    [
        (
            "{**output, 'trio_moment': '7'}",
            r"nearly everything fails \((\d+) of \1 tests with an answer\): begin",
        ),
        (
            "{n: output[n] for n in output if n != 'rates'}",
            r"/: the key 'rates' is missing \((\d+) of \1 failed",
        ),
        (
            "{**output, 'trio_moment': 1e-9 + float(Fraction(output['trio_moment']))}",
            r"floats \((\d+) of \1 failed",
        ),
    ],
)
def test_where_nearly_everything_fails_no_flag_is_blamed(run: Run, output: str, cause: str) -> None:
    (told,) = run("from fractions import Fraction\n" + WRONG.format(output)).causes()[NAME]
    assert re.match(cause, told)


def test_wrong_ids_are_told_before_all_else(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program.py"
    program.write_text('import sys\nfor _ in sys.stdin: print(\'{"id": "1", "output": 7}\')\n')
    arguments = ["vectors", "run", NAME, "--vectors", str(made), "--", sys.executable, str(program)]
    assert main(arguments) == 1
    lines = capsys.readouterr().out.splitlines()
    asked = 5 * TESTS - 10 + 5
    assert lines[2] == (
        f"{NAME}: {asked} lines that answer no test (an id that was not asked: {asked}), such as"
    )
    assert lines[3] == '  {"id": "1", "output": 7}'
    assert lines[6].startswith(f"  an id that was asked is {NAME}/")
    assert f"exit code 0 after {TESTS} lines without an answer" in lines[8]
    assert "likely causes" not in "".join(lines)


def test_a_failed_test_is_told_with_its_comment_its_input_and_how_far_it_is_off(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = "output={**output, 'trio_moment': '1/7'} if number == 0 else output"
    program = tmp_path / "program.py"
    program.write_text(KNOWING.replace("BEHAVIOUR", f"say(question, {changed})"), encoding="utf-8")
    command = [sys.executable, str(program), str(made / f"{NAME}.json")]
    assert main(["vectors", "run", "--vectors", str(made), "--", *command]) == 1
    lines = capsys.readouterr().out.splitlines()
    test = next(all_tests(read_family(made, NAME)))
    place = lines.index("failed: 1") + 1
    assert lines[place].endswith("wrong, /trio_moment: '1/7', expected '0' (off by 1.43e-1)")
    assert lines[place + 1].startswith(f'    {test.body["comment"]}; input {{"labels": ')


def test_a_program_that_does_not_exist_and_a_family_that_does_not_are_refused(made: Path) -> None:
    with pytest.raises(BadDocument, match="cannot be started"):
        run_vectors(["/no/such/program"], made)
    with pytest.raises(BadDocument, match="no such family"):
        run_vectors(["true"], made, names=["nonsense"])


def example(file: str) -> list[str]:
    if shutil.which(PROGRAMS[file][0]) is None:
        pytest.skip(f"{PROGRAMS[file][0]} is not installed")
    return [PROGRAMS[file][0], str(EXAMPLES / file)]


@pytest.mark.parametrize(
    ("language", "command", "skipped"),
    [("python", "python3", 0), ("javascript", "node", 0), ("r", "Rscript", 21)],
)
def test_the_programs_on_the_page_of_the_protocol_answer_their_family(
    language: str, command: str, skipped: int, tmp_path: Path
) -> None:
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed")
    program = tmp_path / "program.mjs"
    program.write_text(on_the_page(language), encoding="utf-8")
    tests = shipped_tests("mcnemar-test")
    answers = ask([command, str(program)], tests, limit=30)
    assert not answers.incidents
    assert len(answers.outputs) == len(tests) - skipped
    for test in tests:
        if test.id in answers.outputs:
            agreement, words = judge_output(test, answers.outputs[test.id], mpq(0))
            assert agreement < Agreement.INEXACT, (test.id, words)


def on_the_page(language: str) -> str:
    page = (EXAMPLES.parents[1] / "ntqr_exact" / "vectors" / "protocol.md").read_text(encoding="utf-8")
    return page.partition(f"```{language}\n")[2].partition("```")[0]


def test_the_program_in_r_answers_every_eighth_test_of_its_families() -> None:
    tests = [test for name in PROGRAMS["minimal.R"][1] for test in shipped_tests(name)[::8]]
    answers = ask(example("minimal.R"), tests, limit=60)
    assert not answers.incidents
    assert not answers.garbage_lines
    left_out = {test.id.partition("/")[0] for test in tests if test.id not in answers.outputs}
    assert left_out <= {"possible-group"}  # doubles do not hold all numbers of possible evaluations
    assert 2 * len(answers.outputs) > len(tests)
    for test in tests:
        if test.id in answers.outputs:
            agreement, words = judge_output(test, answers.outputs[test.id], mpq(0))
            assert agreement < Agreement.INEXACT, (test.id, words)


@pytest.mark.slow
@pytest.mark.parametrize("file", PROGRAMS)
def test_an_example_program_passes_its_families_whole(file: str) -> None:
    report = run_vectors(example(file), shipped(), names=PROGRAMS[file][1], workers=2, limit=60)
    assert report.passes
    assert {name for name, run in report.families.items() if not run.is_complete} == {
        name for name in PROGRAMS[file][1] if (file, name) == ("minimal.R", "possible-group")
    }


def test_the_command_tells_writes_a_badge_and_has_the_exit_code(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "badge.svg"
    arguments = ["vectors", "run", NAME, "--vectors", str(made), "--badge", str(picture)]
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    assert main([*arguments, "--json", "--", *silent]) == 1
    assert json.loads(capsys.readouterr().out)["families"][NAME]["crashed"] == 5
    assert "".join(ET.parse(picture).getroot().itertext()).endswith("ntqr vectors0/1 family")
    assert main([*arguments, "--", *silent]) == 1
    assert "FAILED; families that pass whole: 0 of 1" in capsys.readouterr().out
    assert main(["vectors", "run", NAME]) == 2
    assert "after two dashes" in capsys.readouterr().err


def test_every_flag_says_what_it_finds() -> None:
    for name in family_names():
        assert all(cause_of(name, flag) for flag in family(name).specification.flags), name


def test_real_bugs_are_of_flags_that_there_are_and_on_the_page_of_peers() -> None:
    assert "nan" in real_bug("independent-binary", "t-zero")
    assert real_bug("independent-binary", "key") == ""
    flags = {(name, flag) for name in family_names() for flag in family(name).specification.flags}
    assert sum(bool(real_bug(*one)) for one in flags) >= 14


def told(name: str, *, fails: Callable[[Test], bool]) -> list[str]:
    runs = [
        TestRun(one, Agreement.WRONG, ("/x: 1, expected 2",)) if fails(one) else TestRun(one, Agreement.EXACT)
        for one in shipped_tests(name)
    ]
    return diagnosis(name, runs)


def test_a_choice_in_the_input_is_named_where_it_tells_failed_tests_from_right_ones() -> None:
    name = "chance-agreement-coefficients"
    found = told(name, fails=lambda one: one.input["coefficient"] == "gwet" and one.body["result"] == "valid")
    (gwet,) = found
    assert re.fullmatch(r'coefficient = "gwet" \((\d+) of \1 fail, 0 of \d+ others\)', gwet)


def test_a_flag_is_blamed_where_it_tells_failed_tests_from_right_ones_alone() -> None:
    assert told("fisher-test", fails=lambda _: False) == []
    (ties,) = told("fisher-test", fails=lambda one: "tie" in one.body["flags"])
    assert "tie (99 of 99 fail, 0 of 81 others): a table exactly as likely" in ties
    (refused,) = told("fisher-test", fails=lambda one: one.body["result"] == "invalid")
    assert refused.startswith("refused (5 of 5 fail, 0 of 180 others): ")
    thirds = {one.id for place, one in enumerate(shipped_tests("fisher-test")) if place % 3}
    assert told("fisher-test", fails=lambda one: one.id in thirds) == []  # flags fail as often as the rest


def test_every_shipped_family_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "show", "majority"]) == 0
    told = capsys.readouterr().out
    for words in (
        "Grading by majority vote",
        "ties names what",
        "tied_questions: a whole number",
        "Finds: the policy",
    ):
        assert words in told
    assert main(["vectors", "show", "majority", "--json"]) == 0
    assert "groups" not in json.loads(capsys.readouterr().out)


def test_what_ships_is_copied_unless_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ntqr_exact.vectors.make.make_tests", lambda families, **_: iter(list(families)[:0]))
    make_vectors(tmp_path, names=[NAME])
    assert (tmp_path / f"{NAME}.json").read_bytes() == (shipped() / f"{NAME}.json").read_bytes()
    assert len(list(all_tests(read_family(tmp_path, NAME)))) == len(family(NAME).edge_cases) + 150
    with pytest.raises(KeyError):  # nothing is copied for another count, and nothing can be computed here
        make_vectors(tmp_path / "other", names=[NAME], count=149)
