"""Numbers u + w√d over one common denominator, as pairs of integers: what a long exact search needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.errors import NotOrdered
from ntqr_exact.exact.surd import Surd, surd_sign

Pair: TypeAlias = tuple[int, int]
"""The integers (u, w) of u + w√d."""


@dataclass(frozen=True, slots=True)
class CommonField:
    """Real numbers of one quadratic field: number i is (u_i + w_i√d)/denominator.

    >>> CommonField.of([mpq(1, 2), Surd("1/3", "1/6", 5)])
    CommonField(denominator=6, radicand=5, pairs=((3, 0), (2, 1)))
    """

    denominator: int
    radicand: int
    pairs: tuple[Pair, ...]

    @classmethod
    def of(cls, numbers: Sequence[mpq | Surd]) -> CommonField:
        """Bring numbers to one denominator and one radicand.

        Raises `NotASurd` if their roots are not commensurable, `NotOrdered` if one is imaginary.
        """
        surds = [number if isinstance(number, Surd) else Surd(number) for number in numbers]
        for number in surds:
            if not number.is_real:
                raise NotOrdered(number, "an imaginary number has no distance")
        radicand = next((number.radicand for number in surds if not number.is_rational), mpz(1))
        root = Surd(0, 1, radicand)
        # If the radicand is 1 all numbers are rational, and every coefficient is 0.
        parts = [
            (number.rational, ((number - number.rational) / root).rational if radicand != 1 else mpq(0))
            for number in surds
        ]
        denominator = lcm(*(int(part.denominator) for pair in parts for part in pair))
        return cls(
            denominator,
            int(radicand),
            tuple((int(mpz(a * denominator)), int(mpz(b * denominator))) for a, b in parts),
        )

    def exceeds(self, left: Pair, right: Pair) -> bool:
        """Tell whether u + w√d of `left` is greater than that of `right`, exactly."""
        return surd_sign(left[0] - right[0], left[1] - right[1], self.radicand) > 0
