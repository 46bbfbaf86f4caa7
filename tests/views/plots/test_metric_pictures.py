"""What the pictures of metrics, intervals and confidences show is what is computed."""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from ntqr_exact.confidence.atc import AtcReading, atc, atc_curve
from ntqr_exact.confidence.ordering import smallest_inversion
from ntqr_exact.confidence.scores import HALF_JEFFREYS, SIX
from ntqr_exact.errors import NotOrdered, UndefinedMetric
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import ranking_average_precision, ranking_roc_auc
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap
from ntqr_exact.metrics.ranking import Curve, Rule, precision_recall_curve, rank, roc_curve
from ntqr_exact.metrics.threshold_queries import loan_threshold
from ntqr_exact.views import plots
from ntqr_exact.views.floats import drawn
from ntqr_exact.views.plots.metric_pictures import MAX_BARS, bootstrap_bars, curve_points
from ntqr_exact.views.plots.style import simplex_point

LABELS = [1, 0, 1, 1, 0, 0, 1, 0]
SCORES_GIVEN = ["0.9", "0.8", "0.8", "0.6", "0.4", "0.3", "0.3", "0.1"]
SOURCE = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
TARGET = [["0.55", "0.45"], ["0.65", "0.35"], ["0.95", "0.05"]]


def flat() -> Any:
    return Figure().subplots()


samples = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=12)


def area_under(across: list[float], up: list[float]) -> float:
    return sum(
        (x1 - x0) * (y0 + y1) / 2 for x0, x1, y0, y1 in zip(across, across[1:], up, up[1:], strict=False)
    )


@given(samples)
def test_the_area_under_the_drawn_roc_is_the_exact_one(given_samples: list[tuple[int, int]]) -> None:
    curve = roc_curve(*map(list, zip(*given_samples, strict=True)))
    exact = ranking_roc_auc(curve.ranking)
    across, up = curve_points(curve)
    if isinstance(exact, Undefined):
        assert across == []
    else:
        assert area_under(across, up) == pytest.approx(drawn(exact))


def test_the_area_under_the_steps_is_the_average_precision() -> None:
    curve = precision_recall_curve(LABELS, SCORES_GIVEN)
    axes = plots.plot_precision_recall(curve, axes=flat())
    steps = next(line for line in axes.get_lines() if line.get_drawstyle() == "steps-pre")
    across, up = list(steps.get_xdata()), list(steps.get_ydata())
    area = sum((x1 - x0) * y for x0, x1, y in zip(across, across[1:], up[1:], strict=False))
    exact = ranking_average_precision(curve.ranking)
    assert isinstance(exact, mpq(0).__class__)
    assert area == pytest.approx(drawn(exact))
    assert steps.get_label() == f"average precision {short_decimal(exact)}"
    assert steps.get_gid() == f"hover: average precision {value_text(exact)}"


@pytest.mark.parametrize(
    ("plot", "make"), [(plots.plot_roc, roc_curve), (plots.plot_precision_recall, precision_recall_curve)]
)
def test_a_threshold_is_marked_at_its_exact_point(plot: Any, make: Any) -> None:
    curve: Curve = make(LABELS, SCORES_GIVEN)
    axes = plot(curve, threshold="1/2", axes=flat())
    matrix = curve.ranking.at("1/2")
    point = (matrix.measure(curve.across), matrix.measure(curve.up))
    (mark,) = (line for line in axes.get_lines() if line.get_marker() == "s")
    assert mark.get_label() == f"from 0.5 on: ({short_decimal(point[0])}, {short_decimal(point[1])})"
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == tuple(map(drawn, point))


@pytest.mark.parametrize("rule", Rule)
def test_bars_of_the_loan_threshold_are_the_weights_of_the_bins(rule: Rule) -> None:
    view = loan_threshold(rank(LABELS, SCORES_GIVEN), "4/5", rule=rule)
    axes = plots.plot_loan_threshold(view, axes=flat())
    up, down = axes.containers
    assert [float(bar.get_height()) for bar in up] == [drawn(part.positives) for part in view.bins]
    assert [-float(bar.get_height()) for bar in down] == [drawn(part.negatives) for part in view.bins]
    matrix = view.confusion
    assert [text.get_text() for text in axes.texts] == [
        f"FN {matrix.fn}",
        f"TP {matrix.tp}",
        f"TN {matrix.tn}",
        f"FP {matrix.fp}",
    ]
    sign = "≥" if rule is Rule.AT_LEAST else ">"
    assert f"positive if score {sign} 0.8" in [line.get_label() for line in axes.get_lines()]


