"""Commands on scores and metrics: metrics, significance, atc."""

from __future__ import annotations

from typing import Any

import click

import ntqr_exact as nt
from ntqr_exact.cli.options import NAMES, command, flag, option
from ntqr_exact.cli.terminal import counter
from ntqr_exact.confidence.scores import SCORES
from ntqr_exact.errors import BadDecisions
from ntqr_exact.sampling.metric_model import MetricModel


@command(
    click.Argument(["scores_path"], metavar="SCORES.csv"),
    option("--label", "Column of the true label.", required=True, metavar="COLUMN"),
    option("--score", "Column of the score.", required=True, metavar="COLUMN"),
    option("--positive", "Positive label (default: 1, true or yes).", metavar="LABEL"),
    option("--weight", "Column of the sample's weight.", metavar="COLUMN"),
    option("--stratum", "Column of the sample's stratum; needs --population.", metavar="COLUMN"),
    option("--population", "Population of each stratum, by its name.", type=NAMES, metavar="B=13526,…"),
    option("--population-rate", "Share of positives in the population.", metavar="RATE"),
    option("--threshold", "Threshold of a positive prediction.", "1/2"),
    option("--query queries", 'Such as "maximum recall @ precision >= 0.9"; repeatable.', multiple=True),
    "--resamples --seed --level --delimiter --html",
    examples='metrics scores.csv --label y --score s --query "maximum recall @ precision >= 0.9"',
)
def metrics(given: Any) -> Any:
    """Measure scores against the true labels: confusion, areas, thresholds.

    A row of the CSV is a sample with its true label and its score; a decimal means the decimal. Samples may have
    weights, or come from strata with known populations.
    """
    from ntqr_exact.metrics.score_file import read_scores

    if given.weight is not None and given.stratum is not None:
        raise click.UsageError("give --weight or --stratum, not both: strata make the weights")
    if (given.stratum is None) != (given.population is None):
        raise click.UsageError("give --stratum and --population together")
    columns = ("label", "score", "weight", "stratum", "positive", "delimiter")
    more = ("queries", "threshold", "population_rate", "resamples", "seed", "level")
    samples = read_scores(given.scores_path, progress=given.rows(), **_some(given, columns))
    populations = None if given.population is None else _sizes(given.population)
    return nt.study_scores(samples, populations=populations, **_some(given, more))


def _some(given: Any, names: tuple[str, ...]) -> Any:
    return {name: getattr(given, name) for name in names}


def _sizes(parts: tuple[str, ...]) -> dict[str, str]:
    """Return the population sizes by stratum."""
    sizes = {name.strip(): size for name, _, size in (part.rpartition("=") for part in parts)}
    if len(sizes) < len(parts) or not all(sizes):
        given = ",".join(parts)
        raise click.UsageError(f"--population must be STRATUM=SIZE, once for each stratum, got {given!r}")
    return sizes


def _count_of_total(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return a count and its total, such as 108/23679; it is not reduced, because the total matters."""
    parts = tuple(part.strip() for part in text.split("/")) if isinstance(text, str) else text
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise click.BadParameter(f"must be a count of a total such as 108/23679, got {text!r}")
    return parts


_COUNTS = {"type": click.types.FuncParamType(_count_of_total), "metavar": "COUNT/TOTAL", "required": True}


@command(
    option("--control", "Outputs observed as positive, of all outputs.", **_COUNTS),
    option("--treatment", "The same for the treatment.", **_COUNTS),
    option("--precision", "P(positive | observed positive).", required=True, metavar="RATE"),
    option("--false-omission", "P(positive | observed negative).", required=True, metavar="RATE"),
    option("--both", "Paired samples: questions on which both are positive.", metavar="COUNT"),
    option("--z critical", "Critical value (default: 1.96).", metavar="NUMBER"),
    option("--level", "Level, such as 0.95, instead of --z.", metavar="NUMBER"),
    option("--power", "Probability that a planned sample shows the difference.", "0.8"),
    "--html",
    examples="significance --control 108/23679 --treatment 56/23679 --precision 0.8897 --false-omission 0.22769",
)
def significance(given: Any) -> Any:
    """Compare two models by the verdicts of a fallible metric model, under every reading of the variance.

    Prints each reading's interval for treatment − control, its decision, the readings that agree, the smallest
    number of outputs at which each shows a difference, and the exact p-value of Fisher's or McNemar's test.
    """
    more = _some(given, ("control", "treatment", "both", "critical", "level", "power"))
    return nt.study_significance(metric=MetricModel(given.precision, given.false_omission), **more)


@command(
    click.Argument(["source_path"], metavar="SOURCE.csv"),
    click.Argument(["target_path"], metavar="TARGET.csv"),
    option("--score", "Score function.", "max", type=click.Choice(list(SCORES))),
    option("--truth", "Column of the true label.", "truth", metavar="COLUMN"),
    option("--error", "Error on the source, if it has no true labels.", metavar="RATE"),
    flag("--normalise", "Divide each row by its sum, exactly."),
    "--resamples --seed --level --delimiter --workers --dask --html",
    examples="atc validation.csv deployed.csv --score entropy --resamples 1000",
)
def atc(given: Any) -> Any:
    """Estimate a classifier's error on TARGET from its confidences, with a threshold learnt on SOURCE.

    Both files have a header, a row for each question and a column for each label with its probability, such as 0.25
    or 1/4; each row sums to 1. The source has a column with the true label, or else --error is given. If the target
    has that column, too, its error is printed next to the estimate.
    """
    from ntqr_exact.metrics.formulas import defined
    from ntqr_exact.sweep import engine

    source, target = (_read_vectors(path, given) for path in (given.source_path, given.target_path))
    if source.names != target.names:
        raise BadDecisions(target.names, f"target must have the labels {', '.join(source.names)}", line=1)
    if given.error is None and source.labels is None:
        raise click.UsageError(f"the source has no column {given.truth!r}; give --truth or --error")
    how: dict[str, Any] = {"score": given.score}
    how |= {"labels": source.labels} if given.error is None else {"error": given.error}
    interval = mean = None
    if given.resamples is not None:
        with engine(workers=given.workers, dask=given.dask) as executor:
            progress = counter(given.progress, f"{{:,}} of {given.resamples:,} resamples")
            more = {"executor": executor, "progress": progress, **_some(given, ("resamples", "seed"))}
            drawn = nt.bootstrap_atc(source.vectors, target.vectors, **more, **how)
        interval, mean = drawn.interval(given.level), defined(drawn.mean)
    return nt.study_confidence(source, target, interval=interval, mean=mean, **how)


def _read_vectors(path: str, given: Any) -> Any:
    from ntqr_exact.confidence.probability_vector import read_vectors

    try:
        options = _some(given, ("truth", "normalise", "delimiter"))
        return read_vectors(path, progress=given.rows(), **options)
    except BadDecisions as error:  # two files are read: the message names the one that is wrong
        rule, where = f"in {path}: {error.rule}", (error.line, error.column)
        raise BadDecisions(error.given, rule, error.remedy, line=where[0], column=where[1]) from None
