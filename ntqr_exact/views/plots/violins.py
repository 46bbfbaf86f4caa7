"""Violins: the distributions of bootstrap values side by side, each with its quartiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.errors import UndefinedMetric
from ntqr_exact.exact.value_text import short_decimal
from ntqr_exact.metrics.bootstrap import BootstrapSample
from ntqr_exact.metrics.bootstrap_interval import sample_quantile
from ntqr_exact.metrics.undefined import defined
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import canvas, legend_below
from ntqr_exact.views.plots.style import hue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 40


def violin_widths(sample: BootstrapSample) -> list[tuple[mpq, mpq]]:
    """Return (middle of a bin, share of the resamples in it) from the least to the greatest value, exactly.

    >>> violin_widths(BootstrapSample(mpq(1), (mpq(1), mpq(1), mpq(1)), 0))
    [(mpq(1,1), mpq(1,1))]
    """
    values = sample.values
    if not values:
        raise UndefinedMetric(sample.estimate, "the statistic is undefined on every resample")
    low, width = values[0], (values[-1] - values[0]) / _BINS
    if not width:
        return [(low, mpq(1))]
    counts = [0] * _BINS
    for value in values:
        counts[min(int((value - low) / width), _BINS - 1)] += 1
    return [
        (low + (place + mpq(1, 2)) * width, mpq(count, len(values))) for place, count in enumerate(counts)
    ]


@styled
def plot_violins(
    samples: Mapping[str, BootstrapSample], *, name: str = "estimate", axes: Axes | None = None
) -> Axes:
    """Draw each bootstrap as a violin, whose width is the share of the resamples, with quartiles and mean.

    Source: Maaz et al. 2023, figure 1.

    >>> from matplotlib.figure import Figure
    >>> made = {"one": BootstrapSample(mpq(1), (mpq(0), mpq(1), mpq(2)), 0)}
    >>> len(plot_violins(made, axes=Figure().subplots()).collections)
    1
    """
    axes = canvas(axes, height=4.4)
    for place, (label, sample) in enumerate(samples.items(), start=1):
        widths = violin_widths(sample)
        most = max(share for _, share in widths)
        heights = all_drawn(middle for middle, _ in widths)
        reach = [drawn(share / most) * 0.4 for _, share in widths]
        axes.fill_betweenx(
            heights,
            [place - r for r in reach],
            [place + r for r in reach],
            color=hue("blue"),
            alpha=0.35,
            linewidth=0.8,
        )
        lower, median, upper = (
            drawn(sample_quantile(sample.values, mpq(quarter, 4))) for quarter in (1, 2, 3)
        )
        axes.plot([place, place], [lower, upper], color=hue("ink"), linewidth=4, solid_capstyle="butt")
        axes.plot([place], [median], marker="o", color="white", markeredgecolor=hue("ink"), linestyle="none")
        mean = defined(sample.mean)
        axes.plot(
            [place],
            [drawn(mean)],
            marker="_",
            markersize=16,
            color=hue("vermilion"),
            linestyle="none",
            label=f"{label}: mean {short_decimal(mean)}",
        )
    axes.set_xticks(range(1, len(samples) + 1), list(samples))
    axes.set_ylabel(name)
    axes.set_title("Bootstrap distributions: quartiles, median (circle) and mean (line)")
    legend_below(axes)
    return axes
