r"""A CSV in blocks of rows: where each cell stands in the bytes, found all at once wherever the rows are plain.

The reader of `csv_rows` says what a row is. A block is given as places only if that reader would find the same cells:
quotes stand around whole cells, and every row has a cell for each column. Anything else is read row by row.

>>> import io
>>> with opened_table(io.StringIO("y,s\n1,0.5\n")) as table:
...     table.header, [list(rows) for rows in table.blocks]
(['y', 's'], [[(2, ['1', '0.5'])]])
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

from ntqr_exact.columns.whole_numbers import Array
from ntqr_exact.csv_rows import CsvSource, numbered_rows, opened, opened_bytes, text_of, with_delimiter
from ntqr_exact.errors import BadDecisions

Rows: TypeAlias = "Iterator[tuple[int, list[str]]]"
"""Rows that are not blank, each with the line on which it ends."""

_SIZE = 1 << 20
"""Bytes of a block: so few that the arrays made of it stay in the cache."""

_LONGEST_CELL = csv.field_size_limit()
_MARK = b"\xef\xbb\xbf"
_NEWLINE, _QUOTE = b'\n"'


@dataclass(frozen=True, slots=True, eq=False)
class CellBlock:
    """Whole rows: the cell of row i and column j stands in `text` from `starts[i, j]` up to `ends[i, j]`."""

    text: Array
    starts: Array
    ends: Array
    data: bytes
    delimiter: str
    lines_before: int

    def __iter__(self) -> Rows:
        """Read the same rows one by one."""
        return numbered_rows(_lines(self.data), self.delimiter, self.lines_before)


@dataclass(frozen=True, slots=True, eq=False)
class CsvTable:
    """The names of the columns, and then the rows in blocks; it is read once."""

    header: list[str]
    blocks: Iterator[CellBlock | Rows]


@contextmanager
def opened_table(source: CsvSource, delimiter: str | None = None) -> Iterator[CsvTable]:
    """Open a CSV and read its header; see `csv_rows.opened` for what is refused.

    Streams of text are read row by row, and so is every file where there is no numpy.
    """
    if not isinstance(source, (str, os.PathLike)) or find_spec("numpy") is None:
        with opened(source) as stream:
            yield _by_rows(numbered_rows(stream, delimiter))
        return
    with opened_bytes(source) as raw:
        text_of(raw, os.fspath(source)).detach()  # it refuses what is no text
        yield _table(raw, delimiter)


def _by_rows(rows: Rows) -> CsvTable:
    _, header = next(rows, (1, []))
    if not header:
        raise BadDecisions("", "the file is empty: it begins with a line that names the columns", line=1)
    return CsvTable(header, iter([rows]))


def _table(raw: io.BufferedReader[Any], delimiter: str | None) -> CsvTable:
    start = _read(raw).removeprefix(_MARK)
    whole_lines = start[: start.rfind(b"\n") + 1]
    try:
        first = io.StringIO(whole_lines.decode(), newline="").readlines()
    except UnicodeDecodeError:
        first = []
    if first and len(start) > _SIZE - len(_MARK):
        lines, delimiter = with_delimiter(first, delimiter)
        line, header = next(numbered_rows(lines, delimiter), (0, []))
        if header and line < len(first) and delimiter.isascii():
            consumed = len("".join(first[:line]).encode())
            return CsvTable(header, _blocks(start[consumed:], raw, delimiter, len(header), line))
    # A short file is read before numpy would be loaded.
    return _by_rows(numbered_rows(_lines(start, raw), delimiter))


def _blocks(
    rest: bytes, raw: io.BufferedReader[Any], delimiter: str, columns: int, line: int
) -> Iterator[CellBlock | Rows]:
    while True:
        read = _read(raw)
        data = rest + read
        if not data:
            return
        if not read and not data.endswith(b"\n"):
            data += b"\n"
        end = _end(data)
        block = _cells(data[:end], delimiter, columns, line) if end else None
        if block is None:
            yield numbered_rows(_lines(data, raw), delimiter, line)
            return
        yield block
        line += block.data.count(b"\n")
        rest = data[end:]


def _read(raw: io.BufferedReader[Any]) -> bytes:
    try:
        return raw.read(_SIZE)
    except OSError as error:
        raise BadDecisions("", f"the file cannot be read: {error.strerror}") from None


def _end(data: bytes) -> int:
    """Return the place after the last line break that is not inside quotes; 0 if there is none."""
    end = data.rfind(b"\n") + 1
    quotes = data.count(b'"', 0, end)
    while end and quotes % 2:
        before = data.rfind(b"\n", 0, end - 1) + 1
        quotes -= data.count(b'"', before, end)
        end = before
    return end


def _cells(data: bytes, delimiter: str, columns: int, line: int) -> CellBlock | None:
    """Return where the cells of a block are, or nothing if its rows are not plain."""
    import numpy

    body = _plain_lines(data)
    if body is None:
        return None
    text = numpy.frombuffer(body, dtype=numpy.uint8)
    breaks, quotes = text == _NEWLINE, text == _QUOTE
    separates = breaks | (text == ord(delimiter))
    has_quotes = bool(quotes.any())
    if has_quotes:
        inside = numpy.bitwise_xor.accumulate(quotes)
        altered = len(body) < len(data) and (breaks & inside).any()
        separates &= ~inside
        if altered or not _are_around_cells(quotes, inside, separates):
            return None
    places = numpy.flatnonzero(separates)
    if len(places) % columns:
        return None
    ends = places.reshape(-1, columns)
    starts = numpy.concatenate(([0], places[:-1] + 1)).reshape(-1, columns)
    last, lengths = breaks[ends], ends - starts
    if (
        last[:, :-1].any()
        or not last[:, -1].all()
        or int(lengths.max(initial=0)) >= _LONGEST_CELL
        or (columns == 1 and not lengths.all())
    ):
        return None
    if has_quotes:
        quoted = text[starts] == _QUOTE
        starts, ends = starts + quoted, ends - quoted
    return CellBlock(text, starts, ends, data, delimiter, line)


def _plain_lines(data: bytes) -> bytes | None:
    """Return lines in UTF-8 that end in a line feed alone, without blank ones; nothing where there are others."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    data = data.replace(b"\r\n", b"\n")
    if b'"' not in data and (b"\n\n" in data or data.startswith(b"\n")):
        data = b"\n".join(filter(None, data.split(b"\n"))) + b"\n"
    return None if b"\r" in data or b"\0" in data else data


def _are_around_cells(quotes: Array, inside: Array, separates: Array) -> bool:
    """Tell whether each opening quote begins a cell, and each closing one ends it or is the first of two."""
    import numpy

    after = numpy.append(separates, True)
    opening, closing = numpy.flatnonzero(quotes & inside), numpy.flatnonzero(quotes & ~inside)
    begins = (opening == 0) | separates[opening - 1] | (quotes & ~inside)[opening - 1]
    ends = after[closing + 1] | numpy.append(quotes, False)[closing + 1]
    return bool(begins.all() and ends.all())


def _lines(data: bytes, rest: io.BufferedReader[Any] | None = None) -> Iterator[str]:
    """Yield the lines of bytes and of what is still to be read after them."""
    stream = io.BytesIO(data) if rest is None else io.BufferedReader(_Chained(data, rest))
    with io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        yield from text


class _Chained(io.RawIOBase):
    """Bytes that are there, and then those of a file, which whoever opened it closes."""

    def __init__(self, start: bytes, rest: io.BufferedReader[Any]) -> None:
        self._start, self._rest = io.BytesIO(start), rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._start.readinto(buffer) or self._rest.readinto(buffer)
