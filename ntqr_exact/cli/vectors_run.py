"""`ntqr-exact vectors run`: ask a program in any language the tests, and tell how it did."""

from __future__ import annotations

import json
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
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.diagnosis import TestRun
from ntqr_exact.vectors.files import read_index, set_in
from ntqr_exact.vectors.program import Failure, Stray
from ntqr_exact.vectors.registry import family_names
from ntqr_exact.vectors.run import DEFAULT_LIMIT, FamilyRun, RunReport, badge, run_vectors
from ntqr_exact.whole_file import write_whole

_EXAMPLES = 3
_SHOWN = 160
_COMMAND = "ntqr_exact.program"


vectors_option = click.option(
    "--vectors",
    type=click.Path(file_okay=False, path_type=Path),
    help="A set made by `vectors make`, or an unpacked package (default: the set that ships with the library).",
)


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
@vectors_option
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="After how many seconds without an answer the program counts as hanging.",
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
    place = set_in(vectors)
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
    for run in report.tried:
        lines += _strays(run)
    lines += listed(
        "the program ended or fell silent",
        [f"at {one.test}: {one.words}" for run in report.tried for one in run.incidents],
    )
    lines += listed("failed", [_failed(one) for run in report.tried for one in run.tests if one.is_failed])
    flags = [[flag, str(has), str(failed)] for flag, (has, failed) in report.by_flag().items() if failed]
    lines += (
        ["", "flags of failed tests", table(["flag", "tests", "failed"], flags, indent=2)] if flags else []
    )
    for name, causes in report.causes().items():
        lines += [f"{name}, likely causes:", *(f"  {cause}" for cause in causes)] if causes else []
    ends = [f"{run.family}: {ending}" for run in report.tried for ending in run.endings]
    lines += listed("after its last answer, which is no failure", ends)
    complete = sum(run.is_complete for run in report.tried)
    told = f"families that pass whole: {complete} of {len(report.tried)}"
    lines.append(told if report.passes else f"FAILED; {told}")
    return "\n".join(lines)


def _strays(run: FamilyRun) -> list[str]:
    """Tell of lines that answer no test: before all else, since they may be answers that went astray."""
    if not run.garbage_lines:
        return []
    kinds = "; ".join(f"{one.value}: {run.strays[one]}" for one in Stray if run.strays[one])
    lines = [f"{run.family}: {counted(run.garbage_lines, 'line')} that answer no test ({kinds}), such as"]
    lines += [f"  {line[:_SHOWN]}" for line in run.garbage[:_EXAMPLES]]
    asked = f"  an id that was asked is {run.tests[0].test.id}"
    return [*lines, asked] if run.strays[Stray.UNKNOWN] else lines


def _failed(one: TestRun) -> str:
    given = json.dumps(one.test.input, ensure_ascii=False)
    shown = given if len(given) <= _SHOWN else f"{given[:_SHOWN]}…"
    told = f"{one.test.id}: {one.outcome.name.lower()}, {'; '.join(one.words)}"
    return f"{told}\n    {one.test.body['comment']}; input {shown}"


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


def listed(title: str, items: list[str], *, most: int = 10) -> list[str]:
    """Return a title and the first of some items, in lines; none if there are no items."""
    if not items:
        return []
    more = [f"  and {len(items) - most} more (--json lists all)"] if len(items) > most else []
    return [f"{title}: {len(items)}", *(f"  {item}" for item in items[:most]), *more]
