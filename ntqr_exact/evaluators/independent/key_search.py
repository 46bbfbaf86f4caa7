"""Is a table of counts the sum of at most K product tables in whole numbers? A complete search.

K = 1 and K = 2 are decided in closed form. For more, take a pattern v that was seen: one of the parts has it, so
all product tables with v that fit into the table are tried as the first part, and the rest is K − 1 parts. A
product table is fixed by its count m at v and, for each judge i and other answer k, by its count c_ik at v with
this answer changed: a count is the product of its c_ik/m, times m. No candidate is tried that cannot fit: when judges
1 to i − 1 are fixed, the c_ik that keep every count whole are the multiples of a number, and those that fit are those
up to a bound.

What is left must be K − 1 parts, so that none of its matrices may have a higher rank. In that of judge i against the
judges before it, all others answering as in v, the row of answer k is linear in c_ik: once the rows before it have
the full rank, at most one c_ik is left, or they are all alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import gcd, prod

from ntqr_exact.evaluators.independent.product_tables import (
    Place,
    Table,
    WorkBudget,
    difference,
    is_product,
    rank_of,
    slices,
    small_sides,
    unfolding,
)
from ntqr_exact.evaluators.independent.two_parts import two_parts


@dataclass(frozen=True, slots=True)
class HighRank:
    """A proof that more parts are needed: the rank of some judges' answers against those of the others."""

    judges: tuple[int, ...]
    rank: int


def high_rank(table: Table, parts: int) -> HighRank | None:
    """Return a matrix of one or two judges against the others of higher rank than the number of parts, or `None`.

    The matrix of a product table has rank 1 whatever judges are its rows, so a sum of K of them has at most K.

    >>> high_rank({(0, 0): 1, (1, 1): 1}, 1)
    HighRank(judges=(0,), rank=2)
    """
    for side in small_sides(len(next(iter(table)))):
        rows = unfolding(table, side)
        if len(rows) > parts and rank_of(rows, at_most=parts) > parts:
            return HighRank(side, rank_of(rows))
    return None


def find_parts(table: Table, parts: int, work: WorkBudget) -> list[Table] | None:
    """Return at most `parts` product tables that add up to a table, or `None` if there are none.

    Raises `OutOfWork` where the budget ends before this is known.

    >>> find_parts({(0, 0): 1, (1, 1): 1, (2, 2): 1}, 3, WorkBudget(100))
    [{(0, 0): 1}, {(1, 1): 1}, {(2, 2): 1}]
    """
    work.spend()
    if is_product(table):
        return [table]
    if parts == 1:
        return None
    pair = two_parts(table, work)
    if pair is not None or parts == 2:
        return None if pair is None else list(pair)
    by_answer = _by_answer(table, parts)
    if by_answer is not None:
        return by_answer
    for part in _pivoted(table, parts - 1, work).parts():
        left = difference(table, part)
        if left is None:
            raise RuntimeError("only tables that fit are tried")
        rest = find_parts(left, parts - 1, work)
        if rest is not None:
            return [part, *rest]
    return None


def _by_answer(table: Table, parts: int) -> list[Table] | None:
    """Return the parts on which some judge always gives one answer, if they are product tables."""
    for judge in range(len(next(iter(table)))):
        found = list(slices(table, judge))
        if len(found) <= parts and all(map(is_product, found)):
            return found
    return None


def _pivoted(table: Table, rest: int, work: WorkBudget) -> _Pivoted:
    """Choose a pattern of which few product tables can be expected."""
    answers = [sorted({pattern[judge] for pattern in table}) for judge in range(len(next(iter(table))))]

    def tables_at(v: Place) -> tuple[int, Place]:
        lines = prod(
            1 + table.get((*v[:judge], answer, *v[judge + 1 :]), 0)
            for judge, given in enumerate(answers)
            for answer in given
            if answer != v[judge]
        )
        return table[v] * lines, v

    return _Pivoted(table, min(table, key=tables_at), answers, rest, work)


@dataclass(frozen=True, slots=True)
class _Pivoted:
    """A table, a pattern v that was seen in it, and how many parts are left once one with v is taken away."""

    table: Table
    v: Place
    answers: list[list[int]]
    rest: int
    work: WorkBudget

    def parts(self) -> Iterator[Table]:
        """Yield the product tables with v that fit and may leave as few parts, the largest counts of v first."""
        for count in range(self.table[self.v], 0, -1):
            yield from self._extended({(): count}, count)

    def _extended(self, part: Table, count: int) -> Iterator[Table]:
        """Yield the product tables of all judges that agree with a product table of the first of them."""
        judge = len(next(iter(part)))
        if judge == len(self.v):
            yield part
            return
        # A count of the part, times c/m, must be whole: c is a multiple of m/gcd(m, all counts).
        step = count // gcd(count, *part.values())
        own = self.v[judge]
        others = [answer for answer in self.answers[judge] if answer != own]
        seen = {answer: self._seen(judge, answer) for answer in self.answers[judge]}
        limits = [
            min(seen[answer].get(pattern, 0) * count // times for pattern, times in part.items())
            for answer in others
        ]
        columns = sorted({pattern for row in seen.values() for pattern in row})
        # Rows of what would be left, as the answer is given to more or fewer questions of the part.
        given = [[seen[answer].get(column, 0) for column in columns] for answer in (own, *others)]
        taken = [part.get(column, 0) for column in columns]

        def choices(place: int, chosen: tuple[int, ...], basis: list[list[int]]) -> Iterator[tuple[int, ...]]:
            if place == len(others):
                yield chosen
                return
            row, line = _reduced(given[place + 1], basis), _reduced(taken, basis)
            fitting = range(limits[place] // step * step, -1, -step)
            full = len(basis) == self.rest
            for times in _vanishing(row, line, count, fitting) if full else fitting:
                self.work.spend()
                left = [count * x - times * y for x, y in zip(row, line, strict=True)]
                # Without what its entries share, the numbers of each row do not grow like the product of all before.
                shared = gcd(*left)
                more = [[entry // shared for entry in left]] if shared else []
                yield from choices(place + 1, (*chosen, times), [*basis, *more])

        own_row = [x - y for x, y in zip(given[0], taken, strict=True)]
        for chosen in choices(0, (), [own_row] if any(own_row) else []):
            answered = {own: count, **{a: c for a, c in zip(others, chosen, strict=True) if c}}
            extended = {
                (*pattern, answer): times * c // count
                for pattern, times in part.items()
                for answer, c in answered.items()
            }
            yield from self._extended(extended, count)

    def _seen(self, judge: int, answer: int) -> Table:
        """Return the counts by the answers of the judges before one, if it gave this one and the rest as in v."""
        end = (answer, *self.v[judge + 1 :])
        return {pattern[:judge]: count for pattern, count in self.table.items() if pattern[judge:] == end}


def _reduced(row: list[int], basis: list[list[int]]) -> list[int]:
    """Return a multiple of a row, the same for every row, less what makes it vanish where each of a basis begins."""
    for other in basis:
        lead = next(index for index, entry in enumerate(other) if entry)
        row = [other[lead] * x - row[lead] * y for x, y in zip(row, other, strict=True)]
    return row


def _vanishing(row: list[int], line: list[int], count: int, steps: range) -> Iterable[int]:
    """Return the steps for which count·row − step·line is 0: all of them, one, or none."""
    if not any(line):
        return () if any(row) else steps
    lead = next(index for index, entry in enumerate(line) if entry)
    times, rest = divmod(count * row[lead], line[lead])
    if rest or times not in steps or any(count * x != times * y for x, y in zip(row, line, strict=True)):
        return ()
    return (times,)
