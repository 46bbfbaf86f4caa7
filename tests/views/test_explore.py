"""Interactive pictures hold exact counts and values, and keep their axes still."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from ntqr_exact.errors import BadVotes, MissingExtra
from ntqr_exact.examples import example
from ntqr_exact.varieties.compositions import PossibleSet
from ntqr_exact.varieties.membership import Projection
from ntqr_exact.views.explore import explore_planes, explore_wedge, wedge_points
from ntqr_exact.views.plots.evaluation_pictures import line_ends, plane_corners
from ntqr_exact.votes.counts import VoteCounts

SMALL = VoteCounts({"aab": 3, "abb": 2, "bbb": 4, "aaa": 2, "baa": 1})
NAMED = SMALL.relabeled({"a": "<b>", "b": "&"}, ("<b>", "&"))
TWO_NORM = example("two-norm")


def points(trace: Any) -> list[tuple[int, ...]]:
    return [tuple(map(int, point)) for point in zip(trace.x, trace.y, trace.z, strict=True)]


def test_without_plotly_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(MissingExtra):
        explore_planes(SMALL)


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


def test_names_from_the_data_are_text() -> None:
    pytest.importorskip("plotly")
    assert all("<b>" not in str(trace) for trace in explore_planes(NAMED).data)


def test_the_wedge_holds_every_possible_evaluation_once() -> None:
    pytest.importorskip("plotly")
    possible = PossibleSet(questions=6)
    figure = explore_wedge(6)
    assert sorted(points(figure.data[1])) == sorted(wedge_points(possible))
    assert len(set(wedge_points(possible))) == possible.count()
    assert len(explore_wedge(200).data) == 1


def test_planes_of_three_labels_are_refused() -> None:
    with pytest.raises(BadVotes):
        explore_planes(VoteCounts({"abc": 1}))
