"""Compositions: the ways to distribute equal things over boxes, counted and in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gmpy2 import bincoef


def count_compositions(total: int, boxes: int) -> int:
    """Return the number of ways to distribute `total` equal things over the boxes, C(total+m−1, m−1).

    >>> count_compositions(1000, 4)
    167668501
    """
    return int(
        bincoef(total + boxes - 1, min(total, boxes - 1))
    )  # far faster than math.comb on large numbers


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
