"""The judges side by side: how often each is right under every assumption, and what a few graded questions tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.sampling.designs import check_level
from ntqr_exact.sampling.intervals import IntervalMethod, coverage_of
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.study import Column, Share, Shares
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import Axes, Figure, canvas, legend_below, mark, panels, plain, whole_ticks
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, member, styled, tell

if TYPE_CHECKING:
    from ntqr_exact.study.votes_study import VotesStudy

_ACROSS = 3
_IN_ALL = "in all"

_COMPARED = (
    IntervalMethod.WALD_CORRECTED,
    IntervalMethod.WILSON_CORRECTED,
    IntervalMethod.CLOPPER_PEARSON,
    IntervalMethod.CENTRAL,
)


@styled
def plot_judge_grades(
    columns: VotesStudy | Sequence[Column],
    *,
    judges: Sequence[str] = (),
    figure: Figure | None = None,
) -> list[Axes]:
    """Draw the share of right answers of each judge, in all and on each label: a point, or a bar where it is a range.

    A row is a judge, the best one by the first column on top. `columns` are those of a study's first page, each with
    its assumption; a study brings its own, with the names of its judges.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, study_votes
    >>> found = study_votes(VoteCounts({"aab": 3, "abb": 2, "bbb": 3}), parts=["grades"])
    >>> axes = plot_judge_grades(found, figure=Figure())
    >>> [one.get_title() for one in axes], [tick.get_text() for tick in axes[0].get_yticklabels()]
    (['in all', 'on a', 'on b'], ['J2', 'J1', 'J3'])

    Raises `BadVotes` where there is nothing to draw.
    """
    if not isinstance(columns, Sequence):
        judges, columns = columns.votes.judges, columns.summary.told.columns
    if not columns:
        raise BadVotes(columns, "no judge has a grade: there is nothing to compare")
    order = columns[0].ranked()
    topics: list[tuple[str, list[Shares | None]]] = [(_IN_ALL, [one.ranges for one in columns])]
    topics += [
        (f"on {plain(label)}", [dict(one.by_label).get(label) for one in columns])
        for label in dict.fromkeys(label for one in columns for label, _ in one.by_label)
    ]
    across = min(len(topics), _ACROSS)
    height, below = 0.4 + len(judges) * max(0.25, 0.12 * len(columns)), 0.4 + 0.18 * -(-len(columns) // 2)
    drawings = panels(figure, len(topics), across=across, height=height, more=below, sharex=True)
    for place, (axes, (title, shares)) in enumerate(zip(drawings, topics, strict=True)):
        for number, one in enumerate(shares):
            if one is not None:
                _draw_column(axes, [one[judge] for judge in order], number, columns)
        axes.set_title(title, fontsize=9.5)
        axes.set_ylim(len(judges) - 0.5, -0.5)
        names = [plain(judges[judge]) for judge in order] if place % across == 0 else []
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("share right", fontsize=NOTE_SIZE)
        axes.grid(visible=True, axis="x")
        for row in range(1, len(judges)):
            axes.axhline(row - 0.5, color=hue("line"), linewidth=0.6)
    _legend(drawings, columns)
    return drawings


def _draw_column(
    axes: Axes, shares: Sequence[tuple[Share, Share] | None], number: int, columns: Sequence[Column]
) -> None:
    look, name = member(number), columns[number].name
    for row, pair in enumerate(shares):
        if pair is None:
            continue
        height = row + (number - (len(columns) - 1) / 2) * 0.8 / len(columns)
        least, greatest = map(drawn, pair)
        if pair[0] == pair[1]:
            point = mark(axes, (least, height), look.marker, 5, color=look.colour)
            tell(point, f"{name}: {value_text(pair[0])}")
        else:
            form: dict[str, Any] = {"marker": "|", "markersize": 6, "linewidth": 3, "solid_capstyle": "butt"}
            (bar,) = axes.plot([least, greatest], [height] * 2, color=look.colour, **form)
            tell(bar, f"{name}: {value_text(pair[0])} to {value_text(pair[1])}")


def _legend(drawings: list[Axes], columns: Sequence[Column]) -> None:
    from matplotlib.lines import Line2D

    for axes in drawings:
        low, high = axes.get_xlim()
        axes.set_xlim(min(low, 0), max(high, 1))
    handles = []
    for number, one in enumerate(columns):
        look = member(number)
        bar: dict[str, Any] = {"marker": "|", "linewidth": 3}
        form = {"marker": look.marker, "linestyle": " "} if one.is_exact else bar
        handles.append(Line2D([], [], color=look.colour, label=plain(one.name), **form))
    figure: Any = drawings[0].figure
    figure.legend(handles=handles, loc="outside lower center", ncols=2)


@styled
def plot_graded_judges(key: PartialKey, *, level: RationalLike = "0.95", axes: Axes | None = None) -> Axes:
    """Draw for each judge the certain range of right answers, the interval at the level, and the graded share.

    Raises `NotAtRandom` where the graded questions were not drawn at random.
    """
    axes = canvas(axes)
    names = key.votes.judges
    for place in range(len(names)):
        height = len(names) - place
        certain, interval = key.ranges(place).right, key.right_answers(place, level)
        axes.plot(certain, (height, height), color=hue("soft"), linewidth=1, linestyle=":", marker="|")
        axes.plot(interval, (height, height), color=hue("blue"), linewidth=5, solid_capstyle="butt")
        if key.graded_size:
            share = drawn(mpq(certain[0] * key.size, key.graded_size))
            axes.plot(share, height, color=hue("ink"), marker="o", linestyle="none", clip_on=False)
    told = ("certain", f"interval at {short_decimal(check_level(level))}", "share of the graded ones")
    for line, words in zip(axes.get_lines(), told, strict=False):
        line.set_label(words)
    axes.set_yticks(range(len(names), 0, -1), [plain(name) for name in names])
    axes.set(ylim=(0.4, len(names) + 0.6), xlim=(0, drawn(key.size)))
    whole_ticks(axes.xaxis)
    axes.set_xlabel("right answers among all questions")
    axes.set_title(f"{key.graded_size} of {key.size} questions graded")
    axes.grid(visible=True, axis="x")
    legend_below(axes, ncols=3)
    return axes


@styled
def plot_coverage(size: int, graded: int, *, level: RationalLike = "0.95", axes: Axes | None = None) -> Axes:
    """Draw the exact coverage of several intervals for every truth, and the level that they promise."""
    axes = canvas(axes)
    share = check_level(level)
    for place, method in enumerate(_COMPARED):
        values = all_drawn(coverage_of(method, size=size, graded=graded, level=share))
        look: dict[str, Any] = {"color": member(place).colour, "linestyle": member(place).line}
        look |= {"linewidth": 2 if method is IntervalMethod.CENTRAL else 1}
        axes.plot(range(size + 1), values, label=method.value.replace("_", " "), **look)
    promised = f"promised: {short_decimal(share)}"
    axes.axhline(drawn(share), color=hue("ink"), linewidth=1, linestyle=":", label=promised)
    axes.set(xlim=(0, size), ylim=(0, 1.02))
    whole_ticks(axes.xaxis)
    axes.set(xlabel="right answers among all questions", ylabel="coverage")
    axes.set_title(f"Exact coverage with {graded} of {size} questions graded")
    axes.grid(visible=True)
    legend_below(axes, ncols=3)
    return axes
