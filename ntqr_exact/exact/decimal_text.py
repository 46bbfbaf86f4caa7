"""Correctly rounded decimal texts of exact real numbers, for people to read.

The number may be anything exact that can be multiplied, floored and compared: a rational or a real
surd. The nearest decimal is found by exact comparison with the midpoint, so no digit is ever guessed;
a rational that lies exactly on a midpoint goes to the even digit.
"""

from __future__ import annotations

import math
import re
from typing import Any, TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, NotANumber

RealNumber: TypeAlias = Any
"""An `mpq` or a real `Surd`; `surd` writes its decimals with this module, so its class is not imported here."""


def whole_text(value: int | mpz) -> str:
    """Return all digits of a whole number; Python itself refuses to write more than 4300 of them.

    >>> len(whole_text(10**5000)), whole_text(-7)
    (5001, '-7')
    """
    return mpz(value).digits()


def fixed_text(value: RealNumber, places: int = 6) -> str:
    """Return `value` rounded to `places` digits after the point.

    >>> fixed_text(mpq(2, 3), 4), fixed_text(mpq(1, 8), 2), fixed_text(mpq(-3, 8), 2)
    ('0.6667', '0.12', '-0.38')
    """
    _check_digits(places, least=0)
    nearest = _nearest_integer(value * 10**places)
    sign = "-" if nearest < 0 else ""
    digits = abs(nearest).digits().rjust(places + 1, "0")
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def significant_text(value: RealNumber, digits: int = 6) -> str:
    """Return `value` in scientific notation with `digits` significant digits.

    >>> significant_text(mpq(1, 30)), significant_text(mpq(99999, 10), 3), significant_text(mpq(0), 3)
    ('3.33333e-2', '1.00e4', '0.00e0')
    """
    _check_digits(digits, least=1)
    exponent = 0 if value == 0 else _decimal_exponent(value)
    nearest = _nearest_integer(value * mpq(10) ** (digits - 1 - exponent))
    if abs(nearest) == 10**digits:  # 9.996 rounds up to 10.00
        nearest //= 10
        exponent += 1
    sign = "-" if nearest < 0 else ""
    text = abs(nearest).digits().ljust(digits, "0")
    return f"{sign}{text[0]}{'.' if digits > 1 else ''}{text[1:]}e{exponent}"


_FORM = re.compile(
    r"(?:(?P<fill>.)?(?P<side>[<>^]))?(?P<width>\d{1,4})?(?:\.(?P<digits>\d{1,6}))?(?P<kind>[fe%]?)"
)


def formatted(value: Any, form: str) -> str:
    """Return a number as `format` would a float, but exactly rounded: fixed, scientific, percent, and aligned.

    `value` has `decimal` and `scientific`, as surds and enclosures have. Without a kind its own text is aligned.

    >>> from ntqr_exact.exact.surd import Surd
    >>> f"{Surd.sqrt(2):.3f} {Surd.sqrt(2):>12.2e} {Surd.sqrt(2) / 2:.1%}"
    '1.414       1.41e0 70.7%'
    """
    parts = _FORM.fullmatch(form)
    if parts is None or (parts["digits"] and not parts["kind"]):
        rule = "a format is [[fill]align][width][.digits] and f, e or %"
        raise BadNumber(form, rule, 'write for example ".3f"')
    digits = int(parts["digits"] or 6)
    match parts["kind"]:
        case "f":
            text = value.decimal(digits)
        case "e":
            text = value.scientific(digits + 1)
        case "%":
            text = (value * 100).decimal(digits) + "%"
        case _:
            text = str(value)
    return format(text, f"{parts['fill'] or ' '}{parts['side'] or '>'}{parts['width'] or ''}")


def _decimal_exponent(value: RealNumber) -> int:
    """Return e with 10^e <= |value| < 10^(e+1)."""
    size = -value if value < 0 else value
    # The number of digits of the whole part of size, or of 1/size, gives e up to one or two; the
    # start is too low on purpose (num_digits may be one too large) and the loop is exact.
    whole = math.floor(size if size >= 1 else 1 / size)
    exponent: int = whole.num_digits(10) - 2 if size >= 1 else -whole.num_digits(10) - 1
    while mpq(10) ** (exponent + 1) <= size:
        exponent += 1
    return exponent


def _nearest_integer(value: RealNumber) -> mpz:
    halves: mpz = math.floor(2 * value)
    below = halves // 2
    if halves % 2 == 0:
        return below
    return below + below % 2 if 2 * value == halves else below + 1


def _check_digits(digits: int, *, least: int) -> None:
    if not isinstance(digits, int) or isinstance(digits, bool):
        raise NotANumber(digits, "the number of digits is a whole number")
    if digits < least:
        raise BadNumber(digits, f"the number of digits must be at least {least}")
    check_work("a decimal with so many digits", 2 * digits)
