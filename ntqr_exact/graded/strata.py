"""An interval for the right answers of all strata together, each with a random sample of its own.

Berger and Boos (1994): a first box holds the right answers of every stratum at the level 1 − α/10. A total g is kept
iff under the worst split of g within the box both tail probabilities of the observed sum exceed (α − α/10)/2. If the
box holds the truth, each tail is wrong with a probability of at most (α − α/10)/2; together with the box, that makes
α. The observed sum is Σ w_s X_s with w_s near Q_s/m_s; any weights would be valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, isqrt

from gmpy2 import mpq

from ntqr_exact.graded.central import Interval, central_interval
from ntqr_exact.graded.level import independent_share
from ntqr_exact.graded.worst_split import BoxedStratum, worst_tail
from ntqr_exact.significance.hypergeometric import Design

_FIRST_STAGE = mpq(1, 10)
_LONGEST_ROW = 400
"""The weighted sum takes about this many values at most: finer weights cost time and gain little."""

_MOST_WORK = 60_000_000
"""Totals times box times values of the sum; above it, neighbouring truths share one bound: valid, a little wider."""


@dataclass(frozen=True, slots=True)
class GradedStratum:
    """Some questions of one kind: of `design.size` of them `design.graded` are graded, and `right` of these right."""

    design: Design
    right: int


def strata_interval(strata: Sequence[GradedStratum], level: mpq) -> Interval:
    """Return the least and the greatest number of right answers in all strata, at a level.

    >>> strata_interval([GradedStratum(Design(30, 10), 9), GradedStratum(Design(20, 10), 4)], mpq(19, 20))
    (26, 41)
    """
    known = sum(stratum.right for stratum in strata if _is_complete(stratum))
    open_strata = [stratum for stratum in strata if not _is_complete(stratum)]
    if len(open_strata) < 2:
        ends = [central_interval(stratum.design, stratum.right, level) for stratum in open_strata]
        return known + sum(low for low, _ in ends), known + sum(high for _, high in ends)
    # A long row of values last: the work grows with the totals that have been reached so far.
    ordered = sorted(open_strata, key=lambda s: (s.design.size, s.design.graded, s.right))
    lost = 1 - level
    boxes = boxes_of(ordered, 1 - lost * _FIRST_STAGE)
    tail = lost * (1 - _FIRST_STAGE) / 2
    highest = _greatest_total(ordered, boxes, tail)
    mirrored = [GradedStratum(s.design, s.design.graded - s.right) for s in ordered]
    sizes = [s.design.size for s in ordered]
    wrong_boxes = [(size - high, size - low) for size, (low, high) in zip(sizes, boxes, strict=True)]
    lowest = sum(sizes) - _greatest_total(mirrored, wrong_boxes, tail)
    return known + lowest, known + highest


def boxes_of(strata: Sequence[GradedStratum], level: mpq) -> list[Interval]:
    """Return an interval for each stratum, such that all of them hold together at a level."""
    share = independent_share(level, len(strata))
    return [central_interval(stratum.design, stratum.right, share) for stratum in strata]


def _greatest_total(strata: Sequence[GradedStratum], boxes: Sequence[Interval], tail: mpq) -> int:
    weights = _weights(strata)
    seen = sum(weight * stratum.right for weight, stratum in zip(weights, strata, strict=True))
    boxed = [
        BoxedStratum(stratum.design, weight, low, high)
        for stratum, weight, (low, high) in zip(strata, weights, boxes, strict=True)
    ]
    step = 1 + isqrt(sum(high - low for low, high in boxes) ** 2 * (seen + 1) // _MOST_WORK)
    kept = (total for total, chance in worst_tail(boxed, seen, step=step).items() if chance > tail)
    return min(max(kept), sum(high for _, high in boxes))


def _weights(strata: Sequence[GradedStratum]) -> list[int]:
    """Return whole weights near a multiple of Q_s/m_s, small enough for a short row."""
    questions = sum(stratum.design.size for stratum in strata if stratum.design.graded)
    scale = min(mpq(1), mpq(_LONGEST_ROW, max(1, questions)))
    weights = [
        max(1, int(scale * s.design.size / s.design.graded + mpq(1, 2))) if s.design.graded else 0
        for s in strata
    ]
    divisor = max(1, gcd(*weights))
    return [weight // divisor for weight in weights]


def _is_complete(stratum: GradedStratum) -> bool:
    return stratum.design.size == stratum.design.graded
