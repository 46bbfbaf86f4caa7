"""`ntqr-exact vectors`: what the commands write, print and return."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ntqr_exact.cli import main as frame
from ntqr_exact.vectors.files import all_tests, names_in, read_family, shipped

ECHO = "import sys\nfor line in sys.stdin: print(line, end='')"


@dataclass(frozen=True)
class Done:
    exit_code: int
    stdout: str
    output: str


def vectors(*words: object, given: str | None = None) -> Done:
    out, errors, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO((given or "").encode()), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(errors):
            code = frame.main(["vectors", *map(str, words)])
    finally:
        sys.stdin = stdin
    return Done(code, out.getvalue(), out.getvalue() + errors.getvalue())


def as_json(*words: object) -> Any:
    done = vectors(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_list_prints_the_families_and_the_specification_of_one() -> None:
    printed = vectors("list").stdout
    assert all(name in printed for name in names_in(shipped()))
    assert "families" in printed.splitlines()[-1]
    assert [one["family"] for one in as_json("list")["families"]] == names_in(shipped())
    shown = vectors("list", "majority").stdout
    assert "how many questions are tied" in " ".join(shown.split())
    assert as_json("list", "majority")["families"][0]["input"]["type"] == "object"
    assert vectors("list", "nothing").exit_code == 2


def test_make_writes_the_shipped_bytes(tmp_path: Path) -> None:
    assert vectors("make", "areas", "mcnemar-test", "--out", tmp_path).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "areas.json",
        "mcnemar-test.json",
        "schema.json",
    ]
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (shipped() / path.name).read_bytes()


def test_fresh_files_are_sound_and_the_same_for_the_same_seed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        done = vectors("make", "grade", "--seed", 7, "--count", 5, "--out", tmp_path / name, "--workers", 2)
        assert done.exit_code == 0, done.output
    first, second = (tmp_path / name / "grade.json" for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
    assert len(list(all_tests(read_family(tmp_path / "one", "grade")))) == 5
    assert vectors("check", tmp_path / "one").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("make", "nothing", "--out", "made"),
        ("make", "grade", "--seed", "-1", "--out", "made"),
        ("make", "grade", "--seed", "1/2", "--out", "made"),
        ("make", "grade", "--out", __file__),
        ("fill", "missing.json"),
        ("check", "missing"),
        ("judge", "missing.jsonl"),
        ("judge", "-", "--tolerance", "-1"),
        ("judge", "-", "--family", "nothing"),
        ("run", "grade"),
        ("run", "nothing", "--", "true"),
        ("run", "grade", "--", "/nonexistent/program"),
    ],
)
def test_bad_input_has_exit_code_2(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = vectors(*words)
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output


def test_fill_answers_own_inputs_and_does_not_write_over_them(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    given = {"family": "areas", "tests": [{"input": {"labels": [1, 0], "scores": ["2/3", "1/2"]}}]}
    mine.write_text(json.dumps(given), encoding="utf-8")
    printed = vectors("fill", mine).stdout
    assert json.loads(printed)["groups"][0]["tests"][0]["expected"]["roc_auc"] == "1"
    assert vectors("fill", mine, "--out", tmp_path / "areas.json").exit_code == 0
    assert (tmp_path / "areas.json").read_text(encoding="utf-8") == printed
    assert vectors("fill", mine, "--out", mine).exit_code == 2
    assert json.loads(mine.read_text(encoding="utf-8")) == given


def test_check_names_what_is_wrong(tmp_path: Path) -> None:
    vectors("make", "grade", "--seed", 1, "--count", 3, "--out", tmp_path)
    path = tmp_path / "grade.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"prevalence": ["', '"prevalence": ["7', 1), encoding="utf-8"
    )
    (tmp_path / "areas.json").write_text("{}", encoding="utf-8")
    done = vectors("check", tmp_path, "--json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert not found["passes"]
    assert {words.partition(":")[0] for words in found["problems"]} == {"areas.json", "grade.json"}


def test_run_and_judge_give_exit_code_1_for_what_is_wrong(tmp_path: Path) -> None:
    program = tmp_path / "echo.py"
    program.write_text(ECHO, encoding="utf-8")
    done = vectors("run", "vote-moments", "--limit", 5, "--", sys.executable, program)
    assert done.exit_code == 1
    assert "FAILED" in done.stdout
    tests = list(all_tests(read_family(shipped(), "vote-moments")))
    lines = [json.dumps({"id": test.id, "output": test.body["expected"]}) for test in tests]
    assert vectors("judge", "-", given="\n".join(lines)).exit_code == 0
    assert vectors("judge", "-", given="\n".join(lines[1:])).exit_code == 1
    assert vectors("judge", "-", given="\n".join([*lines, "nothing"])).exit_code == 2
    whole = vectors("judge", "-", "--json", given="\n".join(lines))
    assert json.loads(whole.stdout)["passes"] is True
