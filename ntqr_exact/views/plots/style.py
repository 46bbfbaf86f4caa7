"""What all pictures share: one look for light and dark pages, axes to draw on, legends below, and names that stay text.

A picture takes the theme of the page it is drawn on: dark where its figure is dark, as with
`pyplot.style.use("dark_background")`, else light. The SVG of a report names its colours; the page chooses the theme.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from gmpy2 import mpq

from ntqr_exact.errors import BadSamples, module_of_extra
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.views.floats import drawn

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

Axes: TypeAlias = "matplotlib.axes.Axes"
Figure: TypeAlias = "matplotlib.figure.Figure"

# Six hues after Okabe and Ito (Color Universal Design, 2008), which are distinct with any kind of colour vision. On a
# dark page each is lighter. Every picture also tells its parts apart by a marker, a hatch or a style of line.
_NAMES = ("ink", "soft", "line", "paper", "blue", "vermilion", "green", "purple", "orange", "sky")
_LIGHT = "#1f2328 #59636e #d5dae0 #fefefe #0067a3 #c75100 #008a64 #b0578c #d99000 #4aa8dc"
_DARK = "#e6e8eb #a7b0ba #3a4047 #17191c #62b0ea #ff9256 #4fd0a5 #e39ac4 #f0bb55 #9ad4f5"
PALETTES: Mapping[str, Mapping[str, str]] = {
    theme: dict(zip(_NAMES, colours.split(), strict=True))
    for theme, colours in (("light", _LIGHT), ("dark", _DARK))
}
_SERIES = _NAMES[4:]
_MARKERS = ("o", "s", "^", "D", "v", "P")
_LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))

NOTE_SIZE = 8.5
"""Points of the smallest text in a picture, at the size it is made for."""

WIDTH = 6.5
"""Inches across: the width of the text of a printed page."""

HOVER = "hover: "
"""Prefix of the name of an artist whose text a page shows under the pointer."""

_SETTINGS: dict[str, Any] = {
    "figure.max_open_warning": 0,
    "font.family": ["DejaVu Sans"],
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    **dict.fromkeys(("font.size", "axes.labelsize"), 9.5),
    **dict.fromkeys(
        ("xtick.labelsize", "ytick.labelsize", "legend.fontsize", "legend.title_fontsize"), NOTE_SIZE
    ),
    **dict.fromkeys(("legend.frameon", "axes.spines.top", "axes.spines.right", "axes.grid"), False),
    "axes.axisbelow": True,
    "axes.linewidth": 0.8,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "hatch.linewidth": 0.6,
}
_DARK_BELOW = 1.5  # sum of red, green and blue
_LETTERS_PER_INCH = 100  # divided by the size in points
_MAX_NAME = 28
_MAX_LEGEND = 0.8
"""Share of the width of a figure that a legend may take: it is centred below axes that begin further right."""

_theme: ContextVar[str] = ContextVar("theme", default="light")
_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Member:
    """What tells one member of a series from the others, with colour and without."""

    colour: str
    marker: str
    line: Any


def hue(name: str) -> str:
    """Return a colour of the theme that is being drawn.

    >>> hue("paper")
    '#fefefe'
    """
    return PALETTES[_theme.get()][name]


def member(index: int) -> Member:
    """Return the look of a member of a series; after the last one they begin again."""
    index %= len(_SERIES)
    return Member(hue(_SERIES[index]), _MARKERS[index], _LINES[index])


def settings(theme: str) -> dict[str, Any]:
    """Return the style sheet of a theme, as parameters of matplotlib."""
    coloured = {
        "ink": "text.color axes.labelcolor axes.titlecolor",
        "soft": "axes.edgecolor xtick.color ytick.color",
        "paper": "figure.facecolor axes.facecolor savefig.facecolor legend.facecolor",
        "line": "grid.color",
    }
    named = {key: PALETTES[theme][name] for name, keys in coloured.items() for key in keys.split()}
    return {**named, **_SETTINGS}


def styled(draw: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function draw in our style, in the theme of the axes or the figure that it is given.

    Raises `MissingExtra` without matplotlib.
    """

    @functools.wraps(draw)
    def draw_in_style(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        matplotlib = checked_matplotlib()
        given: Any = kwargs.get("axes")
        given = kwargs.get("figure") if given is None else given
        ground = matplotlib.rcParams["figure.facecolor"] if given is None else given.get_facecolor()
        theme = "dark" if sum(matplotlib.colors.to_rgb(ground)) < _DARK_BELOW else "light"
        token = _theme.set(theme)
        try:
            with matplotlib.rc_context(settings(theme)):
                result = draw(*args, **kwargs)
                for axes in result if isinstance(result, list) else [result]:
                    _break_lines(axes)
                return result
        finally:
            _theme.reset(token)

    return draw_in_style


def _break_lines(axes: Any) -> None:
    """Break title and label into lines that fit the axes' part of the figure; the legend moves below them."""
    grid = axes.get_subplotspec()
    across = axes.figure.get_figwidth() / (1 if grid is None else grid.get_gridspec().ncols)
    for text in (axes.title, axes.xaxis.label):
        letters = int(across * _LETTERS_PER_INCH / text.get_fontsize())
        text.set_text("\n".join(fill(line, letters) for line in text.get_text().splitlines()))
    if (legend := axes.get_legend()) is not None:
        legend.borderaxespad += 1.4 * axes.get_xlabel().count("\n")


def themed(svg: str) -> str:
    """Return an SVG that was drawn in the light theme with its colours named, for the page to choose.

    >>> themed('<path style="fill: #fefefe"/>')
    '<path style="fill: var(--paper, #fefefe)"/>'
    """
    names = {colour: name for name, colour in PALETTES["light"].items()}
    return re.sub("|".join(names), lambda match: f"var(--{names[match[0]]}, {match[0]})", svg)


def variables(theme: str) -> str:
    """Return the colours of a theme as declarations of a style sheet."""
    return " ".join(f"--{name}: {colour};" for name, colour in PALETTES[theme].items())


def checked_matplotlib() -> Any:
    """Return matplotlib, or raise `MissingExtra`."""
    for module in ("matplotlib.colors", "matplotlib"):
        result = module_of_extra(module, "pictures are drawn by matplotlib", "plots")
    return result


# -- axes and what is on them -------------------------------------------------------------------------------


def canvas(axes: Axes | None, *, height: Any = 4) -> Axes:
    """Return the axes given, or those of a new figure as wide as a printed page."""
    if axes is not None:
        return axes
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(WIDTH, height), layout="constrained")[1]


