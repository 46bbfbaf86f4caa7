"""The order that a score induces on vectors, and whether two scores induce the same one.

>>> vectors = [["0.5", "0.2", "0.3"], ["0.5", "0.5", "0"], ["0.4", "0.3", "0.3"]]
>>> ranks("max", vectors), ranks("l2", vectors)
([1, 1, 0], [1, 2, 0])
>>> compare_orders("max", "l2", vectors).relation
<OrderRelation.TIES_DIFFER: 'no strict inversion, but ties differ'>

A strict inversion is a pair of vectors that two scores put in opposite orders. All vectors over n = 2, 3, … are ranked
by both scores; the first n with an inverted pair is the smallest common denominator of any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import pairwise

from ntqr_exact.budget import check_work
from ntqr_exact.confidence.probability_vector import ProbabilityVector, VectorLike, probability_vectors
from ntqr_exact.confidence.scores import (
    SIX,
    ScoreFunction,
    ScoreKey,
    ScoreLike,
    compare_scores,
    score_function,
)
from ntqr_exact.errors import BadNumber, NotSupported
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.sweep import sweep


class OrderRelation(Enum):
    """How two orders of the same vectors are related; Maaz et al. 2023, definition 1."""

    ISOMORPHIC = "order-isomorphic"
    TIES_DIFFER = "no strict inversion, but ties differ"
    INVERTED = "strictly inverted"


@dataclass(frozen=True, slots=True)
class OrderComparison:
    """The relation of two orders, and a pair of vectors that shows it; the pair is empty for isomorphic ones."""

    relation: OrderRelation
    witness: tuple[ProbabilityVector, ...] = ()

    @property
    def isomorphic(self) -> bool:
        """Whether both orders are the same, ties included."""
        return self.relation is OrderRelation.ISOMORPHIC


def ranks(score: ScoreLike, vectors: Iterable[VectorLike]) -> list[int]:
    """Return the dense rank of each vector, 0 for the least sure; tied vectors share a rank."""
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
    result = dict(zip(keys, ranks_of_keys(list(keys.values())), strict=True))
    return [result[name] for name in names]


def ranks_of_keys(keys: Sequence[ScoreKey]) -> list[int]:
    """Return the dense rank of each key; equal keys share one."""
    places = sorted(range(len(keys)), key=keys.__getitem__)
    result = [0] * len(keys)
    for before, after in pairwise(places):
        result[after] = result[before] + (keys[before] != keys[after])
    return result


def compare_orders(left: ScoreLike, right: ScoreLike, vectors: Iterable[VectorLike]) -> OrderComparison:
    """Return how the orders of two scores on given vectors are related, with a witness."""
    given = probability_vectors(vectors)
    first, second = ranks(left, given), ranks(right, given)
    # In the order of (left, right), the right rank falls somewhere between neighbours iff some pair is inverted; if it
    # never falls, ties differ iff between some neighbours one rank rises alone.
    places = sorted(range(len(given)), key=lambda place: (first[place], second[place]))
    differing: tuple[ProbabilityVector, ...] = ()
    for before, after in pairwise(places):
        if second[after] < second[before]:
            return OrderComparison(OrderRelation.INVERTED, (given[after], given[before]))
        if (first[after] > first[before]) != (second[after] > second[before]) and not differing:
            differing = (given[before], given[after])
    return OrderComparison(OrderRelation.TIES_DIFFER if differing else OrderRelation.ISOMORPHIC, differing)


def equivalence_classes(vectors: Iterable[VectorLike]) -> tuple[tuple[str, ...], ...]:
    """Return the six scores grouped by the order they induce on the vectors (Maaz et al. 2023, lemma 2).

    >>> equivalence_classes([["1/2", "1/3", "1/6"], ["1/2", "1/2", 0]])
    (('max',), ('l2', 'l1-uniform', 'l2-uniform', 'entropy', 'jensen-shannon'))
    """
    given = probability_vectors(vectors)
    groups: dict[tuple[int, ...], list[str]] = {}
    for score in SIX:
        groups.setdefault(tuple(ranks(score, given)), []).append(score)
    return tuple(map(tuple, groups.values()))


MAX_VECTORS = 200_000
"""Most vectors of one denominator that are ranked."""


@dataclass(frozen=True, slots=True)
class Inversion:
    """Two vectors: the left score puts `higher_left` above, the right score `higher_right`, both strictly."""

    left: ScoreFunction
    right: ScoreFunction
    higher_left: ProbabilityVector
    higher_right: ProbabilityVector

    def holds(self) -> bool:
        """Check the pair anew by two exact comparisons."""
        return (
            compare_scores(self.left, self.higher_left, self.higher_right) == 1
            and compare_scores(self.right, self.higher_left, self.higher_right) == -1
        )

    def over(self, denominator: int) -> tuple[tuple[int, ...], ...]:
        """Return the numerators of both over a common denominator."""
        pair = (self.higher_left, self.higher_right)
        return tuple(tuple(whole_number(share * denominator) for share in vector) for vector in pair)


@dataclass(frozen=True, slots=True)
class InversionSearch:
    """What an exhaustive search found: all inversions of the smallest denominator, and how many vectors it saw.

    For symmetric scores vectors are listed with falling numerators, each for all its permutations.
    """

    left: ScoreFunction
    right: ScoreFunction
    labels: int
    denominator: int
    inversions: tuple[Inversion, ...]
    examined: tuple[tuple[int, int], ...]

    @property
    def found(self) -> bool:
        """Whether there is an inversion."""
        return bool(self.inversions)

    def holds(self) -> bool:
        """Check every inversion anew, and that every smaller denominator was searched through."""
        symmetric, levels = self.left.symmetric and self.right.symmetric, range(2, self.denominator + 1)
        expected = tuple((n, _level_size(self.labels, n, symmetric=symmetric)) for n in levels)
        return expected == self.examined and all(inversion.holds() for inversion in self.inversions)


def smallest_inversion(
    left: ScoreLike,
    right: ScoreLike,
    *,
    labels: RationalLike,
    max_denominator: RationalLike,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> InversionSearch:
    """Return all strict inversions of two scores at the smallest common denominator up to the largest asked for.

    `progress` is called with each denominator that has been searched. An `executor` (see `sweep`) searches several at
    once; the scores must then be picklable. Raises `BadNumber` for fewer than two labels or a denominator below 2, and
    `NotSupported` for more vectors of one denominator than `MAX_VECTORS`.
    """
    first, second = score_function(left), score_function(right)
    k, last = whole_number(labels), whole_number(max_denominator)
    if min(k, last) < 2:
        raise BadNumber(min(k, last), "labels and max_denominator must be at least 2")
    check_work(f"a search among vectors of {k} labels", k * last)
    examined: list[tuple[int, int]] = []
    search = partial(_search_level, first, second, k)
    with closing(sweep(search, range(2, last + 1), executor=executor)) as levels:
        for denominator, size, inversions in levels:
            examined.append((denominator, size))
            if progress is not None:
                progress(denominator)
            if inversions:
                break
    return InversionSearch(first, second, k, denominator, tuple(inversions), tuple(examined))


def _search_level(
    left: ScoreFunction, right: ScoreFunction, labels: int, denominator: int
) -> tuple[int, int, list[Inversion]]:
    symmetric = left.symmetric and right.symmetric
    size = _level_size(labels, denominator, symmetric=symmetric)
    if size > MAX_VECTORS:
        rule = f"a denominator must have at most {MAX_VECTORS} vectors of {labels} labels, not {size}"
        raise NotSupported(denominator, rule, "search to a smaller one")
    vectors = list(vectors_over(denominator, labels=labels, symmetric=symmetric))
    first, second = (ranks_of_keys([score.key(vector) for vector in vectors]) for score in (left, right))
    places = sorted(range(len(vectors)), key=lambda place: (first[place], second[place]))
    # Sorted by both ranks, a strict inversion is a fall of the second rank; without one there is none to list.
    if all(second[a] <= second[b] for a, b in pairwise(places)):
        return denominator, size, []
    inversions = [
        Inversion(left, right, vectors[high], vectors[low])
        for at, high in enumerate(places)
        for low in places[:at]
        if first[low] < first[high] and second[low] > second[high]
    ]
    return denominator, size, inversions


def vectors_over(denominator: int, *, labels: int, symmetric: bool = True) -> Iterator[ProbabilityVector]:
    """Yield all vectors n/denominator; of each set of permutations only the falling one, if `symmetric`.

    >>> [str(vector) for vector in vectors_over(3, labels=2)]
    ['(1, 0)/1', '(2, 1)/3']
    """
    for parts in _parts(denominator, labels, denominator, falling=symmetric):
        yield ProbabilityVector(parts, denominator)


def _parts(total: int, labels: int, largest: int, *, falling: bool) -> Iterator[tuple[int, ...]]:
    if total == 0 or labels == 1:
        if total <= largest:
            yield (total, *(0,) * (labels - 1))
        return
    for first in range(min(total, largest), -1, -1):
        if falling and first * labels < total:
            return
        for rest in _parts(total - first, labels - 1, first if falling else total, falling=falling):
            yield (first, *rest)


def _level_size(labels: int, denominator: int, *, symmetric: bool) -> int:
    """Return how many vectors `vectors_over` yields, counted without listing them."""
    # Partitions into at most k parts are those into parts of size at most k; compositions take k coins of size 1.
    ways = [1] + [0] * denominator
    for coin in range(1, labels + 1) if symmetric else (1,) * labels:
        for total in range(coin, denominator + 1):
            ways[total] += ways[total - coin]
    return ways[denominator]
