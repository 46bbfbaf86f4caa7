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
from operator import ge, gt, le, lt
from typing import TypeAlias

import gmpy2
from gmpy2 import mpfr, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, NotANumber, NotOrdered, Undecided
from ntqr_exact.exact.rational import RationalLike, is_number, rational
from ntqr_exact.exact.show import fixed_text, formatted, significant_text

MAX_PRECISION = 1 << 16
"""Bits at which `decide_sign` gives up by default."""

_MAX_BITS = 1 << 24  # about five million digits
_LOG_BITS = 96
_LARGEST_EXPONENT = 1_000_000
_LARGEST_Z = 1000
_MORE_BITS = "ask for more precision"


def _ordering(holds: Callable[[mpq, mpq], bool]) -> Callable[[Enclosure, object], bool]:
    def compared(left: Enclosure, other: object) -> bool:
        right = _operand(other)
        if right is None:
            return NotImplemented  # type: ignore[no-any-return]
        answers = {holds(left.lower, right.upper), holds(left.upper, right.lower)}
        if len(answers) == 2:
            raise Undecided((left, right), "the two enclosures overlap", _MORE_BITS)
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
        object.__setattr__(self, "lower", rational(lower))
        object.__setattr__(self, "upper", rational(upper))
        if self.lower > self.upper:
            raise BadNumber((lower, upper), "the lower end must not be above the upper end")

    @property
    def width(self) -> mpq:
        """How far the ends are apart."""
        return self.upper - self.lower

    def sign(self) -> int | None:
        """Return −1, 0 or 1, the sign of the enclosed number; `None` if the ends do not decide it."""
        lower, upper = gmpy2.sign(self.lower), gmpy2.sign(self.upper)
        return lower if lower == upper and (lower or self.lower == self.upper) else None

    def __contains__(self, value: RationalLike) -> bool:
        return self.lower <= rational(value) <= self.upper

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.upper, -self.lower)

    def __add__(self, other: object) -> Enclosure:
        right = _operand(other)
        if right is None:
            return NotImplemented
        return Enclosure(self.lower + right.lower, self.upper + right.upper)

    __radd__ = __add__

    def __sub__(self, other: object) -> Enclosure:
        right = _operand(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> Enclosure:
        return -self + other

    def __mul__(self, other: object) -> Enclosure:
        right = _operand(other)
        if right is None:
            return NotImplemented
        products = [x * y for x in (self.lower, self.upper) for y in (right.lower, right.upper)]
        return Enclosure(min(products), max(products))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Enclosure:
        right = _operand(other)
        return NotImplemented if right is None else self * _reciprocal(right)

    def __rtruediv__(self, other: object) -> Enclosure:
        return _reciprocal(self) * other

    __lt__, __le__, __gt__, __ge__ = map(_ordering, (lt, le, gt, ge))

    def __float__(self) -> float:
        middle = (self.lower + self.upper) / 2
        return int(middle.numerator) / int(middle.denominator)

    def __round__(self, places: int = 0) -> mpq:
        return rational(self.decimal(places))

    def __format__(self, form: str) -> str:
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
            raise Undecided(self, f"the ends round to different decimals at {digits} digits", _MORE_BITS)
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
        with suppress(Undecided):  # a divisor that may still be zero needs more precision, too
            sign = refine(precision).sign()
            if sign is not None:
                return sign
        precision *= 2
    rule = "the sign is not decided at this many bits"
    raise Undecided(budget, rule, "raise the budget, or settle the tie exactly")


def enclose_sqrt(value: EnclosureLike, precision: int = 64) -> Enclosure:
    """Enclose the square root of a number >= 0.

    For a rational the relative width is at most 2^(2−precision), here and in the other functions.
    """
    x = _as_enclosure(value)
    if x.lower < 0:
        raise BadNumber(value, "the argument of a square root must be >= 0")
    down, up = directed(precision)
    return Enclosure(exactly(down.sqrt(mpfr(x.lower, 0, down))), exactly(up.sqrt(mpfr(x.upper, 0, up))))


def enclose_log(value: EnclosureLike, precision: int = 64) -> Enclosure:
    """Enclose the natural logarithm of a positive number.

    >>> enclose_log(2).decimal(15)
    '0.693147180559945'
    """
    x = _as_enclosure(value)
    if x.lower <= 0:
        raise BadNumber(value, "the argument of a logarithm must be positive")
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
    if not isinstance(precision, int) or isinstance(precision, bool):
        raise NotANumber(precision, "the precision must be a whole number of bits")
    if not 2 <= precision <= _MAX_BITS:
        raise BadNumber(precision, f"the precision must be at least 2 bits and at most {_MAX_BITS}")
    check_work(f"a precision of {precision} bits", 4 * precision)
    return _contexts(precision)


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
    # Near 1 the logarithm depends on x − 1, which is still exact here; rounding x itself would lose it.
    if mpq(1, 2) < x < 2:
        return exactly(context.log1p(mpfr(x - 1, 0, context)))
    return exactly(context.log(mpfr(x, 0, context)))


def _as_enclosure(value: EnclosureLike) -> Enclosure:
    if isinstance(value, Enclosure):
        return value
    number = rational(value)
    return Enclosure(number, number)


def _operand(other: object) -> Enclosure | None:
    is_operand = isinstance(other, Enclosure) or is_number(other)
    return _as_enclosure(other) if is_operand else None  # type: ignore[arg-type]


def _reciprocal(value: Enclosure) -> Enclosure:
    if not value.sign():
        raise Undecided(value, "the divisor may be zero", _MORE_BITS)
    return Enclosure(1 / value.upper, 1 / value.lower)


# -- sums of logarithms -----------------------------------------------------------------------------


def log_sum_sign(terms: Iterable[tuple[RationalLike, RationalLike]], *, budget: int = MAX_PRECISION) -> int:
    """Return −1, 0 or 1, the sign of Σ c·log(m) over the pairs (c, m) of rationals, m > 0; 0·log 0 counts as 0.

    First an enclosure at 64 bits; then a base of pairwise coprime integers, over which the sum vanishes iff every
    exponent does; then enclosures of doubled precision, which must decide a sum that is not zero.

    >>> log_sum_sign([(2, 3), (-1, 9)]), log_sum_sign([(8, 3), (-5, 6)])  # 3² = 9, 3⁸ < 6⁵
    (0, -1)
    """
    coefficients = _integer_terms(terms)
    sign = _enclose_sum(coefficients, 64).sign()
    if sign is not None:
        return sign
    exponents = {
        element: sum((c * gmpy2.remove(number, element)[1] for number, c in coefficients.items()), mpq(0))
        for element in coprime_base(coefficients)
    }
    if not any(exponents.values()):
        return 0
    return decide_sign(functools.partial(_enclose_sum, exponents), start=128, budget=budget)


def enclose_log_sum(terms: Iterable[tuple[RationalLike, RationalLike]], precision: int = 64) -> Enclosure:
    """Enclose Σ c·log(m) over the pairs (c, m), each logarithm at `precision` bits."""
    return _enclose_sum(_integer_terms(terms), precision)


def coprime_base(numbers: Iterable[int | mpz]) -> list[mpz]:
    """Return pairwise coprime integers > 1, increasing, whose products give every number.

    >>> coprime_base([12, 18, 35])
    [mpz(2), mpz(3), mpz(35)]

    Each split replaces m and b by gcd, m/gcd and b/gcd; the product of all numbers falls by the gcd, so it ends.
    """
    waiting = [mpz(number) for number in numbers]
    if any(number < 1 for number in waiting):
        raise BadNumber(min(waiting), "the numbers of a base must be positive")
    base: list[mpz] = []
    while waiting:
        number = waiting.pop()
        if number == 1:
            continue
        for index, element in enumerate(base):
            common = gmpy2.gcd(number, element)
            if common != 1:
                del base[index]
                waiting += [common, number // common, element // common]
                break
        else:
            base.append(number)
    return sorted(base)


def _integer_terms(terms: Iterable[tuple[RationalLike, RationalLike]]) -> dict[mpz, mpq]:
    """Return the coefficient of each log n, n a positive integer, by log(p/q) = log p − log q."""
    coefficients: dict[mpz, mpq] = {}
    for coefficient, argument in terms:
        c, m = rational(coefficient), rational(argument)
        if m < 0 or (m == 0 and c != 0):
            raise BadNumber(argument, "the argument of a logarithm must be positive")
        for number, signed in ((m.numerator, c), (m.denominator, -c)):
            coefficients[number] = coefficients.get(number, mpq(0)) + signed
    return {number: c for number, c in sorted(coefficients.items()) if c != 0}


def _enclose_sum(coefficients: dict[mpz, mpq], precision: int) -> Enclosure:
    return sum((c * enclose_log(number, precision) for number, c in coefficients.items()), Enclosure(0, 0))


_FEW_TERMS = 64
"""More terms than this are enclosed as logarithms of products."""


def _enclose_products(terms: Iterable[tuple[int, int]], precision: int) -> Enclosure:
    """Enclose Σ c·log(m): numbers with one c are multiplied, each product rounded down by a known factor."""
    bits = precision + 64
    down, up = directed(bits)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for c, number in terms:
        groups[c].append(number)
    result = Enclosure(0, 0)
    for c, numbers in groups.items():
        product = functools.reduce(down.mul, numbers, mpfr(1))
        # Each product is at least the true one times 1 − 2^(1−bits).
        high = up.mul(product, mpfr(1 + mpq(len(numbers), 1 << bits - 2), 0, up))
        result += c * Enclosure(exactly(down.log(product)), exactly(up.log(high)))
    return result


@functools.total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class LogSumKey:
    """The number Σ c·log(m) / divisor over pairs of whole numbers (c, m), or +∞; ordered and compared exactly.

    An enclosure decides most comparisons; where two of them meet, `log_sum_sign` does. Equal numbers are equal
    however they are written, so they have no hash.

    >>> LogSumKey(((1, 8), (-3, 2))) == LogSumKey(()), LogSumKey(((8, 3),)) < LogSumKey(((5, 6),))
    (True, True)
    """

    terms: tuple[tuple[int, int], ...]
    divisor: int = 1
    infinite: bool = False
    _lower: mpq = field(init=False, repr=False)
    _upper: mpq = field(init=False, repr=False)

    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.divisor < 1:
            raise BadNumber(self.divisor, "divisor must be positive")
        kept = tuple(term for term in self.terms if term[0])
        object.__setattr__(self, "terms", kept)
        if len(kept) > _FEW_TERMS:
            enclosed = _enclose_products(kept, _LOG_BITS)
            object.__setattr__(self, "_lower", enclosed.lower / self.divisor)
            object.__setattr__(self, "_upper", enclosed.upper / self.divisor)
            return
        bounds = [_log_bounds(m)[:: 1 if c > 0 else -1] for c, m in kept]
        ends = (sum(c * ends[i] for (c, _), ends in zip(kept, bounds, strict=True)) for i in (0, 1))
        for name, end in zip(("_lower", "_upper"), ends, strict=True):
            object.__setattr__(self, name, mpq(end, self.divisor << _LOG_BITS))

    def compare(self, other: LogSumKey | RationalLike) -> int:  # noqa: PLR0911  (a case each)
        """Return −1, 0 or 1, the sign of this number minus the other, which may be rational."""
        if not isinstance(other, LogSumKey):
            number = rational(other)
            if self.infinite or self == LogSumKey(()):
                return 1 if self.infinite else gmpy2.sign(-number)
            return decide_sign(lambda bits: self.enclose(bits) - number)  # it is irrational: never a tie
        if self.infinite or other.infinite:
            return int(self.infinite) - int(other.infinite)
        if self is other or (self.divisor == other.divisor and self.terms == other.terms):
            return 0  # many vectors of a data set are equal
        if self._lower > other._upper:
            return 1
        if self._upper < other._lower:
            return -1
        theirs = [(mpq(-c, other.divisor), m) for c, m in other.terms]
        return log_sum_sign([(mpq(c, self.divisor), m) for c, m in self.terms] + theirs)

    def __eq__(self, other: object) -> bool:
        return self.compare(other) == 0 if _is_comparable(other) else NotImplemented  # type: ignore[arg-type]

    def __lt__(self, other: object) -> bool:
        return self.compare(other) < 0 if _is_comparable(other) else NotImplemented  # type: ignore[arg-type]

    def __rmul__(self, factor: int) -> LogSumKey:
        if self.infinite and factor <= 0:
            raise NotOrdered(self, "an infinite score has no multiple with this factor")
        return LogSumKey(tuple((c * factor, m) for c, m in self.terms), self.divisor, self.infinite)

    def enclose(self, precision: int = 64) -> Enclosure:
        """Enclose the number; raises `NotOrdered` for +∞, which has no decimals."""
        if self.infinite:
            raise NotOrdered(self, "an infinite score has no decimals")
        if len(self.terms) > _FEW_TERMS:
            if precision <= _LOG_BITS:
                return Enclosure(self._lower, self._upper)
            return _enclose_products(self.terms, precision) / self.divisor
        return enclose_log_sum([(mpq(c, self.divisor), m) for c, m in self.terms], precision)

    def decimal(self, places: int = 6) -> str:
        """Return the number rounded to `places` decimals."""
        if self.infinite:
            return "∞"
        if self == LogSumKey(()):
            return fixed_text(mpq(0), places)
        precision = 64 + 4 * places
        while True:  # ends: a sum of logarithms of rationals is zero or irrational, hence never a midpoint
            with suppress(Undecided):
                return self.enclose(precision).decimal(places)
            precision *= 2

    def __float__(self) -> float:
        return float("inf") if self.infinite else self.enclose().__float__()

    def __format__(self, form: str) -> str:
        return formatted(self if form.endswith("f") or not form else self.enclose(4 * _LOG_BITS), form)

    def __str__(self) -> str:
        if self.infinite:
            return "∞"
        sums = "".join(f" {'+' if c > 0 else '−'} {abs(c)}·log {m}" for c, m in self.terms)
        inside = sums.removeprefix(" + ").lstrip() or "0"
        return inside if self.divisor == 1 else f"({inside})/{self.divisor}"


def _is_comparable(other: object) -> bool:
    return isinstance(other, LogSumKey) or is_number(other)


@functools.lru_cache(maxsize=1 << 16)
def _log_bounds(number: int) -> tuple[mpz, mpz]:
    """Return whole multiples of 2^−96 below and above log(number)."""
    enclosed = enclose_log(number, _LOG_BITS + 16)
    lower, upper = enclosed.lower * (1 << _LOG_BITS), enclosed.upper * (1 << _LOG_BITS)
    return lower.numerator // lower.denominator, -(-upper.numerator // upper.denominator)


# -- the normal distribution ------------------------------------------------------------------------


def enclose_normal_cdf(z: RationalLike, precision: int = 64) -> Enclosure:
    """Enclose Φ(z), the probability that a standard normal number is at most z.

    >>> enclose_normal_cdf("1.96").decimal(12)
    '0.975002104852'
    """
    number = rational(z)
    if abs(number) > _LARGEST_Z:
        raise BadNumber(z, f"z must not be beyond ±{_LARGEST_Z}")
    tail = _enclose_erfc(number, precision) / 2
    return 1 - tail if number > 0 else tail


def enclose_normal_quantile(level: RationalLike, precision: int = 64) -> Enclosure:
    """Enclose the z with Φ(z) = level, for a rational level between 0 and 1.

    >>> enclose_normal_quantile("0.975").decimal(15)
    '1.959963984540054'

    The relative width is at most 2^(2−precision); the middle is exactly 0.
    """
    directed(precision)
    check_work(f"a normal quantile at {precision} bits", precision**2 // 300)
    p = rational(level)
    if not 0 < p < 1:
        raise BadNumber(level, "a level must lie strictly between 0 and 1")
    if p == mpq(1, 2):
        return Enclosure(0, 0)
    if p > mpq(1, 2):
        return _enclose_positive_quantile(1 - p, precision)
    return -_enclose_positive_quantile(p, precision)


def _enclose_positive_quantile(tail: mpq, precision: int) -> Enclosure:
    """Enclose the z > 0 beyond which a standard normal number lies with probability `tail` < 1/2."""
    working = precision + 16
    while working <= 4 * max(precision, MAX_PRECISION):
        proposal = _propose_quantile(tail, working)
        step = proposal / (1 << precision)
        down, up = directed(precision + 2)
        lower = exactly(mpfr(proposal - step, 0, down))
        upper = exactly(mpfr(proposal + step, 0, up))
        if _sides(lower, tail, working)[0] and _sides(upper, tail, working)[1]:
            return Enclosure(lower, upper)
        working *= 2
    raise Undecided(tail, f"the normal quantile is not certified at {working // 2} bits")


def _sides(z: mpq, tail: mpq, precision: int) -> tuple[bool, bool]:
    """Return whether z is surely below the quantile, and whether it is surely above."""
    if tail > mpq(1, 4):
        middle = _enclose_erf(z, precision)
        return middle.upper < 1 - 2 * tail, middle.lower > 1 - 2 * tail
    beyond = _enclose_erfc(z, precision)
    return beyond.lower > 2 * tail, beyond.upper < 2 * tail


def _propose_quantile(tail: mpq, precision: int) -> mpq:
    """Return a number near the quantile, by Newton's method on t = z/√2.

    erf is concave for t > 0 and t₀ = (√π/2)·erf(t) lies below the root; log erfc is concave and
    decreasing. In both cases the iterates move towards the root from one side after the first step.
    """
    near_middle = tail > mpq(1, 4)
    with gmpy2.context(precision=precision, round=gmpy2.RoundToNearest):
        half_root_pi = gmpy2.sqrt(gmpy2.const_pi()) / 2
        target = mpfr(1 - 2 * tail) if near_middle else gmpy2.log(mpfr(2 * tail))
        t = half_root_pi * target if near_middle else gmpy2.sqrt(-target)
        for _ in range(precision):
            density = gmpy2.exp(-t * t) / half_root_pi
            if near_middle:
                step = (gmpy2.erf(t) - target) / density
            else:
                tail_at_t = gmpy2.erfc(t)
                step = -(gmpy2.log(tail_at_t) - target) * tail_at_t / density
            t -= step
            if abs(step) <= abs(t) * mpfr(2) ** (8 - precision):
                break
        return exactly(t * gmpy2.sqrt(mpfr(2)))


def _enclose_erf(z: mpq, precision: int) -> Enclosure:
    """Enclose erf(z/√2) for z ≥ 0."""
    down, up = directed(precision)
    half_square = z * z / 2
    low = down.erf(down.sqrt(mpfr(half_square, 0, down)))
    high = up.erf(up.sqrt(mpfr(half_square, 0, up)))
    return Enclosure(exactly(low), exactly(high))


def _enclose_erfc(z: mpq, precision: int) -> Enclosure:
    """Enclose erfc(|z|/√2).

    A relative error ε of t becomes one of about 2t²ε of erfc(t), hence the extra bits.
    """
    half_square = z * z / 2
    down, up = directed(precision + int(half_square).bit_length() + 2)
    low = down.erfc(up.sqrt(mpfr(half_square, 0, up)))
    high = up.erfc(down.sqrt(mpfr(half_square, 0, down)))
    return Enclosure(exactly(low), exactly(high))
