"""The order that a score induces on vectors, and whether two scores induce the same one.

>>> vectors = [["0.5", "0.2", "0.3"], ["0.5", "0.5", "0"], ["0.4", "0.3", "0.3"]]
>>> ranks("max", vectors), ranks("l2", vectors)
([1, 1, 0], [1, 2, 0])
>>> compare_orders("max", "l2", vectors).relation
<OrderRelation.TIES_DIFFER: 'no strict inversion, but ties differ'>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from ntqr_exact.confidence.keys import ScoreKey
from ntqr_exact.confidence.probability_vector import ProbabilityVector, VectorLike, probability_vectors
from ntqr_exact.confidence.scores import SIX, ScoreFunction, ScoreLike, score_function


class OrderRelation(Enum):
    """How two orders of the same vectors stand to each other."""

    ISOMORPHIC = "order-isomorphic"
    """Less, equal and greater fall together: Maaz et al. 2023, definition 1."""

    TIES_DIFFER = "no strict inversion, but ties differ"
    """Some pair is tied in one order only, and none is strictly inverted."""

    INVERTED = "strictly inverted"
    """Some pair is less in one order and greater in the other."""


@dataclass(frozen=True, slots=True)
class OrderComparison:
    """The relation of two orders, and a pair of vectors that shows it; the pair is empty for isomorphic ones."""

    relation: OrderRelation
    witness: tuple[ProbabilityVector, ...] = ()

    @property
    def isomorphic(self) -> bool:
        """Whether both orders are the same, ties included."""
        return self.relation is OrderRelation.ISOMORPHIC


def sort_by_score(score: ScoreLike, vectors: Iterable[VectorLike]) -> list[ProbabilityVector]:
    """Return the vectors from the least sure to the surest; tied ones keep their order.

    >>> sort_by_score("l2", [[1, 0], ["1/2", "1/2"]])
    [ProbabilityVector((1, 1), 2), ProbabilityVector((1, 0), 1)]
    """
    return sorted(probability_vectors(vectors), key=score_function(score).key)


def ranks(score: ScoreLike, vectors: Iterable[VectorLike]) -> list[int]:
    """Return the rank of each vector, 0 for the least sure; tied vectors share a rank, and none is left out."""
    return rank_vectors(score_function(score), probability_vectors(vectors))


def rank_vectors(score: ScoreFunction, vectors: Sequence[ProbabilityVector]) -> list[int]:
    """Return the dense rank of each vector; equal ones, or permuted ones of a symmetric score, are keyed once."""
    names = [
        (tuple(sorted(vector.numerators)) if score.symmetric else vector.numerators, vector.denominator)
        for vector in vectors
    ]
    keys: dict[tuple[tuple[int, ...], int], ScoreKey] = {}
    for name, vector in zip(names, vectors, strict=True):
        if name not in keys:
            keys[name] = score.key(vector)
    found = dict(zip(keys, ranks_of_keys(list(keys.values())), strict=True))
    return [found[name] for name in names]


def ranks_of_keys(keys: Sequence[ScoreKey]) -> list[int]:
    """Return the dense rank of each key; equal keys share one."""
    places = sorted(range(len(keys)), key=keys.__getitem__)
    found = [0] * len(keys)
    for before, after in pairwise(places):
        found[after] = found[before] + (keys[before] != keys[after])
    return found


def compare_orders(left: ScoreLike, right: ScoreLike, vectors: Iterable[VectorLike]) -> OrderComparison:
    """Return how the orders of two scores on given vectors stand to each other, with a witness."""
    given = probability_vectors(vectors)
    return _compare_ranks(ranks(left, given), ranks(right, given), given)


def _compare_ranks(
    left: Sequence[int], right: Sequence[int], vectors: Sequence[ProbabilityVector]
) -> OrderComparison:
    """Return how two rankings of the same vectors stand to each other.

    In the order of (left, right), the right rank falls somewhere between neighbours iff some pair is inverted;
    if it never falls, ties differ iff between some neighbours one rank rises alone.
    """
    places = sorted(range(len(vectors)), key=lambda place: (left[place], right[place]))
    differing: tuple[ProbabilityVector, ...] = ()
    for before, after in pairwise(places):
        rises = left[after] > left[before], right[after] > right[before]
        if right[after] < right[before]:
            return OrderComparison(OrderRelation.INVERTED, (vectors[after], vectors[before]))
        if rises[0] != rises[1] and not differing:
            differing = (vectors[before], vectors[after])
    if differing:
        return OrderComparison(OrderRelation.TIES_DIFFER, differing)
    return OrderComparison(OrderRelation.ISOMORPHIC)


def order_isomorphic(left: ScoreLike, right: ScoreLike, vectors: Iterable[VectorLike]) -> bool:
    """Tell whether two scores order given vectors alike, ties included.

    >>> order_isomorphic("l2", "l2-uniform", [["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"]])
    True
    """
    return compare_orders(left, right, vectors).isomorphic


def equivalence_classes(
    vectors: Iterable[VectorLike], scores: Sequence[ScoreLike] = SIX
) -> tuple[tuple[str, ...], ...]:
    """Return the scores grouped by the order they induce on the vectors; scores of a group give one estimate.

    To be order-isomorphic is an equivalence relation (Maaz et al. 2023, lemma 2): dense ranks are its classes.

    >>> equivalence_classes([["1/2", "1/3", "1/6"], ["1/2", "1/2", 0]])
    (('max',), ('l2', 'l1-uniform', 'l2-uniform', 'entropy', 'jensen-shannon'))
    """
    given = probability_vectors(vectors)
    groups: dict[tuple[int, ...], list[str]] = {}
    for score in scores:
        groups.setdefault(tuple(ranks(score, given)), []).append(score_function(score).name)
    return tuple(map(tuple, groups.values()))
