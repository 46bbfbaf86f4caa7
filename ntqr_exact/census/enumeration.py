"""All votes of three judges between two labels, numbered: the compositions of Q into eight counts, in order.

The rank of a row of counts (c_1, …, c_8) is its place in lexicographic order, from 0. Counted from the end, ranks are
a combinatorial number system: with u_i = c_{i+1} + … + c_8, the number of rows that are not before a row is
1 + Σ_i C(u_i + 7 − i, 8 − i), so that each u_i is found from a table of binomial coefficients by bisection. The votes
have twelve symmetries: permuting the judges, exchanging the labels.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations, product
from math import comb
from typing import TYPE_CHECKING, Any

from ntqr_exact.errors import BadNumber, NotSupported
from ntqr_exact.varieties.compositions import count_compositions

if TYPE_CHECKING:
    from ntqr_exact.columns.whole_numbers import Array

PATTERNS = 8
"""How many patterns three judges between two labels have."""

LARGEST_QUESTIONS = 233
"""The most questions of a census: eight million million votes, and with (Q + 1)⁸ < 2⁶³ a row still fits into a word."""


def votes_count(questions: int) -> int:
    """Return how many votes there are of a test: C(Q + 7, 7).

    Raises `BadNumber` for no questions, `NotSupported` beyond `LARGEST_QUESTIONS`.

    >>> votes_count(12)
    50388
    """
    if questions < 1:
        raise BadNumber(questions, "a test has at least one question")
    if questions > LARGEST_QUESTIONS:
        raise NotSupported(questions, f"a census visits all votes, of at most {LARGEST_QUESTIONS} questions")
    return count_compositions(questions, PATTERNS)


def row_at(questions: int, rank: int) -> tuple[int, ...]:
    """Return the row of a rank, by whole numbers alone.

    >>> row_at(2, 0), row_at(2, 35)
    ((0, 0, 0, 0, 0, 0, 0, 2), (2, 0, 0, 0, 0, 0, 0, 0))
    """
    return tuple(
        _parts(
            questions,
            votes_count(questions) - rank,
            lambda after, number: bisect_left(_binomials(questions, after), number),
            lambda after, rest: _binomials(questions, after)[rest - 1] if rest else 0,
        )
    )


def rows_between(questions: int, start: int, stop: int) -> Array:
    """Return the rows of all ranks from start, up to but without stop, as an array of `int64`.

    >>> rows_between(2, 34, 36).tolist()
    [[1, 1, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0]]
    """
    import numpy

    tables = {
        after: numpy.array([0, *_binomials(questions, after)], dtype=numpy.int64)
        for after in range(1, PATTERNS)
    }
    numbers = votes_count(questions) - numpy.arange(start, stop, dtype=numpy.int64)
    rows = numpy.empty((stop - start, PATTERNS), dtype=numpy.int64)
    for place, column in enumerate(
        _parts(
            questions,
            numbers,
            lambda after, number: numpy.searchsorted(tables[after][1:], number),
            lambda after, rest: tables[after][rest],
        )
    ):
        rows[:, place] = column
    return rows


def _parts(
    questions: int, number: Any, find: Callable[[int, Any], Any], below: Callable[[int, Any], Any]
) -> Iterator[Any]:
    """Yield the eight counts of rows, given how many rows are not before each: one row, or columns of many.

    Of t questions left for 1 + r boxes, C(u + r, r) rows leave at most u for the last r. So u is the least for which
    that is not below the number, and C(u − 1 + r, r) of them leave even less.
    """
    left: Any = questions
    for after in range(PATTERNS - 1, 0, -1):
        rest = find(after, number)
        yield left - rest
        number = number - below(after, rest)
        left = rest
    yield left


@cache
def _binomials(questions: int, after: int) -> tuple[int, ...]:
    return tuple(comb(rest + after, after) for rest in range(questions + 1))


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
