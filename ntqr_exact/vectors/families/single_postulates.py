"""The family `single-postulates`: what the postulates of one judge come to at points on and off the variety."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from ntqr_exact.postulates.equations import single
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
from ntqr_exact.vectors.forms.votes import SHARED
from ntqr_exact.vectors.fragments import (
    TRUTH,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared


@cache
def _postulates() -> PostulateSet:
    named = ("1", "11", "12", "16R", "5", "14", "15", "16")
    found = single()
    return PostulateSet(found[name] for name in named)


def compute(document: Document) -> dict[str, Any]:
    """Return the residuals in rates, and those in responses where the point is an answer key."""
    return residuals(_postulates(), document, spaces=tuple(Space) if "key" in document else (Space.RATES,))


def steps(document: Document) -> Iterator[str]:
    """Tell what each postulate comes to."""
    return residual_steps(_postulates(), document, compute(document)["residuals"])


def random_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index, on or off the variety."""
    return random_point(draws, index, 1, size=2 + index * index // 8 + draws.below(3))


FAMILY = Family(
    *declared("single-postulates"),
    input=record(POINT_PARTS, optional=("key", "rates")),
    expected=record(
        residuals=record(
            dict.fromkeys(("1", "11", "12", "16R", "5", "14", "15", "16"), RESIDUAL),
            optional=("1", "11", "12", "16R"),
        ),
        on=TRUTH,
    ),
    flags=FLAGS,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={
        "brute-force": lambda document, _: "key" in document and max(map(sum, document["key"])) <= 3000,
    },
)
