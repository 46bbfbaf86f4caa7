"""Counting decisions from CSV: streamed, one pass, in memory that does not grow with the file.

Rows are taken in blocks and counted by C code; Python looks only at patterns that have not been seen
before. A bad cell is found through its pattern and then placed in its block, so that the error can
name the line and the column without a second pass.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import overload

from ntqr_exact.csv_rows import CsvSource, check_delimiter, opened
from ntqr_exact.errors import BadDecisions
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counted_rows import (
    MAX_INFERRED_LABELS,
    choose_columns,
    labeled_votes_from_tally,
    partial_votes_from_tally,
    votes_from_tally,
)
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels

_BLOCK = 256
"""Rows at a time: fewer than the objects (700) whose creation makes Python look for garbage in the whole process."""
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@overload
def count_csv(
    source: CsvSource,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: None = None,
    delimiter: str = ",",
    progress: Callable[[int], None] | None = None,
) -> VoteCounts: ...
@overload
def count_csv(
    source: CsvSource,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str,
    delimiter: str = ",",
    progress: Callable[[int], None] | None = None,
) -> LabeledVoteCounts: ...
@checked
def count_csv(
    source: CsvSource,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
    delimiter: str = ",",
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    r"""Return the votes in a CSV with a header, a row for each question and a column for each judge.

    `judges` names the columns to count (all but the truth unless named), `truth` the column of the
    answer key, `labels` the labels (those that occur, sorted, unless named). `progress` is called
    with the number of rows of each block.

    >>> import io
    >>> count_csv(io.StringIO("A,B\na,b\na,a\n"))
    VoteCounts({'aa': 1, 'ab': 1}, labels=('a', 'b'), judges=('A', 'B'))
    >>> count_csv(io.StringIO("A,B\na,b\na,\n"))
    Traceback (most recent call last):
    ntqr_exact.errors.BadDecisions: line 3, column 'B': '': this cell is empty

    Raises `BadDecisions`, with line and column, for what cannot be counted. UTF-8, with or without a
    byte order mark, and any line ends are taken.
    """
    known = None if labels is None else check_labels(labels)
    with opened(source) as stream:
        blocks = _Blocks(stream, delimiter)
        columns = choose_columns(blocks.header, judges, truth)
        tally = _tally(blocks, columns, known, progress)
    if truth is None:
        return votes_from_tally(tally, labels=known, judges=columns)
    return labeled_votes_from_tally(tally, labels=known, judges=columns[:-1])


def count_partial_csv(
    source: CsvSource,
    *,
    truth: str,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    delimiter: str = ",",
    progress: Callable[[int], None] | None = None,
) -> tuple[VoteCounts, LabeledVoteCounts]:
    r"""Return all votes in a CSV, and those of the questions whose cell in the column `truth` is not empty.

    >>> import io
    >>> votes, graded = count_partial_csv(io.StringIO("A,key\na,b\nb,\n"), truth="key")
    >>> votes.size, graded.size
    (2, 1)

    Everything else is as `count_csv` has it.
    """
    known = None if labels is None else check_labels(labels)
    with opened(source) as stream:
        blocks = _Blocks(stream, delimiter)
        columns = choose_columns(blocks.header, judges, truth)
        tally = _tally(blocks, columns, known, progress, may_be_empty=truth)
    return partial_votes_from_tally(tally, labels=known, judges=columns[:-1])


class _Blocks:
    """The rows of a CSV in blocks, checked to be as wide as the header."""

    def __init__(self, stream: Iterable[str], delimiter: str) -> None:
        self._reader = csv.reader(stream, delimiter=check_delimiter(delimiter), strict=True)
        self.header = self._header()

    def __iter__(self) -> Iterator[list[list[str]]]:
        while True:
            block = self._read(_BLOCK)
            if not block:
                return
            if set(map(len, block)) != {len(self.header)}:
                block = self._without_trailing_blank_lines(block)
            yield block

    def line_of(self, block: list[list[str]], index: int) -> int:
        """Return the line on which a row of the block begins; a quoted cell may hold line breaks."""
        breaks = sum(len(_LINE_BREAK.findall(cell)) for row in block[:index] for cell in row)
        return self.first_line + index + breaks

    def _header(self) -> list[str]:
        rows = self._read(1)
        if not rows or not rows[0]:
            raise BadDecisions("", "a decisions file begins with a line that names the columns", line=1)
        header = rows[0]
        seen: set[str] = set()
        for number, name in enumerate(header, start=1):
            if not name.strip():
                raise BadDecisions(name, f"column {number} has no name", line=1)
            if name in seen:
                raise BadDecisions(name, "this column is named twice", line=1)
            seen.add(name)
        return header

    def _read(self, how_many: int) -> list[list[str]]:
        self.first_line = self._reader.line_num + 1
        rows: list[list[str]] = []
        try:
            rows.extend(islice(self._reader, how_many))  # keeps the rows before an error
        except csv.Error as error:
            line = self.line_of(rows, len(rows))
            raise BadDecisions(str(error), "this is not proper CSV", line=line) from None
        except UnicodeDecodeError as error:
            # Text is decoded ahead of the line that is read: the line breaks up to the byte count, too.
            ahead = error.object[: error.start].decode("latin-1")
            raise BadDecisions(
                error.object[error.start : error.start + 1],
                "this byte is not UTF-8 text",
                "save the file as UTF-8",
                line=self._reader.line_num + 1 + len(_LINE_BREAK.findall(ahead)),
            ) from None
        except OSError as error:
            raise BadDecisions(error.strerror, "the file cannot be read to its end") from None
        return rows

    def _without_trailing_blank_lines(self, block: list[list[str]]) -> list[list[str]]:
        for index, row in enumerate(block):
            if len(row) == len(self.header):
                continue
            line = self.line_of(block, index)
            if row:
                raise BadDecisions(
                    row, f"this row has {len(row)} cells for {len(self.header)} columns", line=line
                )
            rest_is_blank = not any(block[index:])
            while rest_is_blank and (more := self._read(_BLOCK)):
                rest_is_blank = not any(more)
            if not rest_is_blank:
                raise BadDecisions("", "this line is blank", "remove it", line=line)
            return block[:index]
        return block


def _tally(
    blocks: _Blocks,
    columns: list[str],
    labels: tuple[str, ...] | None,
    progress: Callable[[int], None] | None,
    *,
    may_be_empty: str | None = None,
) -> Counter[tuple[str, ...]]:
    tally: Counter[tuple[str, ...]] = Counter()
    places = {name: place for place, name in enumerate(blocks.header)}
    chosen = [places[column] for column in columns]
    found: set[str] = set(labels or ())
    for block in blocks:
        known = len(tally)
        tally.update(_patterns(block, chosen, len(blocks.header)))
        for pattern in islice(tally, known, None):
            for column, cell in zip(columns, pattern, strict=True):
                if cell in found or (not cell and column == may_be_empty):
                    continue
                if problem := _problem(cell, labels, found):
                    at = places[column]
                    row = next(index for index, cells in enumerate(block) if cells[at] == cell)
                    raise BadDecisions(cell, problem, line=blocks.line_of(block, row), column=column)
                found.add(cell)
        if progress is not None:
            progress(len(block))
    return tally


def _patterns(block: list[list[str]], chosen: list[int], width: int) -> Iterable[tuple[str, ...]]:
    """Return the chosen cells of each row as a tuple, by C code throughout."""
    if chosen == list(range(width)):
        return map(tuple, block)
    if len(chosen) == 1:
        return zip(map(itemgetter(chosen[0]), block), strict=True)
    return map(itemgetter(*chosen), block)


def _problem(cell: str, labels: tuple[str, ...] | None, found: set[str]) -> str:
    """Return what is wrong with a cell that has not been seen before; nothing if it is a label."""
    if not cell:
        return "this cell is empty"
    if "\0" in cell:
        return "this cell holds a NUL byte; is this a binary file?"
    if labels is not None:
        return f"the labels are {', '.join(map(repr, labels))}"
    if cell != cell.strip():
        return "this label has blanks around it; remove them, or name the labels"
    if len(found) >= MAX_INFERRED_LABELS:
        return (
            f"more than {MAX_INFERRED_LABELS} different labels; name the columns of the judges, or the labels"
        )
    return ""
