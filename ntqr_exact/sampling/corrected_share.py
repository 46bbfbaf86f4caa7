"""The share of positive questions, from a judge whose error rates were measured on other questions.

The judge calls a question positive with the probability p = θ·q1 + (1−θ)·(1−q0), where θ is the share of positives,
q1 the sensitivity and q0 the specificity. Rogan and Gladen (1978) solve for θ, and divide by q0 + q1 − 1. Here nothing
is divided: three exact binomial intervals hold together, and θ is kept iff some p, q1 and q0 in them fit it. That is
linear in θ: what is kept is an interval, which may be empty or everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.sampling.designs import Binomial, check_level, independent_share
from ntqr_exact.sampling.intervals import interval

_GRID = 10**6
"""Ends of the binomial intervals are rounded outwards to this fineness."""

Hits: TypeAlias = "tuple[RationalLike, RationalLike]"
"""How many of how many."""
Box = tuple[mpq, mpq]


@dataclass(frozen=True, slots=True)
class CorrectedShare:
    """The shares that fit the three intervals at a level; `lower` and `upper` are `None` if no share does."""

    level: mpq
    called_positive: Box
    sensitivity: Box
    specificity: Box
    lower: mpq | None
    upper: mpq | None


def corrected_share(
    called_positive: Hits, *, sensitivity: Hits, specificity: Hits, level: RationalLike = "0.95"
) -> CorrectedShare:
    """Return the shares of positives that a judge's answers allow, at a level.

    `called_positive` is how many of all questions the judge calls positive; `sensitivity` how many of the positives
    elsewhere it called so, `specificity` how many of the negatives elsewhere it did not.

    >>> found = corrected_share((60, 200), sensitivity=(45, 50), specificity=(48, 50))
    >>> found.lower, found.upper
    (mpq(63742,813457), mpq(380760,751679))
    """
    share = independent_share(check_level(level), 3)
    called, q1, q0 = (_box(hits, share) for hits in (called_positive, sensitivity, specificity))
    low, high = mpq(0), mpq(1)
    # start + slope·θ ≤ p_high with the least rates, and ≥ p_low with the greatest ones
    for start, slope, bound, sign in (
        (1 - q0[1], q1[0] - (1 - q0[1]), called[1], 1),
        (1 - q0[0], q1[1] - (1 - q0[0]), called[0], -1),
    ):
        room, rise = sign * (bound - start), sign * slope  # keep rise·θ ≤ room
        if rise > 0:
            high = min(high, room / rise)
        elif rise < 0:
            low = max(low, room / rise)
        elif room < 0:
            high = mpq(-1)
    ends = (low, high) if low <= high else (None, None)
    return CorrectedShare(check_level(level), called, q1, q0, *ends)


def _box(hits: Hits, level: mpq) -> Box:
    right, trials = whole_number(hits[0]), whole_number(hits[1])
    if right > trials:
        raise BadNumber(hits, "a pair must be how many of how many")
    if trials == 0:
        return mpq(0), mpq(1)
    ends = interval(Binomial(trials), right, "clopper_pearson", level)
    low, high = int(ends.lower.lower * _GRID), -int(-ends.upper.upper * _GRID // 1)
    return mpq(max(0, low), _GRID), mpq(min(_GRID, high), _GRID)
