"""Possible and consistent evaluations in space, to turn and to slide; plotly is the extra `explore`.

Every function returns a figure of plotly, which a notebook shows; `figure.write_html(path)` makes one file that loads
nothing from a network.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from textwrap import wrap
from typing import Any, TypeAlias

from ntqr_exact.errors import module_of_extra
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import value_text
from ntqr_exact.varieties.compositions import PossibleSet, all_key_counts
from ntqr_exact.varieties.membership import Projection
from ntqr_exact.views.plots.evaluation_pictures import check_two_labels, line_ends, plane_corners
from ntqr_exact.votes.counts import VoteCounts

Trace: TypeAlias = dict[str, Any]

_INK = "#7d868f"  # a grey that can be read on white and on black alike
_HUES = ("#3b97d6", "#df6b20", "#20a57c", "#c26d9f", "#d3951a", "#77bfe6")
_SYMBOLS = ("circle", "square", "diamond", "cross", "x", "circle-open")
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot")
_CLEAR = "rgba(0,0,0,0)"
_LINE_LENGTH = 40  # letters in a line on a telephone
_MAX_POINTS = 1500
_SLIDER_STEPS = 20


def explore_planes(votes: VoteCounts, *, evaluation: CountEvaluation | None = None) -> Any:
    """Return the planes of consistent evaluations of all judges, to turn; a slider cuts them at a number of questions.

    A judge with few consistent evaluations has each of them as a point; the pointer shows its counts. `evaluation`, if
    the key is known, is marked on every plane.

    >>> figure = explore_planes(VoteCounts({"a": 2, "b": 1}))  # doctest: +SKIP
    >>> [trace.name for trace in figure.data]  # doctest: +SKIP
    ['J1, plane', 'J1: 6', 'J1, cut']

    Raises `BadVotes` for other than two labels, `MissingExtra` without plotly.
    """
    check_two_labels(votes)
    size, judges = votes.size, range(len(votes.judges))
    planes = [trace for judge in judges for trace in _plane(votes, judge)]
    start = size // 2
    if evaluation is not None:
        start = evaluation.key_counts[votes.labels[0]]
        planes += [_true_point(votes, judge, evaluation) for judge in judges]
    keys = sorted({start, *(size * step // _SLIDER_STEPS for step in range(_SLIDER_STEPS + 1))})
    cuts = [[_cut(votes, judge, key) for judge in judges] for key in keys]
    traces = [len(planes) + judge for judge in judges]
    frames: list[dict[str, Any]] = [
        {"name": value_text(key), "data": cut, "traces": traces} for key, cut in zip(keys, cuts, strict=True)
    ]
    a, b = (_escaped(label, 12) for label in votes.labels)
    names = (f"questions of {a}", f"right on {a}", f"right on {b}")
    title = f"Consistent evaluations of each judge, {value_text(size)} questions"
    layout = _layout(title, names, size)
    layout |= {"uirevision": "kept", "sliders": [_slider([frame["name"] for frame in frames], names[0])]}
    layout["margin"]["t"] += 20 * len(judges)  # on a telephone every judge has a line of the legend
    figure = _figure([*planes, *cuts[keys.index(start)]], layout, frames)
    figure.layout.sliders[0].active = keys.index(start)
    return figure


def _plane(votes: VoteCounts, judge: int) -> list[Trace]:
    own, colour = votes.marginal(judge), _HUES[judge % len(_HUES)]
    corners, name, count = plane_corners(own), _escaped(votes.judges[judge]), Projection(own).count()
    mesh: Trace = {"type": "mesh3d", **dict(zip("xyz", zip(*corners, strict=True), strict=True))}
    mesh |= {"i": [0, 0], "j": [1, 2], "k": [2, 3], "color": colour, "opacity": 0.25}
    mesh |= {"name": f"{name}, plane", "showlegend": False, "legendgroup": name, "hoverinfo": "skip"}
    few = count <= _MAX_POINTS
    line = {"color": colour, "width": 4, "dash": _DASHES[judge % len(_DASHES)]}
    points = [
        tuple(map(int, point)) for point in (Projection(own).points() if few else [*corners, corners[0]])
    ]
    outline = _points(votes, judge, points, 3, "markers" if few else "lines", line=line)
    caption = f"{_escaped(votes.judges[judge], 36)}: {value_text(count)}"
    return [mesh, outline | {"name": caption, "showlegend": True}]


def _cut(votes: VoteCounts, judge: int, key: int) -> Trace:
    line = {"color": _HUES[judge % len(_HUES)], "width": 8}
    trace = _points(votes, judge, line_ends(votes.marginal(judge), key), 5, "lines+markers", line=line)
    return trace | {"name": f"{trace['name']}, cut"}


def _true_point(votes: VoteCounts, judge: int, evaluation: CountEvaluation) -> Trace:
    point = (evaluation.key_counts[votes.labels[0]], *evaluation.correct[judge].values())
    trace = _points(votes, judge, [point], 7, "markers+text")
    trace["marker"]["line"] = {"color": _INK, "width": 2}
    side = ("middle right", "middle left")[judge % 2]
    true = {"name": f"{trace['name']}, true", "hovertemplate": f"true: {trace['hovertemplate']}"}
    return trace | true | {"text": [f"{_escaped(votes.judges[judge], 18)}, true"], "textposition": side}


def _points(
    votes: VoteCounts, judge: int, points: Iterable[Sequence[int]], size: int, mode: str, **more: Any
) -> Trace:
    """Return points of a judge in space, in its colour and with its marker."""
    a, b = map(_escaped, votes.labels)
    name = _escaped(votes.judges[judge])
    hover = f"{name}<br>%{{x}} questions of {a}<br>%{{y}} right on {a}<br>%{{z}} right on {b}"
    marker = {"size": size, "symbol": _SYMBOLS[judge % len(_SYMBOLS)], "color": _HUES[judge % len(_HUES)]}
    trace = _scatter(name, hover, points, mode, marker=marker, **more)
    return trace | {"legendgroup": name, "showlegend": False}


def explore_wedge(questions: RationalLike = 20) -> Any:
    """Return every possible (Q_a, R^a, R^b) of a judge, a wedge: 0 ≤ R^a ≤ Q_a, 0 ≤ R^b ≤ Q − Q_a.

    With more than 1,500 evaluations only the edges are drawn. Source: figure 1 of the paper. Raises `MissingExtra`
    without plotly.
    """
    possible = PossibleSet(questions=questions)
    size, total = possible.questions, possible.count()
    corners = [(0, 0, 0), (0, 0, size), (size, 0, 0), (size, size, 0)]
    edges: list[Any] = [point for edge in combinations(corners, 2) for point in (*edge, (None, None, None))]
    names = ("questions of a", "right on a", "right on b")
    hover = "<br>".join(f"%{{{letter}}} {name}" for letter, name in zip("xyz", names, strict=True))
    traces = [_scatter("edges", hover, edges, "lines", line={"color": _INK, "width": 3})]
    if total <= _MAX_POINTS:
        marker = {"size": 3, "color": _HUES[0]}
        traces.append(_scatter("evaluations", hover, wedge_points(possible), "markers", marker=marker))
    title = f"{value_text(total)} possible evaluations of one judge, {value_text(size)} questions"
    return _figure(traces, _layout(title, names, size))


def wedge_points(possible: PossibleSet) -> list[tuple[int, int, int]]:
    """Return (Q_a, R^a, R^b) of every possible evaluation of one judge.

    >>> wedge_points(PossibleSet(questions=1))
    [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0)]
    """
    a, b = possible.labels
    return [
        (key[a], right_a, right_b)
        for key in all_key_counts(possible.labels, possible.questions)
        for right_a in range(key[a] + 1)
        for right_b in range(key[b] + 1)
    ]


# -- plotly -------------------------------------------------------------------------------------------------


def _escaped(name: str, longest: int | None = None) -> str:
    """Return a name from the data as text, perhaps cut: plotly takes tags for formatting.

    >>> _escaped("<b>x", 4), _escaped("a very long name", 8)
    ('&lt;b&gt;x', 'a very …')
    """
    if longest is not None and len(name) > longest:
        name = name[: longest - 1] + "…"
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _scatter(name: str, hover: str, points: Iterable[Sequence[Any]], mode: str, **more: Any) -> Trace:
    places = dict(zip("xyz", zip(*points, strict=True), strict=True))
    template = {"hovertemplate": f"{hover}<extra></extra>"}
    return {"type": "scatter3d", **places, "mode": mode, "name": name, **template, **more}


def _layout(title: str, names: Sequence[str], size: int) -> dict[str, Any]:
    """Return the layout of a cube whose axes stay where they are, whatever is slid, with room on a telephone."""
    axis = {"range": [0, size], "autorange": False, "showbackground": False, "gridcolor": _INK}
    axes = {
        f"{letter}axis": {**axis, "title": {"text": "<br>".join(wrap(name, 20))}, "tickfont": {"size": 10}}
        for letter, name in zip("xyz", names, strict=True)
    }
    text = {"text": "<br>".join(wrap(title, _LINE_LENGTH)), "font": {"size": 14}}
    return {
        "title": {**text, "x": 0.02, "y": 0.98, "yanchor": "top"},
        "scene": {**axes, "aspectmode": "cube", "camera": {"eye": {"x": -1.9, "y": -2.2, "z": 0.9}}},
        "font": {"color": _INK, "size": 12},
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "margin": {"l": 0, "r": 0, "t": 60, "b": 20},
        "height": 660,
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.01},
    }


def _slider(names: list[str], prefix: str) -> dict[str, Any]:
    how = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}}
    steps = [{"label": name, "method": "animate", "args": [[name], how]} for name in names]
    return {"currentvalue": {"prefix": f"{prefix}: "}, "pad": {"t": 60, "b": 20, "r": 20}, "steps": steps}


def _figure(data: Sequence[Trace], layout: dict[str, Any], frames: Sequence[dict[str, Any]] = ()) -> Any:
    graph = module_of_extra("plotly.graph_objects", "interactive pictures are drawn by plotly", "explore")
    return graph.Figure({"data": list(data), "layout": layout, "frames": list(frames)})
