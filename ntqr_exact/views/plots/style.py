"""The one look of all pictures: colours for light and dark pages, sizes of text, and what tells members apart.

A picture takes the theme of the page it is drawn on: dark where its figure is dark, as with
`pyplot.style.use("dark_background")`, else light. An SVG of a report or of the documentation names its colours, so
that the page chooses between both themes when it is shown.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any, ParamSpec, TypeVar

from ntqr_exact.errors import module_of_extra

# Six hues after Okabe and Ito (Color Universal Design, 2008), which are distinct with any kind of colour vision. On a
# dark page each is lighter. Every picture tells its parts apart by a marker, a hatch or a style of line besides.
_NAMES = ("ink", "soft", "line", "paper", "blue", "vermilion", "green", "purple", "orange", "sky")
_LIGHT = "#1f2328 #59636e #d5dae0 #fefefe #0067a3 #c75100 #008a64 #b0578c #d99000 #4aa8dc"
_DARK = "#e6e8eb #a7b0ba #3a4047 #17191c #62b0ea #ff9256 #4fd0a5 #e39ac4 #f0bb55 #9ad4f5"
PALETTES: Mapping[str, Mapping[str, str]] = {
    theme: dict(zip(_NAMES, colours.split(), strict=True))
    for theme, colours in (("light", _LIGHT), ("dark", _DARK))
}

SERIES = _NAMES[4:]
"""Hues of judges and other members of a series, in order."""

_MARKERS = ("o", "s", "^", "D", "v", "P")
_LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))

NOTE_SIZE = 8.5
"""Points of the smallest text in a picture, at the size it is made for."""

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

HOVER = "hover: "
"""How the name of an artist begins that a page shows in words where the pointer rests on it."""

_HALF = 1.5
_TITLE = 100
"""Letters of a title to an inch, times its size in points."""
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


def member(place: int) -> Member:
    """Return the look of the member of a series at a place; after the last one they begin again."""
    place %= len(SERIES)
    return Member(hue(SERIES[place]), _MARKERS[place], _LINES[place])


def settings(theme: str) -> dict[str, Any]:
    """Return the style sheet of a theme, as parameters of matplotlib."""
    coloured = {
        "ink": "text.color axes.labelcolor axes.titlecolor",
        "soft": "axes.edgecolor xtick.color ytick.color",
        "paper": "figure.facecolor axes.facecolor savefig.facecolor legend.facecolor",
        "line": "grid.color",
    }
    colours = PALETTES[theme]
    named = {key: colours[name] for name, keys in coloured.items() for key in keys.split()}
    panes = {f"axes3d.{axis}axis.panecolor": (*_rgb(colours["line"]), 0.25) for axis in "xyz"}
    return {**named, **panes, **_SETTINGS}


def styled(draw: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function draw in our style, in the theme of the axes or the figure that it is given.

    Raises `MissingExtra` without matplotlib.
    """

    @functools.wraps(draw)
    def drawn(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        matplotlib = checked_matplotlib()
        given: Any = kwargs.get("axes")
        given = kwargs.get("figure") if given is None else given
        ground = matplotlib.rcParams["figure.facecolor"] if given is None else given.get_facecolor()
        theme = "dark" if sum(_rgb(ground)) < _HALF else "light"
        token = _theme.set(theme)
        try:
            with matplotlib.rc_context(settings(theme)):
                made = draw(*args, **kwargs)
                for axes in made if isinstance(made, list) else [made]:
                    _break_title(axes)
                return made
        finally:
            _theme.reset(token)

    return drawn


def _break_title(axes: Any) -> None:
    """Break the title and the label below into lines that are no longer than the axes' part of the figure."""
    across = axes.figure.get_figwidth()
    grid = axes.get_subplotspec()
    across /= 1 if grid is None else grid.get_gridspec().ncols
    for text in (axes.title, axes.xaxis.label):
        letters = int(across * _TITLE / text.get_fontsize())
        text.set_text("\n".join(fill(line, letters) for line in text.get_text().splitlines()))


def tell(artist: Any, words: str) -> None:
    """Let a page show words, such as an exact value, where the pointer rests on an artist."""
    artist.set_gid(HOVER + words)


def themed(svg: str) -> str:
    """Return an SVG that was drawn in the light theme with its colours named, for the page to choose.

    >>> themed('<path style="fill: #fefefe"/>')
    '<path style="fill: var(--paper, #fefefe)"/>'
    """
    names = {colour: name for name, colour in PALETTES["light"].items()}
    return re.sub("|".join(names), lambda found: f"var(--{names[found[0]]}, {found[0]})", svg)


def variables(theme: str) -> str:
    """Return the colours of a theme as declarations of a style sheet.

    >>> variables("light")[:15]
    '--ink: #1f2328;'
    """
    return " ".join(f"--{name}: {colour};" for name, colour in PALETTES[theme].items())


def save_themed(figure: Any, path: Path) -> None:
    """Write a light figure as an SVG of its own that is light or dark as the reader's system is."""
    written = io.BytesIO()
    with checked_matplotlib().rc_context({"svg.hashsalt": "ntqr-exact", "svg.fonttype": "none"}):
        figure.savefig(written, format="svg", metadata={"Date": None})
    drawing = themed(written.getvalue().decode("utf-8"))
    style = f"<style>@media (prefers-color-scheme: dark) {{ svg {{ {variables('dark')} }} }}</style>"
    path.write_text(re.sub(r"(<svg[^>]*>)", rf"\1\n {style}", drawing, count=1), encoding="utf-8")


def _rgb(colour: Any) -> tuple[float, float, float]:
    found: tuple[float, float, float] = checked_matplotlib().colors.to_rgb(colour)
    return found


def checked_matplotlib() -> Any:
    """Return matplotlib, or raise `MissingExtra`."""
    for module in ("matplotlib.colors", "matplotlib"):
        found = module_of_extra(module, "pictures are drawn by matplotlib", "plots")
    return found
