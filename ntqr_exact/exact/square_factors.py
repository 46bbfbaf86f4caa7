"""Square factors of integers, as far as trial division is cheap; nothing else is factored."""

from __future__ import annotations

import gmpy2
from gmpy2 import mpz

_PRIMES = tuple(n for n in range(2, 1000) if gmpy2.is_prime(n))
_PRIMORIAL = gmpy2.primorial(1000)


def split_square(d: mpz) -> tuple[mpz, mpz]:
    """Return (s, r) with d = s²r, where r has no square of a small prime and is 1 if d is a square.

    After the small primes are out, what is left of d is either a square, or kept as it is: finding
    the square of a large prime in it would mean factoring.
    """
    if d == 0:
        return mpz(0), mpz(1)
    size = abs(d)
    square_root, small = mpz(1), mpz(1)
    primes_in_it = gmpy2.gcd(size, _PRIMORIAL)
    for p in _PRIMES:
        if primes_in_it == 1:
            break
        if primes_in_it % p == 0:
            primes_in_it //= p
            size, power = gmpy2.remove(size, p)
            square_root *= mpz(p) ** (power // 2)
            small *= mpz(p) ** (power % 2)
    root, remainder = gmpy2.isqrt_rem(size)
    if remainder == 0:
        square_root, size = square_root * root, mpz(1)
    return square_root, gmpy2.sign(d) * small * size
