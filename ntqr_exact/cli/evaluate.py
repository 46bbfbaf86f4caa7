"""`ntqr-exact evaluate`: every way to grade, side by side, with the alarms."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import click
from gmpy2 import mpq

from ntqr_exact.cli.options import example_names, json_option, load_case, votes_options
from ntqr_exact.cli.words import counted, rate_text, table, with_decimal
from ntqr_exact.evaluation import Evaluation, Rate, Undefined, defined
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution, KeyExistence
from ntqr_exact.evaluators.independent.solve import EFFORT, solve_independent
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.evaluators.squared_distance import squared_distance
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.surd import Surd
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_FEWEST = 3
"""Independent errors are solved for so many judges or more."""

_WIDEST = 15
"""A longer fraction is told by its decimal in the table; JSON has it."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One way to grade and what it says."""

    name: str
    evaluation: Evaluation


@click.command(epilog=f"In place of a file: {example_names()}.")
@votes_options
@click.option(
    "--ties",
    type=click.Choice([policy.value for policy in TiePolicy]),
    default=TiePolicy.FIRST_LABEL.value,
    show_default=True,
    help="What the majority says where several labels have the most votes.",
)
@click.option(
    "--effort",
    type=click.IntRange(min=1),
    default=EFFORT,
    show_default=True,
    help="Steps of the search for an answer key where independent judges are not identified.",
)
@json_option
def evaluate(votes_path: str, *, ties: str, effort: int, as_json: bool, **options: Any) -> None:
    """Grade the judges every way there is: by the key, by majority, by independent errors.

    VOTES is a votes file or a decisions CSV; --truth names the column of the answer key, if there is one.
    Alarms tell which assumptions the votes refute, and why. With more than three judges every trio is looked at.
    Where the search for an independent key ends at --effort, it says UNDECIDED; that is no failure (exit code 0).

    \b
    Example:
      ntqr-exact evaluate example:uci-adult
    """
    case = load_case(votes_path, **options)
    key = grade(case.votes) if isinstance(case.votes, LabeledVoteCounts) else case.known
    votes = case.votes.observed() if isinstance(case.votes, LabeledVoteCounts) else case.votes
    if as_json:
        click.echo(write_json(document(votes, key, ties, effort=effort)), nl=False)
        return
    click.echo(report(votes, key, ties, effort=effort))


def document(votes: VoteCounts, key: Evaluation | None, ties: str, *, effort: int = EFFORT) -> dict[str, Any]:
    """Return all gradings as a JSON document."""
    result: dict[str, Any] = {"votes": votes.to_document()}
    if key is not None:
        result["key"] = key.to_document()
    majority = majority_vote(votes, ties=ties)
    result["majority"] = {"evaluation": majority.evaluation.to_document(), "ties": majority.ties}
    if majority.reversed_evaluation is not None:
        result["majority"]["reversed"] = majority.reversed_evaluation.to_document()
    if len(votes.judges) >= _FEWEST:
        solution = solve_independent(votes, effort=effort)
        result["independent"] = solution.to_document()
        nearest = _nearest(votes, _best(solution))
        if nearest is not None:
            result["nearest"] = nearest
    if _is_binary_trio(votes):
        result["agreement"] = solve_agreement(votes).to_document()
    if len(votes.judges) > _FEWEST:
        result["trios"] = [
            {
                "judges": list(names),
                "independent_key": solution.existence.name.lower(),
                "alarms": solution.to_document()["alarms"],
            }
            for names, solution in _trio_solutions(votes, effort)
        ]
    return result


def report(votes: VoteCounts, key: Evaluation | None, ties: str, *, effort: int = EFFORT) -> str:
    """Return all gradings in words."""
    graded = [Graded("by key", key)] if key is not None else []
    majority = majority_vote(votes, ties=ties)
    graded.append(Graded("majority", majority.evaluation))
    solution = solve_independent(votes, effort=effort) if len(votes.judges) >= _FEWEST else None
    best = _best(solution)
    if best is not None:
        graded.append(Graded("independent", best))
    parts = [
        f"{counted(votes.size, 'question')}, {counted(len(votes.judges), 'judge')}, labels {', '.join(votes.labels)}.",
        "",
        "Grades:",
        _side_by_side(votes, graded),
    ]
    if majority.ties:
        parts += ["", f"Questions without a majority: {majority.ties}, decided by the policy {ties}."]
    if key is not None:
        parts += ["", _closest(graded)]
    parts += ["", *_independence(votes, solution, best)]
    if _is_binary_trio(votes):
        parts += ["", str(solve_agreement(votes)), *_defects(votes, best)]
    if len(votes.judges) > _FEWEST:
        parts += ["", "Every trio by itself, and the alarms that it raises:", *_trios(votes, effort)]
    return "\n".join(_folded(line) for part in parts for line in part.split("\n"))


def _is_binary_trio(votes: VoteCounts) -> bool:
    return len(votes.judges) == _FEWEST and len(votes.labels) == 2


def _best(solution: IndependentSolution | None) -> Evaluation | None:
    """Return the solution to show: of those that are real, the one under which the judges are right most often."""
    if solution is None or not all(map(_is_real, solution.solutions)):
        return None
    return max(solution.solutions, key=_right_answers, default=None)


def _is_real(evaluation: Evaluation) -> bool:
    return all(not isinstance(rate, Surd) or rate.is_real for rate in _accuracies(evaluation))


