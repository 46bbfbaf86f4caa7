"""Judges in pictures: their grades, how many must fail, at which keys all could be safe, ranges against dependence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingCurve
from ntqr_exact.alarms.misalignment import SafeRegion
from ntqr_exact.answer import Answer
from ntqr_exact.dependence.bounds import EvaluationWithin
from ntqr_exact.dependence.measure import bound_text, dependence_of
from ntqr_exact.dependence.products import KeyQuantity
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.sampling.designs import check_level
from ntqr_exact.sampling.intervals import IntervalMethod, coverage_of
from ntqr_exact.varieties.compositions import check_key_counts, count_compositions
from ntqr_exact.views.floats import all_drawn, drawn
from ntqr_exact.views.plots.style import (
    CORNERS,
    NOTE_SIZE,
    Axes,
    Figure,
    canvas,
    draw_triangle,
    hue,
    legend_below,
    mark,
    member,
    panels,
    plain,
    simplex_point,
    styled,
    tell,
    whole_ticks,
)
from ntqr_exact.votes.labeled import LabeledVoteCounts

_COMPARED = (
    IntervalMethod.WALD_CORRECTED,
    IntervalMethod.WILSON_CORRECTED,
    IntervalMethod.CLOPPER_PEARSON,
    IntervalMethod.CENTRAL,
)


@styled
def plot_judge_grades(columns: Mapping[str, Mapping[str, Any]], *, axes: Axes | None = None) -> Axes:
    """Draw the share of right answers of each judge by several columns: a point, or a bar where it is a range.

    A column maps judges to a number, to two ends, or to `None`. A row is a judge, in the order of the first column. The
    axis shows all points and ranges up to 1/2 wide.

    >>> from matplotlib.figure import Figure
    >>> columns = {"majority": {"A": mpq(4, 5), "B": mpq(9, 10)}, "graded": {"A": (mpq(1, 2), mpq(3, 4))}}
    >>> drawing = plot_judge_grades(columns, axes=Figure().subplots())
    >>> [tick.get_text() for tick in drawing.get_yticklabels()]
    ['A', 'B']

    Raises `BadVotes` where there is nothing to draw.
    """
    grades = {
        name: {judge: share for judge, share in column.items() if share is not None}
        for name, column in columns.items()
    }
    grades = {name: column for name, column in grades.items() if column}
    if not grades:
        raise BadVotes(columns, "columns must have a grade to draw")
    judges = list(dict.fromkeys(judge for column in grades.values() for judge in column))
    axes = canvas(axes, height=1.2 + len(judges) * max(0.25, 0.12 * len(grades)))
    informative: list[Any] = []
    for number, (name, column) in enumerate(grades.items()):
        look = member(number)
        for judge, share in column.items():
            low, high = share if isinstance(share, tuple) else (share, share)
            informative += [low, high] if high - low <= mpq(1, 2) else []
            height = judges.index(judge) + (number - (len(grades) - 1) / 2) * 0.8 / len(grades)
            if low == high:
                artist = mark(axes, (drawn(low), height), look.marker, 5, color=look.colour)
                tell(artist, f"{name}: {value_text(low)}")
            else:
                form: dict[str, Any] = {
                    "marker": "|",
                    "markersize": 6,
                    "solid_capstyle": "butt",
                    "linewidth": 3,
                }
                (artist,) = axes.plot([drawn(low), drawn(high)], [height] * 2, color=look.colour, **form)
                tell(artist, f"{name}: {value_text(low)} to {value_text(high)}")
        artist.set_label(plain(name))
    if informative:  # a wide range is cut at the edges: it would push the others together
        low, high = min(informative), max(informative)
        margin = max((high - low) / 10, mpq(1, 50))
        axes.set_xlim(drawn(low - margin), drawn(high + margin))
    axes.set_yticks(range(len(judges)), [plain(judge) for judge in judges])
    axes.set(ylim=(len(judges) - 0.5, -0.5), xlabel="share of right answers")
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="x")
    for row in range(1, len(judges)):
        axes.axhline(row - 0.5, color=hue("line"), linewidth=0.6)
    legend_below(axes, ncols=3)
    return axes


@styled
def plot_coverage(size: int, graded: int, *, level: RationalLike = "0.95", axes: Axes | None = None) -> Axes:
    """Draw the exact coverage of several intervals for every truth, and the level that they promise."""
    axes = canvas(axes)
    share = check_level(level)
    for index, method in enumerate(_COMPARED):
        values, look = all_drawn(coverage_of(method, size=size, graded=graded, level=share)), member(index)
        width = 2 if method is IntervalMethod.CENTRAL else 1
        label = method.value.replace("_", " ")
        axes.plot(
            range(size + 1), values, label=label, color=look.colour, linestyle=look.line, linewidth=width
        )
    promised = f"promised: {short_decimal(share)}"
    axes.axhline(drawn(share), color=hue("ink"), linewidth=1, linestyle=":", label=promised)
    axes.set(xlim=(0, size), xlabel="right answers among all questions", ylabel="coverage")
    whole_ticks(axes.xaxis)
    axes.set_title(f"Exact coverage with {graded} of {size} questions graded")
    axes.grid(visible=True)
    legend_below(axes, ncols=3)
    return axes


# -- failing judges -----------------------------------------------------------------------------------------


@styled
def plot_failing_judges(
    curve: FailingCurve, *, truth: CountEvaluation | None = None, axes: Axes | None = None
) -> Axes:
    """Draw the number of failing judges against the level: proven filled, attained by a key as a line, and the truth.

    A key that attains a number at a level attains it at all lower levels. The levels begin where a judge fails.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, failing_curve
    >>> axes = plot_failing_judges(failing_curve(VoteCounts({"ab": 1, "ba": 1, "aa": 2})), axes=Figure().subplots())
    >>> axes.get_ylabel()
    'failing judges of 2'
    """
    axes = canvas(axes, height=3.6)
    steps = [*curve.steps, (mpq(1), max((count for _, count in curve.steps), default=0))]
    lines = {"fail under some answer key": list(curve.attained)}
    if truth is not None:
        shares = sorted(_level(truth, judge, curve.measure) for judge in range(len(truth.correct)))
        points = [(shares[0], 0), *((share, n) for n, share in enumerate(shares, start=1))]
        lines["fail under the true key"] = [*points, (mpq(1), len(shares))]
    levels, counts = zip(*steps, strict=True)
    area: dict[str, Any] = {"color": hue("orange"), "alpha": 0.6, "linewidth": 0, "step": "post"}
    axes.fill_between(all_drawn(levels), counts, label="proven to fail, whatever the key", **area)
    looks: list[dict[str, Any]] = [
        {"where": "pre", "color": hue("ink"), "marker": "o", "markersize": 5},
        {"where": "post", "color": hue("soft"), "linestyle": "--"},
    ]
    for (name, points), look in zip(lines.items(), looks, strict=False):
        across, up = zip(*points, strict=True)
        axes.step(all_drawn(across), up, label=name, **look)
    failing = [level for points in (steps, *lines.values()) for level, count in points if count]
    start = min(failing, default=mpq(0))
    axes.set(xlim=(drawn(max(mpq(0), start - mpq(1, 20))), 1), ylim=(0, curve.judges + 0.1))
    axes.set(title="Judges that must fail", ylabel=f"failing judges of {curve.judges}")
    where = "every label" if curve.measure == "every_label" else "all questions"
    axes.set_xlabel(f"level: to pass, be right on more than this share of {where}")
    whole_ticks(axes.yaxis)
    legend_below(axes)
    return axes


def _level(truth: CountEvaluation, judge: int, measure: str) -> mpq:
    """Return the level from which on a judge fails under the true key."""
    right, sizes = truth.correct[judge], truth.key_counts
    if measure == "overall":
        return mpq(sum(right.values()), sum(sizes.values()))
    return min(mpq(right[label], size) for label, size in sizes.items() if size)


# -- safe keys ----------------------------------------------------------------------------------------------


@styled
def plot_safe_keys(
    regions: SafeRegion | Iterable[SafeRegion],
    *,
    true_key: Mapping[str, int] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw the key counts at which all judges could be safe; elsewhere some judge is not.

    Two labels are a bar over the questions of the first, three a triangle with a dot for each key count. Several
    regions, such as those of judges alone and of all together, are drawn in one picture. `true_key` is marked.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import SafeRegion, VoteCounts
    >>> axes = plot_safe_keys(SafeRegion(VoteCounts({"ab": 1, "ba": 1})), axes=Figure().subplots())
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['all judges together\\nALARM: 0 of 3 keys']

    Raises `BadVotes` for one label or more than three, and for regions of different tests.
    """
    rows = [regions] if isinstance(regions, SafeRegion) else list(regions)
    if not rows or any(row.votes != rows[0].votes for row in rows):
        raise BadVotes(len(rows), "regions must be those of one test")
    votes = rows[0].votes
    if len(votes.labels) not in (2, 3):
        raise BadVotes(votes.labels, "there must be two or three labels")
    key = None if true_key is None else check_key_counts(true_key, votes.labels, votes.size)
    points = [[tuple(point.values()) for point in row] for row in rows]
    names = ["each judge alone" if row.group_size == 1 else "all judges together" for row in rows]
    if len(votes.labels) == 2:
        return _bars(votes, list(zip(names, points, strict=True)), key, axes)
    axes = canvas(axes, height=5)
    axes.fill(*zip(*CORNERS, strict=True), **{**_look(safe=False), "alpha": 0.25})
    draw_triangle(axes, [f"all {plain(label)}" for label in votes.labels])
    total = value_text(count_compositions(votes.size, len(votes.labels)))
    for index, (name, safe) in enumerate(zip(names, points, strict=True)):
        across, up = zip(*map(_place, safe), strict=True) if safe else ((), ())
        look: Any = {"color": member(index).colour, "markersize": 7 - 3 * index, "zorder": 4 + index}
        axes.plot(across, up, ".", label=f"{name}: {value_text(len(safe))} of {total}", **look)
    if key is not None:
        mark(axes, _place(key), "*", 13, color=hue("ink"), zorder=7, label=f"the true key {key}")
    axes.set_title("Key counts at which all judges could be safe")
    legend_below(axes, borderaxespad=1)
    return axes


