"""Imports go down only: a module imports from lower layers and from its own package, and never in a circle."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("architecture_map", ROOT / "docs" / "architecture_map.py")
architecture = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(architecture)
LAYER_OF, MODULES, imported = architecture.LAYER_OF, architecture.MODULES, architecture.imported

NAMED_AFTER_WHAT_THEY_SERVE = {"cli", "ledger", "vectors"}
"""A command, a chapter of a source and a family of vectors may be called like the module that they are about."""


def violations(own: str, source: str) -> list[str]:
    found = []
    for name in imported(source):
        if name == ".":
            found.append("a relative import")
            continue
        other = architecture.part_of(name)
        if other != own and LAYER_OF[other] >= LAYER_OF[own]:
            found.append(f"{own} (layer {LAYER_OF[own]}) imports {other} (layer {LAYER_OF[other]})")
    return found


@pytest.mark.parametrize("part", sorted({architecture.part_of(module) for module in MODULES}))
def test_the_modules_of_a_part_import_only_from_lower_layers(part: str) -> None:
    assert part in LAYER_OF, f"{part} has no layer yet: add it to the table in docs/architecture_map.py"
    own = {name: path for name, path in MODULES.items() if architecture.part_of(name) == part}
    broken = {name: violations(part, path.read_text(encoding="utf-8")) for name, path in own.items()}
    assert {name: found for name, found in broken.items() if found} == {}


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
    """A circle of imports, or nothing; a package and its own modules are distinct."""
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
        if path.stem != "__init__" and architecture.part_of(module) not in NAMED_AFTER_WHAT_THEY_SERVE
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_every_place_that_the_page_names_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    places = set(re.findall(r"`((?:ntqr_exact|tests|docs)/[\w./]+)`", page))
    assert len(places) > 30
    assert [place for place in sorted(places) if not (ROOT / place).exists()] == []
