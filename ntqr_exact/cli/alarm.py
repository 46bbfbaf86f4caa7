"""`ntqr-exact alarm`: how many judges must fail, and could all be safe, whatever the answer key?"""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.alarms.best_level import best_level
from ntqr_exact.alarms.failing_judges import failing_judges
from ntqr_exact.alarms.safety import BUDGET
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.cli import options
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.study.safety_part import study_safety


@options.votes_command
@click.option("--level", metavar="NUMBER", help="Count the judges that fail at this level, such as 4/5.")
@click.option(
    "--measure",
    type=click.Choice(["every-label", "overall"]),
    default="every-label",
    show_default=True,
    help="Ask for the level on every label, or overall.",
)
@click.option(
    "--trust", multiple=True, metavar="JUDGE", help="Take it that this judge passes; may be repeated."
)
@click.option(
    "--at-most", type=click.IntRange(min=0), help="Exit code 1 only if more judges than this must fail."
)
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
    help="Write the proof, or the safe key, to this file.",
)
@options.json_option
@click.pass_context
def alarm(
    ctx: click.Context,
    /,
    votes_path: str,
    *,
    level: str | None,
    measure: str,
    trust: tuple[str, ...],
    at_most: int | None,
    factor: str,
    minimum_grade: str,
    level_only: bool,
    ranges: bool,
    budget: int,
    certificate: str | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """Count the judges that must fail, whatever the answer key, and decide whether all could be safe.

    With --level, --trust or --at-most, counts at one level (1/2 unless given); exit code 1 if more judges than
    --at-most (0 unless given) must fail. Without them, counts at three levels, then looks at the judges one by one and
    at their joint answers; exit code 1 if an alarm fires.

    \b
    Example:
      ntqr-exact alarm example:uci-adult
      ntqr-exact alarm example:uci-adult --level 2/3 --at-most 1
      ntqr-exact alarm example:uci-adult --factor 3/2 --certificate proof.json
    """
    options.only_one_of(best_level=level_only, ranges=ranges, level=level)
    options.check_outputs(votes_path, certificate)
    votes = options.load_observed(votes_path, **reading)
    result: Any
    if level is not None or trust or at_most is not None:
        kind = "overall" if measure == "overall" else "every_label"
        result = failing_judges(votes, level or "1/2", measure=kind, trust=trust, budget=budget // 10)  # type: ignore[arg-type]
        click.echo(result.to_json() if as_json else str(result), nl=not as_json)
        fires = result.proven > (at_most or 0)
    elif level_only:
        found = best_level(votes, minimum_grade=minimum_grade, budget=3 * budget)
        click.echo(found.to_json() if as_json else str(found), nl=not as_json)
        result, fires = found.proof, False
    else:
        specification = SafetySpecification(factor, minimum_grade=minimum_grade)
        study = study_safety(votes, specification, ranges=ranges, budget=budget)
        options.show(study, as_json=as_json)
        for label, (low, high) in study.ranges if ranges and not as_json else ():
            click.echo(f"questions of {label}: {low.proven} to {high.proven}")
        result, fires = study.together, study.fires
    if certificate is not None and result is not None:
        options.write_output(certificate, result.to_json(), votes_path)
    if fires:
        ctx.exit(CHECK_FAILED)
