"""The family `areas`: the area under ROC, the areas under precision with each anchor, and average precision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.metrics.areas import (
    Anchor,
    Area,
    Form,
    ranking_average_precision,
    ranking_pr_auc,
    ranking_roc_auc,
)
from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.metrics.ranking import Ranking, rank
from ntqr_exact.metrics.undefined import MetricValue, Undefined
from ntqr_exact.vectors.families.confusion_metrics import metric_value, told
from ntqr_exact.vectors.families.roc_curve import (
    SAMPLE_ERRORS,
    SAMPLE_FLAGS,
    SAMPLE_PARTS,
    SAMPLE_WORDS,
    is_plain,
    random_case,
    sample_cases,
)
from ntqr_exact.vectors.family import Document, Family
from ntqr_exact.vectors.fragments import record

AREA_SCHEMAS = {
    "roc_auc": metric_value(Undefined.NO_POSITIVES, Undefined.NO_NEGATIVES),
    **{f"pr_auc_{anchor.name.lower()}": metric_value(Undefined.NO_POSITIVES) for anchor in Anchor},
    "average_precision": metric_value(Undefined.NO_POSITIVES),
}
"""The areas by name, each with its schema."""


def all_areas(ranking: Ranking) -> dict[str, Any]:
    """Return every area as one fraction, or its word."""
    return {
        "roc_auc": told(ranking_roc_auc(ranking)),
        **{
            f"pr_auc_{anchor.name.lower()}": _told(ranking_pr_auc(ranking, anchor=anchor, form=Form.FRACTION))
            for anchor in Anchor
        },
        "average_precision": _told(ranking_average_precision(ranking, form=Form.FRACTION)),
    }


def _told(area: Area) -> mpq | str:
    return told(cast("MetricValue", area))  # asked for as a fraction, it is no enclosure


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
    input=record(SAMPLE_PARTS),
    expected=record(AREA_SCHEMAS),
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": lambda document: is_plain(document) and len(document["labels"]) <= 20},
)
