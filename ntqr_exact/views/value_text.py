"""Exact values as short texts beside a drawing or in a table: the number itself where it is short."""

from __future__ import annotations

from enum import Enum

from gmpy2 import mpq, mpz

from ntqr_exact.confidence.keys import LogSumKey
from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal

_LONGEST = 24
_MOST_BITS = 600


def value_text(value: object, *, longest: int = _LONGEST, places: int = 6) -> str:
    """Return an exact value in at most about `longest` characters: exact and decimal, or the decimal alone.

    >>> value_text(mpq(2, 5)), value_text(mpq(1, 3)), value_text(mpq(10**30, 3 * 10**30 + 1), places=4)
    ('2/5 = 0.4', '1/3 ≈ 0.333333', '≈ 0.3333')
    >>> value_text(mpq(1, 10**9), longest=5)
    '≈ 1.00000e-9'
    """
    match value:
        case Enum():
            return str(value.value)
        case Surd() if value.is_real:
            return _shorter(with_decimal(value, places), value, longest, places)
        case Enclosure():
            middle = (value.lower + value.upper) / 2
            return f"≈ {_decimal(middle, places)}"
        case LogSumKey():
            return f"≈ {value.decimal(places)}"
    if isinstance(value, type(mpq())):
        return _shorter(with_decimal(value, places), value, longest, places)
    return value.digits() if isinstance(value, type(mpz())) else str(value)


def grouped(count: int) -> str:
    """Return a whole number with its digits in groups of three; of a huge one, how many digits it has.

    >>> grouped(167668501), grouped(10**5000)
    ('167,668,501', 'a number of 5001 digits,')
    """
    return (
        f"{count:,}" if count.bit_length() <= _MOST_BITS else f"a number of {mpz(count).num_digits()} digits,"
    )


def _shorter(text: str, value: mpq | Surd, longest: int, places: int) -> str:
    if len(text) <= longest + places + 5:
        return text
    return f"≈ {_decimal(value, places)}"


def _decimal(value: mpq | Surd, places: int) -> str:
    """Return a decimal that does not show a small number as zero."""
    fixed = fixed_text(value, places)
    return significant_text(value, places) if value != 0 and not fixed.strip("-0.") else fixed
