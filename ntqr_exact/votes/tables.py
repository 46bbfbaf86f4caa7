r"""One reader of tables for every command: CSV with any delimiter, JSON, JSON lines, Parquet, gzip, streams and frames.

>>> import io
>>> with open_table(io.StringIO("id,ada,bo\n1,yes,no\n")) as table:
...     table.columns, list(table.rows())
(('id', 'ada', 'bo'), [(2, ('1', 'yes', 'no'))])

Every cell is a text; an empty one is a missing value. A format is known by its first bytes, YAML by its name.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cache, partial
from itertools import islice
from operator import itemgetter
from typing import IO, Any, TypeAlias

from ntqr_exact.errors import BadDecisions, BadDocument, DecisionsNote
from ntqr_exact.votes.table import (
    SAMPLE_ROWS,
    Batch,
    Cells,
    Document,
    FrameTable,
    Table,
    has_ending,
    json_source,
    parquet_table,
    yaml_source,
)

Source: TypeAlias = "str | os.PathLike[str] | Iterable[str] | Any"
"""A path ("-" is standard input), an open stream of text, or a frame of pandas, polars, pyarrow, dask, DuckDB, …"""

STANDARD_INPUT = "-"
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "space": " "}
"""The delimiters that are detected, by their names."""

_START = 1 << 20
"""Bytes by which a format, a delimiter and a header are recognised."""
_BLOCK = 256
"""Rows at a time: fewer than the objects (700) whose creation makes Python look for garbage in the whole process."""
_DELIMITER_LINES = 50
_GZIP, _ZIP, _PARQUET, _UTF_16 = b"\x1f\x8b", b"PK\x03\x04", b"PAR1", (b"\xff\xfe", b"\xfe\xff")
_READ_ERRORS = (OSError, EOFError, zlib.error)  # the latter two from what gzip packed
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]\s*(?:[\"{}\[\]]|\Z)")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")

_Block: TypeAlias = "tuple[list[list[str]], int]"
"""Rows, empty for a blank line, and the line on which the first of them begins."""


def open_table(source: Source, *, delimiter: str | None = None, header: bool | None = None) -> Table:
    """Open a table; use it in a `with` statement.

    `delimiter` is one character or a name such as "tab" (detected by default); `header` says whether the first row
    names the columns (by default a first row that looks like data is noticed; columns are then named 1, 2, …).
    Raises `BadDecisions` for a source that cannot be read as a table.
    """
    opened = open_source(source, delimiter=delimiter, header=header)
    if isinstance(opened, Document):
        raise BadDecisions(opened.name, "source must be a table", "this JSON is not a list of objects")
    return opened


def open_source(
    source: Source, *, delimiter: str | None = None, header: bool | None = None
) -> Table | Document:
    """Open a table, or return the JSON document that the source is."""
    if not isinstance(source, (str, os.PathLike, io.TextIOBase, list, tuple, Iterator)):
        return FrameTable(source)
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else "stream"
    with ExitStack() as closing:
        try:
            raw = closing.enter_context(_opened(source))
            if raw.read(2) == _GZIP:
                raw.seek(0)
                raw = closing.enter_context(gzip.open(raw))  # type: ignore[arg-type]
            raw.seek(0)
            opened = _recognised(raw, name, delimiter, header)
        except _READ_ERRORS as error:
            raise _unreadable(name, error) from None
        if isinstance(opened, TextTable):
            opened.close = closing.pop_all().close  # type: ignore[method-assign]
        return opened


def _opened(source: Source) -> IO[bytes]:
    """Return a file that can be read again from its start; what comes through a pipe is held in memory."""
    if not isinstance(source, (str, os.PathLike)):
        try:
            return io.BytesIO("".join(source).encode("utf-8", "surrogatepass"))
        except (TypeError, ValueError):  # not text, or closed
            raise BadDecisions(source, "a stream must be open, and hold text") from None
    if os.fspath(source) == STANDARD_INPUT:
        return io.BytesIO(_standard_input())
    try:
        file = open(source, "rb")  # noqa: SIM115
    except ValueError as error:  # a NUL in the name
        raise _unreadable(str(source), error) from None
    return file if file.seekable() else io.BytesIO(file.read())


@cache
def _standard_input() -> bytes:
    with open(0, "rb", closefd=False) as file:
        return file.read()


def _unreadable(name: str, error: Exception) -> BadDecisions:
    return BadDecisions(name, f"the file cannot be read: {getattr(error, 'strerror', None) or error}")


def _recognised(raw: IO[bytes], name: str, delimiter: str | None, header: bool | None) -> Table | Document:
    start = raw.read(_START)
    raw.seek(0)
    if start.startswith(_PARQUET):
        return parquet_table(name, raw if name in (STANDARD_INPUT, "stream") else None)
    if start.startswith(_ZIP):
        return Document(raw.read(), name)  # perhaps a log of inspect_ai
    if start.startswith(_UTF_16) or b"\0" in start:
        raise BadDecisions(name, "file must be UTF-8 text, not UTF-16 or binary", "save it as UTF-8")
    if has_ending(name, ".yaml", ".yml"):
        return yaml_source(raw.read(), name)
    if _JSON.match(start) is None:
        return TextTable(raw, name, start, delimiter, header)
    if delimiter is not None:
        raise BadDocument(name, "a JSON file has no delimiter", "leave the option out")
    return json_source(raw.read(), name)


# -- text ---------------------------------------------------------------------------------------------------


class TextTable(Table):
    """A table in text, read in blocks of rows."""

    def __init__(
        self, raw: IO[bytes], name: str, start: bytes, delimiter: str | None, header: bool | None
    ) -> None:
        self.raw, self.name = raw, name
        lines = io.StringIO(start.decode("utf-8-sig", errors="ignore"), newline="").readlines()
        lines = lines[:-1] if len(start) >= _START and len(lines) > 1 else lines  # the last one may be cut
        self.delimiter = _detected(lines) if delimiter is None else check_delimiter(delimiter)
        self._text: io.TextIOWrapper | None = None
        self._first: list[list[str]] = []
        with suppress(csv.Error):  # reading on will say where it is
            self._first.extend(row for row in islice(self._reader(lines), SAMPLE_ROWS) if row)
        if not self._first:
            raise BadDecisions("", "file must have a row; it is empty", line=1)
        top = self._first[0]
        if header is None:
            header = not _looks_like_data(top, self._first[1:])
            if not header:
                text = "the first row looks like data, so the columns are named 1, 2, …; --header takes it for names"
                warnings.warn(text, DecisionsNote, stacklevel=5)
        self.has_header = header
        self.columns = tuple(_checked_header(top)) if header else tuple(map(str, range(1, len(top) + 1)))

    def sample(self) -> Sequence[Cells]:
        """Return the first rows."""
        return [tuple(row) for row in self._first[self.has_header :] if len(row) == len(self.columns)]

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Iterate over blocks of rows; counting them is left to C."""
        index = {name: place for place, name in enumerate(self.columns)}
        chosen = [index[column] for column in columns]
        pick: Callable[[list[list[str]]], Iterable[Cells]]
        if len(chosen) == len(self.columns) and chosen == sorted(chosen):
            pick = partial(map, tuple)
        elif len(chosen) > 1:
            pick = partial(map, itemgetter(*chosen))
        else:
            pick = lambda block: ((row[chosen[0]],) for row in block)  # noqa: E731
        for block, first in self._read_blocks():
            rows = block if all(block) else [*filter(None, block)]
            yield Batch(pick(rows), len(rows), partial(_line_of_cell, block, first, chosen))

    def rows(self) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows one by one."""
        return _one_by_one(self._read_blocks())

    def _reader(self, lines: Iterable[str]) -> Any:
        return csv.reader(
            lines, delimiter=self.delimiter, strict=True, skipinitialspace=self.delimiter == " "
        )

    def _read_blocks(self) -> Iterator[_Block]:
        if self._text is not None:
            self._text.detach()  # without closing the file
        self.raw.seek(0)
        self._text = io.TextIOWrapper(self.raw, encoding="utf-8-sig", newline="")
        reader = self._reader(self._text)
        width, has_header = len(self.columns), self.has_header
        while True:
            first = reader.line_num + 1
            block: list[list[str]] = []
            try:
                block.extend(islice(reader, _BLOCK))  # keeps the rows before an error
            except UnicodeDecodeError:
                raise BadDecisions(self.name, "file must be UTF-8 text", "save it as UTF-8") from None
            except csv.Error as error:
                line = _line_of(block, first, len(block))
                raise BadDecisions(str(error), "file must be proper CSV", line=line) from None
            except _READ_ERRORS as error:
                raise _unreadable(self.name, error) from None
            if not block:
                return
            if has_header and any(block):
                header = next(index for index, row in enumerate(block) if row)
                first, has_header = _line_of(block, first, header + 1), False
                del block[: header + 1]
            if set(map(len, block)) - {width, 0}:
                index = next(index for index, row in enumerate(block) if len(row) not in (width, 0))
                rule = f"row must have {width} cells, as the first row"
                line = _line_of(block, first, index)
                raise BadDecisions(block[index], rule, f"it has {len(block[index])}", line=line)
            yield block, first


def check_delimiter(delimiter: str) -> str:
    r"""Return the delimiter that a character or a name means; raises `BadDecisions`.

    >>> check_delimiter("tab"), check_delimiter(";")
    ('\t', ';')
    """
    character = DELIMITERS.get(delimiter, "\t" if delimiter == "\\t" else delimiter)
    if not isinstance(character, str) or len(character) != 1 or character in '"\r\n':
        raise BadDecisions(delimiter, f"delimiter must be one character, or one of {', '.join(DELIMITERS)}")
    return character


def _detected(lines: Sequence[str]) -> str:
    """Return the comma if it fits, else the delimiter that gives most columns; a note names it.

    A delimiter fits if the first and most other rows have the same number of cells, two or more.
    """
    width = {character: _width(lines, character) for character in DELIMITERS.values()}
    best = max(
        width,
        key=lambda each: (width[each] > 1 and each == ",", width[each] > 1 and each != " ", width[each]),
    )
    if best != ",":
        name = next(name for name, character in DELIMITERS.items() if character == best)
        warnings.warn(f"the delimiter is {name}, by the first rows", DecisionsNote, stacklevel=6)
    return best


def _width(lines: Sequence[str], delimiter: str) -> int:
    try:
        reader = csv.reader(lines[:_DELIMITER_LINES], delimiter=delimiter, skipinitialspace=delimiter == " ")
        widths = [len(row) for row in reader if row]
    except csv.Error:
        return 1
    first, others = (widths[0], widths[1:]) if widths else (1, [])
    return first if 2 * others.count(first) > len(others) or not others else 1


def _looks_like_data(header: list[str], rows: list[list[str]]) -> bool:
    """Whether most names of the columns, or one of two, are also cells of their columns."""
    columns = list(zip(*(row for row in rows if len(row) == len(header)), strict=True))
    again = sum(name != "" and name in column for name, column in zip(header, columns, strict=False))
    return again > 0 and 2 * again > len(header) - (len(header) == 2)


def _checked_header(header: list[str]) -> list[str]:
    if header[0] == "" and "id" not in header:  # as pandas writes the index
        header = ["id", *header[1:]]
    seen: set[str] = set()
    for number, name in enumerate(header, start=1):
        if not name.strip() or name in seen:
            rule = "columns must have different names, none of them empty"
            raise BadDecisions(name, rule, f"rename column {number}, or use --no-header", line=1)
        seen.add(name)
    return header


def _one_by_one(blocks: Iterable[_Block]) -> Iterator[tuple[int | None, Cells]]:
    for block, line in blocks:
        text = "".join(map("".join, block))
        is_plain = "\n" not in text and "\r" not in text
        for row in block:
            if row:
                yield line, tuple(row)
            line += 1 if is_plain else 1 + _breaks(row)  # noqa: PLW2901


def _breaks(row: Sequence[str]) -> int:
    return sum(len(_LINE_BREAK.findall(cell)) for cell in row)


def _line_of(block: list[list[str]], first: int, index: int) -> int:
    """Return the line on which a row of the block begins; a quoted cell may hold line breaks."""
    return first + index + sum(map(_breaks, block[:index]))


def _line_of_cell(block: list[list[str]], first: int, chosen: list[int], column: int, cell: str) -> int:
    at = chosen[column]
    return _line_of(block, first, next(index for index, row in enumerate(block) if row and row[at] == cell))
