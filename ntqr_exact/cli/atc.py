"""`ntqr-exact atc`: the error on unlabelled data, estimated from the confidences of a classifier."""

from __future__ import annotations

from typing import Any

import click

from ntqr_exact.cli.engines import engine_options
from ntqr_exact.cli.options import RowCounter, json_option
from ntqr_exact.cli.progress import progress_stream
from ntqr_exact.cli.words import with_decimal
from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.atc_bootstrap import bootstrap_atc
from ntqr_exact.confidence.atc_threshold import TieRule
from ntqr_exact.confidence.atc_values import AtcEstimate, Reading, wrong_flags
from ntqr_exact.confidence.keys import LogSumKey
from ntqr_exact.confidence.probability_file import VectorFile, read_vectors
from ntqr_exact.confidence.scores import SCORES, ScoreValue
from ntqr_exact.errors import BadDecisions
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.executors import engine
from ntqr_exact.metrics.bootstrap_interval import BootstrapInterval


@click.command(name="atc")
@click.argument("source_path", metavar="SOURCE.csv")
@click.argument("target_path", metavar="TARGET.csv")
@click.option("--score", type=click.Choice(list(SCORES)), default="max", show_default=True)
@click.option(
    "--truth", metavar="COLUMN", default="truth", show_default=True, help="The column of the true label."
)
@click.option("--error", metavar="RATE", help="The error on the source, where it has no true labels.")
@click.option(
    "--reading",
    type=click.Choice([reading.value for reading in Reading]),
    default=Reading.ERROR_BELOW.value,
    show_default=True,
    help="What is matched on the source, and on which side of the threshold.",
)
@click.option(
    "--ties",
    type=click.Choice([rule.value for rule in TieRule]),
    default=TieRule.SMALLEST.value,
    show_default=True,
    help="Which of two equally good thresholds is taken.",
)
@click.option("--normalise", is_flag=True, help="Divide each row by its sum, exactly.")
@click.option("--resamples", type=click.IntRange(min=1), help="Bootstrap the source this many times.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--level", default="0.95", show_default=True, help="The level of the bootstrap interval.")
@click.option("--delimiter", default=",", show_default=True, help="The character between cells.")
@engine_options
@json_option
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
    delimiter: str,
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
    options: dict[str, Any] = {
        "score": score,
        "reading": Reading(reading),
        "tie_rule": TieRule(ties),
        **({"labels": source.labels} if error is None else {"error": error}),
    }
    estimate = atc(source.vectors, target.vectors, **options)
    interval = None
    if resamples is not None:
        with (
            engine(workers=workers, dask=dask) as executor,
            click.progressbar(length=resamples, label="resamples", file=progress_stream()) as bar,
        ):
            drawn = bootstrap_atc(
                source.vectors,
                target.vectors,
                resamples=resamples,
                seed=seed,
                progress=bar.update,
                executor=executor,
                **options,
            )
        interval = drawn.interval(level)
    found = document(estimate, source, target, interval)
    click.echo(write_json(found) if as_json else report(estimate, source, target, interval), nl=not as_json)


def report(
    estimate: AtcEstimate, source: VectorFile, target: VectorFile, interval: BootstrapInterval | None
) -> str:
    """Return the estimate in words."""
    kind = "error" if estimate.reading is Reading.ERROR_BELOW else "accuracy"
    side = "at or above" if estimate.reading is Reading.ACCURACY_ABOVE else "below"
    lines = [
        f"source: {len(source.vectors)} vectors of {len(source.names)} labels; {kind} {with_decimal(estimate.gamma)}",
        f"score {estimate.score.name}, {estimate.score.formula}; threshold {_threshold(estimate.threshold)}, "
        f"the score of {estimate.threshold_vector}",
        f"  {side} it: {with_decimal(estimate.source_share)} of the source",
        f"target: {len(target.vectors)} vectors",
        f"  {side} it: {with_decimal(estimate.estimate)}, which estimates the {kind}",
    ]
    if interval is not None:
        ends = f"from {with_decimal(interval.lower)} to {with_decimal(interval.upper)}"
        lines.append(f"  resampled sources put it, at level {interval.level}, {ends}")
    real = _real_error(target)
    if real is not None:
        truth = real if estimate.reading is Reading.ERROR_BELOW else 1 - real
        lines.append(f"  the real {kind}, by its labels: {with_decimal(truth)}")
    return "\n".join(lines)


def document(
    estimate: AtcEstimate, source: VectorFile, target: VectorFile, interval: BootstrapInterval | None
) -> dict[str, Any]:
    """Return the estimate as a JSON document."""
    threshold = estimate.threshold
    return {
        "labels": list(source.names),
        "score": estimate.score.name,
        "reading": estimate.reading.value,
        "ties": estimate.tie_rule.value,
        "source": {
            "size": len(source.vectors),
            "gamma": estimate.gamma,
            "share": estimate.source_share,
        },
        "threshold": {
            "vector": list(estimate.threshold_vector),
            "value": str(threshold) if isinstance(threshold, LogSumKey) else threshold,
        },
        "target": {
            "size": len(target.vectors),
            "estimate": estimate.estimate,
            "error": estimate.error,
            "accuracy": estimate.accuracy,
            "real_error": _real_error(target),
        },
        "interval": None
        if interval is None
        else {
            "lower": interval.lower,
            "upper": interval.upper,
            "level": interval.level,
            "method": interval.method.value,
        },
    }


def _read(path: str, truth: str, *, normalise: bool, delimiter: str) -> VectorFile:
    with RowCounter() as counter:
        try:
            return read_vectors(
                path, truth=truth, normalise=normalise, delimiter=delimiter, progress=counter.add
            )
        except BadDecisions as error:
            # Two files are read: a line alone would not tell which of them is meant.
            raise BadDecisions(
                error.given, f"in {path}: {error.rule}", error.remedy, line=error.line, column=error.column
            ) from None


def _real_error(target: VectorFile) -> Any:
    if target.labels is None:
        return None
    wrong = wrong_flags(target.vectors, target.labels)
    return rational(sum(wrong)) / len(wrong)


def _threshold(value: ScoreValue) -> str:
    return f"{value} ≈ {value.decimal()}" if isinstance(value, LogSumKey) else with_decimal(value)
