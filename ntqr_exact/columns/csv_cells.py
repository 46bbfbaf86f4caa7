"""Cells of a large plain CSV found all at once by numpy: decimals, each a whole number and a power of ten, and names.

A block is given as positions only if a reader of CSV would find the same cells: quotes are around whole cells, and
every row has a cell for each column. Anything else, and a cell that is not a plain decimal, is left to the ordinary
reader. No float is made.

>>> import numpy
>>> text, starts = numpy.frombuffer(b"0.25;-3e-2;", dtype=numpy.uint8), numpy.array([0, 5])
>>> list(decimal_cells(text, starts, starts + numpy.array([4, 5])))
[mpq(1,4), mpq(-3,100)]
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import Array, WideColumn, as_column, scaled

BLOCK_BYTES = 1 << 20
"""Bytes of a block: its arrays stay in the cache."""

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
    """Yield blocks of rows; where rows are not plain, the last item is the bytes read from there on."""
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
    """Return the position after the last line break that is not inside quotes; 0 if there is none."""
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
    """Return whether each opening quote begins a cell, and each closing one ends it or is the first of two."""
    import numpy

    after = numpy.append(separates, True)
    opening, closing = numpy.flatnonzero(quotes & inside), numpy.flatnonzero(quotes & ~inside)
    begins = (opening == 0) | separates[opening - 1] | (quotes & ~inside)[opening - 1]
    ends = after[closing + 1] | numpy.append(quotes, False)[closing + 1]
    return bool(begins.all() and ends.all())


_MOST_DIGITS = 18
"""Every whole number of this many digits fits into 63 bits."""

_FAR = 1 << 40
"""Beyond every power of ten that a cell can name."""


@dataclass(frozen=True, slots=True, eq=False)
class Decimals:
    """Numbers digits·10^power, where digits has at most 18 of them; an item is a rational."""

    digits: Array
    powers: Array

    def __len__(self) -> int:
        return len(self.digits)

    def __getitem__(self, place: Any) -> Any:
        digits, powers = self.digits[place], self.powers[place]
        return Decimals(digits, powers) if digits.ndim else int(digits) * mpq(10) ** int(powers)

    def __iter__(self) -> Iterator[mpq]:
        tens = {power: mpq(10) ** power for power in set(self.powers.tolist())}
        for digits, power in zip(self.digits.tolist(), self.powers.tolist(), strict=True):
            yield digits * tens[power]

    @classmethod
    def joined(cls, columns: Iterable[Decimals]) -> Decimals:
        """Return several columns as one."""
        import numpy

        parts = [(column.digits, column.powers) for column in columns]
        return cls(*(numpy.concatenate(part) for part in zip(*parts, strict=True)))

    def units(self) -> tuple[WideColumn, mpq]:
        """Return whole numbers and a unit whose products are the decimals, none negative."""
        least = self._least_power()
        whole = self._at_power(least)
        if whole is not None:
            return as_column(whole), mpq(10) ** least
        shifts = (self.powers - least) * (self.digits != 0)
        factors = [10**shift for shift in range(int(shifts.max()) + 1)]
        return scaled(self.digits, factors, shifts), mpq(10) ** least

    def multiples(self) -> tuple[Array, mpq]:
        """Return whole numbers as an array, of Python integers beyond 18 digits, and the unit that they count."""
        least = self._least_power()
        whole = self._at_power(least)
        if whole is None:
            shifts = ((self.powers - least) * (self.digits != 0)).tolist()
            whole = self.digits.astype(object)
            whole *= [10**shift for shift in shifts]
        return whole, mpq(10) ** least

    def keys(self) -> tuple[Array, ...]:
        """Return arrays that order the numbers, the last first, as `numpy.lexsort` takes them."""
        import numpy

        whole = self._at_power(self._least_power())
        if whole is not None:
            return (whole,)
        # With 18 digits each, the power decides, and then the digits; below zero the other way round.
        missing = _MOST_DIGITS - _lengths(self.digits)
        sizes = numpy.sign(self.digits) * (self.powers - missing + _FAR)
        return (self.digits * _tens()[missing], sizes)

    def _least_power(self) -> int:
        there = self.digits != 0
        return int(self.powers[there].min()) if there.any() else 0

    def _at_power(self, least: int) -> Array | None:
        """Return the numbers as multiples of 10^least, if each has at most 18 digits."""
        shifts = (self.powers - least) * (self.digits != 0)
        if int((_lengths(self.digits) + shifts).max(initial=0)) > _MOST_DIGITS:
            return None
        multiples: Array = self.digits * _tens()[shifts]
        return multiples


def _tens() -> Array:
    import numpy

    return 10 ** numpy.arange(_MOST_DIGITS + 1, dtype=numpy.int64)


def _lengths(digits: Array) -> Array:
    """Return how many digits each whole number has; 0 has none."""
    import numpy

    return numpy.searchsorted(_tens(), numpy.abs(digits), side="right")


_LONGEST = 64
"""Bytes of the longest cell that is read here."""

_FULL = 10 ** (_MOST_DIGITS - 1)
_SPACE, _PLUS, _MINUS, _POINT, _ZERO, _E = b" +-.0e"
_LOWER_CASE = 32
_EXPONENT = 4
"""Bytes of the longest exponent, sign included."""


def decimal_cells(text: Array, starts: Array, ends: Array) -> Decimals | None:
    """Return the decimals that cells spell, or nothing if one of them is not plain or has more than 18 digits."""
    import numpy

    starts, ends = _trimmed(text, starts, ends)
    letters = numpy.zeros_like(ends)
    for back in range(2, _EXPONENT + 2):
        at = ends - back
        found = (at >= starts) & (text.take(at, mode="clip") | _LOWER_CASE == _E)
        letters[found] = at[found]
    exponents = numpy.flatnonzero(letters)
    tails = _signed(text, letters[exponents] + 1, ends[exponents], points=0)
    heads = _signed(text, starts, numpy.where(letters, letters, ends), points=1)
    if heads is None or tails is None:
        return None
    digits, powers = heads
    powers[exponents] += tails[0].astype(numpy.int16)  # it is within ±9999
    return Decimals(digits, powers)


def named_cells(text: Array, starts: Array, ends: Array) -> list[str] | None:
    """Return the texts of cells without blanks around them, or nothing if one of them is long."""
    import numpy

    width = int((ends - starts).max(initial=0))
    if not 0 < width <= _LONGEST:
        return None
    places = starts[:, None] + numpy.arange(width)
    cells = numpy.where(places < ends[:, None], text.take(places, mode="clip"), 0).astype(numpy.uint8)
    names, codes = numpy.unique(cells.view(f"S{width}").ravel(), return_inverse=True)
    texts = [name.decode().strip() for name in names.tolist()]
    return list(map(texts.__getitem__, codes.tolist()))


def _trimmed(text: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """Return the positions without the blanks at both ends."""
    while (blank := (starts < ends) & (text[starts] == _SPACE)).any():
        starts = starts + blank
    while (blank := (starts < ends) & (text[ends - 1] == _SPACE)).any():
        ends = ends - blank
    return starts, ends


def _signed(text: Array, starts: Array, ends: Array, *, points: int) -> tuple[Array, Array] | None:
    """Return digits and powers of decimals without exponent, each with at most this many points."""
    import numpy

    sign = text[starts]
    starts = starts + ((sign == _MINUS) | (sign == _PLUS))
    lengths = ends - starts
    width = int(lengths.max(initial=0))
    if width > _LONGEST:
        return None
    digits = numpy.zeros(len(starts), dtype=numpy.int64)
    powers = numpy.zeros(len(starts), dtype=numpy.int16)
    fractional = numpy.zeros(len(starts), dtype=bool)
    plain = numpy.ones(len(starts), dtype=bool)
    for at in range(width):
        byte = text.take(starts + at, mode="clip")
        live = lengths > at
        digit = byte - numpy.uint8(_ZERO)  # a byte below "0" wraps around, and is not a digit either
        is_digit = live & (digit < 10)
        is_point = live & (byte == _POINT)
        plain &= ~live | is_digit | (is_point & ~fractional) if points else ~live | is_digit
        fractional |= is_point
        if at >= _MOST_DIGITS:
            # Zeros after the last digit that fits need no place; before the point they raise the power.
            full = digits >= _FULL
            plain &= ~(is_digit & full & (digit != 0))
            powers += is_digit & full & ~fractional
            is_digit &= ~full
        digits = numpy.where(is_digit, 10 * digits + digit, digits)
        powers -= is_digit & fractional
    if not (plain & (lengths > fractional)).all():
        return None
    return numpy.where(sign == _MINUS, -digits, digits), powers
