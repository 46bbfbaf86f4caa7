"""The threshold of ATC, chosen on whole ranks: which rank, and how much of the source lies strictly below it.

With source weight W and weight c_g strictly below the score of group g, the threshold is the group that makes
|Γ − c_g/W| least. The c_g rise strictly, so at most two groups are best, one on either side of Γ; a tie rule then
says which.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.whole_numbers import Array


class TieRule(Enum):
    """Which threshold is taken where two are equally near to Γ; both rules go by the order of scores alone.

    Maaz et al. 2023, eq. 2, names none, and lemma 1 needs one.
    """

    SMALLEST = "smallest"
    LARGEST = "largest"


@dataclass(frozen=True, slots=True)
class RankGroups:
    """The ranks that occur, in order, with the weight strictly below each, and the weight of all."""

    ranks: tuple[int, ...]
    below: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, ranked: Iterable[tuple[int, int]]) -> RankGroups:
        """Collect pairs of rank and weight; what weighs nothing is not there.

        >>> RankGroups.of([(3, 1), (0, 2), (3, 1)])
        RankGroups(ranks=(0, 3), below=(0, 2), total=4)
        """
        weights: dict[int, int] = {}
        for rank, weight in ranked:
            if weight:
                weights[rank] = weights.get(rank, 0) + weight
        ranks = tuple(sorted(weights))
        sums = tuple(accumulate((weights[rank] for rank in ranks), initial=0))
        return cls(ranks, sums[:-1], sums[-1])

    def threshold(self, gamma: mpq, rule: TieRule) -> int:
        """Return the place of the group whose share below is nearest to Γ.

        >>> groups = RankGroups.of([(0, 1), (1, 1)])
        >>> [groups.threshold(mpq(1, 4), rule) for rule in TieRule]
        [0, 1]
        """
        return nearest(self.below, gamma * self.total, rule)

    def share_below(self, rank: int) -> mpq:
        """Return the share of all weight that lies strictly below a rank, whether it occurs or not."""
        place = bisect_right(self.ranks, rank - 1)
        return mpq(self.below[place] if place < len(self.below) else self.total, self.total)


def threshold_rank(ranks: Array, gamma: mpq, rule: TieRule) -> int:
    """Return the rank of the threshold on an array of small ranks, each of weight 1: as `RankGroups.threshold` does.

    Shares below are compared as whole numbers, of which only the two next to Γ are needed.
    """
    import numpy

    counts = numpy.bincount(ranks)
    present = numpy.flatnonzero(counts)
    below = numpy.cumsum(counts)[present] - counts[present]
    wanted = gamma * len(ranks)
    above = int(numpy.searchsorted(below, int(wanted), side="right"))
    first = max(above - 1, 0)
    return int(present[first + nearest(below[first : first + 2].tolist(), wanted, rule)])


def nearest(rising: Sequence[int], wanted: mpq, rule: TieRule) -> int:
    """Return the place of the number nearest to `wanted` in a strictly rising sequence."""
    rule = chosen(rule, TieRule)
    above = bisect_right(rising, wanted)
    if above == 0:
        return 0
    if above == len(rising):
        return above - 1
    falls_short, exceeds = wanted - rising[above - 1], rising[above] - wanted
    if falls_short == exceeds:
        return above - 1 if rule is TieRule.SMALLEST else above
    return above - 1 if falls_short < exceeds else above
