"""Confidences in pictures: shares below each threshold (ATC), and level sets of scores on a triangle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ntqr_exact.confidence.atc import AtcReading, TieRule, atc, atc_curve
from ntqr_exact.confidence.ordering import Inversion, vectors_over
from ntqr_exact.confidence.probability_vector import Vectors
from ntqr_exact.confidence.scores import SIX, ScoreFunction, ScoreLike, compare_scores, score_function
from ntqr_exact.errors import NotOrdered
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import value_text
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import Axes, Figure, canvas, legend_below, mark, panels, say
from ntqr_exact.views.plots.style import hue, styled
from ntqr_exact.views.plots.triangle import draw_triangle, simplex_point

_MOST_MARKERS = 40
_GRID = 48
_LEVELS = 8


@styled
def plot_atc(
    source: Vectors,
    target: Vectors,
    *,
    error: RationalLike | None = None,
    accuracy: RationalLike | None = None,
    labels: Sequence[RationalLike] | None = None,
    score: ScoreLike = "max",
    reading: AtcReading | None = None,
    tie_rule: TieRule = TieRule.SMALLEST,
    axes: Axes | None = None,
) -> Axes:
    """Draw t ↦ P[s < t] on source and target, Γ of the source, the threshold nearest to it, and the estimate.

    Under a reading that counts above the threshold the curves are P[s ≥ t]. Source: Maaz et al. 2023, eqs. 1 to 3.

    >>> from matplotlib.figure import Figure
    >>> source = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
    >>> axes = plot_atc(source, [["0.55", "0.45"], ["0.95", "0.05"]], error="1/5", axes=Figure().subplots())
    >>> axes.get_lines()[-1].get_label()
    'estimate for the target: 0.5'

    Raises what `atc` raises, and `NotOrdered` where a score of the source is infinite.
    """
    known: dict[str, Any] = {"error": error, "accuracy": accuracy, "labels": labels}
    found = atc(source, target, **known, score=score, reading=reading, tie_rule=tie_rule)
    function = score_function(score)
    curve = atc_curve(source, target, score=function)
    values = [function.value(point.threshold_vector) for point in curve]
    if any(isinstance(value, LogSumKey) and value.infinite for value in values):
        raise NotOrdered(function.name, "an infinite score has no place on an axis", "draw another score")
    axes = canvas(axes, height=4.6)
    thresholds = all_drawn(values)
    side = "s ≥ t" if found.reading is AtcReading.ACCURACY_ABOVE else "s < t"
    # Strictly below t: between two scores the share is that of the upper one, so the step comes before it.
    look: dict[str, Any] = {"drawstyle": "steps-pre", "linewidth": 1.8, "markersize": 4}
    look["marker"] = "o" if len(curve) <= _MOST_MARKERS else ""
    for name, colour, style in (("source", hue("blue"), "-"), ("target", hue("vermilion"), "--")):
        shares = all_drawn(found.reading.turned(getattr(point, f"{name}_below")) for point in curve)
        axes.plot(thresholds, shares, color=colour, linestyle=style, label=f"{name}: P[{side}]", **look)
    threshold = drawn(found.threshold)
    level = axes.axhline(drawn(found.gamma), color=hue("soft"), linestyle=":", linewidth=1.5)
    say(level, "Γ of the source: {}", found.gamma)
    cut = axes.axvline(threshold, color=hue("ink"), linestyle="-.", linewidth=1.2)
    say(cut, "threshold: {}", found.threshold)
    for name, value, marker, colour in (
        ("the source has there", found.source_share, "s", hue("blue")),
        ("estimate for the target", found.estimate, "D", hue("vermilion")),
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
    >>> found = smallest_inversion("max", "entropy", labels=3, max_denominator=6).inversions[0]
    >>> axes = plot_score_levels("max", inversion=found, axes=Figure().subplots())
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
        _mark(axes, function, inversion)
        legend_below(axes, borderaxespad=0)
    formula = function.formula.replace(", ", ",\n")
    axes.set_title(f"{function.name}\n{formula}".strip(), fontsize=9.5, pad=8)
    return axes


@styled
def plot_six_scores(*, inversion: Inversion | None = None, figure: Figure | None = None) -> list[Axes]:
    """Draw the level sets of the six scores of the source, each on a triangle of its own.

    Raises `MissingExtra` without matplotlib.
    """
    grid = panels(figure, len(SIX), across=2, height=3)
    return [
        plot_score_levels(name, inversion=inversion, axes=one) for name, one in zip(SIX, grid, strict=True)
    ]


def _mark(axes: Axes, score: ScoreFunction, inversion: Inversion) -> None:
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
