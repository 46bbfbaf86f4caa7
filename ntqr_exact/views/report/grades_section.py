"""Grades by every evaluator side by side, and the two hypotheses about independence in full."""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.agreement_solution import AgreementSolution
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.squared_distance import squared_distance
from ntqr_exact.exact.surd import Surd
from ntqr_exact.views.plots.prevalence_quadratic import plot_prevalence_quadratic
from ntqr_exact.views.report.blocks import Section, bullets, data_table, facts, heading, rate, sentence
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.study import Study, right_in_all
from ntqr_exact.views.rich.markup import Markup, fold, tag

_NOTHING = "–"
_MANY_GRADES = 60


def grades_section(found: Study) -> Section:
    """Return the table of all grades, how far each is from the key, and what each evaluator assumes."""
    parts = [
        sentence(
            "Each column takes something for granted: the key that it is right, the majority that most judges are "
            "right on every question, independence that the judges err independently of each other on the questions "
            "of each label, agreement that the error rates of every pair multiply over the whole test. The alarms "
            "below tell which of these cannot be."
        ),
        _side_by_side(found),
    ]
    if found.majority.ties:
        parts.append(
            sentence(
                f"Questions without a majority: {found.majority.ties}, decided by the policy {found.ties.value}."
            )
        )
    if found.key is not None:
        parts.append(_distances(found, found.key))
    if found.solution is None:
        parts.append(sentence("Independent errors are solved for three judges or more."))
    else:
        parts += _independent(found, found.solution)
    if found.agreement is not None:
        parts += _agreement(found, found.agreement)
    return Section("grades", "Grades by every evaluator", tuple(parts))


def columns(found: Study) -> dict[str, Evaluation]:
    """Return the evaluations that the table shows, by the name of their evaluator."""
    named = {
        "by the key": found.key,
        "majority": found.majority.evaluation,
        "independent": found.best,
    }
    return {name: evaluation for name, evaluation in named.items() if evaluation is not None}


def _side_by_side(found: Study) -> Markup:
    graded = columns(found)
    errors = _agreed_errors(found.agreement)
    more = [_NOTHING] if found.agreement is not None else []
    rows: list[list[object]] = [
        [f"share of {label}", *(rate(one.prevalence[label]) for one in graded.values()), *more]
        for label in found.votes.labels
    ]
    for place, judge in enumerate(found.votes.judges):
        rows += [
            [
                f"{judge} right on {label}",
                *(rate(one.accuracy[place][label]) for one in graded.values()),
                *more,
            ]
            for label in found.votes.labels
        ]
        in_all: list[object] = [rate(right_in_all(one, place)) for one in graded.values()]
        if found.agreement is not None:
            in_all.append(rate(1 - errors[place]) if errors else "none")
        rows.append([f"{judge} right in all", *in_all])
    header = ["grade", *graded, *(["agreement"] if found.agreement is not None else [])]
    return data_table("Grades of the judges, each number exact", header, rows, fold_beyond=_MANY_GRADES)


def _agreed_errors(agreement: AgreementSolution | None) -> tuple[mpq | Surd, ...]:
    """Return of the two branches the one with fewer errors, the first if they are imaginary."""
    if agreement is None or not agreement.branches:
        return ()
    if any(isinstance(error, Surd) and not error.is_real for error in agreement.branches[0]):
        return agreement.branches[0]
    return min(agreement.branches, key=lambda errors: errors[0] + errors[1] + errors[2])


def _distances(found: Study, key: Evaluation) -> Markup:
    others = {name: one for name, one in columns(found).items() if one is not key}
    return data_table(
        "Sum of the squared differences from the key, over all shares and accuracies",
        ["evaluator", "distance"],
        [(name, rate(squared_distance(one, key))) for name, one in others.items()],
    )


def _independent(found: Study, solution: IndependentSolution) -> Iterator[Markup]:
    yield heading("If the judges erred independently on each label")
    yield sentence(f"{solution.identification.value.capitalize()}.")
    if solution.quadratic is not None:
        yield sentence(
            "The share P of a label solves A·P² − A·P + Π = 0, where A = T² + 4Π and Π is the product of the three Δ."
        )
    if solution.moments is not None:
        moments = solution.moments
        yield facts(
            "What decides",
            [("T", moments.trio), ("Π", moments.pair_product), ("A", moments.discriminant)],
        )
    for place, one in enumerate(solution.solutions, start=1):
        yield fold(f"solution {place} of {len(solution.solutions)}", _evaluation(found, one))
    if found.is_binary and solution.solutions:
        yield sentence(
            "The two solutions exchange the true labels; the table above shows the one with better judges."
        )
    yield bullets(solution.notes)
    if solution.quadratic is not None:
        yield _quadratic(found, solution)


def _evaluation(found: Study, one: Evaluation) -> Markup:
    rows = [["share of questions", *map(rate, one.prevalence.values())]]
    rows += [
        [f"{judge} right", *map(rate, right.values())]
        for judge, right in zip(found.votes.judges, one.accuracy, strict=True)
    ]
    return data_table("Shares and accuracies", ["", *one.labels], rows)


def _quadratic(found: Study, solution: IndependentSolution) -> Markup:
    first = found.votes.labels[0]
    marks = {
        name: rational_rate(one.prevalence[first])
        for name, one in columns(found).items()
        if name != "independent"
    }
    return figure(
        "quadratic",
        "The prevalence quadratic, its roots, and the range in which a share can lie"
        + (": an alarm" if solution.alarms else ""),
        lambda axes: plot_prevalence_quadratic(solution, marks=marks, axes=axes),
        height=5,
    )


def _agreement(found: Study, agreement: AgreementSolution) -> Iterator[Markup]:
    yield heading("If the error rates of every pair multiplied over the whole test")
    yield sentence(
        "From the agreements alone: 2a_ij − 1 = (1 − 2e_i)(1 − 2e_j) for every pair. This is another hypothesis than "
        "independence on each label: there e_ij − e_i·e_j is P_a·P_b·(x_i − y_i)(x_j − y_j)."
    )
    if agreement.branches:
        rows = [
            [judge, *(rate(branch[place]) for branch in agreement.branches)]
            for place, judge in enumerate(found.votes.judges)
        ]
        yield data_table("Error rates", ["judge", "branch 1", "branch 2"], rows)
    if found.best is not None:
        defects = [
            (", ".join(found.votes.judges[judge] for judge in pair), rate(value))
            for pair, value in agreement.defects(found.best).items()
        ]
        shown = data_table(
            "e_ij − e_i·e_j of each pair at the independent solution: 0 where both hypotheses agree",
            ["judges", "defect"],
            defects,
        )
        yield fold("where the two hypotheses differ", shown)
    if agreement.note:
        yield tag("p", agreement.note)
