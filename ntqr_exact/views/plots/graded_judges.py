"""Right answers of each judge from a few graded questions, and the exact coverage of intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.value_text import short_decimal
from ntqr_exact.graded.coverage import IntervalMethod, coverage_of
from ntqr_exact.graded.level import check_level
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import canvas, legend_below, plain, whole_ticks
from ntqr_exact.views.plots.style import hue, member, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COMPARED = (
    IntervalMethod.WALD_CORRECTED,
    IntervalMethod.WILSON_CORRECTED,
    IntervalMethod.CLOPPER_PEARSON,
    IntervalMethod.CENTRAL,
)


@styled
def plot_graded_judges(key: PartialKey, *, level: RationalLike = "0.95", axes: Axes | None = None) -> Axes:
    """Draw for each judge the certain range of right answers, the interval at the level, and the graded share.

    Raises `NotAtRandom` where the graded questions were not drawn at random.
    """
    axes = canvas(axes)
    names = key.votes.judges
    for place in range(len(names)):
        height = len(names) - place
        certain, (low, high) = key.ranges(place).right, key.right_answers(place, level)
        first = place == 0
        axes.plot(
            certain,
            (height, height),
            color=hue("soft"),
            linewidth=1,
            linestyle=":",
            marker="|",
            label="certain" if first else None,
        )
        axes.plot(
            (low, high),
            (height, height),
            color=hue("blue"),
            linewidth=5,
            solid_capstyle="butt",
            label=f"interval at {short_decimal(check_level(level))}" if first else None,
        )
        if key.graded_size:
            share = drawn(mpq(certain[0] * key.size, key.graded_size))
            axes.plot(
                share,
                height,
                color=hue("ink"),
                marker="o",
                linestyle="none",
                clip_on=False,
                label="share of the graded ones" if first else None,
            )
    axes.set_yticks(range(len(names), 0, -1), [plain(name) for name in names])
    axes.set_ylim(0.4, len(names) + 0.6)
    axes.set_xlim(0, drawn(key.size))
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
        values = coverage_of(method, size=size, graded=graded, level=share)
        axes.plot(
            range(size + 1),
            all_drawn(values),
            color=member(place).colour,
            linestyle=member(place).line,
            linewidth=2 if method is IntervalMethod.CENTRAL else 1,
            label=method.value.replace("_", " "),
        )
    axes.axhline(
        drawn(share), color=hue("ink"), linewidth=1, linestyle=":", label=f"promised: {short_decimal(share)}"
    )
    axes.set_xlim(0, size)
    axes.set_ylim(0, 1.02)
    whole_ticks(axes.xaxis)
    axes.set_xlabel("right answers among all questions")
    axes.set_ylabel("coverage")
    axes.set_title(f"Exact coverage with {graded} of {size} questions graded")
    axes.grid(visible=True)
    legend_below(axes, ncols=3)
    return axes
