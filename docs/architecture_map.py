"""The layers of the package and its imports, also those inside of functions.

`tests/project/test_layers.py` enforces the layers; the site shows the table.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PACKAGE = DOCS.parent / "ntqr_exact"

LAYERS = (
    ("how it says no", {"errors"}),
    (
        "tools that know no mathematics",
        {
            "choice",
            "citation",
            "frozen_mapping",
            "sweep",
            "whole_file",
            "answer",
            "budget",
        },
    ),
    ("numbers", {"exact"}),
    ("what is counted, and what is shown", {"blocks", "columns", "data", "evaluation", "votes"}),
    ("formulas", {"metrics", "varieties"}),
    ("formulas made of formulas", {"confidence", "examples", "postulates"}),
    ("proofs that an assumption fails", {"alarms"}),
    ("grades of judges", {"evaluators", "sampling"}),
    ("how much their errors depend on each other", {"dependence"}),
    ("all of it as one value", {"study"}),
    ("checks and products", {"census", "ledger", "proofs", "vectors"}),
    ("forms for people", {"views"}),
    ("the command", {"cli"}),
)
"""The layers, lowest first: what they hold, and their modules and packages, which do not import each other."""

LAYER_OF = {part: layer for layer, (_, parts) in enumerate(LAYERS) for part in parts}


def modules() -> dict[str, Path]:
    """Return all modules by their dotted names, without the top one and its command."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    del found["ntqr_exact"], found["ntqr_exact.__main__"]
    return found


def public_homes() -> dict[str, str]:
    """Return the module that each public name comes from, as the list of names in `__init__.pyi` says."""
    stub = (PACKAGE / "__init__.pyi").read_text(encoding="utf-8")
    found = re.findall(r"^from (ntqr_exact[.\w]*) import (\w+) as", stub, re.MULTILINE)
    return {name: f"{home}.{name}" if home == "ntqr_exact" else home for home, name in found}


MODULES, HOMES = modules(), public_homes()


@functools.cache
def imported(source: str) -> tuple[str, ...]:
    """Return all modules of the package that a source imports, at the top or in a function; `.` if relatively."""
    return tuple(_imports(source))


def _imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("ntqr_exact."))
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield "."
        elif isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "ntqr_exact":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                home = whole if whole in MODULES else str(node.module)
                if home != "ntqr_exact" or alias.name in HOMES:
                    yield HOMES[alias.name] if home == "ntqr_exact" else home


def part_of(module: str) -> str:
    """Return the package or top module that a module belongs to."""
    return module.split(".")[1]


def parts() -> dict[str, set[str]]:
    """Return which parts each part imports, in the order of the layers."""
    found: dict[str, set[str]] = {part: set() for _, names in LAYERS for part in sorted(names)}
    for module, path in MODULES.items():
        names = set(map(part_of, imported(path.read_text(encoding="utf-8"))))
        found[part_of(module)] |= names - {part_of(module)}
    there = {part_of(module) for module in MODULES}
    return {part: names for part, names in found.items() if part in there}


def table() -> str:
    """Return a row for each part: its layer, what its first line says that it holds, and what it imports."""
    lines = ["| layer | part | holds | imports |", "|---|---|---|---|"]
    graph = parts()
    for part in reversed(list(graph)):
        text = ast.get_docstring(ast.parse(MODULES[f"ntqr_exact.{part}"].read_text(encoding="utf-8"))) or ""
        holds = text.split("\n\n")[0].replace("\n", " ").replace("|", r"\|")
        lines.append(f"| {LAYER_OF[part]} | `{part}` | {holds} | {', '.join(sorted(graph[part]))} |")
    return "\n".join(lines)
