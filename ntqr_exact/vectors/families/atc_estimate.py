"""The family `atc-estimate`: the error on unlabelled data, from a threshold on a confidence score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.confidence.atc import atc, atc_curve
from ntqr_exact.confidence.atc_values import AtcEstimate, AtcReading, TieRule
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.scores import DATA, DATA_FLAGS, SCORE_NAMES, shares
from ntqr_exact.vectors.fragments import (
    NULL,
    RATIONAL,
    TEXT,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared


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


def random_case(draws: Draws, index: int) -> Case:
    """Return growing source and target over one denominator, with every reading, tie rule and score in turn."""
    labels, below = draws.between(2, 4), 4 + index // 10
    sizes = 2 + index // 25, 1 + index // 30
    source, target = ([shares(draws.counts(below, labels)) for _ in range(size)] for size in sizes)
    document: Document = {
        "score": SCORE_NAMES[index % len(SCORE_NAMES)],
        "reading": draws.pick((None, *(reading.value for reading in AtcReading))),
        "tie_rule": draws.pick([rule.value for rule in TieRule]),
        **dict.fromkeys(DATA),
        "source": source,
        "target": target,
    }
    if index % 4 == 3:
        document["labels"] = [draws.below(labels) for _ in source]
    else:
        # Halves of a share below are where two thresholds tie.
        name = draws.pick(("error", "accuracy"))
        document[name] = f"{draws.between(0, 2 * len(source))}/{2 * len(source)}"
    if index % 5 == 4:
        document["source_weights"] = [draws.between(index % 2, 4) for _ in source[1:]] + [1]
        document["target_weights"] = [draws.between(0, 4) for _ in target[1:]] + [2]
    return Case(document, f"{len(source)} and {len(target)} vectors over {below}")


def _depends_on_rule(document: Document, part: str) -> bool:
    """Tell whether the rules for ties find different thresholds, or different estimates."""
    return len({getattr(atc(**{**document, "tie_rule": rule}), part) for rule in TieRule}) > 1


FAMILY = Family(
    *declared("atc-estimate"),
    input=record(DATA, score=TEXT, reading=either(TEXT, NULL), tie_rule=TEXT),
    expected=record(
        reading=one_of(*(reading.value for reading in AtcReading)),
        gamma=RATIONAL,
        threshold_vector=list_of(RATIONAL),
        source_share=RATIONAL,
        estimate=RATIONAL,
        error=RATIONAL,
        accuracy=RATIONAL,
    ),
    flags={
        **DATA_FLAGS,
        "tie": lambda given, _: _depends_on_rule(given, "threshold_vector"),
        "tie-matters": lambda given, _: _depends_on_rule(given, "estimate"),
        "published-code": lambda _, found: found["reading"] == AtcReading.ACCURACY_BELOW.value,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": lambda *_: True},
)
