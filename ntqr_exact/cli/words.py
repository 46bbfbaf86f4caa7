"""How numbers and tables look on the terminal: exact first, a decimal beside it."""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.evaluation import Rate
from ntqr_exact.exact.counted import counted
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.exact.with_decimal import with_decimal

__all__ = ["counted", "rate_text", "table", "with_decimal"]


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