@pytest.mark.parametrize("cells", [(3, 2, 1, 2), (30, 10, 5, 55), (0, 0, 2, 3)])
def test_bars_of_a_bootstrap_hold_every_defined_resample(cells: tuple[int, ...]) -> None:
    distribution = exact_bootstrap("f1", **dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    bars = bootstrap_bars(distribution)
    assert sum((bar[2] for bar in bars), mpq(0)) == 1 - distribution.undefined_probability
    for start, end, weight in bars:
        inside = [p for value, p in distribution.outcomes() if start <= value < end or value == start == end]
        assert sum(inside, mpq(0)) == weight
    if len(list(distribution.outcomes())) > MAX_BARS:
        assert len({end - start for start, end, _ in bars}) == 1


def test_the_drawn_bars_and_intervals_of_a_bootstrap_are_exact() -> None:
    distribution = exact_bootstrap("precision", tp=3, fp=2, fn=1, tn=2)
    axes = plots.plot_bootstrap(distribution, level="0.9", axes=flat())
    assert [float(bar.get_height()) for bar in axes.patches] == [drawn(p) for _, p in distribution.outcomes()]
    interval = distribution.interval("0.9")
    span = next(line for line in axes.get_lines() if line.get_label().startswith("percentile"))
    assert list(span.get_xdata()) == [drawn(interval.lower), drawn(interval.upper)]
    assert any(
        f"undefined: {short_decimal(distribution.undefined_probability)}" in line.get_label()
        for line in axes.get_lines()
    )


def test_a_metric_that_is_never_defined_has_no_bars() -> None:
    with pytest.raises(UndefinedMetric):
        plots.plot_bootstrap(exact_bootstrap("recall", tp=0, fp=1, fn=0, tn=2), axes=flat())


@pytest.mark.parametrize("score", SIX)
def test_vectors_of_an_inversion_are_drawn_in_their_places_with_their_scores(score: str) -> None:
    found = smallest_inversion("max", "entropy", labels=3, max_denominator=6).inversions[0]
    axes = plots.plot_score_levels(score, inversion=found, axes=flat())
    marks = [line for line in axes.get_lines() if line.get_marker() in "os"]
    for mark, vector in zip(marks, (found.higher_left, found.higher_right), strict=True):
        assert (mark.get_xdata()[0], mark.get_ydata()[0]) == simplex_point(vector)
        assert mark.get_label().startswith(f"{vector}: ")
    for level in axes.collections:  # every score is symmetric, and so are its level sets
        across = [x for path in level.get_paths() for x, _ in path.vertices]
        assert min(across) + max(across) == pytest.approx(1)
    said = [mark.get_label().rpartition(", ")[2] for mark in marks]
    expected = {"max": (0,), "entropy": (1,), "jensen-shannon": (1,)}.get(score, ())
    if expected:
        assert [word == "higher" for word in said] == [place in expected for place in (0, 1)]
    else:
        assert said == ["equal", "equal"]


@pytest.mark.parametrize(
    ("given_gamma", "reading"),
    [
        ({"error": "1/5"}, None),
        ({"accuracy": "4/5"}, None),
        ({"accuracy": "4/5"}, AtcReading.ERROR_BELOW),
        ({"labels": [0, 1, 0, 0, 1]}, None),
    ],
)
def test_atc_curves_go_through_the_exact_shares(
    given_gamma: dict[str, Any], reading: AtcReading | None
) -> None:
    axes = plots.plot_atc(SOURCE, TARGET, reading=reading, axes=flat(), **given_gamma)
    found = atc(SOURCE, TARGET, reading=reading, **given_gamma)
    curve = atc_curve(SOURCE, TARGET)
    source, target = axes.get_lines()[:2]
    assert list(source.get_ydata()) == [drawn(found.reading.turned(point.source_below)) for point in curve]
    assert list(target.get_ydata()) == [drawn(found.reading.turned(point.target_below)) for point in curve]
    estimate = axes.get_lines()[-1]
    assert estimate.get_label().startswith(f"estimate for the target: {short_decimal(found.estimate)}")
    assert list(estimate.get_xdata()) == [drawn(found.threshold)]
    assert list(estimate.get_ydata()) == [drawn(found.estimate)]


def test_an_infinite_score_cannot_be_drawn() -> None:
    with pytest.raises(NotOrdered):
        plots.plot_atc([["1", "0"], ["1/2", "1/2"]], TARGET, error="1/2", score=HALF_JEFFREYS)
