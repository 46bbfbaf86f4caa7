"""Exact values as texts for people: the number itself where it is short, its decimal beside it or alone."""

from __future__ import annotations

from enum import Enum
from typing import Protocol, runtime_checkable

from gmpy2 import mpq, mpz

from ntqr_exact.exact.decimal_text import fixed_text, significant_text, whole_text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined

SHORT = 24
"""Characters of an exact number that stand beside its decimal; of a longer one, the decimal stands alone."""

_MOST_DIGITS = 36
_FEW = 4
_SMALL = mpq(1, 100)
_GROUPED_FROM = 10**6


@runtime_checkable
class _HasDecimal(Protocol):
    """An exact number that is no rational and no surd, such as a sum of logarithms."""

    def decimal(self, places: int = 6) -> str: ...


def value_text(value: object, *, longest: int = SHORT, places: int = 6) -> str:  # noqa: PLR0911
    """Return an exact value in at most about `longest` characters: exact and decimal, or the decimal alone.

    >>> value_text(mpq(2, 5)), value_text(mpq(1, 3)), value_text(mpq(10**30, 3 * 10**30 + 1), places=4)
    ('2/5 = 0.4', '1/3 ≈ 0.333333', '≈ 0.3333')
    >>> value_text(mpq(1, 10**9), longest=5), value_text(10**40), value_text(167668501), value_text(None)
    ('≈ 1.00000e-9', '≈ 1.00000e40', '167,668,501', '–')
    """
    match value:
        case None:
            return "–"
        case Undefined():
            return f"undefined: {value.value}"
        case Enum():
            return str(value.value)
        case Surd():
            return _shorter(value, longest, places) if value.is_real else f"{value} (imaginary)"
        case Enclosure():
            return f"≈ {_decimal((value.lower + value.upper) / 2, places)}"
        case bool():
            return "yes" if value else "no"
        case int():
            return _whole(value)
    if isinstance(value, type(mpz())):
        return _whole(int(value))
    if isinstance(value, type(mpq())):
        return _whole(int(value)) if value.denominator == 1 else _shorter(value, longest, places)
    if isinstance(value, _HasDecimal):
        decimal = f"≈ {value.decimal(places)}"
        return f"{value} {decimal}" if len(str(value)) <= longest else decimal
    return str(value)


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
    is_exact = 10**places % value.denominator == 0
    return f"{value} = {decimal.rstrip('0')}" if is_exact else f"{value} ≈ {decimal}"


def short_decimal(value: object) -> str:
    """Return a value in a few digits, for a picture or a name: `≈` stands before a decimal that is rounded.

    >>> short_decimal(mpq(2, 5)), short_decimal(mpq(1, 3)), short_decimal(7), short_decimal(mpq(1, 10**9))
    ('0.4', '≈ 0.3333', '7', '≈ 1.000e-9')
    """
    if isinstance(value, type(mpq())) and value.denominator != 1:
        decimal = fixed_text(value, _FEW)
        if rational(decimal) == value:
            return decimal.rstrip("0")
        if abs(value) < _SMALL:
            return f"≈ {significant_text(value, _FEW)}"
    return value_text(value, longest=0, places=_FEW)


def shown(value: int | mpz | mpq) -> str:
    """Return a rational in full if a sentence has room for it, and else its first digits.

    >>> shown(167668501), shown(mpq(1, 3)), shown(10**5000)
    ('167668501', '1/3', '≈ 1.00000e5000')
    """
    exact = mpq(value)
    long = max(mpz(exact.numerator).num_digits(), mpz(exact.denominator).num_digits()) > 3 * _MOST_DIGITS
    return f"≈ {significant_text(exact)}" if long else str(exact)


def full_text(value: object) -> str:
    """Return an exact value in full, however long; of an enclosure, both ends.

    >>> full_text(Surd.sqrt(2)), full_text(10**5), full_text(Enclosure("1/3", "1/2"))
    ('√2', '100000', 'from 1/3 to 1/2')
    """
    if isinstance(value, Enclosure):
        return f"from {value.lower} to {value.upper}"
    return whole_text(value) if isinstance(value, int) else str(value)


def grouped(count: int) -> str:
    """Return a whole number with its digits in groups of three; of a huge one, how many digits it has.

    >>> grouped(167668501), grouped(10**5000)
    ('167,668,501', 'a number of 5001 digits,')
    """
    digits = mpz(count).num_digits()
    return f"{count:,}" if digits <= 5 * _MOST_DIGITS else f"a number of {digits} digits,"


def _whole(value: int) -> str:
    if mpz(value).num_digits() > _MOST_DIGITS:
        return f"≈ {significant_text(mpq(value))}"
    return f"{value:,}" if abs(value) >= _GROUPED_FROM else str(value)


def _shorter(value: mpq | Surd, longest: int, places: int) -> str:
    text = with_decimal(value, places)
    return text if len(text) <= longest + places + 5 else f"≈ {_decimal(value, places)}"


def _decimal(value: mpq | Surd, places: int) -> str:
    """Return a decimal that does not show a small number as zero."""
    fixed = fixed_text(value, places)
    return significant_text(value, places) if value != 0 and not fixed.strip("-0.") else fixed
