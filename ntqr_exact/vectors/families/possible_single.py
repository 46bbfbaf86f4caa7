"""The family `possible-single`: how many evaluations of one judge are possible, and how many are consistent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import TEXT, WHOLE, described, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts

_INTEGERS = list_of({"type": "integer"})


def compute(document: Document) -> dict[str, Any]:
    """Return the numbers of possible and of consistent evaluations, in all and at the key counts."""
    labels = document["labels"]
    votes = _votes(document)
    key = dict(zip(labels, document["key_counts"], strict=True))
    possible, consistent = PossibleSet(votes.size, labels=labels), ConsistentSet(votes)
    numbers = {
        "possible": possible.count(),
        "possible_at": possible.count_at(key),
        "consistent": consistent.count(),
        "consistent_at": consistent.count_at(key),
    }
    return {name: str(number) for name, number in numbers.items()}


def steps(document: Document) -> Iterator[str]:
    """Tell which binomials are multiplied, and list the splits if they are few."""
    found = compute(document)
    answers, key = document["responses"], document["key_counts"]
    labels, size = len(answers), sum(answers)
    yield f"R = {labels} labels, Q = {' + '.join(map(str, answers))} = {size} questions"
    cells = labels * labels
    yield f"possible: {size} questions over {cells} cells, C({size + cells - 1}, {cells - 1}) = {found['possible']}"
    binomials = " · ".join(f"C({count + labels - 1}, {labels - 1})" for count in key)
    yield f"possible at the key counts: {binomials} = {found['possible_at']}"
    binomials = " · ".join(f"C({count + labels - 1}, {labels - 1})" for count in answers)
    yield f"consistent: {binomials} = {found['consistent']}"
    tables = f"tables of whole numbers with row sums {answers} and column sums {key}"
    yield f"consistent at the key counts: {tables}: {found['consistent_at']}"
    if labels == 2:
        (first, second), (of_first, _) = answers, key
        lowest, highest = max(0, of_first - second), min(of_first, first)
        yield f"the right answers on the first label run from {lowest} to {highest}"


def random_case(draws: Draws, index: int) -> Case:
    """Return answers and key counts over two to four labels, on a number of questions growing with the index."""
    labels = "abcd"[: (2, 2, 3, 2, 4)[index % 5]]
    size = 1 + (index * index // 10 if len(labels) == 2 else min(index // 5, 20)) + draws.below(4)
    responses, key = draws.counts(size, len(labels)), draws.counts(size, len(labels))
    document = {"labels": list(labels), "responses": responses, "key_counts": key}
    return Case(document, f"{size} questions")


def _votes(document: Document) -> VoteCounts:
    counts = zip(document["labels"], document["responses"], strict=True)
    return VoteCounts({(label,): count for label, count in counts}, document["labels"], ["J1"])


FAMILY = Family(
    *declared("possible-single"),
    input=record(
        labels=list_of(TEXT),
        responses=described(_INTEGERS, "how often the judge gave each label"),
        key_counts=described(_INTEGERS, "how many questions have each true label"),
    ),
    expected=record(possible=WHOLE, possible_at=WHOLE, consistent=WHOLE, consistent_at=WHOLE),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("labels",),
    witnesses={
        "brute-force": lambda document, _: min(document["responses"]) >= 0 and sum(document["responses"]) <= 3
    },
)
