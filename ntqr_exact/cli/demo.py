"""`ntqr-exact demo`: the main job, on data that ships with the library."""

from __future__ import annotations

import click

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.cli import alarm, evaluate
from ntqr_exact.cli.options import json_option
from ntqr_exact.cli.votes import describe
from ntqr_exact.cli.words import with_decimal
from ntqr_exact.evaluators.majority import TiePolicy
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.examples import Example, example


@click.command()
@json_option
def demo(*, as_json: bool) -> None:
    """Look at the votes of a published test, with all that can be said of them exactly.

    Three classifiers answered 1000 questions of the two-norm data set with a or b.
    """
    shown = example("two-norm")
    if as_json:
        click.echo(write_json(_document(shown)), nl=False)
        return
    for part in _parts(shown):
        click.echo(part + "\n")


def _document(shown: Example) -> dict[str, object]:
    votes = shown.votes
    return {
        "example": shown.name,
        "source": str(shown.citation),
        "votes": votes.to_document(),
        "key_counts": dict(shown.key_counts),
        "response_rates": {
            judge: {label: votes.response_rate(judge, label) for label in votes.labels}
            for judge in votes.judges
        },
        "agreement_of_all": votes.agreement(),
        "evaluations": evaluate.document(votes, shown.evaluation.rates(), TiePolicy.REFUSE.value),
        "misalignment": [verdict.to_document() for verdict in alarm.find_all(votes, SafetySpecification())],
    }


def _parts(shown: Example) -> list[str]:
    votes = shown.votes
    key = ", ".join(f"{count} of them {label}" for label, count in shown.key_counts.items())
    first = votes.labels[0]
    rates = {judge: with_decimal(votes.response_rate(judge, first)) for judge in votes.judges}
    shares = "\n".join(
        f"  Judge {judge} answered {first} on {rate} of the questions." for judge, rate in rates.items()
    )
    all_first = with_decimal(votes.frequency((first,) * len(votes.judges)))
    all_agree = with_decimal(votes.agreement())
    return [
        click.style(f"The test: {shown.title}", bold=True),
        f"Source: {shown.citation}.\n{shown.origin}",
        describe(votes),
        click.style("What the answers alone show", bold=True),
        f"{shares}\n  All of them answered {first} on {all_first}; all agreed on {all_agree}.",
        f"The answer key, which the judges did not have: {key}.",
        click.style("What the grades are, by the key and without it", bold=True),
        "Three ways to grade: by the answer key, as if the majority were always right, and as if the judges erred\n"
        "independently of each other. The last needs no key, and tells by an alarm when it cannot be right.",
        evaluate.report(votes, shown.evaluation.rates(), TiePolicy.REFUSE.value),
        click.style("Whether all judges could be better than half on both labels", bold=True),
        "Pure logic, whatever the key: an alarm is a proof that they could not.\n"
        + alarm.report(alarm.find_all(votes, SafetySpecification())),
        "Go on with your own decisions: ntqr-exact evaluate FILE.csv, ntqr-exact alarm FILE.csv",
    ]
