"""The printed tables of the source, as data, and how a cell with a fraction and a decimal is judged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import Exact, all_of, decided
from ntqr_exact.ledger.rounding import Rounding, read_printed

NO_VALUE = "-"
"""What a cell holds where the evaluator has no real value."""

_SURD = re.compile(r"\((\d+) ([+-]) √(\d+)\)/(\d+)")
_ROOT = re.compile(r"√\((\d+)/(\d+)\)/(\d+)")


@cache
def printed_tables() -> Mapping[str, Any]:
    """Return what the tables print: `tests` (tables 2 to 7) and `synthetic` (tables 8 to 11)."""
    path = files("ntqr_exact.data.ledger").joinpath("ntqr_tables.json")
    document: Mapping[str, Any] = read_json(path.read_text(encoding="utf-8"))
    return document


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


def split_cell(printed: str) -> tuple[str, str]:
    """Return the fraction and the decimal of a cell such as 297/400 = 0.743."""
    fraction, equals, decimal = printed.partition(" = ")
    if not equals:
        raise BadDocument(printed, "a cell is a fraction and a decimal: 297/400 = 0.743")
    return fraction, decimal


def over(value: Exact, denominator: int | None) -> str:
    """Return a rational over a denominator that is wanted, where it can be, or in lowest terms."""
    if denominator is not None and not isinstance(value, Surd) and (value * denominator).denominator == 1:
        return f"{value * denominator}/{denominator}"
    return str(value)


def fraction_finding(
    text: str, exact: Exact, what: str, origins: Mapping[str, Exact], denominator: int | None = None
) -> Finding:
    """Return whether a printed exact number is the right one; `origins` are values a slip may have taken."""
    value = read_exact(text)
    lines = [f"{what} = {with_decimal(exact)}"]
    if value != exact:
        lines.append(f"printed {text}{_approximately(value)}")
    arose = next((name for name, other in origins.items() if value == other != exact), "")
    return decided(value == exact, *lines, right=over(exact, denominator), slip=True, arose=arose)


def decimal_finding(text: str, exact: Exact, what: str, origins: Mapping[str, Exact]) -> Finding:
    """Return whether the exact number rounds to a printed decimal, by any usual rule for halves."""
    decimal = read_printed(text)
    rule = decimal.rule_for(exact)
    holds = rule not in (Rounding.NONE, Rounding.CUT)
    halves = holds and rule not in (Rounding.EXACT, Rounding.NEAREST)
    line = f"{what} rounds to {text if halves else decimal.right_text(exact)}"
    if halves:
        line += f" ({rule.value})"
    arose = ""
    if not holds:
        line += f", printed {text}"
        arose = next((name for name, other in origins.items() if rounds_to(text, other)), "")
        if rule is Rounding.CUT and not arose:
            arose = "digits were cut off instead of rounded"
    return decided(holds, line, right=decimal.right_text(exact), slip=True, arose=arose)


def cell_finding(
    printed: str,
    exact: Exact,
    what: str,
    *,
    origins: Mapping[str, Exact] | None = None,
    decimal_origins: Mapping[str, Exact] | None = None,
    denominator: int | None = None,
    note: str = "",
) -> Finding:
    """Return whether fraction and decimal of a cell are both right, and if not, which of them is.

    >>> cell_finding("1/3 = 0.334", mpq(1, 3), "P").right
    'decimal: 0.333'

    `origins` are values that a wrong fraction may have taken, `decimal_origins` those of a decimal beside a right
    fraction; `note` is one more line of evidence.
    """
    fraction, decimal = split_cell(printed)
    value = read_exact(fraction)
    # Where the fraction is wrong, the decimal beside it has no history of its own.
    slips = (decimal_origins or {}) if value == exact else {}
    parts = {
        "fraction": fraction_finding(fraction, exact, what, origins or {}, denominator),
        "decimal": decimal_finding(decimal, exact, "it", slips),
    }
    if not rounds_to(decimal, value):
        parts["agreement"] = decided(True, f"{fraction} and {decimal} contradict each other")
    if note:
        parts["note"] = decided(True, note)
    return all_of(parts)


def rounds_to(decimal: str, value: Exact) -> bool:
    """Return whether an exact number rounds to a printed decimal.

    >>> rounds_to("0.12", mpq(1, 8)), rounds_to("0.13", mpq(1, 8)), rounds_to("0.66", mpq(2, 3))
    (True, True, False)
    """
    return read_printed(decimal).rule_for(value) not in (Rounding.NONE, Rounding.CUT)


def _approximately(value: Exact) -> str:
    if isinstance(value, Surd) and not value.is_real:
        return ", which is imaginary"
    return f" ≈ {fixed_text(value)}"
