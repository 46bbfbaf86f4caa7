"""Pictures to turn, to hover over and to slide: planes of evaluations, the quadratic of votes, and dependence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.objectives import Objective
from ntqr_exact.dependence.ranges import EvaluationWithin
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import grouped, short_decimal, value_text, with_decimal
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.explore.ground import INK, Trace, axis, look, made, scatter, text_of, titled
from ntqr_exact.views.plots.dependence import funnel_goals, goal_words, known_ranges, proven_ends
from ntqr_exact.views.plots.evaluations import check_two_labels, line_ends, plane_corners
from ntqr_exact.views.plots.prevalence_quadratic import first_shares, quadratic_of, verdict
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_MOST_POINTS = 1500
_STEPS = 20
_LONGEST = 36
"""Letters of a name in the legend."""

_TRUE = ", true"
_GRID = 60
_MOST_STEPS = 24


# -- planes --------------------------------------------------------------------------------------------


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


def _true_point(votes: VoteCounts, place: int, evaluation: CountEvaluation) -> Trace:
    point = (evaluation.key_counts[votes.labels[0]], *evaluation.correct[place].values())
    trace = _judge(votes, place, [point], 7, _TRUE, mode="markers+text")
    trace["marker"]["line"] = {"color": INK, "width": 2}
    trace["text"] = [f"{text_of(votes.judges[place], _LONGEST // 2)}, true"]
    trace["textposition"] = ("middle right", "middle left")[place % 2]
    return trace


# -- the quadratic --------------------------------------------------------------------------------------


def explore_quadratic(
    solution: IndependentSolution,
    *,
    marks: Mapping[str, RationalLike] = FrozenMapping({}),
    moved: tuple[Sequence[str], Sequence[str]] | None = None,
) -> Any:
    """Return the quadratic of the votes with a slider that moves questions, one by one, from a pattern to another.

    `moved` names both patterns; left out, questions go from the most frequent one to the least frequent. The pointer
    tells roots and coefficients exactly. `marks` are other values of the share by name.

    Raises `NotSupported` where there is no quadratic, `MissingExtra` without plotly.
    """
    quadratic_of(solution)
    votes = solution.votes
    counts = {pattern: votes.counts.get(pattern, 0) for pattern in votes.patterns()}
    ends = (max(counts, key=counts.__getitem__), min(counts, key=counts.__getitem__))
    source, target = ends if moved is None else map(tuple, moved)
    steps = range(min(counts[source], _MOST_STEPS) + 1)
    after = [{**counts, source: counts[source] - step, target: counts[target] + step} for step in steps]
    solved = [solve_independent(VoteCounts(one, votes.labels, votes.judges)) for one in after]
    traces = [_traces(one) for one in solved]
    heights = [height for curve, _ in traces for height in curve["y"]]
    upright = [_mark(name, rational(value), place) for place, (name, value) in enumerate(marks.items())]
    frames = [
        {"name": str(step), "data": pair, "traces": [0, 1], "layout": {"title": _title(one)}}
        for step, (pair, one) in enumerate(zip(traces, solved, strict=True))
    ]
    spread = (max(heights) - min(heights)) / 12 or 1
    low, high = min(heights) - spread, max(heights) + spread
    for line in upright:
        line["y"] = [low, high]
    a = text_of(votes.labels[0])
    layout = {
        "title": _title(solved[0]),
        "xaxis": axis(f"share of the questions whose true label is {a}", (-0.1, 1.1)),
        "yaxis": axis("A·P² − A·P + Π", (low, high), exponentformat="power"),
    }
    words = [", ".join(text_of(label, 10) for label in pattern) for pattern in (source, target)]
    return made(
        [*traces[0], *upright], layout, frames, slid=f"questions moved from ({words[0]}) to ({words[1]})"
    )


def _traces(solution: IndependentSolution) -> list[Trace]:
    quadratic = quadratic_of(solution)
    grid = [mpq(step, _GRID) * mpq(12, 10) - mpq(1, 10) for step in range(_GRID + 1)]
    real = [root for root in first_shares(solution) if not isinstance(root, Surd) or root.is_real]
    exact = f"A = {quadratic.leading}<br>Π = {quadratic.constant}"
    curve = {"color": look(0)[0], "width": 3}
    told = [with_decimal(root) for root in real]
    dot = {"size": 13, "color": look(1)[0]}
    return [
        scatter("A·P² − A·P + Π", exact, all_drawn(grid), all_drawn(map(quadratic, grid)), line=curve),
        scatter(
            "roots", "root: %{customdata}", all_drawn(real), [0] * len(real), marker=dot, customdata=told
        ),
    ]


def _mark(name: str, value: mpq, place: int) -> Trace:
    colour, _, dash = look(place + 2)
    told, hover = (f"{text_of(name)}: {words}" for words in (short_decimal(value), with_decimal(value)))
    return scatter(told, hover, [drawn(value)] * 2, line={"color": colour, "dash": dash})


def _title(solution: IndependentSolution) -> dict[str, Any]:
    return titled(verdict(quadratic_of(solution), first_shares(solution)))


# -- dependence -----------------------------------------------------------------------------------------


def explore_dependence(
    ranges: Sequence[EvaluationWithin], *, proven: mpq | None = None, key: LabeledVoteCounts | None = None
) -> Any:
    """Return the proven range of the first label's share and of each judge's right answers against the budget.

    A click on a name hides it; the pointer tells the exact ends, and the slider marks them at a budget. `proven` is the
    least dependence that no key falls below; a `key` stands at its own dependence.

    Raises `BadVotes` where there is nothing to draw, `MissingExtra` without plotly.
    """
    known = known_ranges(ranges)
    goals = funnel_goals(known[0].votes)
    budgets = all_drawn([found.correlation for found in known])
    traces = [_band(goal, place, known, budgets) for place, goal in enumerate(goals)]
    reach = budgets[-1]
    if proven:
        told, at = f"proven: no key has less than {value_text(proven)}", drawn(proven)
        traces.append(scatter("proven", told, [at, at], [0, 1], line={"color": INK, "dash": "dash"}))
    if key is not None:
        at = drawn(dependence_of(key, known[0].orders).largest)
        reach = max(reach, at)
        true = [(place, goal, goal.value(key)) for place, goal in enumerate(goals)]
        traces += [_true(goal, place, value, at) for place, goal, value in true if value is not None]
    shown = len(traces)
    frames: list[dict[str, Any]] = [
        {"name": short_decimal(found.correlation), "data": [_at(goals, found)], "traces": [shown]}
        for found in known
    ]
    layout = {
        "title": titled("What every key within the budget says"),
        "xaxis": axis("budget: no error correlation exceeds this", (0, reach * 1.05)),
        "yaxis": axis("share", (0, 1)),
    }
    return made([*traces, frames[0]["data"][0]], layout, frames, slid="budget")


def _band(goal: Objective, place: int, known: list[EvaluationWithin], budgets: list[Any]) -> Trace:
    colour, symbol, dash = look(place)
    pairs = [proven_ends(goal, found) for found in known]
    lower, upper = (all_drawn(column) for column in zip(*pairs, strict=True))
    words = [f"{value_text(low)} to {value_text(high)}" for low, high in pairs]
    name = text_of(goal_words(goal))
    return scatter(
        name,
        f"{name}<br>budget %{{x}}<br>%{{customdata}}",
        [*budgets, *reversed(budgets)],
        [*lower, *reversed(upper)],
        line={"color": colour, "dash": dash},
        marker={"symbol": symbol, "size": 7},
        fill="toself",
        fillcolor=f"rgba({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))}, 0.12)",
        customdata=[*words, *reversed(words)],
        hoveron="points",
    )


def _at(goals: list[Objective], found: EvaluationWithin) -> Trace:
    ends = [(text_of(goal_words(goal)), end) for goal in goals for end in proven_ends(goal, found)]
    across, up = [drawn(found.correlation)] * len(ends), [drawn(end) for _, end in ends]
    marker = {"symbol": "line-ew-open", "size": 18, "color": INK, "line": {"width": 3}}
    told = [f"{name}: {value_text(end)}" for name, end in ends]
    return scatter("at the budget", "%{customdata}", across, up, marker=marker, customdata=told)


def _true(goal: Objective, place: int, value: mpq, at: Any) -> Trace:
    name = text_of(goal_words(goal))
    marker = {"symbol": "star", "size": 13, "color": look(place)[0], "line": {"color": INK, "width": 1}}
    hover = f"{name}<br>by the key: {value_text(value)}"
    return scatter(f"{name}, true", hover, [at], [drawn(value)], marker=marker, showlegend=False)
