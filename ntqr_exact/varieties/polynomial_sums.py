"""Sums of values that lie on polynomials, from few of them: Newton's forward differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import comb


def extended(values: Sequence[int], place: int) -> int:
    """Return the value at a place of the polynomial through values at 0, 1, 2, …: Σ_k C(place, k)·Δ^k.

    >>> extended([0, 1, 4], 10**6)
    1000000000000
    """
    total, differences = 0, list(values)
    for order in range(len(values)):
        total += comb(place, order) * differences[0]
        differences = [after - before for before, after in pairwise(differences)]
    return total


def sum_in_pieces(
    function: Callable[[int], int], last: int, breaks: Iterable[int], *, degree: int, margin: int
) -> int:
    """Return Σ f(q) for q from 0 to `last`, where f is a polynomial between neighbouring breaks.

    Near a break, up to the margin, the values are taken one by one; beyond it the sum of the first n values of a piece
    is a polynomial in n of one degree more.

    >>> sum_in_pieces(lambda q: abs(q - 50), 100, [50], degree=1, margin=1)
    2550
    """
    total, start = 0, 0
    near = range(-margin, margin + 1)
    ends = sorted({min(max(0, place + shift), last + 1) for place in breaks for shift in near})
    for end in (*ends, last + 1):
        sums, n = [0], end - start
        for q in range(start, min(end, start + degree + 1)):
            sums.append(sums[-1] + function(q))
        total += sums[n] if n < len(sums) else extended(sums, n)
        start = end
    return total
