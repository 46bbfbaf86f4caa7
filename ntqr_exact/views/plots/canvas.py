"""What all pictures share: axes to draw on, colours that everyone can tell apart, and text that stays text."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ntqr_exact.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    AxesLike: TypeAlias = "Axes | None"

SpaceAxes: TypeAlias = Any
"""Axes of three dimensions, which come without types."""

# The palette of Okabe and Ito (Color Universal Design, 2008): distinct with any kind of colour vision. Every
# picture tells its parts apart by a marker, a hatch or a style of line besides, so that it works in grey too.
BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
BLUE = "#0072B2"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#666666"

SERIES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
"""Colours of judges and other members of a series, in order."""

MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "///", "\\\\\\", "...", "xxx", "---")
"""Fills that are told apart without colour."""

LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
NOTE_SIZE = 8.5
"""Points of the smallest text in a picture, at the size it is made for."""

WIDTH = 6.5
"""Inches across: the width of the text of a printed page."""

_LONGEST_NAME = 28


def canvas(axes: AxesLike, *, height: Any = 4) -> Axes:
    """Return the axes given, or those of a new figure as wide as a printed page.

    Raises `MissingExtra` without matplotlib.
    """
    pyplot = _pyplot()
    if axes is not None:
        return axes
    _, made = pyplot.subplots(figsize=(WIDTH, height), layout="constrained")
    return made  # type: ignore[no-any-return]


def blank_figure(*, height: Any) -> Figure:
    """Return a new figure as wide as a printed page, for several axes; raises `MissingExtra` without matplotlib."""
    made: Figure = _pyplot().figure(figsize=(WIDTH, height), layout="constrained")
    return made


def space(axes: SpaceAxes | None, *, height: Any = 5.8) -> SpaceAxes:
    """Return the three-dimensional axes given, or those of a new figure.

    Raises `MissingExtra` without matplotlib.
    """
    pyplot = _pyplot()
    if axes is not None:
        return axes
    figure = pyplot.figure(figsize=(WIDTH, height))
    # Three axes around a box leave much white: let it fill the page, with a column for the legend on the left.
    return figure.add_axes((0.14, 0.11, 0.84, 0.82), projection="3d")


def flat_face(corners: Sequence[tuple[int, int, int]], **options: Any) -> Any:
    """Return a flat polygon in space, to be added to axes."""
    return importlib.import_module("mpl_toolkits.mplot3d.art3d").Poly3DCollection([corners], **options)


def count_axes(axes: SpaceAxes) -> None:
    """Give a space of counts whole ticks, few enough to be read, and the view in which its planes are broad."""
    from matplotlib.ticker import MaxNLocator

    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.tick_params(labelsize=NOTE_SIZE)
    axes.set_box_aspect((1, 1, 1), zoom=1)
    axes.view_init(elev=20, azim=-60)


def plain(name: str) -> str:
    r"""Return a name from the data as text: dollar signs start no formula, and long names are cut.

    >>> plain("$x_1$"), plain("a" * 40)
    ('\\$x_1\\$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaa…')
    """
    line = " ".join(name.split())
    short = line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1] + "…"
    return short.replace("$", r"\$")


def legend_below(axes: Axes, **options: Any) -> None:
    """Put the legend under the label of the lower axis, at a distance in points, whatever the height."""
    settings = {
        "loc": "upper center",
        "bbox_to_anchor": (0.5, 0),
        "borderaxespad": 4.6,
        "fontsize": NOTE_SIZE,
        "frameon": False,
    }
    axes.legend(**{**settings, **options})


def note(axes: Axes, text: str, *, x: Any = 0, y: Any = 0, **options: Any) -> None:
    """Write a remark at a place given in shares of the axes, on a ground that keeps it readable."""
    settings = {
        "fontsize": NOTE_SIZE,
        "va": "top",
        "ha": "left",
        "zorder": 10,
        "bbox": {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": GREY, "alpha": 0.9},
    }
    write = getattr(axes, "text2D", axes.text)  # in space a text has three coordinates, unless it is flat
    write(x, y, text, transform=axes.transAxes, **{**settings, **options})


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise MissingExtra(
            "matplotlib", "pictures are drawn by matplotlib", "pip install 'ntqr-exact[plots]'"
        ) from None
    return pyplot
