"""The family `lift-and-f-beta`: ratios of a confusion matrix that users ask for besides those of the sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.formulas import CELLS, metric
from ntqr_exact.metrics.label_metrics import lift
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import CELL_PARTS, is_word, matrix_from, metric_value, told
from ntqr_exact.vectors.fragments import TEXT, described, record
from ntqr_exact.vectors.specification import Case, Document, declared

_RATIOS = {
    "jaccard": "jaccard",
    "negated_jaccard": "!jaccard",
    "false_discovery_rate": "false_discovery_rate",
}


def compute(document: Document) -> dict[str, Any]:
    """Return lift, F-beta and the other ratios."""
    matrix, f_beta = matrix_from(document), metric(f"f{document['beta']}")
    return {
        "lift": told(lift(matrix)),
        "f_beta": told(matrix.measure(f_beta)),
        **{name: told(matrix[known]) for name, known in _RATIOS.items()},
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the sums, the formulas and their values."""
    matrix, found = matrix_from(document), compute(document)
    yield f"n = {matrix.total}, positives {matrix.positives}, predicted positive {matrix.tp + matrix.fp}"
    yield f"lift = tp·n/((tp + fp)·(tp + fn)) → {found['lift']}"
    yield f"{metric('f' + document['beta'])} → {found['f_beta']}"
    yield from (f"{metric(known)} → {found[name]}" for name, known in _RATIOS.items())


def random_case(draws: Draws, index: int) -> Case:
    """Return cells that grow with the index, some of them zero, with a whole beta or a fraction."""
    cells = draws.counts(2 + index, 4)
    if index % 7 == 6:
        cells[index % 4] = 0
    beta = (str(1 + draws.below(4)), f"{1 + draws.below(5)}/{2 + draws.below(4)}")[index % 2]
    given: Document = {
        name: f"{cell}/{2 + index % 5}" if index % 10 == 9 else cell
        for name, cell in zip(CELLS, cells, strict=True)
    }
    return Case({**given, "beta": beta}, f"beta {beta}")


FAMILY = Family(
    *declared("lift-and-f-beta"),
    input=record(CELL_PARTS, beta=described(TEXT, "how much more recall counts than precision")),
    expected=record(
        {
            "lift": metric_value(Undefined.NO_PREDICTED_POSITIVES, Undefined.NO_POSITIVES),
            "f_beta": metric_value(Undefined.NOTHING_POSITIVE),
            **{name: metric_value(metric(known).undefined) for name, known in _RATIOS.items()},
        }
    ),
    flags={
        "below-chance": lambda _, found: not is_word(found["lift"]) and rational(found["lift"]) < 1,
        "fraction": lambda given, _: not given["beta"].isdigit(),
        "undefined": lambda _, found: any(map(is_word, found.values())),
        "cells-not-counts": lambda given, _: any(set(str(given[cell])) & set("/.e") for cell in CELLS),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
