"""The planes of consistent evaluations of several judges in one space (figures 3 and 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.key_counts import KeyCounts, check_key_counts
from ntqr_exact.varieties.pair_bounds import single_interval
from ntqr_exact.varieties.projection import Projection, individual_from_right
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import (
    SpaceAxes,
    canvas,
    count_axes,
    flat_face,
    legend_below,
    panels,
    plain,
    space,
    whole_ticks,
)
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled, tell
from ntqr_exact.votes.counts import VoteCounts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_Corner = tuple[int, int, int]
_ACROSS = 2


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
def plot_consistent_planes(
    votes: VoteCounts, *, evaluation: CountEvaluation | None = None, axes: SpaceAxes | None = None
) -> SpaceAxes:
    """Draw, for each judge, the plane R^a − R^b = Q_a − R_b on which its consistent evaluations lie.

    `evaluation`, if the key is known, is marked on every plane by a large marker with the judge's name. Source:
    figures 3 and 4, and eq. 16, whose second line prints R_a − R_b on the right.

    >>> from matplotlib.figure import Figure
    >>> axes = plot_consistent_planes(VoteCounts({"a": 2, "b": 1}), axes=Figure().add_subplot(projection="3d"))
    >>> axes.get_title()
    'Consistent evaluations of each judge, 3 questions'

    Raises `BadVotes` for other than two labels.
    """
    check_two_labels(votes)
    axes = space(axes)
    for place in range(len(votes.judges)):
        _draw_plane(axes, votes, place, evaluation)
    _count_space(axes, votes)
    axes.set_title(f"Consistent evaluations of each judge, {grouped(votes.size)} questions")
    legend_below(axes, title="judge: how many", ncols=3, borderaxespad=1.5)
    return axes


@styled
def plot_judge_planes(
    votes: VoteCounts, *, evaluation: CountEvaluation | None = None, figure: Figure | None = None
) -> list[SpaceAxes]:
    """Draw the plane of each judge in a small space of its own: many planes in one space cover each other.

    >>> from matplotlib.figure import Figure
    >>> [axes.get_title() for axes in plot_judge_planes(VoteCounts({"ab": 2, "bb": 1}), figure=Figure())]
    ['J1: 6', 'J2: 4']

    Raises `BadVotes` for other than two labels.
    """
    check_two_labels(votes)
    spaces = panels(figure, len(votes.judges), across=_ACROSS, height=2.9, subplot_kw={"projection": "3d"})
    for place, axes in enumerate(spaces):
        label = _draw_plane(axes, votes, place, evaluation)
        _count_space(axes, votes, ticks=2)
        axes.tick_params(pad=-1)
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            axis.labelpad = -6
            axis.label.set_fontsize(NOTE_SIZE)
        axes.set_title(label, fontsize=9.5)
    # Labels in space reach beyond what the layout takes for the axes.
    spaces[0].figure.get_layout_engine().set(h_pad=0.2)
    return spaces


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
        own, look = votes.marginal(place), member(place)
        ends = line_ends(own, key)
        (line,) = axes.plot(
            [end[1] for end in ends],
            [end[2] for end in ends],
            color=look.colour,
            linestyle=look.line,
            marker=look.marker,
            clip_on=False,
            label=f"{plain(judge)}: {Projection(own).count_at(key_counts)}",
        )
        tell(line, f"{judge}: {Projection(own).count_at(key_counts)}, from {ends[0][1:]} to {ends[1][1:]}")
        if evaluation is not None:
            right = evaluation.correct[place]
            (star,) = axes.plot([right[a]], [right[b]], clip_on=False, zorder=5, **_true(place))
            tell(star, f"the true one of {judge}: ({right[a]}, {right[b]})")
            axes.annotate(
                f"{plain(judge)}, true",
                (right[a], right[b]),
                xytext=(9, -3),
                textcoords="offset points",
                va="top",
                fontsize=NOTE_SIZE,
            )
    axes.set_xlim(0, key)
    axes.set_ylim(0, other)
    whole_ticks(axes.xaxis, axes.yaxis)
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


def _draw_plane(axes: SpaceAxes, votes: VoteCounts, place: int, evaluation: CountEvaluation | None) -> str:
    own, look = votes.marginal(place), member(place)
    corners = [tuple(all_drawn(corner)) for corner in plane_corners(own)]
    label = f"{plain(votes.judges[place])}: {grouped(Projection(own).count())}"
    axes.add_collection3d(flat_face(corners, facecolor=look.colour, alpha=0.15))
    axes.plot(
        *zip(*corners, corners[0], strict=True),
        color=look.colour,
        linestyle=look.line,
        linewidth=1.6,
        marker=look.marker,
        markersize=4,
        label=label,
    )
    if evaluation is not None:
        point = all_drawn([evaluation.key_counts[votes.labels[0]], *evaluation.correct[place].values()])
        axes.plot(*([number] for number in point), zorder=9, **_true(place))
        # True evaluations may lie close together: their names stand on the right and left in turn.
        side = ("left", "right")[place % 2]
        name = f"\N{EM SPACE}{plain(votes.judges[place])}, true\N{EM SPACE}"  # a picture of text drops other blanks
        axes.text(*point, name, ha=side, va="center", fontsize=NOTE_SIZE, zorder=10)
    return label


def _true(place: int) -> dict[str, Any]:
    """Return the look of a true evaluation: the marker of its judge, large, with an edge."""
    look = member(place)
    return {
        "color": look.colour,
        "marker": look.marker,
        "markersize": 9,
        "markeredgecolor": hue("ink"),
        "linestyle": " ",
    }


def _count_space(axes: SpaceAxes, votes: VoteCounts, *, ticks: int = 5) -> None:
    a, b = (plain(label, 28 if ticks > _ACROSS else 8) for label in votes.labels)
    for direction, name in zip("xyz", (f"questions of {a}", f"right on {a}", f"right on {b}"), strict=True):
        getattr(axes, f"set_{direction}lim")(0, drawn(votes.size))
        getattr(axes, f"set_{direction}label")(name)
    count_axes(axes, ticks=ticks)


def _answers(votes: VoteCounts) -> tuple[int, int]:
    first, second = votes.responses(0).values()
    return first, second


def _point(votes: VoteCounts, key: int, right: int) -> _Corner:
    evaluation = individual_from_right(votes, key, (right,))
    a, b = votes.labels
    return key, evaluation.correct[0][a], evaluation.correct[0][b]
