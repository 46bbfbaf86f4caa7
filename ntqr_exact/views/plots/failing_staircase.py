"""How many judges must fail at each level: the staircase that is proven, what keys attain, and the truth."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingCurve
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.views.drawing_numbers import drawn
from ntqr_exact.views.plots.canvas import Axes, canvas, legend_below, whole_ticks
from ntqr_exact.views.plots.style import hue, styled


@styled
def plot_failing_judges(
    curve: FailingCurve, *, truth: CountEvaluation | None = None, axes: Axes | None = None
) -> Axes:
    """Draw the number of failing judges against the level: proven filled, attained by a key as a line, and the truth.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, failing_curve
    >>> axes = plot_failing_judges(failing_curve(VoteCounts({"ab": 1, "ba": 1, "aa": 2})), axes=Figure().subplots())
    >>> axes.get_ylabel()
    'failing judges of 2'
    """
    axes = canvas(axes, height=3.6)
    levels = [mpq(0), *(level for level, _ in curve.steps), mpq(1)]
    counts = [0, *(count for _, count in curve.steps)]
    across = [drawn(level) for level in levels]
    axes.fill_between(
        across,
        [*counts, counts[-1]],
        step="post",
        color=hue("orange"),
        alpha=0.6,
        linewidth=0,
        label="proven to fail, whatever the key",
    )
    points = [(drawn(level), count) for level, count in curve.attained]
    axes.plot(*zip(*points, strict=True), "o-", color=hue("ink"), label="fail under a key that is known")
    if truth is not None:
        shares = [_level(truth, j, curve.measure) for j in range(len(truth.correct))]
        grid = [mpq(n, 100) for n in range(101)]
        failing = [sum(share <= level for share in shares) for level in grid]
        axes.step(
            [drawn(level) for level in grid],
            failing,
            where="post",
            color=hue("soft"),
            linestyle="--",
            label="fail under the true key",
        )
    axes.set(xlim=(0, 1), ylim=(0, curve.judges), title="Judges that must fail")
    where = "every label" if curve.measure == "every_label" else "all questions"
    axes.set_xlabel(f"level: a judge passes if it is right on more than this share of {where}")
    axes.set_ylabel(f"failing judges of {curve.judges}")
    whole_ticks(axes.yaxis)
    legend_below(axes)
    return axes


def _level(truth: CountEvaluation, judge: int, measure: str) -> mpq:
    """Return the level from which on a judge fails under the true key."""
    right, sizes = truth.correct[judge], truth.key_counts
    if measure == "overall":
        return mpq(sum(right.values()), sum(sizes.values()))
    return min(mpq(right[label], size) for label, size in sizes.items() if size)
