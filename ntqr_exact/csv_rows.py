r"""Opening a CSV and reading its rows, the same for every kind of file: what is refused, and where.

>>> list(numbered_rows(["a,b\n", "\n", '"1",2\n']))
[(1, ['a', 'b']), (3, ['1', '2'])]
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, TypeAlias

from ntqr_exact.errors import BadDecisions

CsvSource: TypeAlias = "str | os.PathLike[str] | IO[str]"
"""A path ("-" is standard input), or a stream of text that is open for reading."""

STANDARD_INPUT = "-"


def check_delimiter(delimiter: str) -> str:
    """Return the delimiter if it is one; raises `BadDecisions` for what cannot stand between cells."""
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise BadDecisions(delimiter, "a delimiter is one character, and no quote or line break")
    return delimiter


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
def opened_bytes(path: str | os.PathLike[str]) -> Iterator[io.BufferedReader]:
    """Open a file for reading, or standard input for "-"; raises `BadDecisions` where that fails."""
    name = os.fspath(path)
    try:
        raw = open(0 if name == STANDARD_INPUT else path, "rb", closefd=name != STANDARD_INPUT)  # noqa: SIM115
    except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise BadDecisions(name, f"the file cannot be read: {reason}") from None
    with raw:
        yield raw


def text_of(raw: io.BufferedReader[Any], name: str) -> io.TextIOWrapper:
    """Return bytes as text in UTF-8 without a byte order mark; raises `BadDecisions` for a binary file."""
    if b"\0" in raw.peek():
        raise BadDecisions(name, "this is a binary file, not CSV")
    return io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")


def numbered_rows(stream: Iterable[str], delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not blank with the line on which it ends."""
    reader = csv.reader(stream, delimiter=check_delimiter(delimiter), strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise BadDecisions(str(error), "this is not proper CSV", line=reader.line_num) from None
    except UnicodeDecodeError:
        raise BadDecisions(
            "", "the file is not UTF-8 text", "save it as UTF-8", line=reader.line_num + 1
        ) from None


def _without_mark(stream: Iterable[str]) -> Iterator[str]:
    """Drop a byte order mark at the start of a stream that somebody else decoded."""
    lines = iter(stream)
    first = next(lines, None)
    if first is not None:
        if not isinstance(first, str):
            raise BadDecisions(first, "a stream of rows holds texts, not bytes", "open it as text")
        yield first.removeprefix("\ufeff")
        yield from lines
