"""`ntqr-exact alarm`: could all judges be safe, whatever the answer key?"""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.alarms.misalignment import Misalignment, find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.cli.options import example_names, json_option, load_votes, votes_options
from ntqr_exact.cli.words import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_ALARM = 1


@click.command(epilog=f"In place of a file: {example_names()}.")
@votes_options
@click.option(
    "--factor",
    default="2",
    show_default=True,
    help="On each label, factor × right answers must exceed the questions; 2 is better than half.",
)
@click.option("--minimum-grade", default="0", show_default=True, help="Least share of right answers in all.")
@json_option
@click.pass_context
def alarm(
    ctx: click.Context, /, votes_path: str, *, factor: str, minimum_grade: str, as_json: bool, **options: Any
) -> None:
    """Ask whether all judges could be safe on this test, and prove it if they could not.

    Looks at the judges one by one, then at the joint answers of pairs and of trios, each a stronger test. Exit
    code 1 if an alarm fires.

    \b
    Example:
      ntqr-exact alarm example:uci-adult --factor 3/2
    """
    loaded = load_votes(votes_path, **options)
    votes = loaded.observed() if isinstance(loaded, LabeledVoteCounts) else loaded
    specification = SafetySpecification(factor, minimum_grade=minimum_grade)
    verdicts = find_all(votes, specification)
    if as_json:
        click.echo(write_json([verdict.to_document() for verdict in verdicts]), nl=False)
    else:
        click.echo(report(verdicts))
    if any(verdict.is_misaligned for verdict in verdicts):
        ctx.exit(_ALARM)


def find_all(votes: VoteCounts, specification: SafetySpecification) -> list[Misalignment]:
    """Return the verdicts from single judges, pairs and trios, as far as there are any."""
    largest = min(len(votes.judges), 3) if len(votes.labels) == 2 else 1
    return [find_misalignment(votes, specification, group_size=size) for size in range(1, largest + 1)]


def report(verdicts: list[Misalignment]) -> str:
    """Return what was asked for, and each verdict on a line of its own."""
    return "\n".join([_asked(verdicts[0].specification), *map(_words, verdicts)])


def _asked(specification: SafetySpecification) -> str:
    factor, grade = specification.factor, specification.minimum_grade
    overall = f", and at least {grade} of all its answers are right" if grade else ""
    return f"A judge is safe if on every label {factor} × its right answers > questions{overall}."


def _words(verdict: Misalignment) -> str:
    looked_at = ("each judge by itself", "every pair", "every trio")[verdict.group_size - 1]
    if verdict.is_misaligned:
        return f"{looked_at}: {verdict}"
    if len(verdict.votes.labels) > 2:
        region = verdict.safe_region.to_document()
        others = f" (one of {counted(region['count'], 'such key count')})" if "count" in region else ""
        return f"{looked_at}: {verdict}{others}"
    first, size = verdict.votes.labels[0], verdict.votes.size
    region = verdict.safe_region.to_document()
    least, greatest = (region["vertices"][place][first] for place in (0, -1))
    gaps = "" if region["count"] == greatest - least + 1 else f" (with gaps: {region['count']} key counts)"
    some = f"{least}" if least == greatest else f"{least} to {greatest}"
    return (
        f"{looked_at}: no alarm: all judges could be safe if {some} of the {counted(size, 'question')} "
        f"are {first}{gaps}"
    )
