"""Possible and consistent evaluations in space, to turn and to slide; plotly is the extra `explore`.

Every function returns a figure of plotly, which a notebook shows. `interactive_page` writes figures into one file that
loads nothing from a network.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import combinations, count
from textwrap import wrap
from typing import Any, TypeAlias

from ntqr_exact.blocks.html import Markup, tag
from ntqr_exact.errors import module_of_extra
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import grouped
from ntqr_exact.varieties.membership import Projection
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.views.plots.evaluations import check_two_labels, line_ends, plane_corners, wedge_points
from ntqr_exact.votes.counts import VoteCounts

Trace: TypeAlias = dict[str, Any]

INK = "#7d868f"
"""Text and lines: a grey that can be read on white and on black alike."""

_HUES = ("#3b97d6", "#df6b20", "#20a57c", "#c26d9f", "#d3951a", "#77bfe6")
_SYMBOLS = ("circle", "square", "diamond", "cross", "x", "circle-open")
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot")
_CLEAR = "rgba(0,0,0,0)"
_LINE_LENGTH = 40  # letters in a line on a telephone
_NAME_LENGTH = 36  # letters of a name in the legend
_MAX_POINTS = 1500
_SLIDER_STEPS = 20
_TRUE = ", true"


def explore_planes(votes: VoteCounts, *, evaluation: CountEvaluation | None = None) -> Any:
    """Return the planes of consistent evaluations of all judges, to turn; a slider cuts them at a number of questions.

    A judge with few consistent evaluations has each of them as a point; the pointer tells its counts. `evaluation`, if
    the key is known, is marked on every plane.

    >>> figure = explore_planes(VoteCounts({"a": 2, "b": 1}))  # doctest: +SKIP
    >>> [trace.name for trace in figure.data]  # doctest: +SKIP
    ['J1, plane', 'J1: 6', 'J1, cut']

    Raises `BadVotes` for other than two labels, `MissingExtra` without plotly.
    """
    check_two_labels(votes)
    size = votes.size
    planes = [trace for place in range(len(votes.judges)) for trace in _plane(votes, place)]
    if evaluation is not None:
        planes += [_true_point(votes, place, evaluation) for place in range(len(votes.judges))]
    start = evaluation.key_counts[votes.labels[0]] if evaluation is not None else size // 2
    keys = sorted({start, *(size * step // _SLIDER_STEPS for step in range(_SLIDER_STEPS + 1))})
    cuts = [[_cut(votes, place, key) for place in range(len(votes.judges))] for key in keys]
    traces = [len(planes) + place for place in range(len(votes.judges))]
    frames = [
        {"name": grouped(key), "data": cut, "traces": traces} for key, cut in zip(keys, cuts, strict=True)
    ]
    a, b = (text_of(label, 12) for label in votes.labels)
    names = (f"questions of {a}", f"right on {a}", f"right on {b}")
    layout = {
        "title": titled(f"Consistent evaluations of each judge, {grouped(size)} questions"),
        "scene": _scene(names, size),
        "uirevision": "kept",
        "height": 680,
        # On a telephone every judge has a line of the legend.
        "margin": {"l": 0, "r": 0, "t": 60 + 20 * len(votes.judges), "b": 20},
    }
    figure = made([*planes, *cuts[keys.index(start)]], layout, frames, slid=names[0])
    figure.layout.sliders[0].active = keys.index(start)
    return figure


def _plane(votes: VoteCounts, place: int) -> list[Trace]:
    own, (colour, _, dash) = votes.marginal(place), look(place)
    corners = plane_corners(own)
    name, count = text_of(votes.judges[place]), Projection(own).count()
    mesh: Trace = {"type": "mesh3d", **dict(zip("xyz", zip(*corners, strict=True), strict=True))}
    mesh |= {"i": [0, 0], "j": [1, 2], "k": [2, 3], "color": colour, "opacity": 0.25}
    mesh |= {"name": f"{name}, plane", "showlegend": False, "legendgroup": name, "hoverinfo": "skip"}
    few = count <= _MAX_POINTS
    points = (
        (int(q), int(r), int(s)) for q, r, s in (Projection(own).points() if few else [*corners, corners[0]])
    )
    shown = _judge(votes, place, points, 3, line={"color": colour, "width": 4, "dash": dash})
    caption = f"{text_of(votes.judges[place], _NAME_LENGTH)}: {grouped(count)}"
    return [mesh, {**shown, "mode": "markers" if few else "lines", "name": caption, "showlegend": True}]


def _judge(
    votes: VoteCounts, place: int, points: Iterable[Sequence[int]], size: int, kind: str = "", **more: Any
) -> Trace:
    """Return points of a judge in space, in its colour and with its marker."""
    colour, symbol, _ = look(place)
    a, b = map(text_of, votes.labels)
    name = text_of(votes.judges[place])
    counts = f"<br>%{{x}} questions of {a}<br>%{{y}} right on {a}<br>%{{z}} right on {b}"
    marker = {"size": size, "symbol": symbol, "color": colour}
    hover = f"{name}{kind if kind == _TRUE else ''}{counts}"
    made = scatter(f"{name}{kind}", hover, *zip(*points, strict=True), marker=marker, **more)
    return {"legendgroup": name, "showlegend": False, **made}


def _cut(votes: VoteCounts, place: int, key: int) -> Trace:
    line = {"color": look(place)[0], "width": 8}
    return _judge(votes, place, line_ends(votes.marginal(place), key), 5, ", cut", line=line)


def _true_point(votes: VoteCounts, place: int, evaluation: CountEvaluation) -> Trace:
    point = (evaluation.key_counts[votes.labels[0]], *evaluation.correct[place].values())
    trace = _judge(votes, place, [point], 7, _TRUE, mode="markers+text")
    trace["marker"]["line"] = {"color": INK, "width": 2}
    trace["text"] = [f"{text_of(votes.judges[place], _NAME_LENGTH // 2)}, true"]
    trace["textposition"] = ("middle right", "middle left")[place % 2]
    return trace


def explore_wedge(questions: RationalLike = 20) -> Any:
    """Return every possible (Q_a, R^a, R^b) of a judge, a wedge: 0 ≤ R^a ≤ Q_a, 0 ≤ R^b ≤ Q − Q_a.

    With more than 1,500 evaluations only the edges are drawn. Source: figure 1 of the paper. Raises `MissingExtra`
    without plotly.
    """
    possible = PossibleSet(questions=questions)
    size, total = possible.questions, possible.count()
    corners = [(0, 0, 0), (0, 0, size), (size, 0, 0), (size, size, 0)]
    edges = [point for edge in combinations(corners, 2) for point in (*edge, (None, None, None))]
    hover = "%{x} questions of a<br>%{y} right on a<br>%{z} right on b"
    traces = [scatter("edges", hover, *zip(*edges, strict=True), line={"color": INK, "width": 3})]
    if total <= _MAX_POINTS:
        marker = {"size": 3, "color": _HUES[0]}
        traces.append(
            scatter("evaluations", hover, *zip(*wedge_points(possible), strict=True), marker=marker)
        )
    names = ("questions of a", "right on a", "right on b")
    title = f"{grouped(total)} possible evaluations of one judge, {grouped(size)} questions"
    return made(traces, {"title": titled(title), "scene": _scene(names, size), "height": 640})


def _scene(names: Sequence[str], size: int) -> dict[str, Any]:
    options: dict[str, Any] = {"showbackground": False, "tickfont": {"size": 10}, "gridcolor": INK}
    axes = {
        f"{name}axis": axis(title, (0, size), **options) for name, title in zip("xyz", names, strict=True)
    }
    return {**axes, "aspectmode": "cube", "camera": {"eye": {"x": -1.55, "y": -1.8, "z": 0.75}}}


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
        "text": "<br>".join(wrap(words, _LINE_LENGTH)),
        "x": 0.02,
        "y": 0.98,
        "yanchor": "top",
        "font": {"size": 14},
    }


def axis(title: str, ends: Sequence[Any], **options: Any) -> dict[str, Any]:
    """Return an axis that stays where it is, whatever is slid; its title has room on a telephone."""
    return {
        "title": {"text": "<br>".join(wrap(title, _LINE_LENGTH))},
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


# -- pages -------------------------------------------------------------------------------------------

_CONFIG = '{"responsive": true, "displayModeBar": false}'
_STEP_BACK = """.then((shown) => {
  const scene = shown.layout.scene;
  if (scene && shown.clientWidth < 520) {
    const {x, y, z} = scene.camera.eye;
    return Plotly.relayout(shown, {"scene.camera.eye": {x: 1.35 * x, y: 1.35 * y, z: 1.35 * z}});
  }
});"""
"""On a telephone the names of the axes of a space would be cut: look at it from further away."""

_SCRIPT = re.compile("<script>(.*?)</script>", re.DOTALL)


def placed(figure: Any, name: str) -> Markup:
    """Return a figure of plotly as a part of a page that has `plotly_script` before it; `name` is its own."""
    # A name from the data could end the script; as JSON it may be written by its code.
    drawing = (
        str(figure.to_json())
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
    place = tag("div", id=f"{name}-explore", role="figure", **{"class": "explore"})
    program = f'Plotly.newPlot("{name}-explore", {{...{drawing}, "config": {_CONFIG}}})'
    return Markup(f"{place}<script>{program}{_STEP_BACK}</script>")


class Shown:
    """A figure that a notebook shows, live or on a page; the program that draws stands in the first one."""

    __slots__ = ("_markup", "figure")

    def __init__(self, figure: Any, markup: Markup) -> None:
        self.figure, self._markup = figure, markup

    def _repr_html_(self) -> str:
        return self._markup


_shown = count()


def in_notebook(figure: Any) -> Shown:
    """Return a figure for a notebook that is also read as a static page, without a network."""
    number = next(_shown)
    drawing = placed(figure, f"shown{number}")
    return Shown(figure, drawing if number else Markup(script_once() + drawing))


def policy(page: str) -> str:
    """Return the policy of a page: its own scripts run, known by their digests, and nothing is loaded.

    >>> policy("<script>1</script>")
    "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"
    """
    digests = [
        base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
        for script in _SCRIPT.findall(page)
    ]
    return " ".join(["script-src", *(f"'sha256-{digest}'" for digest in digests)])


def script_once() -> Markup:
    """Return the program that draws all interactive pictures of a page."""
    return Markup(f"<script>{plotly_script()}</script>")


def interactive_page(
    figures: Iterable[Any], *, titles: Sequence[str] = (), title: str = "Pictures to turn"
) -> str:
    """Return one HTML page with figures of plotly that loads nothing from a network.

    Raises `MissingExtra` without plotly.
    """
    shown = list(figures)
    named = [*titles, *[""] * (len(shown) - len(titles))]
    parts = [script_once(), tag("h1", title)]
    for place, (figure, name) in enumerate(zip(shown, named, strict=True), start=1):
        parts += [tag("h2", name)] * bool(name)
        parts.append(placed(figure, f"picture{place}"))
    body = "\n".join(parts)
    rules = f"default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; {policy(body)}"
    style = (
        ":root { color-scheme: light dark; } "
        "body { font-family: sans-serif; max-width: 60rem; margin: 0 auto; padding: 0 0.8rem; }"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{rules}">\n'
        f"{tag('title', title)}\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
