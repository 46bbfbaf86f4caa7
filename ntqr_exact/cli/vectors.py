"""`ntqr-exact vectors`: list, make, fill and check reference test vectors, and judge implementations by them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO, Any

import click
from gmpy2 import mpq

from ntqr_exact.blocks.text import table_text as table
from ntqr_exact.cli.completion import completing
from ntqr_exact.cli.exit_codes import BAD_INPUT, CHECK_FAILED
from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.options import json_option
from ntqr_exact.cli.terminal import progress_stream
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.sweep import engine, sweep
from ntqr_exact.vectors import files
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.pages import page
from ntqr_exact.vectors.run import DEFAULT_LIMIT, Report, judge, run_vectors
from ntqr_exact.whole_file import check_output, write_whole

_LISTED = 20
_SHOWN = 160
_LONGEST_LINE = 16_000_000
_COMMAND = "ntqr_exact.program"
_SEED, _COUNT = 1, 150

_directory = click.Path(file_okay=False, path_type=Path)
_families = click.argument(
    "families",
    nargs=-1,
    metavar="[FAMILY]...",
    shell_complete=completing(lambda: files.names_in(files.shipped())),
)
_vectors_option = click.option(
    "--vectors", type=_directory, help="A set made by `vectors make` (default: the set that ships)."
)
_tolerance_option = click.option(
    "--tolerance",
    default="0",
    show_default=True,
    help="How far a float may be off: |output − expected| ≤ tolerance · max(1, |expected|).",
)
_workers_option = click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="How many work at a time."
)


@click.group(cls=HelpfulGroup)
def vectors() -> None:
    """Exact test vectors for implementations in any language.

    \b
    Example:
      ntqr-exact vectors list
      ntqr-exact vectors make --out vectors
      ntqr-exact vectors make grade --seed 7 --count 20 --out fresh
      ntqr-exact vectors run possible-single -- node runner.mjs
    """


@vectors.command("list")
@_families
@_vectors_option
@json_option
def list_command(*, families: tuple[str, ...], vectors: Path | None, as_json: bool) -> None:
    """List the families with how many tests each has; of named ones, show the specification."""
    place = _place(vectors)
    documents = [files.read_family(place, name) for name in families or files.names_in(place)]
    rows = [(one["family"], sum(1 for _ in files.all_tests(one)), one["title"]) for one in documents]
    if as_json and families:
        headers = [{name: part for name, part in one.items() if name != "groups"} for one in documents]
        click.echo(write_json({"families": headers}), nl=False)
    elif as_json:
        names = ("family", "tests", "title")
        click.echo(write_json({"families": [dict(zip(names, row, strict=True)) for row in rows]}), nl=False)
    elif families:
        click.echo("\n\n".join(page(one) for one in documents))
    else:
        width = max(len(row[0]) for row in rows)
        click.echo("\n".join(f"{name:{width}}  {tests:5}  {title}" for name, tests, title in rows))
        click.echo(f"{sum(row[1] for row in rows)} tests in {len(rows)} families")


@vectors.command("make")
@_families
@click.option("--out", required=True, type=_directory, metavar="DIR", help="Where the files go.")
@click.option("--seed", help="Fresh inputs from this seed, in place of those that ship.")
@click.option("--count", type=click.IntRange(min=1), help=f"How many fresh inputs of each family ({_COUNT}).")
@_workers_option
def make_command(
    *, families: tuple[str, ...], out: Path, seed: str | None, count: int | None, workers: int
) -> None:
    """Write a file for each family, with every expected value computed, and the schema.

    Without --seed and --count the files are those that ship, byte for byte. With them the inputs are fresh.
    """
    if out.exists() and not out.is_dir():
        raise BadDocument(str(out), "this is a file, not a directory")
    names = families or tuple(files.names_in(files.shipped()))
    is_fresh = seed is not None or count is not None
    make = partial(_made, seed=_seed(seed) if is_fresh else None, count=count or _COUNT)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / files.SCHEMA, (files.shipped() / files.SCHEMA).read_text(encoding="utf-8"))
    total = 0
    for name, text, tests in _each(make, names, workers):
        write_whole(out / f"{name}.json", text)
        total += tests
    click.echo(f"{total} tests in {len(names)} families written to {out}")


def _made(name: str, *, seed: int | None, count: int) -> tuple[str, str, int]:
    if seed is None:
        document = files.recomputed(files.read_family(files.shipped(), name))
    else:
        document = files.fresh(name, seed=seed, count=count)
    return name, files.text_of(document), sum(1 for _ in files.all_tests(document))


@vectors.command("fill")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where the answers go (default: standard output)."
)
def fill_command(*, file: Path, out: Path | None) -> None:
    """Answer your own inputs: {"family": "areas", "tests": [{"input": {"labels": [1, 0], "scores": [2, 1]}}]}.

    A file of `vectors make` will do as well; answers that are there stay.
    """
    if out is not None:
        check_output(out, [str(file)])
    text = files.text_of(files.filled(files.read_document(file)))
    if out is None:
        click.echo(text, nl=False)
    else:
        write_whole(out, text, inputs=[str(file)])


@vectors.command("check")
@click.argument("directory", required=False, type=_directory, metavar="[DIR]")
@_workers_option
@json_option
@click.pass_context
def check_command(ctx: click.Context, /, *, directory: Path | None, workers: int, as_json: bool) -> None:
    """Check the form of a set, and compute every expected value again.

    Without DIR, the set that ships with the library is checked. Exit code 1 if anything is wrong.
    """
    names = files.names_in(_place(directory))
    found = list(_each(partial(_checked, directory), names, workers))
    problems, total = [words for some, _ in found for words in some], sum(tests for _, tests in found)
    if as_json:
        click.echo(write_json({"passes": not problems, "tests": total, "problems": problems}), nl=False)
    else:
        told = (
            f"{len(problems)} problems" if problems else "sound, and every expected value is what we compute"
        )
        click.echo("\n".join([*problems, f"{total} tests in {len(names)} families: {told}"]))
    if problems:
        ctx.exit(CHECK_FAILED)


def _checked(directory: Path | None, name: str) -> tuple[list[str], int]:
    try:
        document = files.read_document(_place(directory) / f"{name}.json")
        problems = [f"{name}.json: {words}" for words in files.problems_of(document)]
    except NtqrExactError as error:
        return [f"{name}.json: {error}"], 0
    return problems, 0 if any("schema" in words for words in problems) else sum(
        1 for _ in files.all_tests(document)
    )


class _WithProgram(click.Command):
    """A command whose arguments end at `--`; what follows is another command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the other command aside before click sees its options."""
        place = args.index("--") if "--" in args else len(args)
        ctx.meta[_COMMAND] = args[place + 1 :]
        return super().parse_args(ctx, args[:place])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Show the other command in the usage, too."""
        return [*super().collect_usage_pieces(ctx), "--", "COMMAND..."]


