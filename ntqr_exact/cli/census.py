"""`ntqr-exact census`: all votes of a test size, classified, with exact totals."""

from __future__ import annotations

import textwrap
from math import comb

import click

from ntqr_exact.census import PATTERNS, take_census
from ntqr_exact.cli import options
from ntqr_exact.evaluators.independent.independent_solution import IndependenceClass


def _classes() -> str:
    """Return the classes with their meaning, a line or two for each."""
    width = max(len(kind.title) for kind in IndependenceClass)
    return "\b\nClasses, which exclude each other:\n" + "\n".join(
        textwrap.fill(
            f"{kind.title:<{width}}  {kind.meaning}",
            78,
            initial_indent="  ",
            subsequent_indent=" " * (width + 4),
        )
        for kind in IndependenceClass
    )


@click.command(epilog=_classes())
@click.option("--questions", type=click.IntRange(min=1), required=True, help="Number of questions.")
@click.option("--workers", type=click.IntRange(min=1), help="Number of processes on this machine.")
@click.option("--dask", metavar="ADDRESS", help="Use the dask cluster with its scheduler at this address.")
@options.json_option
def census(*, questions: int, workers: int | None, dask: str | None, as_json: bool) -> None:
    """Classify all votes of three judges between two labels by what independent errors make of them.

    With the moments Δ_ij and T of the votes, Π = Δ_12Δ_13Δ_23 and A = T² + 4Π. An independent key exists for the
    independent votes and for the unidentified ones.

    \b
    Example:
      ntqr-exact census --questions 12
    """
    votes = comb(questions + PATTERNS - 1, PATTERNS - 1)
    with options.working(votes, "votes", workers=workers, dask=dask) as (executor, bar):
        result = take_census(questions, executor=executor, progress=bar.update)
    click.echo(result.to_json() if as_json else str(result), nl=not as_json)
