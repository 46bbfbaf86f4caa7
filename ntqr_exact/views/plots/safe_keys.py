"""At which key counts all judges could be safe, and at which an alarm excludes them: of two labels, and of three."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import atan2
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.group_size import looked_at
from ntqr_exact.alarms.misalignment import Misalignment
from ntqr_exact.alarms.safe_region import SafeRegion, box_corners
from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.study.safety_part import KeyRun, key_runs
from ntqr_exact.varieties.compositions import count_compositions
from ntqr_exact.varieties.key_counts import check_key_counts
from ntqr_exact.views.plots.canvas import Axes, canvas, legend_below, mark, note, plain, whole_ticks
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled
from ntqr_exact.views.plots.triangle import CORNERS, draw_triangle, simplex_point

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
def plot_safe_keys(
    misalignments: Misalignment | Iterable[Misalignment],
    *,
    true_key: int | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw for each alarm a bar over Q_a: open where all judges could be safe, hatched where a group excludes it.

    Several alarms, such as those of judges alone, of pairs and of trios, stand below each other. `true_key` marks
    the true number of questions of the first label, if it is known.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, find_misalignment
    >>> votes = VoteCounts({"ab": 1, "ba": 1})
    >>> alarms = [find_misalignment(votes, group_size=size) for size in (1, 2)]
    >>> [label.get_text() for label in plot_safe_keys(alarms, axes=Figure().subplots()).get_yticklabels()]
    ['each judge by itself\\nsafe: 1 of 3 keys', 'every pair\\nALARM: none of 3 keys']

    Raises `BadVotes` for other than two labels, and for alarms of different tests.
    """
    rows = [misalignments] if isinstance(misalignments, Misalignment) else list(misalignments)
    if not rows or any(row.votes != rows[0].votes for row in rows):
        remedy = "give alarms that were found in the same votes"
        raise BadVotes(len(rows), "the bars are those of one test", remedy)
    from matplotlib.patches import Patch

    votes = rows[0].votes
    axes = canvas(axes, height=1.7 + 0.5 * len(rows))
    labels = []
    for place, row in enumerate(rows):
        runs = key_runs(row)
        for run in runs:
            look = {
                "left": run.first - 0.5,
                "height": 0.5,
                "zorder": 2 + run.is_safe,
                **_look(safe=run.is_safe),
            }
            axes.barh(place, run.last - run.first + 1, **look)
        _write_ends(axes, runs, place)
        safe = sum(run.last - run.first + 1 for run in runs if run.is_safe)
        verdict = f"safe: {safe} of" if safe else "ALARM: none of"
        labels.append(f"{looked_at(votes, row.group_size)}\n{verdict} {votes.size + 1} keys")
    axes.set_yticks(range(len(rows)), labels, fontsize=9)
    axes.set_ylim(len(rows) - 0.35, -0.65)
    handles = [
        Patch(label=words, **_look(safe=safe))
        for safe, words in ((True, "all judges could be safe"), (False, "some judge is not safe"))
    ]
    if true_key is not None:
        line: Any = axes.axvline(true_key, color=hue("soft"), linestyle="--", linewidth=1.8, zorder=5)
        line.set_label(f"the true number: {true_key}")
        handles.append(line)
    axes.set(xlim=(-0.5, votes.size + 0.5), title=f"Safe key counts of {votes.size} questions")
    axes.set_xlabel(f"questions whose true label is {plain(votes.labels[0])}")
    whole_ticks(axes.xaxis)
    legend_below(axes, handles=handles, ncols=2)
    return axes


def _look(*, safe: bool) -> dict[str, Any]:
    """Return the look of a bar: open where all judges could be safe, hatched where some judge is not."""
    if safe:
        return {"facecolor": hue("paper"), "edgecolor": hue("green"), "linewidth": 2}
    hatched = {"facecolor": hue("orange"), "edgecolor": hue("ink"), "hatch": "//"}
    return {**hatched, "alpha": 0.6, "linewidth": 0}


def _write_ends(axes: Axes, runs: list[KeyRun], place: int) -> None:
    """Write the first and last key of each run in which all could be safe."""
    for run in runs:
        if run.is_safe:
            text = str(run.first) if run.first == run.last else f"{run.first} to {run.last}"
            # A narrow bar has its numbers above it, a broad one inside.
            narrow = 8 * (run.last - run.first + 1) < runs[-1].last
            look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": NOTE_SIZE, "zorder": 6}
            box = {"facecolor": hue("paper"), "edgecolor": "none", "pad": 1}
            axes.text((run.first + run.last) / 2, place - 0.38 * narrow, text, bbox=box, **look)


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
    axes.fill(*zip(*CORNERS, strict=True), **{**_look(safe=False), "alpha": 0.25})
    draw_triangle(axes, [f"all {plain(label)}" for label in votes.labels])
    total = grouped(count_compositions(votes.size, 3))
    shapes = [_shape(row) for row in rows]
    names = [""] if len(rows) == 1 else [f"{looked_at(votes, row.group_size)}: " for row in rows]
    for place, (shape, name) in enumerate(zip(shapes, names, strict=True)):
        where = "none" if shape.number == 0 else grouped(shape.number or 0)
        words = f"{name}{where} of {total}" if shape.number is not None else f"{name}only inside the outline"
        told = words if name else "all judges could be safe"
        _draw_shape(axes, shape, place, told, last=shape is shapes[-1])
    axes.plot([], [], color=hue("orange"), linewidth=8, alpha=0.5, label="hatched: some judge is not safe")
    if true_key is not None:
        key = check_key_counts(true_key, votes.labels, votes.size)
        mark(axes, _place(key), "*", 13, color=hue("ink"), zorder=7, label=f"the true key {key}")
    known = len(rows) == 1 and shapes[0].number is not None
    told = f"All judges could be safe at {words} key counts"
    axes.set_title(told if known else "Key counts at which all judges could be safe")
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
    form: dict[str, Any] = {"facecolor": hue("paper"), "edgecolor": look.colour, "linestyle": look.line}
    form |= {"linewidth": 2, "zorder": 3 + place / 8, "label": "" if last and shape.points else words}
    axes.fill(*zip(*outline, strict=True), **form)
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
        where = {"ha": "right" if left else "left", "va": "top" if below else "bottom", "zorder": 6}
        box = {"facecolor": hue("paper"), "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
        shift = (-5 if left else 5, -4 if below else 4)
        note(axes, str(tuple(map(int, corner))), (x, y), shift, bbox=box, **where)


def _place(key: tuple[int, ...]) -> tuple[float, float]:
    size = sum(key)
    return simplex_point(mpq(count, size) for count in key)
