"""The judges side by side: how often each is right under every assumption, and what a few graded questions tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.sampling.designs import check_level
from ntqr_exact.sampling.intervals import IntervalMethod, coverage_of
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import Axes, canvas, legend_below, mark, plain, whole_ticks
from ntqr_exact.views.plots.style import hue, member, styled, tell

_COMPARED = (
    IntervalMethod.WALD_CORRECTED,
    IntervalMethod.WILSON_CORRECTED,
    IntervalMethod.CLOPPER_PEARSON,
    IntervalMethod.CENTRAL,
)


@styled
def plot_judge_grades(columns: Mapping[str, Mapping[str, Any]], *, axes: Axes | None = None) -> Axes:
    """Draw the share of right answers of each judge by several columns: a point, or a bar where it is a range.

    A column maps judges to a number, to two ends, or to `None`. A row is a judge, in the order of the first column.

    >>> from matplotlib.figure import Figure
    >>> columns = {"majority": {"A": mpq(4, 5), "B": mpq(9, 10)}, "graded": {"A": (mpq(1, 2), mpq(3, 4))}}
    >>> drawing = plot_judge_grades(columns, axes=Figure().subplots())
    >>> [tick.get_text() for tick in drawing.get_yticklabels()]
    ['A', 'B']

    Raises `BadVotes` where there is nothing to draw.
    """
    shown = {
        name: {judge: share for judge, share in column.items() if share is not None}
        for name, column in columns.items()
    }
    shown = {name: column for name, column in shown.items() if column}
    if not shown:
        raise BadVotes(columns, "columns must have a grade to draw")
    judges = list(dict.fromkeys(judge for column in shown.values() for judge in column))
    axes = canvas(axes, height=1.2 + len(judges) * max(0.25, 0.12 * len(shown)))
    for number, (name, column) in enumerate(shown.items()):
        look = member(number)
        for judge, share in column.items():
            low, high = share if isinstance(share, tuple) else (share, share)
            height = judges.index(judge) + (number - (len(shown) - 1) / 2) * 0.8 / len(shown)
            if low == high:
                artist = mark(axes, (drawn(low), height), look.marker, 5, color=look.colour)
                tell(artist, f"{name}: {value_text(low)}")
            else:
                form: dict[str, Any] = {"marker": "|", "markersize": 6, "solid_capstyle": "butt"}
                (artist,) = axes.plot(
                    [drawn(low), drawn(high)], [height] * 2, color=look.colour, linewidth=3, **form
                )
                tell(artist, f"{name}: {value_text(low)} to {value_text(high)}")
        artist.set_label(plain(name))
    axes.set_yticks(range(len(judges)), [plain(judge) for judge in judges])
    axes.set(ylim=(len(judges) - 0.5, -0.5), xlabel="share of right answers")
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="x")
    for row in range(1, len(judges)):
        axes.axhline(row - 0.5, color=hue("line"), linewidth=0.6)
    legend_below(axes, ncols=3)
    return axes


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
    caption = ("certain", f"interval at {short_decimal(check_level(level))}", "share of the graded ones")
    for line, words in zip(axes.get_lines(), caption, strict=False):
        line.set_label(words)
    axes.set_yticks(range(len(names), 0, -1), [plain(name) for name in names])
    axes.set(ylim=(0.4, len(names) + 0.6))
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
    axes.set(xlim=(0, size))
    whole_ticks(axes.xaxis)
    axes.set(xlabel="right answers among all questions", ylabel="coverage")
    axes.set_title(f"Exact coverage with {graded} of {size} questions graded")
    axes.grid(visible=True)
    legend_below(axes, ncols=3)
    return axes
