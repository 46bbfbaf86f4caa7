"""Solutions, alarms and derivations as HTML."""

from __future__ import annotations

from ntqr_exact.alarms.alarm import Alarm
from ntqr_exact.alarms.misalignment import Misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.html import study_html
from ntqr_exact.blocks.markup import Markup, card, fold, table, tag, text
from ntqr_exact.evaluators.agreement_solution import AgreementSolution
from ntqr_exact.evaluators.independent.independent_solution import (
    IndependentSolution,
    PrevalenceQuadratic,
)
from ntqr_exact.evaluators.majority import MajorityEvaluation
from ntqr_exact.postulates.derivation import Derivation
from ntqr_exact.study.agreement_part import AgreementStudy
from ntqr_exact.study.independent_part import IndependentStudy
from ntqr_exact.study.safety_part import SafetyStudy, safety_verdict
from ntqr_exact.views.rich.votes_forms import (
    evaluation_html,
    labeled_votes_html,
)


def alarm_html(alarm: Alarm) -> Markup:
    """Return an alarm in words, what its kind means, and the numbers that prove it, folded."""
    proof = table([], list(alarm.proof.items())) if alarm.proof else Markup("")
    return card(
        f"ALARM, {alarm.kind.title}",
        alarm.words,
        fold("what it proves", text(alarm.kind.value), proof),
    )


def quadratic_html(quadratic: PrevalenceQuadratic) -> Markup:
    """Return the equation of the prevalence with its coefficients."""
    rows = [("P²", quadratic.leading), ("P", quadratic.linear), ("1", quadratic.constant)]
    return card("The prevalence quadratic", table(["power", "coefficient"], rows))


def independent_html(solution: IndependentSolution) -> Markup:
    """Return what independent errors would mean, as a study shows it."""
    return study_html([IndependentStudy(solution).section()])


def agreement_html(solution: AgreementSolution) -> Markup:
    """Return both branches of the error rates under e_ij = e_i·e_j, as a study shows them."""
    return study_html([AgreementStudy(solution, ()).section()])


def majority_html(result: MajorityEvaluation) -> Markup:
    """Return the grades by majority vote, and those of the reversed key, folded."""
    parts = [evaluation_html(result.evaluation)]
    if result.reversed_evaluation is not None:
        parts.append(fold("if the majority is always wrong", evaluation_html(result.reversed_evaluation)))
    parts.append(fold("the key", labeled_votes_html(result.key)))
    return card(f"Graded by majority vote, {result.ties} ties", *parts)


def misalignment_html(found: Misalignment) -> Markup:
    """Return the verdict with its safe key counts, as a study shows them."""
    return study_html([SafetyStudy(found.specification, (safety_verdict(found),)).section()])


def specification_html(specification: SafetySpecification) -> Markup:
    """Return the factors and the minimum grade."""
    factor = specification.factor
    rows: list[tuple[object, object]] = (
        [("every label", factor)] if not hasattr(factor, "items") else list(factor.items())
    )
    return card(
        "Every judge: factor · right answers > questions, on each label",
        table(["label", "factor"], rows),
        table([], [("minimum grade", specification.minimum_grade)]),
    )


def derivation_html(derivation: Derivation) -> Markup:
    """Return the claim, what is given, and each step with its cofactors, folded."""
    claim = derivation.claim
    given = [(one.name, str(one.polynomial), str(one.citation)) for one in derivation.given]
    steps = []
    for place, step in enumerate(derivation.steps, start=1):
        terms = zip(step.certificate.names, map(str, step.certificate.cofactors), strict=True)
        steps.append(
            fold(
                f"step {place}: {step.words}",
                tag("code", str(step.certificate.target)),
                table(["generator", "cofactor"], list(terms)),
            )
        )
    return card(
        f"Equation {claim.name}, {claim.citation}, {claim.status.value}",
        tag("code", f"{claim.polynomial} = 0"),
        fold("given", table(["name", "vanishes", "source"], given)),
        *steps,
    )
