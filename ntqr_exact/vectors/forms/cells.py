"""Confusion matrices and metrics, in inputs and answers."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadSamples
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, METRICS, NEGATION
from ntqr_exact.metrics.multiclass import MulticlassConfusion
from ntqr_exact.metrics.undefined import MetricValue, Undefined
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, Fragment, described, either, one_of, record
from ntqr_exact.vectors.specification import Document

NAMES = (*METRICS, *(NEGATION + name for name in METRICS))
"""The metrics of a matrix: eight, and the negated form of each."""

CELL_PARTS = {
    "tp": described(NUMBER_INPUT, "labeled positive, predicted positive"),
    "fp": described(NUMBER_INPUT, "labeled negative, predicted positive"),
    "fn": described(NUMBER_INPUT, "labeled positive, predicted negative"),
    "tn": described(NUMBER_INPUT, "labeled negative, predicted negative"),
}
MATRIX = record(dict.fromkeys(CELLS, RATIONAL))


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


def is_word(value: Any) -> bool:
    """Tell whether a metric of an expected document is a word and no number.

    >>> is_word("no-positives"), is_word("-3/8")
    (True, False)
    """
    return isinstance(value, str) and value[0].isalpha()


def cells_of(matrix: ConfusionMatrix) -> dict[str, mpq]:
    """Return the four cells by name."""
    return {name: getattr(matrix, name) for name in CELLS}


def matrix_from(document: Document) -> ConfusionMatrix:
    """Return the matrix of an input with the four cells."""
    return ConfusionMatrix(**{name: document[name] for name in CELLS})


def confusion_from(document: Document) -> MulticlassConfusion:
    """Return the table of an input with labels and a row of counts for each true label."""
    labels, rows = document["labels"], document["counts"]
    if any(len(row) != len(labels) for row in (rows, *rows)):
        raise BadSamples(rows, "there is a row for each label, and a count for each label in it")
    return MulticlassConfusion(
        {label: dict(zip(labels, row, strict=True)) for label, row in zip(labels, rows, strict=True)}
    )
