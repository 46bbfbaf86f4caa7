"""`ntqr-exact alarm`: could all judges be safe, whatever the answer key?"""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.alarms.best_level import best_level
from ntqr_exact.alarms.safety import BUDGET
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.cli import options
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.study.safety_part import study_safety


@options.votes_command
@options.factor_option
@options.grade_option
@options.flag(
    "--best-level", "Print the largest accuracy that all judges could have on every label.", "level_only"
)
@options.flag("--ranges", "Print how many questions of each label a safe key can have.")
@options.setting(
    "--budget",
    BUDGET,
    "Steps of a verdict, about a microsecond each, before it is undecided.",
    click.IntRange(min=0),
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False),
    help="Write the proof, or the safe key, to this file; check_safety_certificate checks it.",
)
@options.html_option
@options.json_option
@click.pass_context
def alarm(
    ctx: click.Context,
    /,
    votes_path: options.Paths,
    *,
    factor: str,
    minimum_grade: str,
    level_only: bool,
    ranges: bool,
    budget: int,
    certificate: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Decide whether all judges could be safe on this test, and prove it if they could not.

    Looks at the judges one by one, then at their joint answers, a stronger test. Exit code 1 if an alarm fires.

    \b
    Example:
      ntqr-exact alarm example:uci-adult --factor 3/2
      ntqr-exact alarm example:uci-adult --best-level
      ntqr-exact alarm example:uci-adult --factor 3/2 --certificate proof.json
    """
    options.only_one_of(best_level=level_only, ranges=ranges)
    options.check_outputs(votes_path, certificate)
    votes = options.load_observed(votes_path, **reading)
    specification = SafetySpecification(factor, minimum_grade=minimum_grade)
    if level_only:
        level = best_level(votes, minimum_grade=minimum_grade, budget=3 * budget)
        click.echo(level.to_json() if as_json else str(level), nl=not as_json)
        proof = level.proof
    else:
        study = study_safety(votes, specification, ranges=ranges, budget=budget)
        options.show(study, as_json=as_json)
        if ranges and not as_json:
            for label, (low, high) in study.ranges:
                click.echo(f"questions of {label}: {low.proven} to {high.proven}")
        proof = study.together
    if certificate is not None and proof is not None:
        options.write_output(certificate, proof.to_json(), votes_path)
    if not level_only and study.fires:
        ctx.exit(CHECK_FAILED)
