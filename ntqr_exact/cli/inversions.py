"""`ntqr-exact inversions`: the smallest vectors that two scores put in opposite orders."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import click

from ntqr_exact.blocks.text import table_text
from ntqr_exact.cli.engines import engine_options
from ntqr_exact.cli.options import NameList, json_option
from ntqr_exact.cli.terminal import progress_stream
from ntqr_exact.confidence.ordering import InversionSearch, smallest_inversion
from ntqr_exact.confidence.scores import SCORES, SIX
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.executors import engine


@click.command()
@click.option(
    "--labels", type=click.IntRange(min=2), default=3, show_default=True, help="The number of labels."
)
@click.option(
    "--max-denominator",
    type=click.IntRange(min=2),
    default=20,
    show_default=True,
    help="The largest common denominator that is searched.",
)
@click.option(
    "--scores", type=NameList(), default=",".join(SIX), help="Which scores to compare (default: the six)."
)
@engine_options
@json_option
def inversions(
    labels: int,
    max_denominator: int,
    scores: tuple[str, ...],
    *,
    workers: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Find, for each pair of scores, the smallest strict inversion, by exhaustive exact search.

    A strict inversion is a pair of probability vectors of which one score calls the first the surer one, and the
    other score the second. All vectors over each denominator are ranked, so that the first found is the smallest.

    \b
    Example:
      ntqr-exact inversions --labels 3 --max-denominator 20
    """
    for score in scores:
        if score not in SCORES:
            raise BadSamples(score, f"the scores are {', '.join(SCORES)}")
    pairs = list(combinations(dict.fromkeys(scores), 2))
    if not pairs:
        raise BadSamples(",".join(scores), "an inversion is between two different scores", "name two or more")
    searches = []
    steps = len(pairs) * (max_denominator - 1)
    with (
        engine(workers=workers, dask=dask) as executor,
        click.progressbar(length=steps, label="denominators", file=progress_stream()) as progress,
    ):
        for done, (left, right) in enumerate(pairs, start=1):
            searches.append(
                smallest_inversion(
                    left,
                    right,
                    labels=labels,
                    max_denominator=max_denominator,
                    progress=lambda _: progress.update(1),
                    executor=executor,
                )
            )
            progress.update(done * (max_denominator - 1) - progress.pos)
    click.echo(write_json(document(searches)) if as_json else report(searches), nl=not as_json)


def report(searches: list[InversionSearch]) -> str:
    """Return a table with a line for each pair of scores."""
    rows = []
    for search in searches:
        names = f"{search.left} / {search.right}"
        if search.found:
            higher, lower = search.inversions[0].over(search.denominator)
            shown = [f"({', '.join(map(str, numbers))})" for numbers in (higher, lower)]
            rows.append([names, str(search.denominator), *shown, str(len(search.inversions))])
        else:
            rows.append([names, f"> {search.denominator}", "none", "none", "0"])
    header = ["scores", "denominator", "first prefers", "second prefers", "pairs"]
    return table_text(header, rows, indent=0)


def document(searches: list[InversionSearch]) -> dict[str, Any]:
    """Return all searches as a JSON document."""
    return {
        "searches": [
            {
                "scores": [search.left.name, search.right.name],
                "labels": search.labels,
                "end": search.end.name.lower().replace("_", "-"),
                "denominator": search.denominator,
                "inversions": [
                    dict(
                        zip(
                            ("first_prefers", "second_prefers"),
                            inversion.over(search.denominator),
                            strict=True,
                        )
                    )
                    for inversion in search.inversions
                ],
                "examined": [{"denominator": n, "vectors": count} for n, count in search.examined],
                "verified": search.holds(),
            }
            for search in searches
        ]
    }
