"""Every family has a second implementation that agrees with every test, and catches each bug planted in it.

The second implementation is the JavaScript runner of the documentation. The vectors are those that ship; that they are
what the library makes is a slow test of its own. `bugs/README.md` tells what stands in the files of `bugs/`.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import shutil
import subprocess
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
HOME = Path(__file__).parent / "bugs"
RUNNER = Path(__file__).resolve().parents[2] / "docs" / "vectors_runner"
Runner = Callable[[dict[str, Any]], Any]


@functools.cache
def bugs_of(name: str) -> dict[str, list[str]]:
    path = HOME / f"{name.replace('-', '_')}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def witnesses_of(name: str) -> dict[str, Runner]:
    """What confirms the tests of a family: the JavaScript runner, and what stands in a file of its name."""
    others: dict[str, Runner] = {}
    if (HOME / f"{name.replace('-', '_')}.py").exists():
        others = importlib.import_module(f"tests.vectors.bugs.{name.replace('-', '_')}").WITNESSES
    return {"reference": functools.partial(javascript, name, None), **others}


@functools.cache
def node() -> subprocess.Popen[str]:
    """The process that answers questions with the JavaScript runner, bugs put in; it ends with its input."""
    if shutil.which("node") is None:
        pytest.skip("the second implementation is in JavaScript, and node is not installed")
    command = ["node", str(HOME / "ask.mjs")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    atexit.register(process.communicate)
    return process


def javascript(name: str, bug: dict[str, str] | None, document: dict[str, Any]) -> Any:
    """What the JavaScript runner answers, with a bug or none; no answer in time is one like any other."""
    process = node()
    assert process.stdin is not None
    assert process.stdout is not None
    question = {"family": name, "input": document, "bug": bug}
    timer = threading.Timer(LIMIT, process.kill)
    timer.start()
    print(json.dumps(question), file=process.stdin, flush=True)
    line = process.stdout.readline()
    timer.cancel()
    if not line:
        node.cache_clear()
        process.stdout.close()
        return "no answer"
    return read_output(line)


@functools.cache
def modules() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in RUNNER.glob("*.mjs")}


def with_bug(name: str, old: str, new: str) -> Runner:
    """The JavaScript runner in whose modules `old`, which stands there exactly once, is replaced by `new`."""
    found = [file for file, text in modules().items() for _ in range(text.count(old))]
    assert len(found) == 1, f"{old!r} stands {len(found)} times in the JavaScript runner"
    return functools.partial(javascript, name, {"old": old, "new": new})


def judged(runner: Runner, test: Test) -> tuple[Agreement, tuple[str, ...]]:
    """How a runner does; what a witness in Python writes is read back from a line, like any output."""
    output = runner(test.input)
    if not isinstance(runner, functools.partial):
        output = read_output(json.dumps(output))
    return judge_output(test, output, mpq(0))


BUGS = [
    pytest.param(name, *change, id=f"{name}: {bug}", marks=() if place < LEAST_BUGS else pytest.mark.slow)
    for name in family_names()
    for place, (bug, change) in enumerate(bugs_of(name).items())
]
"""Five of each family are for every day: no shipped test gets lost, as `test_pack.py` compares with the record."""


def confirm(name: str, tests: list[Test]) -> None:
    witnesses = witnesses_of(name)
    for test in tests:
        for witness in test.body["witness"]:
            agreement, words = judged(witnesses[witness], test)
            assert agreement < Agreement.INEXACT, (test.id, witness, words)
    confirmed = {witness for test in shipped_tests(name) for witness in test.body["witness"]}
    assert confirmed == set(witnesses), "a witness that confirms nothing"


@pytest.mark.parametrize("name", family_names())
def test_witnesses_confirm_every_thirtieth_test_that_names_them(name: str) -> None:
    confirm(name, shipped_tests(name)[::30])


@pytest.mark.slow
@pytest.mark.parametrize("name", family_names())
def test_every_named_witness_confirms_the_tests_that_name_it(name: str) -> None:
    confirm(name, shipped_tests(name))


def test_a_family_has_bugs_enough_and_no_file_of_them_is_left_over() -> None:
    assert {path.stem.replace("_", "-") for path in HOME.glob("*.toml")} == set(family_names())
    assert {name for name in family_names() if len(bugs_of(name)) < LEAST_BUGS} == set()


def test_witnesses_import_nothing_of_the_library() -> None:
    for path in HOME.glob("*.py"):
        assert "ntqr_exact" not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize(("name", "old", "new", "hint"), BUGS)
def test_a_planted_bug_is_caught(name: str, old: str, new: str, hint: str) -> None:
    mutated = with_bug(name, old, new)
    hinted = [test for test in shipped_tests(name) if test.id == f"{name}/{hint}"]
    assert any(judged(mutated, test)[0] is Agreement.WRONG for test in (*hinted, *shipped_tests(name)))
