"""Printed decimals: which exact numbers round to them, and by which rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd

_DECIMAL = re.compile(r"[-−+]?\d[\d,]*(?:\.(\d+))?(?:[eE]([-+]?\d{1,4}))?")


class Rounding(Enum):
    """How an exact number may have become a printed one."""

    EXACT = "exact"
    NEAREST = "to nearest"
    HALF_UP = "half away from zero"
    HALF_DOWN = "half towards zero"
    CUT = "digits cut off"
    NONE = "no usual rule"


@dataclass(frozen=True, slots=True)
class PrintedDecimal:
    """A decimal with a last digit: its value, and what one step of that digit is worth."""

    text: str
    value: mpq
    step: mpq
    exponent: int | None
    places: int

    @classmethod
    def from_data(cls, value: str) -> PrintedDecimal:
        """Return the printed decimal that a claim holds as text."""
        return read_printed(value)

    @property
    def low(self) -> mpq:
        """The least number that rounds to it."""
        return self.value - self.step / 2

    @property
    def high(self) -> mpq:
        """The greatest number that rounds to it."""
        return self.value + self.step / 2

    def rule_for(self, exact: mpq | Surd) -> Rounding:
        """Return by which rule the exact number gives this decimal."""
        if exact == self.value:
            return Rounding.EXACT
        if self.low < exact < self.high:
            return Rounding.NEAREST
        if exact in (self.low, self.high):
            away = (exact == self.low) == (self.value > 0)
            return Rounding.HALF_UP if away else Rounding.HALF_DOWN
        cut = self.value < exact < self.value + self.step if exact > 0 else exact < self.value
        cut = cut and (exact > 0 or self.value - self.step < exact) and self.value * exact >= 0
        return Rounding.CUT if cut else Rounding.NONE

    def right_text(self, exact: mpq | Surd) -> str:
        """Return what should have been printed, with as many digits."""
        if self.exponent is None:
            return fixed_text(exact, self.places)
        scaled = exact / mpq(10) ** self.exponent
        return f"{fixed_text(scaled, self.places)}e{self.exponent}"

    def interval_text(self) -> str:
        """Return the numbers that round to it."""
        return f"[{self.low}, {self.high}]"


def read_printed(text: str) -> PrintedDecimal:
    """Return a printed decimal such as 0.806, −0.05, 1.92e-7 or 167,668,501.

    >>> read_printed("1.92e-7").step, read_printed("0.806").rule_for(mpq(357, 443))
    (mpq(1,1000000000), <Rounding.NEAREST: 'to nearest'>)
    """
    match = _DECIMAL.fullmatch(text.strip())
    if match is None:
        raise BadDocument(text, "not a printed decimal")
    places = len(match[1] or "")
    exponent = int(match[2]) if match[2] is not None else None
    value = rational(text.strip().replace(",", "").replace("−", "-"))
    return PrintedDecimal(text.strip(), value, mpq(10) ** ((exponent or 0) - places), exponent, places)
