"""Evaluations in pictures: possible ones of a judge (figure 1), how many are left (2), and their planes (3 and 4)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.key_counts import KeyCounts, all_key_counts, check_key_counts
from ntqr_exact.varieties.pair_bounds import single_interval
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.projection import Projection, individual_from_right
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots import canvas as ground
from ntqr_exact.views.plots.canvas import Axes, Figure, SpaceAxes, canvas, legend_below, mark, note, plain
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled, tell
from ntqr_exact.votes.counts import VoteCounts

_MOST_POINTS = 20_000
_Corner = tuple[int, int, int]
_ACROSS = 2


@styled
def plot_possible_wedge(questions: RationalLike = 20, *, axes: SpaceAxes | None = None) -> SpaceAxes:
    """Draw every possible (Q_a, R^a_{a_i}, R^b_{b_i}) of a judge: 0 ≤ R^a ≤ Q_a, 0 ≤ R^b ≤ Q − Q_a.

    At Q_a there are (Q_a + 1)(Q_b + 1) of them. With more than 20 000 in all, only the edges are drawn. Source:
    figure 1, whose caption calls the second coordinate R^b_{a_i}.

    >>> from matplotlib.figure import Figure
    >>> axes = plot_possible_wedge(2, axes=Figure().add_subplot(projection="3d"))
    >>> axes.get_title()
    '10 possible evaluations of one judge, 2 questions'
    """
    possible = PossibleSet(questions=questions)
    size, total = possible.questions, possible.count()
    axes = ground.space(axes)
    if total <= _MOST_POINTS:
        points = list(wedge_points(possible))
        axes.scatter(*zip(*points, strict=True), s=5, color=hue("blue"), alpha=0.55, depthshade=False)
    # The edges of the tetrahedron.
    for edge in combinations([(0, 0, 0), (0, 0, size), (size, 0, 0), (size, size, 0)], 2):
        axes.plot(*zip(*edge, strict=True), color=hue("soft"), linewidth=1)
    middle = size // 2
    slice_size = possible.count_at(dict(zip(possible.labels, (middle, size - middle), strict=True)))
    outline = [(0, 0), (middle, 0), (middle, size - middle), (0, size - middle), (0, 0)]
    look = {"color": hue("vermilion"), "linewidth": 2, "linestyle": "--", "zorder": 5}
    label = f"the {slice_size} with {middle} questions of a"
    axes.plot([middle] * 5, *zip(*outline, strict=True), label=label, **look)
    axes.set(xlabel="questions of a", ylabel="right on a", zlabel="right on b")
    ground.count_axes(axes)
    axes.set_title(f"{grouped(total)} possible evaluations of one judge, {size} questions")
    legend_below(axes, borderaxespad=1.5)
    return axes


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
        told = f"judge {plain(judge)}: {grouped(own.count())}, at most {grouped(max(after[-1]))} at once"
        axes.plot(keys, after[-1], label=told, **look)
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
    axes = ground.space(axes)
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
    spaces = ground.panels(
        figure, len(votes.judges), across=_ACROSS, height=2.9, subplot_kw={"projection": "3d"}
    )
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


def _draw_plane(axes: SpaceAxes, votes: VoteCounts, place: int, evaluation: CountEvaluation | None) -> str:
    own = votes.marginal(place)
    corners = [tuple(all_drawn(corner)) for corner in plane_corners(own)]
    label = f"{plain(votes.judges[place])}: {grouped(Projection(own).count())}"
    axes.add_collection3d(ground.flat_face(corners, facecolor=member(place).colour, alpha=0.15))
    edge = zip(*corners, corners[0], strict=True)
    axes.plot(*edge, linewidth=1.6, markersize=4, label=label, **_look(place))
    if evaluation is not None:
        point = all_drawn([evaluation.key_counts[votes.labels[0]], *evaluation.correct[place].values()])
        _mark_true(axes, point, place, zorder=9)
        # True evaluations may lie close together: their names stand on the right and left in turn.
        side = ("left", "right")[place % 2]
        name = f"\N{EM SPACE}{plain(votes.judges[place])}, true\N{EM SPACE}"  # a picture of text drops other blanks
        axes.text(*point, name, ha=side, va="center", fontsize=NOTE_SIZE, zorder=10)
    return label


def _look(place: int) -> dict[str, Any]:
    look = member(place)
    return {"color": look.colour, "linestyle": look.line, "marker": look.marker}


def _mark_true(axes: SpaceAxes, at: Any, place: int, **options: Any) -> Any:
    """Draw a true evaluation: the marker of its judge, large, with an edge."""
    look = member(place)
    return mark(axes, at, look.marker, color=look.colour, markeredgecolor=hue("ink"), **options)


def _count_space(axes: SpaceAxes, votes: VoteCounts, *, ticks: int = 5) -> None:
    a, b = (plain(label, 28 if ticks > _ACROSS else 8) for label in votes.labels)
    for direction, name in zip("xyz", (f"questions of {a}", f"right on {a}", f"right on {b}"), strict=True):
        getattr(axes, f"set_{direction}lim")(0, drawn(votes.size))
        getattr(axes, f"set_{direction}label")(name)
    ground.count_axes(axes, ticks=ticks)


def _answers(votes: VoteCounts) -> tuple[int, int]:
    first, second = votes.responses(0).values()
    return first, second


def _point(votes: VoteCounts, key: int, right: int) -> _Corner:
    evaluation = individual_from_right(votes, key, (right,))
    a, b = votes.labels
    return key, evaluation.correct[0][a], evaluation.correct[0][b]
