"""Dependent errors in pictures: correlations of two judges that go with grades, and ranges that open with a budget."""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.dependence.bounds import EvaluationWithin
from ntqr_exact.dependence.measure import dependence_of
from ntqr_exact.dependence.products import KeyQuantity
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation, rational_rate
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.varieties.correlations import PairPoint, pair_correlations
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import Axes, Figure, canvas, legend_below, note, panels, plain
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled, tell
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_MOST_MARKERS = 60


@styled
def plot_pair_correlations(
    votes: VoteCounts, evaluation: CountEvaluation, first: Judge, second: Judge, *, axes: Axes | None = None
) -> Axes:
    """Draw all (Γ^a, Γ^b) of two judges that are consistent with the votes and everyone's own grades.

    They are whole points on the line on which P_aΓ^a + P_bΓ^b is what votes and grades make it: an interval,
    not one point. Source: Corrada-Emmanuel 2023, section 4, eqs. 24 to 26.

    >>> from matplotlib.figure import Figure
    >>> votes = VoteCounts({"aa": 1, "ab": 1, "ba": 1, "bb": 1})
    >>> grades = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 1, "b": 1}, {"a": 1, "b": 1}])
    >>> plot_pair_correlations(votes, grades, 0, 1, axes=Figure().subplots()).get_title()
    'Judges J1 and J2: 2 consistent pairs of correlations'

    Raises `BadVotes` for grades that the votes do not allow or with a label without questions, `NotSupported` for
    other than two labels and two or three judges.
    """
    points = pair_correlations(votes, evaluation, first, second)
    if not points:
        raise BadVotes(evaluation, "these grades are not consistent with the votes, so no correlations are")
    a, b = votes.labels
    if not all(evaluation.key_counts.values()):
        raise BadVotes(evaluation, "a label without questions has no correlations to draw")
    axes = canvas(axes)
    across, up = zip(*(map(rational_rate, point.correlations) for point in points), strict=True)
    axes.axhline(0, color=hue("soft"), linewidth=0.8)
    axes.axvline(0, color=hue("soft"), linewidth=0.8)
    (cross,) = axes.plot([0], [0], "+", color=hue("vermilion"), markersize=12, markeredgewidth=2)
    cross.set_label("independent: (0, 0)")
    marker, size = ("o", 4) if len(points) <= _MOST_MARKERS else (".", 6)
    (dots,) = axes.plot(all_drawn(across), all_drawn(up), marker, color=hue("blue"), markersize=size)
    dots.set_label(f"consistent: {len(points)}")
    # The line falls from left to right: above its left end and below its right end nothing else is drawn.
    ends = [(points[0], 1, "left", "bottom"), (points[-1], -1, "right", "top")]
    for point, way, side, edge in ends[: min(len(points), 2)]:
        x, y = (drawn(rational_rate(value)) for value in point.correlations)
        note(axes, _end_text(point, a), (x, y), (6 * way, 6 * way), ha=side, va=edge)
    count = evaluation.key_counts
    fixed = (mpq(count[a]) * across[0] + mpq(count[b]) * up[0]) / evaluation.size
    axes.margins(x=0.08, y=0.24)
    axes.set(xlabel=f"error correlation on {plain(a)}", ylabel=f"error correlation on {plain(b)}")
    names = [plain(votes.judges[votes.place(judge)]) for judge in (first, second)]
    axes.set_title(f"Judges {names[0]} and {names[1]}: {len(points)} consistent pairs of correlations")
    legend_below(axes, title=f"share-weighted sum of both: {short_decimal(fixed)} at every point", ncols=2)
    return axes


def _end_text(point: PairPoint, label: str) -> str:
    gammas = ", ".join(short_decimal(rational_rate(value)) for value in point.correlations)
    return f"both right on {plain(label)}: {point.both_right[0]}\n({gammas})"


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
        low, high = map(all_drawn, zip(*(proven_ends(goal, found) for found in known), strict=True))
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
    caption = "\n".join(["budget: no error covariance exceeds this", "; ".join(marks)]).strip()
    figure.supxlabel(caption, fontsize=NOTE_SIZE)
    return drawings


def known_ranges(ranges: Sequence[EvaluationWithin]) -> list[EvaluationWithin]:
    """Return the ranges of the budgets that some key may meet, by budget; raises `BadVotes` if there is none."""
    known = [
        result
        for result in sorted(ranges, key=lambda result: result.correlation)
        if result.existence is not Answer.NO
    ]
    if not known:
        raise BadVotes(ranges, "no key is within any of these budgets: there is no range to draw")
    return known


def funnel_goals(votes: VoteCounts) -> list[KeyQuantity]:
    """Return what a funnel shows: the share of the first label, and each judge's right answers in all."""
    return [KeyQuantity(votes.labels[0]), *(KeyQuantity(None, judge) for judge in votes.judges)]


def proven_ends(goal: KeyQuantity, found: EvaluationWithin) -> tuple[mpq, mpq]:
    """Return between which proven ends a share lies within a budget."""
    return found.ranges[goal]


def goal_words(goal: KeyQuantity) -> str:
    """Return what a panel shows, in words.

    >>> goal_words(KeyQuantity(None, "A"))
    'A right in all'
    """
    return f"share of {goal.label}" if goal.judge is None else f"{goal.judge} right in all"
