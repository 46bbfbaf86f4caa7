"""`ntqr-exact alarm`: could all judges be safe, whatever the answer key?"""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.cli.options import (
    example_names,
    factor_option,
    grade_option,
    json_option,
    load_votes,
    show,
    votes_options,
)
from ntqr_exact.study.safety_part import study_safety
from ntqr_exact.votes.labeled import LabeledVoteCounts

_ALARM = 1


@click.command(epilog=f"In place of a file: {example_names()}.")
@votes_options
@factor_option
@grade_option
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
    votes = load_votes(votes_path, **options)
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    found = study_safety(observed, SafetySpecification(factor, minimum_grade=minimum_grade))
    show(found, as_json=as_json)
    if found.fires:
        ctx.exit(_ALARM)
