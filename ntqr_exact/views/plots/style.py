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
PALETTES: Mapping[str, Mapping[str, str]] = {
    "light": {
        "ink": "#1f2328",
        "soft": "#59636e",
        "line": "#d5dae0",
        "paper": "#fefefe",
        "blue": "#0067a3",
        "vermilion": "#c75100",
        "green": "#008a64",
        "purple": "#b0578c",
        "orange": "#d99000",
        "sky": "#4aa8dc",
    },
    "dark": {
        "ink": "#e6e8eb",
        "soft": "#a7b0ba",
        "line": "#3a4047",
        "paper": "#17191c",
        "blue": "#62b0ea",
        "vermilion": "#ff9256",
        "green": "#4fd0a5",
        "purple": "#e39ac4",
        "orange": "#f0bb55",
        "sky": "#9ad4f5",
    },
}

SERIES = ("blue", "vermilion", "green", "purple", "orange", "sky")
"""Hues of judges and other members of a series, in order."""

_MARKERS = ("o", "s", "^", "D", "v", "P")
_HATCHES = ("", "///", "\\\\\\", "...", "xxx", "---")
"""Fills that are told apart without colour."""

LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))

NOTE_SIZE = 8.5
"""Points of the smallest text in a picture, at the size it is made for."""

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
    hatch: str


def hue(name: str) -> str:
    """Return a colour of the theme that is being drawn.

    >>> hue("paper")
    '#fefefe'
    """
    return PALETTES[_theme.get()][name]


def member(place: int) -> Member:
    """Return the look of the member of a series at a place; after the last one they begin again."""
    return Member(
        hue(SERIES[place % len(SERIES)]),
        _MARKERS[place % len(_MARKERS)],
        LINES[place % len(LINES)],
        _HATCHES[place % len(_HATCHES)],
    )


def settings(theme: str) -> dict[str, Any]:
    """Return the style sheet of a theme, as parameters of matplotlib."""
    colours = PALETTES[theme]
    ink = dict.fromkeys(("text.color", "axes.labelcolor", "axes.titlecolor"), colours["ink"])
    soft = dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), colours["soft"])
    ground = dict.fromkeys(
        ("figure.facecolor", "axes.facecolor", "savefig.facecolor", "legend.facecolor"), colours["paper"]
    )
    panes = {f"axes3d.{axis}axis.panecolor": (*_rgb(colours["line"]), 0.25) for axis in "xyz"}
    return (
        ink
        | soft
        | ground
        | panes
        | {
            "figure.max_open_warning": 0,
            "font.family": ["DejaVu Sans"],
            "font.size": 9.5,
            "axes.titlesize": 11,
            "axes.titleweight": "bold",
            "axes.labelsize": 9.5,
            "xtick.labelsize": NOTE_SIZE,
            "ytick.labelsize": NOTE_SIZE,
            "legend.fontsize": NOTE_SIZE,
            "legend.title_fontsize": NOTE_SIZE,
            "legend.frameon": False,
            "axes.linewidth": 0.8,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": False,
            "grid.color": colours["line"],
            "grid.linewidth": 0.6,
            "lines.linewidth": 1.8,
            "hatch.linewidth": 0.6,
        }
    )


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
