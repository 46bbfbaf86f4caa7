"""The intervals of the textbooks for one random sample, as the numbers of right answers that lie in them.

Wald keeps M iff |r/m − M/Q| ≤ z·√(r(m−r)/m³), Wilson iff |r/m − M/Q| ≤ z·√(M(Q−M)/(mQ²)); `corrected`, the variance
is multiplied by (Q−m)/(Q−1). Both are decided without a root: (rQ − mM)² ≤ z²·V with rational V and the certified
normal quantile z. Clopper and Pearson take the sample for one drawn with replacement.
"""

from __future__ import annotations

from collections.abc import Callable

from gmpy2 import mpq

from ntqr_exact.sampling.designs import Design
from ntqr_exact.sampling.intervals import last_kept
from ntqr_exact.sampling.normal_interval import NormalCritical
from ntqr_exact.sampling.share_intervals import binomial_interval

MaybeInterval = tuple[int, int] | None
"""Least and greatest number of right answers; none where the interval holds no whole number."""


def wald(design: Design, right: int, level: mpq, *, corrected: bool) -> MaybeInterval:
    """Return the truths in Wald's interval.

    >>> wald(Design(100, 20), 15, mpq(19, 20), corrected=False), wald(Design(9, 3), 3, mpq(1, 2), corrected=True)
    ((57, 93), (9, 9))
    """
    size, graded = design.size, design.graded
    if graded == 0:
        return 0, size
    variance = mpq(size**2 * right * (graded - right), graded) * _factor(design, corrected=corrected)
    return _around(design, right, lambda truth: _within(design, right, truth, variance, level))


def wilson(design: Design, right: int, level: mpq, *, corrected: bool) -> MaybeInterval:
    """Return the truths in Wilson's interval.

    >>> wilson(Design(100, 20), 15, mpq(19, 20), corrected=False)
    (54, 88)
    """
    size, graded = design.size, design.graded
    if graded == 0:
        return 0, size
    factor = graded * _factor(design, corrected=corrected)
    return _around(
        design, right, lambda truth: _within(design, right, truth, factor * truth * (size - truth), level)
    )


def clopper_pearson(design: Design, right: int, level: mpq) -> MaybeInterval:
    """Return the truths in Clopper and Pearson's interval."""
    return binomial_interval(design.size, design.graded, right, level)


def _factor(design: Design, *, corrected: bool) -> mpq:
    if not corrected:
        return mpq(1)
    return mpq(design.size - design.graded, max(1, design.size - 1))


def _within(design: Design, right: int, truth: int, variance: mpq, level: mpq) -> bool:
    square = mpq((right * design.size - design.graded * truth) ** 2)
    return NormalCritical(level).compare_square(square, variance) <= 0


def _around(design: Design, right: int, keeps: Callable[[int], bool]) -> MaybeInterval:
    """Return the truths that are kept: a row of them next to Q·r/m, on both sides, as V is concave in M."""
    below = right * design.size // design.graded
    lower, upper = _reach(keeps, below, -1), _reach(keeps, below + 1, design.size + 1)
    if lower is None and upper is None:
        return None
    return below + 1 if lower is None else lower, below if upper is None else upper


def _reach(keeps: Callable[[int], bool], start: int, stop: int) -> int | None:
    """Return the last kept truth from `start` towards `stop`; none if `start` is not kept."""
    if start == stop or not keeps(start):
        return None
    return last_kept(keeps, start, stop)
