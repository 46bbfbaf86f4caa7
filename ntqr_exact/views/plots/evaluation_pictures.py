"""Evaluations in pictures: how many are possible and consistent, lines at key counts, the quadratic, correlations."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import alarm_lines
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluation import CountEvaluation, defined, rational_rate
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import counted, short_decimal, value_text, with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.varieties.closed_forms import single_interval
from ntqr_exact.varieties.compositions import KeyCounts, PossibleSet, check_key_counts
from ntqr_exact.varieties.consistent import ConsistentSet, PairPoint
from ntqr_exact.varieties.membership import Projection
from ntqr_exact.views.floats import all_drawn, drawn
from ntqr_exact.views.plots.style import (
    NOTE_SIZE,
    Axes,
    canvas,
    hue,
    legend_below,
    mark,
    member,
    note,
    plain,
    styled,
    tell,
    whole_ticks,
)
from ntqr_exact.votes.counts import Judge, VoteCounts

_Corner = tuple[int, int, int]
_STEPS = 200
_MARKS = (("green", "--", "^"), ("purple", "-.", "s"), ("soft", ":", "D"))
_MAX_CIRCLES = 60
_SUBTITLE_LETTERS = 14  # to an inch


def check_two_labels(votes: VoteCounts) -> None:
    """Raise `BadVotes` for other than two labels."""
    if len(votes.labels) != 2:
        raise BadVotes(votes.labels, "there must be two labels to draw evaluations")


@styled
def plot_evaluation_counts(votes: VoteCounts, *, axes: Axes | None = None) -> Axes:
    """Draw the number of evaluations of each judge at each Q_a: possible, then consistent with its answers.

    Possible are (Q_a + 1)(Q_b + 1), consistent min(Q_a, R_a) − max(0, Q_a − R_b) + 1, on a logarithmic axis; the
    legend gives the totals. Source: figure 2.

    >>> from matplotlib.figure import Figure
    >>> axes = plot_evaluation_counts(VoteCounts({"a": 1, "b": 2}), axes=Figure().subplots())
    >>> [line.get_label() for line in axes.get_lines()]
    ['possible: 20', 'judge J1: 6, at most 2 at once']

    Raises `BadVotes` for other than two labels.
    """
    check_two_labels(votes)
    axes = canvas(axes)
    a, b = votes.labels
    keys = range(votes.size + 1)
    possible = PossibleSet(questions=votes.size, labels=votes.labels)
    before = [possible.count_at({a: key, b: votes.size - key}) for key in keys]
    axes.plot(keys, before, color=hue("ink"), linewidth=2, label=f"possible: {value_text(possible.count())}")
    for index, judge in enumerate(votes.judges):
        own, look = Projection(votes.marginal(index)), member(index)
        after = [own.count_at({a: key, b: votes.size - key}) for key in keys]
        caption = f"judge {plain(judge)}: {value_text(own.count())}, at most {value_text(max(after))} at once"
        axes.plot(keys, after, label=caption, color=look.colour, linestyle=look.line, linewidth=2)
    axes.set_yscale("log")
    axes.set(xlim=(0, votes.size), xlabel=f"questions whose true label is {plain(a)}")
    whole_ticks(axes.xaxis)
    axes.set_ylabel("evaluations (logarithmic)")
    axes.set_title(f"Evaluations of a judge before and after its {value_text(votes.size)} answers")
    legend_below(axes, title="in all", ncols=2)
    axes.grid(visible=True)
    return axes


def plane_corners(votes: VoteCounts) -> list[_Corner]:
    """Return the corners of the consistent evaluations (Q_a, R^a, R^b) of one judge, in order round the plane.

    They are: nothing is a, all b answers are wrong, everything is a, all answers are right.

    >>> plane_corners(VoteCounts({"a": 2, "b": 1}))
    [(0, 0, 1), (1, 0, 0), (3, 2, 0), (2, 2, 1)]
    """
    right_a, right_b = votes.responses(0).values()
    return [(0, 0, right_b), (right_b, 0, 0), (votes.size, right_a, 0), (right_a, right_a, right_b)]


def line_ends(own: VoteCounts, key: int) -> list[_Corner]:
    """Return both ends (Q_a, R^a, R^b) of the line of one judge's consistent evaluations at Q_a.

    R^a − R^b = Q_a − R_b, where R_b is the number of its b answers.

    >>> line_ends(VoteCounts({"a": 2, "b": 1}), 2)
    [(2, 1, 0), (2, 2, 1)]
    """
    given_a, given_b = own.responses(0).values()
    return [(key, right, right - key + given_b) for right in single_interval(key, given_a, given_b)]


@styled
def plot_consistent_lines(
    votes: VoteCounts,
    key_counts: KeyCounts,
    *,
    evaluation: CountEvaluation | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the planes cut at key counts: for each judge the consistent (R^a, R^b), which lie on a line.

    `evaluation`, if the key is known, is marked on every line by a large marker with the judge's name.

    >>> from matplotlib.figure import Figure
    >>> cut = plot_consistent_lines(VoteCounts({"a": 2, "b": 1}), {"a": 2, "b": 1}, axes=Figure().subplots())
    >>> [list(map(int, line.get_xdata())) for line in cut.get_lines()]
    [[1, 2]]

    Raises `BadVotes` for other than two labels, `BadKeyCounts` for key counts of another test.
    """
    check_two_labels(votes)
    a, b = votes.labels
    key, other = check_key_counts(key_counts, votes.labels, votes.size)
    axes = canvas(axes, height=4.6)
    for index, judge in enumerate(votes.judges):
        own, look = votes.marginal(index), member(index)
        ends = [end[1:] for end in line_ends(own, key)]
        count = Projection(own).count_at(key_counts)
        form = {"color": look.colour, "linestyle": look.line, "marker": look.marker}
        (line,) = axes.plot(*zip(*ends, strict=True), clip_on=False, **form)
        line.set_label(f"{plain(judge)}: {count}")
        tell(line, f"{judge}: {count}, from {ends[0]} to {ends[1]}")
        if evaluation is not None:
            at = evaluation.correct[index][a], evaluation.correct[index][b]
            edge: Any = {"markeredgecolor": hue("ink"), "clip_on": False, "zorder": 5}
            tell(mark(axes, at, look.marker, color=look.colour, **edge), f"the true one of {judge}: {at}")
            note(axes, f"{plain(judge)}, true", at, (9, -3), va="top")
    axes.set(xlim=(0, key), ylim=(0, other))
    whole_ticks(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"right on the {value_text(key)} questions of {plain(a)}")
    axes.set_ylabel(f"right on the {value_text(other)} of {plain(b)}")
    axes.set_title(f"Consistent evaluations with {value_text(key)} questions of {plain(a)}")
    legend_below(axes, title="judge: how many", ncols=3)
    axes.grid(visible=True)
    return axes


