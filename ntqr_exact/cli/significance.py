"""`ntqr-exact significance`: is a difference that a fallible metric model saw real, under every reading?"""

from __future__ import annotations

import re
from typing import Any

import click

from ntqr_exact.cli.options import json_option
from ntqr_exact.cli.words import table, with_decimal
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.significance.comparison import TEXTBOOK, Comparison, Result, compare
from ntqr_exact.significance.critical import NormalCritical, RationalCritical
from ntqr_exact.significance.interval import CriticalValue, Ends
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.performance import Performance
from ntqr_exact.significance.planning import plan
from ntqr_exact.significance.reading_agreement import explain, name
from ntqr_exact.significance.variance import VarianceReading

_COUNT_OF_TOTAL = re.compile(r"\s*([0-9]+)\s*/\s*([0-9]+)\s*")


class CountOfTotal(click.ParamType):  # type: ignore[type-arg]
    """A count of a total, as in 108/23679; unlike a fraction it is not reduced, for the total matters."""

    name = "count/total"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split at the stroke; the number door reads both sides."""
        if isinstance(value, tuple):
            return value
        match = _COUNT_OF_TOTAL.fullmatch(value)
        if match is None:
            self.fail(f"{value!r} is not a count of a total; write it like 108/23679", param, ctx)
        return match[1], match[2]


@click.command()
@click.option("--control", type=CountOfTotal(), required=True, help="Observed positives of all outputs.")
@click.option("--treatment", type=CountOfTotal(), required=True, help="The same of the other model.")
@click.option("--precision", metavar="RATE", help="Of the metric model, P(really positive | observed so).")
@click.option("--false-omission", metavar="RATE", help="P(really positive | observed negative).")
@click.option(
    "--labelled",
    nargs=4,
    metavar="TP FP FN TN",
    help="Counts of the metric model's own labelled set, instead of the two rates.",
)
@click.option("--both", metavar="COUNT", help="Paired samples: questions on which both are positive.")
@click.option("--z", metavar="NUMBER", help="The critical value.  [default: 1.96]")
@click.option("--level", metavar="NUMBER", help="A level such as 0.95, for the true normal quantile instead.")
@click.option(
    "--ends",
    type=click.Choice([ends.value for ends in Ends]),
    default=Ends.CLOSED.value,
    show_default=True,
    help="Whether an interval that just touches 0 contains it.",
)
@json_option
def significance(
    control: tuple[str, str],
    treatment: tuple[str, str],
    *,
    precision: str | None,
    false_omission: str | None,
    labelled: tuple[str, str, str, str] | None,
    both: str | None,
    z: str | None,
    level: str | None,
    ends: str,
    as_json: bool,
) -> None:
    """Compare two models that a fallible metric model has judged, under every reading of the variance.

    Shows each reading's interval for treatment − control, what it decides, which readings agree, and the smallest
    number of outputs at which each would show a difference. All decisions are exact.

    \b
    Example:
      ntqr-exact significance --control 108/23679 --treatment 56/23679 \\
        --precision 0.8897 --false-omission 0.22769
    """
    comparison = compare(
        control=control,
        treatment=treatment,
        metric=metric_model(precision, false_omission, labelled),
        both=both,
        critical=critical_value(z, level),
        ends=Ends(ends),
    )
    click.echo(write_json(document(comparison)) if as_json else report(comparison), nl=not as_json)


def report(comparison: Comparison) -> str:
    """Return all readings side by side, in words."""
    metric = comparison.control.metric
    rates = (
        f"precision {with_decimal(metric.precision)}, false omission {with_decimal(metric.false_omission)}"
    )
    pairing = "independent samples" if comparison.joint is None else "paired samples"
    results = comparison.results
    parts = [
        f"control:   {_performance(comparison.control)}",
        f"treatment: {_performance(comparison.treatment)}",
        f"metric model: {rates}; δ = {with_decimal(metric.slope)}",
        f"{pairing}; {comparison.critical}; {comparison.ends.value} ends",
        "",
        "Treatment − control under each reading of the variance:",
        table(
            ["reading", "around", "difference", "variance", "interval", "decision", "shown from N"],
            [_row(comparison, result) for result in results],
        ),
        "",
        explain(comparison),
        "",
        "What the readings mean:",
    ]
    parts += [f"  {reading.value}: {reading.formula}; {reading.meaning}" for reading in VarianceReading]
    parts += [
        '"Shown from N" is the smallest number of outputs of each model at which the difference would be shown, '
        "at the same shares."
    ]
    return "\n".join(parts)


def document(comparison: Comparison) -> dict[str, Any]:
    """Return all readings as a JSON document."""
    metric = comparison.control.metric
    return {
        "metric": {
            "precision": metric.precision,
            "false_omission": metric.false_omission,
            "precision_variance": metric.classes[1].rate_variance,
            "false_omission_variance": metric.classes[0].rate_variance,
        },
        "control": _performance_document(comparison.control),
        "treatment": _performance_document(comparison.treatment),
        "paired": comparison.joint is not None,
        "both": None if comparison.joint is None else comparison.joint[1][1],
        "critical": _critical_document(comparison.critical),
        "ends": comparison.ends.value,
        "readings": [_result_document(comparison, result) for result in comparison.results],
        "words": explain(comparison),
    }


def metric_model(
    precision: str | None, false_omission: str | None, labelled: tuple[str, str, str, str] | None
) -> MetricModel:
    """Return the metric model that the options give, by its rates or by its counts on a labelled set."""
    if labelled is not None:
        if precision is not None or false_omission is not None:
            raise click.UsageError("--labelled gives both rates; leave --precision and --false-omission out")
        tp, fp, fn, tn = labelled
        return MetricModel.from_counts(tp=tp, fp=fp, fn=fn, tn=tn)
    if precision is None or false_omission is None:
        raise click.UsageError("give --precision and --false-omission, or --labelled")
    return MetricModel(precision, false_omission)


def critical_value(z: str | None, level: str | None) -> CriticalValue:
    """Return the critical value that the options give: a rational, a normal quantile, or 1.96."""
    if z is not None and level is not None:
        raise BadNumber((z, level), "--z and --level are two ways to give one critical value", "give one")
    if level is not None:
        return NormalCritical(level)
    return TEXTBOOK if z is None else RationalCritical(z)


def _performance(model: Performance) -> str:
    return (
        f"{model.counts[1]} of {model.size} observed positive, "
        f"p^O = {with_decimal(model.observed_rate)}; really p^R ≈ {fixed_text(model.real_rate)}"
    )


def _row(comparison: Comparison, result: Result) -> list[str]:
    smallest = plan(comparison, result.reading, result.centre).smallest_size
    return [
        result.reading.value,
        result.centre.value,
        fixed_text(result.interval.centre),
        significant_text(result.interval.variance),
        str(result.interval),
        result.decision.value,
        "never" if smallest is None else str(smallest),
    ]


def _performance_document(model: Performance) -> dict[str, Any]:
    return {
        "positives": model.counts[1],
        "size": model.size,
        "observed_rate": model.observed_rate,
        "real_rate": model.real_rate,
    }


def _critical_document(critical: CriticalValue) -> dict[str, Any]:
    if isinstance(critical, RationalCritical):
        return {"z": critical.z}
    return {"level": critical.of_level, "decimal": critical.enclose(64).decimal(15)}


def _result_document(comparison: Comparison, result: Result) -> dict[str, Any]:
    interval = result.interval
    found: dict[str, Any] = {
        "reading": result.reading.value,
        "name": name(result),
        "centre": result.centre.value,
        "difference": interval.centre,
        "variance": interval.variance,
        "decimals": list(interval.decimals(9)),
        "decision": result.decision.value,
        "shown_from": plan(comparison, result.reading, result.centre).smallest_size,
    }
    if isinstance(interval.critical, RationalCritical):
        found["interval"] = [interval.lower, interval.upper]
    return found
