"""At which key counts all judges could be safe, and at which an alarm excludes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ntqr_exact.alarms.group_size import looked_at
from ntqr_exact.alarms.misalignment import Misalignment
from ntqr_exact.errors import BadVotes
from ntqr_exact.study.key_runs import KeyRun, key_runs
from ntqr_exact.views.plots.canvas import canvas, legend_below, plain, whole_ticks
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
        raise BadVotes(
            len(rows), "the bars are those of one test", "give alarms that were found in the same votes"
        )
    from matplotlib.patches import Patch

    votes = rows[0].votes
    axes = canvas(axes, height=1.7 + 0.5 * len(rows))
    labels = []
    for place, row in enumerate(rows):
        runs = key_runs(row)
        for run in runs:
            width = run.last - run.first + 1
            look = _look(safe=run.is_safe)
            axes.barh(place, width, left=run.first - 0.5, height=0.5, zorder=2 + run.is_safe, **look)
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
        line = axes.axvline(
            true_key,
            color=hue("soft"),
            linestyle="--",
            linewidth=1.8,
            zorder=5,
            label=f"the true number: {true_key}",
        )
        handles.append(line)  # type: ignore[arg-type]
    axes.set_xlim(-0.5, votes.size + 0.5)
    axes.set_xlabel(f"questions whose true label is {plain(votes.labels[0])}")
    whole_ticks(axes.xaxis)
    axes.set_title(f"Safe key counts of {votes.size} questions")
    legend_below(axes, handles=handles, ncols=2)
    return axes


def _look(*, safe: bool) -> dict[str, Any]:
    """Return the look of a bar: open where all judges could be safe, hatched where some judge is not."""
    if safe:
        return {"facecolor": hue("paper"), "edgecolor": hue("green"), "linewidth": 2}
    return {
        "facecolor": hue("orange"),
        "edgecolor": hue("ink"),
        "hatch": "//",
        "alpha": 0.6,
        "linewidth": 0,
    }


def _write_ends(axes: Axes, runs: list[KeyRun], place: int) -> None:
    """Write the first and last key of each run in which all could be safe."""
    for run in runs:
        if run.is_safe:
            text = str(run.first) if run.first == run.last else f"{run.first} to {run.last}"
            # A narrow bar has its numbers above it, a broad one inside.
            narrow = 8 * (run.last - run.first + 1) < runs[-1].last
            axes.text(
                (run.first + run.last) / 2,
                place - 0.38 if narrow else place,
                text,
                ha="center",
                va="center",
                fontsize=NOTE_SIZE,
                zorder=6,
                bbox={"facecolor": hue("paper"), "edgecolor": "none", "pad": 1},
            )
