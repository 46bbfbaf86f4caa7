"""Sums of two product tables, and of two matrices of rank one, against trying everything."""

from __future__ import annotations

import random
from itertools import product

import pytest

from ntqr_exact.evaluators.independent.product_tables import (
    OutOfWork,
    WorkBudget,
    difference,
    is_product,
    rank_of,
)
from ntqr_exact.evaluators.independent.two_parts import rank_two_parts, two_parts

PLENTY = 10**6


def parts_of(table):
    """All tables that are at most a table."""
    for counts in product(*(range(count + 1) for count in table.values())):
        yield {pattern: count for pattern, count in zip(table, counts, strict=True) if count}


def by_brute_force(table) -> bool:
    return any(is_product(part) and is_product(difference(table, part)) for part in parts_of(table))


def random_table(generator, answers: int, judges: int, size: int):
    rows = [tuple(generator.randrange(answers) for _ in range(judges)) for _ in range(size)]
    return {row: rows.count(row) for row in sorted(set(rows))}


@pytest.mark.parametrize(("answers", "judges", "size"), [(2, 3, 9), (3, 2, 11), (3, 3, 8), (2, 4, 9)])
def test_two_parts_are_found_exactly_when_there_are_any(answers: int, judges: int, size: int) -> None:
    generator = random.Random(3)
    found = set()
    for _ in range(150):
        table = random_table(generator, answers, judges, generator.randrange(1, size))
        pair = two_parts(table, WorkBudget(PLENTY))
        assert (pair is not None) == by_brute_force(table)
        if pair is not None:
            assert all(map(is_product, pair))
            assert difference(table, pair[0]) == pair[1]
        found.add(pair is not None)
    assert found == {True, False}


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (4, 3)])
def test_parts_that_were_put_in_are_found_again(shape: tuple[int, int]) -> None:
    generator = random.Random(7)
    for _ in range(60):
        u, w = ([generator.randrange(4) for _ in range(shape[0])] for _ in range(2))
        v, z = ([generator.randrange(4) for _ in range(shape[1])] for _ in range(2))
        table = {
            (i, j): count
            for i, j in product(range(shape[0]), range(shape[1]))
            if (count := u[i] * v[j] + w[i] * z[j])
        }
        if table:
            pair = two_parts(table, WorkBudget(PLENTY))
            assert pair is not None
            assert all(map(is_product, pair))


def test_a_matrix_of_rank_two_need_not_have_two_parts_in_whole_numbers() -> None:
    # The columns lie in a plane, and between no two points of it in whole numbers that make them all up.
    rows = [[2, 1, 0], [0, 1, 2], [2, 2, 2], [1, 1, 1]]
    assert rank_of(rows) == 2
    assert rank_two_parts(rows, WorkBudget(PLENTY)) is None
    table = {(i, j): count for i, row in enumerate(rows) for j, count in enumerate(row) if count}
    assert not by_brute_force(table)
    doubled = [[2 * count for count in row] for row in rows]
    assert rank_two_parts(doubled, WorkBudget(PLENTY)) is not None


def test_judges_that_tell_nothing_must_leave_the_parts_whole() -> None:
    # As a matrix of judges 1 and 2 it has two parts; those of half the counts, for each answer of judge 3, it has not.
    rows = [[2, 1, 0], [0, 1, 2], [2, 2, 2], [1, 1, 1]]
    twice = {
        (i, j, k): count for i, row in enumerate(rows) for j, count in enumerate(row) for k in (0, 1) if count
    }
    assert two_parts({p[:2]: 2 * c for p, c in twice.items()}, WorkBudget(PLENTY)) is not None
    assert two_parts(twice, WorkBudget(PLENTY)) is None


def test_the_work_on_a_matrix_is_bounded() -> None:
    rows = [[2000, 1000, 1], [0, 1001, 1999], [2000, 2001, 2000]]
    with pytest.raises(OutOfWork):
        rank_two_parts(rows, WorkBudget(1000))


def test_ranks_are_those_of_elimination_and_stop_where_told() -> None:
    assert rank_of([[0, 0], [0, 0]]) == 0
    assert rank_of([[1, 2, 3], [2, 4, 6], [1, 0, 0]]) == 2
    assert rank_of([[0, 1, 2], [1, 0, 3], [1, 1, 6]]) == 3
    assert rank_of([[0, 1, 2], [1, 0, 3], [1, 1, 6]], at_most=1) == 2
