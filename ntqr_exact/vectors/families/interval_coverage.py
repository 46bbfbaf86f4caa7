"""The family `interval-coverage`: for every truth, the share of the samples whose interval holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.graded.coverage import IntervalMethod, coverage_of, intervals_of
from ntqr_exact.graded.level import check_level
from ntqr_exact.significance.hypergeometric import Design
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, TEXT, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_METHODS = tuple(method.value for method in IntervalMethod)


def compute(document: Document) -> dict[str, Any]:
    """Return the coverage for each truth, and the least."""
    found = coverage_of(
        document["method"], size=document["size"], graded=document["graded"], level=document["level"]
    )
    return {"coverages": list(found), "least": min(found)}


def steps(document: Document) -> Iterator[str]:
    """Tell the intervals of every number of right answers, and then the coverages."""
    found = compute(document)
    design = Design(document["size"], document["graded"])
    method = IntervalMethod(document["method"])
    for right, ends in enumerate(intervals_of(method, design, check_level(document["level"]))):
        yield f"r = {right}: {'nothing' if ends is None else f'{ends[0]} to {ends[1]}'}"
    for truth, share in enumerate(found["coverages"]):
        yield f"M = {truth}: {share}"


def random_case(draws: Draws, index: int) -> Case:
    """Return a design that grows with the index, the methods in turn."""
    size = 2 + index // 10 + draws.below(4)
    method = _METHODS[index % len(_METHODS)]
    level = draws.pick(("0.95", "0.9", "0.99", "2/3"))
    given = {"method": method, "size": size, "graded": draws.between(1, size), "level": level}
    return Case(given, f"{method} on {size} questions")


FAMILY = Family(
    *declared("interval-coverage"),
    input=record(method=TEXT, size=NUMBER_INPUT, graded=NUMBER_INPUT, level=NUMBER_INPUT),
    expected=record(coverages=list_of(RATIONAL), least=RATIONAL),
    flags={
        "exact-method": lambda given, _: given["method"] in ("central", "blaker", "anytime"),
        "textbook": lambda given, _: given["method"] not in ("central", "blaker", "anytime"),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
