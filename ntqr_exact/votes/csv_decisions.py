"""Counting decisions from CSV, a row for each question: streamed, one pass, in memory that does not grow with the file.

Rows are taken in blocks and counted by C code; Python looks only at patterns that have not been seen
before. A bad cell is found through its pattern and then placed in its block, so that the error can
name the line and the column without a second pass.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import TypedDict, Unpack, overload

from ntqr_exact.csv_rows import CsvSource, check_header, opened, with_delimiter
from ntqr_exact.errors import BadDecisions
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.decision_rows import Batch
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels
from ntqr_exact.votes.tally import tally

_BLOCK = 256
"""Rows at a time: fewer than the objects (700) whose creation makes Python look for garbage in the whole process."""
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


class _Options(TypedDict, total=False):
    judges: Sequence[str] | None
    labels: Iterable[str] | None
    delimiter: str | None
    missing: str | None
    progress: Callable[[int], None] | None


@overload
def count_csv(source: CsvSource, *, truth: None = None, **options: Unpack[_Options]) -> VoteCounts: ...
@overload
def count_csv(source: CsvSource, *, truth: str, **options: Unpack[_Options]) -> LabeledVoteCounts: ...
@checked
def count_csv(
    source: CsvSource,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
    delimiter: str | None = None,
    missing: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    r"""Return the votes in a CSV with a header, a row for each question and a column for each judge.

    `judges` names the columns to count (all but the truth unless named), `truth` the column of the
    answer key, `labels` the labels (those that occur, sorted, unless named), `delimiter` what stands between cells
    (recognised unless named; "tab", "semicolon" and "pipe" are names, too). `missing` is "drop", which leaves questions
    with a missing answer out, or "label:NAME", which makes it an answer; without it they are refused. `progress` is
    called with the number of rows of each block.

    >>> import io
    >>> count_csv(io.StringIO("A,B\na,b\na,a\n"))
    VoteCounts({'aa': 1, 'ab': 1}, labels=('a', 'b'), judges=('A', 'B'))
    >>> count_csv(io.StringIO("A,B\na,b\na,\n"))
    Traceback (most recent call last):
    ntqr_exact.errors.BadDecisions: line 3, column 'B': '': this cell is empty; 1 answer of 4 missing: 'B' 1, on 1 of
    2 questions; decide what is done (--missing): drop leaves these questions out, label:NAME makes an answer of it

    Raises `BadDecisions`, with line and column, for what cannot be counted. UTF-8, with or without a
    byte order mark, and any line ends are taken.
    """
    known = None if labels is None else check_labels(labels)
    with opened(source) as stream:
        rows = CsvRows(stream, delimiter)
        found = tally(rows, judges=judges, labels=known, truth=truth, missing=missing, progress=progress)
    return found.votes()


class CsvRows:
    """The rows of a CSV in blocks, checked to be as wide as the header."""

    def __init__(self, stream: Iterable[str], delimiter: str | None) -> None:
        """Read the header."""
        lines, between = with_delimiter(stream, delimiter)
        self._blocks: Iterable[tuple[list[list[str]], int]]
        self._reader = csv.reader(lines, delimiter=between, strict=True)
        self.columns = next(iter(self._read(1)), [])
        check_header(self.columns)
        self._blocks = self._read_blocks()

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Yield the cells of some columns, block by block."""
        places = {name: place for place, name in enumerate(self.columns)}
        chosen = [places[column] for column in columns]
        for block, first in self._blocks:
            patterns = _patterns(block, chosen, len(self.columns))
            yield Batch(patterns, len(block), partial(self._line_of_cell, block, first))

    def keep(self) -> None:
        """Keep all rows, so that they can be gone through more than once."""
        self._blocks = list(self._blocks)

    def _read_blocks(self) -> Iterator[tuple[list[list[str]], int]]:
        while block := self._read(_BLOCK):
            first = self._first_line
            if set(map(len, block)) != {len(self.columns)}:
                block = self._without_trailing_blank_lines(block)
            yield block, first

    def _line_of(self, block: list[list[str]], index: int, first: int | None = None) -> int:
        """Return the line on which a row of the block begins; a quoted cell may hold line breaks."""
        breaks = sum(len(_LINE_BREAK.findall(cell)) for row in block[:index] for cell in row)
        return (self._first_line if first is None else first) + index + breaks

    def _line_of_cell(self, block: list[list[str]], first: int, column: str, cell: str) -> int:
        at = self.columns.index(column)
        index = next(index for index, cells in enumerate(block) if cells[at] == cell)
        return self._line_of(block, index, first)

    def _read(self, how_many: int) -> list[list[str]]:
        self._first_line = self._reader.line_num + 1
        rows: list[list[str]] = []
        try:
            rows.extend(islice(self._reader, how_many))  # keeps the rows before an error
        except csv.Error as error:
            line = self._line_of(rows, len(rows))
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
            if len(row) == len(self.columns):
                continue
            line = self._line_of(block, index)
            if row:
                rule = f"this row has {len(row)} cells for {len(self.columns)} columns"
                raise BadDecisions(row, rule, line=line)
            rest_is_blank = not any(block[index:])
            while rest_is_blank and (more := self._read(_BLOCK)):
                rest_is_blank = not any(more)
            if not rest_is_blank:
                raise BadDecisions("", "this line is blank", "remove it", line=line)
            return block[:index]
        return block


def _patterns(block: list[list[str]], chosen: list[int], width: int) -> Iterable[tuple[str, ...]]:
    """Return the chosen cells of each row as a tuple, by C code throughout."""
    if chosen == list(range(width)):
        return map(tuple, block)
    if len(chosen) == 1:
        return zip(map(itemgetter(chosen[0]), block), strict=True)
    return map(itemgetter(*chosen), block)
