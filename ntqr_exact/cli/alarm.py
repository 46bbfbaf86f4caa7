"""`ntqr-exact alarm`: could all judges be safe, whatever the answer key?"""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.alarms.best_level import BestLevel, best_level
from ntqr_exact.alarms.group_size import group_size_of
from ntqr_exact.alarms.joint_safety import JointSafety
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.cli import options
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.study.safety_part import EFFORT, study_safety


@options.votes_command
@options.factor_option
@options.grade_option
@click.option(
    "--group",
    metavar="2|3|all",
    help="Look only at the joint answers of groups of this size; without it, of 1, 2, 3 and all judges.",
)
@options.flag(
    "--level", "Tell the largest accuracy that all judges could have on every label, and prove that it is."
)
@options.flag(
    "--ranges", "Tell also how many questions of each label a safe key can have, by the last verdict."
)
@options.setting(
    "--effort",
    EFFORT,
    "How many linear programs to solve for a verdict before it is undecided; a level takes five times as many.",
    click.IntRange(min=0),
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False),
    help="Write the proof, or the safe keys, of the last verdict to this file; alarms/proof_checker.py checks it.",
)
@options.flag("--coq", "Print the proof of the last verdict as a theorem for Coq.", "as_coq")
@options.json_option
@click.pass_context
def alarm(
    ctx: click.Context,
    /,
    votes_path: str,
    *,
    factor: str,
    minimum_grade: str,
    group: str | None,
    level: bool,
    ranges: bool,
    effort: int,
    certificate: str | None,
    as_coq: bool,
    as_json: bool,
    **reading: Any,
) -> None:
    """Ask whether all judges could be safe on this test, and prove it if they could not.

    Looks at the judges one by one, then at the joint answers of pairs, of trios and of all judges, each a stronger
    test. Exit code 1 if an alarm fires.

    \b
    Example:
      ntqr-exact alarm example:uci-adult --factor 3/2
      ntqr-exact alarm example:uci-adult --group all --level
      ntqr-exact alarm example:uci-adult --factor 3/2 --coq > adult.v && ntqr-exact proofs check adult.v
    """
    options.only_one_of(coq=as_coq, json=as_json)
    options.only_one_of(coq=as_coq, level=level, ranges=ranges)
    options.only_one_of(coq=as_coq, certificate=certificate)
    options.check_outputs(votes_path, certificate)
    votes = options.load_observed(votes_path, **reading)
    size = None if group is None else group_size_of(votes, "all" if group == "all" else _number(group))
    if level:
        found_level = best_level(
            votes, group_size="all" if size is None else size, minimum_grade=minimum_grade, effort=5 * effort
        )
        _show_level(found_level, as_json=as_json)
        _write(certificate, found_level.proof or found_level.witness, votes_path)
        return
    specification = SafetySpecification(factor, minimum_grade=minimum_grade)
    found = study_safety(votes, specification, sizes=() if size is None else (size,), effort=effort)
    last = found.verdicts[-1].found
    if as_coq:
        options.show_coq(last.safety.to_coq())
        return
    if ranges and as_json:
        options.show_json(last.safe_region.ranges_document())
    else:
        options.show(found, as_json=as_json)
    if ranges and not as_json:
        for label in votes.labels:
            ends = last.safe_region.ends(label)
            if ends is not None:
                click.echo(f"questions of {label}: {ends[0].proven} to {ends[1].proven}")
    _write(certificate, last.safety, votes_path)
    if found.fires:
        ctx.exit(CHECK_FAILED)


def _number(group: str) -> int:
    if not group.isascii() or not group.isdigit():
        raise click.BadParameter(f"{group!r} is neither a number of judges nor all", param_hint="--group")
    return int(group)


def _show_level(found: BestLevel, *, as_json: bool) -> None:
    if as_json:
        click.echo(found.to_json(), nl=False)
    else:
        click.echo(f"{found}.")
        if found.factor is not None:
            others = "no other" if found.is_exact else f"none up to {1 / found.proven}"
            click.echo(f"So all could be safe for every factor above {found.factor}, and for {others}.")


def _write(certificate: str | None, safety: JointSafety | None, votes_path: str) -> None:
    if certificate is not None and safety is not None:
        options.write_output(certificate, safety.to_json(), votes_path)
