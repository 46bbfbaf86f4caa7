"""Figures 1 to 8 of Corrada-Emmanuel 2023, drawn from data, with what their captions misprint.

What a caption says is kept beside what is computed; a correction is shown where the two differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadNumber
from ntqr_exact.evaluation import Evaluation, defined, rational_rate
from ntqr_exact.evaluators.independent.independent_solution import joint_counts
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.value_text import grouped
from ntqr_exact.examples import example
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.views.plots.canvas import Axes
from ntqr_exact.views.plots.evaluations import (
    plot_consistent_planes,
    plot_evaluation_counts,
    plot_possible_wedge,
)
from ntqr_exact.views.plots.prevalence_quadratic import plot_prevalence_quadratic
from ntqr_exact.views.plots.style import NOTE_SIZE, hue, styled
from ntqr_exact.votes.counts import VoteCounts

SYNTHETIC = Evaluation.from_accuracies(
    {"a": "19/20", "b": "1/20"},
    [{"a": "18/25", "b": "11/100"}, {"a": "41/50", "b": "19/50"}, {"a": "71/100", "b": "43/50"}],
)
"""The independent judges of table 8; table 9 gives the shares of their votes."""

SYNTHETIC_QUESTIONS = 5_000_000
"""The fewest questions on which these judges can err independently: table 9 has this denominator."""


@dataclass(frozen=True, slots=True)
class FigureDetail:
    """Something that a figure or its caption says, beside what it should say."""

    figure: int
    what: str
    printed: str
    right: str

    @property
    def is_right(self) -> bool:
        """Whether the two are the same."""
        return self.printed == self.right

    @property
    def citation(self) -> Citation:
        """Where it is printed."""
        return Citation("ntqr", f"figure {self.figure}")

    def __str__(self) -> str:
        """Return the correction in words, or that it holds."""
        if self.is_right:
            return f"{self.what}: {self.printed}, as printed"
        return f"{self.what}: {self.right}, printed {self.printed}"


def synthetic_votes() -> VoteCounts:
    """Return the votes of the synthetic test of tables 8 and 9, five million questions.

    >>> synthetic_votes().frequency("aaa")
    mpq(2010437,5000000)
    """
    judges = VoteCounts({"aaa": SYNTHETIC_QUESTIONS})
    total: dict[tuple[str, ...], mpq] = {}
    for counts in joint_counts(judges, SYNTHETIC).values():
        for pattern, count in counts.items():
            total[pattern] = total.get(pattern, mpq(0)) + count
    return VoteCounts(total, ("a", "b"), ("1", "2", "3"))


def printed_in_figure(number: int) -> list[FigureDetail]:
    """Return what a figure's caption says, each beside what is computed from the data.

    >>> [str(claim) for claim in printed_in_figure(7) if not claim.is_right]
    ['majority vote estimates P_a: 291/500 (582 of 1000), printed 443/1000']

    Raises `BadNumber` for a figure that there is not.
    """
    _, claims, name = _figure(number)
    return claims(number, name)


@styled
def reproduce_figure(number: int, *, axes: Axes | None = None) -> Axes:
    """Draw a figure of Corrada-Emmanuel 2023 from data, and write corrections of its caption below.

    Figures 1, 3 and 4 take three-dimensional axes. The tests behind figures 2 to 4 and 6 to 8 are those that
    the majority-vote columns of tables 2 to 7 determine; figure 5 is the synthetic test of tables 8 and 9.

    >>> from matplotlib.figure import Figure
    >>> reproduce_figure(5, axes=Figure().subplots()).get_title()
    'Figure 5: Rational roots in [0, 1]'

    Raises `BadNumber` for a figure that there is not, `MissingExtra` without matplotlib.
    """
    draw, claims, name = _figure(number)
    drawing: Any = draw(name, axes)
    drawing.title.set_text(f"Figure {number}: {drawing.get_title()}")
    wrong = [claim for claim in claims(number, name) if not claim.is_right]
    if axes is None and wrong:
        # Text of a caller's own figure is the caller's; `printed_in_figure` gives the same corrections.
        lines = "\n".join(fill(f"Corrected: {claim}", 92) for claim in wrong)
        drawing.figure.supxlabel(lines, x=0.02, ha="left", fontsize=NOTE_SIZE, color=hue("vermilion"))
    return drawing  # type: ignore[no-any-return]


def _figure(number: int) -> tuple[Callable[..., Axes], Callable[..., list[FigureDetail]], str]:
    if isinstance(number, bool) or number not in _FIGURES:
        raise BadNumber(number, f"the figures are {min(_FIGURES)} to {max(_FIGURES)}")
    return _FIGURES[number]


# -- what the captions say -----------------------------------------------------------------------------


def _wedge_claims(figure: int, _: str) -> list[FigureDetail]:
    return [FigureDetail(figure, "right answers on the a questions", "$R^b_{a_i}$", "$R^a_{a_i}$")]


def _count_claims(figure: int, name: str) -> list[FigureDetail]:
    size = example(name).votes.size
    total = grouped(PossibleSet(questions=size).count())
    return [FigureDetail(figure, f"possible evaluations of one judge, Q = {size}", "167,668,501", total)]


def _plane_claims(figure: int, name: str) -> list[FigureDetail]:
    """Judge the second line of eq. 16, which the planes are said to be, at the true evaluation of the first judge."""
    shown = example(name)
    a, b = shown.votes.labels
    given, right = shown.votes.responses(0), shown.evaluation.correct[0]
    what = f"eq. 16 for judge {shown.votes.judges[0]}, where $R^a_{{a_i}} - R^b_{{b_i}}$ is {right[a] - right[b]}"
    printed = f"$R_{{a_i}} - R_{{b_i}}$ = {given[a] - given[b]}"
    corrected = f"$Q_a - R_{{b_i}}$ = {shown.key_counts[a] - given[b]}"
    return [FigureDetail(figure, what, printed, corrected)]


def _synthetic_claims(figure: int, _: str) -> list[FigureDetail]:
    roots = [rational_rate(one.prevalence["a"]) for one in solve_independent(synthetic_votes()).solutions]
    return [FigureDetail(figure, "a root of the quadratic", "19/20", str(max(roots)))]


_PRINTED = {
    6: ("443/1000", "362/1000", ""),
    7: ("443/1000", "", ""),
    8: ("447/1000", "211/1000", "11686017/25000000000"),
}
"""What the captions of the tests print: the share by majority vote, a root, and the leading coefficient."""


def _test_claims(figure: int, name: str) -> list[FigureDetail]:
    votes = example(name).votes
    majority, estimate, leading = _PRINTED[figure]
    solution = solve_independent(votes)
    by_majority = rational_rate(majority_vote(votes).evaluation.prevalence["a"])
    claims = [_share_claim(figure, "majority vote estimates P_a", majority, by_majority, votes.size)]
    if estimate:
        root = min(defined(one.prevalence["a"]) for one in solution.solutions)
        nearest = rational(fixed_text(root, 3))
        claims.append(_share_claim(figure, "the root as the nearest count", estimate, nearest, votes.size))
    if leading and solution.quadratic is not None:
        right = str(solution.quadratic.leading)
        claims.append(FigureDetail(figure, "the leading coefficient A", leading, right))
    return claims


def _share_claim(figure: int, what: str, printed: str, right: mpq, size: int) -> FigureDetail:
    """Compare shares as numbers: 362/1000 and 181/500 are the same."""
    told = printed if rational(printed) == right else f"{right} ({right * size} of {size})"
    return FigureDetail(figure, what, printed, told)


# -- what is drawn ---------------------------------------------------------------------------------------


def _draw_wedge(_: str, axes: Axes | None) -> Any:
    return plot_possible_wedge(20, axes=axes)


def _draw_counts(name: str, axes: Axes | None) -> Axes:
    return plot_evaluation_counts(example(name).votes, axes=axes)


def _draw_planes(name: str, axes: Axes | None) -> Any:
    return plot_consistent_planes(example(name).votes, evaluation=example(name).evaluation, axes=axes)


def _draw_synthetic(_: str, axes: Axes | None) -> Axes:
    truth = rational_rate(SYNTHETIC.prevalence["a"])
    return plot_prevalence_quadratic(solve_independent(synthetic_votes()), marks={"truth": truth}, axes=axes)


def _draw_test(name: str, axes: Axes | None) -> Axes:
    shown = example(name)
    marks = {
        "truth": mpq(shown.key_counts["a"], shown.votes.size),
        "majority vote": rational_rate(majority_vote(shown.votes).evaluation.prevalence["a"]),
    }
    return plot_prevalence_quadratic(solve_independent(shown.votes), marks=marks, axes=axes)


_FIGURES: dict[int, tuple[Callable[..., Axes], Callable[..., list[FigureDetail]], str]] = {
    1: (_draw_wedge, _wedge_claims, ""),
    2: (_draw_counts, _count_claims, "two-norm"),
    3: (_draw_planes, _plane_claims, "two-norm"),
    4: (_draw_planes, _plane_claims, "uci-adult"),
    5: (_draw_synthetic, _synthetic_claims, ""),
    6: (_draw_test, _test_claims, "two-norm"),
    7: (_draw_test, _test_claims, "uci-adult-imaginary"),
    8: (_draw_test, _test_claims, "uci-adult"),
}
"""What draws a figure, what its caption says, and the test of the source that it shows."""
