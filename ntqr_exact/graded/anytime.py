"""The interval that stays valid however often one looks while grading.

Before M is known, let every M from 0 to Q be equally likely: then every r from 0 to m is. The ratio of this
1/(m+1) to the chance of r under the true M is a martingale as the grades come in one by one, and begins at 1. By
Ville's inequality it ever reaches 1/α with a probability of at most α. So M is kept iff
(m+1)·C(M, r)·C(Q−M, m−r) > α·C(Q, m). The left side first rises, then falls in M: the kept M are an interval, and its
mean over M is above the right side: it is never empty.
"""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq

from ntqr_exact.graded.central import Interval
from ntqr_exact.significance.hypergeometric import Design


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
    return _last_kept(keeps, likeliest, right - 1), _last_kept(keeps, likeliest, size - graded + right + 1)


def _last_kept(keeps: Callable[[int], bool], kept: int, dropped: int) -> int:
    while abs(dropped - kept) > 1:
        middle = (kept + dropped) // 2
        if keeps(middle):
            kept = middle
        else:
            dropped = middle
    return kept
