"""`ntqr-exact inversions`: the smallest vectors that two scores put in opposite orders."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import click

from ntqr_exact.blocks.text import table_text
from ntqr_exact.cli import options
from ntqr_exact.confidence.ordering import InversionSearch, smallest_inversion
from ntqr_exact.confidence.scores import SCORES, SIX
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.json_text import write_json


@click.command()
@options.setting("--labels", 3, "The number of labels.", click.IntRange(min=2))
@options.setting(
    "--max-denominator", 20, "The largest common denominator that is searched.", click.IntRange(min=2)
)
@click.option(
    "--scores",
    type=options.NameList(),
    default=",".join(SIX),
    help="Which scores to compare (default: the six).",
)
@options.engine_options
@options.json_option
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
    per_pair = max_denominator - 1
    where = {"workers": workers, "dask": dask}
    with options.working(len(pairs) * per_pair, "denominators", **where) as (executor, bar):
        for done, (left, right) in enumerate(pairs, start=1):
            searches.append(
                smallest_inversion(
                    left,
                    right,
                    labels=labels,
                    max_denominator=max_denominator,
                    progress=lambda _: bar.update(1),
                    executor=executor,
                )
            )
            bar.update(done * per_pair - bar.pos)
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
    return {"searches": list(map(_search_document, searches))}


def _search_document(search: InversionSearch) -> dict[str, Any]:
    pairs = (inversion.over(search.denominator) for inversion in search.inversions)
    return {
        "scores": [search.left.name, search.right.name],
        "labels": search.labels,
        "end": search.end.name.lower().replace("_", "-"),
        "denominator": search.denominator,
        "inversions": [{"first_prefers": higher, "second_prefers": lower} for higher, lower in pairs],
        "examined": [{"denominator": n, "vectors": count} for n, count in search.examined],
        "verified": search.holds(),
    }
