"""The family `partial-key-ranges`: what an answer key of some questions leaves possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.graded.value_range import Value, ValueRange
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, patterns_of, votes_from, votes_input
from ntqr_exact.vectors.fragments import (
    COUNT,
    NULL,
    NUMBER_INPUT,
    RATIONAL,
    TRUTH,
    WHOLE,
    either,
    list_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared

_ENDS = list_of(COUNT, exactly=2)
_RANGE = record(lower=either(RATIONAL, NULL), upper=either(RATIONAL, NULL), may_lack=TRUTH)


def _key(document: Document) -> PartialKey:
    votes = votes_from(document)
    graded = {
        label: dict(zip(patterns_of(document), counts, strict=True))
        for label, counts in zip(document["labels"], document["graded"], strict=True)
    }
    return PartialKey(votes, graded, drawn="not_at_random")


def compute(document: Document) -> dict[str, Any]:
    """Return all ranges of the judges, of the first two, and of the keys."""
    key = _key(document)
    keys, pair = key.key_ranges(), key.pair_ranges(0, 1)
    judges = [key.ranges(place) for place in range(document["judges"])]
    return {
        "key_counts": [list(ends) for _, ends in keys.key_counts],
        "keys": str(keys.keys),
        "splits": str(keys.splits),
        "right": [list(one.right) for one in judges],
        "right_on": [[list(ends) for _, ends in one.right_on] for one in judges],
        "accuracy_on": [[_written(ends) for _, ends in one.accuracy_on] for one in judges],
        "kappa": [_written(one.kappa) for one in judges],
        "difference": list(pair.difference),
        "covariance": _written(pair.covariance),
    }


def _written(ends: ValueRange) -> dict[str, Any]:
    return {"lower": _end(ends.lower), "upper": _end(ends.upper), "may_lack": ends.undefined is not None}


def _end(value: Value) -> str | None:
    return None if isinstance(value, Undefined) else str(value)


def steps(document: Document) -> Iterator[str]:
    """Tell the ungraded questions, and then every range."""
    key = _key(document)
    left = ", ".join(f"{''.join(pattern)} {count}" for pattern, count in key.ungraded().counts.items())
    yield f"not graded: {left or 'nothing'}"
    for name, value in compute(document).items():
        yield f"{name}: {value}"


def random_case(draws: Draws, index: int) -> Case:
    """Return a small test of two judges, and three at times, of which some questions are graded."""
    labels, judges = (("ab", 2), ("abc", 2), ("ab", 3), ("ab", 2))[index % 4]
    size = 2 + draws.below(4 + index // 50)
    counts = draws.counts(size, len(labels) ** judges)
    graded = [[0] * len(counts) for _ in labels]
    for place, count in enumerate(counts):
        for _ in range(draws.below(count + 1)):
            graded[draws.below(len(labels))][place] += 1
    given = {**votes_input(counts, labels=labels, judges=judges), "graded": graded}
    return Case(given, f"some of {size} questions graded")


FAMILY = Family(
    *declared("partial-key-ranges"),
    input=record(PARTS, graded=list_of(list_of(NUMBER_INPUT))),
    expected=record(
        key_counts=list_of(_ENDS),
        keys=WHOLE,
        splits=WHOLE,
        right=list_of(_ENDS),
        right_on=list_of(list_of(_ENDS)),
        accuracy_on=list_of(list_of(_RANGE)),
        kappa=list_of(_RANGE),
        difference=list_of({"type": "integer"}, exactly=2),
        covariance=_RANGE,
    ),
    flags={
        "no-key": lambda given, _: not any(map(any, given["graded"])),
        "whole-key": lambda _, found: found["keys"] == "1",
        "many-labels": lambda given, _: len(given["labels"]) > 2,
        "may-lack": lambda _, found: any(one["may_lack"] for one in found["kappa"]),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
