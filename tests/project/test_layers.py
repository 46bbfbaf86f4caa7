"""Imports go down only: a module imports from lower layers and from its own package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ntqr_exact

PACKAGE = Path(ntqr_exact.__file__).parent

LAYERS = {
    "errors": 0,
    "citation": 0.1,
    "csv_rows": 0.1,
    "choice": 0.1,
    "sweep": 0.1,
    "whole_file": 0.1,
    "executors": 0.1,
    "exact": 0.2,
    "votes": 1,
    "metrics": 1,
    "evaluation": 1,
    "data": 1,
    "examples": 1.1,
    "algebra": 2,
    "postulates": 3,
    "significance": 3,
    "confidence": 3,
    "varieties": 4,
    "alarms": 5,
    "graded": 5,
    "evaluators": 5.1,
    "ledger": 6,
    "vectors": 6,
    "census": 6,
    "views": 7,
    "cli": 8,
}
"""Each top-level module or package and its layer; those on one layer do not import each other."""


def modules() -> list[Path]:
    return sorted(
        path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.name != "__init__.py"
    )


def part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_names(source: str) -> Iterator[str]:
    """All modules of the package that a source imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "relative." + "." * node.level if node.level else str(node.module)


def violations(own: str, source: str) -> list[str]:
    found = []
    for name in imported_names(source):
        top, _, rest = name.partition(".")
        if top == "relative":
            found.append("a relative import")
        if top != "ntqr_exact" or not rest:  # the top module itself holds the version and lazy names only
            continue
        other = rest.split(".")[0]
        if other != own and LAYERS[other] >= LAYERS[own]:
            found.append(f"{own} (layer {LAYERS[own]}) imports {other} (layer {LAYERS[other]})")
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_lower_layers(path: Path) -> None:
    assert part(path) in LAYERS, f"{part(path)} has no layer yet: add it to the table"
    assert violations(part(path), path.read_text(encoding="utf-8")) == []


def test_the_check_sees_an_import_upwards_and_one_hidden_in_a_function() -> None:
    upwards = "def f():\n    from ntqr_exact.votes.counts import VoteCounts\n"
    assert violations("exact", upwards) == ["exact (layer 0.2) imports votes (layer 1)"]
    assert violations("evaluation", upwards) == ["evaluation (layer 1) imports votes (layer 1)"]
    assert violations("votes", upwards) == []
    assert violations("cli", "from .votes import votes") == ["a relative import"]
