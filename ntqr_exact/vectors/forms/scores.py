"""Probability vectors, their scores, and labelled and unlabelled data as an input."""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from ntqr_exact.confidence.scores import SIX
from ntqr_exact.vectors.family import Predicate
from ntqr_exact.vectors.fragments import NULL, NUMBER_INPUT, Fragment, described, either, list_of

SCORE_NAMES = (*SIX, "jensen-shannon-printed")
VECTOR: Fragment = described(list_of(NUMBER_INPUT), "probabilities of the labels")
_PERHAPS_NUMBERS: Fragment = either(list_of(NUMBER_INPUT), NULL)

DATA: dict[str, Fragment] = {
    "source": described(list_of(VECTOR), "vectors of the labelled data"),
    "target": described(list_of(VECTOR), "vectors of the data without labels"),
    "error": either(NUMBER_INPUT, NULL),
    "accuracy": either(NUMBER_INPUT, NULL),
    "labels": described(_PERHAPS_NUMBERS, "the true label of each source vector, counted from 0"),
    "source_weights": described(_PERHAPS_NUMBERS, "a weight for each source vector"),
    "target_weights": described(_PERHAPS_NUMBERS, "a weight for each target vector"),
}
"""Source and target, and the error of the source in one of three ways."""

DATA_FLAGS: dict[str, Predicate] = {
    "labels": lambda given, _: given["labels"] is not None,
    "weights": lambda given, _: bool(given["source_weights"] or given["target_weights"]),
}


def shares(counts: Sequence[int]) -> list[str]:
    """Return counts as the probabilities that they are in proportion to, in lowest terms."""
    return [str(mpq(count, sum(counts))) for count in counts]
