"""A column of decimals, each a whole number and a power of ten: ordered and scaled in arrays, no float among them.

>>> import numpy
>>> column = Decimals(numpy.array([25, 5, 1]), numpy.array([-2, -1, 30]))
>>> list(column)[:2], numpy.lexsort(column.keys()).tolist()
([mpq(1,4), mpq(1,2)], [0, 1, 2])

Cells of a text read all at once, each given by its places in the bytes: decimals, and names that repeat.

What is not plain is left to the door for numbers, cell by cell: nothing is guessed here.

>>> import numpy
>>> text, places = numpy.frombuffer(b"0.25;-3e-2;", dtype=numpy.uint8), numpy.array([0, 5])
>>> list(decimal_cells(text, places, places + numpy.array([4, 5])))
[mpq(1,4), mpq(-3,100)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import Array, WideColumn, scaled

_MOST_DIGITS = 18
"""Every whole number of this many digits fits into 63 bits."""

_FAR = 1 << 40
"""Beyond every power of ten that a cell can name."""


@dataclass(frozen=True, slots=True, eq=False)
class Decimals:
    """Numbers digits·10^power, where digits has at most 18 of them; a place of it is a rational."""

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

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (Decimals, Sequence)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def joined(cls, columns: Iterable[Decimals]) -> Decimals:
        """Return several columns as one."""
        import numpy

        parts = [(column.digits, column.powers) for column in columns]
        return cls(*(numpy.concatenate(part) for part in zip(*parts, strict=True)))

    def units(self) -> tuple[Array | WideColumn, mpq]:
        """Return whole numbers and a unit whose products are the decimals, none negative."""
        least = self._least_power()
        whole: Array | WideColumn | None = self._at_power(least)
        if whole is None:
            shifts = (self.powers - least) * (self.digits != 0)
            whole = scaled(self.digits, [10**shift for shift in range(int(shifts.max()) + 1)], shifts)
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

_MOST_NAMES = 64
_FULL = 10 ** (_MOST_DIGITS - 1)
_SPACE, _PLUS, _MINUS, _POINT, _ZERO, _E = b" +-.0e"
_LOWER_CASE = 32
_WORD = 8
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


def named_cells(text: Array, starts: Array, ends: Array) -> tuple[Array, list[str]] | None:
    """Return the code of each cell and the names of the codes without blanks around them, or nothing if there are many.

    An empty name is as good as any here.
    """
    import numpy

    width = int((ends - starts).max(initial=0))
    if width > _LONGEST:
        return None
    words = []
    for first in range(0, width, _WORD):
        word: Array = numpy.zeros(len(starts), dtype=numpy.uint64)
        for at in range(first, first + _WORD):
            word = (word << _WORD) | numpy.where(starts + at < ends, text.take(starts + at, mode="clip"), 0)
        words.append(word)
    codes = numpy.full(len(starts), -1)
    names: list[str] = []
    while (codes < 0).any():
        first = int(codes.argmin())
        name = text[starts[first] : ends[first]].tobytes().decode().strip()
        if name not in names:
            names.append(name)
        if len(names) > _MOST_NAMES:
            return None
        same = numpy.ones(len(codes), dtype=bool)
        for word in words:
            same &= word == word[first]
        codes[same] = names.index(name)
    return codes, names


def _trimmed(text: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """Return the places without the blanks at both ends."""
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
        digit = byte - numpy.uint8(_ZERO)  # a byte below "0" wraps around, and is no digit either
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
