"""A report in the layout in which ORES describes its models: counts, rates, and each metric by label.

Values are exact, in texts; a count is a plain number where it is whole. What is undefined says why.

>>> from ntqr_exact.metrics.confusion import ConfusionMatrix
>>> report = ores_report(ConfusionMatrix(tp=30, fp=10, fn=5, tn=55))
>>> report["rates"]["sample"]["true"], report["recall"]["labels"]["true"], report["!f1"]["macro"]
('7/20', '6/7', '21/25')
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.exact.json_text import encode_number
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import METRICS, NEGATION
from ntqr_exact.metrics.multiclass import Average, LabelMatrices, MulticlassConfusion
from ntqr_exact.metrics.undefined import MetricValue

REPORTED = (*METRICS, *(NEGATION + name for name in ("recall", "precision", "f1")))
"""The metrics of a report, in order."""


class PopulationScaling(Enum):
    """How three or more labels are brought to the rates of a population; with two both are the same."""

    EACH_LABEL = "each label against the rest, as revscoring does"
    """The labels within the rest stay as they are in the sample: the matrices fit no common population."""

    ALL_LABELS = "all labels at once"
    """Every true label has its own factor ρ/r, so that the matrices are those of one population."""


def ores_report(
    confusion: ConfusionMatrix | MulticlassConfusion | LabelMatrices,
    *,
    population_rate: RationalLike | None = None,
    population_rates: Mapping[Any, RationalLike] | None = None,
    scaling: PopulationScaling = PopulationScaling.EACH_LABEL,
) -> dict[str, Any]:
    """Return counts, rates, and each metric by label with its averages, at the rates of the population.

    Give `population_rate`, that of "true", for two labels, and `population_rates` for more; without
    them the population is taken to be as the sample. With three or more labels `scaling` says how, and the report
    names it. The average that ORES calls micro is weighted by label; `pooled` is that of all cells added up. Source:
    ORES, sections 1.10 and 1.11.
    """
    scaling = chosen(scaling, PopulationScaling)
    if isinstance(confusion, ConfusionMatrix):
        confusion = MulticlassConfusion.from_binary(confusion)
        if population_rate is not None:
            rate = rational(population_rate)
            population_rates = {"false": 1 - rate, "true": rate}
    if isinstance(confusion, MulticlassConfusion):
        sample = confusion.rates
        # All labels at once first, also where each is scaled by itself: it refuses rates that are not those of one
        # population.
        scaled = confusion.at_population_rates(population_rates) if population_rates else confusion
        predictions = {
            str(label): {str(given): plain(n) for given, n in row.items()}
            for label, row in confusion.counts.items()
        }
        counted = (confusion.label_weights, confusion.total, predictions)
        matrices = scaled.matrices
        if population_rates and scaling is PopulationScaling.EACH_LABEL:
            matrices = confusion.matrices.at_population_rates(population_rates)
    else:
        sample = {label: matrix.rates["true"] for label, matrix in confusion.matrices.items()}
        matrices = confusion.at_population_rates(population_rates) if population_rates else confusion
        counted = _multilabel_counts(confusion)
    weights, total, predictions = counted
    population: Mapping[Any, Any] = population_rates or sample
    return {
        "counts": {
            "labels": {str(label): plain(weight) for label, weight in weights.items()},
            "n": plain(total),
            "predictions": predictions,
        },
        "rates": {
            "population": {str(label): _taken(population[label]) for label in weights},
            "sample": {str(label): told(value) for label, value in sample.items()},
            **({"scaling": scaling.value} if population_rates and len(weights) > 2 else {}),
        },
        **{name: _by_label(matrices, name) for name in REPORTED},
    }


def told(value: MetricValue) -> object:
    """Return a metric for JSON: its exact text, or an object that says why it is undefined."""
    return {"undefined": value.value} if isinstance(value, Undefined) else encode_number(value)


def plain(weight: mpq) -> object:
    """Return a count for JSON: a plain number where it is whole, else its exact text."""
    return int(weight) if weight.denominator == 1 else encode_number(weight)


def _by_label(matrices: LabelMatrices, name: str) -> dict[str, Any]:
    return {
        "labels": {str(label): told(value) for label, value in matrices.values(name).items()},
        "macro": told(matrices.average(name, Average.MACRO)),
        "micro": told(matrices.average(name, Average.WEIGHTED)),
        "pooled": told(matrices.average(name, Average.MICRO)),
    }


def _multilabel_counts(matrices: LabelMatrices) -> tuple[dict[Any, mpq], mpq, dict[str, Any]]:
    counts = {label: matrix.counts for label, matrix in matrices.matrices.items()}
    return (
        {label: found["labels"]["true"] for label, found in counts.items()},
        next(iter(matrices.matrices.values())).total,
        {
            str(label): {
                actual: {given: plain(n) for given, n in row.items()}
                for actual, row in found["predictions"].items()
            }
            for label, found in counts.items()
        },
    )


def _taken(rate: Any) -> object:
    return told(rate) if isinstance(rate, Undefined) else encode_number(rational(rate))
