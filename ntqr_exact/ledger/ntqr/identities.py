"""Judgement of printed identities: proven for every test, or refuted by the smallest test.

All that is seen or graded in a test is a polynomial in the parameters P_a, x_i, y_i and Γ (eqs. 14, 15, 26 and
their extension to three judges), and every value of the parameters near 1/2 and Γ near 0 belongs to some test
with rational rates. So an equation holds for every test if and only if it vanishes identically when all is put
in these parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache

from ntqr_exact.algebra.notation import Quantity, Variable, key_responses, prevalence, read_name
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.judgement import Finding, as_printed, decided
from ntqr_exact.ledger.ntqr.symbols import LABELS, Printed
from ntqr_exact.postulates.agreement import agreement_solution
from ntqr_exact.postulates.construction import (
    definition_of,
    expected_frequency,
    observed_definition,
    polynomial,
)
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.independent import independent
from ntqr_exact.postulates.postulate import Postulate, Role, Space
from ntqr_exact.postulates.refutations import Refutation, refute
from ntqr_exact.votes.labeled import LabeledVoteCounts


class Hypothesis(Enum):
    """For which tests an equation is claimed."""

    NONE = "every test"
    INDEPENDENT = "every test on which errors are independent given the true label"
    PRODUCT_RULE = "every test on which error rates multiply, e_ij = e_i·e_j"


def in_parameters(claim: Polynomial, hypothesis: Hypothesis = Hypothesis.NONE) -> Polynomial:
    """Return a polynomial with all quantities put in the parameters: 0 iff it vanishes for the tests meant.

    >>> from ntqr_exact.ledger.ntqr.symbols import read
    >>> in_parameters(read("a12 = 1 - e1 - e2 + 2*e12").polynomial())
    Polynomial({})
    """
    while images := {
        name: image
        for name in claim.variables()
        if (image := _image(read_name(name), hypothesis)) is not None
    }:
        claim = claim.substitute(images)
    return claim


def _image(variable: Variable, hypothesis: Hypothesis) -> Polynomial | None:  # noqa: PLR0911 - a case each
    """Return what a quantity is in the parameters or in quantities nearer to them; None for a parameter."""
    match variable.kind:
        case Quantity.PREVALENCE if variable.key == LABELS[1]:
            return 1 - polynomial(prevalence(LABELS[0]))
        case Quantity.CORRELATION if hypothesis is Hypothesis.INDEPENDENT:
            return Polynomial()
        case Quantity.FREQUENCY:
            answers = dict(zip(variable.judges, variable.answers, strict=True))
            return expected_frequency(answers, LABELS)
        case Quantity.AGREEMENT if hypothesis is Hypothesis.PRODUCT_RULE:
            i, j = (polynomial(Variable(Quantity.ERROR, "", (), (judge,))) for judge in variable.judges)
            return 1 - i - j + 2 * i * j
        case Quantity.JOINT_ERROR if hypothesis is Hypothesis.PRODUCT_RULE:
            i, j = (polynomial(Variable(Quantity.ERROR, "", (), (judge,))) for judge in variable.judges)
            return i * j
        case Quantity.ERROR if hypothesis is Hypothesis.PRODUCT_RULE:
            return None
        case Quantity.QUESTIONS:
            return sum_of(_cell(key, given) for key in LABELS for given in LABELS)
        case Quantity.KEY_COUNT:
            return sum_of(_cell(variable.key, given) for given in LABELS)
        case Quantity.RESPONSES if variable.judges == (0,):
            return sum_of(_cell(key, variable.answers[0]) for key in LABELS)
    observed = observed_definition(variable, LABELS)
    return observed if observed is not None else definition_of(variable, LABELS)


def _cell(key: str, given: str) -> Polynomial:
    """Return R^key_{given_1}: the responses of one judge are sums of these four."""
    return polynomial(key_responses(key, {0: given}))


def identity(printed: Printed, *, derivation: str = "", hypothesis: Hypothesis = Hypothesis.NONE) -> Finding:
    """Judge whether a printed equation holds for all tests meant: proven, or refuted by the smallest test.

    `derivation` names the derivation whose certificate proves the printed equation, if there is one.

    >>> identity(Printed("e1 = 1 - Pa*x1 - Pb*y2")).evidence[0]
    'smallest test on which it fails: key a: none; key b: ab×1; left − right = 1'
    """
    claim = printed.formula.numerator
    if not claim:
        raise BadDocument(printed.short, "this equation is 0 = 0 as it stands, and claims nothing")
    rest = in_parameters(claim, hypothesis)
    if not rest:
        return _proven(claim, derivation, hypothesis)
    evidence = [_counterexample(claim, derivation, hypothesis), f"what should be 0 is {shown(rest)}"]
    proof = None
    if derivation in derivation_names() and not derive(derivation).problems():
        proof = derive(derivation).to_document()
        evidence.append("the right form is derived below, and accepted by the independent checker")
    return as_printed(False, *evidence, right=_library_form(derivation), proof=proof)


def _proven(claim: Polynomial, name: str, hypothesis: Hypothesis) -> Finding:
    evidence = [
        f"{shown(claim)} = 0: with everything in the parameters it vanishes identically, so for {hypothesis.value}"
    ]
    proof = None
    if name in derivation_names():
        derivation = derive(name)
        if proportional(claim, derivation.claim.polynomial) and not derivation.problems():
            proof = derivation.to_document()
            number = len(derivation.steps)
            words = "a single step" if number == 1 else f"{number} steps"
            evidence.append(f"derived in {words}, accepted by the independent checker")
    return decided(True, *evidence, proof=proof)


def _library_form(name: str) -> str:
    return f"{derive(name).claim.polynomial} = 0" if name in derivation_names() else ""


def _counterexample(claim: Polynomial, name: str, hypothesis: Hypothesis) -> str:
    postulate = Postulate(name or "printed", claim, Space.RATES, Citation("ntqr", f"eq. {name}"))
    found = refute(postulate, hypotheses(hypothesis))
    if isinstance(found, Refutation):
        return f"smallest test on which it fails: {written_test(found.test)}; left − right = {found.residual}"
    return f"no test of up to {found.largest} questions refutes it, but larger ones do"


@cache
def hypotheses(hypothesis: Hypothesis) -> Sequence[Postulate]:
    """Return the equations that say that a test is one of those meant."""
    match hypothesis:
        case Hypothesis.NONE:
            return ()
        case Hypothesis.INDEPENDENT:
            return tuple(each for each in independent(3) if each.role is Role.HYPOTHESIS)
        case Hypothesis.PRODUCT_RULE:
            return tuple(each for each in agreement_solution() if each.name.startswith("21"))


def proportional(left: Polynomial, right: Polynomial) -> bool:
    """Tell whether two polynomials differ only by a rational factor that is not 0.

    >>> from ntqr_exact.ledger.ntqr.symbols import read
    >>> proportional(read("2*x1 - 2").polynomial(), read("1 - x1").polynomial())
    True
    """
    if not left or not right:
        return not left and not right
    monomial, coefficient = right.sorted_terms()[0]
    return left * coefficient == right * left.terms[monomial] if monomial in left.terms else False


def written_test(test: LabeledVoteCounts) -> str:
    """Return a test with its key in few words: 'key a: ab×1, bb×2; key b: none'."""
    return "; ".join(
        f"key {label}: " + (", ".join(f"{''.join(p)}×{n}" for p, n in votes.counts.items() if n) or "none")
        for label, votes in test.by_label.items()
    )


def shown(value: Polynomial, most: int = 6) -> str:
    """Return a polynomial, cut after this many terms."""
    terms = value.sorted_terms()
    if len(terms) <= most:
        return str(value)
    cut = Polynomial(
        {
            "*".join(f"{name}^{power}" for name, power in monomial) or "1": coefficient
            for monomial, coefficient in terms[:most]
        }
    )
    return f"{cut} + … ({len(terms)} terms)"