def _bars(
    votes: Any, rows: list[tuple[str, list[tuple[int, ...]]]], key: tuple[int, ...] | None, axes: Axes | None
) -> Axes:
    from matplotlib.patches import Patch

    axes = canvas(axes, height=1.7 + 0.5 * len(rows))
    labels = []
    for row, (name, points) in enumerate(rows):
        safe = {point[0] for point in points}
        for is_safe, group in groupby(range(votes.size + 1), key=safe.__contains__):
            keys = list(group)
            width = len(keys)
            axes.barh(row, width, left=keys[0] - 0.5, height=0.5, zorder=2 + is_safe, **_look(safe=is_safe))
            if is_safe:
                text = str(keys[0]) if width == 1 else f"{keys[0]} to {keys[-1]}"
                box = {"facecolor": hue("paper"), "edgecolor": "none", "pad": 1}
                above = 0.38 * (8 * width < votes.size)  # a narrow bar has its numbers above it
                look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": NOTE_SIZE, "zorder": 6}
                axes.text((keys[0] + keys[-1]) / 2, row - above, text, bbox=box, **look)
        verdict = "safe" if safe else "ALARM"
        labels.append(f"{name}\n{verdict}: {len(safe)} of {votes.size + 1} keys")
    axes.set_yticks(range(len(rows)), labels, fontsize=9)
    axes.set_ylim(len(rows) - 0.35, -0.65)
    names = ((True, "all judges could be safe"), (False, "some judge is not safe"))
    handles: list[Any] = [Patch(label=name, **_look(safe=safe)) for safe, name in names]
    if key is not None:
        line = {"color": hue("soft"), "linestyle": "--", "linewidth": 1.8, "zorder": 5}
        handles.append(axes.axvline(key[0], label=f"the true number: {key[0]}", **line))  # type: ignore[arg-type]
    axes.set(xlim=(-0.5, votes.size + 0.5), title=f"Safe key counts of {votes.size} questions")
    axes.set_xlabel(f"questions whose true label is {plain(votes.labels[0])}")
    whole_ticks(axes.xaxis)
    legend_below(axes, handles=handles, ncols=2)
    return axes


