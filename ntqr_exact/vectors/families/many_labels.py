"""Samples with a row of scores or a probability: areas of many labels, top-k accuracy, losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.areas import LabelPairs, many_label_roc_auc
from ntqr_exact.metrics.multiclass import Average
from ntqr_exact.metrics.probability_losses import TopTies, brier_score, calibration, log_loss, top_k_accuracy
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, Predicate
from ntqr_exact.vectors.forms.cells import is_word, told
from ntqr_exact.vectors.specification import Case, Document, declared

_WEIGHT_FLAGS: dict[str, Predicate] = {
    "weights": lambda given, _: given["weights"] is not None,
    "zero-weight": lambda given, _: any(rational(weight) == 0 for weight in given["weights"] or ()),
}


def _drawn_weights(draws: Draws, size: int) -> list[int | str]:
    """Return weights from 0 to 3, whole or halves, the first of them above 0."""
    possible: tuple[int | str, ...] = (0, 1, 2, 3, "1/2", "3/2")
    return [1, *(draws.pick(possible) for _ in range(size - 1))]


def _drawn_rows(draws: Draws, index: int) -> Document:
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
        "weights": _drawn_weights(draws, size) if index % 5 == 4 else None,
    }


_AREAS = {
    "ovr_macro": (LabelPairs.OVR, Average.MACRO),
    "ovr_weighted": (LabelPairs.OVR, Average.WEIGHTED),
    "micro": (LabelPairs.OVR, Average.MICRO),
    "ovo_macro": (LabelPairs.OVO, Average.MACRO),
    "ovo_weighted": (LabelPairs.OVO, Average.WEIGHTED),
}


def _areas(document: Document) -> dict[str, Any]:
    samples = document["labels"], document["scores"], document["weights"]
    return {
        name: told(many_label_roc_auc(*samples, label_names=document["names"], pairs=pairs, average=average))
        for name, (pairs, average) in _AREAS.items()
    }


def _areas_steps(document: Document) -> Iterator[str]:
    for place, name in enumerate(document["names"]):
        rows = zip(document["labels"], document["scores"], strict=True)
        ranked = sorted(((rational(row[place]), label) for label, row in rows), reverse=True)
        yield f"column {name}, from the highest: " + ", ".join(f"{score} {label}" for score, label in ranked)
    yield from (f"{name} = {value}" for name, value in _areas(document).items())


def _areas_case(draws: Draws, index: int) -> Case:
    """Return samples of several labels."""
    drawn = _drawn_rows(draws, index)
    return Case(drawn, f"{len(drawn['labels'])} samples of {len(drawn['names'])} labels")


def _has_ties(given: Document, _: Any) -> bool:
    columns = zip(*given["scores"], strict=True)
    return any(len({rational(score) for score in column}) < len(column) for column in columns)


def _top(document: Document) -> dict[str, Any]:
    return {
        ties.name.lower(): top_k_accuracy(
            document["labels"],
            document["scores"],
            document["weights"],
            k=document["k"],
            label_names=document["names"],
            ties=ties,
        )
        for ties in TopTies
    }


def _top_steps(document: Document) -> Iterator[str]:
    for label, row in zip(document["labels"], document["scores"], strict=True):
        place = document["names"].index(label)
        scores = [rational(score) for score in row]
        equal = [other for other, score in enumerate(scores) if score == scores[place]]
        higher = sum(score > scores[place] for score in scores)
        yield f"{label}: h = {higher}, e = {len(equal)}, b = {equal.index(place)}"
    yield from (f"{name} = {value}" for name, value in _top(document).items())


def _top_case(draws: Draws, index: int) -> Case:
    """Return samples of several labels and a k that is mostly below their number."""
    drawn = _drawn_rows(draws, index)
    k = 1 + draws.below(len(drawn["names"]) - (index % 6 > 0))
    return Case({**drawn, "k": k}, f"{len(drawn['labels'])} samples, k = {k}")


_PLACES = 12
_BIN = ("lower", "upper", "weight", "mean", "positives")


def _losses(document: Document) -> dict[str, Any]:
    samples = document["labels"], document["probabilities"], document["weights"]
    found, loss = calibration(*samples, bins=document["bins"]), log_loss(*samples)
    return {
        "brier": brier_score(*samples),
        "log_loss": "infinite" if loss.infinite else round(loss, _PLACES),
        "bins": [{name: getattr(part, name) for name in _BIN} for part in found.bins],
        "calibration_error": found.error,
        "largest_gap": found.largest_gap,
    }


def _losses_steps(document: Document) -> Iterator[str]:
    found = _losses(document)
    weights = document["weights"] or [1] * len(document["labels"])
    for label, share, weight in zip(document["labels"], document["probabilities"], weights, strict=True):
        p = rational(share)
        yield f"y = {label}, p = {p}, weight {weight}: (p − y)² = {(p - label) ** 2}, q = {p if label else 1 - p}"
    yield f"brier = {found['brier']}, log_loss = {found['log_loss']}"
    for part in found["bins"]:
        told = ", ".join(f"{name} {part[name]}" for name in _BIN[2:])
        yield f"from {part['lower']} to {part['upper']}: {told}"
    yield f"calibration_error = {found['calibration_error']}, largest_gap = {found['largest_gap']}"


def _losses_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index, with probabilities over a growing denominator."""
    size, below = 2 + index // 12 + draws.below(4), 2 + index // 5
    labels = [draws.below(2) for _ in range(size)]
    probabilities = [str(draws.share(below) if index % 6 == 5 else _inside(draws, below)) for _ in labels]
    weights = _drawn_weights(draws, size) if index % 3 == 2 else None
    bins = draws.pick((1, 2, 3, 5, 10))
    return Case(
        {"labels": labels, "probabilities": probabilities, "bins": bins, "weights": weights},
        f"{size} samples",
    )


