"""`ntqr-exact vectors run`: ask a program in any language the tests, and tell how it did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ntqr_exact.blocks.text import table_text as table
from ntqr_exact.cli.completion import completing
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.cli.options import json_option
from ntqr_exact.cli.terminal import progress_stream
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.vectors.badge import badge
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.files import read_index, shipped
from ntqr_exact.vectors.program import Failure
from ntqr_exact.vectors.registry import family_names
from ntqr_exact.vectors.run import DEFAULT_LIMIT, FamilyRun, RunReport, run_vectors
from ntqr_exact.whole_file import write_whole

_LISTED = 10
_COMMAND = "ntqr_exact.program"


class _WithProgram(click.Command):
    """A command whose arguments end at `--`; what follows is another command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the other command aside before click sees its options."""
        place = args.index("--") if "--" in args else len(args)
        ctx.meta[_COMMAND] = args[place + 1 :]
        return super().parse_args(ctx, args[:place])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Tell of the other command in the usage, too."""
        return [*super().collect_usage_pieces(ctx), "--", "COMMAND..."]


@click.command("run", cls=_WithProgram)
@click.argument("families", nargs=-1, metavar="[FAMILY]...", shell_complete=completing(family_names))
@click.option(
    "--vectors",
    type=click.Path(file_okay=False, path_type=Path),
    help="A set made by `vectors make` (default: the set that ships with the library).",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="How many seconds a test may take.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many programs run at a time.",
)
@click.option(
    "--tolerance", default="0", show_default=True, help="How far a float may be off, as in `judge`."
)
@click.option(
    "--badge", "badge_file", type=click.Path(path_type=Path), help="Write an SVG badge to this file."
)
@json_option
@click.pass_context
def run_command(
    ctx: click.Context,
    /,
    *,
    families: tuple[str, ...],
    vectors: Path | None,
    limit: int,
    workers: int,
    tolerance: str,
    badge_file: Path | None,
    as_json: bool,
) -> None:
    """Ask a program the tests, a JSON line each on its standard input, and judge the lines that it answers.

    \b
    Example:
      ntqr-exact vectors run vote-moments possible-single -- node runner.mjs

    A question is {"id", "family", "input"}, an answer {"id", "output"} in any order, or {"id", "skip": true}. A program
    that ends or hangs is started again, and the test is marked. Exit code 1 if anything fails; families that it
    skips whole are left out. docs/vectors_protocol.md describes the protocol.
    """
    command: list[str] = ctx.meta[_COMMAND]
    if not command:
        raise click.UsageError("Name the program after two dashes: vectors run -- COMMAND...", ctx)
    within = rational(tolerance)
    if within < 0:
        raise BadDocument(tolerance, "a tolerance is not negative")
    place = shipped() if vectors is None else vectors
    entries = [entry for entry in read_index(place) if not families or entry["family"] in families]
    total = sum(entry["tests"] for entry in entries)
    with click.progressbar(length=total, label="tests", file=progress_stream()) as bar:
        report = run_vectors(
            command,
            place,
            names=families,
            limit=limit,
            tolerance=within,
            workers=workers,
            progress=lambda _: bar.update(1),
        )
    if badge_file is not None:
        write_whole(badge_file, badge(sum(run.is_complete for run in report.tried), len(report.tried)))
    click.echo(write_json(report.to_document()) if as_json else _told(report), nl=not as_json)
    if not report.passes:
        ctx.exit(CHECK_FAILED)


def _told(report: RunReport) -> str:
    header = [
        "family",
        "tests",
        "right",
        "wrong",
        "crashed",
        "timeout",
        "skipped",
        "not asked",
        "restarts",
        "verdict",
    ]
    rows = [_row(run) for run in report.tried]
    lines = [table(header, rows, indent=0)] if rows else ["the program skipped every test"]
    skipped = [name for name, run in report.families.items() if run not in report.tried]
    lines += [f"skipped whole: {', '.join(skipped)}"] if skipped else []
    flags = [[flag, str(has), str(failed)] for flag, (has, failed) in report.by_flag().items() if failed]
    lines += (
        ["", "flags of failed tests", table(["flag", "tests", "failed"], flags, indent=2)] if flags else []
    )
    for name, causes in report.causes().items():
        lines += [f"{name}, likely causes:", *(f"  {cause}" for cause in causes)] if causes else []
    failed_tests = [
        f"{one.test.id}: {one.outcome.name.lower()}, {'; '.join(one.words)}"
        for run in report.tried
        for one in run.tests
        if one.is_failed
    ]
    lines += _listed("failed", failed_tests)
    lines += _listed(
        "the program ended or fell silent",
        [f"at {one.test}: {one.words}" for run in report.tried for one in run.incidents],
    )
    garbage = sum(run.garbage_lines for run in report.tried)
    if garbage:
        lines += [counted(garbage, "line") + " that answer no test that was asked, such as"]
        lines += [f"  {line}" for run in report.tried for line in run.garbage][:_LISTED]
    complete = sum(run.is_complete for run in report.tried)
    told = f"families that pass whole: {complete} of {len(report.tried)}"
    lines.append(told if report.passes else f"FAILED; {told}")
    return "\n".join(lines)


def _row(run: FamilyRun) -> list[str]:
    counts: Any = run.counts
    numbers = [
        len(run.tests),
        sum(one.is_right for one in run.tests),
        counts[Agreement.WRONG],
        counts[Failure.CRASHED],
        counts[Failure.TIMEOUT],
        counts[Failure.SKIPPED],
        counts[Failure.NOT_ASKED],
        len(run.incidents),
    ]
    return [
        run.family,
        *map(str, numbers),
        "passes" if run.is_complete else "passes in part" if run.passes else "fails",
    ]


def _listed(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    more = [f"  and {len(items) - _LISTED} more (--json lists all)"] if len(items) > _LISTED else []
    return [f"{title}: {len(items)}", *(f"  {item}" for item in items[:_LISTED]), *more]
