"""The family `consistent-counts`: how many evaluations the votes of several judges allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, pattern_names, votes_from, votes_input
from ntqr_exact.vectors.fragments import WHOLE, described, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_MOST_TRIED = 5000
_LARGEST_GROUP = {(2, 1): 150, (2, 2): 120, (2, 3): 100, (2, 4): 60, (3, 1): 24, (3, 2): 16, (4, 1): 12}
_LARGEST_INDIVIDUAL = {(2, 1): 40, (2, 2): 14, (2, 3): 9, (2, 4): 4, (3, 1): 8, (3, 2): 4}


def compute(document: Document) -> dict[str, Any]:
    """Return how many group or individual evaluations are consistent, in all and at the key counts."""
    consistent = ConsistentSet(votes_from(document))
    asked = consistent.projection() if document["evaluations"] == "individual" else consistent
    key = dict(zip(document["labels"], document["key_counts"], strict=True))
    return {"consistent": str(asked.count()), "consistent_at": str(asked.count_at(key))}


def steps(document: Document) -> Iterator[str]:
    """Tell how the numbers come about."""
    found = compute(document)
    names = pattern_names(document["labels"], document["judges"])
    labels = len(document["labels"])
    seen = {name: count for name, count in zip(names, document["counts"], strict=True) if count}
    yield f"patterns seen: {', '.join(f'{name} {count}' for name, count in seen.items()) or 'none'}"
    key = ", ".join(map(str, document["key_counts"]))
    if document["evaluations"] == "group":
        binomials = " · ".join(f"C({count + labels - 1}, {labels - 1})" for count in seen.values())
        yield f"consistent: {binomials or '1, the empty product'} = {found['consistent']}"
        if labels == 2:
            factors = "".join(f"(1 + … + x^{count})" for count in seen.values())
            power = document["key_counts"][0]
            yield f"at the key counts ({key}): the coefficient of x^{power} in {factors or '1'},"
            yield f"  {found['consistent_at']}"
        else:
            yield f"at the key counts ({key}): {found['consistent_at']} of them"
        return
    yield "every way to split the questions of each pattern over the true labels gives each judge a confusion"
    yield f"different confusions of all judges: {found['consistent']}"
    yield f"those of them with the key counts ({key}): {found['consistent_at']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return votes with a number of questions growing with the index, for groups and individuals in turn."""
    kind, sizes = (("group", _LARGEST_GROUP), ("individual", _LARGEST_INDIVIDUAL))[index % 2]
    labels, judges = draws.pick(sorted(sizes))
    largest = sizes[labels, judges]
    size = max(1, min(largest, 1 + largest * index // 120))
    key = draws.counts(size, labels)
    counts = draws.counts(size, labels**judges)
    votes = votes_input(counts, labels="abcd"[:labels], judges=judges)
    return Case({**votes, "key_counts": key, "evaluations": kind}, f"{size} questions")


def _is_small(document: Document, _: Any) -> bool:
    """Tell whether every answer key can be tried."""
    return bool(0 < len(document["labels"]) ** sum(document["counts"]) <= _MOST_TRIED)


FAMILY = Family(
    *declared("consistent-counts"),
    input=record(
        {
            **PARTS,
            "key_counts": described(list_of({"type": "integer"}), "how many questions have each true label"),
            "evaluations": one_of("group", "individual"),
        }
    ),
    expected=record(consistent=WHOLE, consistent_at=WHOLE),
    flags={
        "group": lambda given, _: given["evaluations"] == "group",
        "individual": lambda given, _: given["evaluations"] == "individual",
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _is_small},
)
