"""What is printed: which exact numbers round to a decimal and by which rule, and how it is shown in a line or in LaTeX.

A type of printed values that has a notation of its own tells it by `text()` and `latex()`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text
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
    def from_text(cls, text: str) -> PrintedDecimal:
        """Return the printed decimal that a claim holds."""
        return read_printed(text)

    from_data = from_text

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


_FRACTION = re.compile(r"(?<![\w.])(\d+)/(\d+)(?![\w.])")
_ROOT = re.compile(r"√\(([^()]*)\)|√(\d+)")


def text_of(value: Any) -> str:
    """Return what is printed in a line: texts as they are, lists and tables with commas.

    >>> text_of({"fraction": "3/8", "decimal": "0.375"}), text_of(["a", "b"])
    ('fraction 3/8, decimal 0.375', 'a, b')
    """
    if hasattr(value, "text") and callable(value.text):
        return str(value.text())
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {text_of(part)}" for key, part in value.items())
    return ", ".join(map(text_of, value)) if isinstance(value, list | tuple) else str(value)


def latex_of(value: Any, text: str) -> str:
    r"""Return what is printed as Markdown: formulas in the notation of their type, numbers with the digits printed.

    >>> print(latex_of(mpq(3, 8), "3/8"), latex_of((mpq(1, 2), "about a half"), "0.5; about a half"))
    $\frac{3}{8}$ $0.5$; about a half
    """
    if hasattr(value, "latex"):
        return f"${value.latex()}$"
    for separator in ("; ", ", "):
        parts = text.split(separator)
        if isinstance(value, tuple) and len(value) == len(parts):
            return separator.join(map(latex_of, value, parts))
    return f"${number_latex(text)}$" if re.fullmatch(r"[-−+\d./,()√ eE]+", text) else text


def number_latex(text: str) -> str:
    r"""Return a printed number in LaTeX.

    >>> print(number_latex("-3/8"), number_latex("(1 + √5)/2"), number_latex("1.92e-7"))
    -\frac{3}{8} \frac{1 + \sqrt{5}}{2} 1.92 \cdot 10^{-7}
    """
    text = _ROOT.sub(lambda match: rf"\sqrt{{{match[1] or match[2]}}}", text.replace("−", "-"))
    text = re.sub(r"(?:\(([^()]*)\)|(\\sqrt\{[^{}]*\}))/(\d+)", r"\\frac{\1\2}{\3}", text)
    text = _FRACTION.sub(r"\\frac{\1}{\2}", text)
    return re.sub(r"(\d)[eE]([-+]?\d+)", r"\1 \\cdot 10^{\2}", text).replace(",", "{,}")
