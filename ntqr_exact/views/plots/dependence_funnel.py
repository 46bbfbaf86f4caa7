"""Ranges of shares and right answers against the budget of dependence: a funnel that opens to the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.objectives import Objective
from ntqr_exact.dependence.ranges import EvaluationWithin, WithinBudget
from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.value_text import value_text
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import panels, plain
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled, tell
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@styled
def plot_dependence_funnel(
    ranges: Sequence[EvaluationWithin],
    *,
    proven: mpq | None = None,
    key: LabeledVoteCounts | None = None,
    figure: Figure | None = None,
) -> list[Axes]:
    """Draw the proven range of the first label's share and of each judge's right answers at growing budgets.

    Each has a panel of its own. `proven` marks the least dependence that no key falls below; a `key` stands at its own
    dependence.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, evaluate_within
    >>> found = [evaluate_within(VoteCounts({"aaa": 2, "bbb": 2}), budget) for budget in ("0.01", "0.02")]
    >>> [axes.get_title() for axes in plot_dependence_funnel(found, figure=Figure())]
    ['share of a', 'J1 right in all', 'J2 right in all', 'J3 right in all']

    Raises `BadVotes` where there is nothing to draw.
    """
    known = known_ranges(ranges)
    votes = known[0].votes
    budgets = all_drawn([found.correlation for found in known])
    goals = funnel_goals(votes)
    drawings = panels(figure, len(goals), across=2, height=2.2, sharex=True, sharey=True)
    for place, (goal, axes) in enumerate(zip(goals, drawings, strict=True)):
        look = member(place)
        low, high = (
            all_drawn([found.end(goal, upper=upper).proven for found in known]) for upper in (False, True)
        )
        axes.fill_between(budgets, low, high, alpha=0.18, color=look.colour, linewidth=0)
        for end in (low, high):
            axes.plot(budgets, end, color=look.colour, linewidth=1.4, marker=look.marker, markersize=4)
        if proven:
            line = axes.axvline(drawn(proven), color=hue("soft"), linestyle="--", linewidth=1.2)
            tell(line, f"proven: no key has less than {value_text(proven)}")
        if key is not None and (value := goal.value(key)) is not None:
            at = dependence_of(key, known[0].orders).largest
            (truth,) = axes.plot([drawn(at)], [drawn(value)], "*", markersize=11, color=hue("ink"))
            tell(truth, f"the answer key: {value_text(value)}")
        axes.set_ylim(0, 1)
        axes.set_title(plain(goal_words(goal)), fontsize=9.5)
        axes.grid(visible=True)
        axes.label_outer()
    figure = drawings[0].figure
    marks = ["dashed: proven, no key has less"] * bool(proven) + ["star: the answer key"] * (key is not None)
    figure.supxlabel(
        "\n".join(["budget: no error correlation exceeds this", "; ".join(marks)]).strip(), fontsize=NOTE_SIZE
    )
    return drawings


def known_ranges(ranges: Sequence[EvaluationWithin]) -> list[EvaluationWithin]:
    """Return the ranges that there are, by budget; raises `BadVotes` where there is none."""
    known = sorted(
        (found for found in ranges if found.existence is not WithinBudget.NONE),
        key=lambda found: found.correlation,
    )
    if not known:
        raise BadVotes(ranges, "no key is within any of these budgets: there is no range to draw")
    return known


def funnel_goals(votes: VoteCounts) -> list[Objective]:
    """Return what a funnel shows: the share of the first label, and each judge's right answers in all."""
    return [Objective(votes.labels[0]), *(Objective(None, judge) for judge in votes.judges)]


def goal_words(goal: Objective) -> str:
    """Return what a panel shows, in words.

    >>> goal_words(Objective(None, "A"))
    'A right in all'
    """
    return f"share of {goal.label}" if goal.judge is None else f"{goal.judge} right in all"
