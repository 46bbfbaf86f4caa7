"""The sets of evaluations of `ntqr`: possible and consistent ones, counted or listed."""

from __future__ import annotations

from itertools import product
from math import comb, prod
from typing import Any

from benchmarks.peers.conformance import NotAsked, Quantity

LONGEST = 120
"""The longest list that is asked for: it lists what it counts."""

LARGEST = 10_000
"""The largest test that is asked about: it takes the factorials of its size."""


def _names(judges: int) -> tuple[str, ...]:
    return tuple("ijklmnopq"[:judges])


def _votes_of_one(document: dict[str, Any]) -> dict[str, Any]:
    """One judge's responses as votes."""
    return {**document, "judges": 1, "counts": document["responses"]}


# -- possible ones -----------------------------------------------------------------------------------


def _possible_at(document: dict[str, Any]) -> int:
    """It gets the key counts, but not the number of questions."""
    from ntqr.evaluations import PossibleSet

    if sum(document["key_counts"]) != document["questions"] or document["questions"] > LARGEST:
        raise NotAsked
    found = PossibleSet(document["labels"], _names(document["judges"]))
    return _as_count(found.set_count_at_ql(document["key_counts"]))


def _possible(document: dict[str, Any]) -> int:
    from ntqr.evaluations import AnswerKeyQSimplex, PossibleSet

    labels, size = document["labels"], document["questions"]
    if sum(document["key_counts"]) != size or comb(size + len(labels) - 1, len(labels) - 1) > LONGEST:
        raise NotAsked
    found = PossibleSet(labels, _names(document["judges"]))
    return sum(_as_count(found.set_count_at_ql(key)) for key in AnswerKeyQSimplex(size, labels).qs())


def _possible_of_one(document: dict[str, Any]) -> float:
    """Its formula for two labels, or for three; the number of questions is all that it gets."""
    import ntqr.r2.evaluations
    import ntqr.r3.evaluations
    from ntqr.r2.raxioms import SingleClassifierAxioms as Two
    from ntqr.r3.raxioms import SingleClassifierAxioms as Three

    labels, size = document["labels"], sum(document["responses"])
    if sum(document["key_counts"]) != size or min(*document["key_counts"], *document["responses"]) < 0:
        raise NotAsked
    if len(labels) == 2:
        two = ntqr.r2.evaluations.SingleClassifierEvaluations(size, Two(labels, "i"))
        return float(two.number_apriori_evaluations())
    if len(labels) == 3:
        three = ntqr.r3.evaluations.SingleClassifierEvaluations(size, Three(labels, "i"))
        return float(three.number_aprior_evaluations())
    raise NotAsked


def _possible_of_one_at(document: dict[str, Any]) -> int:
    if min(document["responses"]) < 0:  # it does not get them
        raise NotAsked
    return _possible_at({**document, "judges": 1, "questions": sum(document["responses"])})


def _as_count(value: Any) -> int:
    """A count; what is none is a refusal."""
    if not getattr(value, "is_Integer", isinstance(value, int)):
        raise ValueError(f"{value} is not a count")
    return int(value)


# -- consistent ones ---------------------------------------------------------------------------------


def _consistent_set(document: dict[str, Any]) -> Any:
    from ntqr.evaluations import ConsistentSet

    labels, judges, counts = document["labels"], document["judges"], document["counts"]
    patterns = list(product(labels, repeat=judges))
    if len(counts) != len(patterns):
        raise NotAsked
    whole = [int(count) for count in counts]
    if min(whole) >= 0 and prod(comb(n + len(labels) - 1, n) for n in whole) > LONGEST:
        raise NotAsked
    return ConsistentSet(labels, _names(judges), dict(zip(patterns, whole, strict=True)))


def _listed(document: dict[str, Any], key: Any) -> list[Any]:
    """The evaluations at key counts: of the group, or how often each judge is right, for two labels."""
    found = _consistent_set(document)
    if document.get("evaluations", "group") == "group":
        return list(found.set_generator(key))
    if len(document["labels"]) != 2:  # with more, right answers are not all of an individual evaluation
        raise NotAsked
    return sorted(set(found.correct_cuboid_generator(key)))


def _consistent_at(document: dict[str, Any]) -> int:
    return len(_listed(document, document["key_counts"]))


def _consistent(document: dict[str, Any]) -> int:
    """Over all key counts; the ones in the input play no part."""
    from ntqr.evaluations import AnswerKeyQSimplex

    size = sum(int(count) for count in document["counts"])
    if sum(document["key_counts"]) != size or min(document["key_counts"]) < 0:
        raise NotAsked
    if comb(size + len(document["labels"]) - 1, size) > LONGEST:
        raise NotAsked
    return sum(len(_listed(document, key)) for key in AnswerKeyQSimplex(size, document["labels"]).qs())


def _contains(document: dict[str, Any]) -> bool:
    if document["judges"] == 1 and len(document["counts"]) == 2:
        found = _posterior({**document, "responses": document["counts"]})
        return tuple(document["right"][0]) in found[document["key_counts"][0]]
    right = tuple(tuple(judge[label] for judge in document["right"]) for label in range(2))
    listed = _consistent_set(document)
    return right in set(listed.correct_cuboid_generator(document["key_counts"]))


def _posterior(document: dict[str, Any]) -> dict[int, list[Any]]:
    """The list that it makes for a judge among three; the two others answer alike."""
    from ntqr import TrioVoteCounts
    from ntqr.r2.evaluations import PosteriorSingleEvaluations

    first, second = document["responses"]
    size = first + second
    if sum(document["key_counts"]) != size or (min(first, second) >= 0 and size**3 > 100 * LONGEST):
        raise NotAsked
    votes = TrioVoteCounts({("a", "a", "a"): first, ("b", "b", "b"): second})
    found: dict[int, list[Any]] = PosteriorSingleEvaluations(votes).all_possible_evaluations(0)
    return found


def _of_one(at_key: bool) -> Quantity:
    def ask(document: dict[str, Any]) -> int:
        if len(document["labels"]) != 2:
            listed = _consistent_at if at_key else _consistent
            return listed(_votes_of_one(document))
        if min(document["key_counts"]) < 0:  # the key counts only choose a part of the list
            raise NotAsked
        found = _posterior(document)
        return len(found[document["key_counts"][0]]) if at_key else sum(map(len, found.values()))

    return ask


SETS: dict[str, dict[str, Quantity]] = {
    "possible-single": {
        "possible": _possible_of_one,
        "possible_at": _possible_of_one_at,
        "consistent": _of_one(at_key=False),
        "consistent_at": _of_one(at_key=True),
    },
    "possible-group": {"possible": _possible, "possible_at": _possible_at},
    "consistent-counts": {"consistent": _consistent, "consistent_at": _consistent_at},
    "consistent-membership": {"consistent": _contains},
}
