"""The moments of three judges between two labels, over one denominator, as whole numbers."""

from __future__ import annotations

from dataclasses import dataclass

from ntqr_exact.votes.counts import VoteCounts

PAIRS = ((0, 1), (0, 2), (1, 2))


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
    a, b = votes.labels
    seen = dict(votes.counts.items())

    def given_by_all(*pattern: str) -> int:
        return seen.get(pattern, 0)

    aab, aba, baa = given_by_all(a, a, b), given_by_all(a, b, a), given_by_all(b, a, a)
    abb, bab, bba = given_by_all(a, b, b), given_by_all(b, a, b), given_by_all(b, b, a)
    bbb = given_by_all(b, b, b)
    b1, b2, b3 = baa + bab + bba + bbb, aba + abb + bba + bbb, aab + abb + bab + bbb
    size = votes.size
    d12 = size * (bba + bbb) - b1 * b2
    d13 = size * (bab + bbb) - b1 * b3
    d23 = size * (abb + bbb) - b2 * b3
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
