"""The family `areas`: the area under ROC, the areas under precision with each anchor, and average precision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.metrics.areas import (
    Anchor,
)
from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import told
from ntqr_exact.vectors.forms.samples import AREA_SCHEMAS, FLAGS, PARTS, all_areas, is_plain, random_case
from ntqr_exact.vectors.fragments import record
from ntqr_exact.vectors.specification import Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return all areas of the samples."""
    return all_areas(rank(document["labels"], document["scores"]))


def steps(document: Document) -> Iterator[str]:
    """Tell the points of precision over recall, and the sums."""
    found = compute(document)
    curve = precision_recall_curve(document["labels"], document["scores"])
    positives, negatives = curve.ranking.positives, curve.ranking.negatives
    yield f"P = {positives} positives and N = {negatives} negatives make {positives * negatives} pairs"
    yield f"roc_auc = (pairs with the positive above + half the ties) / pairs = {found['roc_auc']}"
    points = "; ".join(f"({told(across)}, {told(up)})" for across, up in curve.points())
    yield f"recall and precision from the highest score down: {points}"
    for anchor in Anchor:
        yield f"trapezoids from {anchor.value}: {found[f'pr_auc_{anchor.name.lower()}']}"
    yield f"average precision, Σ (rᵢ − rᵢ₋₁)·pᵢ with r₀ = 0: {found['average_precision']}"


FAMILY = Family(
    *declared("areas"),
    input=record(PARTS),
    expected=record(AREA_SCHEMAS),
    flags=FLAGS,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": lambda document, _: is_plain(document) and len(document["labels"]) <= 20},
)
