"""Sums of quotients of columns: rounded down by a known amount on arrays, or as one fraction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import from_binary, mpq, mpz, to_binary

from ntqr_exact.columns.whole_numbers import LIMB, Array, Column, WideColumn, as_list, dot, total

_MASK = (1 << LIMB) - 1
_FEWEST_BITS = 3

_STEP = 26
"""Bits that one step of a wide division finds."""

_TOP = 35
"""Bits of the largest divisor by which a step is guessed; with `_STEP` and 2 they make 63."""

_SMALLER = 8
"""Divisors may have this many bits less than the largest and still be guessed well enough."""

_TOGETHER = 1 << 14
"""Rows that are divided at once: few enough to stay in the cache, and for the bound of `_block`."""

_PART = 14


def fractions(above: Array, below: Array) -> list[mpq]:
    """Return aᵢ/bᵢ of two `int64` columns, where no aᵢ is negative and every bᵢ is positive.

    gmpy2 reads an mpq from bytes in about half the time of a division of two integers, and reduces it.
    The bytes are a head that tells the sign and the length of the numerator, the numerator, and the denominator.

    >>> import numpy
    >>> fractions(numpy.array([0, 6, 4]), numpy.array([3, 4, 2]))
    [mpq(0,1), mpq(3,2), mpq(2,1)]
    """
    import numpy

    word = 4 if max(above.max(initial=0), below.max(initial=0)) < 1 << 32 else 8
    head = to_binary(mpq(1 << 8 * word - 1))[: -word - 1]
    whole = f"<u{word}"
    rows = numpy.empty(len(above), dtype=[("head", f"S{len(head)}"), ("above", whole), ("below", whole)])
    rows["head"], rows["above"], rows["below"] = head, above, below
    # numpy leaves out zero bytes at the end, which are the highest of the denominator.
    return list(map(from_binary, rows.view(f"S{rows.itemsize}").tolist()))


def weighted_quotients(weights: Column, above: Column, below: Column, bits: int) -> int:
    """Return Σ wᵢ·⌊2^bits·aᵢ/bᵢ⌋, or less: it falls short of 2^bits·Σ wᵢaᵢ/bᵢ by less than Σ wᵢ, where aᵢ ≤ bᵢ.

    >>> weighted_quotients([1, 2], [1, 2], [3, 3], bits=4)
    25
    """
    columns = (weights, above, below)
    wide = any(isinstance(column, WideColumn) for column in columns)
    if any(isinstance(column, list) or _is_object(column) for column in columns) or (
        wide and total(weights) < 2
    ):
        return _one_by_one(as_list(weights), as_list(above), as_list(below), bits)
    if wide:
        return _wide_quotients(weights, above, below, bits)
    return _array_quotients(weights, above, below, bits)


def sum_of_quotients(factors: Sequence[int], above: Sequence[int], below: Sequence[int]) -> tuple[mpz, mpz]:
    """Return Σ factor·above/below as one fraction, not reduced, by halves so that numbers stay balanced.

    >>> tuple(map(int, sum_of_quotients([1, 1, 2], [1, 1, 1], [2, 3, 2])))
    (11, 6)
    """
    collected: dict[int, int] = {}
    for factor, number, divisor in zip(factors, above, below, strict=True):
        if factor and number:
            collected[divisor] = collected.get(divisor, 0) + factor * number
    terms = [(mpz(number), mpz(divisor)) for divisor, number in collected.items()]
    while len(terms) > 1:
        paired = [(n * e + m * d, d * e) for (n, d), (m, e) in zip(terms[::2], terms[1::2], strict=False)]
        terms = paired + ([terms[-1]] if len(terms) % 2 else [])
    return terms[0] if terms else (mpz(0), mpz(1))


def _one_by_one(weights: list[int], above: list[int], below: list[int], bits: int) -> int:
    return sum(w * ((a << bits) // b) for w, a, b in zip(weights, above, below, strict=True))


def _array_quotients(weights: Any, above: Any, below: Any, bits: int) -> int:
    # Long division in base 2^step: a remainder is below b < 2^(63−step), so shifted it is below 2^63.
    step = 63 - int(below.max(initial=1)).bit_length()
    if step < _FEWEST_BITS:
        return _one_by_one(as_list(weights), as_list(above), as_list(below), bits)
    quotient: Array = above // below
    rest: Array = above - quotient * below
    result, done = dot(weights, quotient), 0
    while done < bits:
        width = min(step, bits - done)
        shifted_rest: Array = rest << width
        quotient = shifted_rest // below
        rest = shifted_rest - quotient * below
        result = (result << width) + dot(weights, quotient)
        done += width
    return result


def _wide_quotients(weights: Any, above: Any, below: Any, bits: int) -> int:
    """Divide block by block, so that little memory is held."""
    # Three bits more than asked for, so that digits may fall short by 4 and the sum still by less than Σ wᵢ/2 + 1.
    steps = -(-(bits + _FEWEST_BITS) // _STEP)
    found = 0
    for start in range(0, len(below), _TOGETHER):
        rows = slice(start, start + _TOGETHER)
        found += _some_rows(_carried(weights, rows), _carried(above, rows), _carried(below, rows), steps)
    return found >> steps * _STEP - bits


def _some_rows(weights: list[Array], above: list[Array], below: list[Array], steps: int) -> int:
    """Return Σ wᵢ·qᵢ as `_block` does; rows whose divisor is much smaller than the largest are divided one by one."""
    import numpy

    size = max(
        int(limb.max(initial=0)).bit_length() + LIMB * at for at, limb in enumerate(below) if limb.any()
    )
    shift = size - _TOP - _STEP
    large = _shifted_down(below, max(shift, 0)) >> (_TOP + _STEP - _SMALLER - 1) != 0
    few, many = numpy.flatnonzero(~large), numpy.flatnonzero(large)
    if shift < 0:
        few, many = numpy.arange(len(large)), few[:0]
    found = _one_by_one(_joined(weights, few), _joined(above, few), _joined(below, few), steps * _STEP)
    if len(many):
        heft, rest, divisor = ([limb[many] for limb in limbs] for limbs in (weights, above, below))
        places = max(len(rest), len(divisor))
        rest += [numpy.zeros_like(rest[0])] * (places - len(rest))
        divisor += [numpy.zeros_like(divisor[0])] * (places - len(divisor))
        found += _block(heft, rest, divisor, size, steps)
    return found


def _block(weights: list[Array], rest: list[Array], divisor: list[Array], size: int, steps: int) -> int:
    """Return Σ wᵢ·qᵢ, where qᵢ falls short of 2^(26·steps)·aᵢ/bᵢ by less than 4, in long division in base 2^26.

    A digit is guessed from the upper bits, rounded so that it is never too large. While r < 4b, with t ≥ 2^27 upper
    units of b, it falls short of 2^26·r/b < 2^28 by less than 2^28/t + 1 + 1/t < 4: so the next remainder is below
    4b again. The upper bits of r are below 2^(35+26+2); a digit is below 2^28, and times a limb below 2^58.
    """
    result, least = 0, _shifted_down(divisor, size - _TOP) + 1
    for _ in range(steps):
        digit: Array = _shifted_down(rest, size - _TOP - _STEP) // least
        rest = _carry([(r << _STEP) - digit * b for r, b in zip(rest, divisor, strict=True)])
        # Halves of a digit are below 2^14, limbs below 2^30, rows at most 2^14: sums stay below 2^58.
        low, high = digit & ((1 << _PART) - 1), digit >> _PART
        found = sum(
            (int(w.dot(low)) + (int(w.dot(high)) << _PART)) << LIMB * at for at, w in enumerate(weights)
        )
        result = (result << _STEP) + found
    return result


def _carried(column: Any, rows: slice) -> list[Array]:
    """Return limbs of 30 bits each, of some of the whole numbers of which none is negative."""
    limbs = column.limbs if isinstance(column, WideColumn) else (column,)
    return _carry([limb[rows] for limb in limbs], more=True)


def _carry(limbs: list[Array], *, more: bool = False) -> list[Array]:
    """Hand on what exceeds 30 bits to the next limb; with `more`, to new ones as long as there is something."""
    carried, rest = [], limbs[0]
    for limb in limbs[1:]:
        carried.append(rest & _MASK)
        rest = limb + (rest >> LIMB)
    while more and int(rest.max(initial=0)) > _MASK:
        carried.append(rest & _MASK)
        rest = rest >> LIMB
    return [*carried, rest]


def _shifted_down(limbs: list[Array], shift: int) -> Array:
    """Return the numbers without their lowest bits, where that leaves at most 63."""
    result = limbs[0] >> min(shift, 63)
    for at, limb in enumerate(limbs[1:], start=1):
        up = LIMB * at - shift
        result = result + (limb << up if up >= 0 else limb >> min(-up, 63))
    return result


def _joined(limbs: list[Array], rows: Array) -> list[int]:
    return WideColumn(tuple(limb[rows] for limb in limbs)).tolist()


def _is_object(column: Any) -> bool:
    return not isinstance(column, WideColumn) and column.dtype == object
