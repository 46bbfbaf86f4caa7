"""The gallery has every picture, each with five lines at most that draw what is shown."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot

from ntqr_exact.views import plots

_SPEC = importlib.util.spec_from_file_location("gallery", Path(__file__).parents[3] / "docs" / "gallery.py")
assert _SPEC
assert _SPEC.loader
gallery: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(gallery)
ENTRIES = gallery.entries()


def test_every_picture_has_its_entry_of_five_lines_at_most() -> None:
    assert set(ENTRIES) == {name for name in vars(plots) if name.startswith("plot_")}
    for program, path in ENTRIES.values():
        assert len(program.splitlines()) <= 5
        assert path.parent.name == "gallery"


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_the_program_of_each_picture_draws_it(name: str) -> None:
    figure = gallery.draw(ENTRIES[name][0])
    assert figure.axes
    pyplot.close(figure)


def staircase(drawing: str) -> list[tuple[float, float]]:
    """The corners of the filled area, in units of its width and height."""
    path = re.search(r'id="(?:FillBetween)?PolyCollection_1">.*? d="(.*?)"', drawing, re.DOTALL)
    assert path
    corners = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", path[1])]
    columns, rows = zip(*corners, strict=True)
    left, top, width, height = min(columns), min(rows), max(columns) - min(columns), max(rows) - min(rows)
    return [(round((x - left) / width, 3), round((y - top) / height, 3)) for x, y in corners]


def test_the_picture_of_the_readme_is_the_one_that_its_panel_gives(tmp_path: Path) -> None:
    root = gallery.PAGE.parents[1]
    readme = (root / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"!\[[^]]*\]\(([^)]+)\)", readme)
    assert f"example:{gallery.PANEL}" in readme
    figure = gallery.readme_picture()
    gallery.save_themed(figure, tmp_path / "drawn.svg")
    kept, drawn = (path.read_text(encoding="utf-8") for path in (root / shown, tmp_path / "drawn.svg"))
    assert len(staircase(drawn)) > 10
    assert staircase(kept) == staircase(drawn)
    assert re.findall(r">([^<>]*\w[^<>]*)</text>", kept) == re.findall(r">([^<>]*\w[^<>]*)</text>", drawn)
    pyplot.close(figure)
