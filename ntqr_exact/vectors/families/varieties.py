"""How many evaluations are possible before any vote is seen, and how many are consistent with votes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpz

from ntqr_exact.exact.decimal_text import whole_text
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import pattern_names, votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts


def _one(document: Document) -> dict[str, Any]:
    labels = document["labels"]
    votes = _votes(document)
    key = dict(zip(labels, document["key_counts"], strict=True))
    possible, consistent = PossibleSet(votes.size, labels=labels), ConsistentSet(votes)
    return {
        "possible": str(possible.count()),
        "possible_at": str(possible.count_at(key)),
        "consistent": str(consistent.count()),
        "consistent_at": str(consistent.count_at(key)),
    }


def _one_steps(document: Document) -> Iterator[str]:
    found = _one(document)
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


def _one_case(draws: Draws, index: int) -> Case:
    """Return answers and key counts over two to four labels, on a number of questions growing with the index."""
    labels = "abcd"[: (2, 2, 3, 2, 4)[index % 5]]
    size = 1 + (index * index // 10 if len(labels) == 2 else min(index // 5, 20)) + draws.below(4)
    responses, key = draws.counts(size, len(labels)), draws.counts(size, len(labels))
    document = {"labels": list(labels), "responses": responses, "key_counts": key}
    return Case(document, f"{size} questions")


def _votes(document: Document) -> VoteCounts:
    counts = zip(document["labels"], document["responses"], strict=True)
    return VoteCounts({(label,): count for label, count in counts}, document["labels"], ["J1"])


_MOST_TRIED = 8192


def _group(document: Document) -> dict[str, Any]:
    labels = document["labels"]
    possible = PossibleSet(document["questions"], document["judges"], labels)
    at = dict(zip(labels, document["key_counts"], strict=True))
    return {
        "possible": whole_text(possible.count()),
        "possible_at": whole_text(possible.count_at(at)),
        "individual": whole_text(possible.individual_count()),
    }


def _group_steps(document: Document) -> Iterator[str]:
    found = _group(document)
    labels, judges, size = len(document["labels"]), document["judges"], document["questions"]
    width = mpz(labels) ** judges  # whose digits are written in time that grows with them
    yield f"R^N = {labels}^{judges} = {width} patterns, R·R^N = {labels * width} cells, Q = {size} questions"
    cells = labels * width
    yield f"possible: C({size + cells - 1}, {cells - 1}) = {found['possible']}"
    binomials = " · ".join(f"C({count + width - 1}, {width - 1})" for count in document["key_counts"])
    yield f"possible at the key counts: {binomials} = {found['possible_at']}"
    one_key = " · ".join(f"C(Q_{label} + {labels - 1}, {labels - 1})" for label in document["labels"])
    yield f"individual: the sum over all key counts of ({one_key})^{judges} = {found['individual']}"


def _group_case(draws: Draws, index: int) -> Case:
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


_CONSISTENT_MOST_TRIED = 5000
_LARGEST_GROUP = {(2, 1): 150, (2, 2): 120, (2, 3): 100, (2, 4): 60, (3, 1): 24, (3, 2): 16, (4, 1): 12}
_LARGEST_INDIVIDUAL = {(2, 1): 40, (2, 2): 14, (2, 3): 9, (2, 4): 4, (3, 1): 8, (3, 2): 4}


def _consistent(document: Document) -> dict[str, Any]:
    consistent = ConsistentSet(votes_from(document))
    asked = consistent.projection() if document["evaluations"] == "individual" else consistent
    key = dict(zip(document["labels"], document["key_counts"], strict=True))
    return {"consistent": str(asked.count()), "consistent_at": str(asked.count_at(key))}


def _consistent_steps(document: Document) -> Iterator[str]:
    found = _consistent(document)
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


def _consistent_case(draws: Draws, index: int) -> Case:
    """Return votes with a number of questions growing with the index, for groups and individuals in turn."""
    kind, sizes = (("group", _LARGEST_GROUP), ("individual", _LARGEST_INDIVIDUAL))[index % 2]
    labels, judges = draws.pick(sorted(sizes))
    largest = sizes[labels, judges]
    size = max(1, min(largest, 1 + largest * index // 120))
    key = draws.counts(size, labels)
    counts = draws.counts(size, labels**judges)
    votes = votes_input(counts, labels="abcd"[:labels], judges=judges)
    return Case({**votes, "key_counts": key, "evaluations": kind}, f"{size} questions")


def _consistent_is_small(document: Document, _: Any) -> bool:
    """Tell whether every answer key can be tried."""
    return bool(0 < len(document["labels"]) ** sum(document["counts"]) <= _CONSISTENT_MOST_TRIED)


FAMILIES = (
    Family(
        *declared("possible-single", _one, _one_steps, _one_case),
        witnesses={
            "brute-force": lambda document, _: (
                min(document["responses"]) >= 0 and sum(document["responses"]) <= 3
            )
        },
    ),
    Family(
        *declared("possible-group", _group, _group_steps, _group_case), witnesses={"brute-force": _is_small}
    ),
    Family(
        *declared("consistent-counts", _consistent, _consistent_steps, _consistent_case),
        flags={
            "group": lambda given, _: given["evaluations"] == "group",
            "individual": lambda given, _: given["evaluations"] == "individual",
        },
        witnesses={"brute-force": _consistent_is_small},
    ),
)
