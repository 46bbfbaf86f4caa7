"""Uniform whole numbers from a seed, the same everywhere.

All randomness comes from `random.Random(seed).getrandbits`, the Mersenne twister, whose bits for a whole seed do
not depend on the machine. A number below a bound is drawn by rejection here: how `randrange` does it is
not documented.
"""

from __future__ import annotations

import random

from ntqr_exact.errors import BadNumber, NtqrExactError
from ntqr_exact.exact.rational import RationalLike, whole_number


def bits_from(seed: RationalLike) -> random.Random:
    """Return the stream of random bits for a seed, which is a whole number from 0."""
    try:
        return random.Random(whole_number(seed))
    except NtqrExactError as error:
        raise type(error)(seed, "seed must be a whole number >= 0", error.remedy) from None


def below(bits: random.Random, bound: int) -> int:
    """Return a whole number from 0 to bound − 1, each equally likely, exactly.

    The fewest bits that can hold bound − 1 are drawn, and drawn again while they make bound or more.

    >>> below(bits_from(7), 10**30)
    487320478161116480663150048312
    """
    if bound < 1:
        raise BadNumber(bound, "bound must be at least 1")
    width = (bound - 1).bit_length()
    while True:
        drawn = bits.getrandbits(width)
        if drawn < bound:
            return drawn
