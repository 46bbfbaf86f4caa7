"""Bootstrap distributions: bars of the exact one of a metric, and violins of sampled ones side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from gmpy2 import mpq, mpz

from ntqr_exact.errors import UndefinedMetric
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import short_decimal
from ntqr_exact.metrics.bootstrap import BootstrapMethod, BootstrapSample, quantile
from ntqr_exact.metrics.exact_bootstrap import BootstrapDistribution
from ntqr_exact.metrics.formulas import Undefined, defined
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import Axes, canvas, legend_below, mark, say
from ntqr_exact.views.plots.style import hue, styled

MOST_BARS = 60
"""Values that are drawn as bars of their own; more are put into bins of equal width."""

_BINS = 40
_TAIL = mpq(1, 1000)


def bootstrap_bars(distribution: BootstrapDistribution) -> list[tuple[mpq, mpq, mpq]]:
    """Return (start, end, probability) of each bar: start = end for a value of its own, else a bin [start, end).

    The probabilities are exact, and sum to that of a defined metric. Bins are made so that 40 of them hold all but
    a thousandth of the resamples on either side.

    >>> from ntqr_exact import exact_bootstrap
    >>> [str(part) for bar in bootstrap_bars(exact_bootstrap("precision", tp=1, fp=1, fn=0, tn=0)) for part in bar]
    ['0', '0', '1/4', '1/2', '1/2', '1/2', '1', '1', '1/4']
    """
    outcomes = list(distribution.outcomes())
    if len(outcomes) <= MOST_BARS:
        return [(value, value, probability) for value, probability in outcomes]
    start, end = distribution.quantiles([_TAIL, 1 - _TAIL])
    width = (end - start) / _BINS or mpq(1)
    weights: dict[mpz, mpq] = {}
    for value, probability in outcomes:
        place = math.floor((value - start) / width)
        weights[place] = weights.get(place, mpq(0)) + probability
    return [(start + place * width, start + (place + 1) * width, weight) for place, weight in weights.items()]


@styled
def plot_bootstrap(
    distribution: BootstrapDistribution,
    *,
    level: RationalLike = "0.95",
    name: str = "metric",
    axes: Axes | None = None,
) -> Axes:
    """Draw the probability of every value of a metric over all resamples, with both kinds of interval.

    Nothing is sampled: the bars are exact. Source: Bias-Adjusted Metrics, section Bootstrap.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import exact_bootstrap
    >>> axes = plot_bootstrap(exact_bootstrap("precision", tp=1, fp=1, fn=0, tn=0), axes=Figure().subplots())
    >>> [float(bar.get_height()) for bar in axes.patches]
    [0.25, 0.5, 0.25]

    Raises `UndefinedMetric` where the metric is undefined on every resample.
    """
    bars = bootstrap_bars(distribution)
    if not bars:
        raise UndefinedMetric(distribution.estimate, "the metric is undefined on every resample")
    axes = canvas(axes, height=4.4)
    binned = bars[0][0] != bars[0][1]
    starts = all_drawn(start for start, _, _ in bars)
    heights = all_drawn(weight for _, _, weight in bars)
    look: dict[str, Any] = {"width": [drawn(end - start) for start, end, _ in bars], "align": "edge"}
    if not binned:
        gap = min((right - left for left, right in pairwise(starts)), default=0.5)
        look = {"width": 0.8 * gap}
    axes.bar(
        starts, heights, color=hue("blue"), edgecolor=hue("paper" if binned else "ink"), linewidth=0.4, **look
    )
    top = max(heights)
    for method, colour, style, height in (
        (BootstrapMethod.PERCENTILE, hue("vermilion"), "-", 1.08),
        (BootstrapMethod.BASIC, hue("green"), "--", 1.16),
    ):
        if method is BootstrapMethod.BASIC and isinstance(distribution.estimate, Undefined):
            continue
        interval = distribution.interval(level, method=method)
        ends = [drawn(interval.lower), drawn(interval.upper)]
        look = {"color": colour, "linestyle": style, "linewidth": 2, "marker": "|", "markersize": 10}
        (span,) = axes.plot(ends, [height * top] * 2, **look)
        say(span, f"{method.value} interval: from {{}} to {{}}", interval.lower, interval.upper)
    if not isinstance(distribution.estimate, Undefined):
        line = axes.axvline(drawn(distribution.estimate), color=hue("ink"), linestyle=":")
        say(line, "estimate: {}", distribution.estimate)
    if distribution.undefined_weight:
        axes.plot([], [], " ", label=f"undefined: {short_decimal(distribution.undefined_probability)}")
    if binned:
        _leave_out_tails(axes, bars, top)
    axes.set(ylim=(0, 1.24 * top), xlabel=name, title="Exact bootstrap distribution")
    axes.set_ylabel(f"probability of {'a bin' if binned else 'a value'}")
    legend_below(axes)
    return axes


def _leave_out_tails(axes: Axes, bars: list[tuple[mpq, mpq, mpq]], top: float) -> None:
    """End the picture where the bars become too low to be seen, and say how much lies beyond."""
    seen = [bar for bar in bars if drawn(bar[2]) > top / 500]
    beyond = sum((weight for start, end, weight in bars if end <= seen[0][0] or start >= seen[-1][1]), mpq(0))
    low, high = drawn(seen[0][0]), drawn(seen[-1][1])
    margin = (high - low) / 12
    axes.set_xlim(low - margin, high + margin)
    if beyond:
        axes.plot([], [], " ", label=f"beyond the bars that are seen: {short_decimal(beyond)}")


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
        left, right = [place - r for r in reach], [place + r for r in reach]
        axes.fill_betweenx(heights, left, right, color=hue("blue"), alpha=0.35, linewidth=0.8)
        lower, median, upper = (drawn(quantile(sample.terms(), mpq(part, 4))) for part in (1, 2, 3))
        axes.plot([place, place], [lower, upper], color=hue("ink"), linewidth=4, solid_capstyle="butt")
        axes.plot([place], [median], marker="o", color="white", markeredgecolor=hue("ink"), linestyle="none")
        mean = defined(sample.mean)
        caption = f"{label}: mean {short_decimal(mean)}"
        mark(axes, (place, drawn(mean)), "_", 16, color=hue("vermilion"), label=caption)
    axes.set_xticks(range(1, len(samples) + 1), list(samples))
    axes.set(ylabel=name, title="Bootstrap distributions: quartiles, median (circle) and mean (line)")
    legend_below(axes)
    return axes
