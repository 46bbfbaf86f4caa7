"""What the pictures of votes show is what is counted."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from gmpy2 import mpq
from matplotlib.figure import Figure

from ntqr_exact.alarms.failing_judges import failing_curve
from ntqr_exact.alarms.misalignment import SafeRegion
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.dependence.bounds import evaluate_within
from ntqr_exact.errors import BadKeyCounts, BadVotes, NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.show import short_decimal
from ntqr_exact.examples import example
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.membership import Projection
from ntqr_exact.views import plots
from ntqr_exact.views.floats import drawn
from ntqr_exact.views.plots.evaluation_pictures import plane_corners
from ntqr_exact.views.plots.style import simplex_point
from ntqr_exact.votes.counts import VoteCounts

PATTERNS = ("aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb")
THREE_LABELS = VoteCounts({"abc": 1, "aaa": 2}, labels=("a", "b", "c"))


def flat() -> Any:
    return Figure().subplots()


def votes(*counts: int) -> VoteCounts:
    return VoteCounts(dict(zip(PATTERNS, counts, strict=True)))


def test_the_counts_drawn_are_those_of_brute_force() -> None:
    axes = plots.plot_evaluation_counts(VoteCounts({"ab": 2, "bb": 3, "ba": 1}), axes=flat())
    before, first, second = (list(map(int, line.get_ydata())) for line in axes.get_lines())
    size = 6
    assert before == [(key + 1) * (size - key + 1) for key in range(size + 1)]
    for line, answered_a in ((first, 2), (second, 1)):
        expected = [
            sum(
                right_a + (size - key - right_b) == answered_a
                for right_a, right_b in product(range(key + 1), range(size - key + 1))
            )
            for key in range(size + 1)
        ]
        assert line == expected
    assert axes.get_yscale() == "log"


@pytest.mark.parametrize("answered", range(6))
def test_the_corners_of_a_plane_are_consistent_and_enclose_all_that_are(answered: int) -> None:
    seen = VoteCounts({"a": answered, "b": 5 - answered}, labels=("a", "b"))
    corners = plane_corners(seen)
    points = list(Projection(seen).points())
    assert set(corners) <= set(points)
    for place in range(3):
        assert min(c[place] for c in corners) == min(p[place] for p in points)
        assert max(c[place] for c in corners) == max(p[place] for p in points)


def test_a_plane_cut_at_key_counts_is_the_line_of_all_that_are_consistent_there() -> None:
    seen = VoteCounts({"aab": 3, "abb": 2, "bbb": 4})
    axes = plots.plot_consistent_lines(seen, {"a": 4, "b": 5}, axes=flat())
    for place, line in enumerate(axes.get_lines()):
        own = [point[1:] for point in Projection(seen.marginal(place)).points() if point[0] == 4]
        ends = list(zip(map(int, line.get_xdata()), map(int, line.get_ydata()), strict=True))
        assert ends == [min(own), max(own)]


def test_the_roots_of_a_quadratic_are_marked_where_they_are() -> None:
    solved = solve_independent(example("two-norm").votes)
    axes = plots.plot_prevalence_quadratic(solved, marks={"truth": "2/5"}, axes=flat())
    roots = [one.prevalence["a"] for one in solved.solutions]
    marked = {line.get_label(): line for line in axes.get_lines()}
    for number, root in enumerate(roots, start=1):
        (label,) = (label for label in marked if label.startswith(f"root {number}: "))
        assert list(marked[label].get_xdata()) == [drawn(root)]
        assert label.endswith(f"≈ {root.decimal(4)}")
        assert marked[label].get_gid() == f"hover: root {number}: {root} ≈ {root.decimal(6)}"
    assert list(marked["truth: 0.4"].get_xdata()) == [0.4, 0.4]
    curve = next(line for line in axes.get_lines() if line.get_label().startswith("A·P²"))
    assert solved.quadratic is not None
    assert f"A = {solved.quadratic.leading}" in curve.get_gid()
    for x, y in zip(curve.get_xdata(), curve.get_ydata(), strict=True):
        assert y == pytest.approx(drawn(solved.quadratic(mpq(x))), rel=1e-9, abs=1e-18)
    assert "irrational" in axes.texts[0].get_text()


def test_pairs_of_correlations_are_drawn_one_by_one() -> None:
    shown = example("two-norm")
    axes = plots.plot_pair_correlations(shown.votes, shown.evaluation, 0, 1, axes=flat())
    points = ConsistentSet(shown.votes).pair_correlations(shown.evaluation, 0, 1)
    line = next(line for line in axes.get_lines() if line.get_label() == f"consistent: {len(points)}")
    assert list(zip(line.get_xdata(), line.get_ydata(), strict=True)) == [
        tuple(map(drawn, point.correlations)) for point in points
    ]
    assert [text.get_text() for text in axes.texts] == [
        f"both right on a: {point.both_right[0]}\n({', '.join(map(short_decimal, point.correlations))})"
        for point in (points[0], points[-1])
    ]
    fixed = {mpq(2, 5) * point.correlations[0] + mpq(3, 5) * point.correlations[1] for point in points}
    assert len(fixed) == 1
    assert short_decimal(fixed.pop()) in axes.get_legend().get_title().get_text()


def test_bars_of_safe_keys_are_as_long_as_the_keys_are_many() -> None:
    seen = VoteCounts({"aa": 5, "ab": 2, "ba": 2, "bb": 4})
    regions = [SafeRegion(seen, SafetySpecification("3/2"), size) for size in (1, "all")]
    axes = plots.plot_safe_keys(regions, true_key={"a": 6, "b": 7}, axes=flat())
    for row, region in enumerate(regions):
        open_bars = [
            bar
            for bar in axes.patches
            if bar.get_y() < row < bar.get_y() + bar.get_height() and not bar.get_hatch()
        ]
        keys = {
            key
            for bar in open_bars
            for key in range(seen.size + 1)
            if bar.get_x() < key < bar.get_x() + bar.get_width()
        }
        assert keys == {safe["a"] for safe in region}
        assert f"safe: {len(keys)} of 14 keys" in axes.get_yticklabels()[row].get_text()
    assert sum(float(bar.get_width()) for bar in axes.patches) == 2 * 14


def test_the_staircase_of_failing_judges_has_the_proven_steps() -> None:
    shown = example("uci-adult")
    curve = failing_curve(shown.votes)
    axes = plots.plot_failing_judges(curve, truth=shown.evaluation, axes=flat())
    (filled,) = axes.collections
    corners = {tuple(map(float, corner)) for corner in filled.get_paths()[0].vertices}
    assert {(drawn(level), float(count)) for level, count in curve.steps} <= corners
    truth = next(line for line in axes.get_lines() if line.get_label() == "fail under the true key")
    assert max(truth.get_ydata()) == 3


def test_a_proven_bound_of_the_funnel_is_rounded_down() -> None:
    ranges = [evaluate_within(VoteCounts({"ab": 1, "ba": 1}), "1/4")]
    figure = plots.plot_dependence_funnel(ranges, proven=mpq(1030079, 10**8), figure=Figure())[0].figure
    hovers = {line.get_gid() for axes in figure.axes for line in axes.get_lines()}
    assert "hover: proven: no key has less than 0.01030" in hovers


def test_safe_keys_of_three_labels_are_drawn_point_by_point() -> None:
    seen = VoteCounts({"aaa": 4, "bbb": 3, "abc": 2, "ccc": 2}, labels=("a", "b", "c"))
    region = SafeRegion(seen)
    axes = plots.plot_safe_keys(region, true_key={"a": 5, "b": 4, "c": 2}, axes=flat())
    (dots,) = (line for line in axes.get_lines() if "of 78" in str(line.get_label()))
    places = [simplex_point(mpq(count, 11) for count in key.values()) for key in region]
    assert list(zip(dots.get_xdata(), dots.get_ydata(), strict=True)) == places


TWO = VoteCounts({"aa": 1, "bb": 1})
WRONG = CountEvaluation.from_correct({"a": 1, "b": 1}, [{"a": 1, "b": 0}, {"a": 1, "b": 1}])
NO_A = CountEvaluation.from_correct({"a": 0, "b": 2}, [{"a": 0, "b": 1}, {"a": 0, "b": 1}])


@pytest.mark.parametrize(
    ("error", "draw", "arguments"),
    [
        (BadVotes, plots.plot_evaluation_counts, (THREE_LABELS,)),
        (BadVotes, plots.plot_consistent_lines, (THREE_LABELS, {"a": 3})),
        (BadKeyCounts, plots.plot_consistent_lines, (TWO, {"a": 7})),
        (NotSupported, plots.plot_prevalence_quadratic, (solve_independent(THREE_LABELS),)),
        (BadVotes, plots.plot_pair_correlations, (TWO, WRONG, 0, 1)),
        (BadVotes, plots.plot_pair_correlations, (TWO, NO_A, 0, 1)),
        (BadVotes, plots.plot_safe_keys, ([SafeRegion(TWO), SafeRegion(VoteCounts({"aa": 2, "bb": 1}))],)),
        (BadVotes, plots.plot_safe_keys, ([],)),
        (BadVotes, plots.plot_safe_keys, (SafeRegion(VoteCounts({"ad": 1}, ("a", "b", "c", "d"))),)),
        (BadVotes, plots.plot_judge_grades, ({},)),
    ],
)
def test_values_that_cannot_be_drawn_are_refused_with_the_reason(
    error: Any, draw: Any, arguments: Any
) -> None:
    with pytest.raises(error):
        draw(*arguments)


def test_a_judge_is_drawn_at_its_share_and_a_range_from_end_to_end() -> None:
    columns = {
        "majority": {"A": mpq(1, 4), "B": mpq(3, 4)},
        "within": {"A": None, "B": (mpq(1, 2), mpq(1))},
        "graded": {"A": None, "B": None},
    }
    axes = plots.plot_judge_grades(columns, axes=flat())
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["A", "B"]
    points = [line for line in axes.get_lines() if (line.get_gid() or "").startswith("hover: majority: ")]
    assert [line.get_xdata()[0] for line in points] == [drawn(mpq(1, 4)), drawn(mpq(3, 4))]
    (bar,) = [line for line in axes.get_lines() if line.get_marker() == "|"]
    assert list(bar.get_xdata()) == [0.5, 1.0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["majority", "within"]
