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
from ntqr_exact.views.explore.ground import INK, Trace, axis, look, made, scatter, text_of, titled
from ntqr_exact.views.plots.dependence import funnel_goals, goal_words, known_ranges, proven_ends
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
