"""How many ways to split the questions of each pattern over the true labels, for each key counts.

Splitting c questions over R true labels is a monomial of degree c, so the splits of all patterns with
key counts (Q_1, …, Q_R) are counted by the coefficient of x_1^Q_1 ⋯ x_R^Q_R in Π_v h_{c_v}(x_1, …, x_R),
where h_c is the sum of all monomials of degree c. Setting x_R = 1 loses nothing: the degree is Q.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

from gmpy2 import mpz

from ntqr_exact.errors import NotSupported
from ntqr_exact.varieties.compositions import compositions, count_compositions

MAX_BITS = 2**27
"""Longest integer that a packed polynomial may need: 16 MiB."""


_MAX_SUMS = 2**20
"""Most sums of counts that inclusion and exclusion goes through: a second or two."""


def times_window(coefficients: Sequence[int], count: int) -> list[int]:
    """Return the coefficients of a polynomial times 1 + x + … + x^count, in one pass of prefix sums.

    >>> times_window([1, 1, 1], 1)
    [1, 2, 2, 1]
    """
    sums = list(accumulate(coefficients))
    rising = sums + sums[-1:] * count
    return rising[: count + 1] + list(map(operator.sub, rising[count + 1 :], sums))


def counts_for_two_labels(counts: Sequence[int]) -> list[int]:
    """Return the number of splits with 0, 1, …, Q questions of the first label, in O(2^N Q) additions.

    >>> counts_for_two_labels([2, 1])
    [1, 2, 2, 1]
    """
    coefficients = [1]
    for count in counts:
        coefficients = times_window(coefficients, count)
    return coefficients


def count_for_two_labels(counts: Sequence[int], first: int) -> int:
    """Return the number of splits with this many questions of the first label, whatever the size of the counts.

    It is Σ_S (−1)^|S|·C(first − Σ_S (c_v + 1) + m − 1, m − 1) over the sets S of the m patterns: at most 2^m sums,
    and at most as many as there are numbers up to `first`.

    >>> count_for_two_labels([2, 1], 1), count_for_two_labels([10**12] * 8, 4 * 10**12) % 10**12
    (2, 600000000001)

    Raises `NotSupported` for more than `_MAX_SUMS` sums.
    """
    if not counts:
        return int(first == 0)
    signs = {0: 1}
    for count in counts:
        for taken, sign in list(signs.items()):
            if taken + count < first:
                signs[taken + count + 1] = signs.get(taken + count + 1, 0) - sign
        if len(signs) > _MAX_SUMS:
            raise NotSupported(
                f"{len(counts)} patterns and {first} questions of a label",
                f"counting at key counts needs more than {_MAX_SUMS} sums here, which is the limit",
                "take fewer questions or patterns; the count over all key counts has no limit",
            )
    return sum(sign * count_compositions(first - taken, len(counts)) for taken, sign in signs.items() if sign)


@dataclass(frozen=True, slots=True)
class PackedPolynomial:
    """The number of splits for each key counts and any R, all in one integer (Kronecker substitution).

    >>> PackedPolynomial.of([1, 1], labels=3).at((1, 1, 0))
    2

    With x_i = 256^(s·(Q+1)^(i−1)) the coefficients stand side by side in slots of s bytes. They cannot
    run into each other: no exponent exceeds Q, and no coefficient exceeds the number of all splits,
    which fits in s bytes. So R − 1 variables cost one multiplication of integers per pattern.
    """

    data: bytes
    """The integer, least significant byte first, so that a coefficient is a slice."""
    slot: int
    questions: int

    @classmethod
    def of(cls, counts: Sequence[int], *, labels: int) -> PackedPolynomial:
        """Multiply all patterns; raises `NotSupported` if the integer would exceed `MAX_BITS`."""
        *_, last = cls.products(counts, labels=labels)
        return last

    @classmethod
    def products(cls, counts: Sequence[int], *, labels: int) -> Iterator[PackedPolynomial]:
        """Iterate over the products of the first 0, 1, 2, … patterns, all packed alike."""
        questions = sum(counts)
        slot = prod(count_compositions(count, labels) for count in counts).bit_length() // 8 + 1
        bits = 8 * slot * (questions + 1) ** (labels - 1)
        if bits > MAX_BITS:
            raise NotSupported(
                f"{labels} labels and {questions} questions",
                f"counting at key counts needs an integer of {bits} bits here, and the limit is {MAX_BITS}",
                "take fewer questions or labels; the count over all key counts has no limit",
            )
        shifts = [8 * slot * (questions + 1) ** place for place in range(labels - 1)]
        packed = mpz(1)
        for monomials in (mpz(1), *(_all_monomials(count, shifts) for count in counts)):
            packed *= monomials
            size = packed.bit_length() // 8 + 1
            yield cls(int(packed).to_bytes(size, "little"), slot, questions)

    def at(self, key: Sequence[int]) -> int:
        """Return the coefficient for key counts in the order of the labels."""
        place = sum(count * (self.questions + 1) ** index for index, count in enumerate(key[:-1]))
        return int.from_bytes(self.data[self.slot * place : self.slot * (place + 1)], "little")

    def items(self, labels: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Iterate over all key counts, lexicographically, with their coefficients."""
        for key in compositions(self.questions, labels):
            yield key, self.at(key)


def _all_monomials(count: int, shifts: Sequence[int]) -> mpz:
    """Return h_count(x_1, …, x_m, 1), packed: 2^shift stands for each variable."""
    *others, shift = shifts
    if not others:  # a geometric series
        return ((mpz(1) << shift * (count + 1)) - 1) // ((mpz(1) << shift) - 1)
    total = mpz(0)
    for power in range(count + 1):
        total += _all_monomials(count - power, others) << (shift * power)
    return total
