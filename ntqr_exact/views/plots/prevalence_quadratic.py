"""The prevalence quadratic of three independent judges: A·P² − A·P + Π, its roots and its alarms (figures 5 to 8)."""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import alarm_lines
from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import defined
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution, PrevalenceQuadratic
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import short_decimal, with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.views.drawing_numbers import all_drawn, drawn
from ntqr_exact.views.plots.canvas import Axes, canvas, legend_below, mark, plain, subtitle
from ntqr_exact.views.plots.style import hue, styled, tell

_STEPS = 200
_MARKS = (("green", "--", "^"), ("purple", "-.", "s"), ("soft", ":", "D"))


@styled
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
    quadratic = quadratic_of(solution)
    axes = canvas(axes, height=5)
    named = {name: rational(value) for name, value in marks.items()}
    roots = first_shares(solution)
    low, high = reach([*roots, *named.values()])
    grid = [low + (high - low) * mpq(step, _STEPS) for step in range(_STEPS + 1)]
    axes.axvspan(0, 1, color=hue("sky"), alpha=0.12, zorder=0, linewidth=0)
    axes.axhline(0, color=hue("soft"), linewidth=1)
    (parabola,) = axes.plot(all_drawn(grid), all_drawn(map(quadratic, grid)), color=hue("blue"), linewidth=2)
    parabola.set_label(f"A·P² − A·P + Π,  A {_equals(quadratic.leading)},  Π {_equals(quadratic.constant)}")
    tell(parabola, f"A = {quadratic.leading}, Π = {quadratic.constant}")
    for number, root in enumerate(roots, start=1):
        if isinstance(root, Surd) and not root.is_real:
            axes.plot([], [], " ", label=f"root {number}: imaginary")
            continue
        point = mark(axes, (drawn(root), 0), color=hue("vermilion"))
        point.set_label(f"root {number}: {short_decimal(root)}")
        tell(point, f"root {number}: {with_decimal(root)}")
    for (name, value), (colour, style, marker) in zip(named.items(), _MARKS, strict=False):
        line = axes.axvline(drawn(value), color=hue(colour), linestyle=style, marker=marker, markevery=[0])
        line.set_label(f"{plain(name)}: {short_decimal(value)}")
        tell(line, f"{name}: {with_decimal(value)}")
    axes.set(xlim=(drawn(low), drawn(high)), ylabel="A·P² − A·P + Π", title=verdict(quadratic, roots))
    axes.set_xlabel(f"share of the questions whose true label is {plain(solution.votes.labels[0])}")
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3))
    # The power of ten stands above the axis, where the alarms are: beside the label it covers nothing.
    axes.yaxis.get_offset_text().set_x(-0.09)
    lines = list(alarm_lines(solution.alarms))
    calm = "No alarm: there is an answer key under which the errors are independent"
    subtitle(axes, lines or [calm], colour=hue("vermilion" if lines else "green"))
    legend_below(axes, ncols=2)
    return axes


def quadratic_of(solution: IndependentSolution) -> PrevalenceQuadratic:
    """Return the quadratic; raises `NotSupported` where there is none."""
    if solution.quadratic is None:
        given = f"{len(solution.votes.judges)} judges and {len(solution.votes.labels)} labels"
        raise NotSupported(given, "the prevalence quadratic is that of three judges and two labels")
    return solution.quadratic


def first_shares(solution: IndependentSolution) -> list[mpq | Surd]:
    """Return the share of the first label in each solution: the roots of the quadratic."""
    return [defined(one.prevalence[solution.votes.labels[0]]) for one in solution.solutions]


def reach(values: list[mpq | Surd]) -> tuple[mpq, mpq]:
    """Return where a picture of shares begins and ends: around [0, 1] and every real value, rounded to tenths.

    >>> reach([mpq(1, 2), mpq(5, 4), Surd.sqrt(-1)])
    (mpq(-1,10), mpq(7,5))
    """
    real = [value for value in values if not isinstance(value, Surd) or value.is_real]
    low, high = mpq(-1, 10), mpq(11, 10)
    for value in real:
        tenths = (value * 10).__floor__()
        low, high = min(low, mpq(tenths - 1, 10)), max(high, mpq(tenths + 2, 10))
    return low, high


def verdict(quadratic: PrevalenceQuadratic, roots: list[mpq | Surd]) -> str:
    """Say what the roots are, from the sign of A and whether it is a square; where T = 0, P = 1/2 is a double root."""
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


def _equals(value: mpq) -> str:
    caption = short_decimal(value)
    return caption if caption.startswith("≈") else f"= {caption}"
