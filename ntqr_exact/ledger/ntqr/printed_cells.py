"""Cells of the NTQR tables: exact numbers with square roots, their decimals, and where a wrong one may come from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text, with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.judgement import Exact, Finding, all_of, as_printed, decided, noted
from ntqr_exact.ledger.printed_value import Rounding, number_latex, read_printed


class Exactly(str):
    """A printed exact number: 3/8, (59839 + √657031321)/111804 or √(3/10)/5."""

    __slots__ = ()

    @classmethod
    def from_text(cls, text: str) -> Exactly:
        """Return the number that a claim holds; a text of another form is refused."""
        cls(text).value  # noqa: B018  (a text of another form raises)
        return cls(text)

    @property
    def value(self) -> Exact:
        """The number; raises `BadDocument` for a denominator 0."""
        numbers = [int(digits) for digits in re.findall(r"\d+", self)]
        if numbers[-1:] == [0] or (len(numbers) == 3 and "√(" in self and numbers[1] == 0):
            raise BadDocument(self, "a printed number must not have the denominator 0")
        if match := re.fullmatch(r"\(\d+ ([+-]) √\d+\)/\d+", self):
            whole, radicand, below = numbers
            return Surd(mpq(whole, below), mpq(1 if match[1] == "+" else -1, below), radicand)
        if re.fullmatch(r"√\(\d+/\d+\)/\d+", self):
            return Surd.sqrt(mpq(numbers[0], numbers[1])) / numbers[2]
        return rational(self)


_EMPTY = Exactly("")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of tables 2 to 7: an exact number and its decimal; or neither, where the evaluator has no real value."""

    exact: Exactly = _EMPTY
    decimal: str = ""

    @classmethod
    def from_text(cls, text: str) -> Cell:
        """Return the cell of a text: `-`, or an exact number = its decimal."""
        if text == "-":
            return cls()
        exact, equals, decimal = text.partition(" = ")
        if not equals:
            raise BadDocument(text, "a cell must be an exact number = its decimal, or -")
        read_printed(decimal)
        return cls(Exactly.from_text(exact), decimal)

    @property
    def value(self) -> Exact:
        """The exact number."""
        return self.exact.value

    def latex(self) -> str:
        """Return it in LaTeX, as the tables have it."""
        return f"{number_latex(self.exact)}/{number_latex(self.decimal)}" if self.exact else "-"


class Origin(NamedTuple):
    """A value that a wrong number may have taken, in words; `arithmetic` if it was computed wrongly, not copied."""

    words: str
    value: Exact
    arithmetic: bool = False


def decimal_finding(text: str, exact: Exact, origins: Iterable[Origin] = ()) -> Finding:
    """Return whether the exact number rounds to a printed decimal."""
    decimal = read_printed(text)
    if decimal.rounds(exact):
        return decided(True, f"it rounds to {text}")
    cut = "digits were cut off instead of rounded" if decimal.rule_for(exact) is Rounding.CUT else ""
    arose = next((each.words for each in origins if decimal.rounds(each.value)), cut)
    right = decimal.right_text(exact)
    return as_printed(False, f"it rounds to {right}, printed {text}", right=right, arose=arose)


def over(value: Exact, denominator: int | None) -> str:
    """Return a rational over the requested denominator if possible, else in lowest terms."""
    if denominator is not None and not isinstance(value, Surd) and (value * denominator).denominator == 1:
        return f"{value * denominator}/{denominator}"
    return str(value)


def fraction_finding(
    given: Exactly, exact: Exact, what: str, origins: Iterable[Origin] = (), denominator: int | None = None
) -> Finding:
    """Return whether a printed exact number is the right one; `origins` are values it may have taken."""
    value = given.value
    lines = [f"{what} = {with_decimal(exact)}"]
    if value != exact:
        imaginary = isinstance(value, Surd) and not value.is_real
        lines.append(f"printed {given}" + (", which is imaginary" if imaginary else f" ≈ {fixed_text(value)}"))
    origin = next((each for each in origins if value == each.value != exact), Origin("", exact))
    right = over(exact, denominator)
    return as_printed(value == exact, *lines, right=right, arithmetic=origin.arithmetic, arose=origin.words)


def cell_finding(
    cell: Cell,
    exact: Exact,
    what: str,
    *,
    origins: Iterable[Origin] = (),
    decimal_origins: Iterable[Origin] = (),
    denominator: int | None = None,
    note: str = "",
) -> Finding:
    """Return whether fraction and decimal of a cell are both right, and if not, which of them is.

    `origins` are values that a wrong fraction may have taken, `decimal_origins` those of a decimal with a right fraction.
    """
    if not cell.exact:
        return as_printed(False, f"{what} = {with_decimal(exact)}, and the cell is empty", right=str(exact))
    decimal = read_printed(cell.decimal)
    parts = {
        "fraction": fraction_finding(cell.exact, exact, what, origins, denominator),
        "decimal": decimal_finding(cell.decimal, exact, decimal_origins if cell.value == exact else ()),
    }
    clash = "" if decimal.rounds(cell.value) else f"{cell.exact} and {cell.decimal} contradict each other"
    result = noted(all_of(parts), clash, note)
    return replace(result, right=f"{over(exact, denominator)} = {decimal.right_text(exact)}") if result.right else result
