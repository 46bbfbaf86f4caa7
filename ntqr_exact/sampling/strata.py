"""An interval for the right answers of all strata together, each with a random sample of its own.

Berger and Boos (1994): a first box holds the right answers of every stratum at the level 1 − α/10. A total g is kept
iff under the worst split of g within the box both tail probabilities of the observed sum Σ w_s X_s, with w_s near
Q_s/m_s, exceed (α − α/10)/2. The greatest P(Σ w_s X_s ≤ τ) over all splits G_1 + … + G_S = g is bounded by

    V_s(g, τ) = max over G of Σ_x P_G(x)·V_{s−1}(g − G, τ − w_s·x),   V_0(0, τ) = 1 for τ ≥ 0,

because a maximum that may depend on x is at least the one that may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, isqrt
from typing import NamedTuple

from gmpy2 import mpq, mpz

from ntqr_exact.sampling.designs import Hypergeometric, independent_share
from ntqr_exact.sampling.intervals import Interval, central_interval

_FIRST_STAGE = mpq(1, 10)
_LONGEST_ROW = 400
"""The weighted sum takes about this many values at most: finer weights cost time and gain little."""

_MOST_WORK = 6_000_000
"""Totals times box times values of the sum; above it, neighbouring truths share one bound: valid, a little wider."""

_BITS, _SLOT = 26, 64
"""Probabilities are whole numbers over 2²⁶, rounded up, in places of 64 bits."""
_ONE = 1 << _BITS


class GradedStratum(NamedTuple):
    """Some questions of one kind: of `design.size` of them `design.graded` are graded, and `right` of these right."""

    design: Hypergeometric
    right: int


class BoxedStratum(NamedTuple):
    """One stratum: how many are graded of how many, the weight of a right answer, and the first box."""

    design: Hypergeometric
    weight: int
    low: int
    high: int


def strata_interval(strata: Sequence[GradedStratum], level: mpq) -> Interval:
    """Return the least and the greatest number of right answers in all strata, at a level.

    >>> strata = [GradedStratum(Hypergeometric(30, 10), 9), GradedStratum(Hypergeometric(20, 10), 4)]
    >>> strata_interval(strata, mpq(19, 20))
    (26, 41)
    """
    known = sum(right for design, right in strata if design.graded == design.size)
    # A long row of values last: the work grows with the totals that have been reached so far.
    ordered = sorted(
        (s for s in strata if s.design.graded < s.design.size),
        key=lambda s: (s.design.size, s.design.graded, s.right),
    )
    if len(ordered) < 2:
        ends = [central_interval(*stratum, level) for stratum in ordered]
        return known + sum(low for low, _ in ends), known + sum(high for _, high in ends)
    lost = 1 - level
    share = independent_share(1 - lost * _FIRST_STAGE, len(ordered))
    tail = lost * (1 - _FIRST_STAGE) / 2
    boxes = [central_interval(*stratum, share) for stratum in ordered]
    highest = _greatest_total(ordered, boxes, tail)
    wrong = [GradedStratum(design, design.graded - right) for design, right in ordered]
    sizes = [design.size for design, _ in ordered]
    wrong_boxes = [(size - high, size - low) for size, (low, high) in zip(sizes, boxes, strict=True)]
    return known + sum(sizes) - _greatest_total(wrong, wrong_boxes, tail), known + highest


def _greatest_total(strata: Sequence[GradedStratum], boxes: Sequence[Interval], tail: mpq) -> int:
    # Whole weights near a multiple of Q_s/m_s, small enough for a short row.
    questions = sum(design.size for design, _ in strata if design.graded)
    scale = min(mpq(1), mpq(_LONGEST_ROW, max(1, questions)))
    weights = [
        max(1, int(scale * design.size / design.graded + mpq(1, 2))) if design.graded else 0
        for design, _ in strata
    ]
    weights = [weight // max(1, gcd(*weights)) for weight in weights]
    seen = sum(weight * right for weight, (_, right) in zip(weights, strata, strict=True))
    boxed = [
        BoxedStratum(design, weight, low, high)
        for (design, _), weight, (low, high) in zip(strata, weights, boxes, strict=True)
    ]
    step = 1 + isqrt(sum(high - low for low, high in boxes) ** 2 * (seen + 1) // _MOST_WORK)
    kept = (total for total, chance in worst_tail(boxed, seen, step=step).items() if chance > tail)
    return min(max(kept), sum(high for _, high in boxes))


def worst_tail(strata: Sequence[BoxedStratum], reach: int, *, step: int = 1) -> dict[int, mpq]:
    """Return for each total g an upper bound of the greatest probability that Σ w_s X_s ≤ reach.

    With a `step` above 1 the G of a stratum are taken in groups of that many, each with the chances of its least
    member: fewer right answers make every lower tail greater. The total is that of their greatest members.
    V_s(g, ·) is one long integer with a place for each τ: the sum over x, for all τ at once, is one product.

    >>> {g: str(p) for g, p in worst_tail([BoxedStratum(Hypergeometric(2, 1), 1, 0, 2)], 0).items()}
    {0: '1', 1: '1/2', 2: '0'}
    """
    everything = (mpz(1) << (_SLOT * (reach + 1))) - 1
    ones = everything // ((1 << _SLOT) - 1)
    top, kept_bits = ones << (_SLOT - 1), ones * ((1 << (_SLOT - _BITS)) - 1)

    def greater(left: mpz, right: mpz) -> mpz:
        """Return the greater value at each place: with the top bit set, it survives left − right iff left ≥ right."""
        survives = ((left | top) - right) & top
        return right ^ ((left ^ right) & (survives - (survives >> (_SLOT - 1))))

    table = {0: ones * _ONE}
    for design, weight, low, high in strata:
        following: dict[int, mpz] = {}
        for truth in range(low, high + 1, step):
            factor = mpz(0)
            for x in range(design.fewest(truth), design.most(truth) + 1):
                if weight * x <= reach:
                    factor += -(-design.at(truth, x) * _ONE // design.samples()) << (_SLOT * weight * x)
            for before, values in table.items():
                total, product = before + truth + step - 1, values * factor & everything
                following[total] = greater(following[total], product) if total in following else product
        # Each value over 2²⁶, rounded up; what slides in from the place above is masked off.
        table = {g: ((values + ones * (_ONE - 1)) >> _BITS) & kept_bits for g, values in following.items()}
    return {g: min(mpq(1), mpq(values >> (_SLOT * reach), _ONE)) for g, values in sorted(table.items())}
