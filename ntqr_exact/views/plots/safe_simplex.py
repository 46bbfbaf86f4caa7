"""The safe key counts of three labels, in the triangle of all key counts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import atan2
from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.compositions import count_compositions
from ntqr_exact.varieties.key_counts import check_key_counts
from ntqr_exact.views.plots.canvas import canvas, legend_below, plain
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, styled
from ntqr_exact.views.plots.triangle import draw_triangle, simplex_point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_POINTS = 1500
_MOST_CORNERS = 8


@styled
def plot_safe_region(
    region: SafeRegion, *, true_key: Mapping[str, int] | None = None, axes: Axes | None = None
) -> Axes:
    """Draw the key counts of three labels at which all judges could be safe; elsewhere some judge is not.

    The corners have their exact counts beside them. `true_key` marks the true key counts, if they are known.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, find_misalignment
    >>> votes = VoteCounts({"aaa": 2, "bbb": 2, "ccc": 1}, ("a", "b", "c"))
    >>> axes = plot_safe_region(find_misalignment(votes).safe_region, axes=Figure().subplots())
    >>> axes.get_title()
    'All judges could be safe at 5 of 21 key counts'

    Raises `BadVotes` for other than three labels, `BadKeyCounts` for a true key of another test.
    """
    votes = region.votes
    if len(votes.labels) != 3:
        raise BadVotes(votes.labels, "a triangle has three labels", "plot_safe_keys draws two")
    axes = canvas(axes, height=5)
    everything = [simplex_point(mpq(int(i == j)) for j in range(3)) for i in range(3)]
    axes.fill(
        *zip(*everything, strict=True),
        facecolor=hue("orange"),
        alpha=0.25,
        hatch="//",
        edgecolor=hue("ink"),
        linewidth=0,
    )
    draw_triangle(axes, [f"all {plain(label)}" for label in votes.labels])
    count = region.count()
    if count:
        _draw_region(axes, region)
    axes.plot([], [], color=hue("orange"), linewidth=8, alpha=0.5, label="hatched: some judge is not safe")
    if true_key is not None:
        key = check_key_counts(true_key, votes.labels, votes.size)
        x, y = _place(key)
        axes.plot(
            [x],
            [y],
            "*",
            color=hue("ink"),
            markersize=13,
            linestyle=" ",
            zorder=7,
            label=f"the true key {key}",
        )
    total = count_compositions(votes.size, 3)
    where = f"{grouped(count)} of {grouped(total)}" if count else f"none of {grouped(total)}"
    axes.set_title(f"All judges could be safe at {where} key counts")
    legend_below(axes, borderaxespad=1)
    return axes


def _draw_region(axes: Axes, region: SafeRegion) -> None:
    corners = [tuple(corner.values()) for corner in region.vertices()]
    places = [_place(corner) for corner in corners]
    middle = [sum(column) / len(places) for column in zip(*places, strict=True)]
    # The corners of a convex region, in the order in which they lie around its middle.
    order = sorted(
        range(len(places)), key=lambda n: atan2(places[n][1] - middle[1], places[n][0] - middle[0])
    )
    outline = [places[n] for n in order]
    axes.fill(
        *zip(*outline, strict=True), facecolor=hue("paper"), edgecolor=hue("green"), linewidth=2, zorder=3
    )
    points = list(islice(region, _MOST_POINTS + 1))
    if len(points) <= _MOST_POINTS:
        across, up = zip(*(_place(tuple(point.values())) for point in points), strict=True)
        axes.plot(
            across, up, ".", color=hue("green"), markersize=5, zorder=5, label="all judges could be safe"
        )
    else:
        axes.plot([], [], color=hue("green"), linewidth=2, label="all judges could be safe")
    if len(corners) > _MOST_CORNERS:
        return
    for corner, (x, y) in zip(corners, places, strict=True):
        left, below = x < middle[0], y < middle[1]
        axes.annotate(
            str(tuple(map(int, corner))),
            (x, y),
            xytext=(-5 if left else 5, -4 if below else 4),
            textcoords="offset points",
            ha="right" if left else "left",
            va="top" if below else "bottom",
            fontsize=NOTE_SIZE,
            zorder=6,
            bbox={"facecolor": hue("paper"), "edgecolor": "none", "alpha": 0.8, "pad": 0.5},
        )


def _place(key: tuple[int, ...]) -> tuple[float, float]:
    size = sum(key)
    return simplex_point(mpq(count, size) for count in key)
