"""A chunk of a census: how many votes there are of each class, alarms and size of orbit, and a file that keeps them."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from types import TracebackType
from typing import Any, TypeAlias

from ntqr_exact.census.enumeration import (
    SYMMETRIES,
    orbit,
    representatives,
    row_at,
    rows_between,
    votes_count,
)
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independence_class import (
    TRIO_ALARMS,
    alarm_mask,
    independence_class,
    possible_masks,
)
from ntqr_exact.evaluators.independent.many_trios import solve_independent_many, votes_of_row
from ntqr_exact.whole_file import settle

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


def chunk_at(census: Mapping[str, Any], start: int) -> ChunkTask:
    """Return the chunk of a census that starts at this rank.

    >>> chunk_at({"questions": 2, "symmetry": False, "ranks": 20}, 20)
    ChunkTask(questions=2, symmetry=False, start=20, stop=36)
    """
    stop = min(start + census["ranks"], votes_count(census["questions"]))
    return ChunkTask(census["questions"], census["symmetry"], start, stop)


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


_DIGITS = 16
_CHANCE = SystemRandom()  # nobody who changes a line can know which lines are counted again


class Checkpoint:
    """A file that keeps the finished chunks of a census, whatever moment the process is killed at.

    It only ever grows by whole lines: a header that names the census, then a line for each finished chunk, in any
    order. A line is written at once and is on the disk before the next begins. It starts with a checksum of itself and
    of the header, so that a line of another census, or a changed one, is seen. What a killed process can leave behind
    is an unfinished last line, which has no line break: it is ignored and cut off, and its chunk is counted again.
    """

    def __init__(self, path: str | os.PathLike[str], census: dict[str, Any]) -> None:
        """Open the file for the census, make it if there is none.

        Raises `BadDocument` for a file that is no checkpoint, that of another census, one that has been changed,
        or one that another process is writing to.
        """
        self._path = Path(path)
        self._census = census
        self._header = json.dumps(census, sort_keys=True)
        self.finished: dict[int, str] = {}
        """The starts of the finished chunks, with the checksums of their lines."""
        self.rows: tuple[TallyRow, ...] = ()
        """All finished chunks together."""
        try:
            if self._path.exists() and not self._path.is_file() and not self._path.is_dir():
                raise self._bad("a checkpoint is an ordinary file, not a device or a pipe")
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except BadDocument:
            raise
        except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
            reason = getattr(error, "strerror", None) or "this is no name of a file"
            raise self._bad(f"the checkpoint cannot be opened: {reason}") from None
        try:
            self._lock()
            self._read()
        except BaseException:
            os.close(self._file)
            raise

    def drawn(self, number: int | None) -> list[int]:
        """Return the starts of so many finished chunks, drawn at random; of all of them for `None`."""
        starts = sorted(self.finished)
        return starts if number is None else _CHANCE.sample(starts, min(number, len(starts)))

    def add(self, tally: ChunkTally) -> None:
        """Keep a finished chunk; when this returns, it is on the disk.

        Raises `BadDocument` if another count of the chunk is there already.
        """
        text = _text(tally)
        digest = _digest(self._header, text)
        if tally.start in self.finished:
            if self.finished[tally.start] != digest:
                rule = f"the chunk at {tally.start} was counted again, and is not what the checkpoint says"
                raise self._bad(rule, "count the census without this file")
            return
        self._write(text)
        self.finished[tally.start] = digest
        self.rows = merged((*self.rows, *tally.rows))

    def __enter__(self) -> Checkpoint:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        os.close(self._file)

    def _bad(self, *words: str) -> BadDocument:
        return BadDocument(str(self._path), *words)

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # a system without it; two writers would then count the same, only twice as long
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise self._bad(
                "another process is writing to this checkpoint", "wait for it, or end it"
            ) from None

    def _read(self) -> None:
        end, torn = 0, b""
        with open(self._path, "rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.endswith(b"\n"):
                    self._take(number, line)
                    end += len(line)
                else:
                    torn = line
        if end == 0 and not self._line(self._header).startswith(torn):
            raise self._bad("this file is not the checkpoint of a census")
        if torn:
            os.ftruncate(self._file, end)
        if end == 0:
            self._write(self._header)
            settle(self._path.parent)

    def _take(self, number: int, line: bytes) -> None:
        digest, _, text = line.decode("utf-8", errors="replace").removesuffix("\n").partition(" ")
        if number == 1:
            if text != self._header and digest == _digest(text, text):
                rule = f"this is the checkpoint of another census: {text}, not {self._header}"
                raise self._bad(rule, "give each census its own file")
            if line != self._line(self._header):
                raise self._bad("this file is not the checkpoint of a census")
            return
        line_is = f"line {number} of the checkpoint"
        if digest != _digest(self._header, text):
            raise self._bad(f"{line_is} has been changed", "delete the line, and its chunk is counted again")
        tally = _read_tally(text)
        if tally is None or not _could_be(tally, self._census):
            raise self._bad(f"{line_is} is not a chunk of this census", "delete the line")
        if tally.start in self.finished:  # two processes that could not lock the file have counted the same
            if self.finished[tally.start] != digest:
                rule = f"{line_is} is another count of a chunk that is there already"
                raise self._bad(rule, "count the census without this file")
            return
        self.finished[tally.start] = digest
        self.rows = merged((*self.rows, *tally.rows))

    def _line(self, text: str) -> bytes:
        return f"{_digest(self._header, text)} {text}\n".encode()

    def _write(self, text: str) -> None:
        line = self._line(text)
        while line:
            line = line[os.write(self._file, line) :]
        os.fsync(self._file)


def _text(tally: ChunkTally) -> str:
    return json.dumps({"start": tally.start, "rows": tally.rows})


def _read_tally(text: str) -> ChunkTally | None:
    """Return the chunk that a line tells of; `None` if it is none, or not written as we write it."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match document:
        case {"start": start, "rows": list(rows)} if all(map(_is_row, rows)) and type(start) is int:
            tally = ChunkTally(start, merged(rows))
            return tally if _text(tally) == text else None
    return None


def _is_row(row: object) -> bool:
    """Whether these are four whole numbers; a truth value is an int, and is none."""
    return isinstance(row, list) and [*map(type, row)] == [int] * 4


def _could_be(tally: ChunkTally, census: Mapping[str, Any]) -> bool:
    """Whether a chunk can come to this, as far as is known without counting: a checksum can be computed by anybody.

    A chunk has as many votes as ranks, and up to symmetry at most as many orbits; the size of an orbit divides the
    order of the group; the alarms of a vote are some that its class allows.
    """
    task, possible = chunk_at(census, tally.start), possible_masks()
    ranks, votes = task.stop - task.start, sum(count for _, _, _, count in tally.rows)
    largest = len(SYMMETRIES) if task.symmetry else 1
    return (
        task.start >= 0
        and task.start % census["ranks"] == 0
        and 0 <= ranks - votes <= (ranks if task.symmetry else 0)
        and all(
            mask in possible.get(code, ()) and 0 < size <= largest and largest % size == 0 and count > 0
            for code, mask, size, count in tally.rows
        )
    )


def _digest(header: str, text: str) -> str:
    return hashlib.sha256(f"{header}\n{text}".encode()).hexdigest()[:_DIGITS]
