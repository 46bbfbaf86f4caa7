"""Claims of section 7.1: theorem 1 and its eight polynomials, eqs. 41 to 48."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from types import MappingProxyType

from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided
from ntqr_exact.ledger.ntqr.counting import small_tests
from ntqr_exact.ledger.ntqr.identities import Hypothesis, hypotheses, identity, in_parameters, written_test
from ntqr_exact.ledger.ntqr.small_votes import votes_text, without_solution
from ntqr_exact.ledger.ntqr.symbols import in_latex, read, symbols, written
from ntqr_exact.postulates.independent import independent
from ntqr_exact.postulates.postulate import Postulate, Space
from ntqr_exact.postulates.prevalence import eliminate_prevalence
from ntqr_exact.postulates.refutations import Refutation, refute
from ntqr_exact.postulates.trio import trio

GENERATING: Mapping[str, str] = MappingProxyType(
    {
        "41": "fa1a2a3 = Pa*x1*x2*x3 + (1 - Pa)*(1 - y1)*(1 - y2)*(1 - y3)",
        "42": "fa1a2b3 = Pa*x1*x2*(1 - x3) + (1 - Pa)*(1 - y1)*(1 - y2)*y3",
        "43": "fa1b2a3 = Pa*x1*(1 - x2)*x3 + (1 - Pa)*(1 - y1)*y2*(1 - y3)",
        "44": "fb1a2a3 = Pa*(1 - x1)*x2*x3 + (1 - Pa)*y1*(1 - y2)*(1 - y3)",
        "45": "fb1b2a3 = Pa*(1 - x1)*(1 - x2)*x3 + (1 - Pa)*y1*y2*(1 - y3)",
        "46": "fb1a2b3 = Pa*(1 - x1)*x2*(1 - x3) + (1 - Pa)*y1*(1 - y2)*y3",
        "47": "fa1b2b3 = Pa*x1*(1 - x2)*(1 - x3) + (1 - Pa)*(1 - y1)*y2*y3",
        "48": "fb1b2b3 = Pa*(1 - x1)*(1 - x2)*(1 - x3) + (1 - Pa)*y1*y2*y3",
    }
)
"""The eight polynomials; 42 without the β that stands in its text."""

_WITH_BETA = "fa1a2b3 = Pa*x1*x2*(1 - x3) + (1 - Pa)*(1 - beta*y1)*(1 - y2)*y3"


def _polynomial(printed: str, *, name: str) -> Finding:
    """Judge one polynomial for independent judges, and against the library's postulate of that name."""
    found = identity(printed, name=name, hypothesis=Hypothesis.INDEPENDENT)
    ours = independent(3)[name].polynomial.substitute({symbols()["Pb"].variables()[0]: 1 - symbols()["Pa"]})
    same = read(printed).polynomial() == ours
    if found.right or not same:
        return decided(False, *found.evidence, right=str(independent(3)[name]), slip=True)
    return found


def _polynomial_42(printed: str) -> Finding:
    """Judge eq. 42 with the β that stands in it as an unknown factor: it must hold whatever β is."""
    beta = Polynomial.variable("beta")
    claim = read(printed, {"beta": beta}).polynomial()
    rest = in_parameters(claim.substitute({"beta": 2}), Hypothesis.INDEPENDENT)
    without = printed.replace("beta*", "")
    proven = read(without).polynomial() == read(GENERATING["42"]).polynomial() and not in_parameters(
        read(without).polynomial(), Hypothesis.INDEPENDENT
    )
    return decided(
        not rest and proven,
        "β is nowhere explained; the equation is linear in it, right for β = 1 and not for 2, so for no other value",
        "without β it vanishes identically with everything in the parameters"
        if proven
        else "without β it fails, too",
        right=written(without) if proven else str(independent(3)["42"]),
        slip=True,
        arose="a label β of another notation was left in the formula, as in eq. 40" if proven else "",
    )


def _given_independence(_printed: str) -> Finding:
    """Put Γ = 0 in the complete postulates of three judges, and count through small tests without correlations."""
    failing = [
        name
        for name, text in GENERATING.items()
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
        for name, text in GENERATING.items()
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


def _variety(_printed: str) -> Finding:
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


def _complete(_printed: str) -> Finding:
    """Judge two senses of completeness: all patterns are covered, and only independent judges obey."""
    total = sum_of(read(text).polynomial() for text in GENERATING.values())
    frequencies = sum_of(read(text.split("=")[0]).polynomial() for text in GENERATING.values())
    claim = Postulate("Γ^a = 0", symbols()["Ga12"], Space.RATES, Citation("ntqr", "theorem 1"))
    found = refute(claim, hypotheses(Hypothesis.INDEPENDENT))
    counter = (
        f"{written_test(found.test)}: Γ^a_{{1,2}} = {found.residual}, and yet 41 to 48 hold with the true rates, "
        "since P_aΓ^a + P_bΓ^b = 0"
        if isinstance(found, Refutation)
        else f"no test of up to {found.largest} questions refutes it"
    )
    return by_reading(
        {
            "it gives the frequency of every pattern": decided(
                total == frequencies - 1, f"{len(GENERATING)} = 2³ equations, whose right sides add up to 1"
            ),
            "only independent judges satisfy it": decided(
                not isinstance(found, Refutation),
                counter,
                right="independence implies the eight equations; they do not imply independence",
            ),
        }
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/thm-1",
        "theorem 1",
        Kind.THEOREM,
        "The frequencies of three independent judges are given by the complete set 41 to 48.",
        _given_independence,
        by_hand="Of the questions of a label, independent judges give a pattern as often as their shares multiply to.",
    ),
    *(
        Claim(
            f"ntqr/eq-{name}",
            f"eq. {name}",
            Kind.IDENTITY,
            f"For three independent judges ${in_latex(_WITH_BETA if name == '42' else text)}$.",
            _polynomial_42 if name == "42" else partial(_polynomial, name=name),
            printed=_WITH_BETA if name == "42" else text,
            garbled="A factor β stands after P^b_{b_1}, where b_i is meant." if name == "42" else "",
            by_hand="On each label multiply, for each judge, the share of its questions on which it gives this answer.",
        )
        for name, text in GENERATING.items()
    ),
    Claim(
        "ntqr/thm-1/variety",
        "theorem 1, last sentence",
        Kind.THEOREM,
        "The set defines a variety that is not empty and contains the true evaluation.",
        _variety,
    ),
    Claim(
        "ntqr/thm-1/complete",
        "theorem 1",
        Kind.THEOREM,
        "The set 41 to 48 is complete.",
        _complete,
    ),
)
