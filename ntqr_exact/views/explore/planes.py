"""The consistent evaluations of each judge in space: planes to turn, their points, and the lines at a number slid."""

from __future__ import annotations

from typing import Any

from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.views.explore.ground import INK, Trace, axis, look, made, text_of, titled
from ntqr_exact.views.plots.evaluations import check_two_labels, line_ends, plane_corners
from ntqr_exact.votes.counts import VoteCounts

_MOST_POINTS = 1500
_STEPS = 20
_LONGEST = 36
"""Letters of a name in the legend."""


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
    keys = sorted({size * step // _STEPS for step in range(_STEPS + 1)})
    start = evaluation.key_counts[votes.labels[0]] if evaluation is not None else size // 2
    cut = len(planes)
    frames = [
        {
            "name": grouped(key),
            "data": [_cut(votes, place, key) for place in range(len(votes.judges))],
            "traces": [cut + place for place in range(len(votes.judges))],
        }
        for key in sorted({*keys, start})
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
    shown = [_cut(votes, place, start) for place in range(len(votes.judges))]
    figure = made([*planes, *shown], layout, frames, slid=names[0])
    figure.layout.sliders[0].active = sorted({*keys, start}).index(start)
    return figure


def _plane(votes: VoteCounts, place: int) -> list[Trace]:
    own, (colour, symbol, dash) = votes.marginal(place), look(place)
    x, y, z = zip(*(corners := plane_corners(own)), strict=True)
    name, count = text_of(votes.judges[place]), Projection(own).count()
    edge = [*corners, corners[0]]
    traces: list[Trace] = [
        {
            "type": "mesh3d",
            "x": x,
            "y": y,
            "z": z,
            "i": [0, 0],
            "j": [1, 2],
            "k": [2, 3],
            "color": colour,
            "opacity": 0.25,
            "name": f"{name}, plane",
            "showlegend": False,
            "legendgroup": name,
            "hoverinfo": "skip",
        },
    ]
    few = count <= _MOST_POINTS
    points = list(Projection(own).points()) if few else edge
    traces.append(
        {
            "type": "scatter3d",
            **dict(
                zip("xyz", zip(*((int(q), int(r), int(s)) for q, r, s in points), strict=True), strict=True)
            ),
            "mode": "markers" if few else "lines",
            "marker": {"size": 3, "symbol": symbol, "color": colour},
            "line": {"color": colour, "width": 4, "dash": dash},
            "name": f"{text_of(votes.judges[place], _LONGEST)}: {grouped(count)}",
            "legendgroup": name,
            "showlegend": True,
            "hovertemplate": _hover(votes, name),
        }
    )
    return traces


def _cut(votes: VoteCounts, place: int, key: int) -> Trace:
    colour, symbol, _ = look(place)
    name = text_of(votes.judges[place])
    return {
        "type": "scatter3d",
        **dict(zip("xyz", zip(*line_ends(votes.marginal(place), key), strict=True), strict=True)),
        "mode": "lines+markers",
        "marker": {"size": 5, "symbol": symbol, "color": colour},
        "line": {"color": colour, "width": 8},
        "name": f"{name}, cut",
        "legendgroup": name,
        "showlegend": False,
        "hovertemplate": _hover(votes, name),
    }


def _truth(votes: VoteCounts, place: int, evaluation: CountEvaluation) -> Trace:
    colour, symbol, _ = look(place)
    name = text_of(votes.judges[place])
    point = (evaluation.key_counts[votes.labels[0]], *evaluation.correct[place].values())
    return {
        "type": "scatter3d",
        **dict(zip("xyz", ([number] for number in point), strict=True)),
        "mode": "markers+text",
        "text": [f"{text_of(votes.judges[place], _LONGEST // 2)}, true"],
        "textposition": ("middle right", "middle left")[place % 2],
        "marker": {"size": 7, "symbol": symbol, "color": colour, "line": {"color": INK, "width": 2}},
        "name": f"{name}, true",
        "legendgroup": name,
        "showlegend": False,
        "hovertemplate": _hover(votes, f"{name}, true"),
    }


def _hover(votes: VoteCounts, name: str) -> str:
    a, b = map(text_of, votes.labels)
    return f"{name}<br>%{{x}} questions of {a}<br>%{{y}} right on {a}<br>%{{z}} right on {b}<extra></extra>"
