"""Uniform whole numbers from a seed, the same everywhere.

All randomness comes from `random.Random(seed).getrandbits`, the Mersenne twister, whose bits for a whole seed do
not depend on the machine. A number below a bound is drawn by rejection here: how `randrange` does it is
not documented.
"""

from __future__ import annotations

import random
from importlib.util import find_spec
from typing import Any

from ntqr_exact.errors import BadNumber, NtqrExactError
from ntqr_exact.exact.rational import RationalLike, whole_number

_WORD = 32
_MANY = 200
"""Draws from which on an array of words takes less time than single draws."""


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


def drawn_below(bits: random.Random, bound: int, count: int) -> Any:
    """Return what `count` calls of `below` would, as an array if they are many, and leave the stream where they would.

    A number of up to 32 bits is the upper part of one word of the stream, and a long number has its words in order.
    """
    width = (bound - 1).bit_length()
    if not 0 < width <= _WORD or count < _MANY or find_spec("numpy") is None:
        return [below(bits, bound) for _ in range(count)]
    from numpy import frombuffer

    start, words = bits.getstate(), 0
    accepted: Any = ()
    while len(accepted) < count:
        # bound/2^width of the words are accepted on average; the rare shortfall asks for more.
        words += (count << width) // bound + count // 16 + _MANY
        bits.setstate(start)
        stream = bits.getrandbits(_WORD * words).to_bytes(4 * words, "little")
        drawn = frombuffer(stream, "<u4") >> (_WORD - width)
        accepted = (drawn < bound).nonzero()[0]
    bits.setstate(start)
    bits.getrandbits(_WORD * (int(accepted[count - 1]) + 1))
    return drawn[accepted[:count]]
