"""Evaluations in pictures: how many are possible and consistent, and the lines of consistent ones at key counts."""

from __future__ import annotations

from typing import Any

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.show import grouped
from ntqr_exact.varieties.closed_forms import single_interval
from ntqr_exact.varieties.compositions import KeyCounts, all_key_counts, check_key_counts
from ntqr_exact.varieties.membership import Projection, individual_from_right
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.views.plots import canvas as ground
from ntqr_exact.views.plots.canvas import Axes, SpaceAxes, canvas, legend_below, mark, note, plain
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled, tell
from ntqr_exact.votes.counts import VoteCounts

_MOST_POINTS = 20_000
_Corner = tuple[int, int, int]
_ACROSS = 2


def wedge_points(possible: PossibleSet) -> list[tuple[int, int, int]]:
    """Return (Q_a, R^a, R^b) of every possible evaluation of one judge.

    >>> wedge_points(PossibleSet(questions=1))
    [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0)]
    """
    a, b = possible.labels
    return [
        (key[a], right_a, right_b)
        for key in all_key_counts(possible.labels, possible.questions)
        for right_a in range(key[a] + 1)
        for right_b in range(key[b] + 1)
    ]


@styled
def plot_evaluation_counts(votes: VoteCounts, *, axes: Axes | None = None) -> Axes:
    """Draw the number of evaluations of each judge at each Q_a: possible, then consistent with its answers.

    Possible are (Q_a + 1)(Q_b + 1), consistent min(Q_a, R_a) − max(0, Q_a − R_b) + 1. The counts stand on a
    logarithmic axis, as they differ by hundreds; a window shows the tops of the judges, where they differ from
    each other, and the legend gives the totals. Source: figure 2.

    >>> from matplotlib.figure import Figure
    >>> axes = plot_evaluation_counts(VoteCounts({"a": 1, "b": 2}), axes=Figure().subplots())
    >>> [line.get_label() for line in axes.get_lines()]
    ['possible: 20', 'judge J1: 6, at most 2 at once']

    Raises `BadVotes` for other than two labels.
    """
    if len(votes.labels) != 2:
        raise BadVotes(votes.labels, "counts are drawn over the questions of one of two labels")
    axes = canvas(axes)
    a, b = votes.labels
    keys = range(votes.size + 1)
    possible = PossibleSet(questions=votes.size, labels=votes.labels)
    before = list(possible.counts_by_key().values())
    axes.plot(keys, before, color=hue("ink"), linewidth=2, label=f"possible: {grouped(possible.count())}")
    after = []
    for place, judge in enumerate(votes.judges):
        own = Projection(votes.marginal(place))
        after.append([own.count_at({a: key, b: votes.size - key}) for key in keys])
        look = {"color": member(place).colour, "linestyle": member(place).line, "linewidth": 2}
        caption = f"judge {plain(judge)}: {grouped(own.count())}, at most {grouped(max(after[-1]))} at once"
        axes.plot(keys, after[-1], label=caption, **look)
    _draw_tops(axes, after)
    axes.set_yscale("log")
    axes.set(xlim=(0, votes.size), xlabel=f"questions whose true label is {plain(a)}")
    ground.whole_ticks(axes.xaxis)
    axes.set_ylabel("evaluations (logarithmic)")
    axes.set_title(f"Evaluations of a judge before and after its {grouped(votes.size)} answers")
    legend_below(axes, title="in all", ncols=2)
    axes.grid(visible=True)
    return axes


