"""Which readings of the variance agree on a comparison, which differ, and why, in words."""

from __future__ import annotations

from ntqr_exact.significance.comparison import Centre, Comparison, Result
from ntqr_exact.significance.interval import Decision
from ntqr_exact.significance.variance import VarianceReading


def decisions(comparison: Comparison) -> dict[Decision, tuple[Result, ...]]:
    """Return the readings by what they decide, in the order in which the decisions first come up."""
    grouped: dict[Decision, tuple[Result, ...]] = {}
    for result in comparison.results:
        grouped[result.decision] = (*grouped.get(result.decision, ()), result)
    return grouped


def explain(comparison: Comparison) -> str:
    """Return in words which readings agree, which differ, and what follows from the numbers alone.

    >>> from ntqr_exact.significance.comparison import compare
    >>> from ntqr_exact.significance.metric_model import MetricModel
    >>> print(explain(compare(control=(90, 99), treatment=(9, 99), metric=MetricModel(1, 0))))
    All readings agree: the treatment is lower.
    The metric model is perfect: printed, real-share and estimator are the deterministic variance.
    """
    grouped = decisions(comparison)
    if len(grouped) == 1:
        sentences = [f"All readings agree: {next(iter(grouped)).value}."]
    else:
        sentences = ["The readings differ:"]
        sentences += [
            f"  {decision.value}: {', '.join(map(name, results))}" for decision, results in grouped.items()
        ]
    return "\n".join([*sentences, *_remarks(comparison)])


def name(result: Result) -> str:
    """Return the name of a reading, with its centre where the reading stands around another one as well."""
    if result.reading is VarianceReading.PRINTED:
        return f"{result.reading.value} around the {result.centre.value} difference"
    return str(result.reading.value)


def _remarks(comparison: Comparison) -> list[str]:
    metrics = (comparison.control.metric, comparison.treatment.metric)
    remarks = []
    if all(metric.is_perfect for metric in metrics):
        remarks.append(
            "The metric model is perfect: printed, real-share and estimator are the deterministic variance."
        )
    elif metrics[0] == metrics[1] and metrics[0].is_binary:
        remarks.append(_of_slope(comparison))
    if not any(metric.is_estimated for metric in metrics) and not all(m.is_perfect for m in metrics):
        remarks.append("The rates of the metric model are taken as known: estimated-rates equals estimator.")
        remarks.append(
            "Printed and real-share are the spread of the real share itself, which no one estimates: their intervals "
            "cover neither the real share of all outputs nor that of new ones at the level."
        )
    remarks += [f"{caution[0].upper()}{caution[1:]}." for caution in comparison.cautions]
    return remarks


def _of_slope(comparison: Comparison) -> str:
    slope = comparison.control.metric.slope
    if slope == 0:
        return "Precision equals the false omission rate (δ = 0): the observed labels say nothing about real ones."
    sides = " but with the sides exchanged, as δ < 0" if slope < 0 else ""
    if comparison.difference(Centre.OBSERVED) == 0:
        return "The observed shares are equal, so that no reading can show a difference."
    return (
        f"Estimator decides as deterministic does{sides}: δ scales the difference and its deviation alike, "
        "so that known errors of the metric model do not change this test."
    )
