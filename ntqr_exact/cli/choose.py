"""`ntqr-exact choose`: draw the questions to grade, and write the sheet for them."""

from __future__ import annotations

import io
import warnings
from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.graded import between_option
from ntqr_exact.sampling.choosing import PATTERNS, choose_questions, write_sheet
from ntqr_exact.sampling.planning import questions_to_grade
from ntqr_exact.votes.answers import Answers
from ntqr_exact.votes.names import Pattern
from ntqr_exact.votes.read_votes import read_answers
from ntqr_exact.votes.shapes import Reading
from ntqr_exact.votes.tables import STANDARD_INPUT, TextTable, open_source


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
    votes_path: options.Paths,
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
    source, questions = _origin(votes_path, **reading)
    write_sheet(chosen, sheet, source=source, delimiter=reading["delimiter"], questions=questions)
    if output in (None, options.STANDARD_OUTPUT):
        click.echo(sheet.getvalue(), nl=False)
    else:
        options.write_output(output, sheet.getvalue(), votes_path)
    where = f"--between {','.join(between)}" if between is not None else f"--drawn {chosen.drawn.value}"
    told = f"{len(chosen.questions)} of {votes.size} questions to grade; read them back by "
    click.echo(f"{told}`ntqr-exact graded {where}`", err=True)


def _origin(
    votes_path: options.Paths,
    *,
    delimiter: str | None,
    header: bool | None,
    missing: str | None,
    at_least: str | None,
    **asked: Any,
) -> tuple[str | None, tuple[tuple[str, Pattern], ...]]:
    """Return the file whose columns the sheet can have, or else the names of the questions."""
    if votes_path == STANDARD_INPUT or str(votes_path).startswith("example:") or at_least is not None:
        return None, ()
    names = {name: asked.get(name) for name in ("judges", "labels", "truth", "long")}
    reading = Reading(**names, missing=missing, in_part=True, with_questions=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it was read before
        answers = read_answers(votes_path, reading, delimiter=delimiter, header=header)
        if not isinstance(answers, Answers):
            return None, ()
        if isinstance(votes_path, str) and not (missing or "").startswith("label:") and header is not False:
            table = open_source(votes_path, delimiter=delimiter, header=header)
            if (
                isinstance(table, TextTable)
                and table.has_header
                and set(answers.judges) <= set(table.columns)
            ):
                return votes_path, ()
    width = len(answers.judges)
    return None, tuple((name, pattern[:width]) for name, pattern in answers.questions)
