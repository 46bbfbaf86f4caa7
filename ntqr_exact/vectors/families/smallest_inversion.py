"""The family `smallest-inversion`: the first denominator at which two scores put vectors in opposite orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.confidence.ordering import InversionSearch, smallest_inversion
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SIX, ScoreLike, distance_score, score_function
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.scores import SCORE_NAMES, shares
from ntqr_exact.vectors.fragments import (
    COUNT,
    NULL,
    NUMBER_INPUT,
    TEXT,
    Fragment,
    described,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared

_SCORE: Fragment = described(either(TEXT, list_of(NUMBER_INPUT)), "the name of a score, or a vector r")


def compute(document: Document) -> dict[str, Any]:
    """Return the denominator, how many inversions there are over it, and the first of them."""
    search = _search(document)
    pairs = sorted((inversion.over(search.denominator) for inversion in search.inversions), reverse=True)
    first = [list(vector) for vector in pairs[0]] if pairs else [None, None]
    return {
        "denominator": search.denominator if search.found else "none",
        "vectors": [count for _, count in search.examined],
        "inversions": len(pairs),
        "higher_left": first[0],
        "higher_right": first[1],
    }


def _search(document: Document) -> InversionSearch:
    left, right = (_score(document[side]) for side in ("left", "right"))
    return smallest_inversion(
        left, right, labels=document["labels"], max_denominator=document["max_denominator"]
    )


def _score(given: str | Sequence[int | str]) -> ScoreLike:
    return given if isinstance(given, str) else distance_score(given)


def steps(document: Document) -> Iterator[str]:
    """Tell what was searched, and both scores of the first pair."""
    search, found = _search(document), compute(document)
    for denominator, count in search.examined:
        last = search.found and denominator == search.denominator
        told = f"{found['inversions']} inversions" if last else "no inversion"
        yield f"over {denominator}: {count} vectors, {told}"
    if search.found:
        for side in ("left", "right"):
            function = score_function(_score(document[side]))
            keys = [
                function.key(ProbabilityVector(found[name], search.denominator))
                for name in ("higher_left", "higher_right")
            ]
            yield f"{side}, {function.formula}, orders by {keys[0]} and {keys[1]}"
        yield f"left puts {found['higher_left']} above {found['higher_right']}, right puts it below"


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, a score and the distance to a vector, two such distances, and two scores by name."""
    labels = 2 + (index % 5 > 0) + (index % 10 == 9)
    largest = {2: 14, 3: 8, 4: 5}[labels]
    kind = index % 3
    if kind == 2 and labels > 2:
        left, right = draws.shuffled(SCORE_NAMES)[:2]
        largest = draws.between(4, 2 * largest)
        return Case(_input(labels, left, right, largest), "two scores by name")
    below = 2 + index // 6
    centres = [shares(draws.counts(below + labels, labels)) for _ in range(2)]
    if kind == 0:
        document = _input(labels, draws.pick(SIX), centres[0], largest)
        return Case(document, "a score and the distance to a vector")
    return Case(_input(labels, centres[0], centres[1], largest), "the distances to two vectors")


def _input(labels: int, left: Any, right: Any, largest: int) -> Document:
    return {"labels": labels, "left": left, "right": right, "max_denominator": largest}


FAMILY = Family(
    *declared("smallest-inversion"),
    input=record(labels=NUMBER_INPUT, left=_SCORE, right=_SCORE, max_denominator=NUMBER_INPUT),
    expected=record(
        denominator=either(COUNT, one_of("none")),
        vectors=list_of(COUNT),
        inversions=COUNT,
        higher_left=either(list_of(COUNT), NULL),
        higher_right=either(list_of(COUNT), NULL),
    ),
    flags={
        "none": lambda _, found: found["denominator"] == "none",
        "not-symmetric": lambda given, _: isinstance(given["left"], list) or isinstance(given["right"], list),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": lambda *_: True},
)
