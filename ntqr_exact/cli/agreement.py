"""`ntqr-exact agreement`: how much the judges agree beyond chance."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli.options import example_names, json_option, load_votes, show, votes_options
from ntqr_exact.csv_rows import STANDARD_INPUT
from ntqr_exact.errors import BadVotes
from ntqr_exact.graded.answer_table import AnswerTable
from ntqr_exact.graded.chance_agreement import Coefficient, Weights
from ntqr_exact.study.chance_part import study_chance
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.read_votes import csv_or_document


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
    votes_path: str, *, coefficients: tuple[str, ...], weights: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Tell how much judges agree beyond chance, in exact numbers.

    VOTES is a votes file, or a CSV in which an empty cell is a missing answer. For a CSV --labels names all labels:
    how many there are changes several coefficients, and is never guessed. What would be 0/0 has no value, and says why.

    \b
    Example:
      ntqr-exact agreement ratings.csv --labels 1,2,3,4,5 --weights ordinal
    """
    found = study_chance(
        _answers(votes_path, **options),
        coefficients=tuple(map(Coefficient, coefficients)) or tuple(Coefficient),
        weights=tuple(map(Weights, weights)) or (Weights.NOMINAL,),
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
    delimiter: str | None,
) -> VoteCounts | AnswerTable:
    given: dict[str, Any] = {"truth": truth, "judges": judges, "labels": labels, "delimiter": delimiter}
    if not votes_path.startswith("example:") and votes_path != STANDARD_INPUT:

        def read(text: Any) -> AnswerTable:
            if labels is None:
                raise BadVotes(
                    votes_path, "agreement depends on how many labels there are", "name them by --labels"
                )
            return AnswerTable.from_csv(text, labels, judges=judges, truth=truth, delimiter=delimiter or ",")

        table, _ = csv_or_document(votes_path, read)
        if table is not None:
            return table
    loaded = load_votes(votes_path, **given)
    return loaded.observed() if isinstance(loaded, LabeledVoteCounts) else loaded
