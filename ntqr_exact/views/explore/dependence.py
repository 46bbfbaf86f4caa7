"""The prevalence and the judges against dependence: what every key within a budget says, to hover over and to slide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.objectives import Objective
from ntqr_exact.dependence.ranges import EvaluationWithin
from ntqr_exact.exact.value_text import short_decimal, value_text
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.explore.ground import INK, Trace, axis, look, made, text_of, titled
from ntqr_exact.views.plots.dependence import funnel_goals, goal_words, known_ranges
from ntqr_exact.votes.labeled import LabeledVoteCounts


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
        traces.append(_upright(drawn(proven), f"proven: no key has less than {value_text(proven)}"))
    if key is not None:
        at = dependence_of(key, known[0].orders).largest
        reach = max(reach, drawn(at))
        traces += [
            _true(goal, place, key, drawn(at))
            for place, goal in enumerate(goals)
            if goal.value(key) is not None
        ]
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


def _ends(goal: Objective, found: EvaluationWithin) -> tuple[mpq, mpq]:
    return found.end(goal, upper=False).proven, found.end(goal, upper=True).proven


def _band(goal: Objective, place: int, known: list[EvaluationWithin], budgets: list[Any]) -> Trace:
    colour, symbol, dash = look(place)
    pairs = [_ends(goal, found) for found in known]
    lower, upper = (all_drawn(column) for column in zip(*pairs, strict=True))
    words = [f"{value_text(low)} to {value_text(high)}" for low, high in pairs]
    return {
        "type": "scatter",
        "x": [*budgets, *reversed(budgets)],
        "y": [*lower, *reversed(upper)],
        "mode": "lines+markers",
        "fill": "toself",
        "fillcolor": f"rgba({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))}, 0.12)",
        "line": {"color": colour, "dash": dash},
        "marker": {"symbol": symbol, "size": 7},
        "name": text_of(goal_words(goal)),
        "customdata": [*words, *reversed(words)],
        "hoveron": "points",
        "hovertemplate": f"{text_of(goal_words(goal))}<br>budget %{{x}}<br>%{{customdata}}<extra></extra>",
    }


def _at(goals: list[Objective], found: EvaluationWithin) -> Trace:
    pairs = [_ends(goal, found) for goal in goals]
    return {
        "type": "scatter",
        "x": [drawn(found.correlation)] * (2 * len(goals)),
        "y": [drawn(end) for pair in pairs for end in pair],
        "mode": "markers",
        "marker": {"symbol": "line-ew-open", "size": 18, "color": INK, "line": {"width": 3}},
        "name": "at the budget",
        "customdata": [
            f"{text_of(goal_words(goal))}: {value_text(end)}"
            for goal, pair in zip(goals, pairs, strict=True)
            for end in pair
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _upright(at: Any, words: str) -> Trace:
    return {
        "type": "scatter",
        "x": [at, at],
        "y": [0, 1],
        "mode": "lines",
        "line": {"color": INK, "dash": "dash"},
        "name": "proven",
        "hovertemplate": f"{words}<extra></extra>",
    }


def _true(goal: Objective, place: int, key: LabeledVoteCounts, at: Any) -> Trace:
    value = goal.value(key)
    return {
        "type": "scatter",
        "x": [at],
        "y": [] if value is None else [drawn(value)],
        "mode": "markers",
        "marker": {"symbol": "star", "size": 13, "color": look(place)[0], "line": {"color": INK, "width": 1}},
        "name": f"{text_of(goal_words(goal))}, true",
        "showlegend": False,
        "hovertemplate": f"{text_of(goal_words(goal))}<br>by the key: {value_text(value)}<extra></extra>",
    }
