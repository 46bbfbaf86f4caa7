"""The loan-threshold picture: scores of the two labels on both sides of a threshold, and what it makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ntqr_exact.exact.value_text import short_decimal, value_text
from ntqr_exact.metrics.ranking import Rule
from ntqr_exact.metrics.threshold_queries import LoanThreshold
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import canvas, legend_below, whole_ticks
from ntqr_exact.views.plots.style import hue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    options: dict[str, Any] = {
        "align": "edge",
        "width": widths,
        "edgecolor": hue("ink"),
        "linewidth": 0.6,
        "alpha": 0.75,
    }
    axes.bar(lower, positives, color=hue("blue"), label="labeled positive, upwards", **options)
    axes.bar(
        lower, negatives, color=hue("orange"), hatch="//", label="labeled negative, downwards", **options
    )
    axes.axhline(0, color=hue("ink"), linewidth=0.8)
    sign = "≥" if view.rule is Rule.AT_LEAST else ">"
    axes.axvline(
        drawn(view.threshold),
        color=hue("ink"),
        linewidth=2,
        linestyle="--",
        label=f"positive if score {sign} {short_decimal(view.threshold)}",
    )
    confusion = view.confusion
    for name in ("precision", "recall", "accuracy"):
        axes.plot([], [], " ", label=f"{name} {short_decimal(confusion[name])}")
    tallest = max(map(abs, (*positives, *negatives)))
    axes.set_ylim(-1.3 * tallest, 1.3 * tallest)
    axes.set_xlim(lower[0], lower[-1] + widths[-1])
    for name, value, x, y in (
        ("FN", confusion.fn, 0, 1),
        ("TP", confusion.tp, 1, 1),
        ("TN", confusion.tn, 0, 0),
        ("FP", confusion.fp, 1, 0),
    ):
        axes.text(
            0.98 if x else 0.02,
            0.96 if y else 0.04,
            f"{name} {value_text(value)}",
            transform=axes.transAxes,
            ha="right" if x else "left",
            va="top" if y else "bottom",
            fontsize=10,
            fontweight="bold",
        )
    whole_ticks(axes.yaxis)
    axes.yaxis.set_major_formatter(lambda height, _: f"{abs(height):g}")
    axes.set_xlabel("score")
    axes.set_ylabel("samples in the bin")
    axes.set_title("Scores by label, and the threshold between them")
    legend_below(axes, ncols=2)
    return axes
