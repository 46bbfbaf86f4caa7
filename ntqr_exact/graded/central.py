"""The intervals of one random sample: the central one, and the one that stays valid however often one looks.

**Central**, both tails of the hypergeometric test above α/2: M is kept iff P_M(X ≤ r) > α/2 and P_M(X ≥ r) > α/2. The
first tail falls in M and the second rises, so that the kept M are an interval, whose upper end is the last M with
g(r, M) > α/2·C(Q, m). The lower end is the mirror image: Q minus the upper end of the m − r wrong answers.

**Anytime**: before M is known, let every M from 0 to Q be equally likely: then every r from 0 to m is. The ratio of
this 1/(m+1) to the chance of r under the true M is a martingale as the grades come in one by one, and begins at 1. By
Ville's inequality it ever reaches 1/α with a probability of at most α. So M is kept iff (m+1)·C(M, r)·C(Q−M, m−r) >
α·C(Q, m). The left side first rises, then falls in M: the kept M are an interval, and its mean over M is above the
right side: it is never empty.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from gmpy2 import mpq

from ntqr_exact.significance.hypergeometric import Design

Interval = tuple[int, int]


def central_interval(design: Design, right: int, level: mpq) -> Interval:
    """Return the least and the greatest number of right answers among all questions, at a level.

    >>> central_interval(Design(100, 20), 15, mpq(19, 20))
    (54, 90)
    """
    size, graded = design.size, design.graded
    return size - _upper_end(design, graded - right, level), _upper_end(design, right, level)


def _upper_end(design: Design, right: int, level: mpq) -> int:
    limit = design.limit((1 - level) / 2)
    return last_kept(
        lambda truth: design.at_most(truth, right) > limit, right, design.size - design.graded + right + 1
    )


def last_kept(keeps: Callable[[int], bool], kept: int, dropped: int) -> int:
    """Return the last kept number from one that is kept towards one that is not, by bisection.

    >>> last_kept(lambda number: number**2 < 50, 0, 50), last_kept(lambda number: number > 3, 9, 0)
    (7, 4)
    """
    while abs(dropped - kept) > 1:
        middle = (kept + dropped) // 2
        if keeps(middle):
            kept = middle
        else:
            dropped = middle
    return kept


@lru_cache(maxsize=64)
def central_intervals(design: Design, level: mpq) -> tuple[Interval, ...]:
    """Return the central intervals for r = 0, …, m at once, in Q + m steps.

    The upper end grows with r. So one walk along the stairs finds them all: up in M while the tail stays above
    the limit, then one step in r.
    """
    size, graded = design.size, design.graded
    limit = design.limit((1 - level) / 2)
    ends, truth, tail = [], 0, design.samples
    for right in range(graded + 1):
        if right:
            tail += design.at(truth, right)
        while truth < size - graded + right and (next_tail := tail - design.lost(truth, right)) > limit:
            truth, tail = truth + 1, next_tail
        ends.append(truth)
    return tuple((size - ends[graded - right], ends[right]) for right in range(graded + 1))


def anytime_interval(design: Design, right: int, level: mpq) -> Interval:
    """Return the least and the greatest number of right answers, valid at all looks together.

    >>> anytime_interval(Design(100, 20), 15, mpq(19, 20))
    (46, 93)
    """
    size, graded = design.size, design.graded
    if graded == 0:
        return 0, size
    limit = design.limit((1 - level) / (graded + 1))

    def keeps(truth: int) -> bool:
        return design.at(truth, right) > limit

    # N grows from M to M + 1 iff m(M + 1) ≤ r(Q + 1).
    likeliest = min(right * (size + 1) // graded, size)
    return last_kept(keeps, likeliest, right - 1), last_kept(keeps, likeliest, size - graded + right + 1)
