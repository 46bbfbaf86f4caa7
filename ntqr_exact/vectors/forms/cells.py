"""Confusion matrices and metrics, in inputs and answers."""

from __future__ import annotations

from enum import Enum
from typing import Any

from gmpy2 import mpq

from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, METRICS, NEGATION
from ntqr_exact.metrics.undefined import Undefined

NAMES = (*METRICS, *(NEGATION + name for name in METRICS))
"""The metrics of a matrix: eight, and the negated form of each."""


def word(named: Enum) -> str:
    """Return the word that stands for a decision, or for an undefined metric, in a file of vectors.

    >>> word(Undefined.NO_POSITIVES)
    'no-positives'
    """
    return named.name.lower().replace("_", "-")


def told(value: Any) -> Any:
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
