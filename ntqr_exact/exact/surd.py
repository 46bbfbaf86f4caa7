"""Quadratic surds a + b√d: rational a and b, integer d, which may be negative.

No integer is factored for arithmetic, equality or order. Two facts carry them:

* √d and √e are rational multiples of each other iff de is a perfect square, and then √e = √(de)/|d|·√d.
* If √d is irrational, a + b√d determines a, b²d and the sign of b. These three are compared and hashed.
"""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from numbers import Number
from typing import Any

import gmpy2
from gmpy2 import mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber, DivisionByZero, NotASurd, NotOrdered
from ntqr_exact.exact.rational import Operators, RationalLike
from ntqr_exact.exact.rational import rational as to_rational
from ntqr_exact.exact.show import DecimalForms, LatexForms

_ZERO, _ONE = mpq(0), mpz(1)
_PRIMES = tuple(n for n in range(2, 1000) if gmpy2.is_prime(n))
_PRIMORIAL = gmpy2.primorial(1000)


@functools.total_ordering
@dataclass(frozen=True, slots=True, init=False)
class Surd(DecimalForms, LatexForms, Operators):
    """The number a + b√d, exactly; for negative d, √d means i√(−d).

    >>> golden = Surd("1/2", "1/2", 5)
    >>> golden * golden == golden + 1, golden > Surd("8/5"), golden.decimal(20)
    (True, True, '1.61803398874989484820')

    Square factors of d are moved into b as far as trial division is cheap; a rational number has b = 0 and d = 1.
    Addition and multiplication raise `NotASurd` if the two roots are not commensurable.
    """

    rational: mpq
    coefficient: mpq
    radicand: mpz

    def __new__(
        cls, rational: RationalLike = 0, coefficient: RationalLike = 0, radicand: RationalLike = 1
    ) -> Surd:
        """Return rational + coefficient·√radicand."""
        a, b, d = to_rational(rational), to_rational(coefficient), to_rational(radicand)
        if d.denominator != 1:
            remedy = "use Surd.sqrt for the root of a fraction"
            raise BadNumber(radicand, "radicand must be an integer", remedy)
        return _simplified(a, b, d.numerator)

    @classmethod
    def sqrt(cls, value: RationalLike) -> Surd:
        """Return the square root of a rational: √(p/q) = √(pq)/q.

        >>> Surd.sqrt("9/2000"), Surd.sqrt("9/4"), Surd.sqrt(-3)
        (Surd(0, '3/100', 5), Surd('3/2'), Surd(0, 1, -3))
        """
        number = to_rational(value)
        return _simplified(_ZERO, mpq(1, number.denominator), number.numerator * number.denominator)

    @property
    def is_rational(self) -> bool:
        """Whether b√d is zero: the number equals its rational part."""
        return self.coefficient == 0

    @property
    def is_real(self) -> bool:
        """Whether the number is real; an imaginary one has no sign, order or decimals."""
        return self.radicand > 0

    def scaled(self, factor: mpq, shift: mpq) -> Surd:
        """Return factor·(a + b√d) + shift, for rationals that need no checking."""
        return _reduced(factor * self.rational + shift, factor * self.coefficient, self.radicand)

    def _plus(self, right: Surd) -> Surd:
        b, c, d = _common_radicand(self, right)
        return _reduced(self.rational + right.rational, b + c, d)

    def __neg__(self) -> Surd:
        return _reduced(-self.rational, -self.coefficient, self.radicand)

    def _times(self, right: Surd) -> Surd:
        a, c = self.rational, right.rational
        if a == 0 and c == 0 and self.radicand != right.radicand:
            # i√m · i√n = −√(mn): the one case where √d·√e is not √(de).
            sign = -1 if self.radicand < 0 and right.radicand < 0 else 1
            return _simplified(a, sign * self.coefficient * right.coefficient, self.radicand * right.radicand)
        b, e, d = _common_radicand(self, right)
        return _reduced(a * c + b * e * d, a * e + b * c, d)

    def _inverse(self) -> Surd:
        if not self:
            raise DivisionByZero(self, "divisor must not be 0")
        norm = self.rational**2 - self.coefficient**2 * self.radicand
        return _reduced(self.rational / norm, -self.coefficient / norm, self.radicand)

    def __pow__(self, exponent: int) -> Surd:
        check_work("a power of a surd", abs(exponent) * len(str(self)) // 20)
        base, result = self if exponent >= 0 else self._inverse(), Surd(1)
        for bit in f"{abs(exponent):b}":
            result = result * result * base if bit == "1" else result * result
        return result

    def sign(self) -> int:
        """Return −1, 0 or 1, exactly; raises `NotOrdered` for an imaginary number."""
        return _sign(self._real().rational, self.coefficient, self.radicand)

    def __bool__(self) -> bool:
        return self.rational != 0 or self.coefficient != 0

    def __abs__(self) -> Surd:
        return -self if self.sign() < 0 else self

    def __eq__(self, other: object) -> bool:
        right = self._operand(other)
        return NotImplemented if right is None else self._invariants() == right._invariants()

    def __hash__(self) -> int:
        return hash(self.rational) if self.is_rational else hash(self._invariants())

    def __lt__(self, other: object) -> bool:
        if type(other) in (mpq, int) and self.radicand > 0:  # most comparisons: is a rate from 0 to 1?
            return _sign(self.rational - other, self.coefficient, self.radicand) < 0  # type: ignore[operator]
        right = self._operand(other)
        if right is None:
            return NotImplemented
        # The difference is X − Y with X = (a − a') + b√d and Y = b'√d'. If the signs of X and Y do not
        # settle it, the sign of X² − Y² does, and X² − Y² is a surd with the single radicand d.
        a = self._real().rational - right._real().rational
        b, d = self.coefficient, self.radicand
        _, y_square, y_sign = right._invariants()
        x_sign = _sign(a, b, d)
        if x_sign != y_sign:
            return x_sign < y_sign
        return x_sign * _sign(a * a + b * b * d - y_square, 2 * a * b, d) < 0

    def _invariants(self) -> tuple[mpq, mpq, int]:
        return self.rational, self.coefficient**2 * self.radicand, gmpy2.sign(self.coefficient)

    def __floor__(self) -> mpz:
        # Over the common denominator q the number is (p + s√n)/q with integers, and
        # floor((p + s√n)/q) = floor((p + floor(s√n))/q).
        q = gmpy2.lcm(self._real().rational.denominator, self.coefficient.denominator)
        p, b = mpz(self.rational * q), mpz(self.coefficient * q)
        root = gmpy2.isqrt(b * b * self.radicand)  # b√d is irrational, so −b√d lies between −root−1 and −root
        return (p + (root if b >= 0 else -root - 1)) // q

    def __ceil__(self) -> mpz:
        return -math.floor(-self)

    def _real(self) -> Surd:
        if not self.is_real:
            raise NotOrdered(self, "number must be real to have a sign, an order or decimals")
        return self

    def __repr__(self) -> str:
        parts = (self.rational, self.coefficient, mpq(self.radicand))[: 1 if self.is_rational else 3]
        return f"Surd({', '.join(str(x) if x.denominator == 1 else repr(str(x)) for x in parts)})"

    def __str__(self) -> str:
        if self.is_rational:
            return str(self.rational)
        below = gmpy2.lcm(self.rational.denominator, self.coefficient.denominator)
        a, b, d = mpz(self.rational * below), mpz(self.coefficient * below), abs(self.radicand)
        factors = (str(abs(b)) * (abs(b) != 1), "i" * (self.radicand < 0), f"√{d}" * (d != 1))
        sign, root = "-" if b < 0 else "+", "·".join(filter(None, factors))
        text = f"{a} {sign} {root}" if a else f"{sign}{root}".removeprefix("+")
        return text if below == 1 else f"({text})/{below}" if a else f"{text}/{below}"

    def latex(self) -> str:
        """Return LaTeX for a formula."""
        text = re.sub("√([0-9]+)", r"\\sqrt{\1}", str(self)).replace("·", " ")
        return re.sub(r"\(?(.+?)\)?/([0-9]+)", r"\\frac{\1}{\2}", text)

    def _sympy_(self) -> Any:  # without it sympy would take the float
        import sympy

        parts = (self.rational, self.coefficient)
        a, b = (sympy.Rational(int(part.numerator), int(part.denominator)) for part in parts)
        return a + b * sympy.sqrt(int(self.radicand))


# The slots themselves: filling a frozen value through them takes half the time of `object.__setattr__`.
_set_rational, _set_coefficient, _set_radicand = (Surd.__dict__[name].__set__ for name in Surd.__slots__)


def _reduced(a: mpq, b: mpq, d: mpz) -> Surd:
    """Return a + b√d for a d that is already the radicand of a surd."""
    surd = object.__new__(Surd)
    _set_rational(surd, a)
    _set_coefficient(surd, b)
    _set_radicand(surd, d if b else _ONE)
    return surd


def _simplified(a: mpq, b: mpq, d: mpz) -> Surd:
    """Return a + b√d with a radicand that has no square of a small prime, and is 1 if d is a square.

    The square of a large prime may stay in it: finding it would mean factoring.
    """
    size = abs(d)
    if not b or not size:
        return _reduced(a, _ZERO, _ONE)
    small = gmpy2.gcd(size, _PRIMORIAL)
    squared = gmpy2.gcd(size // small, small)  # the primes whose squares divide d
    for p in _PRIMES:
        if squared == 1:
            break
        if squared % p == 0:
            root = mpz(p) ** (gmpy2.remove(size, p)[1] // 2)
            size, b, squared = size // root**2, b * root, squared // p
    small = gmpy2.gcd(size, _PRIMORIAL)
    root, remainder = gmpy2.isqrt_rem(size // small)
    if not remainder:
        size, b = small, b * root
    if d > 0 and size == 1:  # a perfect square under the root: all of it is rational
        return _reduced(a + b, _ZERO, _ONE)
    return _reduced(a, b, size if d > 0 else -size)


def _common_radicand(left: Surd, right: Surd) -> tuple[mpq, mpq, mpz]:
    """Return b, c, d with left = a + b√d and right = a' + c√d."""
    b, c, d, e = left.coefficient, right.coefficient, left.radicand, right.radicand
    if b and c and d != e:
        if not gmpy2.is_square(d * e):
            raise NotASurd((left, right), "roots must have like radicands for a result a + b√d")
        c *= mpq(gmpy2.isqrt(d * e), abs(d))
    return b, c, d if b else e


def _sign(a: mpq, b: mpq, d: mpz) -> int:
    """Return the sign of a + b√d for a positive d that is not a square unless b = 0."""
    a_sign, b_sign = (a > 0) - (a < 0), (b > 0) - (b < 0)  # several times faster than gmpy2.sign
    if a_sign * b_sign >= 0:
        return a_sign or b_sign
    # a and b√d have opposite signs; the larger square wins. They cannot be equal.
    return a_sign if a * a > b * b * d else b_sign


Number.register(Surd)  # so that other libraries accept it as a number
