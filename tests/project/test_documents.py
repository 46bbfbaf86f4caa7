"""What the documents say is true: code runs, commands are those of CI, citations are those of the code."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ntqr_exact import __version__
from ntqr_exact.citation import SOURCES

ROOT = Path(__file__).resolve().parents[2]
MADE_BY_THE_SITE = (
    "command.md",
    "benchmarks.md",
    "peers.md",
    "images/gallery/",
    "ledger/",
    "../ledger/",
    "real_panels.md",
    "../real_panels.md",
)
"""Pages and pictures that the build of the site makes."""

DOCUMENTS = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if path.parent.name not in ("lessons", "_build")
)
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LONG = {"plots.md", "send_a_report.md"}
"""Documents that draw for seconds."""


def readme_command(name: str) -> str:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    match = re.search(rf"<!-- command: {name} -->\n```sh\n(.+)\n```", readme)
    assert match, f"the README has no command {name}"
    return match[1]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.slow if path.name in LONG else (), id=path.name)
        for path in DOCUMENTS
    ],
)
def test_the_code_in_a_document_gives_what_is_printed_there(path: Path) -> None:
    result = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert result.failed == 0


def test_the_readme_and_the_pages_on_numbers_and_votes_hold_code() -> None:
    counts = {path.name: path.read_text(encoding="utf-8").count(">>> ") for path in DOCUMENTS}
    assert all(counts[name] > 3 for name in ("README.md", "exact_numbers.md", "votes.md"))


def test_ci_runs_exactly_the_test_command_of_the_readme() -> None:
    assert readme_command("test") in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_demo_command_installs_and_runs_the_demo() -> None:
    assert readme_command("demo").endswith("&& .venv/bin/ntqr-exact demo")


def cells_of(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_cells_of_a_notebook_run_from_start_to_end(path: Path, monkeypatch) -> None:
    """All cells in this process, which has loaded everything already; the site runs each in a kernel of its own."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    for cell in cells_of(path):
        if cell["cell_type"] == "code":
            shell.run_cell("".join(cell["source"]), store_history=False).raise_error()
    pyplot.close("all")


def test_there_are_notebooks_and_each_is_committed_without_output() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        assert not any(cell.get("outputs") for cell in cells_of(path)), path.name


def test_the_citation_file_names_the_five_sources_as_the_code_does() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    assert len(citation["references"]) == len(SOURCES) == 5
    for reference, source in zip(citation["references"], SOURCES.values(), strict=True):
        names = [
            person.get("name") or f"{person['given-names']} {person['family-names']}"
            for person in reference["authors"]
        ]
        assert (reference["title"], names, reference.get("year")) == (
            source["title"],
            source["authors"],
            source.get("year"),
        )
        place = (
            reference.get("conference")
            or (reference.get("identifiers") or [{"value": reference.get("notes")}])[0]
        )
        assert (place.get("name") or place.get("value")) == source["where"]


def test_links_between_documents_lead_somewhere() -> None:
    for path in [*DOCUMENTS, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            if not target.startswith("http") and not target.startswith(MADE_BY_THE_SITE):
                assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_files_that_a_contributor_is_sent_to_exist() -> None:
    for path in [ROOT / "CONTRIBUTING.md", *DOCUMENTS]:
        for name in re.findall(
            r"`((?:ntqr_exact|tests|docs|benchmarks|notebooks)/[\w./]*)`", path.read_text("utf-8")
        ):
            assert (ROOT / name).exists() or name.startswith("docs/reference"), f"{path.name} names {name}"


def test_each_promise_of_reliability_names_a_test_that_exists() -> None:
    rows = re.findall(
        r"\| `(tests/[\w/]+\.py)`: `(test_\w+)` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    )
    assert len(rows) > 10
    for file, name in rows:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), name


def test_files_that_ci_names_exist() -> None:
    names = re.findall(r"\btests/[\w./]+", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    assert len(names) > 10
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_ci_runs_what_is_skipped_without_a_package_once_more() -> None:
    pattern = re.search(r"grep -rlE '(.+?)' tests", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    assert pattern
    programs = ("node", "Coq", "Singular", "Chromium", "interpreter", "Spark")
    for path in (ROOT / "tests").rglob("test_*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        skips = [line for line in lines if re.search(r"pytest\.(importorskip|skip)\(", line)]
        asking = [line for line in skips if not any(program in line for program in programs)]
        assert not asking or any(re.search(pattern[1], line) for line in lines), path.name


def test_the_changelog_has_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
