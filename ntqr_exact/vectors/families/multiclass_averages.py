"""The family `multiclass-averages`: one value of a metric for several labels, by the three averages."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.multiclass import Average
from ntqr_exact.metrics.undefined import Undefined, WhenUndefined, defined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import MATRIX, cells_of, confusion_from, is_word, metric_value, told
from ntqr_exact.vectors.fragments import NUMBER_INPUT, TEXT, described, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_METRICS = ("recall", "precision", "f1")
_POLICIES = {"word": None, "0": WhenUndefined.ZERO, "1": WhenUndefined.ONE}


def compute(document: Document) -> dict[str, Any]:
    """Return the matrix of each label, the metrics of each, and the averages."""
    confusion = confusion_from(document)
    matrices, policy = confusion.matrices, _POLICIES[document["undefined"]]
    return {
        "matrices": [cells_of(matrices[label]) for label in document["labels"]],
        "accuracy": told(confusion.accuracy),
        "values": {
            name: [
                told(value if policy is None else defined(value, policy))
                for value in matrices.values(name).values()
            ]
            for name in _METRICS
        },
        "averages": {
            average.name.lower(): {
                name: told(matrices.average(name, average, undefined=policy)) for name in _METRICS
            }
            for average in Average
        },
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the matrix of each label, and the terms of the means."""
    found = compute(document)
    for label, cells in zip(document["labels"], found["matrices"], strict=True):
        yield f"{label} against the rest: " + ", ".join(f"{name} = {value}" for name, value in cells.items())
    weights = " : ".join(str(cells["tp"] + cells["fn"]) for cells in found["matrices"])
    for name in _METRICS:
        values = ", ".join(map(str, found["values"][name]))
        micro, macro, weighted = (found["averages"][average][name] for average in found["averages"])
        yield f"{metric(name)} of the labels: {values}"
        yield f"of all cells added up: {micro}; the mean: {macro}; the mean with weights {weights}: {weighted}"
    yield f"accuracy, the share on the diagonal: {found['accuracy']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return a table of two to four labels that grows with the index, each policy in turn."""
    labels = 2 + index % 3
    size = labels + index // 2 + draws.below(6)
    flat = draws.counts(size, labels * labels)
    rows = [flat[labels * place : labels * (place + 1)] for place in range(labels)]
    if index % 5 == 4:
        rows[draws.below(labels)] = [0] * labels
    policy = list(_POLICIES)[index // 3 % 3]
    return Case({"labels": list("abcd"[:labels]), "undefined": policy, "counts": rows}, f"{labels} labels")


def _is_undefined(document: Document, _: Any) -> bool:
    """Tell whether a metric of a label is undefined, before the policy gives it a value."""
    matrices = confusion_from(document).matrices
    return any(isinstance(value, Undefined) for name in _METRICS for value in matrices.values(name).values())


def _is_plain(document: Document, found: Any) -> bool:
    """Tell whether doubles hold all results, which have a common denominator, and all are numbers."""
    cells = [cell for row in document["counts"] for cell in row]
    if not all(isinstance(cell, int) and cell >= 0 for cell in cells) or not any(cells):
        return False
    if len(document["labels"]) < 2 or len(cells) != len(document["labels"]) ** 2:
        return False
    rows = document["counts"]
    margins = [*map(sum, rows), *map(sum, zip(*rows, strict=True))]
    both = [row + column for row, column in zip(margins, margins[len(rows) :], strict=False)]
    if len(rows) * math.lcm(sum(cells), *(size or 1 for size in margins + both)) * sum(cells) > 10**12:
        return False
    parts = [*found["values"].values(), *(part.values() for part in found["averages"].values())]
    return not any(is_word(value) for part in parts for value in part)


FAMILY = Family(
    *declared("multiclass-averages"),
    input=record(
        labels=list_of(TEXT),
        undefined=one_of(*_POLICIES),
        counts=described(list_of(list_of(NUMBER_INPUT)), "a row for each true label"),
    ),
    expected=record(
        matrices=list_of(MATRIX),
        accuracy=metric_value(Undefined.NO_SAMPLES),
        values=record({name: list_of(metric_value(metric(name).undefined)) for name in _METRICS}),
        averages=record(
            {
                average.name.lower(): record(
                    {
                        name: metric_value(
                            metric(name).undefined, Undefined.PART_UNDEFINED, Undefined.NO_POSITIVES
                        )
                        for name in _METRICS
                    }
                )
                for average in Average
            }
        ),
    ),
    flags={
        "undefined": _is_undefined,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("undefined",),
    witnesses={"scikit-learn": _is_plain},
)
