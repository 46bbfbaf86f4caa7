"""An interval for the right answers of all strata together, each with a random sample of its own.

Berger and Boos (1994): a first box holds the right answers of every stratum at the level 1 − α/10. A total g is kept
iff under the worst split of g within the box both tail probabilities of the observed sum Σ w_s X_s, with w_s near
Q_s/m_s, exceed (α − α/10)/2. The greatest P(Σ w_s X_s ≤ τ) over all splits G_1 + … + G_S = g is bounded by

    V_s(g, τ) = max over G of Σ_x P_G(x)·V_{s−1}(g − G, τ − w_s·x),   V_0(0, τ) = 1 for τ ≥ 0,

because a maximum that may depend on x is at least the one that may not. Probabilities are whole numbers over 2²⁶,
rounded up, and so is every V. V_s(g, ·) is one long integer with 64 bits for each τ: the sum over x, for all τ at once,
is one product of integers.
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

_BITS = 26
ONE = 1 << _BITS
_SLOT = 64


class GradedStratum(NamedTuple):
    """Some questions of one kind: of `design.size` of them `design.graded` are graded, and `right` of these right."""

    design: Hypergeometric
    right: int


def strata_interval(strata: Sequence[GradedStratum], level: mpq) -> Interval:
    """Return the least and the greatest number of right answers in all strata, at a level.

    >>> strata = [GradedStratum(Hypergeometric(30, 10), 9), GradedStratum(Hypergeometric(20, 10), 4)]
    >>> strata_interval(strata, mpq(19, 20))
    (26, 41)
    """
    open_strata = [stratum for stratum in strata if stratum.design.graded < stratum.design.size]
    known = sum(stratum.right for stratum in strata) - sum(stratum.right for stratum in open_strata)
    if len(open_strata) < 2:
        ends = [central_interval(stratum.design, stratum.right, level) for stratum in open_strata]
        return known + sum(low for low, _ in ends), known + sum(high for _, high in ends)
    # A long row of values last: the work grows with the totals that have been reached so far.
    ordered = sorted(open_strata, key=lambda s: (s.design.size, s.design.graded, s.right))
    lost = 1 - level
    share = independent_share(1 - lost * _FIRST_STAGE, len(ordered))
    boxes = [central_interval(stratum.design, stratum.right, share) for stratum in ordered]
    tail = lost * (1 - _FIRST_STAGE) / 2
    highest = _greatest_total(ordered, boxes, tail)
    mirrored = [GradedStratum(s.design, s.design.graded - s.right) for s in ordered]
    sizes = [s.design.size for s in ordered]
    wrong_boxes = [(size - high, size - low) for size, (low, high) in zip(sizes, boxes, strict=True)]
    lowest = sum(sizes) - _greatest_total(mirrored, wrong_boxes, tail)
    return known + lowest, known + highest


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


class BoxedStratum(NamedTuple):
    """One stratum: how many are graded of how many, the weight of a right answer, and the first box."""

    design: Hypergeometric
    weight: int
    low: int
    high: int


def worst_tail(strata: Sequence[BoxedStratum], reach: int, *, step: int = 1) -> dict[int, mpq]:
    """Return for each total g an upper bound of the greatest probability that Σ w_s X_s ≤ reach.

    With a `step` above 1 the G of a stratum are taken in groups of that many, each with the chances of its least
    member: fewer right answers make every lower tail greater. The total is that of their greatest members.

    >>> {g: str(p) for g, p in worst_tail([BoxedStratum(Hypergeometric(2, 1), 1, 0, 2)], 0).items()}
    {0: '1', 1: '1/2', 2: '0'}
    """
    row = _Row(reach + 1)
    table = {0: row.every(ONE)}
    for stratum in strata:
        following: dict[int, mpz] = {}
        for truth in range(stratum.low, stratum.high + 1, step):
            greatest = truth + step - 1
            design, factor = stratum.design, mpz(0)
            for x in range(design.fewest(truth), design.most(truth) + 1):
                if stratum.weight * x <= reach:
                    chance = -(-design.at(truth, x) * ONE // design.samples())
                    factor += chance << (_SLOT * stratum.weight * x)
            for total, values in table.items():
                product = row.cut(values * factor)
                known = following.get(total + greatest)
                following[total + greatest] = product if known is None else row.greater(known, product)
        table = {total: row.rounded_up(values) for total, values in following.items()}
    return {total: min(mpq(1), mpq(row.last(values), ONE)) for total, values in sorted(table.items())}


class _Row:
    """Operations on all 64-bit places of a long integer at once; every place holds less than 2⁶³."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._ones = ((mpz(1) << (_SLOT * places)) - 1) // ((1 << _SLOT) - 1)
        self._top = self._ones << (_SLOT - 1)
        self._everything = (mpz(1) << (_SLOT * places)) - 1
        self._kept_bits = self._ones * ((1 << (_SLOT - _BITS)) - 1)

    def every(self, value: int) -> mpz:
        return self._ones * value

    def cut(self, values: mpz) -> mpz:
        return values & self._everything

    def greater(self, left: mpz, right: mpz) -> mpz:
        """Return the greater of two values at each place.

        With the top bit set, a place of `left` does not borrow; the bit survives iff left ≥ right.
        """
        survives = ((left | self._top) - right) & self._top
        mask = survives - (survives >> (_SLOT - 1))
        return right ^ ((left ^ right) & mask)

    def rounded_up(self, values: mpz) -> mpz:
        """Return each value over 2²⁶, rounded up; what slides in from the place above is masked off."""
        return ((values + self._ones * (ONE - 1)) >> _BITS) & self._kept_bits

    def last(self, values: mpz) -> mpz:
        return values >> (_SLOT * (self._places - 1))
