"""`Draws`: the randomness of one case, a function of the seed, the family and the index alone.

A case thus never depends on how many others are made, in which order, or by which process.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import whole_text
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.varieties.sampling import uniform_composition

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Draws:
    """Uniform draws from a stream of bits, the same on every machine."""

    bits: random.Random

    @classmethod
    def of(cls, seed: int, family: str, index: int) -> Draws:
        """Return the draws of one case.

        >>> Draws.of(1, "vote-moments", 0).between(1, 6)
        2
        """
        return cls(
            bits_from(int(hashlib.sha256(f"{whole_text(seed)}/{family}/{index}".encode()).hexdigest(), 16))
        )

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to bound − 1."""
        return below(self.bits, bound)

    def between(self, lowest: int, highest: int) -> int:
        """Return a whole number, both ends included."""
        return lowest + below(self.bits, highest - lowest + 1)

    def pick(self, items: Sequence[_Item]) -> _Item:
        """Return one of some items."""
        return items[below(self.bits, len(items))]

    def shuffled(self, items: Sequence[_Item]) -> list[_Item]:
        """Return all items in a uniform order, by the exchanges of Fisher and Yates."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = below(self.bits, last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def counts(self, total: int, boxes: int) -> list[int]:
        """Return a uniform way to distribute a total over boxes."""
        return list(uniform_composition(self.bits, total, boxes))

    def share(self, largest_denominator: int) -> mpq:
        """Return a rational from 0 to 1, both ends included, with a uniform denominator up to the largest."""
        denominator = self.between(1, largest_denominator)
        return mpq(self.between(0, denominator), denominator)
