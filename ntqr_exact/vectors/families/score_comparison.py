"""The family `score-comparison`: two probability vectors under a score, compared exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.confidence.keys import LogSumKey
from ntqr_exact.confidence.scores import SIX, compare_scores, score_function
from ntqr_exact.confidence.vectors import probability_vector
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
    *declared("score-comparison"),
    input=record(score=TEXT, left=VECTOR, right=VECTOR),
    expected=record(
        comparison=one_of("less", "equal", "greater"),
        left=either(NUMBER, one_of("infinite")),
        right=either(NUMBER, one_of("infinite")),
    ),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("score",),
    witnesses={"mpmath": _is_plain},
)
