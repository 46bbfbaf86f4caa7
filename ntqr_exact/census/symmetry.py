"""The twelve symmetries of three judges between two labels: permuting the judges, exchanging the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from typing import TYPE_CHECKING

from ntqr_exact.census.enumeration import votes_count

if TYPE_CHECKING:
    from ntqr_exact.columns.whole_numbers import Array

_PATTERNS = tuple(product("ab", repeat=3))
_EXCHANGED = {"a": "b", "b": "a"}


def _symmetry(order: Sequence[int], *, exchange: bool) -> tuple[int, ...]:
    """Return at which place of a row the count of each place comes from."""
    sources = []
    for pattern in _PATTERNS:
        source = tuple(pattern[judge] for judge in order)
        sources.append(_PATTERNS.index(tuple(_EXCHANGED[label] for label in source) if exchange else source))
    return tuple(sources)


SYMMETRIES = tuple(
    _symmetry(order, exchange=exchange) for order in permutations(range(3)) for exchange in (False, True)
)
"""The group, the identity first: each element says for eight places where their counts come from."""


def orbit(row: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return all rows that a row becomes by the symmetries, in order, each once.

    >>> orbit((2, 0, 0, 0, 0, 0, 0, 0))
    ((0, 0, 0, 0, 0, 0, 0, 2), (2, 0, 0, 0, 0, 0, 0, 0))
    """
    return tuple(sorted({tuple(row[place] for place in symmetry) for symmetry in SYMMETRIES}))


def representatives(rows: Array, questions: int) -> tuple[Array, Array]:
    """Return the rows that are the first of their orbits, and the sizes of these orbits.

    >>> from ntqr_exact.census.enumeration import rows_between
    >>> first, sizes = representatives(rows_between(1, 0, 8), 1)
    >>> first.tolist(), sizes.tolist()
    ([[0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1, 0]], [2, 6])
    """
    import numpy

    # A row as one number in base Q + 1: the order of the numbers is that of the rows.
    weights = [(questions + 1) ** (len(_PATTERNS) - 1 - place) for place in range(len(_PATTERNS))]

    def numbers(columns: Array, symmetry: tuple[int, ...]) -> Array:
        total: Array = weights[0] * columns[symmetry[0]]
        for weight, source in zip(weights[1:], symmetry[1:], strict=True):
            total = total + weight * columns[source]
        return total

    columns = numpy.ascontiguousarray(rows.T)
    identity, *others = SYMMETRIES
    own = numbers(columns, identity)
    fixed_by = numpy.ones(len(own), dtype=numpy.int64)
    for symmetry in others:
        image = numbers(columns, symmetry)
        fixed_by += image == own
        first = image >= own
        columns, own, fixed_by = columns[:, first], own[first], fixed_by[first]
    return numpy.ascontiguousarray(columns.T), len(SYMMETRIES) // fixed_by


def orbits_count(questions: int) -> int:
    """Return how many votes there are up to symmetry, by the lemma of Burnside: the mean number of fixed rows.

    A symmetry fixes the rows that are constant on its cycles, that is ∏ 1/(1 − z^length) at z^Q.

    >>> orbits_count(1), orbits_count(12)
    (2, 4765)
    """
    votes_count(questions)
    fixed = 0
    for symmetry in SYMMETRIES:
        ways = [1] + [0] * questions
        for length, number in sorted(_cycle_lengths(symmetry).items()):
            for _ in range(number):
                for total in range(length, questions + 1):
                    ways[total] += ways[total - length]
        fixed += ways[questions]
    return fixed // len(SYMMETRIES)


def _cycle_lengths(symmetry: tuple[int, ...]) -> Counter[int]:
    lengths: Counter[int] = Counter()
    seen: set[int] = set()
    for start in range(len(symmetry)):
        length, place = 0, start
        while place not in seen:
            seen.add(place)
            length, place = length + 1, symmetry[place]
        if length:
            lengths[length] += 1
    return lengths
