"""`ntqr-exact metrics`: a classifier's scores against the answer key, in exact numbers."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.metrics.areas import DIGITS
from ntqr_exact.metrics.ranking import Rule
from ntqr_exact.metrics.score_file import read_scores
from ntqr_exact.metrics.threshold_queries import Query
from ntqr_exact.study.score_study import ANCHORS, ScoreStudy, study_scores


@click.command()
@click.argument("scores_path", metavar="SCORES.csv")
@click.option("--label", required=True, metavar="COLUMN", help="The column of the true label.")
@click.option("--score", required=True, metavar="COLUMN", help="The column of the score.")
@click.option("--positive", metavar="LABEL", help="The positive label (default: 1, true or yes).")
@click.option("--weight", metavar="COLUMN", help="The column of the sample's weight.")
@click.option("--stratum", metavar="COLUMN", help="The column of the sample's stratum; needs --population.")
@click.option(
    "--population",
    type=options.NameList(),
    metavar="B=13526,…",
    help="The population of each stratum, by its name.",
)
@click.option("--population-rate", metavar="RATE", help="The share of positives in the population.")
@click.option("--threshold", default="1/2", show_default=True, help="Where a score becomes positive.")
@click.option("--rule", type=click.Choice([rule.value for rule in Rule]), default=">=", show_default=True)
@click.option(
    "--query", "queries", multiple=True, help='For example "maximum recall @ precision >= 0.9"; repeatable.'
)
@options.setting(
    "--anchor",
    "one",
    "Where pr_auc begins at recall 0: nowhere (as the source prints it), at the first precision, or at 1.",
    click.Choice(list(ANCHORS)),
)
@click.option("--table", "rows", type=click.IntRange(min=0), default=0, help="Show this many thresholds.")
@options.setting("--digits", DIGITS, "Proven digits of areas.", click.IntRange(1, 10_000))
@click.option(
    "--resamples", type=click.IntRange(min=1), help="Bootstrap the areas this many times, with the weights."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--level", default="0.95", show_default=True, help="The level of the bootstrap intervals.")
@options.delimiter_option
@options.html_option
@options.json_option
def metrics(scores_path: str, *, as_json: bool, **given: Any) -> None:
    """Measure scores against the true labels: confusion, areas, thresholds.

    A row of the CSV is a sample with its true label and its score; a decimal means the decimal. Samples
    may have weights, or come from strata whose populations are known.

    \b
    Example:
      ntqr-exact metrics scores.csv --label y --score s --query "maximum recall @ precision >= 0.9"
    """
    options.show(score_study(scores_path, **given), as_json=as_json)


def score_study(
    scores_path: str,
    *,
    weight: str | None,
    stratum: str | None,
    population: tuple[str, ...] | None,
    rule: str,
    queries: tuple[str, ...],
    rows: int,
    label: str,
    score: str,
    positive: str | None,
    delimiter: str | None,
    **given: Any,
) -> ScoreStudy:
    """Return the study that the options ask for."""
    if weight is not None and stratum is not None:
        raise click.UsageError("give --weight or --stratum, not both: strata make the weights")
    if (stratum is None) != (population is None):
        raise click.UsageError("--stratum and --population belong together")
    asked = [Query.parse(query) for query in queries]
    with options.row_counter() as progress:
        samples = read_scores(
            scores_path,
            label=label,
            score=score,
            weight=weight,
            stratum=stratum,
            positive=positive,
            delimiter=delimiter,
            progress=progress,
        )
    populations = None if population is None else _sizes(population)
    return study_scores(
        samples, populations=populations, rule=Rule(rule), queries=asked, thresholds=rows, **given
    )


def _sizes(parts: tuple[str, ...]) -> dict[str, str]:
    """Return the sizes that STRATUM=SIZE gives, by stratum."""
    found: dict[str, str] = {}
    for part in parts:
        name, equals, size = part.rpartition("=")
        if not equals or not name.strip() or name.strip() in found:
            raise click.UsageError(f"{part!r} is not STRATUM=SIZE, once for each stratum")
        found[name.strip()] = size
    return found
