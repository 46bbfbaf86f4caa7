"""Ranges of shares and right answers against the budget of dependence: a funnel that opens to the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.objectives import Objective
from ntqr_exact.dependence.ranges import EvaluationWithin, WithinBudget
from ntqr_exact.errors import BadVotes
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import BLACK, GREY, HATCHES, MARKERS, NOTE_SIZE, SERIES, canvas, plain
from ntqr_exact.votes.labeled import LabeledVoteCounts

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_dependence_funnel(
    ranges: Sequence[EvaluationWithin],
    *,
    proven: mpq | None = None,
    key: LabeledVoteCounts | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the proven range of the first label's share and of each judge's right answers at growing budgets.

    `proven` marks the least dependence that no key falls below; a `key` stands at its own dependence.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, evaluate_within
    >>> found = [evaluate_within(VoteCounts({"aaa": 2, "bbb": 2}), budget) for budget in ("0.01", "0.02")]
    >>> plot_dependence_funnel(found, axes=Figure().subplots()).get_ylabel()
    'share'

    Raises `BadVotes` where there is nothing to draw.
    """
    known = sorted(
        (found for found in ranges if found.existence is not WithinBudget.NONE),
        key=lambda found: found.correlation,
    )
    if not known:
        raise BadVotes(ranges, "no key is within any of these budgets: there is no range to draw")
    votes = known[0].votes
    axes = canvas(axes)
    budgets = all_drawn([found.correlation for found in known])
    goals = [Objective(votes.labels[0]), *(Objective(None, judge) for judge in votes.judges)]
    for place, goal in enumerate(goals):
        colour, hatch = SERIES[place % len(SERIES)], HATCHES[place % len(HATCHES)]
        low, high = (
            all_drawn([found.end(goal, upper=upper).proven for found in known]) for upper in (False, True)
        )
        name = f"share of {goal.label}" if goal.judge is None else f"{goal.judge} right in all"
        axes.fill_between(budgets, low, high, alpha=0.2, color=colour, hatch=hatch, label=plain(name))
        axes.plot(budgets, low, color=colour, linewidth=1)
        axes.plot(budgets, high, color=colour, linewidth=1)
        if key is not None and (value := goal.value(key)) is not None:
            at = dependence_of(key, known[0].orders).largest
            axes.plot(
                [drawn(at)],
                [drawn(value)],
                MARKERS[place % len(MARKERS)],
                color=colour,
                markeredgecolor=BLACK,
            )
    if proven:
        axes.axvline(drawn(proven), color=GREY, linestyle="--", label="proven: no key has less")
    axes.set_ylim(0, 1)
    axes.set_xlabel("budget: no error correlation exceeds this")
    axes.set_ylabel("share")
    axes.set_title("What every key within the budget says")
    axes.legend(fontsize=NOTE_SIZE)
    return axes
