"""How many evaluations of each judge are left at each Q_a, before and after its votes (figure 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.views.plots.canvas import canvas, legend_below, plain, whole_ticks
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled
from ntqr_exact.votes.counts import VoteCounts

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    axes.plot(
        keys,
        list(possible.counts_by_key().values()),
        color=hue("ink"),
        linewidth=2,
        label=f"possible: {grouped(possible.count())}",
    )
    after = []
    for place, judge in enumerate(votes.judges):
        own = Projection(votes.marginal(place))
        after.append([own.count_at({a: key, b: votes.size - key}) for key in keys])
        axes.plot(
            keys,
            after[-1],
            color=member(place).colour,
            linestyle=member(place).line,
            linewidth=2,
            label=f"judge {plain(judge)}: {grouped(own.count())}, at most {grouped(max(after[-1]))} at once",
        )
    _draw_tops(axes, after)
    axes.set_yscale("log")
    axes.set_xlim(0, votes.size)
    axes.set_xlabel(f"questions whose true label is {plain(a)}")
    whole_ticks(axes.xaxis)
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
        colour, style = member(place).colour, member(place).line
        window.plot(
            range(low, high + 1), column[low : high + 1], color=colour, linestyle=style, linewidth=1.8
        )
    window.set_xlim(low, high)
    window.set_title("tops of the judges", fontsize=NOTE_SIZE, pad=3)
    window.tick_params(labelsize=NOTE_SIZE)
    window.grid(visible=True)
