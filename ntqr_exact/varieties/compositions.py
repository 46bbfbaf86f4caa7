"""Compositions: the ways to distribute equal things over boxes, counted and in order; sums of values on polynomials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import comb

from gmpy2 import bincoef


def count_compositions(total: int, boxes: int) -> int:
    """Return the number of ways to distribute `total` equal things over the boxes, C(total+m−1, m−1).

    >>> count_compositions(1000, 4)
    167668501
    """
    return int(
        bincoef(total + boxes - 1, min(total, boxes - 1))
    )  # that of math is far slower on large numbers


def compositions(total: int, boxes: int, limits: Sequence[int] | None = None) -> Iterator[tuple[int, ...]]:
    """Iterate over the ways to distribute `total` equal things, lexicographically; box i holds ≤ limits[i].

    >>> list(compositions(2, 2)), list(compositions(3, 3, limits=(1, 2, 0)))
    ([(0, 2), (1, 1), (2, 0)], [(1, 2, 0)])
    """
    room = [total] * boxes if limits is None else list(limits)
    # rest[i] is the room in the boxes after i: enough must go into box i for the others to hold the rest.
    rest = [sum(room[place + 1 :]) for place in range(boxes)]

    def fill(place: int, left: int) -> Iterator[tuple[int, ...]]:
        if place == boxes - 1:
            yield (left,)
            return
        for here in range(max(0, left - rest[place]), min(left, room[place]) + 1):
            for others in fill(place + 1, left - here):
                yield (here, *others)

    if total <= sum(room):
        yield from fill(0, total)


def extended(values: Sequence[int], place: int) -> int:
    """Return the value at a place of the polynomial through values at 0, 1, 2, …, by Newton: Σ_k C(place, k)·Δ^k.

    >>> extended([0, 1, 4], 10**6)
    1000000000000
    """
    total, differences = 0, list(values)
    for order in range(len(values)):
        total += comb(place, order) * differences[0]
        differences = [after - before for before, after in pairwise(differences)]
    return total


def sum_in_pieces(function: Callable[[int], int], last: int, breaks: Iterable[int], *, degree: int) -> int:
    """Return Σ f(q) for q from 0 to `last`, where f is a polynomial from each break up to the next.

    The sum of the first n values of a piece is a polynomial in n of one degree more.

    >>> sum_in_pieces(lambda q: abs(q - 50), 100, [50], degree=1)
    2550
    """
    total, start = 0, 0
    ends = sorted({min(max(0, place), last + 1) for place in breaks})
    for end in (*ends, last + 1):
        sums, n = [0], end - start
        for q in range(start, min(end, start + degree + 1)):
            sums.append(sums[-1] + function(q))
        total += sums[n] if n < len(sums) else extended(sums, n)
        start = end
    return total
