"""The family `population-rescaling`: a confusion matrix at the share of positives that a population has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadNumber
from ntqr_exact.metrics.formulas import CELLS, metric
from ntqr_exact.metrics.population import population_factors, probability
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import (
    CELL_PARTS,
    DEFINITIONS,
    MATRIX,
    NUMBER_INPUT,
    cells_of,
    matrix_from,
    metric_value,
    told,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, described, record

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


def edge_cases() -> Iterator[Case]:
    """Yield rates at both ends, samples without a label, identities, large numbers, and refusals."""
    plain = (30, 10, 5, 55)
    yield _case((50, 50, 50, 50), "0.05", "balanced sample, rare label")
    for rate in ("1/20", "7/20", "1/2", "0.034", "1e-9", "999999/1000000"):
        yield _case(plain, rate, "all cells different")
    yield _case(plain, 0, "a population without positives", "end")
    yield _case(plain, 1, "a population of positives only", "end")
    yield _case(plain, "0/7", "the rate 0 as a fraction", "end")
    yield _case((1, 0, 3, 0), 1, "no negatives, and none in the population: they keep the factor 1", "end")
    yield _case((0, 2, 0, 5), 0, "no positives, and none in the population: they keep the factor 1", "end")
    yield _case((3, 1, 0, 4), "3/8", "the rate of the sample: nothing changes")
    yield _case((0, 2, 3, 5), "1/3", "nothing positive is found")
    yield _case((3, 0, 2, 0), 1, "all negatives missing, positives split", "end")
    yield _case((1, 0, 0, 1), "1/2", "no error at all")
    yield _case((0, 0, 2, 3), "1/4", "nothing is predicted to be positive")
    yield _case(("1/2", "1/3", "1/5", "1/7"), "2/11", "weights", "weights")
    yield _case(("0.1", "0.2", "0.3", "0.4"), "0.5", "weights as decimals", "weights")
    yield _case(("9007199254740993", 1, 1, 2), "1/3", "a count that no double holds", "large")
    yield _case(plain, "1/100000000000000000001", "a rate beyond doubles", "large")
    yield _case(plain, "-1/10", "a negative rate", "refused")
    yield _case(plain, "11/10", "a rate above 1", "refused")
    yield _case(plain, "half", "a rate that is no number", "refused")
    yield _case((0, 2, 0, 5), "1/10", "no sample stands for the positives", "refused")
    yield _case((3, 0, 2, 0), "1/2", "no sample stands for the negatives", "refused")
    yield _case((0, 2, 0, 5), 1, "only positives in the population, only negatives in the sample", "refused")
    yield _case((0, 0, 0, 0), "1/2", "no samples", "refused")
    yield _case((0, 0, 0, 0), 0, "no samples, and no positives in the population", "refused")
    yield _case((-3, 1, 5, 2), "1/2", "a negative count", "refused")
    yield _case((3, 1, 5, "x"), "1/2", "a cell that is no number", "refused")


def random_case(draws: Draws, index: int) -> Case:
    """Return counts that grow with the index, both labels among them, and a rate."""
    counts = draws.counts(index * index // 10 + draws.below(5), 4)
    counts[draws.pick((0, 2))] += 1
    counts[draws.pick((1, 3))] += 1
    rate = draws.share(10 + index)
    flags = ("end",) if rate in (0, 1) else ()
    return _case(tuple(counts), str(rate), f"{sum(counts)} samples", *flags)


def _case(cells: tuple[int | str, ...], rate: int | str, comment: str, *flags: str) -> Case:
    return Case({**dict(zip(CELLS, cells, strict=True)), "rate": rate}, comment, flags)


def _is_small(document: Document) -> bool:
    """Tell whether a population of this rate in which every sample is repeated can be listed."""
    cells = [document[name] for name in CELLS]
    if not all(isinstance(cell, int) and cell >= 0 for cell in cells):
        return False
    tp, fp, fn, tn = cells
    if not tp + fn or not fp + tn:
        return False
    try:
        rate = probability(document["rate"])
    except BadNumber:
        return False
    members: int = (tp + fn) * (fp + tn) * int(rate.denominator)
    return members <= 5000


FAMILY = Family(
    name="population-rescaling",
    version=1,
    title="A confusion matrix at the rate of a population",
    citations=(Citation("ores", "section 1.11"),),
    algorithm=(
        "The input gives the four cells of a confusion matrix, and the share ρ of positives in a population "
        "(rate). Each is a whole number, or a text with a whole number, a fraction or a decimal.",
        "Refuse as bad-number what is no number and a rate outside [0, 1]; as bad-samples a negative cell.",
        "P = tp + fn, N = fp + tn, n = P + N. Refuse as bad-samples n = 0, P = 0 with ρ > 0, and N = 0 with "
        "ρ < 1: no sample stands for that label of the population.",
        "positive_factor: ρ·n/P, and 1 if P = 0. negative_factor: (1 − ρ)·n/N, and 1 if N = 0.",
        "matrix: tp and fn times the positive factor, fp and tn times the negative factor. Its sum is n again.",
        "metrics: recall, fpr, precision, f1, accuracy, match_rate, !precision and !f1 of the new matrix, by name.",
        *DEFINITIONS,
    ),
    input=record(CELL_PARTS, rate=described(NUMBER_INPUT, "the share of positives in the population")),
    expected=record(
        positive_factor=RATIONAL,
        negative_factor=RATIONAL,
        matrix=MATRIX,
        metrics=record({name: metric_value(metric(name).undefined) for name in _METRICS}),
    ),
    flags={
        "end": "the rate is 0 or 1: a label of the sample gets the factor 0, or is missing rightly",
        "weights": "cells that are not counts",
        "large": "numbers that doubles do not hold",
        "refused": "a rate that is none, or that this sample cannot show",
    },
    errors={
        "bad-number": "a cell or rate that is no number, or a rate outside [0, 1]",
        "bad-samples": "a negative cell, no samples, or no sample of a label that the population has",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
