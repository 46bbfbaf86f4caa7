"""How numbers and tables look on the terminal: exact first, a decimal beside it."""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpq

from ntqr_exact.evaluation import Rate, Undefined
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd


def with_decimal(value: mpq | Surd, places: int = 6) -> str:
    """Return an exact number with its decimal, unless it is whole or imaginary.

    >>> with_decimal(mpq(1, 3)), with_decimal(mpq(1, 4)), with_decimal(mpq(2)), with_decimal(Surd.sqrt(2))
    ('1/3 ≈ 0.333333', '1/4 = 0.25', '2', '√2 ≈ 1.414214')
    """
    if isinstance(value, Surd):
        if not value.is_rational:
            return f"{value} ≈ {value.decimal(places)}" if value.is_real else str(value)
        value = value.rational
    if value.denominator == 1:
        return str(value)
    decimal = fixed_text(value, places)
    return f"{value} = {decimal.rstrip('0')}" if rational(decimal) == value else f"{value} ≈ {decimal}"


def rate_text(rate: Rate, places: int = 6) -> str:
    """Return the decimal of a rate for a table; an undefined or imaginary one is told by a word."""
    if isinstance(rate, Undefined):
        return "undefined"
    if isinstance(rate, Surd) and not rate.is_real:
        return "imaginary"
    return fixed_text(rate, places)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, indent: int = 2) -> str:
    """Return rows under a header, columns aligned: the first to the left, the others to the right.

    >>> print(table(["judge", "a"], [["A", "12"], ["B", "7"]], indent=0))
    judge   a
    A      12
    B       7
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return "\n".join(
        " " * indent
        + "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, *rows)
    )
