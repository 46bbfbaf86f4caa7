"""`LogSumKey`: the number Σ c·log(m) over whole numbers, ordered exactly.

>>> half = LogSumKey(((1, 8), (-3, 2)))
>>> half == LogSumKey(()), LogSumKey(((8, 3),)) < LogSumKey(((5, 6),))
(True, True)

The first says log 8 = 3 log 2; the second 3⁸ < 6⁵.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadNumber, NotOrdered
from ntqr_exact.exact.decimal_text import fixed_text, formatted
from ntqr_exact.exact.enclosure import Enclosure, enclose_log
from ntqr_exact.exact.logsum import enclose_log_sum, log_sum_sign
from ntqr_exact.exact.rational import rational

_BITS = 96


@functools.total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class LogSumKey:
    """The number Σ c·log(m) / divisor over pairs of whole numbers (c, m), or +∞; ordered and compared exactly.

    A certified enclosure decides most comparisons; where two of them meet, `log_sum_sign` does. Keys of equal
    numbers are equal however they are written, so they have no hash.
    """

    terms: tuple[tuple[int, int], ...]
    divisor: int = 1
    infinite: bool = False
    _lower: mpq = field(init=False, repr=False)
    _upper: mpq = field(init=False, repr=False)

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Enclose the number once."""
        if self.divisor < 1:
            raise BadNumber(self.divisor, "a divisor is positive")
        kept = tuple((c, m) for c, m in self.terms if c)
        object.__setattr__(self, "terms", kept)
        lower = upper = mpz(0)
        for c, m in kept:
            below, above = _log_bounds(m)
            lower += c * (below if c > 0 else above)
            upper += c * (above if c > 0 else below)
        object.__setattr__(self, "_lower", mpq(lower, self.divisor << _BITS))
        object.__setattr__(self, "_upper", mpq(upper, self.divisor << _BITS))

    def compare(self, other: LogSumKey) -> int:
        """Return −1, 0 or 1, the sign of this number minus the other."""
        if self.infinite or other.infinite:
            return int(self.infinite) - int(other.infinite)
        if self is other or (self.divisor == other.divisor and self.terms == other.terms):
            return 0  # many vectors of a data set are equal: no need to prove it each time
        if self._lower > other._upper:
            return 1
        if self._upper < other._lower:
            return -1
        ours = [(mpq(c, self.divisor), m) for c, m in self.terms]
        theirs = [(mpq(-c, other.divisor), m) for c, m in other.terms]
        return log_sum_sign(ours + theirs)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same number."""
        return self.compare(other) == 0 if isinstance(other, LogSumKey) else NotImplemented

    def __lt__(self, other: object) -> bool:
        """Whether this number is the smaller one."""
        return self.compare(other) < 0 if isinstance(other, LogSumKey) else NotImplemented

    def enclose(self, precision: int = 64) -> Enclosure:
        """Enclose the number; raises `NotOrdered` for +∞, which has no decimals."""
        if self.infinite:
            raise NotOrdered(self, "an infinite score has no decimals")
        return enclose_log_sum([(mpq(c, self.divisor), m) for c, m in self.terms], precision)

    def decimal(self, places: int = 6) -> str:
        """Return the number rounded to `places` decimals, for reading.

        >>> LogSumKey(((1, 2),)).decimal(12)
        '0.693147180560'
        """
        if self.infinite:
            return "∞"
        if self == _ZERO:
            return fixed_text(mpq(0), places)
        # Enough bits that the ends agree on every place, unless the number lies on a midpoint, which none does
        # that is not rational; a rational sum of logarithms of rationals is zero.
        precision = 64 + 4 * places
        while True:
            enclosed = self.enclose(precision)
            text = fixed_text(enclosed.lower, places)
            if text == fixed_text(enclosed.upper, places):
                return text
            precision *= 2

    def __float__(self) -> float:
        """Return the float nearest to the middle of an enclosure, for plots and tables."""
        return float("inf") if self.infinite else self.enclose().__float__()

    def __round__(self, places: int = 0) -> mpq:
        """Return the number rounded to `places` decimals, as a rational."""
        return rational(self.decimal(places))

    def __format__(self, form: str) -> str:
        """Return the text that a format such as ".3f" asks for, correctly rounded."""
        return formatted(self if form.endswith("f") or not form else self.enclose(4 * _BITS), form)

    def __str__(self) -> str:
        """Return the sum as it is written."""
        if self.infinite:
            return "∞"
        sums = "".join(f" {'+' if c > 0 else '−'} {abs(c)}·log {m}" for c, m in self.terms)
        inside = sums.removeprefix(" + ").lstrip() or "0"
        return inside if self.divisor == 1 else f"({inside})/{self.divisor}"


@functools.lru_cache(maxsize=1 << 16)
def _log_bounds(number: int) -> tuple[mpz, mpz]:
    """Return whole numbers of 2^−96 below and above log(number)."""
    enclosed = enclose_log(number, _BITS + 16)
    lower, upper = enclosed.lower * (1 << _BITS), enclosed.upper * (1 << _BITS)
    return lower.numerator // lower.denominator, -(-upper.numerator // upper.denominator)


_ZERO = LogSumKey(())
