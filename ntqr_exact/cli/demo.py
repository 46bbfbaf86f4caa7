"""`ntqr-exact demo`: the main job, on data that ships with the library."""

from __future__ import annotations

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.terminal import own_words
from ntqr_exact.evaluators.majority import TiePolicy
from ntqr_exact.examples import example
from ntqr_exact.study.votes_study import GRADING, study_votes


@click.command()
@options.json_option
def demo(*, as_json: bool) -> None:
    """Look at the votes of a published test, with every exact result about them.

    Three classifiers answered 1000 questions of the two-norm data set with a or b.
    """
    shown = example("two-norm")
    found = study_votes(
        shown.votes, shown.evaluation, ties=TiePolicy.REFUSE, parts=("answers", *GRADING, "safety")
    )
    if not as_json:
        click.echo(click.style(f"The test: {shown.title}", bold=True), file=own_words())
        click.echo(
            f"Source: {shown.citation}.\n{shown.origin}\n\n{options.coloured(str(found))}\n", file=own_words()
        )
        click.echo("Go on with your own decisions: ntqr-exact evaluate FILE.csv, ntqr-exact alarm FILE.csv")
        return
    evaluations = found.to_document()
    answers, verdicts = evaluations.pop("answers"), evaluations.pop("safety")
    document = {
        "example": shown.name,
        "source": str(shown.citation),
        "origin": shown.origin,
        **{name: answers[name] for name in ("votes", "key_counts", "response_rates", "agreement_of_all")},
        "answers": answers,
        "evaluations": evaluations,
        "misalignment": verdicts,
    }
    options.show_json(document)
