"""The family `smallest-inversion`: the first denominator at which two scores put vectors in opposite orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.confidence.inversions import InversionSearch, smallest_inversion
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SIX, ScoreLike, distance_score, score_function
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.score_comparison import LOG_WORDS, SCORE_NAMES, SCORE_WORDS, shares
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import (
    COUNT,
    NULL,
    TEXT,
    Fragment,
    described,
    either,
    list_of,
    one_of,
    record,
)

_SCORE: Fragment = described(either(TEXT, list_of(NUMBER_INPUT)), "the name of a score, or a vector r")
_Score = str | Sequence[int | str]


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


def _score(given: _Score) -> ScoreLike:
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


def edge_cases() -> Iterator[Case]:
    """Yield all pairs of scores in three labels, few and many labels, scores that never invert, and refusals."""
    for place, left in enumerate(SIX):
        for right in SIX[place + 1 :]:
            yield _case(left, right, 3, 16, "three labels")
    for right in SIX[:5]:
        yield _case("jensen-shannon-printed", right, 3, 12, "the printed Jensen-Shannon score")
    yield _case("entropy", "max", 3, 6, "the sides exchanged")
    yield _case("max", "entropy", 3, 5, "one denominator too few")
    yield _case("max", "entropy", 3, 6, "just enough")
    yield _case("max", "max", 3, 9, "a score and itself")
    yield _case("max", "jensen-shannon", 2, 20, "on two labels all scores order alike")
    yield _case("max", "l2", 4, 12, "four labels")
    yield _case("entropy", "jensen-shannon", 4, 12, "four labels, scores of logarithms")
    yield _case("max", "l1-uniform", 5, 9, "five labels")
    yield _case("l2", shares([1, 1, 1]), 3, 9, "the distance to uniform, given as one to a vector")
    yield _case("l2", shares([3, 7]), 2, 10, "the distance to (3, 7)/10 and the norm")
    yield _case("max", shares([2, 1, 1]), 3, 6, "the distance to (2, 1, 1)/4 and the maximum")
    yield _case(shares([1, 0, 0]), shares([0, 1, 0]), 3, 4, "distances to two corners")
    yield _case("max", "l2", 3, 2, "the smallest search")
    refused: tuple[tuple[_Score, _Score, int | str, int | str, str], ...] = (
        ("margin", "max", 3, 5, "an unknown score"),
        ("max", "l2", 1, 5, "one label"),
        ("max", "l2", 3, 1, "no denominator to search"),
        ("max", "l2", "5/2", 5, "half a label"),
        ("max", "l2", 3, "many", "a denominator that is no number"),
        ("max", ["1/2", "1/2"], 3, 5, "a vector of another length"),
        ("max", ["1/2", "1/3", "1/4"], 3, 5, "a vector whose sum is not 1"),
        ("max", ["1/2", "x", "1/2"], 3, 5, "a vector with what is no number"),
    )
    for one, other, labels, largest, comment in refused:
        yield Case(_input(one, other, labels, largest), comment, ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, a score and the distance to a vector, two such distances, and two scores by name."""
    labels = 2 + (index % 5 > 0) + (index % 10 == 9)
    largest = {2: 14, 3: 8, 4: 5}[labels]
    kind = index % 3
    if kind == 2 and labels > 2:
        left, right = draws.shuffled(SCORE_NAMES)[:2]
        return _case(left, right, labels, draws.between(4, 2 * largest), "two scores by name")
    below = 2 + index // 6
    centres = [shares(draws.counts(below + labels, labels)) for _ in range(2)]
    if kind == 0:
        return _case(draws.pick(SIX), centres[0], labels, largest, "a score and the distance to a vector")
    return _case(centres[0], centres[1], labels, largest, "the distances to two vectors")


def _input(left: _Score, right: _Score, labels: int | str, largest: int | str) -> Document:
    sides = [given if isinstance(given, str) else list(given) for given in (left, right)]
    return {"labels": labels, "left": sides[0], "right": sides[1], "max_denominator": largest}


def _case(left: _Score, right: _Score, labels: int, largest: int, comment: str) -> Case:
    document = _input(left, right, labels, largest)
    outcome = {
        "none": compute(document)["denominator"] == "none",
        "not-symmetric": not (isinstance(left, str) and isinstance(right, str)),
    }
    return Case(document, comment, tuple(name for name, holds in outcome.items() if holds))


FAMILY = Family(
    name="smallest-inversion",
    version=1,
    title="Smallest pairs of vectors that two scores put in opposite orders",
    citations=(Citation("orderings", "theorem 2"), Citation("orderings", "theorem 2, remark")),
    algorithm=(
        "left and right are two scores, each either the name of a score (see below) or a probability vector r: then "
        "the score of p is its distance √(Σ (p_i − r_i)²) to r. labels is the number k of labels, max_denominator the "
        "largest denominator.",
        "Refuse as bad-samples an unknown name, a vector r whose probabilities are not a list of k ≥ 2 numbers, none "
        "negative, with sum 1; as bad-number a number that is none, k < 2, and max_denominator < 2. Numbers are JSON "
        "integers, or texts like 3/8 or 0.375.",
        SCORE_WORDS,
        LOG_WORDS,
        "For n = 2, 3, … up to max_denominator take the vectors p = (a_1, …, a_k)/n with whole a_i ≥ 0 of sum n: all "
        "of them if left or right is a vector r; if both are names, only those with a_1 ≥ a_2 ≥ … ≥ a_k, as the order "
        "of the labels does not matter then. An inversion is a pair (p, q) of them such that left scores p strictly "
        "above q, and right scores p strictly below q. The search ends at the first n that has one.",
        "denominator: this n, or the word none if there is no inversion up to max_denominator.",
        "vectors: for each n that was searched, from 2 on, the number of vectors taken.",
        "inversions: the number of inversions at the last n searched.",
        "higher_left and higher_right: the numerators (a_i) over the denominator of p and q, of that inversion (p, q) "
        "which has the lexicographically largest p, and of those with the same p the lexicographically largest q; "
        "null and null if there is none.",
    ),
    input=record(labels=NUMBER_INPUT, left=_SCORE, right=_SCORE, max_denominator=NUMBER_INPUT),
    expected=record(
        denominator=either(COUNT, one_of("none")),
        vectors=list_of(COUNT),
        inversions=COUNT,
        higher_left=either(list_of(COUNT), NULL),
        higher_right=either(list_of(COUNT), NULL),
    ),
    flags={
        "none": "there is no inversion up to the largest denominator",
        "not-symmetric": "the order of the labels matters, as a score is the distance to a vector",
        "refused": "the input makes no search",
    },
    errors={
        "bad-samples": "a score is unknown, or its vector is none of so many labels",
        "bad-number": "a number is none, or too small for a search",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": lambda _: True},
)
