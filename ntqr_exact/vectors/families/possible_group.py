"""The family `possible-group`: how many evaluations of several judges are possible, before any vote is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import TEXT, WHOLE, described, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_INTEGER = {"type": "integer"}
_MOST_TRIED = 8192


def compute(document: Document) -> dict[str, Any]:
    """Return the numbers of possible group and individual evaluations, and of groups at the key counts."""
    labels = document["labels"]
    possible = PossibleSet(document["questions"], document["judges"], labels)
    at = dict(zip(labels, document["key_counts"], strict=True))
    numbers = {
        "possible": possible.count(),
        "possible_at": possible.count_at(at),
        "individual": possible.individual_count(),
    }
    return {name: str(number) for name, number in numbers.items()}


def steps(document: Document) -> Iterator[str]:
    """Tell which binomials are multiplied."""
    found = compute(document)
    labels, judges, size = len(document["labels"]), document["judges"], document["questions"]
    width = labels**judges
    yield f"R^N = {labels}^{judges} = {width} patterns, R·R^N = {labels * width} cells, Q = {size} questions"
    cells = labels * width
    yield f"possible: C({size + cells - 1}, {cells - 1}) = {found['possible']}"
    binomials = " · ".join(f"C({count + width - 1}, {width - 1})" for count in document["key_counts"])
    yield f"possible at the key counts: {binomials} = {found['possible_at']}"
    one_key = " · ".join(f"C(Q_{label} + {labels - 1}, {labels - 1})" for label in document["labels"])
    yield f"individual: the sum over all key counts of ({one_key})^{judges} = {found['individual']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return key counts over two to four labels, for one to five judges, growing with the index."""
    labels = "abcd"[: (2, 3, 2, 4, 2, 3)[index % 6]]
    judges = draws.between(1, {2: 5, 3: 3, 4: 2}[len(labels)])
    size = draws.below(3) + (index if len(labels) == 2 else min(index // 4, 24))
    key = draws.counts(size, len(labels))
    document = {"labels": list(labels), "judges": judges, "questions": size, "key_counts": key}
    return Case(document, f"{size} questions")


def _is_small(document: Document, _: Any) -> bool:
    """Tell whether every way to give each question a cell can be tried."""
    cells = len(document["labels"]) ** (document["judges"] + 1)
    return bool(0 <= document["questions"] < 20 and 1 < cells ** document["questions"] <= _MOST_TRIED)


FAMILY = Family(
    *declared("possible-group"),
    input=record(
        labels=list_of(TEXT),
        judges=described(_INTEGER, "N"),
        questions=described(_INTEGER, "Q"),
        key_counts=described(list_of(_INTEGER), "how many questions have each true label"),
    ),
    expected=record(possible=WHOLE, possible_at=WHOLE, individual=WHOLE),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("labels", "judges"),
    witnesses={"brute-force": _is_small},
)
