"""Certified enclosures: two exact bounds with the true value between them.

Bounds come from MPFR, whose functions are correctly rounded, once rounded down and once rounded up; they are dyadic
rationals, kept exactly. An enclosure may decide a question (`sign`); where it does not, `decide_sign` asks for a
narrower one until it does, or raises `Undecided` at its budget. No precision decides an exact tie: settle it
algebraically first, as `log_sum_sign` does for sums of logarithms.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from numbers import Number
from operator import ge, gt, le, lt
from typing import Any, TypeVar

import gmpy2
from gmpy2 import mpfr, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, NotANumber, NotOrdered, Undecided
from ntqr_exact.exact.rational import Operators, RationalLike, rational
from ntqr_exact.exact.show import DecimalForms

MAX_PRECISION = 1 << 16
"""Bits at which `decide_sign` gives up by default."""

_MAX_BITS = 1 << 24  # about five million digits
_LOG_BITS = 96
_LARGEST_EXPONENT, _LARGEST_Z = 1_000_000, 1000
_MORE_BITS = "ask for more precision"
_Value = TypeVar("_Value")


def _ordering(holds: Callable[[mpq, int], bool]) -> Callable[[Enclosure, object], bool]:
    def compared(left: Enclosure, right: object) -> bool:
        apart = left - right
        if holds(apart.lower, 0) != holds(apart.upper, 0):
            raise Undecided((left, right), "the two enclosures overlap", _MORE_BITS)
        return holds(apart.lower, 0)

    return compared


@dataclass(frozen=True, slots=True)
class Enclosure(DecimalForms, Operators):
    """A closed interval with exact rational ends, one if it is a point, that holds the true value.

    A decimal needs ends that round to it.

    >>> Enclosure("1/3", "1/2") - Enclosure(0, "1/6")
    Enclosure(lower=mpq(1,6), upper=mpq(1,2))
    """

    lower: mpq
    upper: mpq

    def __init__(self, lower: RationalLike, upper: RationalLike | None = None) -> None:
        object.__setattr__(self, "lower", rational(lower))
        object.__setattr__(self, "upper", self.lower if upper is None else rational(upper))
        if self.lower > self.upper:
            raise BadNumber((lower, upper), "the lower end must not be above the upper end")

    def sign(self) -> int | None:
        """Return −1, 0 or 1, the sign of the enclosed number; `None` if the ends do not decide it."""
        lower, upper = gmpy2.sign(self.lower), gmpy2.sign(self.upper)
        return lower if lower == upper and (lower or self.lower == self.upper) else None

    def __contains__(self, value: RationalLike) -> bool:
        return self.lower <= rational(value) <= self.upper

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.upper, -self.lower)

    def _plus(self, right: Enclosure) -> Enclosure:
        return Enclosure(self.lower + right.lower, self.upper + right.upper)

    def _times(self, right: Enclosure) -> Enclosure:
        products = [x * y for x in (self.lower, self.upper) for y in (right.lower, right.upper)]
        return Enclosure(min(products), max(products))

    def _inverse(self) -> Enclosure:
        if not self.sign():
            raise Undecided(self, "the divisor may be zero", _MORE_BITS)
        return Enclosure(1 / self.upper, 1 / self.lower)

    __lt__, __le__, __gt__, __ge__ = map(_ordering, (lt, le, gt, ge))

    def __float__(self) -> float:
        middle = (self.lower + self.upper) / 2
        return int(middle.numerator) / int(middle.denominator)

    def _written(self, form: Callable[[Any, int], str], digits: int) -> str:
        text = form(self.lower, digits)
        if text != form(self.upper, digits):
            raise Undecided(self, f"the ends round to different decimals at {digits} digits", _MORE_BITS)
        return text


def refined(attempt: Callable[[int], _Value | None], first: int = 64, budget: int = MAX_PRECISION) -> _Value:
    """Return `attempt(precision)` at the first precision at which it is neither `None` nor raises `Undecided`.

    The precision doubles from `first` bits to at most `budget` bits; then `Undecided` is raised.
    """
    precision = first
    while precision <= budget:
        with suppress(Undecided):
            if (result := attempt(precision)) is not None:
                return result
        precision *= 2
    raise Undecided(budget, "the number is not decided at this many bits", "raise the budget")


def decide_sign(refine: Callable[[int], Enclosure], *, budget: int = MAX_PRECISION) -> int:
    """Return −1, 0 or 1, the sign of the number that `refine(precision)` encloses, from 64 bits on.

    >>> decide_sign(lambda bits: enclose_sqrt(2, bits) - enclose_log(4, bits))
    1
    """
    return refined(lambda bits: refine(bits).sign(), budget=budget)


def enclose_sqrt(value: Enclosure | RationalLike, precision: int = 64) -> Enclosure:
    """Enclose the square root of a number >= 0.

    For a rational the relative width is at most 2^(2−precision), here and in the other functions.
    """
    return _increasing(gmpy2.context.sqrt, value, precision, "the argument of a square root must be >= 0")


def enclose_log(value: Enclosure | RationalLike, precision: int = 64) -> Enclosure:
    """Enclose the natural logarithm of a positive number."""

    def log(context: gmpy2.context, end: mpq) -> mpfr:
        # Near 1 the logarithm depends on x − 1, which is still exact here; rounding x itself would lose it.
        return context.log1p(end - 1) if mpq(1, 2) < end < 2 else context.log(end)

    # Rounding x moves its logarithm by up to two units in the last place: one bit more makes up for it.
    return _increasing(log, value, precision + 1, "the argument of a logarithm must be positive")


def enclose_exp(value: Enclosure | RationalLike, precision: int = 64) -> Enclosure:
    """Enclose the exponential."""
    x = value if isinstance(value, Enclosure) else Enclosure(value)
    size = max(-x.lower, x.upper)
    if size > _LARGEST_EXPONENT:
        raise BadNumber(value, f"an exponent must not be beyond ±{_LARGEST_EXPONENT}")
    # An error ε of x becomes a relative error ε of exp(x): as many bits more as x has whole bits.
    return _increasing(gmpy2.context.exp, x, precision + int(size).bit_length())


def directed(precision: int) -> tuple[gmpy2.context, gmpy2.context]:
    """Return the MPFR contexts that round down and up at `precision` bits."""
    if not isinstance(precision, int) or isinstance(precision, bool):
        raise NotANumber(precision, "the precision must be a whole number of bits")
    if not 2 <= precision <= _MAX_BITS:
        raise BadNumber(precision, f"the precision must be at least 2 bits and at most {_MAX_BITS}")
    check_work(f"a precision of {precision} bits", 4 * precision)
    down, up = gmpy2.RoundDown, gmpy2.RoundUp
    return gmpy2.context(precision=precision, round=down), gmpy2.context(precision=precision, round=up)


def exactly(number: mpfr) -> mpq:
    """Return the dyadic rational that a finite `mpfr` is."""
    return mpq(*number.as_integer_ratio())


def _increasing(
    function: Callable[..., mpfr], value: Enclosure | RationalLike, precision: int, domain: str = ""
) -> Enclosure:
    """Enclose a function that grows; beyond its domain, which the rule names, MPFR has nan or an infinity."""
    down, up = directed(precision)
    x = value if isinstance(value, Enclosure) else Enclosure(value)
    try:
        return Enclosure(exactly(function(down, x.lower)), exactly(function(up, x.upper)))
    except (ValueError, OverflowError):
        raise BadNumber(value, domain) from None


# -- sums of logarithms -----------------------------------------------------------------------------


def log_sum_sign(terms: Iterable[tuple[RationalLike, RationalLike]], *, budget: int = MAX_PRECISION) -> int:
    """Return −1, 0 or 1, the sign of Σ c·log(m) over the pairs (c, m) of rationals, m > 0; 0·log 0 counts as 0.

    First an enclosure at 64 bits; then a base of pairwise coprime integers, over which the sum vanishes iff every
    exponent does; then enclosures of doubled precision, which must decide a sum that is not zero.

    >>> log_sum_sign([(2, 3), (-1, 9)]), log_sum_sign([(8, 3), (-5, 6)])  # 3² = 9, 3⁸ < 6⁵
    (0, -1)
    """
    pairs = _integer_terms(terms)
    if _enclose_sum(pairs, 64).sign() is None and not any(
        sum(c * gmpy2.remove(number, element)[1] for c, number in pairs)
        for element in coprime_base(number for _, number in pairs)
    ):
        return 0
    return decide_sign(lambda bits: _enclose_sum(pairs, bits), budget=max(budget, 64))


def coprime_base(numbers: Iterable[mpz]) -> list[mpz]:
    """Return pairwise coprime integers > 1, increasing, whose products give every number.

    Each split replaces m and b by gcd, m/gcd and b/gcd; the product of all numbers falls by the gcd, so it ends.
    """
    waiting, base = list(numbers), list[mpz]()
    while waiting:
        number = waiting.pop()
        element = next((element for element in base if gmpy2.gcd(number, element) != 1), None)
        if element is not None:
            base.remove(element)
            common = gmpy2.gcd(number, element)
            waiting += [common, number // common, element // common]
        elif number != 1:
            base.append(number)
    return sorted(base)


def _integer_terms(terms: Iterable[tuple[RationalLike, RationalLike]]) -> list[tuple[mpq, mpz]]:
    """Return the coefficient of each log n, n a positive integer, by log(p/q) = log p − log q."""
    coefficients: defaultdict[mpz, mpq] = defaultdict(mpq)
    for coefficient, argument in terms:
        c, m = rational(coefficient), rational(argument)
        if m < 0 or (m == 0 and c != 0):
            raise BadNumber(argument, "the argument of a logarithm must be positive")
        coefficients[m.numerator] += c
        coefficients[m.denominator] -= c
    return [(c, number) for number, c in sorted(coefficients.items()) if c]


def _enclose_sum(terms: Iterable[tuple[int | mpq, int | mpz]], precision: int, divisor: int = 1) -> Enclosure:
    """Enclose Σ c·log(m) / divisor over the pairs (c, m); the numbers with one c are multiplied first."""
    groups: defaultdict[int | mpq, list[int | mpz]] = defaultdict(list)
    for c, number in terms:
        if number != 1:
            groups[c].append(number)
    lower = upper = mpq(0)
    for c, numbers in groups.items():
        ends = _log_of_product(tuple(numbers), precision)
        lower += c * ends[c < 0]
        upper += c * ends[c > 0]
    return Enclosure(lower / divisor, upper / divisor)


@functools.lru_cache(maxsize=1 << 14)  # the counts in the vectors of a data set are few and small
def _log_of_product(numbers: tuple[int | mpz, ...], precision: int) -> tuple[mpq, mpq]:
    bits = precision + 64
    down, up = directed(bits)
    product = functools.reduce(down.mul, map(int, numbers), mpfr(1))
    # Each product is at least the true one times 1 − 2^(1−bits).
    above = up.mul(product, mpfr(1 + mpq(len(numbers), 1 << bits - 2), 0, up))
    return exactly(down.log(product)), exactly(up.log(above))


@functools.total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class LogSumKey(DecimalForms):
    """The number Σ c·log(m) / divisor over pairs of whole numbers (c, m), or +∞; ordered and compared exactly.

    An enclosure decides most comparisons; where two of them meet, `log_sum_sign` does. Equal numbers are equal
    however they are written, so they have no hash.
    """

    terms: tuple[tuple[int, int], ...]
    divisor: int = 1
    infinite: bool = False
    _near: Enclosure = field(init=False, repr=False)

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.divisor < 1:
            raise BadNumber(self.divisor, "divisor must be positive")
        object.__setattr__(self, "terms", tuple(term for term in self.terms if term[0]))
        object.__setattr__(self, "_near", _enclose_sum(self.terms, _LOG_BITS, self.divisor))

    def compare(self, other: LogSumKey | RationalLike) -> int:
        """Return −1, 0 or 1, the sign of this number minus the other, which may be rational."""
        if not isinstance(other, LogSumKey):
            number = rational(other)
            if self.infinite or not number:
                return 1 if self.infinite else log_sum_sign(self.terms)
            return decide_sign(lambda bits: self.enclose(bits) - number)  # it is 0 or irrational: never a tie
        if self.infinite or other.infinite:
            return int(self.infinite) - int(other.infinite)
        if self.divisor == other.divisor and self.terms == other.terms:
            return 0  # many vectors of a data set are equal
        apart = (self._near.lower > other._near.upper) - (self._near.upper < other._near.lower)
        return apart or log_sum_sign(
            (mpq(sign * c, one.divisor), m) for one, sign in ((self, 1), (other, -1)) for c, m in one.terms
        )

    def __eq__(self, other: object) -> bool:
        return self.compare(other) == 0 if isinstance(other, LogSumKey | Number) else NotImplemented  # type: ignore[arg-type]

    def __lt__(self, other: object) -> bool:
        return self.compare(other) < 0 if isinstance(other, LogSumKey | Number) else NotImplemented  # type: ignore[arg-type]

    def __rmul__(self, factor: int) -> LogSumKey:  # a scorer of scikit-learn negates a loss
        if self.infinite and factor <= 0:
            raise NotOrdered(self, "score must be finite for a factor of 0 or less")
        return LogSumKey(tuple((c * factor, m) for c, m in self.terms), self.divisor, self.infinite)

    def enclose(self, precision: int = 64) -> Enclosure:
        """Enclose the number; raises `NotOrdered` for +∞, which has no decimals."""
        if self.infinite:
            raise NotOrdered(self, "score must be finite for decimals")
        is_near = precision <= _LOG_BITS
        return self._near if is_near else _enclose_sum(self.terms, precision, self.divisor)

    def _written(self, form: Callable[[Any, int], str], digits: int) -> str:
        if self.infinite or not log_sum_sign(self.terms):
            return "∞" if self.infinite else form(mpq(0), digits)
        # A sum of logarithms of rationals is zero or irrational, hence never a midpoint: some precision decides.
        return refined(lambda bits: self.enclose(bits)._written(form, digits), 64 + 4 * digits, _MAX_BITS)

    def __float__(self) -> float:
        return float("inf") if self.infinite else float(self.enclose())

    def __str__(self) -> str:
        if self.infinite:
            return "∞"
        sums = "".join(f" {'+' if c > 0 else '−'} {abs(c)}·log {m}" for c, m in self.terms)
        inside = sums.removeprefix(" + ").lstrip() or "0"
        return inside if self.divisor == 1 else f"({inside})/{self.divisor}"


# -- the normal distribution ------------------------------------------------------------------------


def enclose_normal_cdf(z: RationalLike, precision: int = 64) -> Enclosure:
    """Enclose Φ(z), the probability that a standard normal number is at most z."""
    number = rational(z)
    if abs(number) > _LARGEST_Z:
        raise BadNumber(z, f"z must not be beyond ±{_LARGEST_Z}")
    tail = _enclose_erfc(number, precision) / 2
    return 1 - tail if number > 0 else tail


def enclose_normal_quantile(level: RationalLike, precision: int = 64) -> Enclosure:
    """Enclose the z with Φ(z) = level, for a rational level between 0 and 1, by Newton's method and a proof.

    >>> enclose_normal_quantile("0.975").decimal(15)
    '1.959963984540054'
    """
    check_work(f"a normal quantile at {precision} bits", precision**2 // 300)
    p = rational(level)
    if not 0 < p < 1:
        raise BadNumber(level, "a level must lie strictly between 0 and 1")
    if p == mpq(1, 2):
        return Enclosure(0)
    tails = 2 * min(p, 1 - p)

    def proven(working: int) -> Enclosure | None:
        z = _propose_quantile(tails, working)
        result = z * Enclosure(1 - mpq(1, 1 << precision), 1 + mpq(1, 1 << precision))
        is_inside = _enclose_erfc(result.lower, working) > tails > _enclose_erfc(result.upper, working)
        return result if is_inside else None

    result = refined(proven, precision + 16, 4 * max(precision, MAX_PRECISION))
    return result if p > mpq(1, 2) else -result


def _propose_quantile(tails: mpq, precision: int) -> mpq:
    """Return a number near the z > 0 with erfc(z/√2) = tails, by Newton's method on t = z/√2.

    log erfc is concave and decreasing, so the iterates move towards the root from one side after the first step.
    """
    with gmpy2.context(precision=precision, round=gmpy2.RoundToNearest):
        target, half_root_pi = gmpy2.log(mpfr(tails)), gmpy2.sqrt(gmpy2.const_pi()) / 2
        t = gmpy2.sqrt(-target)
        for _ in range(precision.bit_length() + 4):  # the correct bits double
            at_t = gmpy2.erfc(t)
            t += (gmpy2.log(at_t) - target) * at_t * half_root_pi * gmpy2.exp(t * t)
        return exactly(t * gmpy2.sqrt(mpfr(2)))


def _enclose_erfc(z: mpq, precision: int) -> Enclosure:
    """Enclose erfc(|z|/√2).

    A relative error ε of t becomes one of about 2t²ε of erfc(t), hence the extra bits.
    """
    half_square = z * z / 2  # the ends of its root have no more bits than are kept here
    bits = precision + int(half_square).bit_length() + 2
    return _increasing(lambda context, t: context.erfc(-t), -enclose_sqrt(half_square, bits), bits)
