"""The gallery has every picture, each with five lines at most that draw what is shown."""

from __future__ import annotations

import importlib.util
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
    assert set(ENTRIES) == {name for name in plots.__all__ if name.startswith("plot_")}
    for program, path in ENTRIES.values():
        assert len(program.splitlines()) <= 5
        assert path.parent.name == "gallery"


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_the_program_of_each_picture_draws_it(name: str) -> None:
    figure = gallery.draw(ENTRIES[name][0])
    assert figure.axes
    pyplot.close(figure)
