"""Every derivation is proven by the independent checker, from true postulates, to the claim itself."""

import json

import pytest
import sympy

from ntqr_exact.errors import BadChoice
from ntqr_exact.postulates import (
    Postulate,
    Role,
    agreement,
    agreement_solution,
    misprints,
    pair,
    single,
    solution,
    trio,
)
from ntqr_exact.postulates.checker import problems
from ntqr_exact.postulates.derivations import NotProven, certify, derivation_names, derive, prove
from ntqr_exact.postulates.polynomial import read_formula

CLAIMS: dict[str, Postulate] = {}
for known_set in (solution(), agreement_solution(), agreement(), trio(), pair(), single()):
    CLAIMS.update({postulate.name: postulate for postulate in known_set})


@pytest.mark.parametrize("name", derivation_names())
def test_the_independent_checker_accepts_every_derivation(name):
    derivation = derive(name)
    assert problems(json.loads(json.dumps(derivation.to_document()))) == []
    assert derivation.claim == CLAIMS[{"20": "27", "34": "35"}.get(name, name)]
    assert derivation.steps[-1].target == derivation.claim.polynomial


@pytest.mark.parametrize("name", derivation_names())
def test_sympy_expands_every_step_to_its_target(name):
    known = {each.name: each.polynomial for each in derive(name).given}
    for step in derive(name).steps:
        total = sum(cofactor.to_sympy() * known[used].to_sympy() for used, cofactor in step.cofactors)
        assert sympy.expand(total - step.target.to_sympy()) == 0
        known[step.name] = step.target


@pytest.mark.parametrize("name", derivation_names())
def test_only_postulates_definitions_and_named_hypotheses_are_given(name):
    derivation = derive(name)
    for given in derivation.given:
        twin = CLAIMS.get(given.name)
        if twin is not None and not given.name.startswith("f_{"):
            assert given.polynomial == twin.polynomial
        assert given.polynomial != derivation.claim.polynomial
    assumes = any(given.role is Role.HYPOTHESIS for given in derivation.given)
    assert assumes == (derivation.claim.role is Role.HYPOTHESIS)


@pytest.mark.parametrize("name", ["16", "33d", "39"])
def test_a_derivation_with_any_term_changed_is_rejected(name):
    document = derive(name).to_document()
    for step in document["steps"]:
        for term in step["terms"]:
            for monomial, coefficient in term["cofactor"].items():
                term["cofactor"][monomial] = coefficient + "1"
                assert problems(document)
                term["cofactor"][monomial] = coefficient
    assert problems(document) == []


def test_all_that_is_promised_is_derived_and_every_misprint_has_a_right_form():
    assert len(derivation_names()) == 37
    assert set(misprints().names) <= set(derivation_names())
    with pytest.raises(BadChoice):
        derive("7")


def test_a_derivation_reads_well_and_its_chain_is_short():
    text = str(derive("33d"))
    assert "Step 1: [lemma P^a_{a_1} − f_{a_1}]" in text
    assert "+ (P_a·d_2) · [lemma P^a_{a_1} − f_{a_1}]" in text
    latex = derive("33d").latex()
    assert latex.count(r"\begin{align*}") == latex.count(r"\end{align*}") == 2 + len(derive("33d").steps)
    assert not set("·−√ΓΔ²") & set(latex)
    assert sum(len(cofactor.terms) for step in derive("s^2").steps for _, cofactor in step.cofactors) < 200


@pytest.mark.parametrize("name", misprints().names)
def test_a_misprint_is_not_proven_by_what_proves_the_right_form(name):
    with pytest.raises(NotProven):
        prove(misprints()[name], derive(name).given, words="as printed")


def test_cofactors_are_those_of_division():
    f, x, y = map(read_formula, "fxy")
    assert certify(x * y * f - f**2, [("xy", x * y - f)], "xy") == (("xy", f),)
    with pytest.raises(NotProven):
        certify(f, [("xy", x * y - f)], "xy")
