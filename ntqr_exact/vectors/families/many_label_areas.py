"""The family `many-label-areas`: areas under ROC of each label against the rest, of pairs, and of all cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import LabelPairs, many_label_roc_auc
from ntqr_exact.metrics.multiclass import Average
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import is_word, metric_value, told
from ntqr_exact.vectors.forms.samples import ROWS, drawn_rows, weight_flags
from ntqr_exact.vectors.fragments import record
from ntqr_exact.vectors.specification import Case, Document, declared

_AREAS = {
    "ovr_macro": (LabelPairs.OVR, Average.MACRO),
    "ovr_weighted": (LabelPairs.OVR, Average.WEIGHTED),
    "micro": (LabelPairs.OVR, Average.MICRO),
    "ovo_macro": (LabelPairs.OVO, Average.MACRO),
    "ovo_weighted": (LabelPairs.OVO, Average.WEIGHTED),
}


def compute(document: Document) -> dict[str, Any]:
    """Return the five areas."""
    samples = document["labels"], document["scores"], document["weights"]
    return {
        name: told(many_label_roc_auc(*samples, label_names=document["names"], pairs=pairs, average=average))
        for name, (pairs, average) in _AREAS.items()
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the scores of each column by true label, and the areas."""
    for place, name in enumerate(document["names"]):
        rows = zip(document["labels"], document["scores"], strict=True)
        ranked = sorted(((rational(row[place]), label) for label, row in rows), reverse=True)
        yield f"column {name}, from the highest: " + ", ".join(f"{score} {label}" for score, label in ranked)
    yield from (f"{name} = {value}" for name, value in compute(document).items())


def random_case(draws: Draws, index: int) -> Case:
    """Return samples of several labels."""
    drawn = drawn_rows(draws, index)
    return Case(drawn, f"{len(drawn['labels'])} samples of {len(drawn['names'])} labels")


def _has_ties(given: Document, _: Any) -> bool:
    columns = zip(*given["scores"], strict=True)
    return any(len({rational(score) for score in column}) < len(column) for column in columns)


_MEAN = metric_value(Undefined.PART_UNDEFINED)
_OF_PAIRS = metric_value(Undefined.PART_UNDEFINED, Undefined.ONE_LABEL)

FAMILY = Family(
    *declared("many-label-areas"),
    input=record(ROWS),
    expected=record(
        ovr_macro=_MEAN,
        ovr_weighted=_MEAN,
        micro=metric_value(Undefined.NO_POSITIVES, Undefined.NO_NEGATIVES),
        ovo_macro=_OF_PAIRS,
        ovo_weighted=_OF_PAIRS,
    ),
    flags={
        **weight_flags(),
        "ties": _has_ties,
        "undefined": lambda _, found: any(map(is_word, found.values())),
        "unequal": lambda _, found: (
            not any(map(is_word, found.values())) and found["ovo_macro"] != found["ovo_weighted"]
        ),
        "other-label": lambda given, _: not set(given["labels"]) <= set(given["names"]),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("names",),
)
