"""The family `score-comparison`: two probability vectors under a score, compared exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.confidence.keys import LogSumKey
from ntqr_exact.confidence.probability_vector import probability_vector
from ntqr_exact.confidence.scores import SIX, compare_scores, score_function
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NUMBER, TEXT, Fragment, described, either, list_of, one_of, record

PRINTED = "jensen-shannon-printed"
SCORE_NAMES = (*SIX, PRINTED)
_SIGNS = {-1: "less", 0: "equal", 1: "greater"}
_PLACES = 12

VECTOR: Fragment = described(list_of(NUMBER_INPUT), "probabilities of the labels")
VECTOR_WORDS = (
    "A probability vector is a list of at least two numbers, none negative, with sum 1. Numbers are JSON integers, or "
    "texts like 3/8, 0.375 or 4e-7, which mean just what they say. Refuse as bad-number what is no number, and as "
    "bad-samples a list that is no probability vector."
)
SCORE_WORDS = (
    "A score of a vector p with k labels is one of: max, the largest p_i; l2, √(Σ p_i²); l1-uniform, Σ |p_i − 1/k|; "
    "l2-uniform, √(Σ (p_i − 1/k)²); entropy, Σ p_i·log p_i; jensen-shannon, ½·Σ p_i·log(p_i/m_i) + "
    "½·Σ (1/k)·log((1/k)/m_i) with m_i = (p_i + 1/k)/2; jensen-shannon-printed, ½·Σ (p_i − 1/k)·log p_i, which is "
    "infinite if some p_i is 0. Otherwise 0·log 0 counts as 0; log is the natural logarithm."
)
LOG_WORDS = (
    "Scores are compared exactly. With L a common denominator of two vectors, A = Lp and B = Lq are whole: entropies "
    "compare like the products of A_i^A_i and of B_i^B_i; Jensen-Shannon scores like the products of "
    "A_i^(kA_i)/(kA_i + L)^(kA_i + L) and the same of B; the printed ones like the products of A_i^(kA_i − L) and the "
    "same of B. Different vectors may tie."
)


def compute(document: Document) -> dict[str, Any]:
    """Return the sign of the difference, and both scores."""
    score = document["score"]
    return {
        "comparison": _SIGNS[compare_scores(score, document["left"], document["right"])],
        "left": _value(score, document["left"]),
        "right": _value(score, document["right"]),
    }


def _value(score: str, vector: Sequence[int | str]) -> mpq | Surd | str:
    value = score_function(score).value(vector)
    if not isinstance(value, LogSumKey):
        return value
    return "infinite" if value.infinite else rational(value.decimal(_PLACES))


def steps(document: Document) -> Iterator[str]:
    """Tell both vectors over their denominators, their keys, and which is the greater."""
    function = score_function(document["score"])
    found = compute(document)
    yield f"{function.name}: {function.formula}"
    for side in ("left", "right"):
        vector = probability_vector(document[side])
        key = function.key(vector)
        square = "" if str(key) == str(function.value(vector)) else "the square of "
        yield f"{side}: {vector}, {square}the score is {key}, the score {found[side]}"
    yield f"left is {found['comparison']}{'' if found['comparison'] == 'equal' else ' than right'}"


def edge_cases() -> Iterator[Case]:
    """Yield ties that are no permutations, the smallest inversions, corners, near ties, and refusals."""
    for score in SCORE_NAMES:
        yield _case(score, [0, 1], [1, 1], "sure against uniform, two labels")
        yield _case(score, [1, 8, 9], [3, 3, 12], "entropies tie in three labels")
        yield _case(score, [0, 3, 3, 4], [1, 1, 2, 6], "entropies tie in four labels")
        yield _case(score, [21, 1, 1, 1], [12, 12, 0, 0], "Jensen-Shannon scores tie in four labels")
    for score in ("jensen-shannon", PRINTED):
        yield _case(score, [12, 4, 4, 4], [9, 9, 3, 3], "both Jensen-Shannon scores tie")
        yield _case(score, [12, 4, 4, 5], [9, 9, 3, 4], "and here they do not")
    for score, left, right in (
        ("max", [4, 1, 1], [3, 3, 0]),
        ("entropy", [4, 1, 1], [3, 3, 0]),
        ("jensen-shannon", [4, 1, 1], [3, 3, 0]),
        ("max", [5, 2, 1], [4, 4, 0]),
        ("l2", [5, 2, 1], [4, 4, 0]),
        ("l1-uniform", [5, 2, 1], [4, 4, 0]),
        ("entropy", [5, 1, 1], [4, 3, 0]),
        ("l2", [5, 1, 1], [4, 3, 0]),
        ("entropy", [7, 1, 1], [5, 4, 0]),
        ("jensen-shannon", [7, 1, 1], [5, 4, 0]),
        ("l1-uniform", [11, 3, 2], [10, 6, 0]),
        ("l2-uniform", [11, 3, 2], [10, 6, 0]),
    ):
        yield _case(score, left, right, "of a smallest inversion", "inversion")
    for score in ("l2", "l2-uniform"):
        yield _case(score, [0, 3, 3], [1, 1, 4], "equal sums of squares")
    yield _case("max", [2, 1, 1], [2, 2, 0], "equal maxima")
    yield _case("l1-uniform", [3, 3, 0], [4, 2, 0], "equal distances: what is missing to 1/3 counts")
    for score in ("entropy", "jensen-shannon", PRINTED):
        yield _case(score, [5, 1, 2], [2, 5, 1], "the order of the labels does not matter")
        yield _case(score, [0, 0, 1], [1, 0, 0], "two corners")
        big = [10**15, 10**15 + 1, 10**15 - 1]
        yield _case(score, big, [10**15] * 3, "nearly uniform", "near")
        yield _case(score, big, [10**15 - 1, 10**15 - 1, 10**15 + 2], "both nearly uniform", "near")
    yield Case(_input("entropy", ["0.5", "0.3", "0.2"], ["0.4", "0.4", "0.2"]), "decimals")
    yield Case(
        _input(PRINTED, ["0.5", "0.5", "0"], ["0.4", "0.4", "0.2"]), "infinite against finite", ("infinite",)
    )
    refused: tuple[tuple[list[int | str], str], ...] = (
        (["1/2", "1/3", "1/4"], "a sum above 1"),
        (["1/2", "1/3", "1/7"], "a sum below 1"),
        (["3/4", "1/2", "-1/4"], "a negative probability"),
        (["1/2", "1/2"], "vectors of different lengths"),
        ([1], "one label only"),
        ([], "no label"),
        (["1/2", "half", 0], "a probability that is no number"),
        ([0, 0, 0], "nothing at all"),
    )
    for bad, comment in refused:
        yield Case(_input("max", bad, ["1/2", "1/4", "1/4"]), comment, ("refused",))
    yield Case(_input("margin", ["1/2", "1/2"], ["1/4", "3/4"]), "an unknown score", ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return two vectors over a growing denominator, of two to six labels, one score after the other."""
    score = SCORE_NAMES[index % len(SCORE_NAMES)]
    labels, below = draws.between(2, 3 + index // 50), 3 + index // 2
    left = draws.counts(below, labels)
    match draws.below(4):
        case 0:
            return _case(score, left, draws.shuffled(left), f"a permutation, over {below}")
        case 1:
            # One unit moved between the two largest: near neighbours.
            right = sorted(left)
            right[-1] += 1
            right[-2] -= 1 if right[-2] else 0
            return _case(score, left, right, f"a neighbour, over {below}")
        case _:
            other = draws.between(2, below)
            return _case(score, left, draws.counts(other, labels), f"over {below} and {other}")


def shares(counts: Sequence[int]) -> list[str]:
    """Return counts as the probabilities that they are in proportion to, in lowest terms."""
    return [str(mpq(count, sum(counts))) for count in counts]


def _input(score: str, left: Sequence[int | str], right: Sequence[int | str]) -> Document:
    return {"score": score, "left": list(left), "right": list(right)}


def _case(score: str, left: Sequence[int], right: Sequence[int], comment: str, *flags: str) -> Case:
    document = _input(score, shares(left), shares(right))
    found = compute(document)
    tied, same = found["comparison"] == "equal", sorted(shares(left)) == sorted(shares(right))
    outcome = {
        "tie": tied and not same,
        "permutation": same,
        "infinite": "infinite" in (found["left"], found["right"]),
    }
    return Case(document, comment, (*flags, *(name for name, holds in outcome.items() if holds)))


def _is_plain(document: Document) -> bool:
    """Tell whether both are vectors with a finite score that has to be rounded."""
    answer = FAMILY.answer(document)
    return (
        answer.result == "valid"
        and document["score"] in SCORE_NAMES[4:]
        and "infinite" not in answer.expected.values()
    )


FAMILY = Family(
    name="score-comparison",
    version=1,
    title="Confidence scores of probability vectors, compared exactly",
    citations=(Citation("orderings", "section 2.3"), Citation("orderings", "proof of theorem 1, item 6")),
    algorithm=(
        VECTOR_WORDS,
        "left and right are probability vectors; refuse as bad-samples two of different lengths, and a score that is "
        "not one of the names below.",
        SCORE_WORDS,
        LOG_WORDS,
        "comparison: less, equal or greater, as the score of left is less than, equal to or greater than that of "
        "right. An infinite score is greater than all others, and equal to another infinite one.",
        "left and right: the two scores. Those of max, l1-uniform, l2 and l2-uniform are exact; those of entropy, "
        "jensen-shannon and jensen-shannon-printed are rounded to the nearest multiple of 10^−12, or the word "
        "infinite.",
    ),
    input=record(score=TEXT, left=VECTOR, right=VECTOR),
    expected=record(
        comparison=one_of("less", "equal", "greater"),
        left=either(NUMBER, one_of("infinite")),
        right=either(NUMBER, one_of("infinite")),
    ),
    flags={
        "tie": "vectors that are no permutations of each other have equal scores",
        "permutation": "vectors with the same probabilities in some order",
        "inversion": "one of the smallest pairs that two scores put in opposite orders",
        "near": "scores so near that doubles do not tell them apart",
        "infinite": "the printed Jensen-Shannon score of a vector with a 0",
        "refused": "the input has no score",
    },
    errors={
        "bad-number": "a probability is no number",
        "bad-samples": "a list is no probability vector, lengths differ, or the score is unknown",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("score",),
    witnesses={"mpmath": _is_plain},
)
