"""The family `score-comparison`: two probability vectors under a score, compared exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.confidence.probability_vector import probability_vector
from ntqr_exact.confidence.scores import compare_scores, score_function
from ntqr_exact.exact.log_sum_key import LogSumKey
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.scores import SCORE_NAMES, VECTOR, shares
from ntqr_exact.vectors.fragments import NUMBER, TEXT, either, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_SIGNS = {-1: "less", 0: "equal", 1: "greater"}
_PLACES = 12


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
            right, comment = draws.shuffled(left), f"a permutation, over {below}"
        case 1:
            # One unit moved between the two largest: near neighbours.
            right = sorted(left)
            right[-1] += 1
            right[-2] -= 1 if right[-2] else 0
            comment = f"a neighbour, over {below}"
        case _:
            other = draws.between(2, below)
            right, comment = draws.counts(other, labels), f"over {below} and {other}"
    return Case({"score": score, "left": shares(left), "right": shares(right)}, comment)


def _is_permutation(document: Document, _: Any) -> bool:
    return sorted(document["left"]) == sorted(document["right"])


def _is_infinite(_: Document, found: Any) -> bool:
    return "infinite" in found.values()


def _is_rounded(document: Document, found: Any) -> bool:
    """Tell whether both vectors have a finite score that has to be rounded."""
    return document["score"] in SCORE_NAMES[4:] and "error" not in found and not _is_infinite(document, found)


FAMILY = Family(
    *declared("score-comparison"),
    input=record(score=TEXT, left=VECTOR, right=VECTOR),
    expected=record(
        comparison=one_of("less", "equal", "greater"),
        left=either(NUMBER, one_of("infinite")),
        right=either(NUMBER, one_of("infinite")),
    ),
    flags={
        "tie": lambda given, found: found["comparison"] == "equal" and not _is_permutation(given, found),
        "permutation": _is_permutation,
        "infinite": _is_infinite,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("score",),
    witnesses={"mpmath": _is_rounded},
)
