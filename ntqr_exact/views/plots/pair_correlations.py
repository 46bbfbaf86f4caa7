"""The error correlations of two judges that go with given grades: whole points on a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation, rational_rate
from ntqr_exact.exact.value_text import short_decimal
from ntqr_exact.varieties.correlations import PairPoint, pair_correlations
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import canvas, legend_below, plain
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, styled
from ntqr_exact.votes.counts import Judge, VoteCounts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_MARKERS = 60


@styled
def plot_pair_correlations(
    votes: VoteCounts,
    evaluation: CountEvaluation,
    first: Judge,
    second: Judge,
    *,
    axes: Axes | None = None,
) -> Axes:
    """Draw all (Γ^a, Γ^b) of two judges that are consistent with the votes and everyone's own grades.

    They are whole points on the line on which P_aΓ^a + P_bΓ^b is what votes and grades make it: an interval,
    not one point. Source: Corrada-Emmanuel 2023, section 4, eqs. 24 to 26.

    >>> from matplotlib.figure import Figure
    >>> votes = VoteCounts({"aa": 1, "ab": 1, "ba": 1, "bb": 1})
    >>> grades = CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 1, "b": 1}, {"a": 1, "b": 1}])
    >>> plot_pair_correlations(votes, grades, 0, 1, axes=Figure().subplots()).get_title()
    'Judges J1 and J2: 2 consistent pairs of correlations'

    Raises `BadVotes` for grades that the votes do not allow or with a label without questions, `NotSupported` for
    other than two labels and two or three judges.
    """
    points = pair_correlations(votes, evaluation, first, second)
    if not points:
        raise BadVotes(evaluation, "these grades are not consistent with the votes, so no correlations are")
    a, b = votes.labels
    if not all(evaluation.key_counts.values()):
        raise BadVotes(evaluation, "a label without questions has no correlations to draw")
    axes = canvas(axes)
    across, up = zip(*(map(rational_rate, point.correlations) for point in points), strict=True)
    axes.axhline(0, color=hue("soft"), linewidth=0.8)
    axes.axvline(0, color=hue("soft"), linewidth=0.8)
    axes.plot(
        [0], [0], "+", color=hue("vermilion"), markersize=12, markeredgewidth=2, label="independent: (0, 0)"
    )
    few = len(points) <= _MOST_MARKERS
    axes.plot(
        all_drawn(across),
        all_drawn(up),
        color=hue("blue"),
        marker="o" if few else ".",
        markersize=4 if few else 6,
        linestyle=" ",
        label=f"consistent: {len(points)}",
    )
    # The line falls from left to right: above its left end and below its right end nothing else is drawn.
    ends = [(points[0], 1, "left", "bottom"), (points[-1], -1, "right", "top")]
    for point, way, side, edge in ends[: min(len(points), 2)]:
        axes.annotate(
            _end_text(point, a),
            (drawn(rational_rate(point.correlations[0])), drawn(rational_rate(point.correlations[1]))),
            xytext=(6 * way, 6 * way),
            textcoords="offset points",
            ha=side,
            va=edge,
            fontsize=NOTE_SIZE,
        )
    fixed = (
        mpq(evaluation.key_counts[a], evaluation.size) * across[0]
        + mpq(evaluation.key_counts[b], evaluation.size) * up[0]
    )
    axes.margins(x=0.08, y=0.24)
    axes.set_xlabel(f"error correlation on {plain(a)}")
    axes.set_ylabel(f"error correlation on {plain(b)}")
    names = [plain(votes.judges[votes.place(judge)]) for judge in (first, second)]
    axes.set_title(f"Judges {names[0]} and {names[1]}: {len(points)} consistent pairs of correlations")
    legend_below(axes, title=f"share-weighted sum of both: {short_decimal(fixed)} at every point", ncols=2)
    return axes


def _end_text(point: PairPoint, label: str) -> str:
    gammas = ", ".join(short_decimal(rational_rate(value)) for value in point.correlations)
    return f"both right on {plain(label)}: {point.both_right[0]}\n({gammas})"
