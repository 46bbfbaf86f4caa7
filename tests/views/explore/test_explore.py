"""Interactive pictures hold exact counts and values, keep their axes still, and stand in a page that loads nothing."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest
from gmpy2 import mpq

from ntqr_exact.dependence.ranges import EvaluationWithin, evaluate_within
from ntqr_exact.errors import BadVotes, MissingExtra, NotSupported
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.examples import example
from ntqr_exact.varieties.projection import Projection
from ntqr_exact.views.drawing_numbers import drawn
from ntqr_exact.views.explore import explore_dependence, explore_planes, explore_quadratic, interactive_page
from ntqr_exact.views.explore.embed import policy
from ntqr_exact.views.plots.evaluations import line_ends, plane_corners
from ntqr_exact.votes.counts import VoteCounts

SMALL = VoteCounts({"aab": 3, "abb": 2, "bbb": 4, "aaa": 2, "baa": 1})
NAMED = SMALL.with_labels(("<b>", "&"))
TWO_NORM = example("two-norm")


@pytest.fixture(scope="module")
def ranges() -> list[EvaluationWithin]:
    return [evaluate_within(SMALL, budget, effort="1/20") for budget in ("0.1", "0.2")]


def points(trace: Any) -> list[tuple[int, ...]]:
    return [tuple(map(int, point)) for point in zip(trace.x, trace.y, trace.z, strict=True)]


def test_without_plotly_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("plotly.graph_objects", "plotly.offline"):
        monkeypatch.setitem(sys.modules, module, None)
    for ask in (lambda: explore_planes(SMALL), lambda: interactive_page([])):
        with pytest.raises(MissingExtra, match=r"\.\[explore\]' in a clone"):
            ask()


def test_planes_and_their_points_are_the_consistent_evaluations() -> None:
    pytest.importorskip("plotly")
    figure = explore_planes(SMALL)
    for place in range(3):
        own = SMALL.marginal(place)
        plane, dots = figure.data[2 * place : 2 * place + 2]
        assert points(plane) == plane_corners(own)
        assert sorted(points(dots)) == sorted(Projection(own).points())
        assert dots.name == f"J{place + 1}: {Projection(own).count()}"


def test_the_slider_cuts_every_plane_at_its_number_and_the_axes_stay() -> None:
    pytest.importorskip("plotly")
    figure = explore_planes(TWO_NORM.votes, evaluation=TWO_NORM.evaluation)
    steps = [step.label for step in figure.layout.sliders[0].steps]
    assert steps == [frame.name for frame in figure.frames]
    assert steps[figure.layout.sliders[0].active] == "400"
    for frame in figure.frames:
        key = int(frame.name.replace(",", ""))
        for place, trace in enumerate(frame.data):
            assert points(trace) == line_ends(TWO_NORM.votes.marginal(place), key)
            assert figure.data[frame.traces[place]].name == f"{place + 1}, cut"
        assert not frame.layout.to_plotly_json()
    assert figure.layout.scene.xaxis.range == (0, 1000)
    true = [trace for trace in figure.data if trace.name.endswith(", true")]
    assert [points(trace) for trace in true] == [
        [(400, *TWO_NORM.evaluation.correct[place].values())] for place in range(3)
    ]


def test_the_quadratic_of_each_step_is_that_of_the_moved_votes_and_the_axes_stay() -> None:
    pytest.importorskip("plotly")
    figure = explore_quadratic(solve_independent(SMALL), marks={"truth": "1/2"}, moved=("aaa", "bbb"))
    assert [frame.name for frame in figure.frames] == ["0", "1", "2"]
    for step, frame in enumerate(figure.frames):
        counts = {**SMALL.counts, ("a",) * 3: 2 - step, ("b",) * 3: 4 + step}
        solved = solve_independent(VoteCounts(counts))
        assert solved.quadratic is not None
        curve, roots = frame.data
        assert f"A = {solved.quadratic.leading}<br>" in curve.hovertemplate
        assert curve.y[5] == drawn(solved.quadratic(mpq(0)))
        real = [
            one.prevalence["a"] for one in solved.solutions if getattr(one.prevalence["a"], "is_real", True)
        ]
        assert list(roots.x) == [drawn(root) for root in real]
        low, high = figure.layout.yaxis.range
        assert low < min(curve.y)
        assert max(curve.y) < high
    assert figure.data[2].name == "truth: 0.5"
    with pytest.raises(NotSupported):
        explore_quadratic(solve_independent(VoteCounts({"aaaa": 1, "bbbb": 1})))


def test_the_bands_of_dependence_have_the_proven_ends(ranges: list[EvaluationWithin]) -> None:
    pytest.importorskip("plotly")
    figure = explore_dependence(ranges, proven=mpq(1, 50))
    low, high = ranges[0].prevalence["a"]
    share = figure.data[0]
    assert (share.name, share.y[0], share.y[-1]) == ("share of a", drawn(low), drawn(high))
    assert [frame.name for frame in figure.frames] == ["0.1", "0.2"]
    with pytest.raises(BadVotes, match="no range to draw"):
        explore_dependence([])


def test_a_page_of_figures_runs_its_own_scripts_only_and_keeps_names_text() -> None:
    pytest.importorskip("plotly")
    hostile = NAMED.marginal(0)
    page = interactive_page([explore_planes(hostile)], titles=["</script><b>"], title="<i>")
    assert page.count("<script>") == page.count("</script>") == 2
    assert "https://cdn" not in re.sub("(?s)<script>.*?</script>", "", page)
    assert "<b>" not in re.sub("(?s)<script>.*?</script>", "", page)
    assert policy(page) in page
    assert "default-src 'none'" in page
    assert interactive_page([explore_planes(hostile)]) == interactive_page([explore_planes(hostile)])
