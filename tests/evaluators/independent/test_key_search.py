"""The search for product tables: what was put in is found, and what is found adds up."""

from __future__ import annotations

import random
import time
from itertools import product

import pytest

from ntqr_exact import VoteCounts, solve_independent
from ntqr_exact.evaluators.independent.key_search import find_parts, high_rank
from ntqr_exact.evaluators.independent.product_tables import (
    OutOfWork,
    WorkBudget,
    difference,
    is_product,
    rank_of,
    small_sides,
    unfolding,
)


def put_together(parts):
    table: dict[tuple[int, ...], int] = {}
    for part in parts:
        for pattern, count in part.items():
            table[pattern] = table.get(pattern, 0) + count
    return dict(sorted(table.items()))


def random_part(generator, answers: int, judges: int, most: int):
    """A product table in whole numbers: a factor for each answer of each judge."""
    factors = [[generator.randrange(most + 1) for _ in range(answers)] for _ in range(judges)]
    part = {}
    for pattern in product(range(answers), repeat=judges):
        count = 1
        for row, answer in zip(factors, pattern, strict=True):
            count *= row[answer]
        if count:
            part[pattern] = count
    return part


@pytest.mark.parametrize(
    ("answers", "judges", "parts", "most"),
    [(2, 3, 3, 3), (3, 3, 3, 2), (2, 4, 3, 2), (2, 3, 4, 2), (4, 3, 4, 1)],
)
def test_parts_that_were_put_in_are_found(answers: int, judges: int, parts: int, most: int) -> None:
    generator = random.Random(41)
    for _ in range(60):
        table = put_together(random_part(generator, answers, judges, most) for _ in range(parts))
        if not table:
            continue
        assert high_rank(table, parts) is None
        found = find_parts(table, parts, WorkBudget(10**6))
        assert found is not None
        assert len(found) <= parts
        assert all(map(is_product, found))
        assert put_together(found) == table


def test_more_parts_than_allowed_are_not_given() -> None:
    diagonal = {(answer,) * 3: 1 for answer in range(4)}
    assert find_parts(diagonal, 3, WorkBudget(10**6)) is None
    assert find_parts(diagonal, 4, WorkBudget(10**6)) is not None


def test_an_answer_that_changes_no_rank_is_tried_with_every_count() -> None:
    parts = [
        {(i, j, k): 1 for i in (0, 1, 3) for j in (0, 1, 2) for k in (0, 3)},
        {(i, j, k): 1 for i in (0, 2) for j in (1, 3) for k in (0, 1, 2)},
        {(i, 0, k): 1 for i in (0, 3) for k in (0, 1, 2)},
        {(1, j, 0): 1 for j in (0, 1, 3)},
    ]
    table = put_together(parts)
    found = find_parts(table, 4, WorkBudget(10**6))
    assert found is not None
    assert put_together(found) == table


def by_brute_force(table, parts: int) -> bool:
    if parts == 1 or is_product(table):
        return is_product(table)
    for counts in product(*(range(count + 1) for count in table.values())):
        part = {pattern: count for pattern, count in zip(table, counts, strict=True) if count}
        if part and is_product(part) and by_brute_force(difference(table, part), parts - 1):
            return True
    return False


def test_tables_are_three_parts_exactly_when_trying_everything_finds_them() -> None:
    generator = random.Random(43)
    found = set()
    for answers in (2, 3) * 12:
        patterns = list(product(range(answers), repeat=3))
        seen = generator.sample(patterns, generator.randrange(4, 7))
        table = {pattern: generator.randrange(1, 4) for pattern in sorted(seen)}
        expected = by_brute_force(table, 3)
        assert (find_parts(table, 3, WorkBudget(10**6)) is not None) == expected
        found.add(expected)
    assert found == {True, False}


def test_a_part_may_be_less_than_the_table_allows_at_every_pattern() -> None:
    # Three parts that overlap everywhere: none of them takes all questions of any pattern.
    parts = [
        {p: (1 + p[0]) * (1 + 2 * p[1]) * (2 - p[2]) for p in product(range(2), repeat=3)},
        {p: (3 - p[0]) * (2 - p[1]) * (1 + p[2]) for p in product(range(2), repeat=3)},
        {p: (1 + p[0]) * (3 - 2 * p[1]) * (1 + 2 * p[2]) for p in product(range(2), repeat=3)},
    ]
    found = find_parts(put_together(parts), 3, WorkBudget(10**6))
    assert found is not None
    assert put_together(found) == put_together(parts)


def test_the_search_stops_at_its_budget_and_not_before() -> None:
    table = {p: 3 + (p[0] + 2 * p[1] + p[2]) % 4 for p in product(range(2), repeat=3)}
    work = WorkBudget(10**6)
    expected = find_parts(table, 3, work)
    assert find_parts(table, 3, WorkBudget(work.spent)) == expected
    with pytest.raises(OutOfWork):
        find_parts(table, 3, WorkBudget(work.spent - 1))


def test_a_rank_is_a_proof_and_names_its_judges() -> None:
    table = {(i, j, i, j): 1 for i, j in product(range(2), repeat=2)}
    high = high_rank(table, 3)
    assert high is not None
    assert (high.judges, high.rank) == ((0, 1), 4)
    assert rank_of(unfolding(table, (0, 1))) == 4
    assert high_rank(table, 4) is None


def test_every_side_of_one_or_two_judges_is_looked_at_once() -> None:
    for judges in range(2, 7):
        sides = [set(side) for side in small_sides(judges)]
        complements = [set(range(judges)) - side for side in sides]
        assert all(0 < len(side) <= 2 for side in sides)
        for k in range(judges):
            assert {k} in sides or {k} in complements
        assert not any(side in complements for side in sides)


def test_many_labels_and_counts_of_a_thousand_digits_are_searched_soon():
    draws, labels = random.Random(1), [f"l{i}" for i in range(60)]
    counts = {tuple(draws.choice(labels) for _ in range(3)): draws.randrange(10**999) for _ in range(32)}
    begun = time.process_time()
    solve_independent(VoteCounts(counts, labels, ["A", "B", "C"]))
    assert time.process_time() - begun < 15
