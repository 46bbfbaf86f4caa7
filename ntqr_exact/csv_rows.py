r"""Opening a table of text and reading its rows, the same for every kind of file: what is refused, and where.

>>> list(numbered_rows(["a,b\n", "\n", '"1",2\n']))
[(1, ['a', 'b']), (3, ['1', '2'])]
"""

from __future__ import annotations

import csv
import gzip
import io
import os
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import IO, Any, TypeAlias

from ntqr_exact.errors import BadDecisions, DecisionsNote

CsvSource: TypeAlias = "str | os.PathLike[str] | IO[str]"
"""A path ("-" is standard input), or a stream of text that is open for reading."""

STANDARD_INPUT = "-"

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
"""The delimiters that are recognised, by the words that name them."""

_LOOKED_AT = 50
"""Lines by which a delimiter is recognised."""

_GZIP = b"\x1f\x8b"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def check_delimiter(delimiter: str) -> str:
    """Return the delimiter that a character or a word names; raises `BadDecisions` for what is none.

    >>> check_delimiter("tab"), check_delimiter(";")
    ('\\t', ';')
    """
    character = _DELIMITERS.get(delimiter, "\t" if delimiter == "\\t" else delimiter)
    if len(character) != 1 or character in '"\r\n':
        rule = "a delimiter is one character, and no quote or line break"
        raise BadDecisions(delimiter, rule, f"or one of the words {', '.join(_DELIMITERS)}")
    return character


def _recognised_delimiter(lines: Sequence[str]) -> str:
    r"""Return the delimiter of a table by its header and first rows: the comma, unless only another one fits.

    One fits if the header and most rows have the same number of cells, two or more.

    >>> _recognised_delimiter(["ada;bo\n", "yes;no\n"]), _recognised_delimiter(["a,b;c\n", "x,y;z\n"])
    (';', ',')
    """
    width = {character: _width(lines, character) for character in _DELIMITERS.values()}
    return max(width, key=lambda character: (width[character] > 1 and character == ",", width[character]))


def _width(lines: Sequence[str], delimiter: str) -> int:
    """Return the number of cells that the header and more than half of the rows have; 1 if there is none."""
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return 1
    if not rows:
        return 1
    header, *others = map(len, rows)
    return header if 2 * others.count(header) > len(others) or not others else 1


def with_delimiter(stream: Iterable[str], delimiter: str | None) -> tuple[Iterable[str], str]:
    """Return the stream and its delimiter: the given one, or the one that its first lines show.

    A delimiter that was recognised and is not the comma is told as a `DecisionsNote`.
    """
    if delimiter is not None:
        return stream, check_delimiter(delimiter)
    lines = iter(stream)
    first: list[str] = []
    broken: Iterable[str] = ()
    try:
        first.extend(islice(lines, _LOOKED_AT))
    except (UnicodeDecodeError, OSError) as error:
        broken = _raising(error)  # whoever reads the lines before it will come upon it, and knows the line
    found = _recognised_delimiter(first)
    if found != ",":
        word = next(word for word, character in _DELIMITERS.items() if character == found)
        told = f"the cells are separated by the {word}, as the header and the first rows show"
        warnings.warn(told, DecisionsNote, stacklevel=2)
    return chain(first, broken, lines), found


@contextmanager
def opened(source: CsvSource) -> Iterator[Iterable[str]]:
    """Open a path for reading, or take a stream as it is; a byte order mark is dropped.

    Raises `BadDecisions` for a file that cannot be read or is binary, and for what is no stream of text.
    """
    if not isinstance(source, (str, os.PathLike)):
        if not isinstance(source, Iterable):
            raise BadDecisions(source, "rows are read from a path or a stream of text")
        yield _without_mark(source)
        return
    with opened_bytes(source) as raw, text_of(raw, os.fspath(source)) as stream:
        yield stream


@contextmanager
def opened_bytes(path: str | os.PathLike[str]) -> Iterator[io.BufferedReader[Any]]:
    """Open a file for reading, or standard input for "-"; what gzip has packed is unpacked.

    Raises `BadDecisions` where that fails.
    """
    name = os.fspath(path)
    try:
        raw = open(0 if name == STANDARD_INPUT else path, "rb", closefd=name != STANDARD_INPUT)  # noqa: SIM115
    except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise BadDecisions(name, f"the file cannot be read: {reason}") from None
    with raw:
        try:
            is_packed = raw.peek(2).startswith(_GZIP)
        except OSError as error:
            raise BadDecisions(name, f"the file cannot be read: {error.strerror}") from None
        if not is_packed:
            yield raw
            return
        with io.BufferedReader(_Unpacked(raw)) as unpacked:
            yield unpacked


def text_of(raw: io.BufferedReader[Any], name: str) -> io.TextIOWrapper:
    """Return bytes as text in UTF-8 without a byte order mark; raises `BadDecisions` for a binary file."""
    try:
        start = raw.peek()
    except OSError as error:
        raise BadDecisions(name, f"the file cannot be read: {error.strerror}") from None
    if start.startswith(_UTF_16):
        rule = "this is UTF-16 text, by its byte order mark"
        raise BadDecisions(name, rule, "save it as UTF-8 (Excel: CSV UTF-8)")
    if b"\0" in start:
        raise BadDecisions(name, "this is a binary file, not CSV")
    return io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")


def numbered_rows(
    stream: Iterable[str], delimiter: str | None = None, lines_before: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not blank with the line on which it ends; without a delimiter, recognise it."""
    lines, between = with_delimiter(stream, delimiter)
    reader = csv.reader(lines, delimiter=between, strict=True)
    try:
        for row in reader:
            if row:
                yield lines_before + reader.line_num, row
    except csv.Error as error:
        rule = "this is not proper CSV"
        raise BadDecisions(str(error), rule, line=lines_before + reader.line_num) from None
    except OSError as error:
        rule = f"the file cannot be read: {error.strerror}"
        raise BadDecisions("", rule, line=lines_before + reader.line_num + 1) from None
    except UnicodeDecodeError:
        rule = "the file is not UTF-8 text"
        raise BadDecisions("", rule, "save it as UTF-8", line=lines_before + reader.line_num + 1) from None


def check_header(header: Sequence[str]) -> None:
    """Raise `BadDecisions` unless there are names of columns, all different."""
    if not header:
        raise BadDecisions("", "a decisions file begins with a line that names the columns", line=1)
    seen: dict[str, int] = {}
    for place, name in enumerate(header, start=1):
        if not name.strip():
            raise BadDecisions(name, f"column {place} has no name", line=1)
        if name in seen:
            twice = f"rename one of the columns {seen[name]} and {place}"
            raise BadDecisions(name, "this column is named twice", twice, line=1)
        seen[name] = place


class _Unpacked(io.RawIOBase):
    """What gzip has packed, unpacked; a damaged file is an `OSError`, as everywhere."""

    def __init__(self, packed: io.BufferedReader) -> None:
        self._file = gzip.GzipFile(fileobj=packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece = self._file.read1(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise OSError(5, f"what gzip packed is damaged: {error}") from None
        buffer[: len(piece)] = piece
        return len(piece)


def _raising(error: Exception) -> Iterator[str]:
    raise error
    yield


def _without_mark(stream: Iterable[str]) -> Iterator[str]:
    """Drop a byte order mark at the start of a stream that somebody else decoded."""
    lines = iter(stream)
    first = next(lines, None)
    if first is not None:
        if not isinstance(first, str):
            raise BadDecisions(first, "a stream of rows holds texts, not bytes", "open it as text")
        yield first.removeprefix("\ufeff")
        yield from lines
