"""The layers of the package, its imports, and the map of both: `python docs/architecture_map.py` draws it anew.

The table of layers is the one that `tests/project/test_layers.py` enforces. The picture and the table in
`architecture.md` are made from the imports that are in the sources, also those inside of functions.
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
            "csv_rows",
            "executors",
            "frozen_mapping",
            "programs",
            "sweep",
            "whole_file",
            "answer",
            "budget",
        },
    ),
    ("numbers", {"exact"}),
    ("what is counted, and what is shown", {"blocks", "columns", "data", "evaluation", "votes"}),
    ("formulas", {"algebra", "examples", "metrics", "varieties"}),
    ("formulas made of formulas", {"confidence", "linear", "postulates"}),
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

_FOR_ALL = 1
"""Up to this layer everything may be used by everything: lines to it would hide the others."""

_START, _END = "<!-- made by architecture_map.py -->", "<!-- end -->"


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


def without_detours(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the imports that no chain of other imports makes up for: the lines worth drawing."""
    below: dict[str, set[str]] = {}
    for part, names in graph.items():  # lowest first, so that what is below is known already
        below[part] = names.union(*(below[name] for name in names))
    return {
        part: {name for name in names if not any(name in below[other] for other in names)}
        for part, names in graph.items()
    }


def picture() -> str:
    """Return the map as SVG: a row for each layer, the highest on top, and a line for each import worth drawing."""
    graph = without_detours(parts())
    width, high, box, wide = 1120, 78, 30, 116
    place: dict[str, tuple[int, int]] = {}
    rows = []
    for layer, (title, names) in enumerate(LAYERS):
        y = 24 + (len(LAYERS) - 1 - layer) * high
        rows.append(f'<text x="8" y="{y + 19}" class="layer">{layer}  {title}</text>')
        there = sorted(name for name in names if name in graph)
        for index, name in enumerate(there):
            middle = 250 + (2 * index + 1) * (width - 250) // (2 * len(there))
            # Every second row of few boxes is moved aside, so that lines from above pass beside them.
            place[name] = (middle + (70 if layer % 2 and len(there) < 4 else 0), y)
    lines = []
    for part, names in graph.items():
        for name in sorted(name for name in names if LAYER_OF[name] > _FOR_ALL):
            (x1, y1), (x2, y2) = place[part], place[name]
            top, bend = y1 + box, (y2 - y1 - box) // 2
            lines.append(f'<path d="M{x1} {top} C{x1} {top + bend} {x2} {y2 - bend} {x2} {y2}"/>')
    boxes = [
        f'<rect x="{x - wide // 2}" y="{y}" width="{wide}" height="{box}" rx="5"/>'
        f'<text x="{x}" y="{y + 20}" class="part">{name}</text>'
        for name, (x, y) in place.items()
    ]
    style = (
        "svg{background:#fff;font-family:sans-serif}path{fill:none;stroke:#9ab}rect{fill:#eef3f8;stroke:#468}"
        ".part{text-anchor:middle;font-size:14px;fill:#123}.layer{font-size:12px;fill:#567}"
    )
    label = "The packages in layers, and what they import"
    size = f'viewBox="0 0 {width} {len(LAYERS) * high}" role="img" aria-label="{label}"'
    body = "\n".join([*lines, *boxes, *rows])
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{style}</style>\n{body}\n</svg>\n'


def table() -> str:
    """Return a row for each part: its layer, what its first line says that it holds, and what it imports."""
    lines = ["| layer | part | holds | imports |", "|---|---|---|---|"]
    graph = parts()
    for part in reversed(list(graph)):
        text = ast.get_docstring(ast.parse(MODULES[f"ntqr_exact.{part}"].read_text(encoding="utf-8"))) or ""
        holds = text.split("\n\n")[0].replace("\n", " ").replace("|", r"\|")
        lines.append(f"| {LAYER_OF[part]} | `{part}` | {holds} | {', '.join(sorted(graph[part]))} |")
    return "\n".join(lines)


def page(text: str) -> str:
    """Return the page on the architecture with the table in its place."""
    before, _, rest = text.partition(_START)
    return f"{before}{_START}\n{table()}\n{_END}{rest.partition(_END)[2]}"


if __name__ == "__main__":
    (DOCS / "images" / "architecture.svg").write_text(picture(), encoding="utf-8")
    written = page((DOCS / "architecture.md").read_text(encoding="utf-8"))
    (DOCS / "architecture.md").write_text(written, encoding="utf-8")
