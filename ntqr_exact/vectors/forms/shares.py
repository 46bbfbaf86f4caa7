"""Positives among outputs as a part of an input: pairs [k, n]."""

from __future__ import annotations

from typing import Any

from ntqr_exact.exact.rational import whole_number
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.fragments import NUMBER_INPUT, Fragment, described, list_of
from ntqr_exact.vectors.specification import Document

SAMPLE: Fragment = described(list_of(NUMBER_INPUT, exactly=2), "positives k and outputs n")
_LARGE = 500
_SAMPLES = ("control", "treatment")


def sample_from(pair: list[int | str]) -> tuple[int, int]:
    """Return k and n as whole numbers."""
    positives, size = map(whole_number, pair)
    return positives, size


def drawn_sample(draws: Draws, index: int, *, size: int | None = None) -> list[int]:
    """Return a sample that grows with the index, or one of a size."""
    outputs = 1 + index // 8 + draws.below(8) if size is None else size
    return [draws.below(outputs + 1), outputs]


def is_large(given: Document, _: Any) -> bool:
    """Tell whether a sample has so many outputs that binomials leave the range of doubles."""
    return any(whole_number(given[name][1]) > _LARGE for name in _SAMPLES)


def is_nothing(given: Document, _: Any) -> bool:
    """Tell whether a sample has no outputs."""
    return any(whole_number(given[name][1]) == 0 for name in _SAMPLES)
