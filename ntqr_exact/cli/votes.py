"""`ntqr-exact votes`: count decisions into a votes file, and look at votes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import click
from gmpy2 import mpq

from ntqr_exact.cli.groups import HelpfulGroup
from ntqr_exact.cli.options import example_names, json_option, load_votes, votes_options
from ntqr_exact.cli.words import counted, table, with_decimal
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.whole_file import write_whole


@click.group(cls=HelpfulGroup)
def votes() -> None:
    """Count decisions into votes, and show what was voted.

    A decisions file is a CSV with a row for each question and a column for each judge; a votes file
    is JSON with the number of questions for each pattern of answers.
    """


@votes.command()
@votes_options
@click.option(
    "-o", "--output", metavar="FILE", help="Write the votes file here instead of to standard output."
)
@json_option
def count(votes_path: str, *, output: str | None, as_json: bool, **options: Any) -> None:
    """Count a CSV of decisions into a votes file.

    A votes file is JSON, with --json or without it; with --json and -o, what was written is told in JSON, too. The
    file is read once, in constant memory. A cell that cannot be counted is an error that tells its
    line and column.

    \b
    Example:
      ntqr-exact votes count decisions.csv --truth key -o votes.json
    """
    found = load_votes(votes_path, **options)
    if output is None:
        click.echo(found.to_json(), nl=False)
        return
    try:
        write_whole(output, found.to_json(), inputs=[votes_path])
    except OSError as error:
        raise click.ClickException(f"{output!r} cannot be written: {error.strerror}") from None
    if as_json:
        written = {
            "output": output,
            "questions": found.size,
            "judges": list(found.judges),
            "labels": list(found.labels),
        }
        click.echo(write_json(written), nl=False)
        return
    click.echo(
        f"{counted(found.size, 'question')}, {counted(len(found.judges), 'judge')}, "
        f"{counted(len(found.labels), 'label')} -> {output}",
        err=True,
    )


@votes.command(epilog=f"In place of a file: {example_names()}.")
@votes_options
@json_option
def show(votes_path: str, *, as_json: bool, **options: Any) -> None:
    """Show votes: counts, each judge's answers, agreements and moments.

    VOTES is a votes file or a decisions CSV. Moments are those of giving the second of two labels:
    Δ for each pair of judges, T for each trio.

    \b
    Example:
      ntqr-exact votes show example:two-norm
    """
    shown = load_votes(votes_path, **options)
    observed = shown.observed() if isinstance(shown, LabeledVoteCounts) else shown
    if as_json:
        click.echo(write_json({"votes": shown.to_document(), **_statistics_document(observed)}), nl=False)
        return
    click.echo(describe(observed))
    if isinstance(shown, LabeledVoteCounts):
        click.echo("\n" + _describe_key(shown))


def describe(votes: VoteCounts) -> str:
    """Return what was voted, in words and tables."""
    parts = [
        f"{counted(votes.size, 'question')}, {counted(len(votes.judges), 'judge')} ({', '.join(votes.judges)}), "
        f"labels {', '.join(votes.labels)}."
    ]
    if votes.size == 0:
        return parts[0] + " There is nothing to show."
    parts += ["", "How often each pattern of answers was seen:", _indented(str(votes))]
    parts += ["", "How often each judge gave each label:"]
    responses = {judge: votes.responses(judge) for judge in votes.judges}
    parts.append(
        table(
            ["judge", *votes.labels],
            [[judge, *(str(responses[judge][label]) for label in votes.labels)] for judge in votes.judges],
        )
    )
    for statistic in _statistics(votes):
        parts += ["", f"{statistic.title}:"]
        parts += [f"  {', '.join(judges)}: {with_decimal(value)}" for judges, value in statistic.rows]
    return "\n".join(parts)


@dataclass(frozen=True, slots=True)
class _Statistic:
    """A number for each pair or trio of judges."""

    key: str
    title: str
    rows: list[tuple[tuple[str, ...], mpq]]


def _statistics(votes: VoteCounts) -> list[_Statistic]:
    def each(how_many: int, statistic: Callable[..., mpq]) -> list[tuple[tuple[str, ...], mpq]]:
        return [(judges, statistic(*judges)) for judges in combinations(votes.judges, how_many)]

    found = [_Statistic("agreements", "Share of questions on which a pair agrees", each(2, votes.agreement))]
    if len(votes.labels) == 2:
        found.append(_Statistic("pair_moments", "Pair moments Δ", each(2, votes.pair_moment)))
        found.append(_Statistic("trio_moments", "Trio moments T", each(3, votes.trio_moment)))
    return [statistic for statistic in found if statistic.rows]


def _statistics_document(votes: VoteCounts) -> dict[str, Any]:
    document: dict[str, Any] = {
        "size": votes.size,
        "responses": {judge: votes.responses(judge) for judge in votes.judges},
    }
    for statistic in _statistics(votes) if votes.size else []:
        document[statistic.key] = [
            {"judges": list(judges), "value": value} for judges, value in statistic.rows
        ]
    return document


def _describe_key(labeled: LabeledVoteCounts) -> str:
    parts = [
        "Questions of each true label: "
        + ", ".join(f"{label} {n}" for label, n in labeled.key_counts.items())
    ]
    for judge in labeled.judges:
        confusion = labeled.confusion(judge)
        rows = [[label, *map(str, confusion[label].values())] for label in labeled.labels]
        parts += ["", f"Answers of {judge} by true label:", table(["true", *labeled.labels], rows)]
    return "\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
