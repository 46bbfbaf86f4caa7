"""The family `pair-postulates`: what the postulates of two judges come to at points on and off the variety."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from gmpy2 import mpq

from ntqr_exact.algebra.notation import Quantity, of_judges
from ntqr_exact.exact.rational import rational
from ntqr_exact.postulates.equations import pair
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
from ntqr_exact.vectors.forms.votes import SHARED, votes_from
from ntqr_exact.vectors.fragments import RATIONAL, TRUTH, described, record
from ntqr_exact.vectors.specification import Case, Document, declared

_NAMES = ("5", "26a", "26b", "26c", "26d", "34", "35", "33a", "33b", "33c", "33d", "33e", "33f")
_MOMENT = of_judges(Quantity.PAIR_MOMENT, 0, 1).name


@cache
def _postulates() -> PostulateSet:
    found = pair()
    return PostulateSet(found[name] for name in _NAMES)


def _at_moment(moment: mpq) -> PostulateSet:
    """Return the postulates with a number for Δ."""
    return PostulateSet(
        replace(postulate, polynomial=postulate.polynomial.substitute({_MOMENT: moment}))
        for postulate in _postulates()
    )


def _moment(document: Document) -> mpq:
    observed = votes_from(document).pair_moment(0, 1)
    return rational(document["moment"]) if "moment" in document else observed


def compute(document: Document) -> dict[str, Any]:
    """Return the moment, the residuals of 26, 33 to 35, and whether all are zero."""
    moment = _moment(document)
    return {"moment": moment, **residuals(_at_moment(moment), document, spaces=[Space.RATES])}


def steps(document: Document) -> Iterator[str]:
    """Tell what each postulate comes to."""
    found = compute(document)
    given = "as given" if "moment" in document else "f_bb − f_b1·f_b2 of the votes"
    yield f"Δ = {found['moment']}, {given}"
    yield from residual_steps(_at_moment(found["moment"]), document, found["residuals"])


def random_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index; now and then a wrong moment."""
    case = random_point(draws, index, 2, size=3 + index * index // 12 + draws.below(4))
    if index % 7 == 6:
        document = {**case.input, "moment": str(draws.share(20) / 4)}
        return Case(document, f"{case.comment}, and a moment that need not be that of the votes")
    return case


FAMILY = Family(
    *declared("pair-postulates"),
    input=record(
        {**POINT_PARTS, "moment": described(RATIONAL, "Δ, if it is not that of the votes")},
        optional=("key", "rates", "moment"),
    ),
    expected=record(moment=RATIONAL, residuals=record(dict.fromkeys(_NAMES, RESIDUAL)), on=TRUTH),
    flags={**FLAGS, "moment": lambda given, _: "moment" in given},
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"python-flint": lambda document, _: sum(document["counts"]) > 0},
)
