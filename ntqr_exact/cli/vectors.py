"""`ntqr-exact vectors`: make, list, check and show reference test vectors, and judge implementations by them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

import click

from ntqr_exact.blocks.text import table_text as table
from ntqr_exact.cli.completion import completing
from ntqr_exact.cli.exit_codes import BAD_INPUT, CHECK_FAILED
from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.options import json_option
from ntqr_exact.cli.terminal import progress_stream
from ntqr_exact.cli.vectors_pack import pack_command
from ntqr_exact.cli.vectors_run import listed, run_command, vectors_option
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.executors import engine
from ntqr_exact.vectors.check import check_vectors
from ntqr_exact.vectors.compare import Agreement
from ntqr_exact.vectors.files import read_family, read_index, set_in, shipped
from ntqr_exact.vectors.judge import Judgement, judge
from ntqr_exact.vectors.make import DEFAULT_COUNT, DEFAULT_SEED, make_vectors
from ntqr_exact.vectors.registry import chosen_families, family, family_names
from ntqr_exact.vectors.set_version import set_version
from ntqr_exact.vectors.show import find_test, show, show_family, told_steps

_LISTED = 20
_LONGEST_LINE = 16_000_000

_directory = click.Path(file_okay=False, path_type=Path)
_family_option = click.option(
    "--family", "families", multiple=True, metavar="NAME", help="One family; may be given several times."
)
_workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="one for each processor",
    help="How many processes compute.",
)
_dask_option = click.option(
    "--dask", metavar="ADDRESS", help="Compute on the dask cluster with this scheduler."
)


@click.group(cls=HelpfulGroup)
def vectors() -> None:
    """Exact test vectors for implementations in any language.

    \b
    Example:
      ntqr-exact vectors list
      ntqr-exact vectors make --out vectors
      ntqr-exact vectors judge results.jsonl
      ntqr-exact vectors run possible-single -- node runner.mjs
    """


vectors.add_command(run_command)
vectors.add_command(pack_command)


@vectors.command("make")
@click.option("--out", required=True, type=_directory, metavar="DIR", help="Where the files go.")
@_family_option
@click.option("--seed", default=str(DEFAULT_SEED), show_default=True, help="The seed of the random tests.")
@click.option(
    "--count",
    type=click.IntRange(min=0),
    default=DEFAULT_COUNT,
    show_default=True,
    help="How many random tests each family gets besides its edge cases.",
)
@click.option("--fresh", is_flag=True, help="Compute every expected value, also of what ships.")
@_workers_option
@_dask_option
def make_command(
    *,
    out: Path,
    families: tuple[str, ...],
    seed: str,
    count: int,
    fresh: bool,
    workers: int,
    dask: str | None,
) -> None:
    """Write a file for each family, an index and the schema; the same bytes for the same seed and count.

    A family whose words, edge cases, seed and count are those of the set that ships is copied from it.
    """
    if out.exists() and not out.is_dir():
        raise BadDocument(str(out), "this is a file, not a directory")
    number = _seed(seed)
    amount = sum(len(one.edge_cases) + count for one in chosen_families(families))
    with (
        _engine(workers, dask) as executor,
        click.progressbar(length=amount, label="tests", file=progress_stream()) as bar,
    ):
        entries = make_vectors(
            out,
            names=families,
            seed=number,
            count=count,
            fresh=fresh,
            executor=executor,
            progress=lambda _: bar.update(1),
        )
    total = sum(entry["tests"] for entry in entries)
    click.echo(f"{total} tests in {len(entries)} families written to {out}")


@vectors.command("list")
@vectors_option
@json_option
def list_command(*, vectors: Path | None, as_json: bool) -> None:
    """List the families of a set, with how many tests each has."""
    entries = read_index(set_in(vectors))
    if as_json:
        click.echo(write_json({"families": entries}), nl=False)
        return
    rows = [
        [entry["family"], str(entry["version"]), str(entry["tests"]), "  " + entry["title"]]
        for entry in entries
    ]
    width = max((len(row[3]) for row in rows), default=0)
    rows = [[*row[:3], row[3].ljust(width)] for row in rows]
    click.echo(table(["family", "version", "tests", "  title".ljust(width)], rows, indent=0))
    is_shipped = entries == read_index(shipped())
    told = f"version {set_version()}" if is_shipped else f"not version {set_version()}, which ships"
    click.echo(f"{sum(entry['tests'] for entry in entries)} tests in {len(entries)} families, {told}")


@vectors.command("check")
@click.argument("directory", required=False, type=_directory, metavar="[DIR]")
@_workers_option
@_dask_option
@json_option
@click.pass_context
def check_command(
    ctx: click.Context, /, *, directory: Path | None, workers: int, dask: str | None, as_json: bool
) -> None:
    """Check the schema and hashes of a set, and compute every expected value again.

    Without DIR, the set that ships with the library is checked. Exit code 1 if anything is wrong.
    """
    place = set_in(directory)
    entries = read_index(place)
    total = sum(entry["tests"] for entry in entries)
    with (
        _engine(workers, dask) as executor,
        click.progressbar(length=total, label="tests", file=progress_stream()) as bar,
    ):
        problems = list(check_vectors(place, executor=executor, progress=lambda _: bar.update(1)))
    if as_json:
        click.echo(write_json({"passes": not problems, "tests": total, "problems": problems}), nl=False)
    elif problems:
        click.echo("\n".join(problems))
        click.echo(counted(len(problems), "problem"))
    else:
        click.echo(
            f"{total} tests in {len(entries)} families: sound, and every expected value is what we compute"
        )
    if problems:
        ctx.exit(CHECK_FAILED)


@vectors.command("judge")
@click.argument("results", type=click.Path(path_type=Path, allow_dash=True), metavar="RESULTS.jsonl")
@vectors_option
@_family_option
@click.option(
    "--tolerance",
    default="0",
    show_default=True,
    help="How far a float may be off: |output − expected| ≤ tolerance · max(1, |expected|).",
)
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
    for name in families:
        family(name)
    within = rational(tolerance)
    if within < 0:
        raise BadDocument(tolerance, "a tolerance is not negative")
    if str(results) == "-" and sys.stdin is None:
        raise BadDocument("-", "the results cannot be read: standard input is closed")
    try:
        with click.open_file(str(results), encoding="utf-8-sig") as lines:
            judgement = judge(_bounded(lines), set_in(vectors), tolerance=within, names=families)
    except UnicodeDecodeError:
        raise BadDocument(str(results), "the results are not UTF-8") from None
    except OSError as error:
        raise BadDocument(str(results), f"the results cannot be read: {error.strerror}") from None
    click.echo(write_json(judgement.to_document()) if as_json else _report(judgement), nl=not as_json)
    if judgement.broken:
        ctx.exit(BAD_INPUT)
    if not judgement.passes:
        ctx.exit(CHECK_FAILED)


@vectors.command("show")
@click.argument("wanted", metavar="FAMILY|ID", shell_complete=completing(family_names))
@vectors_option
@json_option
def show_command(*, wanted: str, vectors: Path | None, as_json: bool) -> None:
    """Show a family's specification; or a test: what it asks, the computation by hand, and what is expected."""
    if "/" not in wanted:
        document = {**read_family(set_in(vectors), wanted)}
        document.pop("groups")
        told = write_json(document) if as_json else show_family(set_in(vectors), wanted)
        click.echo(told, nl=not as_json)
        return
    found = find_test(set_in(vectors), wanted)
    if as_json:
        whole = {**found.body, "input": found.input, "steps": told_steps(found)}
        click.echo(write_json(whole), nl=False)
    else:
        click.echo(show(found))


