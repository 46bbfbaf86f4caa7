"""`ntqr-exact agreement`: how much the judges agree beyond chance."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli.options import (
    RowCounter,
    example_names,
    json_option,
    levels_of,
    show,
    source_path,
    votes_options,
)
from ntqr_exact.errors import BadVotes
from ntqr_exact.graded.answer_table import AnswerTable
from ntqr_exact.graded.chance_agreement import Coefficient, Weights
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.graded.reading import votes_or_key
from ntqr_exact.study.chance_part import study_chance, study_ratings
from ntqr_exact.votes.decisions_file import VotesDocument, opened_decisions
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.ordinal import two_labels
from ntqr_exact.votes.read_votes import refuse_row_options


@click.command(epilog=f"In place of a file: {example_names()}.")
@votes_options
@click.option(
    "--coefficient",
    "coefficients",
    multiple=True,
    type=click.Choice([kind.value for kind in Coefficient]),
    help="Which coefficient; may be given several times (default: all that fit).",
)
@click.option(
    "--weights",
    multiple=True,
    type=click.Choice([kind.value for kind in Weights]),
    help="How much different answers agree; may be given several times (default: nominal).",
)
@json_option
def agreement(
    votes_path: str,
    *,
    coefficients: tuple[str, ...],
    weights: tuple[str, ...],
    ordinal: str | None,
    at_least: str | None,
    as_json: bool,
    **options: Any,
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
    kinds = tuple(map(Coefficient, coefficients)) or tuple(Coefficient)
    levels = levels_of(ordinal, options["labels"], at_least)
    table = _answers(votes_path, **options | ({} if levels is None else {"labels": levels}))
    if at_least is not None:
        names, seen_as = two_labels(table.labels, at_least)
        table = table.relabeled(seen_as, names)
    if ordinal is not None and at_least is None:
        show(study_ratings(table, coefficients=kinds, weights=tuple(map(Weights, weights))), as_json=as_json)
        return
    found = study_chance(
        table, coefficients=kinds, weights=tuple(map(Weights, weights)) or (Weights.NOMINAL,)
    )
    if not found.values:
        raise click.UsageError("no coefficient that was asked for is made for these answers and weights")
    show(found, as_json=as_json)


def _answers(
    votes_path: str,
    *,
    truth: str | None,
    judges: tuple[str, ...] | None,
    labels: tuple[str, ...] | None,
    long: tuple[str, ...] | None,
    delimiter: str | None,
    missing: str | None,
    abstain: str | None,
) -> AnswerTable:
    """Return the answers; those that are missing stay so unless told otherwise, and an abstention is one of them."""
    with source_path(votes_path) as path, opened_decisions(path, delimiter=delimiter) as rows:
        if isinstance(rows, VotesDocument):
            refuse_row_options(path, truth=truth, missing=missing, long=long)
            found = votes_or_key(rows.document, judges)
            votes = found.votes if isinstance(found, PartialKey) else found
            table = AnswerTable.from_votes(
                votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
            )
        elif labels is None:
            raise BadVotes(
                votes_path, "agreement depends on how many labels there are", "name them by --labels"
            )
        else:
            every = labels if abstain is None or abstain in labels else (*labels, abstain)
            with RowCounter() as counter:
                table = AnswerTable.from_rows(
                    rows, every, judges=judges, truth=truth, long=long, missing=missing, progress=counter.add
                )
    kept = [label for label in labels or table.labels if label != abstain]
    for label in table.labels:
        if label not in (*kept, abstain):
            raise BadVotes(label, f"the labels are {', '.join(map(repr, kept))}")
    return table.relabeled({label: label for label in kept} | {str(abstain): None}, kept)
