"""The wedge of possible evaluations of one judge, before any vote is seen (Corrada-Emmanuel 2023, figure 1)."""

from __future__ import annotations

from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.key_counts import all_key_counts
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.views.plots.canvas import SpaceAxes, count_axes, legend_below, space
from ntqr_exact.views.plots.style import hue, styled

_MOST_POINTS = 20_000


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
    axes = space(axes)
    if total <= _MOST_POINTS:
        points = list(wedge_points(possible))
        axes.scatter(*zip(*points, strict=True), s=5, color=hue("blue"), alpha=0.55, depthshade=False)
    # The four corners (0,0,0), (0,0,Q), (Q,0,0), (Q,Q,0), joined by the edges of the tetrahedron.
    corners = [(0, 0, 0), (0, 0, size), (size, 0, 0), (size, size, 0)]
    for place, start in enumerate(corners):
        for end in corners[place + 1 :]:
            axes.plot(*zip(start, end, strict=True), color=hue("soft"), linewidth=1)
    middle = size // 2
    slice_size = possible.count_at(dict(zip(possible.labels, (middle, size - middle), strict=True)))
    outline = [(0, 0), (middle, 0), (middle, size - middle), (0, size - middle), (0, 0)]
    axes.plot(
        [middle] * 5,
        *zip(*outline, strict=True),
        color=hue("vermilion"),
        linewidth=2,
        linestyle="--",
        zorder=5,
        label=f"the {slice_size} with {middle} questions of a",
    )
    axes.set_xlabel("questions of a")
    axes.set_ylabel("right on a")
    axes.set_zlabel("right on b")
    count_axes(axes)
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
