"""One table of notation: names are short and read back, and the docs page is made from it."""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadDocument
from ntqr_exact.postulates.notation import NOTATION, Variable, name_of, read_name

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = [read_name(name) for row in NOTATION.values() for name in row.examples.split()]
letters = st.sampled_from("abcdz")


def test_the_page_of_the_docs_is_up_to_date():
    spec = importlib.util.spec_from_file_location("notation_page", DOCS / "notation_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "notation.md").read_text(encoding="utf-8") == module.notation_page()


def test_every_quantity_has_a_row_and_no_two_share_a_form():
    assert set(NOTATION) == {variable.kind for variable in EXAMPLES}
    for form in (lambda v: v.written(), lambda v: v.written(latex=True)):
        assert len(set(map(form, EXAMPLES))) == len(EXAMPLES)


@given(letters, letters, st.integers(0, 7), st.integers(8, 8))
def test_every_name_is_read(first, second, i, j):
    right = {"a": "x", "b": "y"}.get(first, f"P{first}{first}")
    for name, variable in {
        f"P{first}": Variable("prevalence", first),
        f"{right}{i + 1}": Variable("accuracy", first, (), (i,)),
        name_of(f"G{first}", {i: "", j: ""}): Variable("correlation", first, (), (i, j)),
        name_of("f", {i: first, 10 + j: second}): Variable("frequency", "", (first, second), (i, 10 + j)),
        name_of(f"R{second}", {j: first}): Variable("key_responses", second, (first,), (j,)),
    }.items():
        assert read_name(name) == variable
    if first != second:
        rate = Variable("response_rate", first, (second,), (j,))
        assert read_name(f"P{first}{second}{j + 1}") == rate


def test_labels_of_a_user_enter_when_a_symbol_is_written():
    assert [read_name(n).written() for n in ("Pa", "y2", "Ga13", "fa1b3", "Pab1", "T")] == [
        "P_a", "P^b_{b_2}", "Γ^a_{1,3}", "f_{a_1,b_3}", "P^a_{b_1}", "T"
    ]  # fmt: skip
    assert read_name("Rab1").written(("yes", "no")) == "R^{yes}_{no_1}"
    assert read_name("Pa").written(("50%_{x}", "b"), latex=True) == r"\hat{P}_{\text{50\%\_\{x\}}}"


@pytest.mark.parametrize(
    "name", ["", "x", "P", "Paa1", "PA", "x0", "Ga1", "D123", "f", "fa", "f1", "Q1", "T12"]
)
def test_any_other_text_is_rejected(name):
    with pytest.raises(BadDocument):
        read_name(name)
