"""`ntqr-exact vectors`: list, make, fill and check reference test vectors, and judge implementations by them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path
from textwrap import shorten
from typing import IO, Any

import click
from gmpy2 import mpq

from ntqr_exact.blocks.text import table_text
from ntqr_exact.cli import BAD_INPUT, CHECK_FAILED
from ntqr_exact.cli.main import HelpfulGroup
from ntqr_exact.cli.options import COUNT, DIRECTORY, WHOLE, command, option
from ntqr_exact.cli.terminal import STANDARD_OUTPUT, Printed, counter
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import counted
from ntqr_exact.sweep import engine, sweep
from ntqr_exact.vectors import files
from ntqr_exact.vectors.files import page
from ntqr_exact.vectors.run import DEFAULT_LIMIT, Report, judge, run_vectors
from ntqr_exact.whole_file import write_whole

_MAX_ITEMS = 20
_MAX_INPUT = 160
_MAX_LINE = 16_000_000
_PROGRAM = "ntqr_exact.program"

vectors = HelpfulGroup(
    "vectors",
    help="""Make exact test vectors for implementations in any language, and judge implementations.

\b
Example:
  ntqr-exact vectors list
  ntqr-exact vectors make --out vectors
  ntqr-exact vectors make grade --seed 7 --count 20 --out fresh
  ntqr-exact vectors run possible-single -- node runner.mjs""",
)
_in_group = partial(command, parent=vectors, is_long=True)


@_in_group("families --vectors")
def list_command(given: Any) -> Printed:
    """List the families with their numbers of tests, or print the specifications of named ones."""
    folder = _folder(given.vectors)
    documents = [files.read_family(folder, name) for name in given.families or files.names_in(folder)]
    if given.families:
        headers = [{name: part for name, part in one.items() if name != "groups"} for one in documents]
        return Printed("\n\n".join(map(page, documents)), {"families": headers})
    names = ("family", "tests", "title")
    rows = [(one["family"], _number_of_tests(one), one["title"]) for one in documents]
    total = _sizes(sum(row[1] for row in rows), rows)
    families = [dict(zip(names, row, strict=True)) for row in rows]
    return Printed(f"{table_text(names, rows, indent=0)}\n{total}", {"families": families})


@_in_group(
    "families",
    option("--out", "Folder for the files.", required=True, type=DIRECTORY, metavar="DIR"),
    option("--seed", "Seed of fresh inputs, in place of those that ship.", type=COUNT),
    option("--count", "Number of fresh inputs of each family (default: 150).", type=WHOLE),
    "--workers",
)
def make(given: Any) -> Printed:
    """Write a file for each family, with every expected value computed, and the schema.

    Without --seed and --count the files are those that ship, byte for byte. With them the inputs are fresh.
    """
    names = given.families or tuple(files.names_in(files.shipped()))
    is_fresh = given.seed is not None or given.count is not None
    fresh: Any = {"seed": given.seed or 0, "count": given.count or 150} if is_fresh else {}
    given.out.mkdir(parents=True, exist_ok=True)
    write_whole(given.out / files.SCHEMA, (files.shipped() / files.SCHEMA).read_text(encoding="utf-8"))
    total = 0
    for name, text, tests in _each(partial(_made, **fresh), names, given):
        write_whole(given.out / f"{name}.json", text)
        total += tests
    return Printed(f"{_sizes(total, names)} written to {given.out}")


def _sizes(tests: int, families: Sequence[object]) -> str:
    return f"{counted(tests, 'test')} in {counted(len(families), 'family')}"


def _made(name: str, **fresh: int) -> tuple[str, str, int]:
    shipped = files.shipped()
    document = files.fresh(name, **fresh) if fresh else files.recomputed(files.read_family(shipped, name))
    return name, files.text_of(document), _number_of_tests(document)


@_in_group(
    click.Argument(["path"], type=click.Path(path_type=Path), metavar="FILE"),
    option("--out", "Write to this file instead of standard output.", metavar="FILE"),
)
def fill(given: Any) -> None:
    """Answer your own inputs: {"family": "areas", "tests": [{"input": {"labels": [1, 0], "scores": [2, 1]}}]}.

    A file of `vectors make` can be used, too; existing answers are kept.
    """
    text = files.text_of(files.filled(files.read_document(given.path)))
    given.write(given.out or STANDARD_OUTPUT, lambda: text)


@_in_group(click.Argument(["directory"], required=False, type=DIRECTORY, metavar="[DIR]"), "--workers")
def check(given: Any) -> tuple[Printed, int]:
    """Check the form of a set, and compute every expected value again.

    Without DIR, checks the set that ships with the library. Exit code 1 if anything is wrong.
    """
    names = files.names_in(_folder(given.directory))
    checked = list(_each(partial(_checked, given.directory), names, given))
    problems, total = [each for some, _ in checked for each in some], sum(tests for _, tests in checked)
    verdict = counted(len(problems), "problem") if problems else "all expected values are confirmed"
    text = "\n".join([*problems, f"{_sizes(total, names)}: {verdict}"])
    document = {"passes": not problems, "tests": total, "problems": problems}
    return Printed(text, document), CHECK_FAILED if problems else 0


def _checked(directory: Path | None, name: str) -> tuple[list[str], int]:
    try:
        document = files.read_document(_folder(directory) / f"{name}.json")
        problems = [f"{name}.json: {problem}" for problem in files.problems_of(document)]
    except NtqrExactError as error:
        return [f"{name}.json: {error}"], 0
    return problems, 0 if any("schema" in problem for problem in problems) else _number_of_tests(document)


class _WithProgram(click.Command):
    """A command whose arguments end at `--`; another command follows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set the other command aside before click parses its options."""
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[_PROGRAM] = args[end + 1 :]
        return super().parse_args(ctx, args[:end])


@_in_group(
    click.Argument(["families"], nargs=-1, metavar="[FAMILY]... -- COMMAND..."),
    "--vectors",
    option("--limit", "Seconds without an answer after which the program hangs.", DEFAULT_LIMIT, type=WHOLE),
    "--tolerance",
    kind=_WithProgram,
    examples="vectors run vote-moments possible-single -- node runner.mjs",
)
def run(given: Any) -> tuple[Printed, int]:
    """Send the tests to a program, a JSON line each on its standard input, and judge the lines that it prints.

    A question is {"id", "family", "input"}, an answer {"id", "output"} in any order, or {"id", "skip": true}. A program
    that ends or hangs is started again, and the test is marked. Exit code 1 if anything fails; families that are
    skipped completely are left out. docs/vectors_protocol.md describes the protocol.
    """
    program: list[str] = click.get_current_context().meta[_PROGRAM]
    if not program:
        raise click.UsageError("name the program after two dashes: vectors run -- COMMAND...")
    how: Any = {"names": given.families, "limit": given.limit, "tolerance": _tolerance(given.tolerance)}
    done = counter(given.progress, "{} tests answered")
    return _judged(run_vectors(program, _folder(given.vectors), progress=lambda _: done(), **how))


@_in_group(
    click.Argument(["results"], type=click.Path(path_type=Path, allow_dash=True), metavar="RESULTS.jsonl"),
    "--vectors",
    option("--family families", "Only this family; repeatable.", multiple=True, metavar="NAME"),
    "--tolerance",
)
def judge_command(given: Any) -> tuple[Printed, int]:
    """Judge the outputs of an implementation, a line {"id": ..., "output": ...} for each test.

    Values are compared, not texts: 6/8 is right for 3/4, and reported as not canonical; a float is right within the
    tolerance, and reported as inexact. Families without any result are left out unless --family names them. Exit code
    1 if an output is wrong, missing, unknown or given twice, 2 if a line cannot be read.
    """
    name, within = str(given.results), _tolerance(given.tolerance)
    if name == STANDARD_OUTPUT and sys.stdin is None:
        raise BadDocument(name, "the results cannot be read: standard input is closed")
    try:
        with click.open_file(name, encoding="utf-8-sig") as lines:
            report = judge(_bounded(lines), _folder(given.vectors), tolerance=within, names=given.families)
            return _judged(report)
    except UnicodeDecodeError:
        raise BadDocument(name, "the results must be UTF-8") from None
    except OSError as error:
        raise BadDocument(name, f"the results cannot be read: {error.strerror}") from None


def _judged(report: Report) -> tuple[Printed, int]:
    code = BAD_INPUT if report.unreadable else 0 if report.passes else CHECK_FAILED
    return Printed(_text(report), report.to_document()), code


def _text(report: Report) -> str:
    tried = report.tried.items()
    rows = [[name, len(tests), sum(one.is_failed for one in tests)] for name, tests in tried]
    lines = [table_text(["family", "tests", "failed"], rows, indent=0)] if rows else []
    skipped = [name for name in report.families if name not in report.tried]
    lines += [f"skipped completely: {', '.join(skipped)}"] if skipped else []
    for title, items in (
        ("lines that answer no test", report.strays),
        ("the program ended or hung", report.incidents),
        ("failed", [*map(_failure, report.failed)]),
    ):
        lines += [f"{title}: {len(items)}", *(f"  {item}" for item in items[:_MAX_ITEMS])] if items else []
        lines += ["  and more (--json lists all)"] if len(items) > _MAX_ITEMS else []
    return "\n".join([*lines, "all tests that were tried pass" if report.passes else "FAILED"])


def _failure(one: Any) -> str:
    given = shorten(json.dumps(one.test.input, ensure_ascii=False), _MAX_INPUT, placeholder="…")
    problem = "; ".join(one.words) or one.agreement.name.lower()
    return f"{one.test.id}: {problem}\n    {one.test.body['comment']}; input {given}"


def _each(function: Any, names: Any, given: Any) -> Iterator[Any]:
    """Yield the results for families as they are computed."""
    with engine(workers=given.workers) as executor:
        done = counter(given.progress, f"{{}} of {len(names)} families")
        for result in sweep(function, names, executor=executor):
            yield result
            done()


def _number_of_tests(document: Any) -> int:
    return sum(1 for _ in files.all_tests(document))


def _folder(directory: Path | None) -> Traversable:
    return files.shipped() if directory is None else directory


def _bounded(lines: IO[str]) -> Iterator[str]:
    """Yield the lines of results; raises `BadDocument` for one that is longer than any output."""
    while line := lines.readline(_MAX_LINE):
        if len(line) == _MAX_LINE:
            raise BadDocument(line, f"a line of results must have at most {_MAX_LINE} characters")
        yield line


def _tolerance(text: str) -> mpq:
    number = rational(text)
    if number < 0:
        raise BadDocument(text, "tolerance must be >= 0")
    return number
