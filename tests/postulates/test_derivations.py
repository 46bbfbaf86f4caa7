"""Every derivation is proven by the independent checker, from true postulates, to the claim itself."""

import json

import pytest
import sympy

from ntqr_exact.algebra.certificate import Certificate
from ntqr_exact.algebra.checker import problems
from ntqr_exact.postulates import Role, agreement, agreement_solution, misprints, pair, single, solution, trio
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.postulate import UnknownName

WANTED = {
    "16", "27", "30", "33a", "33b", "33c", "33d", "33e", "33f", "34", "35", "37",
    "Delta_12", "Delta_13", "Delta_23", "T", "39", "s^2", "40",
    *(f"{letter}_{judge}" for letter in "dxy" for judge in (1, 2, 3)),
}  # fmt: skip
CLAIMS = {}
for known in (solution(), agreement_solution(), agreement(), trio(), pair(), single()):
    CLAIMS.update({postulate.name: postulate for postulate in known})


def test_all_that_is_promised_is_derived():
    assert set(derivation_names()) >= WANTED


@pytest.mark.parametrize("name", derivation_names())
def test_the_independent_checker_accepts_every_derivation(name):
    derivation = derive(name)
    document = json.loads(derivation.to_json())
    assert problems(document) == []
    assert derivation.problems() == []
    claimed = {"20": "27", "34": "35"}.get(name, name)
    assert derivation.claim == CLAIMS[claimed]
    assert derivation.steps[-1].certificate.target == derivation.claim.polynomial


@pytest.mark.parametrize("name", derivation_names())
def test_sympy_expands_every_step_to_its_target(name):
    for step in derive(name).steps:
        certificate = step.certificate
        total = sum(
            cofactor.to_sympy() * generator.to_sympy()
            for cofactor, generator in zip(certificate.cofactors, certificate.generators, strict=True)
        )
        assert sympy.expand(total - certificate.target.to_sympy()) == 0


@pytest.mark.parametrize("name", derivation_names())
def test_only_postulates_definitions_and_named_hypotheses_are_given(name):
    derivation = derive(name)
    for given in derivation.given:
        twin = CLAIMS.get(given.name)
        if twin is not None and not given.name.startswith("f_{"):
            assert given.polynomial == twin.polynomial
        assert given.polynomial != derivation.claim.polynomial
    independent_names = {"Delta_12", "Delta_13", "Delta_23", "T", "39", "s^2", "40"}
    assumes = any(given.role is Role.HYPOTHESIS for given in derivation.given)
    assert assumes == (name in independent_names | {"22", "23"} or name[:2] in ("d_", "x_", "y_"))


@pytest.mark.parametrize("name", ["16", "33d", "39"])
def test_a_derivation_with_any_term_changed_is_refused(name):
    document = json.loads(derive(name).to_json())
    for step in document["steps"]:
        for term in step["terms"]:
            for monomial, coefficient in term["cofactor"].items():
                term["cofactor"][monomial] = coefficient + "1"
                assert problems(document)
                term["cofactor"][monomial] = coefficient
    assert problems(document) == []


def test_a_derivation_reads_well():
    text = str(derive("33d"))
    assert text.startswith("Equation 33d (Corrada-Emmanuel 2023, eq. 33d; as printed)")
    assert "Step 1: [lemma P^a_{a_1} − f_{a_1}]" in text
    assert "  = (1) · [34]" in text


def test_each_step_is_a_certificate_of_its_own():
    for step in derive("40").steps:
        again = Certificate.from_json(step.certificate.to_json())
        assert again == step.certificate
        assert problems(again.to_document()) == []


def test_the_chain_to_the_quadratic_is_short():
    assert len(derive("39").to_json()) < 40_000


def test_the_same_bytes_every_time():
    derive.cache_clear()
    first = derive("T").to_json()
    derive.cache_clear()
    assert derive("T").to_json() == first


def test_an_unknown_equation_is_refused_with_what_is_allowed():
    with pytest.raises(UnknownName, match="equations that can be derived are 13, 16, 16R"):
        derive("7")


def test_every_misprint_has_a_right_form_that_is_derived():
    assert set(misprints().names) <= set(derivation_names())
