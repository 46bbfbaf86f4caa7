"""The prevalence quadratic of three independent judges: A·P² − A·P + Π, its roots and its alarms (figures 5 to 8)."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import alarm_lines
from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import defined
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution, PrevalenceQuadratic
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import (
    BLUE,
    GREEN,
    GREY,
    PURPLE,
    SKY,
    VERMILION,
    canvas,
    legend_below,
    note,
    plain,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STEPS = 200
_MARKS = ((GREEN, "--", "^"), (PURPLE, "-.", "s"), (GREY, ":", "D"))


def plot_prevalence_quadratic(
    solution: IndependentSolution,
    *,
    marks: Mapping[str, RationalLike] = FrozenMapping({}),
    axes: Axes | None = None,
) -> Axes:
    """Draw A·P² − A·P + Π over P, its real roots, the range [0, 1] in which a prevalence lies, and the alarms.

    `marks` are other values of P_a by name, such as the truth or the share by majority vote, drawn as upright
    lines. Source: Corrada-Emmanuel 2023, figures 5 to 8.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import example, solve_independent
    >>> solved = solve_independent(example("uci-adult-imaginary").votes)
    >>> plot_prevalence_quadratic(solved, axes=Figure().subplots()).get_title()
    'No real root: A is negative'

    Raises `NotSupported` where there is no quadratic: for other than three judges and two labels.
    """
    quadratic = solution.quadratic
    if quadratic is None:
        raise NotSupported(
            f"{len(solution.votes.judges)} judges and {len(solution.votes.labels)} labels",
            "the prevalence quadratic is that of three judges and two labels",
        )
    axes = canvas(axes, height=5)
    named = {name: rational(value) for name, value in marks.items()}
    roots = [defined(one.prevalence[solution.votes.labels[0]]) for one in solution.solutions]
    low, high = _reach([*roots, *named.values()])
    grid = [low + (high - low) * mpq(step, _STEPS) for step in range(_STEPS + 1)]
    axes.axvspan(0, 1, color=SKY, alpha=0.15, zorder=0)
    axes.axhline(0, color=GREY, linewidth=1)
    axes.plot(
        all_drawn(grid),
        all_drawn(quadratic(point) for point in grid),
        color=BLUE,
        linewidth=2,
        label=_equation(quadratic),
    )
    for number, root in enumerate(roots, start=1):
        text = f"root {number}: {with_decimal(root)}"
        if isinstance(root, Surd) and not root.is_real:
            axes.plot([], [], " ", label=f"{text} (imaginary)")
        else:
            axes.plot(
                [drawn(root)], [0], marker="o", markersize=9, linestyle=" ", color=VERMILION, label=text
            )
    for (name, value), (colour, style, marker) in zip(named.items(), _MARKS, strict=False):
        axes.axvline(
            drawn(value),
            color=colour,
            linestyle=style,
            linewidth=1.8,
            marker=marker,
            markevery=[0],
            label=f"{plain(name)}: {with_decimal(value)}",
        )
    axes.set_xlim(drawn(low), drawn(high))
    _write_alarms(axes, solution, quadratic)
    axes.set_xlabel(rf"$P_a$: share of the questions whose true label is {plain(solution.votes.labels[0])}")
    axes.set_ylabel(r"$A\,P^2 - A\,P + \Pi$")
    axes.set_title(_title(quadratic, roots), pad=14)  # above the power of ten of the axis
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3))
    legend_below(axes)
    return axes


def _reach(values: list[mpq | Surd]) -> tuple[mpq, mpq]:
    """Return where the picture begins and ends: around [0, 1] and every real value, rounded to tenths."""
    real = [value for value in values if not isinstance(value, Surd) or value.is_real]
    low, high = mpq(-1, 10), mpq(11, 10)
    for value in real:
        tenths = (value * 10).__floor__()
        low, high = min(low, mpq(tenths - 1, 10)), max(high, mpq(tenths + 2, 10))
    return low, high


def _equation(quadratic: PrevalenceQuadratic) -> str:
    return f"A·P² − A·P + Π,  A = {quadratic.leading},  Π = {quadratic.constant}"


def _title(quadratic: PrevalenceQuadratic, roots: list[mpq | Surd]) -> str:
    """Say what the roots are, looking at A: where T = 0 its root drops out of the double root P = 1/2."""
    if quadratic.leading == 0:
        return "No root: A is 0" if quadratic.constant else "No condition: A and Π are 0"
    if not roots:
        return "No evaluation with independent errors"
    if any(isinstance(root, Surd) and not root.is_rational for root in roots):
        if quadratic.leading < 0:
            return "No real root: A is negative"
        inside = all(0 <= root <= 1 for root in roots)
        return f"Roots {'in' if inside else 'outside'} [0, 1], but irrational: no shares of a finite test"
    if not Surd.sqrt(quadratic.leading).is_rational:
        kind = "negative" if quadratic.leading < 0 else "not a square"
        return f"Double root 1/2, but A is {kind}"
    return f"Rational roots {'in' if all(0 <= root <= 1 for root in roots) else 'outside'} [0, 1]"


def _write_alarms(axes: Axes, solution: IndependentSolution, quadratic: PrevalenceQuadratic) -> None:
    lines = list(alarm_lines(solution.alarms)) or [
        "No alarm: there is an answer key under which the errors are independent"
    ]
    # A parabola that opens upwards leaves the top of the middle free; one that opens downwards, the bottom.
    opens_up = quadratic.leading >= 0
    note(
        axes,
        "\n".join(fill(line, 62) for line in lines).replace("$", r"\$"),
        x=0.5,
        y=0.97 if opens_up else 0.03,
        ha="center",
        va="top" if opens_up else "bottom",
        color=VERMILION if solution.alarms else GREEN,
    )
    bottom, top = axes.get_ylim()
    room = (top - bottom) * (0.12 + 0.07 * len(lines))
    axes.set_ylim(*((bottom, top + room) if opens_up else (bottom - room, top)))
