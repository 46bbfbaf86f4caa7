"""Every family has a second implementation that agrees with every test, and catches each bug planted in it.

The vectors are those that ship; that they are what the library makes is a slow test of its own. `bugs/README.md`
tells what stands in the files of `bugs/`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shutil
import subprocess
import tempfile
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq

from ntqr_exact.vectors.compare import Agreement, read_output
from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.judge import judge_output
from ntqr_exact.vectors.registry import family_names
from tests.vectors.shipped_tests import shipped_tests

LEAST_BUGS = 5
LIMIT = 20
"""So many seconds a bug may think about a question."""
BUGS_FOLDER = Path(__file__).parent / "bugs"
RUNNER = Path(__file__).resolve().parents[2] / "docs" / "vectors_runner"
SHARED = re.compile(r"^from tests\.vectors\.bugs\.shared\.(\w+) import .*\n", re.MULTILINE)
Runner = Callable[[dict[str, Any]], Any]


def bug_file(name: str) -> Path:
    return BUGS_FOLDER / f"{name.replace('-', '_')}.py"


@functools.cache
def bugs_of(name: str) -> dict[str, list[str]]:
    path = bug_file(name).with_suffix(".toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def source_of(name: str) -> str:
    """The text of a reference, with that of each file of `bugs/shared` in the place of its import."""
    if not bug_file(name).exists():
        return ""
    home = BUGS_FOLDER / "shared"
    return SHARED.sub(
        lambda found: (home / f"{found[1]}.py").read_text(encoding="utf-8"),
        bug_file(name).read_text(encoding="utf-8"),
    )


def run(path: Path, source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    exec(compile(source, str(path), "exec"), names)
    return names


@functools.cache
def implementation(name: str) -> dict[str, Any]:
    names = run(bug_file(name), source_of(name))
    names.setdefault("reference", functools.partial(javascript, RUNNER, name))
    return names


@functools.cache
def node() -> subprocess.Popen[str]:
    """The process that answers questions with any copy of the JavaScript runner; it ends with its input."""
    if shutil.which("node") is None:
        pytest.skip("the second implementation of this family is in JavaScript, and node is not installed")
    command = ["node", str(BUGS_FOLDER / "ask.mjs")]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def javascript(folder: Path, name: str, document: dict[str, Any]) -> Any:
    """What a copy of the JavaScript runner answers; no answer in time is one like any other."""
    process = node()
    assert process.stdin is not None
    assert process.stdout is not None
    question = {"folder": str(folder), "family": name, "inputs": [document]}
    timer = threading.Timer(LIMIT, process.kill)
    timer.start()
    print(json.dumps(question), file=process.stdin, flush=True)
    line = process.stdout.readline()
    timer.cancel()
    if not line:
        node.cache_clear()
        return "no answer"
    return json.loads(line)[0]


@functools.cache
def copies() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@functools.cache
def modules() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in RUNNER.glob("*.mjs")}


def javascript_with_bug(name: str, old: str, new: str) -> Runner:
    """A copy of the JavaScript runner in whose modules `old`, which stands there exactly once, is replaced by `new`."""
    found = [file for file, text in modules().items() for _ in range(text.count(old))]
    assert len(found) == 1, f"{old!r} stands {len(found)} times in the JavaScript runner"
    folder = Path(copies().name) / hashlib.sha256(f"{name}{old}{new}".encode()).hexdigest()[:16]
    folder.mkdir()
    for file, text in modules().items():
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return functools.partial(javascript, folder, name)


def with_bug(name: str, old: str, new: str) -> Runner:
    """The reference in whose text `old`, which stands there exactly once, is replaced by `new`."""
    if isinstance(implementation(name)["reference"], functools.partial):
        return javascript_with_bug(name, old, new)
    source = source_of(name)
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in the reference of {name}"
    mutated: Runner = run(bug_file(name), source.replace(old, new))["reference"]
    return mutated


def output_of(runner: Runner, test: Test) -> Any:
    """What a runner writes, as it is read back from a line of results; a crash is an output like any other."""
    try:
        output = runner(json.loads(json.dumps(test.input)))
    except Exception as error:
        return f"crashed: {error!r}"
    return read_output(json.dumps(output))


def judged(runner: Runner, test: Test) -> tuple[Agreement, tuple[str, ...]]:
    return judge_output(test, output_of(runner, test), mpq(0))


BUGS = [
    pytest.param(name, *change, id=f"{name}: {bug}")
    for name in family_names()
    for bug, change in bugs_of(name).items()
]


def confirm(name: str, tests: list[Test]) -> None:
    names = implementation(name)
    witnesses = {"reference": names["reference"], **names.get("WITNESSES", {})}
    for test in tests:
        for witness in test.body["witness"]:
            agreement, words = judged(witnesses[witness], test)
            assert agreement < Agreement.INEXACT, (test.id, witness, words)
        if test.body["result"] == "invalid":
            assert output_of(names["reference"], test) == test.body["expected"], test.id
    confirmed = {witness for test in shipped_tests(name) for witness in test.body["witness"]}
    assert confirmed == set(witnesses), "a witness that confirms nothing"


@pytest.mark.parametrize("name", family_names())
def test_witnesses_confirm_every_sixteenth_test_that_names_them(name: str) -> None:
    confirm(name, shipped_tests(name)[::16])


@pytest.mark.slow
@pytest.mark.parametrize("name", family_names())
def test_every_named_witness_confirms_the_tests_that_name_it(name: str) -> None:
    confirm(name, shipped_tests(name))


def test_a_family_has_bugs_enough_and_its_second_implementation_imports_nothing_of_the_library() -> None:
    for name in family_names():
        assert len(bugs_of(name)) >= LEAST_BUGS, name
        assert "ntqr_exact" not in source_of(name), name


@pytest.mark.parametrize(("name", "old", "new", "hint"), BUGS)
def test_a_planted_bug_is_caught(name: str, old: str, new: str, hint: str) -> None:
    mutated = with_bug(name, old, new)
    hinted = [test for test in shipped_tests(name) if test.id == f"{name}/{hint}"]
    assert any(judged(mutated, test)[0] is Agreement.WRONG for test in (*hinted, *shipped_tests(name)))
