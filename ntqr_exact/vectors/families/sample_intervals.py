"""The family `sample-intervals`: right answers among all questions, from those of a random sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import whole_number
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.significance.hypergeometric import Design
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import COUNT, NUMBER_INPUT, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts

_ENDS = list_of(COUNT, exactly=2)


def compute(document: Document) -> dict[str, Any]:
    """Return the three intervals."""
    right, graded = (whole_number(document[name]) for name in ("right", "graded"))
    key = PartialKey(
        VoteCounts({"a": document["size"]}),
        {"a": {"a": right}, "b": {"a": graded - right}},
        drawn="at_random",
    )
    level = document["level"]
    return {
        "central": list(key.right_answers(0, level)),
        "blaker": list(key.right_answers(0, level, "blaker")),
        "anytime": list(key.while_grading(0, level)),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the samples at both ends of the central interval."""
    found = compute(document)
    design = Design(document["size"], document["graded"])
    right = int(document["right"])
    yield f"C(Q, m) = {design.samples}"
    for truth in found["central"]:
        below, above = design.at_most(truth, right), design.at_least(truth, right)
        yield f"M = {truth}: {below} samples with at most {right} right answers, {above} with at least as many"
    for name, ends in found.items():
        yield f"{name}: {ends[0]} to {ends[1]}"


def random_case(draws: Draws, index: int) -> Case:
    """Return a sample of a test that grows with the index, at one of several levels."""
    size = 1 + index // 3 + draws.below(4)
    graded = draws.below(size + 1)
    level = draws.pick(("0.95", "0.9", "99/100", "1/2", "2/3", "1/10"))
    given = {"size": size, "graded": graded, "right": draws.below(graded + 1), "level": level}
    return Case(given, f"{graded} of {size} questions graded")


FAMILY = Family(
    *declared("sample-intervals"),
    input=record(size=NUMBER_INPUT, graded=NUMBER_INPUT, right=NUMBER_INPUT, level=NUMBER_INPUT),
    expected=record(central=_ENDS, blaker=_ENDS, anytime=_ENDS),
    flags={
        "nothing-graded": lambda given, _: int(given["graded"]) == 0,
        "all-graded": lambda given, _: int(given["graded"]) == int(given["size"]),
        "blaker-shorter": lambda _, found: found["blaker"] != found["central"],
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
