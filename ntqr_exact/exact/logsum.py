"""The exact sign of Σ cᵢ log mᵢ, ties included, without factoring an integer.

Three steps, each only where the one before has not decided: an enclosure at 64 bits; a base of
pairwise coprime integers, over which the sum vanishes iff every exponent does; enclosures of doubled
precision, which must decide since the sum is now known not to be zero.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import gmpy2
from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.enclosure import MAX_PRECISION, Enclosure, Sign, decide_sign, enclose_log
from ntqr_exact.exact.rational import RationalLike, rational

_FILTER_PRECISION = 64


def log_sum_sign(terms: Iterable[tuple[RationalLike, RationalLike]], *, budget: int = MAX_PRECISION) -> int:
    """Return −1, 0 or 1, the sign of Σ c·log(m) over the pairs (c, m).

    Coefficients c are rational, arguments m positive rationals; 0·log 0 counts as 0.

    >>> log_sum_sign([(2, 3), (-1, 9)]), log_sum_sign([(8, 3), (-5, 6)])
    (0, -1)

    The second says 3⁸ < 6⁵. Raises `BadNumber` for an argument that is not positive, and
    `Undecided` only if a sum that is not zero is nearer to it than 2^−budget.
    """
    coefficients = _integer_terms(terms)
    sign = _enclose_sum(coefficients, _FILTER_PRECISION).sign()
    if sign is not Sign.UNDECIDED:
        return int(sign.value)
    exponents = _over_coprime_base(coefficients)
    if not exponents:
        return 0
    return decide_sign(functools.partial(_enclose_sum, exponents), start=2 * _FILTER_PRECISION, budget=budget)


def enclose_log_sum(terms: Iterable[tuple[RationalLike, RationalLike]], precision: int = 64) -> Enclosure:
    """Enclose Σ c·log(m) over the pairs (c, m), each logarithm at `precision` bits.

    >>> enclose_log_sum([("1/2", 2), ("1/2", 3)]).decimal(12)
    '0.895879734614'
    """
    return _enclose_sum(_integer_terms(terms), precision)


def coprime_base(numbers: Iterable[int | mpz]) -> list[mpz]:
    """Return pairwise coprime integers > 1, increasing, whose products give every number.

    >>> coprime_base([12, 18, 35])
    [mpz(2), mpz(3), mpz(35)]

    Each split replaces m and b by gcd, m/gcd and b/gcd; the product of all numbers at hand falls by
    the gcd every time, so it ends.
    """
    waiting = [mpz(number) for number in numbers]
    if any(number < 1 for number in waiting):
        raise BadNumber(min(waiting), "a base is made of positive integers")
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
            raise BadNumber(argument, "a logarithm needs a positive number")
        for number, signed in ((m.numerator, c), (m.denominator, -c)):
            coefficients[number] = coefficients.get(number, mpq(0)) + signed
    return {number: c for number, c in sorted(coefficients.items()) if c != 0}


def _over_coprime_base(coefficients: dict[mpz, mpq]) -> dict[mpz, mpq]:
    """Return the same sum over multiplicatively independent arguments, without zero coefficients."""
    exponents: dict[mpz, mpq] = {}
    for element in coprime_base(coefficients):
        total = sum((c * gmpy2.remove(number, element)[1] for number, c in coefficients.items()), mpq(0))
        if total != 0:
            exponents[element] = total
    return exponents


def _enclose_sum(coefficients: dict[mpz, mpq], precision: int) -> Enclosure:
    total = Enclosure(0, 0)
    for number, c in coefficients.items():
        total = total + c * enclose_log(number, precision)
    return total
