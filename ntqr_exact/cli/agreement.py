"""`ntqr-exact agreement`: how much the judges agree beyond chance."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.errors import BadVotes
from ntqr_exact.sampling.answer_table import AnswerTable
from ntqr_exact.sampling.chance_agreement import Coefficient, Weights
from ntqr_exact.sampling.partial_key import PartialKey, votes_or_key
from ntqr_exact.study.chance_part import study_chance, study_ratings
from ntqr_exact.votes.answers import Answers
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.ordinal import two_labels
from ntqr_exact.votes.read_votes import read_answers
from ntqr_exact.votes.shapes import Reading


@options.votes_command
@options.choice_option(
    "--coefficient", Coefficient, "Which coefficient; may be given several times (default: all that fit)."
)
@options.choice_option(
    "--weights", Weights, "How much different answers agree; may be given several times (default: nominal)."
)
@options.html_option
@options.json_option
def agreement(
    votes_path: options.Paths,
    *,
    coefficient: tuple[str, ...],
    weights: tuple[str, ...],
    ordinal: str | None,
    at_least: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Tell how much judges agree beyond chance, in exact numbers.

    VOTES is a votes file, or a CSV in which an empty cell is a missing answer. For a CSV --labels names all labels:
    how many there are changes several coefficients, and is never guessed. What would be 0/0 has no value, and says why.
    With --ordinal the answers are ratings: near misses agree in part, and each level gives a view with two labels.
    An answer that --abstain names is a missing one.

    \b
    Example:
      ntqr-exact agreement ratings.csv --ordinal 1..5
    """
    kinds, by = tuple(map(Coefficient, coefficient)) or tuple(Coefficient), tuple(map(Weights, weights))
    levels = options.levels_of(ordinal, reading["labels"], at_least)
    table = _answers(votes_path, **reading | ({} if levels is None else {"labels": levels}))
    if at_least is not None:
        names, seen_as = two_labels(table.labels, at_least)
        table = table.relabeled(seen_as, names)
    if ordinal is not None and at_least is None:
        options.show(study_ratings(table, coefficients=kinds, weights=by), as_json=as_json)
        return
    found = study_chance(table, coefficients=kinds, weights=by or (Weights.NOMINAL,))
    if not found.values:
        raise click.UsageError("no coefficient that was asked for is made for these answers and weights")
    options.show(found, as_json=as_json)


def _answers(
    votes_path: options.Paths,
    *,
    labels: tuple[str, ...] | None,
    delimiter: str | None,
    header: bool | None,
    abstain: str | None,
    **asked: Any,
) -> AnswerTable:
    """Return the answers; those that are missing stay so unless told otherwise, and an abstention is one of them."""
    every = labels if abstain is None or labels is None or abstain in labels else (*labels, abstain)
    with options.source_path(votes_path) as path, options.row_counter() as progress:
        reading = Reading(labels=every, in_part=True, progress=progress, **asked)
        answers = read_answers(path, reading, delimiter=delimiter, header=header)
    if isinstance(answers, Answers):
        if labels is None:
            rule = "agreement depends on how many labels there are"
            raise BadVotes(votes_path, rule, "name them by --labels")
        table = AnswerTable.from_votes(answers.observed())
    else:
        found = votes_or_key(answers.value, asked["judges"])
        votes = found.votes if isinstance(found, PartialKey) else found
        table = AnswerTable.from_votes(votes.observed() if isinstance(votes, LabeledVoteCounts) else votes)
    kept = [label for label in labels or table.labels if label != abstain]
    for label in table.labels:
        if label not in (*kept, abstain):
            raise BadVotes(label, f"the labels are {', '.join(map(repr, kept))}")
    return table.relabeled({label: label for label in kept} | {str(abstain): None}, kept)
