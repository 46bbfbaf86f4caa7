"""The best assignment: to each row a column of its own, so that the sum of the gains is greatest.

Rows come one after the other. A row takes the column to which the cheapest chain of exchanges leads: prices of rows and
columns keep every cost at 0 or more, so that the chain is a shortest path. All numbers are whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from gmpy2 import mpq


def best_assignment(gains: Sequence[Sequence[int | mpq]]) -> tuple[int, ...]:
    """Return the column of each row in O(n³) steps; of equally good ones, the first in order.

    >>> best_assignment([[3, 2, 0], [3, 0, 1], [0, 0, 0]])
    (1, 0, 2)
    """
    size = len(gains)
    scale = lcm(*(int(mpq(gain).denominator) for row in gains for gain in row)) * size ** (size + 1)
    # The places of the columns, read as digits, decide between equal sums: they are less than one unit of the scale.
    costs = [
        [place * size ** (size - 1 - i) - int(mpq(gain) * scale) for place, gain in enumerate(row)]
        for i, row in enumerate(gains)
    ]
    rows, columns = [0] * size, [0] * size
    owner: dict[int, int] = {}
    chosen = [-1] * size
    for new in range(size):
        reached: dict[int, tuple[int, int]] = {}
        settled: dict[int, int] = {}
        row, so_far = new, 0
        while True:
            for place in range(size):
                way = so_far + costs[row][place] - rows[row] - columns[place]
                if place not in settled and (place not in reached or way < reached[place][0]):
                    reached[place] = way, row
            end = min(
                (place for place in reached if place not in settled), key=lambda place: reached[place][0]
            )
            so_far = settled[end] = reached[end][0]
            if end not in owner:
                break
            row = owner[end]
        rows[new] += so_far
        for place, way in settled.items():
            if place in owner:
                rows[owner[place]] += so_far - way
                columns[place] -= so_far - way
        while True:  # back along the chain, each row to the column after it
            row = reached[end][1]
            owner[end], chosen[row], end = row, end, chosen[row]
            if row == new:
                break
    return tuple(chosen)
