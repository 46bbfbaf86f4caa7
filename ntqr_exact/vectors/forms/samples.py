"""Samples with labels and scores as an input, and curves and areas as answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.areas import (
    Anchor,
    Area,
    Form,
    ranking_average_precision,
    ranking_pr_auc,
    ranking_roc_auc,
)
from ntqr_exact.metrics.ranking import Ranking
from ntqr_exact.metrics.undefined import MetricValue, Undefined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Predicate
from ntqr_exact.vectors.forms.cells import metric_value, told
from ntqr_exact.vectors.fragments import NULL, NUMBER_INPUT, TEXT, Fragment, described, either, list_of
from ntqr_exact.vectors.specification import Case, Document

PARTS = {
    "labels": described(list_of({"type": "integer"}), "1 for a positive sample, 0 for a negative one"),
    "scores": described(list_of(NUMBER_INPUT), "a score for each sample; higher means more likely positive"),
}

AREA_SCHEMAS = {
    "roc_auc": metric_value(Undefined.NO_POSITIVES, Undefined.NO_NEGATIVES),
    **{f"pr_auc_{anchor.name.lower()}": metric_value(Undefined.NO_POSITIVES) for anchor in Anchor},
    "average_precision": metric_value(Undefined.NO_POSITIVES),
}
"""The areas by name, each with its schema."""

PERHAPS_WEIGHTS: Fragment = described(
    either(list_of(NUMBER_INPUT), NULL), "a weight for each sample; null for weights of 1"
)
ROWS: dict[str, Fragment] = {
    "names": described(list_of(TEXT), "the labels, in the order of the columns"),
    "labels": described(list_of(TEXT), "the true label of each sample"),
    "scores": described(list_of(list_of(NUMBER_INPUT)), "for each sample a score for each label"),
    "weights": PERHAPS_WEIGHTS,
}
"""Samples of many labels, each with a row of scores."""


def weight_flags() -> dict[str, Predicate]:
    """Return the flags of samples that may have weights."""
    return {
        "weights": lambda given, _: given["weights"] is not None,
        "zero-weight": lambda given, _: any(rational(weight) == 0 for weight in given["weights"] or ()),
    }


def drawn_weights(draws: Draws, size: int) -> list[int | str]:
    """Return weights from 0 to 3, whole or halves, the first of them above 0."""
    possible: tuple[int | str, ...] = (0, 1, 2, 3, "1/2", "3/2")
    return [1, *(draws.pick(possible) for _ in range(size - 1))]


def drawn_rows(draws: Draws, index: int) -> Document:
    """Return samples of three to five labels growing with the index, with many ties or few, in turn with weights."""
    names = list("abcde"[: 3 + index % 3])
    size = len(names) + index // 12 + draws.below(3)
    labels = [draws.pick(names) for _ in range(size)]
    if index % 4:
        labels[: len(names)] = names
    distinct = (3, 4 * size)[index % 2]
    return {
        "names": names,
        "labels": labels,
        "scores": [[draws.below(distinct) for _ in names] for _ in labels],
        "weights": drawn_weights(draws, size) if index % 5 == 4 else None,
    }


def _has_ties(document: Document, _: Any) -> bool:
    """Tell whether a positive and a negative sample have the same score."""
    by_label: tuple[set[mpq], set[mpq]] = (set(), set())
    for label, score in zip(document["labels"], document["scores"], strict=True):
        by_label[label].add(rational(score))
    return not by_label[0].isdisjoint(by_label[1])


FLAGS: dict[str, Predicate] = {
    "ties": _has_ties,
    "one-label": lambda given, _: len(set(given["labels"])) == 1,
    "close": lambda given, _: any(len(str(score)) > 12 for score in given["scores"]),
}


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
    return told(cast("MetricValue", area))


def drawn_samples(draws: Draws, index: int, *, largest: int = 20) -> tuple[list[int], list[int | str]]:
    """Return samples growing with the index, with many ties, few or none."""
    size = 2 + index * largest // 150 + draws.below(3)
    distinct = (3, size, 4 * size)[index % 3]
    labels = [draws.below(2) for _ in range(size)]
    labels[:2] = [index % 2, 1 - index % 2]
    write: Callable[[int], int | str] = (
        int,
        lambda place: f"{place}/{distinct}",
        lambda place: f"0.{place:03}",
    )[draws.below(3)]
    return labels, [write(draws.below(distinct + 1)) for _ in range(size)]


def random_case(draws: Draws, index: int) -> Case:
    """Return samples with both labels, their number growing with the index."""
    labels, scores = drawn_samples(draws, index)
    return Case({"labels": labels, "scores": scores}, f"{len(labels)} samples")


def is_plain(document: Document, _: Any = None) -> bool:
    """Tell whether doubles can tell the scores apart, and both labels occur."""
    labels, scores = document["labels"], document["scores"]
    if len(labels) != len(scores) or sorted(set(labels)) != [0, 1]:
        return False
    return all(map(is_short, scores))


def is_short(number: int | str) -> bool:
    """Tell whether a number is written with so few digits that different ones are different doubles."""
    text = str(number)
    return len(text) <= 6 and set(text) <= set("-0123456789./") and "/0" not in text