@vectors.command("run", cls=_WithProgram)
@_families
@_vectors_option
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="After how many seconds without an answer the program counts as hanging.",
)
@_workers_option
@_tolerance_option
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
    options: Any = {"limit": limit, "tolerance": _tolerance(tolerance), "workers": workers}
    with click.progressbar(length=0, label="tests", file=progress_stream()) as bar:
        report = run_vectors(
            command, _place(vectors), names=families, **options, progress=lambda _: bar.update(1)
        )
    _tell(ctx, report, as_json=as_json)


@vectors.command("judge")
@click.argument("results", type=click.Path(path_type=Path, allow_dash=True), metavar="RESULTS.jsonl")
@_vectors_option
@click.option(
    "--family", "families", multiple=True, metavar="NAME", help="One family; may be given several times."
)
@_tolerance_option
@json_option
@click.pass_context
def judge_command(
    ctx: click.Context,
    /,
    *,
    results: Path,
    vectors: Path | None,
    families: tuple[str, ...],
    tolerance: str,
    as_json: bool,
) -> None:
    """Judge the outputs of an implementation, a line {"id": ..., "output": ...} for each test.

    Values are compared, not texts: 6/8 is right for 3/4, and reported as not canonical; a float is right within the
    tolerance, and reported as inexact. Families without any result are left out unless --family names them. Exit code
    1 if an output is wrong, missing, unknown or given twice, 2 if a line cannot be read.
    """
    if str(results) == "-" and sys.stdin is None:
        raise BadDocument("-", "the results cannot be read: standard input is closed")
    within = _tolerance(tolerance)
    try:
        with click.open_file(str(results), encoding="utf-8-sig") as lines:
            report = judge(_bounded(lines), _place(vectors), tolerance=within, names=families)
    except UnicodeDecodeError:
        raise BadDocument(str(results), "the results are not UTF-8") from None
    except OSError as error:
        raise BadDocument(str(results), f"the results cannot be read: {error.strerror}") from None
    _tell(ctx, report, as_json=as_json)


