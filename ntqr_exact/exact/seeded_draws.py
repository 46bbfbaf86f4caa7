"""Uniform whole numbers from a seed, the same everywhere.

All randomness comes from `random.Random(seed).getrandbits`, the Mersenne twister, whose bits for a whole seed do
not depend on the machine. A number below a bound is drawn by rejection here: how `randrange` does it is
not documented.
"""

from __future__ import annotations

import random
from importlib.util import find_spec
from typing import Any

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, whole_number

_WORD = 32
_MANY = 200
"""Draws from which on an array of words takes less time than single draws."""


def bits_from(seed: RationalLike) -> random.Random:
    """Return the stream of random bits for a seed, which is a whole number from 0."""
    return random.Random(whole_number(seed, "seed"))


def below(bits: random.Random, bound: int) -> int:
    """Return a whole number from 0 to bound − 1, each equally likely, exactly.

    The fewest bits that can hold bound − 1 are drawn, and drawn again while they make bound or more.

    >>> below(bits_from(7), 10**30)
    487320478161116480663150048312
    """
    if bound < 1:
        raise BadNumber(bound, "bound must be at least 1")
    width = (bound - 1).bit_length()
    while (drawn := bits.getrandbits(width)) >= bound:
        pass
    return drawn


def drawn_below(bits: random.Random, bound: int, count: int) -> Any:
    """Return what `count` calls of `below` would, as an array if they are many, and leave the stream where they would.

    A number of up to 32 bits is the upper part of one word of the stream, and a long number has its words in order.
    """
    width = (bound - 1).bit_length()
    if not 0 < width <= _WORD or count < _MANY or find_spec("numpy") is None:
        return [below(bits, bound) for _ in range(count)]
    from numpy import concatenate, frombuffer

    accepted: list[Any] = []
    while count:  # as many words as numbers are missing: none is drawn beyond the last number
        stream = bits.getrandbits(_WORD * count).to_bytes(4 * count, "little")
        drawn = frombuffer(stream, "<u4") >> (_WORD - width)
        accepted.append(drawn.compress(drawn < bound))
        count -= len(accepted[-1])
    return concatenate(accepted)