# -- the prevalence quadratic -------------------------------------------------------------------------------


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
    >>> plot_prevalence_quadratic(solved, axes=Figure().subplots()).texts[0].get_text()[:23]
    'ALARM, negative product'

    Raises `NotSupported` unless the votes have three judges and two labels.
    """
    quadratic, labels = solution.quadratic, solution.votes.labels
    if quadratic is None:
        given = f"{counted(len(solution.votes.judges), 'judge')} and {len(labels)} labels"
        raise NotSupported(given, "votes must have three judges and two labels")
    axes = canvas(axes, height=5)
    named = {name: rational(value) for name, value in marks.items()}
    roots = [defined(one.prevalence[labels[0]]) for one in solution.solutions]
    real = [root for root in roots if not isinstance(root, Surd) or root.is_real]
    low, high = _reach([*real, *named.values()])
    grid = [low + (high - low) * mpq(step, _STEPS) for step in range(_STEPS + 1)]
    axes.axvspan(0, 1, color=hue("sky"), alpha=0.12, zorder=0, linewidth=0)
    axes.axhline(0, color=hue("soft"), linewidth=1)
    (parabola,) = axes.plot(all_drawn(grid), all_drawn(map(quadratic, grid)), color=hue("blue"), linewidth=2)
    parabola.set_label(f"A·P² − A·P + Π,  A {_equals(quadratic.leading)},  Π {_equals(quadratic.constant)}")
    tell(parabola, f"A = {quadratic.leading}, Π = {quadratic.constant}")
    for number, root in enumerate(roots, start=1):
        if root not in real:
            axes.plot([], [], " ", label=f"root {number}: imaginary")
            continue
        point = mark(
            axes, (drawn(root), 0), color=hue("vermilion"), label=f"root {number}: {short_decimal(root)}"
        )
        tell(point, f"root {number}: {with_decimal(root)}")
    for (name, value), (colour, style, marker) in zip(named.items(), _MARKS, strict=False):
        line = axes.axvline(drawn(value), color=hue(colour), linestyle=style, marker=marker, markevery=[0])
        line.set_label(f"{plain(name)}: {short_decimal(value)}")
        tell(line, f"{name}: {with_decimal(value)}")
    axes.set(xlim=(drawn(low), drawn(high)), ylabel="A·P² − A·P + Π")
    axes.set_xlabel(f"share of the questions whose true label is {plain(labels[0])}")
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3))
    # The power of ten would be above the axis, where the alarms are: next to the label it covers nothing.
    axes.yaxis.get_offset_text().set_x(-0.09)
    lines = list(alarm_lines(solution.alarms))
    calm = "No alarm: there is an answer key under which the errors are independent"
    across = int(_SUBTITLE_LETTERS * axes.figure.get_figwidth())  # type: ignore[union-attr]
    text = "\n".join(fill(line, across) for line in lines or [calm]).replace("$", r"\$")
    where = {"xycoords": "axes fraction", "ha": "center", "va": "bottom", "annotation_clip": False}
    note(axes, text, (0.5, 1), (0, 8), color=hue("vermilion" if lines else "green"), **where)
    axes.set_title("Roots of the prevalence quadratic", pad=14 + 1.3 * NOTE_SIZE * (text.count("\n") + 1))
    legend_below(axes, ncols=2)
    return axes


def _reach(values: list[mpq | Surd]) -> tuple[mpq, mpq]:
    """Return where a picture of shares begins and ends: around [0, 1] and every value, in tenths."""
    tenths = [(value * 10).__floor__() for value in (mpq(0), mpq(9, 10), *values)]
    return mpq(min(tenths) - 1, 10), mpq(max(tenths) + 2, 10)


def _equals(value: mpq) -> str:
    caption = short_decimal(value)
    return caption if caption.startswith("≈") else f"= {caption}"


# -- error correlations -------------------------------------------------------------------------------------


@styled
def plot_pair_correlations(
    votes: VoteCounts, evaluation: CountEvaluation, first: Judge, second: Judge, *, axes: Axes | None = None
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
    points = ConsistentSet(votes).pair_correlations(evaluation, first, second)
    if not points or not all(evaluation.key_counts.values()):
        raise BadVotes(evaluation, "grades must be consistent with the votes, with questions of both labels")
    a, b = votes.labels
    axes = canvas(axes)
    across, up = zip(*(map(rational_rate, point.correlations) for point in points), strict=True)
    axes.axhline(0, color=hue("soft"), linewidth=0.8)
    axes.axvline(0, color=hue("soft"), linewidth=0.8)
    cross = {"color": hue("vermilion"), "markeredgewidth": 2}
    mark(axes, (0, 0), "+", 12, label="independent: (0, 0)", **cross)
    marker, size = ("o", 4) if len(points) <= _MAX_CIRCLES else (".", 6)
    look: Any = {"color": hue("blue"), "markersize": size, "label": f"consistent: {len(points)}"}
    axes.plot(all_drawn(across), all_drawn(up), marker, **look)
    # The line falls from left to right: above its left end and below its right end nothing else is drawn.
    ends = [(points[0], 1, "left", "bottom"), (points[-1], -1, "right", "top")]
    for point, way, side, edge in ends[: min(len(points), 2)]:
        x, y = (drawn(rational_rate(value)) for value in point.correlations)
        note(axes, _end_text(point, a), (x, y), (6 * way, 6 * way), ha=side, va=edge)
    count = evaluation.key_counts
    fixed = (mpq(count[a]) * across[0] + mpq(count[b]) * up[0]) / evaluation.size
    axes.margins(x=0.08, y=0.24)
    axes.set(xlabel=f"error correlation on {plain(a)}", ylabel=f"error correlation on {plain(b)}")
    names = [plain(votes.judges[votes.place(judge)]) for judge in (first, second)]
    axes.set_title(f"Judges {names[0]} and {names[1]}: {len(points)} consistent pairs of correlations")
    legend_below(axes, title=f"share-weighted sum of both: {short_decimal(fixed)} at every point", ncols=2)
    return axes


def _end_text(point: PairPoint, label: str) -> str:
    gammas = ", ".join(short_decimal(rational_rate(value)) for value in point.correlations)
    return f"both right on {plain(label)}: {point.both_right[0]}\n({gammas})"
