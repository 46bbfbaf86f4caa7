"""Families of curves over samples with scores: distinct scores, and a point for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ntqr_exact.metrics.curves import Curve
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import metric_value, told
from ntqr_exact.vectors.forms.samples import FLAGS, PARTS, is_plain, random_case
from ntqr_exact.vectors.fragments import RATIONAL, list_of, record
from ntqr_exact.vectors.specification import Document, declared


def curve_family(
    name: str, curve: Callable[[Any, Any], Curve], *words: Undefined, witnesses: tuple[str, ...] = ()
) -> Family:
    """Return the family of a curve whose points may have these words in the place of a number."""

    def compute(document: Document) -> dict[str, Any]:
        found = curve(document["labels"], document["scores"])
        return {
            "thresholds": [row.threshold for row in found.ranking],
            "points": [[told(across), told(up)] for across, up in found.points()],
        }

    def steps(document: Document) -> Iterator[str]:
        points = compute(document)["points"]
        ranking = curve(document["labels"], document["scores"]).ranking
        rows = list(ranking)
        yield f"P = {ranking.positives} positives, N = {ranking.negatives} negatives"
        if len(points) > len(rows):
            yield f"above all scores: fp = 0, tp = 0, the point ({points[0][0]}, {points[0][1]})"
        for row, (across, up) in zip(rows, points[len(points) - len(rows) :], strict=True):
            cells = f"fp = {row.confusion.fp}, tp = {row.confusion.tp}"
            yield f"at {row.threshold}: {cells}, the point ({across}, {up})"

    return Family(
        *declared(name),
        input=record(PARTS),
        expected=record(
            thresholds=list_of(RATIONAL), points=list_of(list_of(metric_value(*words), exactly=2))
        ),
        flags=FLAGS,
        random_case=random_case,
        compute=compute,
        steps=steps,
        witnesses=dict.fromkeys(witnesses, is_plain),
    )
