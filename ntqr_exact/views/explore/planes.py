"""The consistent evaluations of each judge in space: planes to turn, their points, and the lines at a number slid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.views.explore.ground import INK, Trace, axis, look, made, scatter, text_of, titled
from ntqr_exact.views.plots.evaluations import check_two_labels, line_ends, plane_corners
from ntqr_exact.votes.counts import VoteCounts

_MOST_POINTS = 1500
_STEPS = 20
_LONGEST = 36
"""Letters of a name in the legend."""

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
        planes += [_truth(votes, place, evaluation) for place in range(len(votes.judges))]
    start = evaluation.key_counts[votes.labels[0]] if evaluation is not None else size // 2
    keys = sorted({start, *(size * step // _STEPS for step in range(_STEPS + 1))})
    cuts = [[_cut(votes, place, key) for place in range(len(votes.judges))] for key in keys]
    traces = [len(planes) + place for place in range(len(votes.judges))]
    frames = [
        {"name": grouped(key), "data": cut, "traces": traces} for key, cut in zip(keys, cuts, strict=True)
    ]
    a, b = (text_of(label, 12) for label in votes.labels)
    ends = (0, size)
    names = (f"questions of {a}", f"right on {a}", f"right on {b}")
    scene = {
        f"{name}axis": axis(title, ends, showbackground=False, tickfont={"size": 10}, gridcolor=INK)
        for name, title in zip("xyz", names, strict=True)
    }
    layout = {
        "title": titled(f"Consistent evaluations of each judge, {grouped(size)} questions"),
        "scene": {**scene, "aspectmode": "cube", "camera": {"eye": {"x": -1.55, "y": -1.8, "z": 0.75}}},
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
    few = count <= _MOST_POINTS
    points = (
        (int(q), int(r), int(s)) for q, r, s in (Projection(own).points() if few else [*corners, corners[0]])
    )
    shown = _judge(votes, place, points, 3, line={"color": colour, "width": 4, "dash": dash})
    told = f"{text_of(votes.judges[place], _LONGEST)}: {grouped(count)}"
    return [mesh, {**shown, "mode": "markers" if few else "lines", "name": told, "showlegend": True}]


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


def _truth(votes: VoteCounts, place: int, evaluation: CountEvaluation) -> Trace:
    point = (evaluation.key_counts[votes.labels[0]], *evaluation.correct[place].values())
    trace = _judge(votes, place, [point], 7, _TRUE, mode="markers+text")
    trace["marker"]["line"] = {"color": INK, "width": 2}
    trace["text"] = [f"{text_of(votes.judges[place], _LONGEST // 2)}, true"]
    trace["textposition"] = ("middle right", "middle left")[place % 2]
    return trace
