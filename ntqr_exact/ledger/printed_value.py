"""Printed decimals: which exact numbers round to one, and by which rule; and printed numbers in LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.exact.surd import Surd

_DECIMAL = re.compile(r"[-−+]?\d[\d,]*(?:\.(\d+))?(?:[eE]([-+]?\d{1,4}))?")


class Rounding(Enum):
    """How an exact number may have become a printed one; halves may go either way."""

    EXACT = "exact"
    NEAREST = "to nearest"
    HALF = "a half, rounded either way"
    CUT = "digits cut off"
    NONE = "no usual rule"


@dataclass(frozen=True, slots=True)
class PrintedDecimal:
    """A decimal with its value, and what one step of its last digit is worth."""

    text: str
    value: mpq
    step: mpq
    exponent: int | None
    places: int

    @classmethod
    def from_text(cls, text: str) -> PrintedDecimal:
        """Return a printed decimal such as 0.806, −0.05, 1.92e-7 or 167,668,501."""
        match = _DECIMAL.fullmatch(text.strip())
        if match is None:
            raise BadDocument(text, "text must be a printed decimal")
        places, exponent = len(match[1] or ""), int(match[2]) if match[2] is not None else None
        value = rational(text.strip().replace(",", "").replace("−", "-"))
        return cls(text.strip(), value, mpq(10) ** ((exponent or 0) - places), exponent, places)

    @property
    def digits(self) -> int:
        """The place of the last digit after the decimal point."""
        return self.places - (self.exponent or 0)

    @property
    def low(self) -> mpq:
        """The smallest number that rounds to it."""
        return self.value - self.step / 2

    @property
    def high(self) -> mpq:
        """The largest number that rounds to it."""
        return self.value + self.step / 2

    def rule_for(self, exact: mpq | Surd) -> Rounding:
        """Return by which rule the exact number gives this decimal."""
        if exact == self.value:
            return Rounding.EXACT
        if self.low < exact < self.high:
            return Rounding.NEAREST
        if exact in (self.low, self.high):
            return Rounding.HALF
        away = exact - self.value if exact > 0 else self.value - exact
        return Rounding.CUT if 0 < away < self.step and self.value * exact >= 0 else Rounding.NONE

    def rounds(self, exact: mpq | Surd) -> bool:
        """Return whether the exact number rounds to this decimal."""
        return self.rule_for(exact) not in (Rounding.NONE, Rounding.CUT)

    def right_text(self, exact: mpq | Surd) -> str:
        """Return what should have been printed, with as many digits."""
        if self.exponent is None:
            return fixed_text(exact, self.places)
        return f"{fixed_text(exact / mpq(10) ** self.exponent, self.places)}e{self.exponent}"


read_printed = PrintedDecimal.from_text


def number_latex(text: str) -> str:
    """Return a printed number in LaTeX."""
    text = re.sub(r"√\(([^()]*)\)|√(\d+)", r"\\sqrt{\1\2}", text.replace("−", "-"))
    text = re.sub(r"(?:\(([^()]*)\)|(\\sqrt\{[^{}]*\}))/(\d+)", r"\\frac{\1\2}{\3}", text)
    text = re.sub(r"(?<![\w.])(\d+)/(\d+)(?![\w.])", r"\\frac{\1}{\2}", text)
    return re.sub(r"(\d)[eE]([-+]?\d+)", r"\1 \\cdot 10^{\2}", text).replace(",", "{,}")
