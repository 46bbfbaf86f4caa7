"""`ntqr-exact atc`: the error on unlabelled data, estimated from the confidences of a classifier."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.confidence.atc import bootstrap_atc
from ntqr_exact.confidence.atc_values import AtcReading, TieRule
from ntqr_exact.confidence.probability_file import VectorFile, read_vectors
from ntqr_exact.confidence.scores import SCORES
from ntqr_exact.errors import BadDecisions
from ntqr_exact.metrics.undefined import defined
from ntqr_exact.study.confidence_study import study_confidence


@click.command(name="atc")
@click.argument("source_path", metavar="SOURCE.csv")
@click.argument("target_path", metavar="TARGET.csv")
@click.option("--score", type=click.Choice(list(SCORES)), default="max", show_default=True)
@click.option(
    "--truth", metavar="COLUMN", default="truth", show_default=True, help="The column of the true label."
)
@click.option("--error", metavar="RATE", help="The error on the source, where it has no true labels.")
@options.choice_option(
    "--reading", AtcReading.ERROR_BELOW, "What is matched on the source, and on which side of the threshold."
)
@options.choice_option("--ties", TieRule.SMALLEST, "Which of two equally good thresholds is taken.")
@options.flag("--normalise", "Divide each row by its sum, exactly.")
@click.option("--resamples", type=click.IntRange(min=1), help="Bootstrap the source this many times.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--level", default="0.95", show_default=True, help="The level of the bootstrap interval.")
@options.delimiter_option
@options.engine_options
@options.html_option
@options.json_option
def atc_command(
    source_path: str,
    target_path: str,
    *,
    score: str,
    truth: str,
    error: str | None,
    reading: str,
    ties: str,
    normalise: bool,
    resamples: int | None,
    seed: int,
    level: str,
    delimiter: str | None,
    workers: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Estimate a classifier's error on TARGET from its confidences, with a threshold learnt on SOURCE.

    Both files have a header, a row for each question and a column for each label with the probability that the
    classifier gave it, such as 0.25 or 1/4; each row sums to 1. The source also has a column with the true label,
    or else --error is given. If the target has that column, too, the real error is shown beside the estimate.

    \b
    Example:
      ntqr-exact atc validation.csv deployed.csv --score entropy --resamples 1000
    """
    source = _read(source_path, truth, normalise=normalise, delimiter=delimiter)
    target = _read(target_path, truth, normalise=normalise, delimiter=delimiter)
    if source.names != target.names:
        raise BadDecisions(target.names, f"the labels of the source are {', '.join(source.names)}", line=1)
    if error is None and source.labels is None:
        raise click.UsageError(f"the source has no column {truth!r}; name it by --truth, or give --error")
    how: dict[str, Any] = {
        "score": score,
        "reading": AtcReading(reading),
        "tie_rule": TieRule(ties),
        **({"labels": source.labels} if error is None else {"error": error}),
    }
    interval = mean = None
    if resamples is not None:
        with options.working(resamples, "resamples", workers=workers, dask=dask) as (executor, bar):
            drawn = bootstrap_atc(
                source.vectors,
                target.vectors,
                resamples=resamples,
                seed=seed,
                progress=bar.update,
                executor=executor,
                **how,
            )
        interval, mean = drawn.interval(level), defined(drawn.mean)
    options.show(study_confidence(source, target, interval=interval, mean=mean, **how), as_json=as_json)


def _read(path: str, truth: str, *, normalise: bool, delimiter: str | None) -> VectorFile:
    with options.row_counter() as progress:
        try:
            return read_vectors(
                path, truth=truth, normalise=normalise, delimiter=delimiter, progress=progress
            )
        except BadDecisions as error:
            # Two files are read: a line alone would not tell which of them is meant.
            raise BadDecisions(
                error.given, f"in {path}: {error.rule}", error.remedy, line=error.line, column=error.column
            ) from None