def _tell(ctx: click.Context, report: Report, *, as_json: bool) -> None:
    click.echo(write_json(report.to_document()) if as_json else _text(report), nl=not as_json)
    if report.unreadable:
        ctx.exit(BAD_INPUT)
    if not report.passes:
        ctx.exit(CHECK_FAILED)


def _text(report: Report) -> str:
    shown = [one for one in Agreement if any(report.counts(name)[one] for name in report.tried)]
    header = ["family", "tests", *(one.name.lower().replace("_", " ") for one in shown), "verdict"]
    rows = [
        [
            name,
            str(len(tests)),
            *(str(report.counts(name)[one]) for one in shown),
            "fails" if any(one.is_failed for one in tests) else "passes",
        ]
        for name, tests in report.tried.items()
    ]
    lines = [table(header, rows, indent=0)] if rows else ["no family was tried"]
    skipped = [name for name in report.families if name not in report.tried]
    lines += [f"skipped whole: {', '.join(skipped)}"] if skipped else []
    failed = []
    for one in report.failed:
        given = json.dumps(one.test.input, ensure_ascii=False)
        told = f"{one.test.id}: {'; '.join(one.words) or one.agreement.name.lower()}"
        failed.append(
            f"{told}\n    {one.test.body['comment']}; input {given[:_SHOWN]}{'…' * (len(given) > _SHOWN)}"
        )
    for title, items in (
        ("lines that answer no test", report.strays),
        ("the program ended or fell silent", report.incidents),
        ("failed", failed),
    ):
        more = [f"  and {len(items) - _LISTED} more (--json lists all)"] if len(items) > _LISTED else []
        lines += (
            [f"{title}: {len(items)}", *(f"  {item}" for item in items[:_LISTED]), *more] if items else []
        )
    return "\n".join([*lines, "all that was tried passes" if report.passes else "FAILED"])


def _each(function: Any, names: Any, workers: int) -> Iterator[Any]:
    """Yield the results for families as they are computed, with a bar on a terminal."""
    with (
        engine(workers=workers if workers > 1 else None) as executor,
        click.progressbar(length=len(names), label="families", file=progress_stream()) as bar,
    ):
        for result in sweep(function, names, executor=executor):
            yield result
            bar.update(1)


def _place(directory: Path | None) -> Traversable:
    return files.shipped() if directory is None else directory


def _bounded(lines: IO[str]) -> Iterator[str]:
    """Yield the lines of results; raises `BadDocument` for one that is longer than any output is."""
    while line := lines.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise BadDocument(line, f"a line of results has at most {_LONGEST_LINE} characters")
        yield line


def _tolerance(text: str) -> mpq:
    number = rational(text)
    if number < 0:
        raise BadDocument(text, "a tolerance is not negative")
    return number


def _seed(text: str | None) -> int:
    number = rational(text or str(_SEED))
    if number.denominator != 1 or number < 0:
        raise BadDocument(text, "a seed is a whole number that is not negative")
    return int(number)
