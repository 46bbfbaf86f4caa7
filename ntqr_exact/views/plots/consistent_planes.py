"""The planes of consistent evaluations of several judges in one space (figures 3 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.key_counts import KeyCounts, check_key_counts
from ntqr_exact.varieties.pair_bounds import single_interval
from ntqr_exact.varieties.projection import Projection, individual_from_right
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import (
    BLACK,
    LINES,
    MARKERS,
    NOTE_SIZE,
    SERIES,
    SpaceAxes,
    canvas,
    count_axes,
    flat_face,
    legend_below,
    plain,
    space,
)
from ntqr_exact.votes.counts import VoteCounts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Corner = tuple[int, int, int]


def plane_corners(votes: VoteCounts) -> list[Corner]:
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


def plot_consistent_planes(
    votes: VoteCounts, *, evaluation: CountEvaluation | None = None, axes: SpaceAxes | None = None
) -> SpaceAxes:
    """Draw, for each judge, the plane R^a − R^b = Q_a − R_b on which its consistent evaluations lie.

    `evaluation`, if the key is known, is marked on every plane. Source: figures 3 and 4, and eq. 16, whose
    second line prints R_a − R_b on the right.

    >>> from matplotlib.figure import Figure
    >>> axes = plot_consistent_planes(VoteCounts({"a": 2, "b": 1}), axes=Figure().add_subplot(projection="3d"))
    >>> axes.get_title()
    'Consistent evaluations of each judge, Q = 3'

    Raises `BadVotes` for other than two labels.
    """
    _check_two_labels(votes)
    axes = space(axes)
    a, b = votes.labels
    for place, judge in enumerate(votes.judges):
        own = votes.marginal(place)
        corners = [tuple(all_drawn(corner)) for corner in plane_corners(own)]
        colour, marker = SERIES[place % len(SERIES)], MARKERS[place % len(MARKERS)]
        style = LINES[place % len(LINES)]
        axes.add_collection3d(flat_face(corners, facecolor=colour, alpha=0.22))
        axes.plot(
            *zip(*corners, corners[0], strict=True),
            color=colour,
            linestyle=style,
            linewidth=1.8,
            marker=marker,
            markersize=5,
            label=f"{plain(judge)}: {grouped(Projection(own).count())}",
        )
        if evaluation is not None:
            right = evaluation.correct[place]
            axes.scatter(
                [drawn(evaluation.key_counts[a])],
                [drawn(right[a])],
                [drawn(right[b])],
                s=70,
                marker="*",
                color=BLACK,
                depthshade=False,
                label="the true ones" if place == len(votes.judges) - 1 else None,
            )
    for direction in "xyz":
        getattr(axes, f"set_{direction}lim")(0, drawn(votes.size))
    axes.set_xlabel(f"$Q_a$, questions of {plain(a)}")
    axes.set_ylabel(rf"$R^a_{{a_i}}$, right on {plain(a)}")
    axes.set_zlabel(rf"$R^b_{{b_i}}$, right on {plain(b)}")
    count_axes(axes)
    axes.set_title(f"Consistent evaluations of each judge, Q = {grouped(votes.size)}")
    axes.legend(
        fontsize=NOTE_SIZE,
        title="judge: how many",
        title_fontsize=NOTE_SIZE,
        loc="upper left",
        bbox_to_anchor=(-0.17, 1),
    )
    return axes


def plot_consistent_lines(
    votes: VoteCounts,
    key_counts: KeyCounts,
    *,
    evaluation: CountEvaluation | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the planes cut at key counts: for each judge the consistent (R^a, R^b), which lie on a line.

    >>> from matplotlib.figure import Figure
    >>> cut = plot_consistent_lines(VoteCounts({"a": 2, "b": 1}), {"a": 2, "b": 1}, axes=Figure().subplots())
    >>> [list(map(int, line.get_xdata())) for line in cut.get_lines()]
    [[1, 2]]

    Raises `BadVotes` for other than two labels, `BadKeyCounts` for key counts of another test.
    """
    _check_two_labels(votes)
    a, b = votes.labels
    key, other = check_key_counts(key_counts, votes.labels, votes.size)
    axes = canvas(axes, height=4.6)
    for place, judge in enumerate(votes.judges):
        own = votes.marginal(place)
        ends = [_point(own, key, right) for right in single_interval(key, *_answers(own))]
        text = f"{plain(judge)}: {Projection(own).count_at(key_counts)}, from {ends[0][1:]} to {ends[1][1:]}"
        if evaluation is not None:
            right = evaluation.correct[place]
            axes.plot([right[a]], [right[b]], "*", color=BLACK, markersize=11, clip_on=False, zorder=5)
            text += f"; the true one ({right[a]}, {right[b]})"
        axes.plot(
            [end[1] for end in ends],
            [end[2] for end in ends],
            color=SERIES[place % len(SERIES)],
            linestyle=LINES[place % len(LINES)],
            marker=MARKERS[place % len(MARKERS)],
            linewidth=1.8,
            clip_on=False,
            label=text,
        )
    axes.set_xlim(0, key)
    axes.set_ylim(0, other)
    axes.set_xlabel(rf"$R^a_{{a_i}}$, right on the {grouped(key)} of {plain(a)}")
    axes.set_ylabel(rf"$R^b_{{b_i}}$, right on the {grouped(other)} of {plain(b)}")
    axes.set_title(f"The consistent evaluations at $Q_a$ = {grouped(key)}")
    legend_below(axes, title="judge: how many", title_fontsize=NOTE_SIZE)
    axes.grid(visible=True, alpha=0.3)
    return axes


def _check_two_labels(votes: VoteCounts) -> None:
    if len(votes.labels) != 2:
        raise BadVotes(votes.labels, "planes are drawn for two labels")


def _answers(votes: VoteCounts) -> tuple[int, int]:
    first, second = votes.responses(0).values()
    return first, second


def _point(votes: VoteCounts, key: int, right: int) -> Corner:
    evaluation = individual_from_right(votes, key, (right,))
    a, b = votes.labels
    return key, evaluation.correct[0][a], evaluation.correct[0][b]
