"""ATC: the share of source and target below each threshold, and the threshold that is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ntqr_exact.confidence.atc import atc, atc_curve
from ntqr_exact.confidence.atc_values import AtcEstimate, AtcReading
from ntqr_exact.confidence.probability_vector import Vectors
from ntqr_exact.confidence.scores import ScoreLike, score_function
from ntqr_exact.errors import NotOrdered
from ntqr_exact.exact.log_sum_key import LogSumKey
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import canvas, legend_below, say
from ntqr_exact.views.plots.style import hue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_MARKERS = 40


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

    The options are those of `atc` without weights: `error`, `accuracy` or `labels`, `reading` and `tie_rule`.

    Under a reading that counts above the threshold the curves are P[s ≥ t]. Source: Maaz et al. 2023, eqs. 1 to 3.

    >>> from matplotlib.figure import Figure
    >>> source = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
    >>> axes = plot_atc(source, [["0.55", "0.45"], ["0.95", "0.05"]], error="1/5", axes=Figure().subplots())
    >>> axes.get_lines()[-1].get_label()
    'estimate for the target: 0.5'

    Raises what `atc` raises, and `NotOrdered` where a score of the source is infinite.
    """
    found = atc(source, target, score=score, **options)
    function = score_function(score)
    curve = atc_curve(source, target, score=function)
    values = [function.value(point.threshold_vector) for point in curve]
    if any(isinstance(value, LogSumKey) and value.infinite for value in values):
        raise NotOrdered(function.name, "an infinite score has no place on an axis", "draw another score")
    axes = canvas(axes, height=4.6)
    thresholds = all_drawn(values)
    share = found.reading.share
    # Strictly below t: between two scores the share is that of the upper one, so the step comes before it.
    marker = "o" if len(curve) <= _MOST_MARKERS else ""
    for name, shares, colour, style in (
        ("source", [share(point.source_below) for point in curve], hue("blue"), "-"),
        ("target", [share(point.target_below) for point in curve], hue("vermilion"), "--"),
    ):
        axes.plot(
            thresholds,
            all_drawn(shares),
            color=colour,
            linestyle=style,
            drawstyle="steps-pre",
            linewidth=1.8,
            marker=marker,
            markersize=4,
            label=f"{name}: P[{_side(found)}]",
        )
    _mark(axes, found)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel(f"threshold t on the score {function.name}")
    axes.set_ylabel(f"share with {_side(found)}")
    axes.set_title("Average thresholded confidence")
    axes.grid(visible=True)
    legend_below(axes, ncols=2)
    return axes


def _side(found: AtcEstimate) -> str:
    return "s ≥ t" if found.reading is AtcReading.ACCURACY_ABOVE else "s < t"


def _mark(axes: Axes, found: AtcEstimate) -> None:
    threshold = drawn(found.threshold)
    level = axes.axhline(drawn(found.gamma), color=hue("soft"), linestyle=":", linewidth=1.5)
    say(level, "Γ of the source: {}", found.gamma)
    cut = axes.axvline(threshold, color=hue("ink"), linestyle="-.", linewidth=1.2)
    say(cut, "threshold: {}", found.threshold)
    for name, value, marker, colour in (
        ("the source has there", found.source_share, "s", hue("blue")),
        ("estimate for the target", found.estimate, "D", hue("vermilion")),
    ):
        (mark,) = axes.plot(
            [threshold],
            [drawn(value)],
            marker=marker,
            markersize=9,
            linestyle=" ",
            color=colour,
            markeredgecolor=hue("ink"),
        )
        say(mark, f"{name}: {{}}", value)