def _inside(draws: Draws, below: int) -> mpq:
    """Return a probability that is neither 0 nor 1."""
    denominator = 2 + draws.below(below)
    return mpq(draws.between(1, denominator - 1), denominator)


def _is_on_edge(given: Document, _: Any) -> bool:
    places = [rational(share) * rational(given["bins"]) for share in given["probabilities"]]
    return any(place.denominator == 1 and 0 < place < rational(given["bins"]) for place in places)


FAMILIES = (
    Family(
        *declared("many-label-areas", _areas, _areas_steps, _areas_case),
        flags={
            **_WEIGHT_FLAGS,
            "ties": _has_ties,
            "undefined": lambda _, found: any(map(is_word, found.values())),
            "unequal": lambda _, found: (
                not any(map(is_word, found.values())) and found["ovo_macro"] != found["ovo_weighted"]
            ),
            "other-label": lambda given, _: not set(given["labels"]) <= set(given["names"]),
        },
    ),
    Family(
        *declared("top-k-accuracy", _top, _top_steps, _top_case),
        flags={
            **_WEIGHT_FLAGS,
            "ties": lambda _, found: len(set(found.values())) > 1,
            "all-labels": lambda given, _: given["k"] >= len(given["names"]),
            "close": lambda given, _: any(len(str(score)) > 12 for row in given["scores"] for score in row),
        },
        witnesses={
            "scikit-learn": lambda given, found: (
                "error" not in found
                and given["weights"] is None
                and set(given["labels"]) == set(given["names"])
                and 0 < given["k"] < len(given["names"])
            )
        },
    ),
    Family(
        *declared("probability-losses", _losses, _losses_steps, _losses_case),
        flags={
            **_WEIGHT_FLAGS,
            "infinite": lambda _, found: found["log_loss"] == "infinite",
            "edge-of-bins": _is_on_edge,
            "large": lambda given, _: any(
                len(str(number)) > 12 or "e-" in str(number)
                for number in (*given["probabilities"], *(given["weights"] or ()))
            ),
            "certain": lambda given, _: {rational(share) for share in given["probabilities"]} <= {0, 1},
        },
    ),
)
