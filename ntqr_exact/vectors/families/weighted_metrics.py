"""The family `weighted-metrics`: metrics and areas of samples that have weights of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.ranking import Ranking, rank
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import MATRIX, cells_of, is_word, metric_value, told
from ntqr_exact.vectors.forms.samples import AREA_SCHEMAS, PARTS, all_areas, drawn_samples, is_plain, is_short
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, described, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_METRICS = ("error_rate", "precision", "recall", "f1", "!precision", "!recall")


def compute(document: Document) -> dict[str, Any]:
    """Return the thresholds, the weighted matrix at the threshold with its metrics, and the weighted areas."""
    ranking = _ranking(document)
    matrix = ranking.at(document["threshold"])
    return {
        "thresholds": [row.threshold for row in ranking],
        "matrix": cells_of(matrix),
        **{name: told(matrix[name]) for name in _METRICS},
        **all_areas(ranking),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the weight on both sides of the threshold, the metrics, and the weight at or above each score."""
    found = compute(document)
    ranking = _ranking(document)
    unit = ranking.unit
    yield f"positives weigh {ranking.positives * unit}, negatives {ranking.negatives * unit}"
    cells = ", ".join(f"{name} = {value}" for name, value in found["matrix"].items())
    yield f"at or above {document['threshold']} is positive: {cells}"
    yield from (f"{metric(name)} → {found[name]}" for name in _METRICS)
    for row in ranking:
        yield f"at or above {row.threshold}: tp = {row.confusion.tp}, fp = {row.confusion.fp}"
    yield from (f"{name} = {found[name]}" for name in AREA_SCHEMAS)


def random_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index, with whole weights, some of them zero, or fractions."""
    labels, scores = drawn_samples(draws, index, largest=10)
    weights: list[int | str]
    if index // 3 % 3 == 2:
        weights = [str(draws.between(1, 3) * draws.share(5)) for _ in labels]
        weights[0] = "1/2"
    else:
        lightest = index // 3 % 3
        weights = [draws.between(lightest, 3) for _ in labels]
        weights[draws.below(len(weights))] = 1
    document = {"labels": labels, "scores": scores, "weights": weights, "threshold": draws.pick(scores)}
    return Case(document, f"{len(labels)} samples")


def _ranking(document: Document) -> Ranking:
    return rank(document["labels"], document["scores"], document["weights"])


def _is_undefined(_: Document, found: Any) -> bool:
    return any(map(is_word, found.values()))


def _is_plain(document: Document, found: Any) -> bool:
    """Tell whether the weights are small whole numbers, none of them zero, and all is a number."""
    weights = document["weights"]
    if not all(isinstance(weight, int) and weight > 0 for weight in weights) or sum(weights) > 26:
        return False
    if len(weights) != len(document["labels"]) or not is_plain(document):
        return False
    return is_short(document["threshold"]) and not _is_undefined(document, found)


FAMILY = Family(
    *declared("weighted-metrics"),
    input=record(
        PARTS,
        weights=described(list_of(NUMBER_INPUT), "a weight for each sample"),
        threshold=NUMBER_INPUT,
    ),
    expected=record(
        {
            "thresholds": list_of(RATIONAL),
            "matrix": MATRIX,
            **{name: metric_value(metric(name).undefined) for name in _METRICS},
            **AREA_SCHEMAS,
        }
    ),
    flags={
        "zero-weight": lambda given, _: any(str(weight) == "0" for weight in given["weights"]),
        "undefined": _is_undefined,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": _is_plain},
)
