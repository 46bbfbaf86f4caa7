"""`ntqr-exact votes`: count decisions into a votes file, and look at votes."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.exact.show import counted
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.answers_part import study_answers


@click.group(cls=HelpfulGroup)
def votes() -> None:
    """Count decisions into votes, and show what was voted.

    A decisions file is a CSV with a row for each question and a column for each judge; a votes file
    is JSON with the number of questions for each pattern of answers.
    """


@votes.command()
@options.votes_options
@options.drawn_option
@click.option(
    "-o", "--output", metavar="FILE", help="Write the votes file here instead of to standard output."
)
@options.json_option
def count(votes_path: options.Paths, *, output: str | None, as_json: bool, **reading: Any) -> None:
    """Count a CSV of decisions into a votes file.

    A votes file is JSON, with --json or without it; with --json and -o, what was written is told in JSON, too. The
    file is read once, in constant memory. A cell that cannot be counted is an error that tells its
    line and column. An empty cell of the truth is a question without a key: how many have one is told.

    \b
    Example:
      ntqr-exact votes count decisions.csv --truth key -o votes.json
    """
    found = options.with_abstentions(options.load_all(votes_path, **reading))
    of = found.votes if isinstance(found, PartialKey) else found
    key = {"graded": found.graded_size} if isinstance(found, PartialKey) else {}
    if output in (None, options.STANDARD_OUTPUT):
        click.echo(found.to_json(), nl=False)
        return
    options.write_output(output, found.to_json(), votes_path)
    if as_json:
        names = {"judges": list(of.judges), "labels": list(of.labels)}
        options.show_json({"output": output, "questions": found.size, **key, **names})
        return
    told = f" ({found.graded_size} with a key)" if isinstance(found, PartialKey) else ""
    click.echo(
        f"{counted(found.size, 'question')}{told}, "
        f"{counted(len(of.judges), 'judge')}, {counted(len(of.labels), 'label')} -> {output}",
        err=True,
    )


@votes.command(epilog=options.IN_PLACE_OF_A_FILE)
@options.votes_options
@options.json_option
def show(votes_path: options.Paths, *, as_json: bool, **reading: Any) -> None:
    """Show votes: counts, each judge's answers, agreements and moments.

    VOTES is a votes file or a decisions CSV. Moments are those of giving the second of two labels:
    Δ for each pair of judges, T for each trio.

    \b
    Example:
      ntqr-exact votes show example:two-norm
    """
    found = options.with_abstentions(options.load_all(votes_path, **reading))
    options.show(study_answers(found.votes if isinstance(found, PartialKey) else found), as_json=as_json)
