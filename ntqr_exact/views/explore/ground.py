"""What interactive pictures share: plotly if it is there, colours for light and dark pages, and a slider."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, TypeAlias

from ntqr_exact.errors import module_of_extra

Trace: TypeAlias = dict[str, Any]

INK = "#7d868f"
"""Text and lines: a grey that can be read on white and on black alike."""

_HUES = ("#3b97d6", "#df6b20", "#20a57c", "#c26d9f", "#d3951a", "#77bfe6")
_SYMBOLS = ("circle", "square", "diamond", "cross", "x", "circle-open")
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot")
_CLEAR = "rgba(0,0,0,0)"
_LETTERS = 40
"""Letters in a line of a telephone."""


def look(place: int) -> tuple[str, str, str]:
    """Return colour, marker and line of a member of a series."""
    return (_HUES[place % len(_HUES)], _SYMBOLS[place % len(_SYMBOLS)], _DASHES[place % len(_DASHES)])


def text_of(name: str, longest: int | None = None) -> str:
    """Return a name from the data as text: plotly takes tags for formatting. A name may be cut; the pointer tells all.

    >>> text_of("<b>x"), text_of("a very long name", 8)
    ('&lt;b&gt;x', 'a very …')
    """
    if longest is not None and len(name) > longest:
        name = name[: longest - 1] + "…"
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def titled(words: str) -> dict[str, Any]:
    """Return a title, broken into lines that a telephone has room for."""
    return {
        "text": "<br>".join(wrap(words, _LETTERS)),
        "x": 0.02,
        "y": 0.98,
        "yanchor": "top",
        "font": {"size": 14},
    }


def axis(title: str, ends: Sequence[Any], **options: Any) -> dict[str, Any]:
    """Return an axis that stays where it is, whatever is slid; its title has room on a telephone."""
    return {
        "title": {"text": "<br>".join(wrap(title, _LETTERS))},
        "range": list(ends),
        "autorange": False,
        "gridcolor": "rgba(125,134,143,0.25)",
        "zerolinecolor": "rgba(125,134,143,0.5)",
        **options,
    }


def scatter(name: str, hover: str, *coordinates: Sequence[Any], **more: Any) -> Trace:
    """Return points in a plane or in space, drawn by a `line`, a `marker` or both; the pointer tells `hover`."""
    return {
        "type": "scatter" if len(coordinates) < 3 else "scatter3d",
        **dict(zip("xyz", coordinates, strict=False)),
        "mode": "+".join(f"{kind}s" for kind in ("line", "marker") if kind in more),
        "name": name,
        "hovertemplate": f"{hover}<extra></extra>",
        **more,
    }


def made(
    data: Sequence[Trace], layout: dict[str, Any], frames: Sequence[dict[str, Any]] = (), slid: str = ""
) -> Any:
    """Return a figure of plotly; with frames it has a slider, whose positions are the names of the frames.

    Raises `MissingExtra` without plotly.
    """
    general = {
        "font": {"color": INK, "size": 12},
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "margin": {"l": 50, "r": 10, "t": 100, "b": 50},
        "height": 560,
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.01},
    }
    if frames:
        general["sliders"] = [_slider([frame["name"] for frame in frames], slid)]
    graph = _plotly("plotly.graph_objects")
    return graph.Figure({"data": list(data), "layout": general | layout, "frames": list(frames)})


def _slider(names: list[str], slid: str) -> dict[str, Any]:
    return {
        "currentvalue": {"prefix": f"{slid}: "},
        "pad": {"t": 60, "b": 20, "r": 20},
        "steps": [
            {
                "label": name,
                "method": "animate",
                "args": [[name], {"mode": "immediate", "frame": {"duration": 0, "redraw": True}}],
            }
            for name in names
        ],
    }


def plotly_script() -> str:
    """Return the program that draws, as text of a page; raises `MissingExtra` without plotly."""
    script: str = _plotly("plotly.offline").get_plotlyjs()
    return script


def _plotly(module: str) -> Any:
    return module_of_extra(module, "interactive pictures are drawn by plotly", "explore")
