"""The family `precision-recall-curve`: recall and precision at every distinct score, equal scores together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import metric_value
from ntqr_exact.vectors.forms.samples import FLAGS, PARTS, curve_document, is_plain, random_case
from ntqr_exact.vectors.fragments import RATIONAL, list_of, record
from ntqr_exact.vectors.specification import Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the thresholds and the points of the curve."""
    return curve_document(precision_recall_curve(document["labels"], document["scores"]))


def steps(document: Document) -> Iterator[str]:
    """Tell the counts at each threshold, and the point that they make."""
    found = compute(document)
    ranking = precision_recall_curve(document["labels"], document["scores"]).ranking
    yield f"P = {ranking.positives} positives"
    for row, (across, up) in zip(ranking, found["points"], strict=True):
        matrix = row.confusion
        counts = f"tp = {matrix.tp} of tp + fp = {matrix.tp + matrix.fp}"
        yield f"at {row.threshold}: {counts}, the point ({across}, {up})"


FAMILY = Family(
    *declared("precision-recall-curve"),
    input=record(PARTS),
    expected=record(
        thresholds=list_of(RATIONAL),
        points=list_of(list_of(metric_value(Undefined.NO_POSITIVES), exactly=2)),
    ),
    flags=FLAGS,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": is_plain},
)
