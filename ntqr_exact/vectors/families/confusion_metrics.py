"""The family `confusion-metrics`: every metric of a confusion matrix and its negated form, or why it is undefined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.metrics.formulas import CELLS, metric
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import (
    CELL_PARTS,
    NAMES,
    cells_of,
    is_word,
    matrix_from,
    metric_value,
    told,
)
from ntqr_exact.vectors.fragments import record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return all metrics of the matrix."""
    matrix = matrix_from(document)
    return {name: told(matrix[name]) for name in NAMES}


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
        return Case(dict(zip(CELLS, map(str, weights), strict=True)), "weights", ("weights",))
    counts = draws.counts(1 + index * index // 8 + draws.below(5), 4)
    if index % 4 == 1:
        counts[draws.below(4)] = 0
    return Case(dict(zip(CELLS, counts, strict=True)), f"{sum(counts)} samples")


def _is_undefined(_: Document, found: Any) -> bool:
    return any(map(is_word, found.values()))


def _is_plain(document: Document, found: Any) -> bool:
    """Tell whether the counts are small and every metric is a number."""
    cells = [document[name] for name in CELLS]
    return all(isinstance(cell, int) and 0 <= cell < 10**6 for cell in cells) and not _is_undefined(
        document, found
    )


FAMILY = Family(
    *declared("confusion-metrics"),
    input=record(CELL_PARTS),
    expected=record({name: metric_value(metric(name).undefined) for name in NAMES}),
    flags={
        "undefined": _is_undefined,
        "both-zero": lambda _, found: (
            found["precision"] == found["recall"] == "0" or found["!precision"] == found["!recall"] == "0"
        ),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": _is_plain},
)
