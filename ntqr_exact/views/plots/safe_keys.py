"""At which key counts all judges could be safe: bars for two labels, a triangle for three."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.show import grouped
from ntqr_exact.varieties.compositions import check_key_counts, count_compositions
from ntqr_exact.views.plots.canvas import Axes, canvas, legend_below, mark, plain, whole_ticks
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled
from ntqr_exact.views.plots.triangle import CORNERS, draw_triangle, simplex_point


@styled
def plot_safe_keys(
    regions: SafeRegion | Iterable[SafeRegion],
    *,
    true_key: Mapping[str, int] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the key counts at which all judges could be safe; elsewhere some judge is not.

    Two labels are a bar over the questions of the first, three a triangle with a dot for each key count. Several
    regions, such as those of judges alone and of all together, are drawn in one picture. `true_key` is marked.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import SafeRegion, VoteCounts
    >>> axes = plot_safe_keys(SafeRegion(VoteCounts({"ab": 1, "ba": 1})), axes=Figure().subplots())
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['all judges together\\nALARM: 0 of 3 keys']

    Raises `BadVotes` for one label or more than three, and for regions of different tests.
    """
    rows = [regions] if isinstance(regions, SafeRegion) else list(regions)
    if not rows or any(row.votes != rows[0].votes for row in rows):
        raise BadVotes(len(rows), "regions must be those of one test")
    votes = rows[0].votes
    if len(votes.labels) not in (2, 3):
        raise BadVotes(votes.labels, "there must be two or three labels")
    key = None if true_key is None else check_key_counts(true_key, votes.labels, votes.size)
    points = [[tuple(point.values()) for point in row] for row in rows]
    total = grouped(count_compositions(votes.size, len(votes.labels)))
    names = ["each judge alone" if row.group_size == 1 else "all judges together" for row in rows]
    if len(votes.labels) == 2:
        return _bars(votes, list(zip(names, points, strict=True)), key, axes)
    axes = canvas(axes, height=5)
    axes.fill(*zip(*CORNERS, strict=True), **{**_look(safe=False), "alpha": 0.25})
    draw_triangle(axes, [f"all {plain(label)}" for label in votes.labels])
    for index, (name, safe) in enumerate(zip(names, points, strict=True)):
        look = member(index)
        across, up = zip(*map(_place, safe), strict=True) if safe else ((), ())
        label = f"{name}: {grouped(len(safe))} of {total}"
        axes.plot(across, up, ".", color=look.colour, markersize=7 - 3 * index, zorder=4 + index, label=label)
    if key is not None:
        mark(axes, _place(key), "*", 13, color=hue("ink"), zorder=7, label=f"the true key {key}")
    axes.set_title("Key counts at which all judges could be safe")
    legend_below(axes, borderaxespad=1)
    return axes


def _bars(
    votes: Any, rows: list[tuple[str, list[tuple[int, ...]]]], key: tuple[int, ...] | None, axes: Axes | None
) -> Axes:
    from matplotlib.patches import Patch

    axes = canvas(axes, height=1.7 + 0.5 * len(rows))
    labels = []
    for place, (name, points) in enumerate(rows):
        safe = {point[0] for point in points}
        for is_safe, members in groupby(range(votes.size + 1), key=safe.__contains__):
            keys = list(members)
            width = len(keys)
            axes.barh(place, width, left=keys[0] - 0.5, height=0.5, zorder=2 + is_safe, **_look(safe=is_safe))
            if is_safe:
                text = str(keys[0]) if width == 1 else f"{keys[0]} to {keys[-1]}"
                box = {"facecolor": hue("paper"), "edgecolor": "none", "pad": 1}
                above = 0.38 * (8 * width < votes.size)  # a narrow bar has its numbers above it
                look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": NOTE_SIZE, "zorder": 6}
                axes.text((keys[0] + keys[-1]) / 2, place - above, text, bbox=box, **look)
        verdict = "safe" if safe else "ALARM"
        labels.append(f"{name}\n{verdict}: {len(safe)} of {votes.size + 1} keys")
    axes.set_yticks(range(len(rows)), labels, fontsize=9)
    axes.set_ylim(len(rows) - 0.35, -0.65)
    names = ((True, "all judges could be safe"), (False, "some judge is not safe"))
    handles = [Patch(label=name, **_look(safe=safe)) for safe, name in names]
    if key is not None:
        line: Any = axes.axvline(key[0], color=hue("soft"), linestyle="--", linewidth=1.8, zorder=5)
        line.set_label(f"the true number: {key[0]}")
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


def _place(key: tuple[int, ...]) -> tuple[float, float]:
    size = sum(key)
    return simplex_point(mpq(count, size) for count in key)
