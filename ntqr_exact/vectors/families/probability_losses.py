"""The family `probability-losses`: how good predicted probabilities are, with weights and bins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.probability_losses import brier_score, calibration, log_loss
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.samples import PERHAPS_WEIGHTS, drawn_weights, weight_flags
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, described, either, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_PLACES = 12
_BIN = ("lower", "upper", "weight", "mean", "positives")


def compute(document: Document) -> dict[str, Any]:
    """Return both losses, and the bins with their errors."""
    samples = document["labels"], document["probabilities"], document["weights"]
    found, loss = calibration(*samples, bins=document["bins"]), log_loss(*samples)
    return {
        "brier": brier_score(*samples),
        "log_loss": "infinite" if loss.infinite else round(loss, _PLACES),
        "bins": [{name: getattr(part, name) for name in _BIN} for part in found.bins],
        "calibration_error": found.error,
        "largest_gap": found.largest_gap,
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the terms of the losses, and the bins."""
    found = compute(document)
    weights = document["weights"] or [1] * len(document["labels"])
    for label, share, weight in zip(document["labels"], document["probabilities"], weights, strict=True):
        p = rational(share)
        yield f"y = {label}, p = {p}, weight {weight}: (p − y)² = {(p - label) ** 2}, q = {p if label else 1 - p}"
    yield f"brier = {found['brier']}, log_loss = {found['log_loss']}"
    for part in found["bins"]:
        told = ", ".join(f"{name} {part[name]}" for name in _BIN[2:])
        yield f"from {part['lower']} to {part['upper']}: {told}"
    yield f"calibration_error = {found['calibration_error']}, largest_gap = {found['largest_gap']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index, with probabilities over a growing denominator."""
    size, below = 2 + index // 12 + draws.below(4), 2 + index // 5
    labels = [draws.below(2) for _ in range(size)]
    probabilities = [str(draws.share(below) if index % 6 == 5 else _inside(draws, below)) for _ in labels]
    weights = drawn_weights(draws, size) if index % 3 == 2 else None
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


FAMILY = Family(
    *declared("probability-losses"),
    input=record(
        labels=described(list_of({"type": "integer"}), "1 for a positive sample, 0 for a negative one"),
        probabilities=described(list_of(NUMBER_INPUT), "the predicted probability that a sample is positive"),
        bins=NUMBER_INPUT,
        weights=PERHAPS_WEIGHTS,
    ),
    expected=record(
        brier=RATIONAL,
        log_loss=either(RATIONAL, one_of("infinite")),
        bins=list_of(record(dict.fromkeys(_BIN, RATIONAL))),
        calibration_error=RATIONAL,
        largest_gap=RATIONAL,
    ),
    flags={
        **weight_flags(),
        "infinite": lambda _, found: found["log_loss"] == "infinite",
        "edge-of-bins": _is_on_edge,
        "large": lambda given, _: any(
            len(str(number)) > 12 or "e-" in str(number)
            for number in (*given["probabilities"], *(given["weights"] or ()))
        ),
        "certain": lambda given, _: {rational(share) for share in given["probabilities"]} <= {0, 1},
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
