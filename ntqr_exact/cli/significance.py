"""`ntqr-exact significance`: is a difference that a fallible metric model saw real, under every reading?"""

from __future__ import annotations

import re
from typing import Any

import click

from ntqr_exact.cli import options
from ntqr_exact.sampling.metric_model import MetricModel
from ntqr_exact.sampling.normal_interval import Ends
from ntqr_exact.study.significance_study import SignificanceStudy, study_significance

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
@click.option("--level", metavar="NUMBER", help="Level, such as 0.95: use its normal quantile.")
@options.choice_option("--ends", Ends.CLOSED, "Whether an interval that just touches 0 contains it.")
@options.setting("--power", "0.8", "How often a planned sample shows the difference.")
@options.html_option
@options.json_option
def significance(*, as_json: bool, **asked: Any) -> None:
    """Compare two models that a fallible metric model has judged, under every reading of the variance.

    Shows each reading's interval for treatment − control, what it decides, which readings agree, and the smallest
    number of outputs at which each would show a difference with a power. Fisher's or McNemar's exact p-value stands
    beside them. All decisions are exact.

    \b
    Example:
      ntqr-exact significance --control 108/23679 --treatment 56/23679 \\
        --precision 0.8897 --false-omission 0.22769
    """
    options.show(significance_study(**asked), as_json=as_json)


def significance_study(
    *,
    precision: str | None,
    false_omission: str | None,
    labelled: tuple[str, str, str, str] | None,
    z: str | None,
    level: str | None,
    ends: str,
    power: str,
    **samples: Any,
) -> SignificanceStudy:
    """Return the study that the options ask for."""
    return study_significance(
        metric=_metric_model(precision, false_omission, labelled),
        critical=z,
        level=level,
        ends=Ends(ends),
        power=power,
        **samples,
    )


def _metric_model(
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
