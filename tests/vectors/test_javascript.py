"""The second implementation, in JavaScript, shares no code with the library and agrees on every test."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ntqr_exact.vectors.files import fresh, names_in, read_family, shipped, text_of
from ntqr_exact.vectors.run import run_vectors
from tests.vectors import mutate

ROOT = Path(__file__).resolve().parents[2]
NODE = ["node", str(mutate.HOME / "runner.mjs")]
NAMES = names_in(shipped())
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def failures(directory: Path, texts: dict[str, str]) -> list[object]:
    for name, text in texts.items():
        (directory / f"{name}.json").write_text(text, encoding="utf-8")
    report = run_vectors(NODE, directory, limit=60)
    return [*report.failed, *report.strays, *report.incidents, *(set(texts) - set(report.tried))]


@needs_node
def test_it_agrees_on_some_tests_of_every_third_family(tmp_path: Path) -> None:
    texts = {}
    for name in NAMES[::3]:
        document = read_family(shipped(), name)
        groups = [{**group, "tests": group["tests"][::40]} for group in document["groups"][::8]]
        texts[name] = text_of({**document, "groups": groups})
    assert failures(tmp_path, texts) == []


@pytest.mark.slow
@needs_node
def test_it_agrees_on_every_shipped_test() -> None:
    report = run_vectors(NODE, shipped(), limit=60)
    assert report.failed == []
    assert report.passes
    assert set(report.tried) == set(NAMES)


@pytest.mark.slow
@needs_node
def test_it_agrees_on_fresh_inputs_of_every_family(tmp_path: Path) -> None:
    assert failures(tmp_path, {name: text_of(fresh(name, seed=11, count=6)) for name in NAMES}) == []


@needs_node
def test_a_change_of_the_program_is_noticed() -> None:
    assert list(mutate.survivors("dependence.mjs", 2)) == []


def test_the_script_that_breaks_the_program_starts_from_its_path() -> None:
    run = subprocess.run(
        [sys.executable, mutate.__file__, "--help"], check=False, capture_output=True, text=True, cwd=ROOT
    )
    assert (run.returncode, "--most" in run.stdout) == (0, True)


LANGUAGES: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "python": ("py", lambda path: [sys.executable, path]),
    "javascript": ("mjs", lambda path: ["node", path]),
    "r": ("R", lambda path: ["Rscript", path]),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_programs_of_the_protocol_page_pass(language: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "vectors_protocol.md").read_text(encoding="utf-8")
    (code,) = (
        code for code in re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL) if "control_only" in code
    )
    ending, command = LANGUAGES[language]
    program = tmp_path / f"mcnemar.{ending}"
    program.write_text(code, encoding="utf-8")
    if shutil.which(command(str(program))[0]) is None:
        pytest.skip(f"no interpreter of {language} is installed")
    report = run_vectors(command(str(program)), shipped(), names=["mcnemar-test"], limit=60)
    assert report.passes, report.failed[:3]
    assert sum(report.counts("mcnemar-test").values()) == 175


def test_the_program_imports_nothing_but_its_own_modules() -> None:
    for path in mutate.HOME.glob("*.mjs"):
        imported = re.findall(
            r'^(?:import|}).* from "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert all(name.startswith(("./", "node:")) for name in imported), path.name
