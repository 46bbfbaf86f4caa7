"""The family `confusion-metrics`: every metric of a confusion matrix and its negated form, or why it is undefined."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, METRICS, NEGATION, metric
from ntqr_exact.metrics.undefined import MetricValue, Undefined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, TEXT, Fragment, described, either, one_of, record

NAMES = (*METRICS, *(NEGATION + name for name in METRICS))
"""The metrics of a matrix: eight, and the negated form of each."""

NUMBER_INPUT = either({"type": "integer"}, TEXT)
CELL_PARTS = {
    "tp": described(NUMBER_INPUT, "labeled positive, predicted positive"),
    "fp": described(NUMBER_INPUT, "labeled negative, predicted positive"),
    "fn": described(NUMBER_INPUT, "labeled positive, predicted negative"),
    "tn": described(NUMBER_INPUT, "labeled negative, predicted negative"),
}
MATRIX = record(dict.fromkeys(CELLS, RATIONAL))

DEFINITIONS = (
    "The metrics, as shares of n = tp + fp + fn + tn or of parts of it, with the word that stands for a "
    "share of nothing (its lower sum is zero): recall = tp/(tp + fn), no-positives. precision = tp/(tp + "
    "fp), no-predicted-positives. f1 = 2tp/(2tp + fp + fn), nothing-positive. fpr = fp/(fp + tn), "
    "no-negatives. accuracy = (tp + tn)/n, error_rate = (fp + fn)/n, match_rate = (tp + fp)/n and "
    "filter_rate = (fn + tn)/n, all four no-samples.",
    "The negated form of a metric, its name after an exclamation mark, is the metric after tp and tn, and fp "
    "and fn, have changed places; its word speaks of the other label: no-positives and no-negatives, "
    "no-predicted-positives and no-predicted-negatives, nothing-positive and nothing-negative change places, "
    "and no-samples stays.",
)
"""Sentences for every algorithm in which a metric of a matrix occurs."""


def metric_value(*reasons: Undefined) -> Fragment:
    """Return the schema of a metric that is a number or one of these words."""
    return either(RATIONAL, one_of(*map(word, reasons)))


def word(reason: Undefined) -> str:
    """Return the word for an undefined metric.

    >>> word(Undefined.NO_POSITIVES)
    'no-positives'
    """
    return reason.name.lower().replace("_", "-")


def told(value: MetricValue) -> mpq | str:
    """Return a metric as it stands in an expected value: a number, or the word for why it is none."""
    return word(value) if isinstance(value, Undefined) else value


def cells_of(matrix: ConfusionMatrix) -> dict[str, mpq]:
    """Return the four cells by name."""
    return {name: getattr(matrix, name) for name in CELLS}


def matrix_from(document: Document) -> ConfusionMatrix:
    """Return the matrix of an input with the four cells."""
    return ConfusionMatrix(**{name: document[name] for name in CELLS})


def all_metrics(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Return every metric and its negated form, or its word."""
    return {name: told(matrix[name]) for name in NAMES}


METRICS_SCHEMA = record({name: metric_value(metric(name).undefined) for name in NAMES})


def compute(document: Document) -> dict[str, Any]:
    """Return all metrics of the matrix."""
    return all_metrics(matrix_from(document))


def steps(document: Document) -> Iterator[str]:
    """Tell each ratio with the cells put in."""
    found = compute(document)
    matrix = matrix_from(document)
    yield ", ".join(f"{name} = {number}" for name, number in cells_of(matrix).items())
    for name in NAMES:
        formula = metric(name)
        above, below = (
            sum((getattr(part, cell) * getattr(matrix, cell) for cell in CELLS), mpq(0))
            for part in (formula.numerator, formula.denominator)
        )
        yield f"{formula}: {above} / {below} → {found[name]}"


def random_case(draws: Draws, index: int) -> Case:
    """Return counts that grow with the index, at times with an empty cell, or weights."""
    if index % 4 == 3:
        weights = [draws.between(0, 5 + index) * draws.share(9) for _ in CELLS]
        return _case(tuple(map(str, weights)), "weights", "weights")
    counts = draws.counts(1 + index * index // 8 + draws.below(5), 4)
    if index % 4 == 1:
        counts[draws.below(4)] = 0
    return _case(tuple(counts), f"{sum(counts)} samples")


def _case(cells: tuple[int | str, ...], comment: str, *flags: str) -> Case:
    document = {
        name: str(cell) if isinstance(cell, int) and cell > 2**53 else cell
        for name, cell in zip(CELLS, cells, strict=True)
    }
    if "refused" in flags:
        return Case(document, comment, flags)
    found = compute(document)
    undefined = any(isinstance(value, str) for value in found.values())
    both_zero = found["precision"] == found["recall"] == 0 or found["!precision"] == found["!recall"] == 0
    outcome = [*(["undefined"] if undefined else []), *(["both-zero"] if both_zero else [])]
    return Case(document, comment, (*flags, *outcome))


def _is_plain(document: Document) -> bool:
    """Tell whether the counts are small and every metric is a number."""
    cells = [document[name] for name in CELLS]
    if not all(isinstance(cell, int) and 0 <= cell < 10**6 for cell in cells):
        return False
    return not any(isinstance(value, str) for value in compute(document).values())


FAMILY = Family(
    *declared("confusion-metrics"),
    input=record(CELL_PARTS),
    expected=METRICS_SCHEMA,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": _is_plain},
)
