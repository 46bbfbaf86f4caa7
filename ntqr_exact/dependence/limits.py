"""What no proof about dependence can tell, and what chance alone would show.

On m questions of a label, judges who err independently still have correlations by chance. Given the answers of one of
them, Γ_ij = (1/m)·Σ (a_k − ā)·b_k has mean 0 over the other's independent answers b_k, and Σ (a_k − ā)² ≤ m/4: by
Hoeffding's inequality |Γ_ij| exceeds t with probability at most 2·exp(−8·m·t²). For a trio the same holds with the
product of the first two deviations in place of a_k − ā. Added up over K correlations, with probability at least
1 − level none of them exceeds √(log(2K/level)/(8m)).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from gmpy2 import mpq

from ntqr_exact.dependence.key_dependence import check_orders
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.enclosure import enclose_log, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_PLACES = 10**6

LIMITS = (
    "What the closest key attains is not the true dependence: the truth is often many times more dependent, and "
    "ranges at that budget often exclude it.",
    "Dependence that all judges share is invisible to votes: copies of one judge look perfect.",
    "Three judges prove little dependence, four and more prove more. Answers like a coin, whose covariances are within "
    "the budget, widen ranges.",
    "The mirror image of every key, its labels exchanged, is as independent: somebody must be no worse than chance.",
)
"""What has to be said beside every number of least dependence."""


def least_step(votes: VoteCounts) -> mpq:
    """Return 1/(Q − 1)³: a key of two labels that is not exactly independent has a correlation at least so large.

    Γ of a pair on m questions is a whole number of 1/m², that of a trio of 1/m³, and m is at most Q − 1.

    >>> least_step(VoteCounts({"aaa": 2, "bbb": 1}))
    mpq(1,8)
    """
    return mpq(1, max(1, votes.size - 1) ** 3)


def sampling_budget(
    key: LabeledVoteCounts, *, orders: Iterable[int] = (2, 3), level: RationalLike = "0.05"
) -> mpq:
    """Return what independent judges exceed on the questions of a key with a probability of at most `level`.

    It is a bound, not a quantile: √(log(2K/level)/(8m)) for the K correlations of the labels with questions, m the
    questions of the smallest, rounded up to six places.

    >>> sampling_budget(LabeledVoteCounts({"a": VoteCounts({"aa": 50, "bb": 50})}), orders=(2,))
    mpq(33953,500000)
    """
    chance = rational(level)
    if not 0 < chance < 1:
        raise BadNumber(level, "a level lies strictly between 0 and 1")
    sizes = [count for count in key.key_counts.values() if count]
    judges, answers = len(key.judges), len(key.labels) if len(key.labels) > 2 else 1
    many = sum(math.comb(judges, order) * answers**order for order in check_orders(orders)) * len(sizes)
    bound = enclose_sqrt(enclose_log(2 * many / chance) / (8 * min(sizes))).upper
    return mpq(math.ceil(bound * _PLACES), _PLACES)
