"""`ntqr-exact ledger`: every claim of the five sources, checked now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ntqr_exact.blocks.text import table_text as table
from ntqr_exact.citation import SOURCES
from ntqr_exact.cli import options
from ntqr_exact.cli.exit_codes import CHECK_FAILED
from ntqr_exact.cli.terminal import own_words
from ntqr_exact.ledger.book import claim, claims
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.report import Entry, entry_text, ledger, matching, pages, summary
from ntqr_exact.ledger.report import errata as errata_text
from ntqr_exact.whole_file import write_whole

_COLOURS = {
    Verdict.HOLDS: "green",
    Verdict.POSSIBLE: "green",
    Verdict.MISPRINT: "yellow",
    Verdict.COMPUTATION: "yellow",
    Verdict.WRONG: "red",
    Verdict.DEPENDS: "cyan",
    Verdict.NOT_CHECKABLE: "white",
    Verdict.REMARK: "blue",
}


@click.group(name="ledger", invoke_without_command=True)
@click.option(
    "--source", "sources", multiple=True, type=click.Choice(list(SOURCES)), help="Only this source."
)
@options.choice_option("--verdict", Verdict, "Show claims with this verdict.")
@click.option("--id", "patterns", multiple=True, metavar="PATTERN", help="Only ids like ntqr/table-2/*.")
@options.flag("--list", "Show every claim in a line, not only the summary.", "is_list")
@options.engine_options
@options.json_option
@click.pass_context
def ledger_command(
    ctx: click.Context,
    *,
    sources: tuple[str, ...],
    verdict: tuple[str, ...],
    patterns: tuple[str, ...],
    is_list: bool,
    workers: int | None,
    dask: str | None,
    as_json: bool,
) -> int:
    """Check the claims of the five sources: equations, theorems, table cells, sentences.

    Without a command, checks all claims (or those chosen) and prints how many of each source hold, are misprints,
    are wrong, depend on a reading, or cannot be checked. Exit code 1 if a verdict is not the one in its book.

    \b
    ntqr-exact ledger
    ntqr-exact ledger --source ntqr --verdict misprint
    ntqr-exact ledger show ntqr/eq-33e
    """
    if ctx.invoked_subcommand is not None:
        return 0
    names = matching(sources=sources, patterns=patterns)
    entries = check(names, workers, dask)
    wanted = [entry for entry in entries if not verdict or entry.verdict.value in verdict]
    if as_json:
        document = {
            "summary": {
                source: {kind.value: count for kind, count in row.items()}
                for source, row in summary(entries).items()
            },
            "claims": [entry.to_document() for entry in wanted],
        }
        options.show_json(document)
    else:
        if is_list or verdict or patterns:
            for entry in wanted:
                click.echo(_line(entry), file=own_words())
            click.echo()
        click.echo(_summary_text(entries))
    return _report_differences(entries)


@ledger_command.command()
@click.argument("identities", nargs=-1, required=True, metavar="ID...")
@options.json_option
def show(*, identities: tuple[str, ...], as_json: bool) -> int:
    """Show claims in full: statement, evidence, proof or counterexample, and how to check by hand."""
    entries = [Entry(claim(identity), claim(identity).find()) for identity in identities]
    if as_json:
        documents: list[dict[str, Any]] = [entry.to_document() for entry in entries]
        options.show_json(documents if len(documents) > 1 else documents[0])
    else:
        click.echo("\n\n".join(entry_text(entry) for entry in entries))
    return _report_differences(entries)


@ledger_command.command()
@click.argument("source", type=click.Choice(list(SOURCES)))
@options.engine_options
def errata(*, source: str, workers: int | None, dask: str | None) -> int:
    """Print the note on a source for its authors: place, printed, right, evidence."""
    entries = check(matching(sources=[source]), workers, dask)
    click.echo(errata_text(source, entries), nl=False)
    return _report_differences(entries)


@ledger_command.command(name="pages")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@options.engine_options
def pages_command(*, out: Path, workers: int | None, dask: str | None) -> int:
    """Write the pages of the documentation: all claims of each source, and the errata."""
    entries = check(list(claims()), workers, dask)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in pages(entries).items():
        write_whole(out / name, text)
    click.echo(f"{len(entries)} claims written to {out}")
    return _report_differences(entries)


def check(names: Sequence[str], workers: int | None, dask: str | None) -> list[Entry]:
    """Check claims, with a bar on the terminal."""
    with options.working(len(names), "checking claims", workers=workers, dask=dask) as (executor, bar):
        entries = []
        for entry in ledger(names, executor=executor):
            entries.append(entry)
            bar.update(1)
    return entries


def _line(entry: Entry) -> str:
    verdict = click.style(f"{entry.verdict.value:<13}", fg=_COLOURS[entry.verdict])
    finding = entry.finding
    printed = f"printed {entry.claim.printed}, " if entry.claim.printed else ""
    tail = f"{printed}right {finding.right}" if finding.right else ""
    tail = tail or (finding.evidence[0] if finding.evidence else "")
    return f"{verdict} {entry.claim.id}  {' '.join(tail.split())[:160]}"


def _summary_text(entries: Sequence[Entry]) -> str:
    counts = summary(entries)
    rows = [
        [SOURCES[source].short, *(str(row[verdict]) for verdict in Verdict), str(sum(row.values()))]
        for source, row in counts.items()
    ]
    if len(rows) > 1:
        columns = list(zip(*(row[1:] for row in rows), strict=True))
        rows.append(["all", *(str(sum(map(int, column))) for column in columns)])
    return table(["source", *(verdict.value for verdict in Verdict), "claims"], rows, indent=0)


def _report_differences(entries: Sequence[Entry]) -> int:
    different = [entry for entry in entries if entry.differs]
    for entry in different:
        said = entry.claim.verdict.value
        click.echo(f"{entry.claim.id}: {entry.verdict.value}, but the book says {said}", err=True)
    return CHECK_FAILED if different else 0
