"""Tables of counts of independent judges: every count is the product of the judges' rates.

An answer key under which the errors are independent is the same as the counts seen, written as a sum of
product tables in whole numbers, at most one for each label. Here is what is needed of such tables: a table maps
patterns, as tuples of the places of the labels, to counts that are not 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from typing import TypeAlias

from ntqr_exact.votes.counts import VoteCounts

Place: TypeAlias = tuple[int, ...]
Table: TypeAlias = dict[Place, int]


def table_of(votes: VoteCounts) -> Table:
    """Return the counts of the votes by the places of the labels.

    >>> table_of(VoteCounts({"ab": 3, "bb": 1}))
    {(0, 1): 3, (1, 1): 1}
    """
    place = {label: index for index, label in enumerate(votes.labels)}
    return {tuple(place[label] for label in pattern): count for pattern, count in votes.counts.items()}


def margins(table: Table) -> list[dict[int, int]]:
    """Return for each judge how often it gave each label that it gave at all.

    >>> margins({(0, 1): 3, (1, 1): 1})
    [{0: 3, 1: 1}, {1: 4}]
    """
    given: list[dict[int, int]] = [{} for _ in next(iter(table))]
    for pattern, count in table.items():
        for answers, answer in zip(given, pattern, strict=True):
            answers[answer] = answers.get(answer, 0) + count
    return given


def is_product(table: Table) -> bool:
    """Whether every count is Q times the product of the judges' rates.

    Both sides add up to the size of the test, so that patterns that were not seen need no look.

    >>> is_product({(0, 0): 1, (0, 1): 2, (1, 0): 2, (1, 1): 4}), is_product({(0, 0): 1, (1, 1): 1})
    (True, False)
    """
    if not table:
        return True
    given = margins(table)
    scale = sum(table.values()) ** (len(given) - 1)
    return all(
        count * scale == prod(answers[answer] for answers, answer in zip(given, pattern, strict=True))
        for pattern, count in table.items()
    )


def product_table(size: int, given: Sequence[dict[int, int]]) -> Table | None:
    """Return the product table of `size` questions with these answers of each judge, if it is in whole numbers.

    >>> product_table(4, [{0: 2, 1: 2}, {0: 4}]), product_table(3, [{0: 1, 1: 2}, {0: 1, 1: 2}])
    ({(0, 0): 2, (1, 0): 2}, None)
    """
    partial: dict[Place, int] = {(): size}
    for answers in given:
        extended = {}
        for pattern, count in partial.items():
            for answer, times in answers.items():
                if times:
                    # Sums of whole counts are whole: a partial count that is not settles the matter.
                    whole, rest = divmod(count * times, size)
                    if rest:
                        return None
                    extended[*pattern, answer] = whole
        partial = extended
    return partial


def difference(table: Table, part: Table) -> Table | None:
    """Return what is left of a table without a part of it, or `None` if it is no part."""
    left = dict(table)
    for pattern, count in part.items():
        rest = left.get(pattern, 0) - count
        if rest < 0:
            return None
        if rest:
            left[pattern] = rest
        else:
            del left[pattern]
    return left


def slices(table: Table, judge: int) -> Iterator[Table]:
    """Yield the questions to which a judge gave each label, in the order of the labels."""
    by_answer: dict[int, Table] = {}
    for pattern, count in table.items():
        by_answer.setdefault(pattern[judge], {})[pattern] = count
    for answer in sorted(by_answer):
        yield by_answer[answer]


def rank_of(rows: Sequence[Sequence[int]], *, at_most: int | None = None) -> int:
    """Return the rank of a matrix of whole numbers, or `at_most` + 1 as soon as it is more than that.

    Elimination without fractions: each step multiplies rows crosswise.

    >>> rank_of([[1, 2], [2, 4]]), rank_of([[1, 0], [0, 1]], at_most=0)
    (1, 1)
    """
    left = [list(row) for row in rows if any(row)]
    rank = 0
    while left:
        rank += 1
        if at_most is not None and rank > at_most:
            break
        pivot = left.pop()
        column = next(index for index, entry in enumerate(pivot) if entry)
        lead = pivot[column]
        reduced = [
            [lead * x - row[column] * y for x, y in zip(row, pivot, strict=True)] if row[column] else row
            for row in left
        ]
        left = [row for row in reduced if any(row)]
    return rank


def unfolding(table: Table, first: Sequence[int]) -> list[list[int]]:
    """Return the table as a matrix: a row for each joint answer of some judges, a column for each of the others.

    >>> unfolding({(0, 0, 0): 1, (1, 1, 1): 2}, [0])
    [[1, 0], [0, 2]]
    """
    judges = range(len(next(iter(table))))
    others = [judge for judge in judges if judge not in first]
    rows: dict[Place, dict[Place, int]] = {}
    columns: dict[Place, None] = {}
    for pattern in sorted(table):
        column = tuple(pattern[judge] for judge in others)
        columns[column] = None
        rows.setdefault(tuple(pattern[judge] for judge in first), {})[column] = table[pattern]
    return [[row.get(column, 0) for column in columns] for row in rows.values()]


def small_sides(judges: int) -> Iterator[tuple[int, ...]]:
    """Yield each judge, then each pair of them, as one side of all; of two equal sides only one.

    >>> list(small_sides(4))
    [(0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3)]
    """
    for length in (1, 2):
        for side in combinations(range(judges), length):
            if 2 * length < judges or (2 * length == judges and 0 in side):
                yield side


class OutOfWork(Exception):
    """The budget is used up; what was searched for is neither found nor excluded."""


class WorkBudget:
    """Steps that may still be taken.

    >>> work = WorkBudget(1)
    >>> work.spend()
    >>> work.spent
    1
    """

    __slots__ = ("allowed", "spent")

    def __init__(self, allowed: int) -> None:
        """Start with all of the budget left."""
        self.allowed = allowed
        self.spent = 0

    def spend(self) -> None:
        """Take a step; raises `OutOfWork` when no more are allowed."""
        if self.spent >= self.allowed:
            raise OutOfWork
        self.spent += 1
