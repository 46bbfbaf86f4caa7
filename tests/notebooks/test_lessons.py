"""Every notebook is a lesson: question, computation, picture, proof, and an exercise whose solution is checked."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
LESSONS = sorted(FOLDER.glob("*.ipynb"))


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def code(path: Path) -> list[ast.Module]:
    return [
        ast.parse("\n".join(line for line in text(cell).splitlines() if not line.startswith("%")))
        for cell in cells(path, "code")
    ]


def is_folded(cell: dict[str, Any]) -> bool:
    """Tell whether source and output are hidden at first, in JupyterLab and on the documentation site."""
    metadata = cell["metadata"]
    hidden = metadata.get("jupyter", {})
    in_lab = hidden.get("source_hidden") is True and hidden.get("outputs_hidden") is True
    return in_lab and "hide-cell" in metadata.get("tags", [])


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_a_lesson_has_all_its_parts(path: Path) -> None:
    words = "\n\n".join(text(cell) for cell in cells(path, "markdown"))
    assert words.startswith("# ")
    for part in (r"\*\*Question\.\*\*", r"\*\*What it proves", r"^## Exercise$"):
        assert re.search(part, words, re.MULTILINE), part


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_the_solution_of_an_exercise_is_folded_at_the_end(path: Path) -> None:
    *before, last = cells(path, "code")
    assert is_folded(last)
    assert not any(is_folded(cell) for cell in before)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_a_lesson_asserts_its_claims(path: Path) -> None:
    trees = code(path)
    asserted = [sum(isinstance(node, ast.Assert) for node in ast.walk(tree)) for tree in trees]
    assert sum(asserted) >= 4
    assert asserted[-1], "the solution of the exercise asserts nothing"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_no_claim_of_a_lesson_rests_on_a_float(path: Path) -> None:
    for tree in code(path):
        for statement in ast.walk(tree):
            if isinstance(statement, ast.Assert):
                floats = [
                    node
                    for node in ast.walk(statement)
                    if (isinstance(node, ast.Constant) and isinstance(node.value, float))
                    or (isinstance(node, ast.Name) and node.id in ("float", "isclose", "round"))
                ]
                assert not floats, ast.unparse(statement)


def test_the_list_of_lessons_names_each_of_them_in_order() -> None:
    listed = re.findall(r"\]\(([^)]+\.ipynb)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert listed == [path.name for path in LESSONS]
