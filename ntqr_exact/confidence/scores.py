"""Score functions: what maps a probability vector to a number that is larger, the surer the vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.confidence.probability_vector import (
    ProbabilityVector,
    VectorLike,
    check_same_length,
    probability_vector,
)
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.surd import Surd

ScoreKey: TypeAlias = "mpq | LogSumKey"
"""What a score orders vectors by."""


ScoreValue: TypeAlias = "mpq | Surd | LogSumKey"
"""A score as the number it is; where it is a root, the key to order by is the square."""


@dataclass(frozen=True, slots=True)
class ScoreFunction:
    """A named score: the exact key to order vectors by, and how the score itself comes from the key.

    `symmetric` says that the order of the labels does not matter; a search then sees each vector once.
    """

    name: str
    key: Callable[[ProbabilityVector], ScoreKey]
    value_of_key: Callable[[Any], ScoreValue] | None = None
    formula: str = ""
    symmetric: bool = False

    def value(self, vector: VectorLike) -> ScoreValue:
        """Return the score of a vector as an exact number.

        >>> SCORES["l2"].value(["1/2", "1/2"])
        Surd(0, '1/2', 2)
        """
        key = self.key(probability_vector(vector))
        return key if self.value_of_key is None else self.value_of_key(key)

    def __str__(self) -> str:
        return self.name

    to_document = __str__


def max_key(vector: ProbabilityVector) -> mpq:
    """Return max pᵢ."""
    return mpq(max(vector.numerators), vector.denominator)


def l2_key(vector: ProbabilityVector) -> mpq:
    """Return Σ pᵢ², the square of the norm."""
    return mpq(sum(number * number for number in vector.numerators), vector.denominator**2)


def _l1_uniform_key(vector: ProbabilityVector) -> mpq:
    """Return Σ |pᵢ − 1/k|."""
    k, below = vector.labels, vector.denominator
    return mpq(sum(abs(k * number - below) for number in vector.numerators), k * below)


def _l2_uniform_key(vector: ProbabilityVector) -> mpq:
    """Return Σ (pᵢ − 1/k)², the square of the distance."""
    k, below = vector.labels, vector.denominator
    return mpq(sum((k * number - below) ** 2 for number in vector.numerators), (k * below) ** 2)


def entropy_key(vector: ProbabilityVector) -> LogSumKey:
    """Return Σ pᵢ log pᵢ, which is (Σ nᵢ log nᵢ − L log L)/L, with 0 log 0 = 0.

    >>> entropy_key(ProbabilityVector((1, 8, 9), 18)) == entropy_key(ProbabilityVector((1, 1, 4), 6))
    True
    """
    below = vector.denominator
    own = tuple((number, number) for number in vector.numerators if number)
    return LogSumKey((*own, (-below, below)), below)


def _jensen_shannon_key(vector: ProbabilityVector) -> LogSumKey:
    """Return the Jensen-Shannon divergence ½ KL(p‖m) + ½ KL(u‖m) to uniform u, with m = (p + u)/2.

    With p = n/L it is [Σ k·nᵢ log nᵢ − Σ (k·nᵢ+L) log(k·nᵢ+L) + kL log(kL) + 2kL log 2] / 2kL.
    """
    k, below = vector.labels, vector.denominator
    own = [(k * number, number) for number in vector.numerators if number]
    mixed = [(-(k * number + below), k * number + below) for number in vector.numerators]
    return LogSumKey((*own, *mixed, (k * below, k * below), (2 * k * below, 2)), 2 * k * below)


def _half_jeffreys_key(vector: ProbabilityVector) -> LogSumKey:
    """Return ½ [KL(p‖u) + KL(u‖p)] = ½ Σ (pᵢ − 1/k) log pᵢ, infinite where a probability is 0."""
    k, below = vector.labels, vector.denominator
    if 0 in vector.numerators:
        return LogSumKey((), infinite=True)
    return LogSumKey(
        tuple((k * number - below, number) for number in vector.numerators), divisor=2 * k * below
    )


def _half(key: mpq) -> ScoreValue:
    return key / 2


SIX = ("max", "l2", "l1-uniform", "l2-uniform", "entropy", "jensen-shannon")
"""The names of the six scores that the source compares."""

SCORES: dict[str, ScoreFunction] = {
    name: ScoreFunction(name, key, value, formula, symmetric=True)
    for name, key, value, formula in (
        ("max", max_key, None, "max pᵢ"),
        ("l2", l2_key, Surd.sqrt, "√Σ pᵢ²"),
        ("l1-uniform", _l1_uniform_key, None, "Σ |pᵢ − 1/k|"),
        ("l2-uniform", _l2_uniform_key, Surd.sqrt, "√Σ (pᵢ − 1/k)²"),
        ("entropy", entropy_key, None, "Σ pᵢ log pᵢ"),
        ("jensen-shannon", _jensen_shannon_key, None, "½ KL(p‖m) + ½ KL(u‖m), m = (p + u)/2"),
        ("herfindahl", l2_key, None, "Σ pᵢ²"),
        ("total-variation", _l1_uniform_key, _half, "½ Σ |pᵢ − 1/k|"),
    )
}
"""The scores of Maaz et al. 2023, section 2.3, by name; `register_score` adds to them."""

HALF_JEFFREYS = ScoreFunction(
    "jensen-shannon-printed", _half_jeffreys_key, formula="½ Σ (pᵢ − 1/k) log pᵢ", symmetric=True
)
"""What the proof of theorem 1 prints for Jensen-Shannon; it is not known by name."""

ScoreLike: TypeAlias = "str | ScoreFunction"


def score_function(score: ScoreLike) -> ScoreFunction:
    """Return a score by its name, and a score function as it is."""
    if isinstance(score, ScoreFunction):
        return score
    if score not in SCORES:
        raise BadSamples(score, f"score must be one of {', '.join(SCORES)}", "or register your own")
    return SCORES[score]


def register_score(score: ScoreFunction) -> ScoreFunction:
    """Make a score known by its name; raises `BadSamples` if another one has it."""
    if SCORES.setdefault(score.name, score) != score:
        raise BadSamples(score.name, "the name of a score must be unique", "choose another name")
    return score


def distance_score(centre: VectorLike) -> ScoreFunction:
    """Return the L2 distance to a fixed vector, √Σ (pᵢ − rᵢ)², of the remark after theorem 2.

    >>> compare_scores(distance_score(["0.3", "0.7"]), ["0.4", "0.6"], ["0.5", "0.5"])
    -1
    """
    fixed = probability_vector(centre)

    def key(vector: ProbabilityVector) -> mpq:
        check_same_length([vector, fixed])
        return sum(((p - r) ** 2 for p, r in zip(vector, fixed, strict=True)), mpq(0))

    return ScoreFunction(f"l2-to-{fixed}", key, Surd.sqrt, f"√Σ (pᵢ − rᵢ)², r = {fixed}")


def compare_scores(score: ScoreLike, left: VectorLike, right: VectorLike) -> int:
    """Return −1, 0 or 1, the sign of s(left) − s(right), exactly.

    >>> SCORES["herfindahl"].value(["1/2", "1/2"]), SCORES["total-variation"].value(["3/4", "1/4"])
    (mpq(1,2), mpq(1,4))
    >>> compare_scores("entropy", ["1/18", "8/18", "9/18"], ["3/18", "3/18", "12/18"])
    0

    Raises `BadSamples` for vectors of different lengths or an unknown score.
    """
    function = score_function(score)
    p, q = probability_vector(left), probability_vector(right)
    check_same_length([p, q])
    left_key, right_key = function.key(p), function.key(q)
    return (left_key > right_key) - (left_key < right_key)
