"""The family `multiclass-averages`: one value of a metric for several labels, by the three averages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadSamples
from ntqr_exact.metrics.averages import Average
from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.multiclass import MulticlassConfusion
from ntqr_exact.metrics.undefined import Undefined, WhenUndefined, defined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import MATRIX, NUMBER_INPUT, cells_of, metric_value, told
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import TEXT, described, list_of, one_of, record

_METRICS = ("recall", "precision", "f1")
_POLICIES = {"word": None, "0": WhenUndefined.ZERO, "1": WhenUndefined.ONE}


def compute(document: Document) -> dict[str, Any]:
    """Return the matrix of each label, the metrics of each, and the averages."""
    confusion = _confusion(document)
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


def edge_cases() -> Iterator[Case]:
    """Yield two labels, perfect and useless tables, absent labels under each policy, weights, and refusals."""
    yield _case([[55, 10], [5, 30]], "two labels")
    yield _case([[1, 0], [0, 1]], "no error")
    yield _case([[0, 1], [1, 0]], "errors only: F1 is 0")
    yield _case([[1, 1, 0], [0, 1, 0], [0, 0, 1]], "three labels")
    yield _case([[5, 2, 1], [3, 7, 0], [4, 1, 6]], "three labels, no symmetry")
    yield _case([[90, 5, 5], [1, 3, 1], [0, 2, 1]], "a label with most of the samples")
    yield _case([[10, 0, 0], [2, 0, 0], [1, 0, 0]], "only the first label is ever given", policy="0")
    yield _case([[0, 3], [0, 7]], "the first label is never given", policy="1")
    for policy in _POLICIES:
        yield _case([[4, 1, 0], [2, 3, 0], [0, 0, 0]], "a label that never occurs", policy=policy)
        yield _case([[4, 1, 1], [2, 3, 0], [0, 0, 0]], "a label that is given but never true", policy=policy)
        yield _case([[4, 1, 0], [2, 3, 0], [1, 1, 0]], "a label that is true but never given", policy=policy)
        yield _case([[0, 0], [0, 0]], "no samples", policy=policy)
        yield _case([[0, 0], [0, 5]], "one label only, no error", policy=policy)
    yield _case([["1/2", "1/3"], ["0.25", "2"]], "weights", "weights")
    yield _case([["1/2", 0, "1/7"], [3, "1/3", 0], [0, 0, "0.2"]], "weights of three labels", "weights")
    yield _case([["9007199254740993", 1], [2, 3]], "a count that no double holds", "large")
    yield _case([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]], "four labels")
    yield _case([[1, 2], [3, -1]], "a negative count", "refused")
    yield _case([[7]], "one label", "refused")
    yield _case([[1, 2], [3, "x"]], "a word for a number", "refused")
    yield _case([[1, 2], [3]], "a row that is too short", "refused")
    yield _case([[1, 2], [3, 4], [5, 6]], "a row too many", "refused", labels="ab")


def random_case(draws: Draws, index: int) -> Case:
    """Return a table of two to four labels that grows with the index, each policy in turn."""
    labels = 2 + index % 3
    size = labels + index // 2 + draws.below(6)
    flat = draws.counts(size, labels * labels)
    rows = [flat[labels * place : labels * (place + 1)] for place in range(labels)]
    if index % 5 == 4:
        rows[draws.below(labels)] = [0] * labels
    return _case(rows, f"{labels} labels", policy=list(_POLICIES)[index // 3 % 3])


def _confusion(document: Document) -> MulticlassConfusion:
    labels, rows = document["labels"], document["counts"]
    if any(len(row) != len(labels) for row in (rows, *rows)):
        raise BadSamples(rows, "there is a row for each label, and a count for each label in it")
    return MulticlassConfusion(
        {label: dict(zip(labels, row, strict=True)) for label, row in zip(labels, rows, strict=True)}
    )


def _case(
    rows: Sequence[Sequence[int | str]], comment: str, *flags: str, policy: str = "word", labels: str = ""
) -> Case:
    document = {
        "labels": list(labels or "abcd"[: len(rows)]),
        "undefined": policy,
        "counts": [list(row) for row in rows],
    }
    if "refused" in flags:
        return Case(document, comment, flags)
    words = any(
        isinstance(value, Undefined)
        for name in _METRICS
        for value in _confusion(document).matrices.values(name).values()
    )
    return Case(document, comment, (*flags, *(["undefined"] if words else [])))


def _is_plain(document: Document) -> bool:
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
    found = compute(document)
    parts = [*found["values"].values(), *(part.values() for part in found["averages"].values())]
    return not any(isinstance(value, str) for part in parts for value in part)


FAMILY = Family(
    name="multiclass-averages",
    version=1,
    title="Micro, macro and weighted averages over several labels",
    citations=(Citation("ores", "section 1"),),
    algorithm=(
        "The input gives labels, and counts or weights, counts[t][g] of the samples with the true label t "
        "that were given the label g; numbers are whole, or texts with whole numbers, fractions or decimals. "
        "undefined says what stands for a metric that is a share of nothing: word, 0 or 1.",
        "Refuse as bad-samples rows or a row of another number than the labels, a negative number, or fewer "
        "than two labels; as bad-number a text that is no number.",
        "matrices: for each label, the label against the rest: tp is its place on the diagonal, fp the rest "
        "of its column, fn the rest of its row, tn all other places.",
        "A metric of a matrix: recall = tp/(tp + fn), or no-positives if that is 0/0; precision = tp/(tp + "
        "fp), or no-predicted-positives; f1 = 2tp/(2tp + fp + fn), or nothing-positive.",
        "values: each metric of each label, in the order of the labels. If undefined is 0 or 1, this number "
        "stands in place of a word, and enters the averages.",
        "averages, micro: the metric of the matrix in which the matrices of all labels are added up cell by "
        "cell; if that is undefined, its word, or the number that undefined says.",
        "averages, macro: the sum of the values of the labels over the number of labels. weighted: the mean "
        "of the values with the weights tp + fn of the labels; it is no-positives if all these are zero. If "
        "undefined is word and the value of any label is a word, both are part-undefined, even if that label "
        "has the weight zero.",
        "accuracy: the sum of the diagonal over the sum of all, or no-samples if that is 0/0, whatever "
        "undefined says.",
    ),
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
        "undefined": "a metric of at least one label is a share of nothing",
        "weights": "numbers that are not counts",
        "large": "counts that doubles do not hold",
        "refused": "the numbers make no table",
    },
    errors={
        "bad-number": "a text that is no number",
        "bad-samples": "a negative number, a table that is not square, or fewer than two labels",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("undefined",),
    witnesses={"scikit-learn": _is_plain},
)
