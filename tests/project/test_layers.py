"""Imports go down only: a module imports from lower layers and from its own package, and never in a circle."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import ntqr_exact

PACKAGE = Path(ntqr_exact.__file__).parent

LAYERS = (
    ("how it says no", {"errors"}),
    (
        "tools that know no mathematics",
        {"choice", "citation", "csv_rows", "executors", "frozen_mapping", "sweep", "whole_file"},
    ),
    ("numbers", {"exact"}),
    ("what is counted and what is shown, as values", {"blocks", "columns", "data", "evaluation", "votes"}),
    ("formulas", {"algebra", "examples", "metrics", "significance", "varieties"}),
    ("formulas made of formulas", {"confidence", "linear", "postulates"}),
    ("proofs that an assumption fails", {"alarms"}),
    ("grades of judges", {"dependence", "evaluators", "graded"}),
    ("all of it as one value", {"study"}),
    ("checks and products", {"census", "ledger", "proofs", "vectors"}),
    ("forms for people", {"views"}),
    ("the command", {"cli"}),
)
"""The layers, lowest first: what they hold, and their modules and packages, which do not import each other."""

LAYER_OF = {part: layer for layer, (_, parts) in enumerate(LAYERS) for part in parts}

NAMED_AFTER_WHAT_THEY_SERVE = {"cli", "ledger", "vectors"}
"""A command, a chapter of a source and a family of vectors may be called like the module that they are about."""


def modules() -> dict[str, Path]:
    """All modules by their dotted names, without the top one."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    del found["ntqr_exact"]
    return found


MODULES = modules()


def imported(source: str) -> Iterator[str]:
    """All modules of the package that a source imports, at the top or inside a function; `.` for relative ones."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("ntqr_exact."))
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield "."
            elif node.module == "ntqr_exact" or str(node.module).startswith("ntqr_exact."):
                yield from filter(None, (home(str(node.module), alias.name) for alias in node.names))


def home(module: str, name: str) -> str | None:
    """The module that a name is imported from; public names come from where the list of names says."""
    if f"{module}.{name}" in MODULES:
        return f"{module}.{name}"
    return module if module != "ntqr_exact" else ntqr_exact._HOMES.get(name)


def violations(own: str, source: str) -> list[str]:
    found = []
    for name in imported(source):
        if name == ".":
            found.append("a relative import")
            continue
        other = name.split(".")[1]
        if other != own and LAYER_OF[other] >= LAYER_OF[own]:
            found.append(f"{own} (layer {LAYER_OF[own]}) imports {other} (layer {LAYER_OF[other]})")
    return found


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_lower_layers(module: str) -> None:
    part = module.split(".")[1]
    assert part in LAYER_OF, f"{part} has no layer yet: add it to the table"
    assert violations(part, MODULES[module].read_text(encoding="utf-8")) == []


def test_the_check_sees_an_import_upwards_and_one_hidden_in_a_function_or_behind_a_public_name() -> None:
    upwards = "def f():\n    from ntqr_exact.votes.counts import VoteCounts\n"
    assert violations("exact", upwards) == ["exact (layer 2) imports votes (layer 3)"]
    assert violations("evaluation", upwards) == ["evaluation (layer 3) imports votes (layer 3)"]
    assert violations("votes", upwards) == []
    assert violations("exact", "from ntqr_exact import VoteCounts") == [
        "exact (layer 2) imports votes (layer 3)"
    ]
    assert violations("votes", "from ntqr_exact import postulates") == [
        "votes (layer 3) imports postulates (layer 5)"
    ]
    assert violations("cli", "from .votes import votes") == ["a relative import"]


def circle(sources: dict[str, str]) -> list[str]:
    """A circle of imports, or nothing; a package and its own modules are told apart."""
    graph = {
        module: {name for name in imported(source) if name != module} for module, source in sources.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle_not_even_late() -> None:
    assert circle({name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}) == []


def test_the_check_sees_a_circle_that_closes_inside_a_function() -> None:
    one, other = "ntqr_exact.votes.counts", "ntqr_exact.votes.labeled"
    late = f"def f():\n    import {one}\n"
    assert set(circle({one: f"from {other} import LabeledVoteCounts", other: late})) == {one, other}


def test_no_two_modules_have_one_name() -> None:
    names = Counter(
        path.stem
        for module, path in MODULES.items()
        if path.stem != "__init__" and module.split(".")[1] not in NAMED_AFTER_WHAT_THEY_SERVE
    )
    assert [name for name, count in names.items() if count > 1] == []
