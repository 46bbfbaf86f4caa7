"""The moments of three judges between two labels, over one denominator, as whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ntqr_exact.votes.counts import VoteCounts

PAIRS = ((0, 1), (0, 2), (1, 2))

_NO, _YES = False, True


@dataclass(frozen=True, slots=True)
class WholeMoments:
    """The moments over one denominator: counts of a and b answers, Q²Δ, Q³T, Q⁶Π and Q⁶A, A = T² + 4Π."""

    size: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    pair: dict[tuple[int, int], int]
    trio: int
    pair_product: int
    discriminant: int


def whole_moments(votes: VoteCounts) -> WholeMoments:
    """Return the moments of giving the second label.

    >>> whole_moments(VoteCounts({"aaa": 2, "bbb": 1})).pair[0, 1]
    2
    """
    _, b = votes.labels
    seen = {tuple(label == b for label in pattern): count for pattern, count in votes.counts.items()}
    return moments_of(seen)


def moments_of(seen: Mapping[tuple[bool, ...], int]) -> WholeMoments:
    """Return the moments of an event that each of three judges sees or not, from how often each pattern was."""
    get = seen.get
    b_3, b_2, b_1 = get((_NO, _NO, _YES), 0), get((_NO, _YES, _NO), 0), get((_YES, _NO, _NO), 0)
    b_23, b_13, b_12 = get((_NO, _YES, _YES), 0), get((_YES, _NO, _YES), 0), get((_YES, _YES, _NO), 0)
    bbb = get((_YES, _YES, _YES), 0)
    b1, b2, b3 = b_1 + b_13 + b_12 + bbb, b_2 + b_23 + b_12 + bbb, b_3 + b_23 + b_13 + bbb
    size = sum(seen.values())
    d12 = size * (b_12 + bbb) - b1 * b2
    d13 = size * (b_13 + bbb) - b1 * b3
    d23 = size * (b_23 + bbb) - b2 * b3
    trio = size**2 * bbb - b1 * b2 * b3 - b1 * d23 - b2 * d13 - b3 * d12
    product = d12 * d13 * d23
    return WholeMoments(
        size=size,
        first=(size - b1, size - b2, size - b3),
        second=(b1, b2, b3),
        pair={(0, 1): d12, (0, 2): d13, (1, 2): d23},
        trio=trio,
        pair_product=product,
        discriminant=trio**2 + 4 * product,
    )
