"""One reader of tables for every command: CSV with any delimiter, JSON, JSON lines, Parquet, gzip, streams and frames.

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
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from itertools import islice
from typing import IO, Any, TypeAlias

from ntqr_exact.errors import BadDecisions, BadDocument, DecisionsWarning
from ntqr_exact.votes.table import (
    SAMPLE_ROWS,
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

MAX_PIPED = 1 << 29
"""Bytes of standard input or of another pipe, which are held in memory."""
_START = 1 << 20
"""Bytes by which a format, a delimiter and a header are recognised."""
_DELIMITER_LINES = 50
_GZIP, _ZIP, _PARQUET, _UTF_16 = b"\x1f\x8b", b"PK\x03\x04", b"PAR1", (b"\xff\xfe", b"\xfe\xff")
_READ_ERRORS = (OSError, UnicodeDecodeError, EOFError, zlib.error)  # the latter two from what gzip packed
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]\s*(?:[\"{}\[\]]|\Z)")


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
    return file if file.seekable() else io.BytesIO(_held(file))


@cache
def _standard_input() -> bytes:
    return _held(open(0, "rb", closefd=False))


def _held(pipe: IO[bytes]) -> bytes:
    with pipe:
        data = pipe.read(MAX_PIPED + 1)
    if len(data) > MAX_PIPED:
        rule = f"what comes through a pipe must have at most {MAX_PIPED >> 20} MiB"
        raise BadDecisions("more", rule, "save it as a file, which is read in pieces")
    return data


def _unreadable(name: str, error: Exception) -> BadDecisions:
    if isinstance(error, UnicodeDecodeError):
        return BadDecisions(name, "file must be UTF-8 text", "save it as UTF-8")
    return BadDecisions(name, f"the file cannot be read: {getattr(error, 'strerror', None) or error}")


def _recognised(raw: IO[bytes], name: str, delimiter: str | None, header: bool | None) -> Table | Document:
    start = raw.read(_START)
    raw.seek(0)
    if start.startswith(_PARQUET):
        return parquet_table(name, name if isinstance(raw, io.BufferedReader) else io.BytesIO(raw.read()))
    if start.startswith(_ZIP):
        return Document(raw.read(), name)  # perhaps a log of inspect_ai
    if start.startswith(_UTF_16) or b"\0" in start:
        raise BadDecisions(name, "file must be UTF-8 text, not UTF-16 or binary", "save it as UTF-8")
    if has_ending(name, ".yaml", ".yml"):
        return yaml_source(raw.read(), name)
    if _JSON.match(start) is None:
        return TextTable(raw, name, start, delimiter, header)
    if delimiter is not None:
        raise BadDocument(name, "delimiter must be left out for a JSON file", "leave the option out")
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
        rows: list[list[str]] = []
        with suppress(csv.Error):  # reading on will say where it is
            rows.extend(row for row in islice(self._reader(lines), SAMPLE_ROWS) if row)
        if not rows:
            raise BadDecisions("", "file must have a row; it is empty", line=1)
        top = rows[0]
        if header is None:
            header = not _looks_like_data(top, rows[1:])
            if not header:
                text = "the first row looks like data, so the columns are named 1, 2, …; --header takes it for names"
                warnings.warn(text, DecisionsWarning, stacklevel=5)
        self.has_header = header
        self.columns = (
            tuple(_checked_header(top, rows[1:])) if header else tuple(map(str, range(1, len(top) + 1)))
        )

    def _reader(self, lines: Iterable[str]) -> Any:
        return csv.reader(
            lines, delimiter=self.delimiter, strict=True, skipinitialspace=self.delimiter == " "
        )

    def rows(self) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over the rows that are not blank, each with the line on which it begins."""
        if self._text is not None:
            self._text.detach()  # without closing the file
        self.raw.seek(0)
        self._text = io.TextIOWrapper(self.raw, encoding="utf-8-sig", newline="")
        reader, width, has_header = self._reader(self._text), len(self.columns), self.has_header
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise BadDecisions(str(error), "file must be proper CSV", line=line) from None
            except _READ_ERRORS as error:
                raise _unreadable(self.name, error) from None
            if row is None:
                return
            if has_header:
                has_header = not row
            elif len(row) == width:
                yield line, tuple(row)
            elif row:
                remedy = f"it has {len(row)}: delete any title above the table"
                raise BadDecisions(row, f"row must have {width} cells, as the first row", remedy, line=line)


def check_delimiter(delimiter: str) -> str:
    """Return the delimiter that a character or a name means; raises `BadDecisions`."""
    character = DELIMITERS.get(delimiter, "\t" if delimiter == "\\t" else delimiter)
    if not isinstance(character, str) or len(character) != 1 or character in '"\r\n':
        raise BadDecisions(delimiter, f"delimiter must be one character, or one of {', '.join(DELIMITERS)}")
    return character


def _detected(lines: Sequence[str]) -> str:
    """Return the comma if it fits (see `_width`), else the delimiter that gives most columns; a note names it."""
    width = {character: _width(lines, character) for character in DELIMITERS.values()}
    best = max(
        width, key=lambda one: (width[one] > 1 and one == ",", width[one] > 1 and one != " ", width[one])
    )
    if best != ",":
        name = next(name for name, character in DELIMITERS.items() if character == best)
        warnings.warn(f"the delimiter is {name}, by the first rows", DecisionsWarning, stacklevel=6)
    return best


def _width(lines: Sequence[str], delimiter: str) -> int:
    """Return the number of cells of most rows; 1 if they differ, or if the first row has less words than most."""
    try:
        reader = csv.reader(lines[:_DELIMITER_LINES], delimiter=delimiter, skipinitialspace=delimiter == " ")
        first, *others = [len(row) for row in reader if row] or [1]
    except csv.Error:
        return 1
    width, times = Counter(others or [first]).most_common(1)[0]
    return width if 2 * times > len(others) and (width == first or delimiter != " ") else 1


def _looks_like_data(header: list[str], rows: list[list[str]]) -> bool:
    """Whether most names of the columns, or one of two, are also cells of their columns."""
    columns = list(zip(*(row for row in rows if len(row) == len(header)), strict=True))
    again = sum(name != "" and name in column for name, column in zip(header, columns, strict=False))
    return again > 0 and 2 * again > len(header) - (len(header) == 2)


def _checked_header(header: list[str], rows: list[list[str]]) -> list[str]:
    if header[0] == "" and "id" not in header:  # as pandas writes the index
        header = ["id", *header[1:]]

    def is_empty(place: int) -> bool:  # as spreadsheets write columns behind the last one
        return not header[place].strip() and not any("".join(row[place : place + 1]).strip() for row in rows)

    header = [str(place + 1) if is_empty(place) else name for place, name in enumerate(header)]
    seen: set[str] = set()
    for number, name in enumerate(header, start=1):
        if not name.strip() or name in seen:
            rule = "columns must have different names, none of them empty"
            raise BadDecisions(name, rule, f"rename column {number}, or use --no-header", line=1)
        seen.add(name)
    return header
