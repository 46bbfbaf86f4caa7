"""The prevalence quadratic as the votes change: a slider moves questions from one pattern to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.evaluation import defined
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import short_decimal, with_decimal
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.explore.ground import Trace, axis, look, made, text_of, titled
from ntqr_exact.views.plots.prevalence_quadratic import quadratic_of, verdict
from ntqr_exact.votes.counts import VoteCounts

_GRID = 60
_MOST_STEPS = 24


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
    source, target = (
        map(tuple, moved)
        if moved is not None
        else (
            max(counts, key=lambda pattern: counts[pattern]),
            min(counts, key=lambda pattern: counts[pattern]),
        )
    )
    steps = min(counts[source], _MOST_STEPS)
    solved = [
        solve_independent(
            VoteCounts(
                {**counts, source: counts[source] - step, target: counts[target] + step},
                votes.labels,
                votes.judges,
            )
        )
        for step in range(steps + 1)
    ]
    traces = [_traces(one) for one in solved]
    heights = [height for curve, _ in traces for height in curve["y"]]
    upright = [_mark(name, rational(value), place) for place, (name, value) in enumerate(marks.items())]
    frames = [
        {
            "name": str(step),
            "data": pair,
            "traces": [0, 1],
            "layout": {"title": titled(_title(one))},
        }
        for step, (pair, one) in enumerate(zip(traces, solved, strict=True))
    ]
    spread = (max(heights) - min(heights)) / 12 or 1
    low, high = min(heights) - spread, max(heights) + spread
    for line in upright:
        line["y"] = [low, high]
    a = text_of(votes.labels[0])
    layout = {
        "title": titled(_title(solved[0])),
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
    roots = [defined(one.prevalence[solution.votes.labels[0]]) for one in solution.solutions]
    real = [root for root in roots if not isinstance(root, Surd) or root.is_real]
    exact = f"A = {quadratic.leading}<br>Π = {quadratic.constant}<extra></extra>"
    return [
        {
            "type": "scatter",
            "x": all_drawn(grid),
            "y": all_drawn(map(quadratic, grid)),
            "mode": "lines",
            "line": {"color": look(0)[0], "width": 3},
            "name": "A·P² − A·P + Π",
            "hovertemplate": exact,
        },
        {
            "type": "scatter",
            "x": all_drawn(real),
            "y": [0] * len(real),
            "mode": "markers",
            "marker": {"size": 13, "color": look(1)[0]},
            "name": "roots",
            "customdata": [with_decimal(root) for root in real],
            "hovertemplate": "root: %{customdata}<extra></extra>",
        },
    ]


def _mark(name: str, value: mpq, place: int) -> Trace:
    colour, _, dash = look(place + 2)
    return {
        "type": "scatter",
        "x": [drawn(value)] * 2,
        "mode": "lines",
        "line": {"color": colour, "dash": dash},
        "name": f"{text_of(name)}: {short_decimal(value)}",
        "hovertemplate": f"{text_of(name)}: {with_decimal(value)}<extra></extra>",
    }


def _title(solution: IndependentSolution) -> str:
    roots = [defined(one.prevalence[solution.votes.labels[0]]) for one in solution.solutions]
    return verdict(quadratic_of(solution), roots)
