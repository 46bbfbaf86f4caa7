"""Where the cells of a plain CSV are in its bytes, found all at once by numpy.

A block is given as positions only if a reader of CSV would find the same cells: quotes are around whole cells, and
every row has a cell for each column. Anything else is left to that reader.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ntqr_exact.columns.whole_numbers import Array

BLOCK_BYTES = 1 << 20
"""Bytes of a block: so few that the arrays made of it stay in the cache."""

_LONGEST_CELL = csv.field_size_limit()
_NEWLINE, _QUOTE = b'\n"'


@dataclass(frozen=True, slots=True, eq=False)
class CellBlock:
    """Whole rows: the cell of row i and column j is in `text` from `starts[i, j]` up to `ends[i, j]`."""

    text: Array
    starts: Array
    ends: Array
    data: bytes


def cell_blocks(
    read_bytes: Callable[[int], bytes], delimiter: str, columns: int
) -> Iterator[CellBlock | bytes]:
    """Iterate over blocks of rows; where rows are not plain, the last item is the bytes read from there on."""
    rest = b""
    while True:
        read = read_bytes(BLOCK_BYTES)
        data = rest + read
        if not data:
            return
        if not read and not data.endswith(b"\n"):
            data += b"\n"
        end = _end(data)
        block = _cells(data[:end], delimiter, columns) if end else None
        if block is None:
            yield data
            return
        yield block
        rest = data[end:]


def _end(data: bytes) -> int:
    """Return the place after the last line break that is not inside quotes; 0 if there is none."""
    end = data.rfind(b"\n") + 1
    quotes = data.count(b'"', 0, end)
    while end and quotes % 2:
        before = data.rfind(b"\n", 0, end - 1) + 1
        quotes -= data.count(b'"', before, end)
        end = before
    return end


def _cells(data: bytes, delimiter: str, columns: int) -> CellBlock | None:
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
    return CellBlock(text, starts, ends, data)


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
