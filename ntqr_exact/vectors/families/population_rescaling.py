"""The family `population-rescaling`: a confusion matrix at the share of positives that a population has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import probability, rational
from ntqr_exact.metrics.confusion import population_factors
from ntqr_exact.metrics.formulas import CELLS, metric
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import CELL_PARTS, MATRIX, cells_of, matrix_from, metric_value, told
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, described, record
from ntqr_exact.vectors.specification import Case, Document, declared

_METRICS = ("recall", "fpr", "precision", "f1", "accuracy", "match_rate", "!precision", "!f1")


def compute(document: Document) -> dict[str, Any]:
    """Return the two factors, the rescaled matrix and its metrics."""
    matrix = matrix_from(document)
    rescaled = matrix.at_population_rate(document["rate"])
    positives, negatives = population_factors(matrix.positives, matrix.negatives, document["rate"])
    return {
        "positive_factor": positives,
        "negative_factor": negatives,
        "matrix": cells_of(rescaled),
        "metrics": {name: told(rescaled[name]) for name in _METRICS},
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the shares, the factors and the cells."""
    found = compute(document)
    matrix = matrix_from(document)
    yield f"P = {matrix.tp} + {matrix.fn} = {matrix.positives}, N = {matrix.fp} + {matrix.tn} = {matrix.negatives}"
    yield f"n = {matrix.total}, rate ρ = {document['rate']}"
    yield f"positives count ρ·n/P = {found['positive_factor']} times (once, if P = 0)"
    yield f"negatives count (1 − ρ)·n/N = {found['negative_factor']} times (once, if N = 0)"
    yield ", ".join(f"{name} = {value}" for name, value in found["matrix"].items())
    yield from (f"{name} = {value}" for name, value in found["metrics"].items())


def random_case(draws: Draws, index: int) -> Case:
    """Return counts that grow with the index, both labels among them, and a rate."""
    counts = draws.counts(index * index // 10 + draws.below(5), 4)
    counts[draws.pick((0, 2))] += 1
    counts[draws.pick((1, 3))] += 1
    rate = draws.share(10 + index)
    document = {**dict(zip(CELLS, counts, strict=True)), "rate": str(rate)}
    return Case(document, f"{sum(counts)} samples")


def _is_small(document: Document, _: Any) -> bool:
    """Tell whether a population of this rate in which every sample is repeated can be listed."""
    cells = [document[name] for name in CELLS]
    if not all(isinstance(cell, int) and cell >= 0 for cell in cells):
        return False
    tp, fp, fn, tn = cells
    if not tp + fn or not fp + tn:
        return False
    try:
        rate = probability(document["rate"], "a rate")
    except BadNumber:
        return False
    members: int = (tp + fn) * (fp + tn) * int(rate.denominator)
    return members <= 5000


FAMILY = Family(
    *declared("population-rescaling"),
    input=record(CELL_PARTS, rate=described(NUMBER_INPUT, "the share of positives in the population")),
    expected=record(
        positive_factor=RATIONAL,
        negative_factor=RATIONAL,
        matrix=MATRIX,
        metrics=record({name: metric_value(metric(name).undefined) for name in _METRICS}),
    ),
    flags={
        "end": lambda given, _: rational(given["rate"]) in (0, 1),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
