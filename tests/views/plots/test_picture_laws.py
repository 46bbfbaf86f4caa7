"""Laws of every picture: it draws on the axes given, its text can be read, and it is the same every time."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text

from ntqr_exact.errors import MissingExtra
from ntqr_exact.views import plots
from ntqr_exact.views.plots.canvas import SERIES

_SPEC = importlib.util.spec_from_file_location("pictures", Path(__file__).parent / "pictures.py")
assert _SPEC
assert _SPEC.loader
pictures: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(pictures)


def texts(figure: Any) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]


@pytest.mark.parametrize("name", pictures.FLAT)
def test_a_picture_is_drawn_on_the_axes_given_and_returns_them(name: str) -> None:
    axes = Figure().subplots()
    assert pictures.FLAT[name](axes) is axes
    assert axes.has_data()
    assert not pyplot.get_fignums(), "no figure is opened beside it"


@pytest.mark.parametrize("name", pictures.SPATIAL)
def test_a_picture_in_space_is_drawn_on_the_axes_given(name: str) -> None:
    axes = Figure().add_subplot(projection="3d")
    assert pictures.SPATIAL[name](axes) is axes


def tick_labels(figure: Any) -> set[int]:
    """Return the labels of ticks, of which those beyond the limits of an axis exist but are not drawn."""
    return {
        id(text)
        for axis in figure.findobj(Axis)
        for text in axis.findobj(Text)
        if text not in (axis.label, axis.offsetText)
    }


@pytest.mark.parametrize("name", pictures.ALL)
def test_every_text_is_large_enough_to_be_read_in_print_and_lies_on_the_page(name: str) -> None:
    figure = pictures.ALL[name](None).figure
    figure.canvas.draw()
    page, ticks = figure.bbox, tick_labels(figure)
    for text in texts(figure):
        assert text.get_fontsize() >= 8, text
        if id(text) not in ticks:
            box = text.get_window_extent()
            assert box.x0 >= -1, text
            assert box.y0 >= -1, text
            assert box.x1 <= page.x1 + 1, text
            assert box.y1 <= page.y1 + 1, text


@pytest.mark.parametrize("name", pictures.ALL)
def test_no_remark_lies_on_another_one_or_on_the_legend(name: str) -> None:
    axes = pictures.ALL[name](None)
    axes.figure.canvas.draw()
    boxes = [
        (text.get_text(), text.get_window_extent()) for text in (*axes.texts, axes.title) if text.get_text()
    ]
    if axes.get_legend():
        boxes.append(("the legend", axes.get_legend().get_window_extent()))
    for place, (first, box) in enumerate(boxes):
        for second, other in boxes[place + 1 :]:
            across = min(box.x1, other.x1) - max(box.x0, other.x0)
            up = min(box.y1, other.y1) - max(box.y0, other.y0)
            assert across <= 1 or up <= 1, (first, second)


@pytest.mark.parametrize("name", pictures.ALL)
def test_a_picture_is_the_same_every_time(name: str) -> None:
    first, second = (pictures.ALL[name](None).figure for _ in range(2))
    for figure in (first, second):
        figure.canvas.draw()
    assert bytes(first.canvas.buffer_rgba()) == bytes(second.canvas.buffer_rgba())


@pytest.mark.parametrize("name", pictures.ALL)
def test_a_picture_without_matplotlib_names_the_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"ntqr-exact\[plots\]"):
        pictures.ALL[name](None)


@pytest.mark.parametrize("name", pictures.ALL)
def test_names_from_the_data_stay_text(name: str) -> None:
    axes = pictures.ALL[name](None)
    axes.figure.canvas.draw()  # a formula that is none would fail here
    shown = " ".join(text.get_text() for text in texts(axes.figure))
    for broken in (r"$\frac{", "$x$"):
        assert f" {broken} " not in f" {shown} "


def test_members_of_a_series_differ_by_more_than_colour() -> None:
    for name in ("evaluation counts", "consistent lines", "consistent planes"):
        lines = [line for line in pictures.ALL[name](None).get_lines() if line.get_color() in SERIES]
        styles = [(line.get_linestyle(), line.get_marker()) for line in lines]
        assert len(set(styles)) == len(styles) == 3


def test_the_palette_can_be_told_apart_in_grey_or_by_its_place() -> None:
    assert len(set(SERIES)) == len(SERIES) == 6


def test_every_public_function_of_the_package_has_a_picture_here() -> None:
    drawn = {name for name in plots.__all__ if name.startswith("plot_")} - {"plot_six_scores"}
    assert len(pictures.ALL) == len(drawn)


def test_naming_the_pictures_does_not_load_matplotlib() -> None:
    code = (
        "import sys, ntqr_exact.views.plots, ntqr_exact.views.rich\n"
        "print('matplotlib' in sys.modules, 'IPython' in sys.modules, 'sympy' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert output.stdout.split() == ["False", "False", "False"]
