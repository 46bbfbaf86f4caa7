"""Certified enclosures: two exact bounds with the true value between them.

Bounds come from MPFR, whose functions are correctly rounded, once rounded down and once rounded up;
they are dyadic rationals, kept exactly. An enclosure may decide a question (`sign`); where it does
not, `decide_sign` asks for a narrower one until it does, or raises `Undecided` at its budget. A
question that may be an exact tie is to be settled algebraically first: no precision decides a tie.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from operator import ge, gt, le, lt
from typing import TypeAlias

import gmpy2
from gmpy2 import mpfr, mpq

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, NotANumber, Undecided
from ntqr_exact.exact.decimal_text import fixed_text, formatted, significant_text
from ntqr_exact.exact.rational import RationalLike, is_number, rational

MAX_PRECISION = 1 << 16
"""Bits at which `decide_sign` gives up by default."""

_MOST_BITS = 1 << 24
"""The greatest precision that can be asked for: some five million digits."""

_LARGEST_EXPONENT = 1_000_000


class Sign(Enum):
    """What an enclosure knows about the sign of the number in it."""

    NEGATIVE = -1
    ZERO = 0
    POSITIVE = 1
    UNDECIDED = None


def _ordering(holds: Callable[[mpq, mpq], bool]) -> Callable[[Enclosure, object], bool]:
    def compared(left: Enclosure, other: object) -> bool:
        """Tell whether it holds of every two numbers, or raise `Undecided` where of some it does, of others not."""
        right = _operand(other)
        if right is None:
            return NotImplemented  # type: ignore[no-any-return]
        answers = {holds(left.lower, right.upper), holds(left.upper, right.lower)}
        if len(answers) == 2:
            raise Undecided((left, right), "the two enclosures overlap", "ask for more precision")
        return answers.pop()

    return compared


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A closed interval with exact rational ends that holds the true value.

    >>> Enclosure("1/3", "1/2") - Enclosure(0, "1/6")
    Enclosure(lower=mpq(1,6), upper=mpq(1,2))
    >>> sorted([enclose_sqrt(3), mpq(1, 2), enclose_sqrt(2)])[0]
    mpq(1,2)
    """

    lower: mpq
    upper: mpq

    def __init__(self, lower: RationalLike, upper: RationalLike) -> None:
        """Take the ends through the number door, and in order."""
        object.__setattr__(self, "lower", rational(lower))
        object.__setattr__(self, "upper", rational(upper))
        if self.lower > self.upper:
            raise BadNumber((lower, upper), "the lower end must not be above the upper end")

    @property
    def width(self) -> mpq:
        """How far the ends are apart."""
        return self.upper - self.lower

    def sign(self) -> Sign:
        """Return the sign of the enclosed number, or that it is not decided."""
        if self.lower > 0:
            return Sign.POSITIVE
        if self.upper < 0:
            return Sign.NEGATIVE
        return Sign.ZERO if self.lower == self.upper else Sign.UNDECIDED

    def __contains__(self, value: RationalLike) -> bool:
        """Whether a rational lies between the ends."""
        return self.lower <= rational(value) <= self.upper

    def __neg__(self) -> Enclosure:
        """Enclose the negative."""
        return Enclosure(-self.upper, -self.lower)

    def __add__(self, other: object) -> Enclosure:
        """Enclose the sum."""
        right = _operand(other)
        if right is None:
            return NotImplemented
        return Enclosure(self.lower + right.lower, self.upper + right.upper)

    __radd__ = __add__

    def __sub__(self, other: object) -> Enclosure:
        """Enclose the difference."""
        right = _operand(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Enclosure:
        """Enclose the difference the other way round."""
        return -self + other

    def __mul__(self, other: object) -> Enclosure:
        """Enclose the product."""
        right = _operand(other)
        if right is None:
            return NotImplemented
        products = [x * y for x in (self.lower, self.upper) for y in (right.lower, right.upper)]
        return Enclosure(min(products), max(products))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Enclosure:
        """Enclose the quotient; raises `Undecided` while the divisor may be zero."""
        right = _operand(other)
        return NotImplemented if right is None else self * _reciprocal(right)

    def __rtruediv__(self, other: object) -> Enclosure:
        """Enclose the quotient the other way round."""
        return _reciprocal(self) * other

    __lt__, __le__, __gt__, __ge__ = map(_ordering, (lt, le, gt, ge))

    def __float__(self) -> float:
        """Return the float nearest to the middle, for plots and tables; nothing exact is computed with it."""
        middle = (self.lower + self.upper) / 2
        return int(middle.numerator) / int(middle.denominator)

    def __round__(self, places: int = 0) -> mpq:
        """Return the decimal that every number in here rounds to, as a rational, or raise `Undecided`."""
        return rational(self.decimal(places))

    def __format__(self, form: str) -> str:
        """Return the text that a format such as ".3f" asks for, correctly rounded."""
        return formatted(self, form)

    def decimal(self, places: int = 6) -> str:
        """Return the decimal that every number in here rounds to, or raise `Undecided`.

        >>> enclose_sqrt(2).decimal(10)
        '1.4142135624'
        """
        return self._agreed(fixed_text, places)

    def scientific(self, digits: int = 6) -> str:
        """Return the significant digits that every number in here rounds to, or raise `Undecided`."""
        return self._agreed(significant_text, digits)

    def _agreed(self, form: Callable[[mpq, int], str], digits: int) -> str:
        text = form(self.lower, digits)
        if text != form(self.upper, digits):
            rule = f"the ends round to different decimals at {digits} digits"
            raise Undecided(self, rule, "ask for more precision")
        return text


EnclosureLike: TypeAlias = "Enclosure | RationalLike"


def decide_sign(refine: Callable[[int], Enclosure], *, start: int = 64, budget: int = MAX_PRECISION) -> int:
    """Return −1, 0 or 1, the sign of the number that `refine(precision)` encloses.

    The precision doubles from `start` bits to at most `budget` bits; then `Undecided` is raised.

    >>> decide_sign(lambda bits: enclose_sqrt(2, bits) - enclose_log(4, bits))
    1
    """
    if start < 2:
        raise BadNumber(start, "the precision must be at least 2 bits")
    precision = start
    while precision <= budget:
        # A divisor that is not yet known to differ from zero asks for more precision, too.
        try:
            sign = refine(precision).sign()
        except Undecided:
            sign = Sign.UNDECIDED
        if sign is not Sign.UNDECIDED:
            return int(sign.value)
        precision *= 2
    rule = "the sign is not decided at this many bits"
    raise Undecided(budget, rule, "raise the budget, or settle the tie exactly")


def enclose_sqrt(value: EnclosureLike, precision: int = 64) -> Enclosure:
    """Enclose the square root of a number that is not negative.

    For a rational the relative width is at most 2^(2−precision), here and in the other functions.
    """
    x = _as_enclosure(value)
    if x.lower < 0:
        raise BadNumber(value, "a square root needs a number that is not negative")
    down, up = directed(precision)
    return Enclosure(exactly(down.sqrt(mpfr(x.lower, 0, down))), exactly(up.sqrt(mpfr(x.upper, 0, up))))


def enclose_log(value: EnclosureLike, precision: int = 64) -> Enclosure:
    """Enclose the natural logarithm of a positive number.

    >>> enclose_log(2).decimal(15)
    '0.693147180559945'
    """
    x = _as_enclosure(value)
    if x.lower <= 0:
        raise BadNumber(value, "a logarithm needs a positive number")
    # Rounding x moves its logarithm by up to two units in the last place: one bit more makes up for it.
    down, up = directed(precision + 1)
    return Enclosure(_directed_log(x.lower, down), _directed_log(x.upper, up))


def enclose_exp(value: EnclosureLike, precision: int = 64) -> Enclosure:
    """Enclose the exponential.

    >>> enclose_exp(1).decimal(15)
    '2.718281828459045'
    """
    x = _as_enclosure(value)
    size = max(-x.lower, x.upper)
    if size > _LARGEST_EXPONENT:
        raise BadNumber(value, f"an exponent must not be beyond ±{_LARGEST_EXPONENT}")
    # An error ε of x becomes a relative error ε of exp(x): as many bits more as x has whole bits.
    down, up = directed(precision + int(size).bit_length())
    return Enclosure(exactly(down.exp(mpfr(x.lower, 0, down))), exactly(up.exp(mpfr(x.upper, 0, up))))


def directed(precision: int) -> tuple[gmpy2.context, gmpy2.context]:
    """Return the MPFR contexts that round down and up at `precision` bits."""
    check_precision(precision)
    return _contexts(precision)


def check_precision(precision: int, steps: int = 4) -> None:
    """Refuse a precision that is none, or at which this many steps for each bit are too much work."""
    if not isinstance(precision, int) or isinstance(precision, bool):
        raise NotANumber(precision, "the precision is a whole number of bits")
    if not 2 <= precision <= _MOST_BITS:
        raise BadNumber(precision, f"the precision must be at least 2 bits and at most {_MOST_BITS}")
    check_work("a precision of so many bits", steps * precision)


@functools.lru_cache(maxsize=64)
def _contexts(precision: int) -> tuple[gmpy2.context, gmpy2.context]:
    return (
        gmpy2.context(precision=precision, round=gmpy2.RoundDown),
        gmpy2.context(precision=precision, round=gmpy2.RoundUp),
    )


def exactly(number: mpfr) -> mpq:
    """Return the dyadic rational that a finite `mpfr` is."""
    return mpq(*number.as_integer_ratio())


def _directed_log(x: mpq, context: gmpy2.context) -> mpq:
    # Near 1 the logarithm lives on x − 1, which is still exact here; rounding x itself would lose it.
    if mpq(1, 2) < x < 2:
        return exactly(context.log1p(mpfr(x - 1, 0, context)))
    return exactly(context.log(mpfr(x, 0, context)))


def _as_enclosure(value: EnclosureLike) -> Enclosure:
    if isinstance(value, Enclosure):
        return value
    number = rational(value)
    return Enclosure(number, number)


def _operand(other: object) -> Enclosure | None:
    if isinstance(other, Enclosure) or is_number(other):
        return _as_enclosure(other)  # type: ignore[arg-type]
    return None


def _reciprocal(value: Enclosure) -> Enclosure:
    if value.sign() in (Sign.UNDECIDED, Sign.ZERO):
        raise Undecided(value, "the divisor may be zero", "ask for more precision")
    return Enclosure(1 / value.upper, 1 / value.lower)