def panels(figure: Figure | None, count: int, *, height: Any, **options: Any) -> list[Any]:
    """Return axes in two columns on the figure given or a new one, with rows of this height in inches."""
    from matplotlib import pyplot

    rows = -(-count // 2)
    figure = pyplot.figure(figsize=(WIDTH, 1)) if figure is None else figure
    figure.set_layout_engine("constrained")
    figure.set_figheight(rows * height)
    grid = list(figure.subplots(rows, 2, squeeze=False, **options).flat)
    for unused in grid[count:]:
        unused.remove()
    return grid[:count]


def whole_ticks(*axis: Any) -> None:
    """Give axes of counts ticks at round whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    for each in axis:
        each.set_major_locator(MaxNLocator(nbins=8, integer=True, steps=[1, 2, 5, 10]))


def plain(name: str) -> str:
    r"""Return a name from the data as text: dollar signs start no formula, and long names are cut.

    >>> plain("$x_1$"), plain("a" * 40)
    ('\\$x_1\\$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaa…')
    """
    line = " ".join(name.split())
    short = line if len(line) <= _MAX_NAME else line[: _MAX_NAME - 1] + "…"
    return short.replace("$", r"\$")


def tell(artist: Any, text: str) -> None:
    """Let a page show a text, such as an exact value, when the pointer is on an artist."""
    artist.set_gid(HOVER + text)


def say(artist: Any, text: str, *values: object) -> None:
    """Name an artist in the legend with values in a few digits, and under the pointer with exact ones."""
    artist.set_label(text.format(*map(short_decimal, values)))
    tell(artist, text.format(*map(value_text, values)))


def legend_below(axes: Axes, *, ncols: int = 1, **options: Any) -> None:
    """Put the legend under the label of the lower axis, in as many columns as the figure is wide for."""
    where = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "borderaxespad": 4.6}
    for columns in range(ncols, 0, -1):
        legend = axes.legend(**{**where, **options}, ncols=columns)
        if columns == 1 or legend.get_window_extent().width <= _MAX_LEGEND * axes.figure.bbox.width:
            return


def mark(axes: Axes, at: Sequence[Any], marker: str = "o", size: int = 9, **look: Any) -> Any:
    """Draw one marker, and return it."""
    return axes.plot(*([x] for x in at), marker=marker, markersize=size, linestyle=" ", **look)[0]


def note(axes: Axes, text: str, at: tuple[Any, Any], shift: tuple[Any, Any], **options: Any) -> None:
    """Write small text, shifted from a point by some points of print."""
    place = {"xytext": shift, "textcoords": "offset points", "fontsize": NOTE_SIZE}
    axes.annotate(text, at, **{**place, **options})


# -- the triangle of three labels ---------------------------------------------------------------------------

_HEIGHT = Surd.sqrt(3) / 2


def simplex_point(shares: Iterable[mpq]) -> tuple[float, float]:
    """Return where a vector (p₁, p₂, p₃) with sum 1 is drawn: x = p₂ + p₃/2, y = p₃·√3/2.

    >>> simplex_point([mpq(0), mpq(0), mpq(1)])
    (0.5, 0.8660254037844386)

    Raises `BadSamples` for other than three labels.
    """
    vector = tuple(shares)
    if len(vector) != 3:
        raise BadSamples(len(vector), "the vectors of a triangle must have three labels")
    _, second, third = vector
    return drawn(second + third / 2), drawn(third * _HEIGHT)


CORNERS = [simplex_point(mpq(int(i == j)) for j in range(3)) for i in range(3)]
"""Where the corners of the triangle are drawn, the first label first."""


def draw_triangle(axes: Axes, names: Sequence[str]) -> None:
    """Draw the triangle with a name, already `plain`, at each corner, without axes."""
    axes.plot(*zip(*CORNERS, CORNERS[0], strict=True), color=hue("ink"), linewidth=1.2, zorder=4)
    places = (("right", "top", (-4, -2)), ("left", "top", (4, -2)), ("center", "bottom", (0, 4)))
    for name, corner, (side, edge, shift) in zip(names, CORNERS, places, strict=True):
        note(axes, name, corner, shift, ha=side, va=edge, fontsize=10)
    axes.axis("off")
    axes.set(aspect="equal", xlim=(-0.12, 1.12), ylim=(-0.08, 0.95))
