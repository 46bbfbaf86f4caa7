"""Laws of every picture: it draws on what it is given, its text can be read, it covers nothing, and never changes."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from typing import Any

import pytest
from matplotlib import pyplot
from matplotlib.axis import Axis
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from ntqr_exact.errors import MissingExtra
from ntqr_exact.views import plots
from ntqr_exact.views.plots.style import PALETTES, SERIES, styled, themed
from tests.views.plots import pictures


def listed(made: Any) -> list[Any]:
    return made if isinstance(made, list) else [made]


PIXELS: dict[str, bytes] = {}


@functools.cache
def axes_of(name: str) -> tuple[Any, ...]:
    """Draw a picture once for all laws that only look at it, and lay it out."""
    made = listed(pictures.ALL[name](None))
    figure = made[0].figure
    figure.canvas.draw()
    PIXELS[name] = bytes(figure.canvas.buffer_rgba())
    pyplot.close(figure)
    return tuple(made)


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


@pytest.mark.parametrize("name", pictures.PANELS)
def test_a_picture_of_panels_is_drawn_on_the_figure_given(name: str) -> None:
    figure = Figure()
    assert all(axes.figure is figure for axes in pictures.PANELS[name](figure))
    assert not pyplot.get_fignums()


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
    figure = axes_of(name)[0].figure
    page, ticks = figure.bbox, tick_labels(figure)
    for text in texts(figure):
        assert text.get_fontsize() >= 8, text
        if id(text) not in ticks and not hasattr(text, "get_position_3d"):
            box = text.get_window_extent()
            assert box.x0 >= -1, text
            assert box.y0 >= -1, text
            assert box.x1 <= page.x1 + 1, text
            assert box.y1 <= page.y1 + 1, text


def overlap(box: Any, other: Any) -> bool:
    across = min(box.x1, other.x1) - max(box.x0, other.x0)
    return across > 1 and min(box.y1, other.y1) - max(box.y0, other.y0) > 1


@pytest.mark.parametrize("name", pictures.ALL)
def test_no_remark_lies_on_another_one_or_on_the_legend(name: str) -> None:
    for axes in axes_of(name):
        boxes = [
            (text.get_text(), text.get_window_extent())
            for text in (*axes.texts, axes.title)
            # In space a name stands beside its point, wherever that is.
            if text.get_text() and (axes.name != "3d" or text is axes.title)
        ]
        boxes += [("the legend", legend.get_window_extent()) for legend in (axes.get_legend(),) if legend]
        for place, (first, box) in enumerate(boxes):
            for second, other in boxes[place + 1 :]:
                assert not overlap(box, other), (first, second)


@pytest.mark.parametrize("name", pictures.ALL)
def test_neither_a_legend_nor_a_framed_text_covers_data(name: str) -> None:
    for axes in axes_of(name):
        boxes = [axes.get_legend().get_window_extent()] if axes.get_legend() else []
        boxes += [
            text.get_window_extent() for text in axes.texts if text.get_bbox_patch() and text.get_zorder() > 6
        ]
        boxes += [legend.get_window_extent() for legend in axes.figure.legends]
        inside = axes.get_window_extent()
        if axes.name == "3d":  # the axes are the whole square, of which the corners are empty
            inside = inside.shrunk(0.7, 0.7).anchored("C", inside)
        assert not any(overlap(box, inside) for box in boxes)


@pytest.mark.slow
@pytest.mark.parametrize("name", pictures.ALL)
def test_a_picture_is_the_same_every_time(name: str) -> None:
    axes_of(name)
    figure = listed(pictures.ALL[name](None))[0].figure
    figure.canvas.draw()
    assert bytes(figure.canvas.buffer_rgba()) == PIXELS[name]


@pytest.mark.parametrize("name", pictures.ALL)
def test_the_names_of_the_user_stand_on_axes_and_legends_not_symbols(name: str) -> None:
    figure = axes_of(name)[0].figure
    ticks = tick_labels(figure)  # of which those of a logarithmic axis are powers
    for text in texts(figure):
        assert id(text) in ticks or not re.search(r"(?<!\\)\$", text.get_text()), text


@pytest.mark.parametrize("name", pictures.ALL)
def test_on_a_dark_ground_the_picture_says_the_same_in_the_colours_of_the_dark_theme(name: str) -> None:
    with pyplot.style.context("dark_background"):
        figure = listed(pictures.ALL[name](None))[0].figure
        figure.canvas.draw()
        pyplot.close(figure)
    light = axes_of(name)[0].figure
    assert sorted(text.get_text() for text in texts(figure)) == sorted(
        text.get_text() for text in texts(light)
    )
    assert to_hex(figure.get_facecolor()) == PALETTES["dark"]["paper"]
    colours = {to_hex(text.get_color()) for text in texts(figure)}
    assert colours <= set(PALETTES["dark"].values())
    assert {to_hex(text.get_color()) for text in texts(light)} <= set(PALETTES["light"].values())


def test_every_colour_of_one_theme_has_its_own_name_and_a_counterpart_in_the_other() -> None:
    light, dark = PALETTES["light"], PALETTES["dark"]
    assert list(light) == list(dark)
    assert len(set(light.values())) == len(light)
    assert themed(" ".join(light.values())).count("var(--") == len(light)


def test_a_long_title_is_broken_and_the_style_ends_with_the_picture() -> None:
    @styled
    def draw(*, axes: Any) -> Any:
        axes.set_title("word " * 40)
        return axes

    before = dict(pyplot.rcParams)
    axes = draw(axes=Figure(figsize=(6, 4)).subplots())
    assert max(map(len, axes.get_title().splitlines())) <= 63
    assert axes.get_title().split() == ["word"] * 40
    assert dict(pyplot.rcParams) == before


@pytest.mark.parametrize("name", pictures.ALL)
def test_a_picture_without_matplotlib_names_the_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"\.\[plots\]' in a clone"):
        pictures.ALL[name](None)


@pytest.mark.parametrize("name", pictures.ALL)
def test_names_from_the_data_stay_text(name: str) -> None:
    shown = " ".join(text.get_text() for text in texts(axes_of(name)[0].figure))
    for broken in (r"$\frac{", "$x$"):
        assert f" {broken} " not in f" {shown} "


def test_members_of_a_series_differ_by_more_than_colour() -> None:
    for name in ("evaluation counts", "consistent lines", "consistent planes"):
        colours = {PALETTES["light"][hue] for hue in SERIES}
        # True points have the markers of their judges, and no line.
        lines = [
            line
            for line in axes_of(name)[0].get_lines()
            if line.get_color() in colours and line.get_linestyle() != "None"
        ]
        styles = [(line.get_linestyle(), line.get_marker()) for line in lines]
        assert len(set(styles)) == len(styles) == 3


def test_the_palette_can_be_told_apart_in_grey_or_by_its_place() -> None:
    assert len(set(SERIES)) == len(SERIES) == 6


def test_every_public_function_of_the_package_has_a_picture_here() -> None:
    drawn = {name for name in plots.__all__ if name.startswith("plot_")}
    assert len(pictures.ALL) == len(drawn)


def test_naming_the_pictures_does_not_load_matplotlib() -> None:
    code = (
        "import sys, ntqr_exact.views.plots, ntqr_exact.views.rich\n"
        "print('matplotlib' in sys.modules, 'IPython' in sys.modules, 'sympy' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert output.stdout.split() == ["False", "False", "False"]
