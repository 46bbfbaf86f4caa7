"""Level sets of confidence scores on the triangle of three labels, and a pair of vectors they put in two orders."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ntqr_exact.confidence.ordering import Inversion, vectors_over
from ntqr_exact.confidence.scores import SIX, ScoreFunction, ScoreLike, compare_scores, score_function
from ntqr_exact.exact.log_sum_key import LogSumKey
from ntqr_exact.exact.value_text import value_text
from ntqr_exact.views.drawing_numbers import drawn
from ntqr_exact.views.plots.canvas import canvas, legend_below, panels
from ntqr_exact.views.plots.style import hue, styled
from ntqr_exact.views.plots.triangle import draw_triangle, simplex_point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_GRID = 48
_LEVELS = 8


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
    _draw_levels(axes, function)
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


def _draw_levels(axes: Axes, score: ScoreFunction) -> None:
    """Draw contours through exact values of the score on a grid of vectors."""
    axes.tricontour(*_heights(score), levels=_LEVELS, colors=hue("soft"), linewidths=0.7, linestyles="solid")


def _mark(axes: Axes, score: ScoreFunction, inversion: Inversion) -> None:
    """Draw both vectors of an inversion, each with the level set on which it lies."""
    pair = (inversion.higher_left, inversion.higher_right)
    order = compare_scores(score, *pair)
    for place, (vector, colour, marker, style) in enumerate(
        zip(pair, (hue("blue"), hue("vermilion")), ("o", "s"), ("-", "--"), strict=True)
    ):
        value = score.value(vector)
        place_in_order = ", equal" if order == 0 else ", higher" if order == (-1 if place else 1) else ""
        axes.tricontour(
            *_heights(score), levels=[drawn(value)], colors=colour, linestyles=[style], linewidths=2
        )
        x, y = simplex_point(vector)
        axes.plot(
            [x],
            [y],
            marker=marker,
            markersize=9,
            linestyle=" ",
            color=colour,
            markeredgecolor=hue("ink"),
            zorder=6,
            label=f"{vector}: {value_text(value, places=4)}" + place_in_order,
        )


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
