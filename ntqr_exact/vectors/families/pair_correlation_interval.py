"""The family `pair-correlation-interval`: which error correlations of two judges go with given right answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.evaluation import Rate, Undefined
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import PairPoint
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.individual import (
    PARTS,
    evaluation_from,
    graded_counts,
)
from ntqr_exact.vectors.forms.votes import SHARED, votes_from
from ntqr_exact.vectors.fragments import (
    COUNT,
    NULL,
    RATIONAL,
    TRUTH,
    described,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared

_NONE = "no-questions"
_CORRELATION = either(RATIONAL, one_of(_NONE))
_POINT = either(
    NULL,
    record(both_right=list_of(COUNT, exactly=2), correlations=list_of(_CORRELATION, exactly=2)),
)
_RANGE = either(one_of(_NONE), list_of(RATIONAL, exactly=2))


def compute(document: Document) -> dict[str, Any]:
    """Return both ends of the interval, how many points it has, and the ranges at these key counts alone."""
    votes, evaluation = votes_from(document), evaluation_from(document)
    first, second = (judge - 1 for judge in document["pair"])
    consistent = ConsistentSet(votes)
    points = consistent.pair_correlations(evaluation, first, second)
    ranges: dict[str, Any] = {}
    for label, questions in evaluation.key_counts.items():
        if questions:
            found = consistent.correlation_range(label, first, second, at=evaluation.key_counts)
            ranges[label] = [found.minimum, found.maximum]
        else:
            ranges[label] = _NONE
    return {
        "consistent": bool(points),
        "points": len(points),
        "lowest": _told(points[0]) if points else None,
        "highest": _told(points[-1]) if points else None,
        "range_a": ranges["a"],
        "range_b": ranges["b"],
    }


def _told(point: PairPoint) -> dict[str, Any]:
    return {
        "both_right": list(point.both_right),
        "correlations": [_rate(value) for value in point.correlations],
    }


def _rate(value: Rate) -> Any:
    return _NONE if isinstance(value, Undefined) else value


def steps(document: Document) -> Iterator[str]:
    """Tell the points of the interval, the first ones and the last, and the ranges."""
    found = compute(document)
    evaluation = evaluation_from(document)
    first, second = document["pair"]
    right = evaluation.correct
    yield f"judges {first} and {second}, key counts {document['key_counts']}, right {document['right']}"
    if not found["consistent"]:
        yield "no answer key gives all judges these right answers: no correlation is consistent"
    for name in ("lowest", "highest"):
        if found[name]:
            e, rest = found[name]["both_right"]
            gamma_a, gamma_b = found[name]["correlations"]
            yield f"{name}: both right on {e} questions of a and on {rest} of b"
            for label, both, gamma in (("a", e, gamma_a), ("b", rest, gamma_b)):
                size = evaluation.key_counts[label]
                one, other = right[first - 1][label], right[second - 1][label]
                yield (
                    f"  Γ^{label} = ({size}·{both} − {one}·{other})/{size}² = {gamma}"
                    if size
                    else f"  Γ^{label}: {gamma}"
                )
    yield f"{found['points']} points in all"
    for label in "ab":
        value = found[f"range_{label}"]
        told = value if value == _NONE else f"from {value[0]} to {value[1]}"
        yield f"whatever the right answers are, Γ^{label} at these key counts: {told}"


def random_case(draws: Draws, index: int) -> Case:
    """Return the right answers of a key, or near them, for two or three judges on more and more questions."""
    judges = 2 + index % 2
    size = 3 + index // (7, 8)[judges - 2] + draws.below(4)
    counts = draws.counts(size, 2**judges)
    of_a = [draws.between(0, count) for count in counts]
    document = graded_counts(counts, of_a, judges)
    order = draws.shuffled(range(1, judges + 1))
    comment = f"the right answers under a key of {size} questions"
    if draws.below(4) == 0:
        (of_first, of_second), (right, other) = document["key_counts"], document["right"][0]
        if right < of_first and other < of_second:
            document["right"][0] = [right + 1, other + 1]
            comment += ", one judge changed"
    return Case({**document, "pair": order[:2]}, comment)


FAMILY = Family(
    *declared("pair-correlation-interval"),
    input=record({**PARTS, "pair": described(list_of(COUNT, exactly=2), "two judges, counted from 1")}),
    expected=record(
        consistent=TRUTH, points=COUNT, lowest=_POINT, highest=_POINT, range_a=_RANGE, range_b=_RANGE
    ),
    flags={
        "none": lambda _, found: found["points"] == 0,
        "one": lambda _, found: found["points"] == 1,
        "interval": lambda _, found: found["points"] > 1,
        "trio": lambda given, _: given["judges"] == 3,
        _NONE: lambda _, found: _NONE in (found["range_a"], found["range_b"]),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": lambda document, _: 0 < sum(document["counts"]) <= 9},
)
