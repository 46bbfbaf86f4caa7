"""Printed numbers of the tables: a cell with a fraction and a decimal, and how it is judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.judgement import Exact, Finding, all_of, as_printed, noted
from ntqr_exact.ledger.printed_value import Rounding, number_latex, read_printed

_NO_VALUE = "-"
"""What a cell holds where the evaluator has no real value."""

_SURD = re.compile(r"\((\d+) ([+-]) √(\d+)\)/(\d+)")
_ROOT = re.compile(r"√\((\d+)/(\d+)\)/(\d+)")


class Exactly(str):
    """A printed exact number: 3/8, (59839 + √657031321)/111804 or √(3/10)/5."""

    __slots__ = ()

    @classmethod
    def from_data(cls, value: str) -> Exactly:
        """Return the number that a claim holds as text; a text of another form is refused."""
        read_exact(value)
        return cls(value)

    @property
    def value(self) -> Exact:
        """The number."""
        return read_exact(self)

    def latex(self) -> str:
        """Return it in LaTeX."""
        return number_latex(self)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of tables 2 to 7: an exact number and its decimal; or neither, where the evaluator has no real value."""

    exact: str = ""
    decimal: str = ""

    @classmethod
    def from_data(cls, value: str | Mapping[str, str]) -> Cell:
        """Return the cell that a claim holds: `-`, or a table with `exact` and `decimal`."""
        if value == _NO_VALUE:
            return cls()
        if isinstance(value, str) or set(value) != {"exact", "decimal"}:
            raise BadDocument(value, "a cell is an exact number with its decimal, or -")
        read_exact(value["exact"])
        read_printed(value["decimal"])
        return cls(**value)

    @property
    def value(self) -> Exact:
        """The exact number."""
        return read_exact(self.exact)

    def text(self) -> str:
        """Return it as a line of text."""
        return f"{self.exact} = {self.decimal}" if self.exact else _NO_VALUE

    def latex(self) -> str:
        """Return it in LaTeX, as the tables have it."""
        return f"{number_latex(self.exact)}/{number_latex(self.decimal)}" if self.exact else _NO_VALUE


def read_exact(text: str) -> Exact:
    """Return a printed exact number: 3/8, (59839 + √657031321)/111804 or √(3/10)/5.

    >>> read_exact("(1 + √4)/6"), read_exact("√(9/4)/3")
    (Surd('1/2'), Surd('1/2'))

    Raises `BadDocument` for a text of another form.
    """
    if match := _SURD.fullmatch(text):
        whole, sign, radicand, below = match.groups()
        denominator = int(below)
        if denominator == 0:
            raise BadDocument(text, "a printed number has no denominator 0")
        return Surd(mpq(int(whole), denominator), mpq(1 if sign == "+" else -1, denominator), int(radicand))
    if match := _ROOT.fullmatch(text):
        above, below, outside = (int(group) for group in match.groups())
        if below == 0 or outside == 0:
            raise BadDocument(text, "a printed number has no denominator 0")
        return Surd.sqrt(mpq(above, below)) / outside
    return rational(text)


def over(value: Exact, denominator: int | None) -> str:
    """Return a rational over a denominator that is wanted, where it can be, or in lowest terms."""
    if denominator is not None and not isinstance(value, Surd) and (value * denominator).denominator == 1:
        return f"{value * denominator}/{denominator}"
    return str(value)


@dataclass(frozen=True, slots=True)
class Origin:
    """A value that a wrong number may have taken, in words; `arithmetic` if it was computed wrongly, not copied."""

    words: str
    value: Exact
    arithmetic: bool = False


def fraction_finding(
    given: Exactly, exact: Exact, what: str, origins: Iterable[Origin] = (), denominator: int | None = None
) -> Finding:
    """Return whether a printed exact number is the right one; `origins` are values it may have taken."""
    value = given.value
    lines = [f"{what} = {with_decimal(exact)}"]
    if value != exact:
        imaginary = isinstance(value, Surd) and not value.is_real
        lines.append(
            f"printed {given}" + (", which is imaginary" if imaginary else f" ≈ {fixed_text(value)}")
        )
    origin = next((each for each in origins if value == each.value != exact), Origin("", exact))
    return as_printed(
        value == exact,
        *lines,
        right=over(exact, denominator),
        arithmetic=origin.arithmetic,
        arose=origin.words,
    )


def decimal_finding(text: str, exact: Exact, what: str, origins: Iterable[Origin] = ()) -> Finding:
    """Return whether the exact number rounds to a printed decimal, by any usual rule for halves."""
    decimal = read_printed(text)
    rule, holds = decimal.rule_for(exact), rounds_to(text, exact)
    halves = holds and rule not in (Rounding.EXACT, Rounding.NEAREST)
    line = f"{what} rounds to {text if halves else decimal.right_text(exact)}"
    if halves:
        line += f" ({rule.value})"
    arose = ""
    if not holds:
        line += f", printed {text}"
        arose = next((each.words for each in origins if rounds_to(text, each.value)), "")
        if rule is Rounding.CUT and not arose:
            arose = "digits were cut off instead of rounded"
    return as_printed(holds, line, right=decimal.right_text(exact), arose=arose)


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

    >>> cell_finding(Cell("1/3", "0.334"), mpq(1, 3), "P").right
    '1/3 = 0.333'

    `origins` are values that a wrong fraction may have taken, `decimal_origins` those of a decimal beside a right
    fraction; `note` is one more line of evidence.
    """
    if not cell.exact:
        return as_printed(False, f"{what} = {with_decimal(exact)}, and the cell is empty", right=str(exact))
    value = cell.value
    # Where the fraction is wrong, the decimal beside it has no history of its own.
    slips = decimal_origins if value == exact else ()
    parts = {
        "fraction": fraction_finding(Exactly(cell.exact), exact, what, origins, denominator),
        "decimal": decimal_finding(cell.decimal, exact, "it", slips),
    }
    lines = (
        [] if rounds_to(cell.decimal, value) else [f"{cell.exact} and {cell.decimal} contradict each other"]
    )
    found = noted(all_of(parts), *lines, note)
    right = f"{over(exact, denominator)} = {read_printed(cell.decimal).right_text(exact)}"
    return replace(found, right=right) if found.right else found


def rounds_to(decimal: str, value: Exact) -> bool:
    """Return whether an exact number rounds to a printed decimal.

    >>> rounds_to("0.12", mpq(1, 8)), rounds_to("0.13", mpq(1, 8)), rounds_to("0.66", mpq(2, 3))
    (True, True, False)
    """
    return read_printed(decimal).rule_for(value) not in (Rounding.NONE, Rounding.CUT)
