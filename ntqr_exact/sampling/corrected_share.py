"""The share of positive questions, from a judge whose error rates were measured on other questions.

The judge calls a question positive with the probability p = θ·q1 + (1−θ)·(1−q0), where θ is the share of positives,
q1 the sensitivity and q0 the specificity. Rogan and Gladen (1978) solve for θ, and divide by q0 + q1 − 1. Here nothing
is divided: three exact binomial intervals hold together, and θ is kept iff some p, q1 and q0 in them fit it:

    θ·q1_low + (1−θ)·(1−q0_high) ≤ p_high   and   θ·q1_high + (1−θ)·(1−q0_low) ≥ p_low.

Both are linear in θ: what is kept is an interval, which may be empty or everything. For graded questions of the same
test, a `PartialKey` knows more.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, TypeAlias

from gmpy2 import bincoef, mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.enclosure import Enclosure, decide_sign
from ntqr_exact.exact.rational import RationalLike, probability, whole_number
from ntqr_exact.sampling.level import check_level, independent_share
from ntqr_exact.sampling.normal_interval import squared_quantile
from ntqr_exact.sampling.share_intervals import binomial_interval

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

    @property
    def is_empty(self) -> bool:
        """Whether no share fits: the rates of elsewhere do not hold here."""
        return self.lower is None

    @property
    def is_whole(self) -> bool:
        """Whether every share fits: the judge tells nothing."""
        return self.lower == 0 and self.upper == 1

    def to_document(self) -> dict[str, Any]:
        """Return the interval as a JSON document."""
        boxes = {
            name: list(getattr(self, name)) for name in ("called_positive", "sensitivity", "specificity")
        }
        return {"level": self.level, **boxes, "lower": self.lower, "upper": self.upper}


@checked
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
    boxes = [_box(*_hits(hits), share) for hits in (called_positive, sensitivity, specificity)]
    return _fitting(check_level(level), *boxes)


def _fitting(level: mpq, called: Box, q1: Box, q0: Box) -> CorrectedShare:
    # a + b·θ ≤ p_high with the least rates, and ≥ p_low with the greatest ones
    low, high = mpq(0), mpq(1)
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
    return CorrectedShare(level, called, q1, q0, *ends)


@lru_cache(maxsize=4096)
def _box(right: int, trials: int, level: mpq) -> Box:
    low, high = binomial_interval(_GRID, trials, right, level)
    return mpq(max(0, low - 1), _GRID), mpq(min(_GRID, high + 1), _GRID)


def _hits(hits: Hits) -> tuple[int, int]:
    right, trials = whole_number(hits[0]), whole_number(hits[1])
    if right > trials:
        raise BadNumber(hits, "give how many of how many: the first number is not the greater one")
    return right, trials


class CorrectionMethod(Enum):
    """How an interval for the corrected share is made."""

    RECTANGLE = "rectangle"
    PUBLISHED = "published"


def coverage_of_share(
    method: CorrectionMethod | str,
    *,
    size: RationalLike,
    positives: RationalLike,
    negatives: RationalLike,
    share: RationalLike,
    sensitivity: RationalLike,
    specificity: RationalLike,
    level: RationalLike = "0.95",
) -> mpq:
    """Return the exact probability that the interval holds the true share.

    `size` questions are answered; `positives` and `negatives` were graded elsewhere. Summed over all outcomes.

    >>> rates = {"share": "1/100", "sensitivity": "11/20", "specificity": "11/20"}
    >>> round(coverage_of_share("published", size=20, positives=5, negatives=5, **rates), 3)
    mpq(71,100)
    """
    kind, confidence = chosen(method, CorrectionMethod), check_level(level)
    theta, q1, q0 = (probability(rate, "a share or a rate") for rate in (share, sensitivity, specificity))
    sizes = [whole_number(number) for number in (size, positives, negatives)]
    rates = [theta * q1 + (1 - theta) * (1 - q0), q1, q0]
    chances = [_chances(number, rate) for number, rate in zip(sizes, rates, strict=True)]
    part = independent_share(confidence, 3)

    def holds(called: int, hit: int, rejected: int) -> bool:
        if kind is CorrectionMethod.PUBLISHED:
            return published_holds(
                theta, (called, sizes[0]), (hit, sizes[1]), (rejected, sizes[2]), confidence
            )
        boxes = (_box(k, n, part) for k, n in zip((called, hit, rejected), sizes, strict=True))
        found = _fitting(confidence, *boxes)
        return found.lower is not None and found.upper is not None and found.lower <= theta <= found.upper

    return sum(
        (
            first * second * third
            for called, first in enumerate(chances[0])
            for hit, second in enumerate(chances[1])
            for rejected, third in enumerate(chances[2])
            if first and second and third and holds(called, hit, rejected)
        ),
        mpq(0),
    )


def published_holds(
    theta: mpq, called: tuple[int, int], hit: tuple[int, int], rejected: tuple[int, int], level: mpq
) -> bool:
    """Tell whether the interval of Lee and others (How to correctly report LLM-as-a-judge evaluations) holds θ.

    With ñ = n + z², p̃ = (k + z²/2)/ñ, m̃ = m + 2 and q̃ = (k + 1)/m̃ it is θ̃ + d ± z·√S/e, where e = q̃0 + q̃1 − 1,
    θ̃ = (p̃ + q̃0 − 1)/e, d = 2z²(θ̃·V1 − (1−θ̃)·V0), S = p̃(1−p̃)/ñ + (1−θ̃)²V0 + θ̃²V1 and V = q̃(1−q̃)/m̃. If e = 0 its
    ends are infinite, and it is taken to hold everything; if e < 0 its lower end lies above its upper end, and it
    holds nothing. Else θ lies in it iff (θ − θ̃ − d)²·e² ≤ z²·S, in which z comes as z² only.
    """
    (k1, m1), (k0, m0) = hit, rejected
    q1, q0 = mpq(k1 + 1, m1 + 2), mpq(k0 + 1, m0 + 2)
    v1, v0 = q1 * (1 - q1) / (m1 + 2), q0 * (1 - q0) / (m0 + 2)
    slope = q0 + q1 - 1
    if slope <= 0:
        return slope == 0

    def excess(bits: int) -> Enclosure:
        square = squared_quantile(level, bits)
        size = called[1] + square
        p = (called[0] + square / 2) / size
        guess = (p + (q0 - 1)) / slope
        shift = 2 * square * (guess * v1 - (1 - guess) * v0)
        spread = p * (1 - p) / size + (1 - guess) * (1 - guess) * v0 + guess * guess * v1
        miss = theta - guess - shift
        return miss * miss * slope**2 - square * spread

    return decide_sign(excess) <= 0


def _chances(trials: int, rate: mpq) -> list[mpq]:
    return [bincoef(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(trials + 1)]
