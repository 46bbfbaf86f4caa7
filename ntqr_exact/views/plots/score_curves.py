"""Scores in pictures: ROC and precision-recall curves, and both labels on both sides of a threshold."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import Column
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.areas import Anchor, ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.formulas import Undefined
from ntqr_exact.metrics.ranking import Curve, Rule, exact_score
from ntqr_exact.metrics.threshold_queries import LoanThreshold
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import Axes, canvas, legend_below, mark, say, whole_ticks
from ntqr_exact.views.plots.style import hue, styled

_MOST_MARKERS = 60


@styled
def plot_roc(curve: Curve, *, threshold: RationalLike | Surd | None = None, axes: Axes | None = None) -> Axes:
    """Draw recall over false positive rate; ties are joined by a straight line, as the exact area has them.

    `threshold` marks the point at which scores from it on are positive. The area under the curve stands in the
    legend. Source: ORES, section 1.5.

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

    The area under the steps is the average precision; the areas by trapezoids, which depend on where the curve
    is made to begin, stand beside it. Source: ORES, section 1.6; Bias-Adjusted Metrics, AUPR.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import precision_recall_curve
    >>> axes = plot_precision_recall(precision_recall_curve([1, 0, 1], [3, 3, 1]), axes=Figure().subplots())
    >>> axes.get_lines()[1].get_label()
    'average precision ≈ 0.5833'
    """
    axes = canvas(axes, height=5.6)
    ranking = curve.ranking
    share = mpq(ranking.positives, ranking.positives + ranking.negatives)
    level = axes.axhline(drawn(share), color=hue("soft"), linestyle=":", linewidth=1.2)
    say(level, "share of positives {}", share)
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
    (above, below), (over, under) = curve.columns()
    across, up = _ratios(above, below), _ratios(over, under)
    start = next(curve.points()) if curve.starts_empty else None
    if start is not None and not any(isinstance(value, Undefined) for value in start):
        first, second = (drawn(value) for value in start if not isinstance(value, Undefined))
        across, up = [first, *across], [second, *up]
    places = [(x, y) for x, y in zip(across, up, strict=True) if x is not None and y is not None]
    return [x for x, _ in places], [y for _, y in places]


def _ratios(above: Column, below: Column) -> list[float | None]:
    return [drawn(mpq(over, under)) if under else None for over, under in zip(above, below, strict=True)]


def _marker(points: list[float]) -> str:
    return "o" if len(points) <= _MOST_MARKERS else ""


def _finish(axes: Axes, curve: Curve, threshold: RationalLike | Surd | None, across: str, up: str) -> None:
    if threshold is not None:
        confusion = curve.ranking.at(threshold)
        point = (confusion.measure(curve.across), confusion.measure(curve.up))
        if not isinstance(point[0], Undefined) and not isinstance(point[1], Undefined):
            square = mark(axes, (drawn(point[0]), drawn(point[1])), "s", color=hue("vermilion"))
            say(square, "from {} on: ({}, {})", exact_score(threshold), *point)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal", xlabel=across, ylabel=up)
    axes.grid(visible=True)
    legend_below(axes)


@styled
def plot_loan_threshold(view: LoanThreshold, *, axes: Axes | None = None) -> Axes:
    """Draw for each bin of scores its positives upwards and its negatives downwards, and the threshold.

    Right of the threshold lie TP above and FP below, left of it FN above and TN below; the corners tell how
    many, and the legend gives the metrics exactly. Source: ORES, "loan threshold".

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact.metrics.threshold_queries import loan_threshold
    >>> from ntqr_exact.metrics.ranking import rank
    >>> view = loan_threshold(rank([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"]), "1/2")
    >>> axes = plot_loan_threshold(view, axes=Figure().subplots())
    >>> [text.get_text() for text in axes.texts]
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
    axes.set(
        xlabel="score", ylabel="samples in the bin", title="Scores by label, and the threshold between them"
    )
    legend_below(axes, ncols=2)
    return axes
