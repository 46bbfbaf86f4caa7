"""The family `nearest-evaluation`: the consistent evaluation in whole numbers that is nearest to a point."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from ntqr_exact.evaluation import CountEvaluation, Evaluation, Undefined
from ntqr_exact.exact.json_text import decode_number
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.individual import (
    PARTS,
    evaluation_from,
    graded_counts,
)
from ntqr_exact.vectors.forms.votes import SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import (
    COUNT,
    NULL,
    NUMBER,
    TEXT,
    described,
    either,
    list_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts

_RATE = either(TEXT, NUMBER, NULL)


def compute(document: Document) -> dict[str, Any]:
    """Return the nearest consistent evaluation and its squared distance."""
    votes, target = votes_from(document), _target(document)
    at = None if "at" not in document else dict(zip(document["labels"], document["at"], strict=True))
    found = ConsistentSet(votes).nearest(target, at=at)
    evaluation = found.evaluation
    return {
        "key_counts": list(evaluation.key_counts.values()),
        "right": [list(right.values()) for right in evaluation.correct],
        "squared_distance": found.squared_distance,
    }


def _target(document: Document) -> CountEvaluation | Evaluation:
    if "right" in document:
        return evaluation_from(document)
    labels = document["labels"]
    rates = [[*map(_read, row)] for row in (document["prevalence"], *document["accuracies"])]
    prevalence, *accuracies = (dict(zip(labels, row, strict=True)) for row in rates)
    return Evaluation.from_accuracies(prevalence, accuracies)


def _read(rate: Any) -> Any:
    return Undefined.NO_QUESTIONS if rate is None else decode_number(rate)


def steps(document: Document) -> Iterator[str]:
    """Tell the point, the terms of the least distance, and the candidates that differ in one number."""
    votes, found = votes_from(document), compute(document)
    q, rest = _coordinates(document, votes.size)
    yield f"the point: q = {q}" + "".join(
        f"; x_{judge} = {x}, y_{judge} = {y}" for judge, (x, y) in enumerate(rest, start=1)
    )
    if "at" in document:
        yield f"among the evaluations with the key counts {document['at']}"
    best = (found["key_counts"][0], *(right[0] for right in found["right"]))
    yield f"nearest: key counts {found['key_counts']}, right {found['right']}"
    terms = [
        (best[0], q),
        *(
            (s, x)
            for pair, row in zip(found["right"], rest, strict=True)
            for s, x in zip(pair, row, strict=True)
        ),
    ]
    yield f"D = {' + '.join(f'({s} − ({x}))²' for s, x in terms)} = {found['squared_distance']}"
    yield "(Q_a, s_1, …) one step away from it:"
    for place, step in product(range("at" in document, len(best)), (-1, 1)):
        other = tuple(number + step * (place == index) for index, number in enumerate(best))
        yield f"  {other}: {_told(votes, other, q, rest)}"


def _coordinates(document: Document, size: int) -> tuple[Any, list[list[Any]]]:
    """Return q, and x and y of each judge: the point in numbers of questions."""
    if "right" in document:
        return document["key_counts"][0], document["right"]
    prevalence = [decode_number(rate) for rate in document["prevalence"]]
    rows = [
        [
            0 if rate is None else size * share * decode_number(rate)
            for share, rate in zip(prevalence, row, strict=True)
        ]
        for row in document["accuracies"]
    ]
    return size * prevalence[0], rows


def _told(votes: VoteCounts, point: tuple[int, ...], q: Any, rest: list[list[Any]]) -> str:
    """Return whether there is such a candidate, and its distance."""
    (a, b), (key, *right) = votes.labels, point
    wrong = [key - votes.responses(judge)[b] for judge in range(len(right))]
    pairs = [(s, s - more) for s, more in zip(right, wrong, strict=True)]
    if not (0 <= key <= votes.size) or any(
        not (0 <= s <= key and 0 <= t <= votes.size - key) for s, t in pairs
    ):
        return "not consistent"
    evaluation = CountEvaluation.from_correct({a: key, b: votes.size - key}, [{a: s, b: t} for s, t in pairs])
    if evaluation not in ConsistentSet(votes):
        return "not consistent"
    gaps = [
        key - q,
        *(s - x for pair, row in zip(pairs, rest, strict=True) for s, x in zip(pair, row, strict=True)),
    ]
    return f"D = {sum(gap * gap for gap in gaps)}"


def random_case(draws: Draws, index: int) -> Case:
    """Return in turn a point near the evaluation of a key, any small point, and a point in rates."""
    judges = 1 + index % 3
    if index % 2:
        size = 2 + min(index // 8, (12, 9, 5)[judges - 1]) + draws.below(3)
        counts = draws.counts(size, 2**judges)
        if index % 4 == 1:
            key = draws.counts(size, 2)
            right = [[draws.between(0, key[0]), draws.between(0, key[1])] for _ in range(judges)]
            at = {"at": draws.counts(size, 2)} if draws.below(4) == 0 else {}
            document = {**votes_input(counts, judges=judges), "key_counts": key, "right": right, **at}
            return Case(document, f"any point of {size} questions")
        share = draws.share(9)
        rates = [[str(draws.share(9)), str(draws.share(9))] for _ in range(judges)]
        point = {"prevalence": [str(share), str(1 - share)], "accuracies": rates}
        return Case({**votes_input(counts, judges=judges), **point}, f"rates for {size} questions")
    size = 4 + index // (1, 2, 6)[judges - 1] + draws.below(3)
    counts = draws.counts(size, 2**judges)
    document = graded_counts(counts, [draws.between(0, count) for count in counts], judges)
    key = document["key_counts"]
    right = [
        [min(max(0, count + draws.between(-1, 1)), most) for count, most in zip(row, key, strict=True)]
        for row in document["right"]
    ]
    return Case({**document, "right": right}, f"near the evaluation of a key of {size} questions")


FAMILY = Family(
    *declared("nearest-evaluation"),
    input=record(
        {
            **PARTS,
            "prevalence": described(list_of(_RATE, exactly=2), "P_a, P_b"),
            "accuracies": described(list_of(list_of(_RATE, exactly=2)), "for each judge P^a_a and P^b_b"),
            "at": described(list_of({"type": "integer"}, exactly=2), "key counts that the answer must have"),
        },
        optional=("key_counts", "right", "prevalence", "accuracies", "at"),
    ),
    expected=record(
        key_counts=list_of(COUNT, exactly=2),
        right=list_of(list_of(COUNT, exactly=2)),
        squared_distance=NUMBER,
    ),
    flags={
        "rates": lambda given, _: "prevalence" in given,
        "consistent": lambda _, found: found["squared_distance"] == "0",
        "irrational": lambda _, found: isinstance(found["squared_distance"], dict),
        "at": lambda given, _: "at" in given,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={
        "brute-force": lambda document, _: (
            sum(document["counts"]) <= (12, 8, 5)[document["judges"] - 1] and min(document["counts"]) >= 0
        ),
    },
)