def _look(*, safe: bool) -> dict[str, Any]:
    """Return the look of a bar: open where all judges could be safe, hatched where some judge is not."""
    if safe:
        return {"facecolor": hue("paper"), "edgecolor": hue("green"), "linewidth": 2}
    return {"facecolor": hue("orange"), "edgecolor": hue("ink"), "hatch": "//", "alpha": 0.6, "linewidth": 0}


def _place(key: tuple[int, ...]) -> tuple[float, float]:
    return simplex_point(mpq(count, sum(key)) for count in key)


# -- ranges against dependence ------------------------------------------------------------------------------


@styled
def plot_dependence_funnel(
    ranges: Sequence[EvaluationWithin],
    *,
    proven: mpq | None = None,
    key: LabeledVoteCounts | None = None,
    figure: Figure | None = None,
) -> list[Axes]:
    """Draw the proven range of the first label's share and of each judge's right answers at growing budgets.

    Each has a panel of its own. `proven` marks the least dependence that no key falls below; a `key` is drawn at its
    own dependence. Budgets that no key meets have no range.

    >>> from matplotlib.figure import Figure
    >>> from ntqr_exact import VoteCounts, evaluate_within
    >>> ranges = [evaluate_within(VoteCounts({"aaa": 2, "bbb": 2}), budget) for budget in ("0.01", "0.02")]
    >>> [axes.get_title() for axes in plot_dependence_funnel(ranges, figure=Figure())]
    ['share of a', 'J1 right in all', 'J2 right in all', 'J3 right in all']

    Raises `BadVotes` where there is nothing to draw.
    """
    known = [each for each in ranges if each.existence is not Answer.NO]
    if not known:
        raise BadVotes(ranges, "some key must be within one of these budgets")
    known.sort(key=lambda each: each.correlation)
    votes = known[0].votes
    goals = {f"share of {votes.labels[0]}": KeyQuantity(votes.labels[0])}
    goals |= {f"{judge} right in all": KeyQuantity(None, judge) for judge in votes.judges}
    budgets = all_drawn(each.correlation for each in known)
    drawings = panels(figure, len(goals), height=2.2, sharex=True, sharey=True)
    for index, ((name, goal), axes) in enumerate(zip(goals.items(), drawings, strict=True)):
        look = member(index)
        low, high = map(all_drawn, zip(*(each.ranges[goal] for each in known), strict=True))
        axes.fill_between(budgets, low, high, alpha=0.18, color=look.colour, linewidth=0)
        for end in (low, high):
            axes.plot(budgets, end, color=look.colour, linewidth=1.4, marker=look.marker, markersize=4)
        if proven:
            line = axes.axvline(drawn(proven), color=hue("soft"), linestyle="--", linewidth=1.2)
            tell(line, f"proven: no key has less than {bound_text(proven)}")
        if key is not None and (value := goal.value(key)) is not None:
            at = (drawn(dependence_of(key, known[0].orders).largest), drawn(value))
            tell(mark(axes, at, "*", 11, color=hue("ink")), f"the answer key: {value_text(value)}")
        axes.set_title(plain(name), fontsize=9.5)
        axes.grid(visible=True)
        axes.label_outer()
    marks = ["dashed: proven, no key has less"] * bool(proven) + ["star: the answer key"] * (key is not None)
    caption = "\n".join(["budget: no error covariance exceeds this", "; ".join(marks)]).strip()
    drawings[0].figure.supxlabel(caption, fontsize=NOTE_SIZE)
    return drawings
