"""Checks of section 7.1: theorem 1 and its eight polynomials, eqs. 41 to 48."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.ledger.judgement import Finding, decided
from ntqr_exact.ledger.ntqr.counting import small_tests
from ntqr_exact.ledger.ntqr.identities import Hypothesis, hypotheses, identity, in_parameters, written_test
from ntqr_exact.ledger.ntqr.small_votes import votes_text, without_solution
from ntqr_exact.ledger.ntqr.symbols import Printed, read, symbols
from ntqr_exact.ledger.registry import printed
from ntqr_exact.postulates.independent import independent
from ntqr_exact.postulates.postulate import Postulate, Space
from ntqr_exact.postulates.prevalence import eliminate_prevalence
from ntqr_exact.postulates.refutations import Refutation, refute
from ntqr_exact.postulates.trio import trio


@cache
def generating() -> Mapping[str, str]:
    """Return the eight polynomials as printed; 42 without the β that stands in its text."""
    return {name: printed(f"ntqr/eq-{name}").replace("beta*", "") for name in map(str, range(41, 49))}


def polynomial(printed: Printed, *, name: str) -> Finding:
    """Judge one polynomial for independent judges, and against the library's postulate of that name."""
    found = identity(printed, derivation=name, hypothesis=Hypothesis.INDEPENDENT)
    ours = independent(3)[name].polynomial.substitute({symbols()["Pb"].variables()[0]: 1 - symbols()["Pa"]})
    if printed.formula.polynomial() == ours:
        return found
    return decided(False, *found.evidence, right=str(independent(3)[name]), slip=True)


def polynomial_with_beta(printed: Printed, *, name: str) -> Finding:
    """Judge a polynomial in which a β stands as an unknown factor: it must hold whatever β is."""
    claim = printed.formula.polynomial()
    if "beta" not in claim.variables():
        return polynomial(printed, name=name)
    proven = not in_parameters(claim.substitute({"beta": 1}), Hypothesis.INDEPENDENT)
    return decided(
        False,
        "β is nowhere explained, and the equation is linear in it",
        "for β = 1 it vanishes identically, so that no other β is right"
        if proven
        else "for β = 1 it fails, too",
        slip=proven,
    )


def given_independence() -> Finding:
    """Put Γ = 0 in the complete postulates of three judges, and count through small tests without correlations."""
    failing = [
        name
        for name, text in generating().items()
        if in_parameters(read(text).polynomial(), Hypothesis.INDEPENDENT)
    ]
    checked = 0
    for test in small_tests(3, 2):
        if all(each.residual(test) == 0 for each in _no_correlations()):
            checked += 1
            failing += [each.name for each in _printed_forms() if each.residual(test) != 0]
    return decided(
        not failing,
        "if all eight Γ are 0, the complete postulates of three judges become eqs. 41 to 48",
        f"so counted in all {checked} tests without correlations that have two questions, one of each label",
        right=", ".join(failing),
    )


@cache
def _printed_forms() -> tuple[Postulate, ...]:
    return tuple(
        Postulate(name, read(text).polynomial(), Space.RATES, Citation("ntqr", f"eq. {name}"))
        for name, text in generating().items()
    )


@cache
def _no_correlations() -> tuple[Postulate, ...]:
    """Return that each of the error correlations of three judges is 0."""
    names = {name for form in trio().rates.polynomials for name in form.variables()}
    return tuple(
        Postulate(name, Polynomial.variable(name), Space.RATES, Citation("ntqr", "eqs. 24 and 25"))
        for name in sorted(names)
        if name.startswith("correlation")
    )


def variety() -> Finding:
    """Judge that the true rates of independent judges solve the eight equations."""
    failing = [
        each.name for each in _printed_forms() if in_parameters(each.polynomial, Hypothesis.INDEPENDENT)
    ]
    empty = without_solution()
    return decided(
        not failing,
        "the true rates of independent judges solve eqs. 41 to 48, so that the variety contains them",
        "for other judges it may be empty: "
        f"{votes_text(empty)}: elimination ends in {eliminate_prevalence(empty).outcome.value}",
        right=", ".join(failing),
    )


def every_pattern() -> Finding:
    """Judge that the eight equations give the frequency of every pattern: their right sides add up to 1."""
    total = sum_of(read(text).polynomial() for text in generating().values())
    frequencies = sum_of(read(text.split("=")[0]).polynomial() for text in generating().values())
    claim = Postulate("Γ^a = 0", symbols()["Ga12"], Space.RATES, Citation("ntqr", "theorem 1"))
    found = refute(claim, hypotheses(Hypothesis.INDEPENDENT))
    other = (
        f"they do not imply independence: {written_test(found.test)} has Γ^a_{{1,2}} = {found.residual}, and 41 to 48 "
        "hold with the true rates, since P_aΓ^a + P_bΓ^b = 0"
        if isinstance(found, Refutation)
        else "no small test with correlations satisfies them"
    )
    return decided(
        total == frequencies - 1, f"{len(generating())} = 2³ equations, whose right sides add up to 1", other
    )