def _draw_tops(axes: Axes, counts: list[list[int]]) -> None:
    """Draw a window on the tops of several judges, from where the lowest top begins to where it ends."""
    tops = [max(column) for column in counts]
    wide = [key for column, top in zip(counts, tops, strict=True) for key, n in enumerate(column) if n == top]
    first, last = min(wide), max(wide)
    reach = max(3, (last - first) // 2)
    low, high = max(0, first - reach), min(len(counts[0]) - 1, last + reach)
    if min(tops) == max(tops) or high - low > len(counts[0]) // 2:
        return
    window = axes.inset_axes((0.36, 0.6, 0.34, 0.28))
    for place, column in enumerate(counts):
        look = {"color": member(place).colour, "linestyle": member(place).line, "linewidth": 1.8}
        window.plot(range(low, high + 1), column[low : high + 1], **look)
    window.set_xlim(low, high)
    window.set_title("tops of the judges", fontsize=NOTE_SIZE, pad=3)
    window.tick_params(labelsize=NOTE_SIZE)
    window.grid(visible=True)


def plane_corners(votes: VoteCounts) -> list[_Corner]:
    """Return the corners of the consistent evaluations (Q_a, R^a, R^b) of one judge, in order round the plane.

    They are (0, 0, R_b), (R_b, 0, 0), (Q, R_a, 0) and (R_a, R_a, R_b): nothing is a, all b answers are wrong,
    everything is a, all answers are right.

    >>> plane_corners(VoteCounts({"a": 2, "b": 1}))
    [(0, 0, 1), (1, 0, 0), (3, 2, 0), (2, 2, 1)]
    """
    answered_a, answered_b = _answers(votes)
    lows = [(key, single_interval(key, answered_a, answered_b)[0]) for key in (0, answered_b, votes.size)]
    top = (answered_a, single_interval(answered_a, answered_a, answered_b)[1])
    return [_point(votes, key, right) for key, right in (*lows, top)]


@styled
def plot_consistent_lines(
    votes: VoteCounts,
    key_counts: KeyCounts,
    *,
    evaluation: CountEvaluation | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the planes cut at key counts: for each judge the consistent (R^a, R^b), which lie on a line.

    `evaluation`, if the key is known, is marked on every line by a large marker with the judge's name.

    >>> from matplotlib.figure import Figure
    >>> cut = plot_consistent_lines(VoteCounts({"a": 2, "b": 1}), {"a": 2, "b": 1}, axes=Figure().subplots())
    >>> [list(map(int, line.get_xdata())) for line in cut.get_lines()]
    [[1, 2]]

    Raises `BadVotes` for other than two labels, `BadKeyCounts` for key counts of another test.
    """
    check_two_labels(votes)
    a, b = votes.labels
    key, other = check_key_counts(key_counts, votes.labels, votes.size)
    axes = canvas(axes, height=4.6)
    for place, judge in enumerate(votes.judges):
        own = votes.marginal(place)
        ends = line_ends(own, key)
        count = Projection(own).count_at(key_counts)
        (line,) = axes.plot([end[1] for end in ends], [end[2] for end in ends], clip_on=False, **_look(place))
        line.set_label(f"{plain(judge)}: {count}")
        tell(line, f"{judge}: {count}, from {ends[0][1:]} to {ends[1][1:]}")
        if evaluation is not None:
            at = evaluation.correct[place][a], evaluation.correct[place][b]
            star = _mark_true(axes, at, place, clip_on=False, zorder=5)
            tell(star, f"the true one of {judge}: {at}")
            note(axes, f"{plain(judge)}, true", at, (9, -3), va="top")
    axes.set(xlim=(0, key), ylim=(0, other))
    ground.whole_ticks(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"right on the {grouped(key)} questions of {plain(a)}")
    axes.set_ylabel(f"right on the {grouped(other)} of {plain(b)}")
    axes.set_title(f"Consistent evaluations with {grouped(key)} questions of {plain(a)}")
    legend_below(axes, title="judge: how many", ncols=3)
    axes.grid(visible=True)
    return axes


def line_ends(own: VoteCounts, key: int) -> list[_Corner]:
    """Return both ends (Q_a, R^a, R^b) of the line of one judge's consistent evaluations at Q_a.

    >>> line_ends(VoteCounts({"a": 2, "b": 1}), 2)
    [(2, 1, 0), (2, 2, 1)]
    """
    return [_point(own, key, right) for right in single_interval(key, *_answers(own))]


def check_two_labels(votes: VoteCounts) -> None:
    """Raise `BadVotes` for other than two labels."""
    if len(votes.labels) != 2:
        raise BadVotes(votes.labels, "planes are drawn for two labels")


def _look(place: int) -> dict[str, Any]:
    look = member(place)
    return {"color": look.colour, "linestyle": look.line, "marker": look.marker}


def _mark_true(axes: SpaceAxes, at: Any, place: int, **options: Any) -> Any:
    """Draw a true evaluation: the marker of its judge, large, with an edge."""
    look = member(place)
    return mark(axes, at, look.marker, color=look.colour, markeredgecolor=hue("ink"), **options)


def _answers(votes: VoteCounts) -> tuple[int, int]:
    first, second = votes.responses(0).values()
    return first, second


def _point(votes: VoteCounts, key: int, right: int) -> _Corner:
    evaluation = individual_from_right(votes, key, (right,))
    a, b = votes.labels
    return key, evaluation.correct[0][a], evaluation.correct[0][b]
