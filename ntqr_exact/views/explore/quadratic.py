"""The prevalence quadratic as the votes change: a slider moves questions from one pattern to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import short_decimal, with_decimal
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.explore.ground import Trace, axis, look, made, scatter, text_of, titled
from ntqr_exact.views.plots.prevalence_quadratic import first_shares, quadratic_of, verdict
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
