"""One table of notation: names are identifiers, read back, and the docs page is made from it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.algebra.notation import (
    NOTATION,
    Quantity,
    Variable,
    accuracy,
    correlation,
    frequency,
    key_responses,
    of_judges,
    prevalence,
    read_name,
    response_rate,
)
from ntqr_exact.algebra.notation_page import examples, notation_page
from ntqr_exact.errors import BadDocument

labels = st.text(min_size=1, max_size=6)
PAGE = Path(__file__).parents[2] / "docs" / "notation.md"


def test_the_page_of_the_docs_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == notation_page()


def test_every_kind_is_in_the_table_and_on_the_page():
    assert set(NOTATION) == set(Quantity) == {variable.kind for variable in examples()}


def test_no_two_rows_share_a_name_a_symbol_or_latex():
    for form in ("name", "symbol", "latex"):
        written = [getattr(variable, form) for variable in examples()]
        assert len(set(written)) == len(written)


@given(labels, labels, st.integers(0, 30), st.integers(31, 60))
def test_a_name_is_an_identifier_that_is_read_back_whatever_the_labels(first, second, i, j):
    for variable in (
        prevalence(first),
        accuracy(first, i),
        Variable(Quantity.RESPONSE_RATE, first, (second,), (j,)),
        correlation(first, (i, j)),
        frequency({i: first, j: second}),
        key_responses(second, {i: first, j: second}),
    ):
        assert variable.name.isidentifier()
        assert variable.name.isascii()
        assert read_name(variable.name) == variable


@given(labels, labels)
def test_different_labels_have_different_names(first, second):
    assert (prevalence(first).name == prevalence(second).name) == (first == second)


def test_the_paper_s_symbols():
    assert [v.symbol for v in (prevalence("a"), accuracy("b", 1), correlation("a", (0, 2)))] == [
        "P_a",
        "P^b_{b_2}",
        "Γ^a_{1,3}",
    ]
    assert frequency({0: "a", 2: "b"}).symbol == "f_{a_1,b_3}"
    assert response_rate("a", "b", 0).symbol == "P^a_{b_1}"
    assert response_rate("a", "a", 0) == accuracy("a", 0)
    assert of_judges(Quantity.TRIO_MOMENT, 0, 1, 2).symbol == "T"
    assert of_judges(Quantity.TRIO_MOMENT, 0, 1, 3).symbol == "T_{1,2,4}"
    assert key_responses("a", {0: "a"}).latex == "R^{a}_{a_1}"


def test_latex_of_any_label_is_escaped():
    assert prevalence("50%_{x}").latex == r"\hat{P}_{\text{50\%\_\{x\}}}"
    assert prevalence("yes").latex == r"\hat{P}_{\text{yes}}"


@pytest.mark.parametrize(
    "name",
    ["", "x", "prevalence", "prevalence_", "prevalence_a_1", "accuracy_a", "accuracy_a_x", "accuracy_a_0",
     "correlation_a_1", "pair_moment_1", "pair_moment_1_2_3", "frequency", "frequency_a", "questions_1",
     "accuracy_a_01", "accuracy_a_-1", "prevalence_ZffffffZ", "prevalence_é"],
)  # fmt: skip
def test_any_other_text_is_refused(name):
    with pytest.raises(BadDocument, match="not the name of a variable"):
        read_name(name)
