"""The central interval of one random sample: both tails of the hypergeometric test above α/2.

M is kept iff P_M(X ≤ r) > α/2 and P_M(X ≥ r) > α/2. The first tail falls in M and the second rises, so that the
kept M are an interval, whose upper end is the last M with g(r, M) > α/2·C(Q, m). The lower end is the mirror image:
Q minus the upper end of the m − r wrong answers.
"""

from __future__ import annotations

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
    kept, dropped = right, design.size - design.graded + right + 1
    while dropped - kept > 1:
        middle = (kept + dropped) // 2
        if design.at_most(middle, right) > limit:
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