def _right_answers(evaluation: Evaluation) -> mpq | Surd:
    total: mpq | Surd = mpq(0)
    for rate in _accuracies(evaluation):
        total = total + defined(rate)
    return total


def _accuracies(evaluation: Evaluation) -> list[Rate]:
    return [rate for right in evaluation.accuracy for rate in right.values()]


def _side_by_side(votes: VoteCounts, graded: list[Graded]) -> str:
    rows = [
        [f"share of {label}", *(_cell(one.evaluation.prevalence[label]) for one in graded)]
        for label in votes.labels
    ]
    rows += [
        [f"judge {judge} right on {label}", *(_cell(one.evaluation.accuracy[place][label]) for one in graded)]
        for place, judge in enumerate(votes.judges)
        for label in votes.labels
    ]
    return table(["", *(one.name for one in graded)], rows)


def _cell(rate: Rate) -> str:
    """Return a rate for the table: exact and as a decimal, or as a decimal alone where the exact form is long."""
    if isinstance(rate, mpq) and len(str(rate)) <= _WIDEST:
        return with_decimal(rate)
    return rate_text(rate)


def _closest(graded: list[Graded]) -> str:
    truth, *estimates = graded
    distances = [(squared_distance(one.evaluation, truth.evaluation), one.name) for one in estimates]
    shown = ", ".join(f"{name} {rate_text(distance)}" for distance, name in distances)
    measure = f"sum of squared differences from the key: {shown}"
    if len(distances) == 1:
        return measure.capitalize() + "."
    nearest, name = min(distances, key=lambda pair: pair[0])
    if all(distance == nearest for distance, _ in distances):
        return f"All estimates are equally close to the key ({measure})."
    return f"Closest to the key: {name} ({measure})."


def _independence(
    votes: VoteCounts, solution: IndependentSolution | None, best: Evaluation | None
) -> list[str]:
    if solution is None:
        return [f"Independent errors are solved for three judges or more; here: {len(votes.judges)}."]
    lines = [str(solution)]
    if best is not None and best != solution.solutions[0]:
        lines.append("The table shows solution 2, under which the judges are right more often.")
    nearest = _nearest(votes, best)
    return lines if nearest is None else [*lines, "", *_nearest_words(nearest)]


def _nearest(votes: VoteCounts, best: Evaluation | None) -> dict[str, Any] | None:
    """Return the nearest consistent counts to the independent solution, and what correlations go with them."""
    if best is None or not _is_binary_trio(votes):
        return None
    consistent = ConsistentSet(votes)
    found = consistent.nearest(best).evaluation
    correlations = []
    for i, j in combinations(range(3), 2):
        points = [point.correlations for point in consistent.pair_correlations(found, i, j)]
        correlations += [
            {
                "judges": [votes.judges[i], votes.judges[j]],
                "label": label,
                "least": min(values),
                "greatest": max(values),
                "points": len(points),
            }
            for label, values in zip(votes.labels, zip(*points, strict=True), strict=True)
            if not any(isinstance(value, Undefined) for value in values)
        ]
    return {
        "key_counts": dict(found.key_counts),
        "right": dict(zip(votes.judges, found.correct, strict=True)),
        "correlations": correlations,
    }


def _nearest_words(nearest: dict[str, Any]) -> list[str]:
    key = ", ".join(f"{count} of {label}" for label, count in nearest["key_counts"].items())
    rows = [
        [f"{', '.join(row['judges'])} on {row['label']}", *map(with_decimal, (row["least"], row["greatest"]))]
        for row in nearest["correlations"]
    ]
    return [
        f"Nearest evaluation in whole numbers that the votes allow ({key}), right answers:",
        *(
            f"  judge {judge}: " + ", ".join(f"{count} on {label}" for label, count in right.items())
            for judge, right in nearest["right"].items()
        ),
        "Error correlations that pairs of judges can have with it:",
        table(["", "from", "to"], rows),
    ]


def _defects(votes: VoteCounts, best: Evaluation | None) -> list[str]:
    """Return where the two hypotheses differ, at the rates of the independent solution."""
    if best is None:
        return []
    defects = solve_agreement(votes).defects(best)
    if not any(defects.values()):
        return [
            "At the rates of the independent solution above both hypotheses agree: e_ij = e_i·e_j for every pair."
        ]
    shown = ", ".join(
        f"{votes.judges[i]}, {votes.judges[j]}: {rate_text(value)}" for (i, j), value in defects.items()
    )
    return [f"Errors that are independent given the label, as above, make e_ij − e_i·e_j {shown}."]


def _trio_solutions(votes: VoteCounts, effort: int) -> Iterator[tuple[tuple[str, ...], IndependentSolution]]:
    """Yield the names of every trio of judges, and what their votes by themselves mean."""
    for trio in combinations(range(len(votes.judges)), 3):
        names = tuple(votes.judges[judge] for judge in trio)
        yield names, solve_independent(votes.marginal(*trio), effort=effort)


def _trios(votes: VoteCounts, effort: int) -> list[str]:
    lines = []
    for names, solution in _trio_solutions(votes, effort):
        if solution.existence is KeyExistence.UNDECIDED:
            told = "undecided"
        else:
            told = ", ".join(dict.fromkeys(alarm.kind.title for alarm in solution.alarms)) or "none"
        lines.append(f"  {', '.join(names)}: {told}")
    return lines


def _folded(line: str) -> str:
    """Return a long sentence on several lines; a line of a table or a formula stays as it is."""
    if line.startswith(" "):
        return line
    return textwrap.fill(line, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
