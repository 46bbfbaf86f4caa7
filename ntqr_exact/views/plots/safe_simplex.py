"""The safe key counts of three labels, in the triangle of all key counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import atan2
from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.alarms.group_size import looked_at
from ntqr_exact.alarms.safe_region import SafeRegion, box_corners
from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.compositions import count_compositions
from ntqr_exact.varieties.key_counts import check_key_counts
from ntqr_exact.views.plots.canvas import canvas, legend_below, plain
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled
from ntqr_exact.views.plots.triangle import draw_triangle, simplex_point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_WALKED = 6000
"""So many key counts are gone through for joint answers; where there are more, the ranges of the labels are drawn."""

_MOST_CORNERS = 8
_LETTER, _LINE = 0.017, 0.06
"""How much of a side of the triangle a letter is wide, and a line high."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """The corners of a region, its key counts if they are few, and how many there are if that is known."""

    corners: tuple[tuple[int, ...], ...]
    points: tuple[tuple[int, ...], ...]
    number: int | None


@styled
def plot_safe_region(
    regions: SafeRegion | Iterable[SafeRegion],
    *,
    true_key: Mapping[str, int] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the key counts of three labels at which all judges could be safe; elsewhere some judge is not.

    Several regions, such as those of judges alone, of pairs and of all, lie in each other; the last one has a dot for
    each key count and the exact counts of its corners. If joint answers leave too many key counts to go through, the
    outline is made of the proven ranges of the labels. `true_key` marks the true key counts, if they are known.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, find_misalignment
    >>> votes = VoteCounts({"aaa": 2, "bbb": 2, "ccc": 1}, ("a", "b", "c"))
    >>> axes = plot_safe_region(find_misalignment(votes).safe_region, axes=Figure().subplots())
    >>> axes.get_title()
    'All judges could be safe at 5 of 21 key counts'

    Raises `BadVotes` for other than three labels and for regions of different tests, `BadKeyCounts` for a true key of
    another test.
    """
    rows = [regions] if isinstance(regions, SafeRegion) else list(regions)
    if not rows or any(row.votes != rows[0].votes for row in rows):
        raise BadVotes(len(rows), "the regions are those of one test", "give regions of the same votes")
    votes = rows[0].votes
    if len(votes.labels) != 3:
        raise BadVotes(votes.labels, "a triangle has three labels", "plot_safe_keys draws two")
    axes = canvas(axes, height=5 + 0.25 * (len(rows) - 1))
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
    total = grouped(count_compositions(votes.size, 3))
    shapes = [_shape(row) for row in rows]
    names = [""] if len(rows) == 1 else [f"{looked_at(votes, row.group_size)}: " for row in rows]
    for place, (shape, name) in enumerate(zip(shapes, names, strict=True)):
        where = "none" if shape.number == 0 else grouped(shape.number or 0)
        words = f"{name}{where} of {total}" if shape.number is not None else f"{name}only inside the outline"
        _draw_shape(
            axes, shape, place, words if name else "all judges could be safe", last=shape is shapes[-1]
        )
    axes.plot([], [], color=hue("orange"), linewidth=8, alpha=0.5, label="hatched: some judge is not safe")
    if true_key is not None:
        key = check_key_counts(true_key, votes.labels, votes.size)
        axes.plot(
            *zip(_place(key), strict=True),
            "*",
            color=hue("ink"),
            markersize=13,
            linestyle=" ",
            zorder=7,
            label=f"the true key {key}",
        )
    known = len(rows) == 1 and shapes[0].number is not None
    axes.set_title(
        f"All judges could be safe at {words} key counts"
        if known
        else "Key counts at which all judges could be safe"
    )
    legend_below(axes, borderaxespad=1)
    return axes


def _shape(region: SafeRegion) -> _Shape:
    """Return what is drawn of a region: all of it, if that takes no long walk, or the ranges of its labels."""
    size = region.votes.size
    few = count_compositions(size, 3) <= _MOST_WALKED
    if region.is_box or few:
        corners = tuple(tuple(corner.values()) for corner in region.vertices())
        points = tuple(tuple(point.values()) for point in region.points()) if few else ()
        return _Shape(corners, points, region.count() if region.is_box else len(points))
    ends = [region.ends(label) for label in region.votes.labels]
    ranges = [(low.proven, high.proven) for low, high in (pair for pair in ends if pair is not None)]
    return _Shape(tuple(box_corners(ranges, size)), (), None if ranges else 0)


def _draw_shape(axes: Axes, shape: _Shape, place: int, words: str, *, last: bool) -> None:
    look = member(place)
    if not shape.corners:
        axes.plot([], [], color=look.colour, linestyle=look.line, label=words)
        return
    places = [_place(corner) for corner in shape.corners]
    middle = [sum(column) / len(places) for column in zip(*places, strict=True)]
    # The corners of a convex region, in the order in which they lie around its middle.
    outline = sorted(places, key=lambda at: atan2(at[1] - middle[1], at[0] - middle[0]))
    axes.fill(
        *zip(*outline, strict=True),
        facecolor=hue("paper"),
        edgecolor=look.colour,
        linestyle=look.line,
        linewidth=2,
        zorder=3 + place / 8,
        label="" if last and shape.points else words,
    )
    if not last:
        return
    if shape.points:
        across, up = zip(*map(_place, shape.points), strict=True)
        small = len(shape.points) > 500
        axes.plot(across, up, ".", color=look.colour, markersize=3 if small else 5, zorder=5, label=words)
    if len(shape.corners) > _MOST_CORNERS:
        return
    width = _LETTER * max(len(str(corner)) for corner in shape.corners)
    written: list[tuple[float, float]] = []
    for corner, (x, y) in zip(shape.corners, places, strict=True):
        left, below = x < middle[0], y < middle[1]
        start = x - width * left
        if any(abs(start - other) < width and abs(y - height) < _LINE for other, height in written):
            continue  # a neighbour has its counts there
        written.append((start, y))
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
