"""Figures 1 to 8 of the source, from data, with their corrections."""

from __future__ import annotations

from typing import Any

import pytest
from gmpy2 import mpq
from matplotlib.figure import Figure

from ntqr_exact.errors import BadNumber
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.exact.value_text import short_decimal
from ntqr_exact.examples import example
from ntqr_exact.views.plots import printed_in_figure, reproduce_figure
from ntqr_exact.views.plots.figures import SYNTHETIC_QUESTIONS, synthetic_votes


def axes_for(number: int) -> Any:
    figure = Figure()
    return figure.add_subplot(projection="3d") if number in {1, 3, 4} else figure.subplots()


@pytest.mark.parametrize("number", range(1, 9))
def test_every_figure_is_drawn_and_says_which_it_is(number: int) -> None:
    assert reproduce_figure(number, axes=axes_for(number)).get_title().startswith(f"Figure {number}: ")


@pytest.mark.parametrize("number", [0, 9, True])
def test_there_is_no_other_figure(number: int) -> None:
    for ask in (reproduce_figure, printed_in_figure):
        with pytest.raises(BadNumber, match="1 to 8"):
            ask(number)


def test_the_synthetic_votes_are_those_of_table_9() -> None:
    table = {
        "aaa": 2010437,
        "aab": 931913,
        "aba": 448913,
        "baa": 776713,
        "abb": 251237,
        "bab": 330937,
        "bba": 171437,
        "bbb": 78413,
    }
    votes = synthetic_votes()
    assert {"".join(pattern): count for pattern, count in votes.counts.items()} == table
    assert votes.size == SYNTHETIC_QUESTIONS


def test_figure_5_recovers_the_prevalence_without_an_alarm() -> None:
    solved = solve_independent(synthetic_votes())
    assert {one.prevalence["a"] for one in solved.solutions} == {mpq(19, 20), mpq(1, 20)}
    axes = reproduce_figure(5, axes=axes_for(5))
    assert axes.texts[0].get_text().startswith("No alarm")


def test_what_the_captions_misprint_is_corrected_and_the_rest_holds() -> None:
    wrong = {
        number: [str(claim) for claim in printed_in_figure(number) if not claim.is_right]
        for number in range(1, 9)
    }
    assert wrong == {
        1: ["right answers on the a questions: $R^a_{a_i}$, printed $R^b_{a_i}$"],
        2: [],
        3: [
            "eq. 16 for judge 1, where $R^a_{a_i} - R^b_{b_i}$ is -128: $Q_a - R_{b_i}$ = -128, "
            "printed $R_{a_i} - R_{b_i}$ = -56"
        ],
        4: [
            "eq. 16 for judge 1, where $R^a_{a_i} - R^b_{b_i}$ is -96: $Q_a - R_{b_i}$ = -96, "
            "printed $R_{a_i} - R_{b_i}$ = 8"
        ],
        5: [],
        6: [],
        7: ["majority vote estimates P_a: 291/500 (582 of 1000), printed 443/1000"],
        8: [
            "majority vote estimates P_a: 269/500 (538 of 1000), printed 447/1000",
            "the leading coefficient A: 11686017/250000000000, printed 11686017/25000000000",
        ],
    }
    assert [str(claim) for claim in printed_in_figure(6)] == [
        "majority vote estimates P_a: 443/1000, as printed",
        "the root as the nearest count: 362/1000, as printed",
    ]
    assert str(printed_in_figure(8)[0].citation) == "Corrada-Emmanuel 2023, figure 8"


@pytest.mark.parametrize("number", [1, 3, 4, 7, 8])
def test_corrections_are_written_below_a_figure_of_its_own(number: int) -> None:
    figure = reproduce_figure(number).figure
    wrong = [claim for claim in printed_in_figure(number) if not claim.is_right]
    written = " ".join(figure.get_supxlabel().split())
    assert all(" ".join(f"Corrected: {claim}".split()) in written for claim in wrong)


@pytest.mark.parametrize("number", [2, 5, 6])
def test_a_figure_without_misprints_has_no_correction(number: int) -> None:
    assert reproduce_figure(number).figure.get_supxlabel() == ""


@pytest.mark.parametrize(("number", "name"), [(6, "two-norm"), (7, "uci-adult-imaginary"), (8, "uci-adult")])
def test_truth_and_majority_are_marked_where_the_data_put_them(number: int, name: str) -> None:
    axes = reproduce_figure(number, axes=axes_for(number))
    majority = majority_vote(example(name).votes).evaluation.prevalence["a"]
    labels = [line.get_label() for line in axes.get_lines()]
    assert "truth: 0.4" in labels
    assert f"majority vote: {short_decimal(majority)}" in labels


@pytest.mark.parametrize("number", range(1, 9))
def test_nothing_of_a_figure_lies_beyond_the_page(number: int) -> None:
    figure = reproduce_figure(number).figure
    figure.canvas.draw()
    caption = figure._supxlabel.get_window_extent() if figure.get_supxlabel() else None
    if caption is not None:
        assert caption.x1 <= figure.bbox.x1
        label = figure.axes[0].xaxis.label.get_window_extent()
        assert caption.y1 <= label.y0 or figure.axes[0].name == "3d"
