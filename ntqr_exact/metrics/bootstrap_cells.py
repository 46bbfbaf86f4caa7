"""Multinomial draws of cells, and the exact law of a ratio of sums over them, in whole numbers.

A cell is a count c of items that each add the same `above` and `below` to the two sums of a metric. A draw of n = Σ c
items with replacement has the weight n!/Π x_i! · Π c_i^x_i over nⁿ; with the counts divided by their greatest
common divisor g, over (n/g)ⁿ. Neighbouring weights differ by a small factor, (n−x)c/((x+1)d), so that each is
had from the last by two short multiplications and an exact division, and no fraction is ever formed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb
from operator import itemgetter
from typing import TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.errors import NotSupported
from ntqr_exact.exact.rational import power_of

LARGEST_TABLE = 1_000_000
"""Most outcomes that are enumerated."""

LARGEST_STORE = 1 << 31
"""Most bits that the weights of all enumerated outcomes may have together: 256 MB."""

_LARGEST_WALK = 50_000
"""Most items of which two cells are walked through."""

WeightedValue: TypeAlias = tuple[mpq, mpz]


@dataclass(frozen=True, slots=True, order=True)
class WeightedCell:
    """A count of items that each add `above` to the upper and `below` to the lower sum of a metric."""

    above: int
    below: int
    count: int


Draw: TypeAlias = tuple[WeightedCell, ...]
"""The cells of one multinomial draw: all of a plain resample, one stratum of a stratified one."""


def merged(cells: Sequence[WeightedCell]) -> Draw:
    """Return the cells that can be drawn at all, those that enter the metric alike as one.

    >>> merged([WeightedCell(1, 1, 3), WeightedCell(0, 1, 0), WeightedCell(1, 1, 2)])
    (WeightedCell(above=1, below=1, count=5),)
    """
    counts: dict[tuple[int, int], int] = {}
    for cell in cells:
        counts[cell.above, cell.below] = counts.get((cell.above, cell.below), 0) + cell.count
    return tuple(WeightedCell(*sums, count) for sums, count in sorted(counts.items()) if count)


def total_weight(draw: Draw) -> mpz:
    """Return (n/g)ⁿ, the sum of the weights of all outcomes of a draw."""
    size = sum(cell.count for cell in draw)
    return power_of(size // math.gcd(*(cell.count for cell in draw)), size).numerator


def outcomes(draw: Draw) -> Iterator[tuple[int, int, mpz]]:
    """Yield the upper sum, the lower sum and the weight of every outcome of a draw.

    >>> draw = (WeightedCell(0, 1, 2), WeightedCell(1, 1, 1))
    >>> [(above, below, int(weight)) for above, below, weight in outcomes(draw)]
    [(0, 3, 8), (1, 3, 12), (2, 3, 6), (3, 3, 1)]
    """
    size = sum(cell.count for cell in draw)
    divisor = math.gcd(*(cell.count for cell in draw))
    reduced = tuple(WeightedCell(cell.above, cell.below, cell.count // divisor) for cell in draw)
    return _continued(reduced, size, 0, 0, mpz(1))


def _continued(draw: Draw, size: int, above: int, below: int, weight: mpz) -> Iterator[tuple[int, int, mpz]]:
    """Yield the outcomes of `size` more items from the cells of `draw`, on top of what is there."""
    last = draw[-1]
    if len(draw) == 1:
        yield above + size * last.above, below + size * last.below, weight * mpz(last.count) ** size
        return
    if len(draw) == 2:
        first = draw[0]
        weight *= mpz(first.count) ** size
        for x in range(size + 1):
            rest = size - x
            yield (
                above + x * last.above + rest * first.above,
                below + x * last.below + rest * first.below,
                weight,
            )
            weight = weight * (rest * last.count) // ((x + 1) * first.count)
        return
    for x in range(size + 1):
        drawn = weight * comb(size, x) * mpz(last.count) ** x
        yield from _continued(draw[:-1], size - x, above + x * last.above, below + x * last.below, drawn)


def table(draws: Sequence[Draw]) -> tuple[tuple[WeightedValue, ...], mpz]:
    """Return the values of the ratio in ascending order with their weights, and the weight of 0/0.

    >>> table([(WeightedCell(0, 0, 1), WeightedCell(0, 1, 1), WeightedCell(1, 1, 1))])[1]
    mpz(1)

    Raises `NotSupported` for more outcomes than `LARGEST_TABLE`, or more bits of weights than `LARGEST_STORE`.
    """
    _check_table(draws)
    sums: dict[tuple[int, int], mpz] = {(0, 0): mpz(1)}
    for draw in draws:
        grown: dict[tuple[int, int], mpz] = {}
        for above, below, weight in outcomes(draw):
            for (other_above, other_below), other in sums.items():
                key = (above + other_above, below + other_below)
                grown[key] = grown.get(key, 0) + weight * other
        sums = grown
    values: dict[mpq, mpz] = {}
    undefined = mpz(0)
    for (above, below), weight in sums.items():
        if below == 0:
            undefined += weight
        else:
            value = mpq(above, below)
            values[value] = values.get(value, 0) + weight
    return tuple(sorted(values.items())), undefined


def walk(draw: Draw) -> Iterator[WeightedValue]:
    """Yield the values of the ratio in ascending order with their weights, for a draw from two cells.

    A ratio (ax + b)/(cx + d) of whole sums that are not negative rises with x, falls with x, or stays the same:
    the two cells need only be taken in the right order. Where it is 0/0, at x = 0 or x = n, it is left out.
    """
    first, second = draw
    if first.above * second.below > second.above * first.below:
        first, second = second, first
    defined = ((mpq(above, below), weight) for above, below, weight in outcomes((first, second)) if below)
    for value, terms in groupby(defined, key=itemgetter(0)):
        yield value, sum((weight for _, weight in terms), mpz(0))


def undefined_weight(draw: Draw) -> mpz:
    """Return the weight of 0/0 for a draw from two cells: all items from cells that add nothing below."""
    size = sum(cell.count for cell in draw)
    divisor = math.gcd(*(cell.count for cell in draw))
    return mpz(sum(cell.count for cell in draw if cell.below == 0) // divisor) ** size


def check_walk(draw: Draw) -> None:
    """Raise `NotSupported` for more items than `_LARGEST_WALK`."""
    size = sum(cell.count for cell in draw)
    if size > _LARGEST_WALK:
        raise NotSupported(
            size, f"the exact distribution is walked through to n = {_LARGEST_WALK}", "use bootstrap"
        )


def _check_table(draws: Sequence[Draw]) -> None:
    terms = math.prod(comb(sum(cell.count for cell in draw) + len(draw) - 1, len(draw) - 1) for draw in draws)
    bits = terms * sum(total_weight(draw).bit_length() for draw in draws) if terms <= LARGEST_TABLE else 0
    if terms > LARGEST_TABLE or bits > LARGEST_STORE:
        raise NotSupported(
            [[cell.count for cell in draw] for draw in draws],
            f"a resample of these cells has {terms} outcomes; the exact distribution is made of at most "
            f"{LARGEST_TABLE}, with weights of at most {LARGEST_STORE} bits together",
            "use bootstrap, which draws resamples",
        )
