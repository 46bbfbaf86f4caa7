"""An exact number with its decimal beside it, for people."""

from __future__ import annotations

from gmpy2 import mpq

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
