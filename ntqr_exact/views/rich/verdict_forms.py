"""Solutions, alarms and derivations as HTML."""

from __future__ import annotations

from collections.abc import Iterable

from ntqr_exact.alarms.alarm import Alarm
from ntqr_exact.alarms.misalignment import Misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.markup import Markup, card, fold, listed, table, tag, text
from ntqr_exact.evaluators.agreement_solution import AgreementSolution
from ntqr_exact.evaluators.independent.independent_solution import (
    IndependentSolution,
    KeyExistence,
    PrevalenceQuadratic,
)
from ntqr_exact.evaluators.majority import MajorityEvaluation
from ntqr_exact.postulates.derivation import Derivation
from ntqr_exact.study.key_runs import key_runs
from ntqr_exact.views.rich.votes_forms import (
    count_evaluation_html,
    evaluation_html,
    labeled_votes_html,
    votes_html,
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
    """Return what independent errors would mean: alarms first, then the evaluations, the rest folded."""
    judges = len(solution.votes.judges)
    parts: list[Markup] = [
        text(f"If the {judges} judges erred independently: {solution.identification.value}.")
    ]
    if solution.existence is KeyExistence.UNDECIDED:
        parts.append(text("Whether an answer key makes the errors independent is undecided at this effort."))
        parts.append(listed(alarm_html(finding) for finding in solution.findings))
    else:
        parts.append(
            _alarms(solution.alarms, "there is an answer key under which the errors are independent")
        )
    for place, one in enumerate(solution.solutions, start=1):
        parts.append(fold(f"solution {place}", evaluation_html(one)))
    if solution.quadratic is not None:
        parts.append(fold("the quadratic", quadratic_html(solution.quadratic)))
    for place, key in enumerate(solution.keys, start=1):
        parts.append(fold(f"answer key {place}", labeled_votes_html(key)))
    parts.append(listed(solution.notes))
    parts.append(fold("the votes", votes_html(solution.votes)))
    return card("Independent errors", *parts)


def agreement_html(solution: AgreementSolution) -> Markup:
    """Return both branches of the error rates under e_ij = e_i·e_j, with the alarms."""
    rows = [
        (judge, *(branch[place] for branch in solution.branches))
        for place, judge in enumerate(solution.votes.judges)
    ]
    header = ["judge", *(f"error rate, branch {n}" for n in range(1, len(solution.branches) + 1))]
    return card(
        "Independent errors over the whole test",
        _alarms(solution.alarms, "the error rates are shares of the questions"),
        table(header, rows) if solution.branches else "",
        solution.note,
        fold("the votes", votes_html(solution.votes)),
    )


def majority_html(result: MajorityEvaluation) -> Markup:
    """Return the grades by majority vote, and those of the reversed key, folded."""
    parts = [evaluation_html(result.evaluation)]
    if result.reversed_evaluation is not None:
        parts.append(fold("if the majority is always wrong", evaluation_html(result.reversed_evaluation)))
    parts.append(fold("the key", labeled_votes_html(result.key)))
    return card(f"Graded by majority vote, {result.ties} ties", *parts)


def misalignment_html(found: Misalignment) -> Markup:
    """Return the verdict, the safe key counts of two labels, and a witness, folded."""
    parts: list[object] = [found.words]
    rows = [(label, count) for label, count in found.most_questions.items()]
    parts.append(
        fold("most questions on which each judge alone could be safe", table(["label", "most"], rows))
    )
    if len(found.votes.labels) == 2:
        first = found.votes.labels[0]
        runs = [(run.first, run.last) for run in key_runs(found) if run.is_safe]
        safe = table([f"questions of {first}, from", "to"], runs) if runs else text("none")
        parts.append(fold("safe key counts", safe))
    witness = found.witness
    if witness is not None:
        parts.append(fold("all could be safe like this", count_evaluation_html(witness)))
    parts.append(fold("the votes", votes_html(found.votes)))
    return card("ALARM" if found.is_misaligned else "no alarm", *parts)


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


def _alarms(alarms: Iterable[Alarm], otherwise: str) -> Markup:
    found = list(alarms)
    return listed(alarm_html(alarm) for alarm in found) if found else text(f"No alarm: {otherwise}.")
