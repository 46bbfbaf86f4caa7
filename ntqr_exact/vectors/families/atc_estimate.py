"""The family `atc-estimate`: the error on unlabelled data, from a threshold on a confidence score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.confidence.atc import AtcEstimate, Reading, atc, atc_curve
from ntqr_exact.confidence.scores import SIX
from ntqr_exact.confidence.thresholds import TieRule
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.score_comparison import (
    LOG_WORDS,
    SCORE_NAMES,
    SCORE_WORDS,
    VECTOR,
    VECTOR_WORDS,
    shares,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import (
    NULL,
    RATIONAL,
    TEXT,
    Fragment,
    described,
    either,
    list_of,
    one_of,
    record,
)

_Vectors = Sequence[Sequence[int | str]]
_PERHAPS_NUMBERS: Fragment = either(list_of(NUMBER_INPUT), NULL)

GAMMA_PARTS: dict[str, Fragment] = {
    "source": described(list_of(VECTOR), "vectors of the labelled data"),
    "target": described(list_of(VECTOR), "vectors of the data without labels"),
    "error": either(NUMBER_INPUT, NULL),
    "accuracy": either(NUMBER_INPUT, NULL),
    "labels": described(_PERHAPS_NUMBERS, "the true label of each source vector, counted from 0"),
    "source_weights": described(_PERHAPS_NUMBERS, "a weight for each source vector"),
    "target_weights": described(_PERHAPS_NUMBERS, "a weight for each target vector"),
}
GAMMA_WORDS = (
    VECTOR_WORDS,
    "source and target are lists of probability vectors. Refuse as bad-samples an empty list, and vectors that do "
    "not all have the same number k of labels.",
    "source_weights and target_weights are null, for weights of 1, or give a weight for each vector. Refuse as "
    "bad-number a weight that is no number; as bad-samples another number of weights than of vectors, a negative "
    "one, and weights that are all zero. A share of the source or the target is the sum of the weights of some "
    "vectors over that of all.",
    "The error e of the source comes from exactly one of error, accuracy and labels, the others are null; refuse "
    "as bad-samples none or more than one. (1) e = error. (2) e = 1 − accuracy. Refuse as bad-number what is no "
    "number or outside [0, 1]. (3) labels gives a true label for each source vector, a whole number from 0 to k − "
    "1. A vector predicts the label of its largest probability, of several the first. e is the share of the "
    "source whose predicted label is not the true one. Refuse as bad-samples another number of labels than of "
    "source vectors and a label above k − 1, as bad-number a label that is not whole or negative.",
)
GAMMA_ERRORS = {
    "bad-number": "a number is none, or outside its range",
    "bad-samples": "vectors, weights or labels do not fit, a score is unknown, or the error is not given in one way",
    "bad-choice": "a named choice is none of its kind",
}


def compute(document: Document) -> dict[str, Any]:
    """Return Γ, the threshold, and the estimate, also as error and accuracy."""
    found = _estimate(document)
    return {
        "reading": found.reading.value,
        "gamma": found.gamma,
        "threshold_vector": list(found.threshold_vector),
        "source_share": found.source_share,
        "estimate": found.estimate,
        "error": found.error,
        "accuracy": found.accuracy,
    }


def _estimate(document: Document) -> AtcEstimate:
    return atc(**document)


def steps(document: Document) -> Iterator[str]:
    """Tell the whole curve of thresholds, and which of them is nearest."""
    found = _estimate(document)
    yield f"reading {found.reading.value}: Γ = {found.gamma}"
    curve = atc_curve(
        document["source"],
        document["target"],
        score=document["score"],
        source_weights=document["source_weights"],
        target_weights=document["target_weights"],
    )
    for point in curve:
        below = found.reading.share(point.source_below), found.reading.share(point.target_below)
        yield (
            f"t = score of {point.threshold_vector}: {below[0]} of the source, off by {abs(found.gamma - below[0])}; "
            f"{below[1]} of the target"
        )
    yield f"the nearest, of two the {found.tie_rule.value}: {found.threshold_vector}; the estimate is {found.estimate}"


def _pairs(*tenths: int) -> list[list[str]]:
    return [shares([tenth, 10 - tenth]) for tenth in tenths]


_REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"error": None}, "no error is given"),
    ({"accuracy": "4/5"}, "error and accuracy are given"),
    ({"labels": [0, 0, 0, 0, 0]}, "error and labels are given"),
    ({"error": "6/5"}, "an error above 1"),
    ({"error": "-1/5"}, "an error below 0"),
    ({"error": "small"}, "an error that is no number"),
    ({"source": []}, "no source"),
    ({"target": []}, "no target"),
    ({"target": [["1/3", "1/3", "1/3"]]}, "another number of labels in the target"),
    ({"target": [["1/3", "1/3"]]}, "a vector whose sum is not 1"),
    ({"score": "margin"}, "an unknown score"),
    ({"reading": "error-above"}, "an unknown reading"),
    ({"tie_rule": "middle"}, "an unknown tie rule"),
    ({"error": None, "labels": [0, 0, 0]}, "labels are missing"),
    ({"error": None, "labels": [0, 0, 0, 0, 2]}, "a label beyond the vectors"),
    ({"error": None, "labels": [0, 0, 0, 0, -1]}, "a negative label"),
    ({"source_weights": [1, 1]}, "weights are missing"),
    ({"source_weights": [1, 1, 1, 1, -1]}, "a negative weight"),
    ({"target_weights": [0, 0, 0]}, "weights that are all zero"),
    ({"target_weights": [1, 1, "x"]}, "a weight that is no number"),
)


def random_case(draws: Draws, index: int) -> Case:
    """Return growing source and target over one denominator, with every reading, tie rule and score in turn."""
    labels, below = draws.between(2, 4), 4 + index // 10
    sizes = 2 + index // 25, 1 + index // 30
    source, target = ([shares(draws.counts(below, labels)) for _ in range(size)] for size in sizes)
    options: dict[str, Any] = {
        "score": SCORE_NAMES[index % len(SCORE_NAMES)],
        "reading": draws.pick((None, *(reading.value for reading in Reading))),
        "tie_rule": draws.pick([rule.value for rule in TieRule]),
    }
    if index % 4 == 3:
        options["labels"] = [draws.below(labels) for _ in source]
    else:
        # Halves of a share below are where two thresholds tie.
        name = draws.pick(("error", "accuracy"))
        options[name] = f"{draws.between(0, 2 * len(source))}/{2 * len(source)}"
    if index % 5 == 4:
        options["source_weights"] = [draws.between(index % 2, 4) for _ in source[1:]] + [1]
        options["target_weights"] = [draws.between(0, 4) for _ in target[1:]] + [2]
    return _case(
        f"{len(source)} and {len(target)} vectors over {below}", source=source, target=target, **options
    )


def _input(
    *,
    source: _Vectors,
    target: _Vectors,
    error: int | str | None = None,
    accuracy: int | str | None = None,
    labels: Sequence[int] | None = None,
    score: str = "max",
    reading: str | None = None,
    tie_rule: str = "smallest",
    source_weights: Sequence[int | str] | None = None,
    target_weights: Sequence[int | str] | None = None,
) -> Document:
    return {
        "score": score,
        "reading": reading,
        "tie_rule": tie_rule,
        "source": [list(vector) for vector in source],
        "target": [list(vector) for vector in target],
        "error": error,
        "accuracy": accuracy,
        "labels": labels,
        "source_weights": source_weights,
        "target_weights": target_weights,
    }


def _case(comment: str, **parts: Any) -> Case:
    document = _input(**parts)
    estimates = {_estimate({**document, "tie_rule": rule.value}).estimate for rule in TieRule}
    thresholds = {_estimate({**document, "tie_rule": rule.value}).threshold_vector for rule in TieRule}
    outcome = {
        "tie": len(thresholds) > 1,
        "tie-matters": len(estimates) > 1,
        "published-code": _estimate(document).reading is Reading.ACCURACY_BELOW,
        "labels": document["labels"] is not None,
        "weights": bool(document["source_weights"] or document["target_weights"]),
    }
    return Case(document, comment, tuple(name for name, holds in outcome.items() if holds))


FAMILY = Family(
    *declared("atc-estimate"),
    input=record(GAMMA_PARTS, score=TEXT, reading=either(TEXT, NULL), tie_rule=TEXT),
    expected=record(
        reading=one_of(*(reading.value for reading in Reading)),
        gamma=RATIONAL,
        threshold_vector=list_of(RATIONAL),
        source_share=RATIONAL,
        estimate=RATIONAL,
        error=RATIONAL,
        accuracy=RATIONAL,
    ),
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": lambda _: True},
)
