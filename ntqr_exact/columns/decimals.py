"""A column of decimals, each a whole number and a power of ten: ordered and scaled in arrays, no float among them.

>>> import numpy
>>> column = Decimals(numpy.array([25, 5, 1]), numpy.array([-2, -1, 30]))
>>> list(column)[:2], numpy.lexsort(column.keys()).tolist()
([mpq(1,4), mpq(1,2)], [0, 1, 2])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import Array, WideColumn, scaled

MOST_DIGITS = 18
"""Every whole number of this many digits fits into 63 bits."""

_FAR = 1 << 40
"""Beyond every power of ten that a cell can name."""


@dataclass(frozen=True, slots=True, eq=False)
class Decimals:
    """Numbers digits·10^power, where digits has at most 18 of them; a place of it is a rational."""

    digits: Array
    powers: Array

    def __len__(self) -> int:
        """How many there are."""
        return len(self.digits)

    def __getitem__(self, place: Any) -> Any:
        """Return the number at a place, or the column of those at many places."""
        digits, powers = self.digits[place], self.powers[place]
        return Decimals(digits, powers) if digits.ndim else int(digits) * mpq(10) ** int(powers)

    def __iter__(self) -> Iterator[mpq]:
        """Yield the numbers."""
        tens = {power: mpq(10) ** power for power in set(self.powers.tolist())}
        for digits, power in zip(self.digits.tolist(), self.powers.tolist(), strict=True):
            yield digits * tens[power]

    def __eq__(self, other: object) -> bool:
        """Compare with any sequence by value."""
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
        missing = MOST_DIGITS - _lengths(self.digits)
        sizes = numpy.sign(self.digits) * (self.powers - missing + _FAR)
        return (self.digits * _tens()[missing], sizes)

    def _least_power(self) -> int:
        there = self.digits != 0
        return int(self.powers[there].min()) if there.any() else 0

    def _at_power(self, least: int) -> Array | None:
        """Return the numbers as multiples of 10^least, if each has at most 18 digits."""
        shifts = (self.powers - least) * (self.digits != 0)
        if int((_lengths(self.digits) + shifts).max(initial=0)) > MOST_DIGITS:
            return None
        multiples: Array = self.digits * _tens()[shifts]
        return multiples


def _tens() -> Array:
    import numpy

    return 10 ** numpy.arange(MOST_DIGITS + 1, dtype=numpy.int64)


def _lengths(digits: Array) -> Array:
    """Return how many digits each whole number has; 0 has none."""
    import numpy

    return numpy.searchsorted(_tens(), numpy.abs(digits), side="right")
