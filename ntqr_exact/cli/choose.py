"""`ntqr-exact choose`: draw the questions to grade, and write the sheet for them."""

from __future__ import annotations

import io
from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.graded import between_option
from ntqr_exact.csv_rows import STANDARD_INPUT
from ntqr_exact.sampling.choosing import PATTERNS, choose_questions, write_sheet
from ntqr_exact.sampling.planning import questions_to_grade
from ntqr_exact.votes.csv_decisions import CsvRows
from ntqr_exact.votes.decision_rows import long_columns
from ntqr_exact.votes.read_votes import opened_decisions


@options.votes_command
@click.option("--number", help="How many questions to grade.")
@click.option("--width", help="Grade as many as make every interval of right answers at most this wide.")
@options.level_option
@options.flag("--by-pattern", "Draw in each answer pattern, in proportion to its size.")
@between_option
@click.option("--seed", default="0", show_default=True, help="The same seed draws the same questions.")
@click.option("-o", "--output", metavar="SHEET", help="Write the sheet here instead of to standard output.")
@options.json_option
def choose(
    votes_path: str,
    *,
    number: str | None,
    width: str | None,
    level: str,
    by_pattern: bool,
    between: tuple[str, ...] | None,
    seed: str,
    output: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Draw questions to grade at random, and write a sheet to fill in.

    The sheet is a CSV with the questions in the order in which they were drawn, and an empty column `truth`. Fill it
    in from the top; you may stop at any line. Then `ntqr-exact graded VOTES --grades SHEET` tells what is known, with
    the --drawn that this command prints. From a decisions CSV the sheet has all its columns.

    \b
    Example:
      ntqr-exact choose decisions.csv --number 50 -o sheet.csv
    """
    votes = options.load_observed(votes_path, **reading)
    if (number is None) == (width is None):
        raise click.UsageError("say how many by --number, or how exactly by --width")
    how_many = number if number is not None else questions_to_grade(votes.size, width=str(width), level=level)
    if between is not None and len(between) != 2:
        raise click.UsageError("--between names two judges")
    chosen = choose_questions(
        votes,
        how_many,
        strata=PATTERNS if by_pattern else None,
        between=None if between is None else (between[0], between[1]),
        seed=seed,
    )
    if as_json:
        options.show_json(chosen.to_document())
        return
    sheet = io.StringIO()
    source = votes_path if _keeps_its_columns(votes_path, **reading) else None
    write_sheet(chosen, sheet, source=source, delimiter=reading["delimiter"])
    if output in (None, options.STANDARD_OUTPUT):
        click.echo(sheet.getvalue(), nl=False)
    else:
        options.write_output(output, sheet.getvalue(), votes_path)
    where = f"--between {','.join(between)}" if between is not None else f"--drawn {chosen.drawn.value}"
    told = f"{len(chosen.questions)} of {votes.size} questions to grade; read them back by "
    click.echo(f"{told}`ntqr-exact graded {where}`", err=True)


def _keeps_its_columns(
    votes_path: str,
    *,
    delimiter: str | None,
    missing: str | None,
    at_least: str | None,
    long: tuple[str, ...] | None,
    truth: str | None,
    **_: object,
) -> bool:
    """Whether the sheet can have the columns of the file: a CSV that is still there, whose answers are as they were."""
    is_changed = at_least is not None or long is not None or (missing or "").startswith("label:")
    if is_changed or votes_path == STANDARD_INPUT or votes_path.startswith("example:"):
        return False
    with opened_decisions(votes_path, delimiter=delimiter) as rows:
        return isinstance(rows, CsvRows) and long_columns(rows.columns, truth) is None
