"""Confidence intervals under all readings of the variance, side by side."""

from __future__ import annotations

from ntqr_exact.exact.value_text import value_text
from ntqr_exact.sampling.comparison import Comparison, Result
from ntqr_exact.sampling.normal_interval import Decision
from ntqr_exact.views.drawing_numbers import drawn
from ntqr_exact.views.plots.canvas import Axes, canvas, mark, note
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, styled


@styled
def plot_variance_readings(comparison: Comparison, *, axes: Axes | None = None) -> Axes:
    """Draw the interval f ± z√V of treatment − control under each reading, and what each one decides.

    Full markers: the interval leaves out 0; open ones: no difference is shown. The ends stand beside it. Source:
    Goyal, Hu and Gupta 2023, eqs. 8 and 14, and the other readings that are named in `VarianceReading`.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import MetricModel, compare
    >>> metric = MetricModel("0.8897", "0.22769")
    >>> found = compare(control=(108, 23679), treatment=(56, 23679), metric=metric)
    >>> [text.get_text() for text in plot_variance_readings(found, axes=Figure().subplots()).texts][:2]
    ['[-0.003254, -0.001138]  lower', '[-0.009776, 0.005384]  not shown']
    """
    axes = canvas(axes, height=4.4)
    results = comparison.results
    axes.axvline(0, color=hue("soft"), linewidth=1.2, linestyle="--")
    for place, result in enumerate(results):
        _draw(axes, result, place)
    names = [f"{result.reading.value}\naround {result.centre.value}" for result in results]
    axes.set_yticks(range(len(results)), names, fontsize=NOTE_SIZE)
    axes.set_ylim(len(results) - 0.5, -0.7)
    axes.locator_params(axis="x", nbins=4)
    critical = str(comparison.critical)
    told = critical if len(critical) < 70 else value_text(comparison.critical)
    axes.set_xlabel(f"treatment − control, with {told}")
    axes.set_title("One comparison under every reading of the variance")
    axes.grid(visible=True, axis="x")
    return axes


def _draw(axes: Axes, result: Result, place: int) -> None:
    low, high = map(drawn, result.interval.enclose())
    shown = result.decision is not Decision.NOT_SHOWN
    colour = hue("vermilion") if shown else hue("blue")
    axes.plot([low, high], [place, place], color=colour, linewidth=2, marker="|", markersize=10)
    at, fill = (drawn(result.interval.centre), place), colour if shown else hue("paper")
    mark(axes, at, "D" if shown else "o", 7, color=colour, markerfacecolor=fill)
    verdict = {Decision.LOWER: "lower", Decision.HIGHER: "higher", Decision.NOT_SHOWN: "not shown"}
    where = {"xycoords": ("axes fraction", "data"), "ha": "center", "va": "bottom", "color": colour}
    box = {"facecolor": hue("paper"), "edgecolor": "none", "pad": 0.5}
    note(axes, f"{result.interval}  {verdict[result.decision]}", (0.5, place), (0, 7), bbox=box, **where)
