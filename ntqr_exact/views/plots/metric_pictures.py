"""Metrics and confidences in pictures: curves, a threshold, the exact bootstrap, ATC, and level sets of scores."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import Any

from gmpy2 import mpq, mpz

from ntqr_exact.confidence.atc import AtcReading, atc, atc_curve
from ntqr_exact.confidence.ordering import Inversion, vectors_over
from ntqr_exact.confidence.probability_vector import Vectors
from ntqr_exact.confidence.scores import SIX, ScoreFunction, ScoreLike, compare_scores, score_function
from ntqr_exact.errors import NotOrdered, UndefinedMetric
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.areas import Anchor, ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.bootstrap import BootstrapDistribution, BootstrapMethod
from ntqr_exact.metrics.formulas import Undefined
from ntqr_exact.metrics.ranking import Curve, Rule, exact_score
from ntqr_exact.metrics.threshold_queries import LoanThreshold
from ntqr_exact.views.floats import all_drawn, drawn
from ntqr_exact.views.plots.style import (
    Axes,
    Figure,
    canvas,
    draw_triangle,
    hue,
    legend_below,
    mark,
    panels,
    say,
    simplex_point,
    styled,
    whole_ticks,
)

_MAX_MARKERS = 60
MAX_BARS = 60
"""Values that are drawn as bars of their own; more are put into bins of equal width."""
_BINS = 40
_TAIL = mpq(1, 1000)
_GRID = 48
_LEVELS = 8


# -- curves and thresholds ----------------------------------------------------------------------------------


@styled
def plot_roc(curve: Curve, *, threshold: RationalLike | Surd | None = None, axes: Axes | None = None) -> Axes:
    """Draw recall over false positive rate; ties are joined by a straight line, as the exact area has them.

    `threshold` marks the point at which scores from it on are positive. The legend has the area under the curve.
    Source: ORES, section 1.5.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import roc_curve
    >>> axes = plot_roc(roc_curve([1, 0, 1], ["0.9", "0.9", "0.1"]), axes=Figure().subplots())
    >>> axes.get_lines()[1].get_label()
    'area 0.25'
    """
    axes = canvas(axes, height=5.2)
    axes.plot([0, 1], [0, 1], color=hue("soft"), linestyle=":", linewidth=1.2, label="by chance: 0.5")
    across, up = curve_points(curve)
    (line,) = axes.plot(across, up, color=hue("blue"), marker=_marker(across), markersize=4)
    say(line, "area {}", ranking_roc_auc(curve.ranking))
    _finish(axes, curve, threshold, "false positive rate FP/(FP+TN)", "recall TP/(TP+FN)")
    axes.set_title("Receiver operating characteristic")
    return axes


@styled
def plot_precision_recall(
    curve: Curve, *, threshold: RationalLike | Surd | None = None, axes: Axes | None = None
) -> Axes:
    """Draw precision over recall, in steps: between two points of the curve nothing can be reached in a line.

    The area under the steps is the average precision; the legend also has the areas by trapezoids, which depend on
    where the curve is made to begin. Source: ORES, section 1.6; Bias-Adjusted Metrics, AUPR.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import precision_recall_curve
    >>> axes = plot_precision_recall(precision_recall_curve([1, 0, 1], [3, 3, 1]), axes=Figure().subplots())
    >>> axes.get_lines()[1].get_label()
    'average precision ≈ 0.5833'
    """
    axes = canvas(axes, height=5.6)
    ranking = curve.ranking
    share = mpq(ranking.positives, ranking.positives + ranking.negatives)
    say(axes.axhline(drawn(share), color=hue("soft"), linestyle=":"), "share of positives {}", share)
    across, up = curve_points(curve)
    # The step to a recall has the precision there, also the first one, from recall 0.
    (steps,) = axes.plot([0, *across], [*up[:1], *up], color=hue("blue"), drawstyle="steps-pre")
    say(steps, "average precision {}", ranking_average_precision(ranking))
    axes.plot(across, up, linestyle=" ", color=hue("blue"), marker=_marker(across), markersize=4)
    for anchor in Anchor:
        trapezoids = short_decimal(ranking_pr_auc(ranking, anchor=anchor))
        axes.plot([], [], " ", label=f"trapezoids from {anchor.value}: {trapezoids}")
    _finish(axes, curve, threshold, "recall TP/(TP+FN)", "precision TP/(TP+FP)")
    axes.set_title("Precision and recall")
    return axes


def curve_points(curve: Curve) -> tuple[list[float], list[float]]:
    """Return where the points of a curve are drawn; a point with an undefined metric has no place.

    >>> from ntqr_exact import roc_curve
    >>> curve_points(roc_curve([1, 0], [2, 1]))
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0])
    """
    points = [
        (x, y) for x, y in curve.points() if not isinstance(x, Undefined) and not isinstance(y, Undefined)
    ]
    return all_drawn(x for x, _ in points), all_drawn(y for _, y in points)


def _marker(points: list[float]) -> str:
    return "o" if len(points) <= _MAX_MARKERS else ""


def _finish(axes: Axes, curve: Curve, threshold: RationalLike | Surd | None, across: str, up: str) -> None:
    if threshold is not None:
        confusion = curve.ranking.at(threshold)
        x, y = confusion.measure(curve.across), confusion.measure(curve.up)
        if not isinstance(x, Undefined) and not isinstance(y, Undefined):
            square = mark(axes, (drawn(x), drawn(y)), "s", color=hue("vermilion"))
            say(square, "from {} on: ({}, {})", exact_score(threshold), x, y)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal", xlabel=across, ylabel=up)
    axes.grid(visible=True)
    legend_below(axes)


@styled
def plot_loan_threshold(view: LoanThreshold, *, axes: Axes | None = None) -> Axes:
    """Draw for each bin of scores its positives upwards and its negatives downwards, and the threshold.

    Right of the threshold are TP above and FP below, left of it FN above and TN below, with their numbers in the
    corners. Source: ORES, "loan threshold".

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact.metrics.threshold_queries import loan_threshold
    >>> from ntqr_exact.metrics.ranking import rank
    >>> view = loan_threshold(rank([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"]), "1/2")
    >>> [text.get_text() for text in plot_loan_threshold(view, axes=Figure().subplots()).texts]
    ['FN 1', 'TP 1', 'TN 1', 'FP 1']
    """
    axes = canvas(axes, height=4.4)
    lower = all_drawn(part.lower for part in view.bins)
    widths = [drawn(part.upper) - left for part, left in zip(view.bins, lower, strict=True)]
    positives = all_drawn(part.positives for part in view.bins)
    negatives = all_drawn(-part.negatives for part in view.bins)
    look: dict[str, Any] = {"align": "edge", "width": widths, "edgecolor": hue("ink")}
    look |= {"linewidth": 0.6, "alpha": 0.75}
    axes.bar(lower, positives, color=hue("blue"), label="labeled positive, upwards", **look)
    look |= {"color": hue("orange"), "hatch": "//"}
    axes.bar(lower, negatives, label="labeled negative, downwards", **look)
    axes.axhline(0, color=hue("ink"), linewidth=0.8)
    sign = "≥" if view.rule is Rule.AT_LEAST else ">"
    cut = f"positive if score {sign} {short_decimal(view.threshold)}"
    axes.axvline(drawn(view.threshold), color=hue("ink"), linewidth=2, linestyle="--", label=cut)
    confusion = view.confusion
    for name in ("precision", "recall", "accuracy"):
        axes.plot([], [], " ", label=f"{name} {short_decimal(confusion[name])}")
    tallest = max(map(abs, (*positives, *negatives)))
    axes.set(ylim=(-1.3 * tallest, 1.3 * tallest), xlim=(lower[0], lower[-1] + widths[-1]))
    bold: dict[str, Any] = {"transform": axes.transAxes, "fontsize": 10, "fontweight": "bold"}
    for name, x, y in (("fn", 0, 1), ("tp", 1, 1), ("tn", 0, 0), ("fp", 1, 0)):
        caption = f"{name.upper()} {value_text(getattr(confusion, name))}"
        sides: Any = {"ha": "right" if x else "left", "va": "top" if y else "bottom"}
        axes.text(0.98 if x else 0.02, 0.96 if y else 0.04, caption, **bold, **sides)
    whole_ticks(axes.yaxis)
    axes.yaxis.set_major_formatter(lambda height, _: f"{abs(height):g}")
    axes.set(xlabel="score", ylabel="samples in the bin")
    axes.set_title("Scores by label, and the threshold between them")
    legend_below(axes, ncols=2)
    return axes


# -- the exact bootstrap ------------------------------------------------------------------------------------


def bootstrap_bars(distribution: BootstrapDistribution) -> list[tuple[mpq, mpq, mpq]]:
    """Return (start, end, probability) of each bar: start = end for a value of its own, else a bin [start, end).

    The probabilities are exact, and sum to that of a defined metric. Bins are made so that 40 of them hold all but
    a thousandth of the resamples on either side.

    >>> from ntqr_exact import exact_bootstrap
    >>> [str(part) for bar in bootstrap_bars(exact_bootstrap("precision", tp=1, fp=1, fn=0, tn=0)) for part in bar]
    ['0', '0', '1/4', '1/2', '1/2', '1/2', '1', '1', '1/4']
    """
    outcomes = list(distribution.outcomes())
    if len(outcomes) <= MAX_BARS:
        return [(value, value, probability) for value, probability in outcomes]
    start, end = distribution.quantiles([_TAIL, 1 - _TAIL])
    width = (end - start) / _BINS or mpq(1)
    weights: dict[mpz, mpq] = {}
    for value, probability in outcomes:
        index = math.floor((value - start) / width)
        weights[index] = weights.get(index, mpq(0)) + probability
    return [(start + index * width, start + (index + 1) * width, weight) for index, weight in weights.items()]


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
        raise UndefinedMetric(distribution.estimate, "the metric must be defined on some resample")
    axes = canvas(axes, height=4.4)
    is_binned = bars[0][0] != bars[0][1]
    starts = all_drawn(start for start, _, _ in bars)
    heights = all_drawn(weight for _, _, weight in bars)
    look: dict[str, Any] = {"width": [drawn(end - start) for start, end, _ in bars], "align": "edge"}
    if not is_binned:
        look = {"width": 0.8 * min((right - left for left, right in pairwise(starts)), default=0.5)}
    edge = hue("paper" if is_binned else "ink")
    axes.bar(starts, heights, color=hue("blue"), edgecolor=edge, linewidth=0.4, **look)
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
    if is_binned:  # the picture ends where the bars become too low to be seen
        seen = [bar for bar in bars if drawn(bar[2]) > top / 500]
        low, high = seen[0][0], seen[-1][1]
        beyond = sum((weight for start, end, weight in bars if end <= low or start >= high), mpq(0))
        axes.set_xlim(drawn((13 * low - high) / 12), drawn((13 * high - low) / 12))
        if beyond:
            axes.plot([], [], " ", label=f"beyond the bars that are seen: {short_decimal(beyond)}")
    axes.set(ylim=(0, 1.24 * top), xlabel=name, title="Exact bootstrap distribution")
    axes.set_ylabel(f"probability of {'a bin' if is_binned else 'a value'}")
    legend_below(axes)
    return axes


# -- confidences --------------------------------------------------------------------------------------------


@styled
def plot_atc(
    source: Vectors,
    target: Vectors,
    *,
    score: ScoreLike = "max",
    axes: Axes | None = None,
    **options: Any,
) -> Axes:
    """Draw t ↦ P[s < t] on source and target, Γ of the source, the threshold nearest to it, and the estimate.

    Other options are those of `atc`. Under a reading that counts above the threshold the curves are P[s ≥ t].
    Source: Maaz et al. 2023, eqs. 1 to 3.

    >>> from matplotlib.figure import Figure
    >>> source = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
    >>> axes = plot_atc(source, [["0.55", "0.45"], ["0.95", "0.05"]], error="1/5", axes=Figure().subplots())
    >>> axes.get_lines()[-1].get_label()
    'estimate for the target: 0.5'

    Raises what `atc` raises, and `NotOrdered` where a score of the source is infinite.
    """
    result = atc(source, target, score=score, **options)
    function = score_function(score)
    curve = atc_curve(source, target, score=function)
    values = [function.value(point.threshold_vector) for point in curve]
    if any(isinstance(value, LogSumKey) and value.infinite for value in values):
        raise NotOrdered(function.name, "a score on an axis must be finite", "draw another score")
    axes = canvas(axes, height=4.6)
    thresholds = all_drawn(values)
    side = "s ≥ t" if result.reading is AtcReading.ACCURACY_ABOVE else "s < t"
    # Strictly below t: between two scores the share is that of the upper one, so the step comes before it.
    look: dict[str, Any] = {"drawstyle": "steps-pre", "markersize": 4, "marker": _marker(thresholds)}
    for name, colour, style in (("source", hue("blue"), "-"), ("target", hue("vermilion"), "--")):
        shares = all_drawn(result.reading.turned(getattr(point, f"{name}_below")) for point in curve)
        axes.plot(thresholds, shares, color=colour, linestyle=style, label=f"{name}: P[{side}]", **look)
    threshold = drawn(result.threshold)
    level = axes.axhline(drawn(result.gamma), color=hue("soft"), linestyle=":", linewidth=1.5)
    say(level, "Γ of the source: {}", result.gamma)
    cut = axes.axvline(threshold, color=hue("ink"), linestyle="-.", linewidth=1.2)
    say(cut, "threshold: {}", result.threshold)
    for name, value, marker, colour in (
        ("the source has there", result.source_share, "s", hue("blue")),
        ("estimate for the target", result.estimate, "D", hue("vermilion")),
    ):
        at = (threshold, drawn(value))
        say(mark(axes, at, marker, color=colour, markeredgecolor=hue("ink")), f"{name}: {{}}", value)
    axes.set(ylim=(-0.03, 1.03), xlabel=f"threshold t on the score {function.name}")
    axes.set(ylabel=f"share with {side}", title="Average thresholded confidence")
    axes.grid(visible=True)
    legend_below(axes, ncols=2)
    return axes


@styled
def plot_score_levels(
    score: ScoreLike, *, inversion: Inversion | None = None, axes: Axes | None = None
) -> Axes:
    """Draw level sets of a score over the probability vectors of three labels; a surer vector lies farther out.

    `inversion` marks two vectors that two scores order oppositely, each on its level set and with its value: a
    circle for the one that the left score puts higher, a square for the other. Source: Maaz et al. 2023,
    section 2.3.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import smallest_inversion
    >>> inversion = smallest_inversion("max", "entropy", labels=3, max_denominator=6).inversions[0]
    >>> axes = plot_score_levels("max", inversion=inversion, axes=Figure().subplots())
    >>> [line.get_label() for line in axes.get_lines()[1:]]
    ['(4, 1, 1)/6: 2/3 ≈ 0.6667, higher', '(1, 1, 0)/2: 1/2 = 0.5']

    Raises `BadSamples` for an inversion of other than three labels.
    """
    function = score_function(score)
    axes = canvas(axes, height=5)
    levels: dict[str, Any] = {"colors": hue("soft"), "linewidths": 0.7, "linestyles": "solid"}
    axes.tricontour(*_heights(function), levels=_LEVELS, **levels)
    draw_triangle(axes, ["label 1", "label 2", "label 3"])
    if inversion is not None:
        _mark_inversion(axes, function, inversion)
        legend_below(axes, borderaxespad=0)
    formula = function.formula.replace(", ", ",\n")
    axes.set_title(f"{function.name}\n{formula}".strip(), fontsize=9.5, pad=8)
    return axes


@styled
def plot_six_scores(*, inversion: Inversion | None = None, figure: Figure | None = None) -> list[Axes]:
    """Draw the level sets of the six scores of the source, each on a triangle of its own."""
    grid = panels(figure, len(SIX), height=3)
    return [
        plot_score_levels(name, inversion=inversion, axes=one) for name, one in zip(SIX, grid, strict=True)
    ]


def _mark_inversion(axes: Axes, score: ScoreFunction, inversion: Inversion) -> None:
    """Draw both vectors of an inversion, each with the level set on which it lies."""
    pair = (inversion.higher_left, inversion.higher_right)
    order = compare_scores(score, *pair)
    looks = ((1, hue("blue"), "o", "-"), (-1, hue("vermilion"), "s", "--"))
    for vector, (higher, colour, marker, style) in zip(pair, looks, strict=True):
        value = score.value(vector)
        caption = {0: ", equal", higher: ", higher"}.get(order, "")
        level: Any = {"levels": [drawn(value)], "linestyles": [style], "linewidths": 2}
        axes.tricontour(*_heights(score), colors=colour, **level)
        label = f"{vector}: {value_text(value, places=4)}{caption}"
        look: Any = {"color": colour, "markeredgecolor": hue("ink"), "zorder": 6}
        mark(axes, simplex_point(vector), marker, label=label, **look)


@lru_cache(maxsize=16)
def _heights(score: ScoreFunction) -> tuple[list[float], list[float], list[float]]:
    """Return where the vectors of a grid are drawn, and their scores; an infinite score has no height."""
    points = []
    for vector in vectors_over(_GRID, labels=3, symmetric=False):
        value = score.value(vector)
        if not (isinstance(value, LogSumKey) and value.infinite):
            points.append((*simplex_point(vector), drawn(value)))
    across, up, heights = (list(column) for column in zip(*points, strict=True))
    return across, up, heights
