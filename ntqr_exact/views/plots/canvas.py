"""What all pictures share: axes to draw on, a legend that covers nothing, whole ticks, and names that stay text."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias

from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.views.plots.style import NOTE_SIZE, tell

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

Axes: TypeAlias = "matplotlib.axes.Axes"
Figure: TypeAlias = "matplotlib.figure.Figure"

SpaceAxes: TypeAlias = Any
"""Axes of three dimensions, which come without types."""

WIDTH = 6.5
"""Inches across: the width of the text of a printed page."""

_LONGEST_NAME = 28
_LETTERS = 14
"""Letters of a note to an inch."""

_LEGEND = 0.8
"""How much of the width of a figure a legend may take: it is centred below axes that begin further right."""


def canvas(axes: Axes | None, *, height: Any = 4) -> Axes:
    """Return the axes given, or those of a new figure as wide as a printed page."""
    if axes is not None:
        return axes
    _, made = _pyplot().subplots(figsize=(WIDTH, height), layout="constrained")
    return made  # type: ignore[no-any-return]


def panels(
    figure: Figure | None, count: int, *, across: int, height: Any, more: Any = 0, **options: Any
) -> list[Any]:
    """Return axes side by side on the figure given or a new one, which becomes as high as they need.

    A row is `height` inches high, and `more` is kept for what stands below all of them.
    """
    rows = -(-count // across)
    if figure is None:
        figure = _pyplot().figure(figsize=(WIDTH, 1))
    figure.set_layout_engine("constrained")
    figure.set_figheight(rows * height + more)
    grid = list(figure.subplots(rows, across, squeeze=False, **options).flat)
    for unused in grid[count:]:
        unused.remove()
    return grid[:count]


def whole_ticks(*axis: Any, ticks: int = 8) -> None:
    """Give axes of counts ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    for one in axis:
        one.set_major_locator(MaxNLocator(nbins=ticks, integer=True))


def plain(name: str, longest: int = _LONGEST_NAME) -> str:
    r"""Return a name from the data as text: dollar signs start no formula, and long names are cut.

    >>> plain("$x_1$"), plain("a" * 40)
    ('\\$x_1\\$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaa…')
    """
    line = " ".join(name.split())
    short = line if len(line) <= longest else line[: longest - 1] + "…"
    return short.replace("$", r"\$")


def say(artist: Any, words: str, *values: object) -> None:
    """Name an artist in the legend with values in a few digits, and where the pointer rests on it with exact ones."""
    artist.set_label(words.format(*map(short_decimal, values)))
    tell(artist, words.format(*map(value_text, values)))


def legend_below(axes: Axes, *, ncols: int = 1, **options: Any) -> None:
    """Put the legend under the label of the lower axis, in as many columns as the figure is wide for."""
    where = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "borderaxespad": 4.6}
    for columns in range(ncols, 0, -1):
        legend = axes.legend(**{**where, **options}, ncols=columns)
        if columns == 1 or legend.get_window_extent().width <= _LEGEND * axes.figure.bbox.width:
            return


def mark(axes: SpaceAxes, at: Sequence[Any], marker: str = "o", size: int = 9, **look: Any) -> Any:
    """Draw one marker, and return it."""
    places = ([number] for number in at)
    (made,) = axes.plot(*places, marker=marker, markersize=size, linestyle=" ", **look)
    return made


def note(axes: Axes, words: str, at: tuple[Any, Any], shift: tuple[Any, Any], **options: Any) -> None:
    """Write small text that is shifted from its place by some points."""
    axes.annotate(
        words, at, **{"xytext": shift, "textcoords": "offset points", "fontsize": NOTE_SIZE, **options}
    )


def subtitle(axes: Axes, lines: Sequence[str], *, colour: str) -> None:
    """Write lines between the title and the axes, where they cover nothing."""
    across = int(_LETTERS * axes.figure.get_figwidth())  # type: ignore[union-attr]
    text = "\n".join(fill(line, across) for line in lines).replace("$", r"\$")
    where: dict[str, Any] = {"xycoords": "axes fraction", "ha": "center", "va": "bottom"}
    note(axes, text, (0.5, 1), (0, 8), color=colour, annotation_clip=False, **where)
    axes.set_title(axes.get_title(), pad=14 + 1.3 * NOTE_SIZE * (text.count("\n") + 1))


def _pyplot() -> Any:
    from matplotlib import pyplot

    return pyplot
