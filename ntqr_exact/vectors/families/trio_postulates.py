"""The family `trio-postulates`: what the complete postulates of three judges come to, on and off the variety."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from ntqr_exact.postulates.equations import trio
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.points import (
    FLAGS,
    POINT_PARTS,
    RESIDUAL,
    random_point,
    residual_steps,
    residuals,
)
from ntqr_exact.vectors.forms.votes import SHARED, pattern_names
from ntqr_exact.vectors.fragments import TRUTH, record
from ntqr_exact.vectors.specification import Case, Document, declared

_PATTERNS = tuple(f"f({','.join(name)})" for name in pattern_names("ab", 3))
_NAMES = ("5", *_PATTERNS, "38")


@cache
def _postulates() -> PostulateSet:
    found = trio()
    return PostulateSet(found[name] for name in _NAMES)


def compute(document: Document) -> dict[str, Any]:
    """Return the residuals of the complete set, and whether all are zero."""
    return residuals(_postulates(), document, spaces=[Space.RATES])


def steps(document: Document) -> Iterator[str]:
    """Tell what each postulate comes to."""
    return residual_steps(_postulates(), document, compute(document)["residuals"])


def random_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index, on or off the variety."""
    return random_point(draws, index, 3, size=4 + index * index // 24 + draws.below(5))


FAMILY = Family(
    *declared("trio-postulates"),
    input=record(POINT_PARTS, optional=("key", "rates")),
    expected=record(residuals=record(dict.fromkeys(_NAMES, RESIDUAL)), on=TRUTH),
    flags=FLAGS,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={
        "brute-force": lambda document, _: "key" in document and len(document["counts"]) == 8,
    },
)
