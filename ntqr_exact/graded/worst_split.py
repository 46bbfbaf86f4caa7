"""The worst split of right answers over strata, bounded from above in fixed point.

Stratum s has Q_s questions, of which m_s are graded; G_s of its answers are right, which a first box limits to
low_s … high_s; X_s of the graded ones are. For a total g of right answers, wanted is the greatest
P(Σ w_s X_s ≤ τ) over all splits G_1 + … + G_S = g. It is bounded by

    V_s(g, τ) = max over G of Σ_x P_G(x)·V_{s−1}(g − G, τ − w_s·x),   V_0(0, τ) = 1 for τ ≥ 0,

because a maximum that may look at x is at least the one that may not. Probabilities are whole numbers over 2²⁶,
rounded up, and so is every V: the bound stays a bound. A sum of products stays below 2⁵⁴.

V_s(g, ·) is one long integer with 64 bits for each τ. Then the sum over x, for all τ at once, is one product of
integers; the maximum and the rounding are a few operations on whole integers, too.

With a `step` above 1 the G of a stratum are taken in groups of that many, each with the chances of its least member:
fewer right answers make every lower tail greater, so that the bound stays a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gmpy2 import mpq, mpz

from ntqr_exact.significance.hypergeometric import Design

_BITS = 26
ONE = 1 << _BITS
_SLOT = 64


@dataclass(frozen=True, slots=True)
class BoxedStratum:
    """One stratum: how many are graded of how many, the weight of a right answer, and the first box."""

    design: Design
    weight: int
    low: int
    high: int

    def chances(self, truth: int) -> list[tuple[int, int]]:
        """Return each possible number of right answers with its probability over 2²⁶, rounded up."""
        design, samples = self.design, self.design.samples
        return [
            (x, int(-(-design.at(truth, x) * ONE // samples)))
            for x in range(design.fewest(truth), design.most(truth) + 1)
        ]


def worst_tail(strata: Sequence[BoxedStratum], reach: int, *, step: int = 1) -> dict[int, mpq]:
    """Return for each total g an upper bound of the greatest probability that Σ w_s X_s ≤ reach.

    With groups, the bound of their greatest members' total is given: it holds for all splits into these groups.

    >>> {g: str(p) for g, p in worst_tail([BoxedStratum(Design(2, 1), 1, 0, 2)], 0).items()}
    {0: '1', 1: '1/2', 2: '0'}
    """
    row = _Row(reach + 1)
    table = {0: row.every(ONE)}
    for stratum in strata:
        following: dict[int, mpz] = {}
        for truth in range(stratum.low, stratum.high + 1, step):
            greatest = truth + step - 1
            factor = mpz(0)
            for x, chance in stratum.chances(truth):
                if stratum.weight * x <= reach:
                    factor += mpz(chance) << (_SLOT * stratum.weight * x)
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
