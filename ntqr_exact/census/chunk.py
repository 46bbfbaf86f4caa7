"""The census of one chunk of votes: how many there are of each class, alarms and size of orbit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ntqr_exact.census.enumeration import row_at, rows_between
from ntqr_exact.census.symmetry import orbit, representatives
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independence_class import TRIO_ALARMS, alarm_mask, independence_class
from ntqr_exact.evaluators.independent.many_trios import solve_independent_many, votes_of_row

TallyRow: TypeAlias = tuple[int, int, int, int]
"""Code of the class, mask of the alarms, size of the orbit, and how many votes (or orbits) have them."""

_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class ChunkTask:
    """The votes of all ranks from start, up to but without stop; up to symmetry only the first of each orbit."""

    questions: int
    symmetry: bool
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class ChunkTally:
    """What a chunk came to, with its start, which identifies it within the census."""

    start: int
    rows: tuple[TallyRow, ...]


def tally_chunk(task: ChunkTask) -> ChunkTally:
    """Return the tally of a chunk, with numpy where it is there, and the same without it.

    >>> tally_chunk(ChunkTask(questions=2, symmetry=False, start=0, stop=36)).rows
    ((0, 0, 1, 4), (6, 0, 1, 32))
    """
    try:
        import numpy  # noqa: F401
    except ImportError:
        return ChunkTally(task.start, merged(_one_by_one(task)))
    return ChunkTally(task.start, merged(_in_arrays(task)))


def merged(rows: Iterable[TallyRow]) -> tuple[TallyRow, ...]:
    """Return the rows with equal ones added up, in order: the same whatever the order they come in.

    >>> merged([(3, 4, 1, 2), (0, 0, 1, 5), (3, 4, 1, 8)])
    ((0, 0, 1, 5), (3, 4, 1, 10))
    """
    counter: Counter[tuple[int, int, int]] = Counter()
    for code, mask, size, count in rows:
        counter[code, mask, size] += count
    return tuple((*key, counter[key]) for key in sorted(counter))


def _one_by_one(task: ChunkTask) -> Iterator[TallyRow]:
    for rank in range(task.start, task.stop):
        row = row_at(task.questions, rank)
        size = 1
        if task.symmetry:
            images = orbit(row)
            if images[0] != row:
                continue
            size = len(images)
        solution = solve_independent(votes_of_row(row))
        yield (
            int(independence_class(solution)),
            alarm_mask(alarm.kind for alarm in solution.alarms),
            size,
            1,
        )


def _in_arrays(task: ChunkTask) -> Iterator[TallyRow]:
    import numpy

    masks = 1 << len(TRIO_ALARMS)
    for start in range(task.start, task.stop, _ROWS):
        rows = rows_between(task.questions, start, min(start + _ROWS, task.stop))
        sizes = numpy.ones(len(rows), dtype=numpy.int64)
        if task.symmetry:
            rows, sizes = representatives(rows, task.questions)
        many = solve_independent_many(rows)
        kinds = (sizes * masks + many.alarms) * masks + many.codes
        for kind, count in enumerate(numpy.bincount(kinds).tolist()):
            if count:
                others, code = divmod(kind, masks)
                size, mask = divmod(others, masks)
                yield code, mask, size, count
