"""The gallery has every picture, each with five lines at most that draw what is shown."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot
from matplotlib.text import Text

from ntqr_exact.views import plots

_SPEC = importlib.util.spec_from_file_location("gallery", Path(__file__).parents[3] / "docs" / "gallery.py")
assert _SPEC
assert _SPEC.loader
gallery: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(gallery)
ENTRIES = gallery.entries()


def test_every_picture_has_its_entry_of_five_lines_at_most_and_its_file() -> None:
    assert set(ENTRIES) == {name for name in plots.__all__ if name.startswith("plot_")}
    for program, path in ENTRIES.values():
        assert len(program.splitlines()) <= 5
        assert path.is_file()


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_the_picture_shown_says_what_the_program_draws(name: str) -> None:
    program, path = ENTRIES[name]
    figure = gallery.draw(program)
    title = next(
        (text for axes in figure.axes for text in [axes.title] if text.get_text()), Text(text="in all")
    )
    pyplot.close(figure)
    shown = " ".join(re.sub("<[^>]*>", " ", path.read_text(encoding="utf-8")).split())
    assert all(word in shown for word in title.get_text().replace("&", "&amp;").replace("<", "&lt;").split())
