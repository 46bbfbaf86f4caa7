"""Factored forms multiply out to the polynomials they are forms of."""

import pytest

from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.postulates import pair
from ntqr_exact.postulates.derivation import derivation_latex
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.factored import factored

EQ_33E = (
    "(P^a_{a_1} − f_{a_1})·(P^b_{b_2} − f_{b_2})·(P^a_{a_1} + P^b_{b_1} − f_{a_1} − f_{b_1})"
    " + (P^a_{a_1} − f_{a_1})·(Γ^b_{1,2} − Δ_{1,2}) + (P^b_{b_1} − f_{b_1})·(Γ^a_{1,2} − Δ_{1,2})"
)


def test_33e_is_written_as_it_is_thought_of():
    assert str(factored(pair()["33e"].polynomial)) == EQ_33E


@pytest.mark.parametrize("name", derivation_names())
def test_a_form_multiplies_out_to_its_polynomial(name):
    claim = derive(name).claim.polynomial
    form = factored(claim)
    assert form is None or form.expanded() == claim
    if name.startswith("33"):
        assert form is not None


def test_what_no_difference_explains_has_no_form():
    assert factored(Polynomial({"accuracy_a_1": "1", "frequency_a_1": "1"})) is None
    assert factored(Polynomial({"key_count_a": "1"})) is None


def test_a_derivation_in_latex_has_the_form_all_that_is_given_and_every_cofactor():
    derivation = derive("33e")
    text = derivation_latex(derivation)
    assert factored(derivation.claim.polynomial).latex() in text
    assert text.count(r"\begin{align*}") == text.count(r"\end{align*}") == 2 + len(derivation.steps)
    for step in derivation.steps:
        assert all(cofactor.latex() in text for cofactor in step.certificate.cofactors)
    assert not set("·−√ΓΔ²") & set(text)
    assert text.count("{") == text.count("}")