def _bounded(lines: IO[str]) -> Iterator[str]:
    """Yield the lines of results; raises `BadDocument` for one that is longer than any output is."""
    while line := lines.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise BadDocument(line, f"a line of results has at most {_LONGEST_LINE} characters")
        yield line


def _report(judgement: Judgement) -> str:
    header = ["family", "tests", "exact", "not canonical", "inexact", "wrong", "missing", "verdict"]
    rows = [
        [
            name,
            str(tally.tests),
            *(str(tally.counts[agreement]) for agreement in Agreement),
            str(len(tally.missing)),
            "passes" if tally.passes else "fails",
        ]
        for name, tally in judgement.families.items()
    ]
    lines = [table(header, rows, indent=0)] if rows else ["no family was tried"]
    if judgement.not_tried:
        lines.append(f"not tried: {', '.join(judgement.not_tried)}")
    if judgement.tolerance or any(tally.counts[Agreement.INEXACT] for tally in judgement.families.values()):
        lines.append(f"floats were taken within {judgement.tolerance} · max(1, |expected|)")
    lines += listed("wrong", [f"{name}: {'; '.join(words)}" for name, words in judgement.wrong], most=_LISTED)
    missing = [name for tally in judgement.families.values() for name in tally.missing]
    lines += listed("missing", missing, most=_LISTED)
    for title, found in (
        ("given twice", judgement.duplicates),
        ("unknown ids", judgement.unknown),
        ("unreadable lines", judgement.broken),
    ):
        lines += listed(title, [f"line {line}: {words}" for line, words in found], most=_LISTED)
    lines.append("all that was tried passes" if judgement.passes else "FAILED")
    return "\n".join(lines)


def _engine(
    workers: int, dask: str | None
) -> AbstractContextManager[Executor | Callable[[], Executor] | None]:
    return engine(workers=workers if workers > 1 and dask is None else None, dask=dask)


def _seed(text: str) -> int:
    number = rational(text)
    if number.denominator != 1 or number < 0:
        raise BadDocument(text, "a seed is a whole number that is not negative")
    return int(number)
