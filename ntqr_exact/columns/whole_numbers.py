"""Columns of whole numbers: lists of `int`, or numpy arrays in limbs where no sum overflows; and multiples of a unit.

A limb is an `int64` array whose sum is below `LIMIT`; each bound is proven next to the operation. numpy is optional: a
list is worked on as a list, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

from gmpy2 import from_binary, mpq, mpz, to_binary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any

LIMIT = 1 << 60
"""The sum of a limb is below this, so that three times it still fits into 63 bits."""

LIMB = 30
"""Bits of a limb, if there are several: 2^30 of them sum to less than `LIMIT`."""

_MASK = (1 << LIMB) - 1
_STEP = 26
"""Bits that one step of a division finds."""

_ROWS = 1 << 14
"""Rows that are divided together: few enough to stay in the cache."""

_MOST_LIMBS = 30
"""Numbers of more limbs do not fit into a double."""

_MOST_BITS = 2100
"""Numbers that are further apart, as no two floats are, are not spread over limbs."""


@dataclass(frozen=True, slots=True, eq=False)
class WideColumn:
    """Whole numbers Σ limbⱼ·2^(30j), not carried: a sum or difference of columns is that of their limbs."""

    limbs: tuple[Array, ...]

    def __len__(self) -> int:
        return len(self.limbs[0])

    def __getitem__(self, place: int) -> int:
        return sum(int(limb[place]) << LIMB * index for index, limb in enumerate(self.limbs))

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def tolist(self) -> list[int]:
        """Return the numbers as Python integers."""
        limbs, bits = self.limbs, LIMB
        if len(limbs) > 1 and all(0 <= limb.min(initial=0) <= limb.max(initial=0) <= _MASK for limb in limbs):
            paired: Any = zip_longest(limbs[::2], limbs[1::2], fillvalue=0)  # two limbs fit into 60 bits
            limbs, bits = tuple(low + (high << LIMB) for low, high in paired), 2 * LIMB
        numbers: list[int] = limbs[0].tolist()
        for index, limb in enumerate(limbs[1:], start=1):
            numbers = [low + (high << bits * index) for low, high in zip(numbers, limb.tolist(), strict=True)]
        return numbers

    def each(self, function: Callable[[Array], Array]) -> WideColumn:
        """Return the column after a linear function of its limbs."""
        return WideColumn(tuple(map(function, self.limbs)))


Column: TypeAlias = "list[int] | WideColumn"


@dataclass(frozen=True, slots=True, eq=False)
class Multiples:
    """Exact numbers as whole multiples of one unit, such as sample weights or the decimals of a file."""

    units: Column
    unit: mpq

    def __len__(self) -> int:
        return len(self.units)

    def __getitem__(self, place: int) -> mpq:
        return self.units[place] * self.unit

    def __iter__(self) -> Iterator[mpq]:
        return (units * self.unit for units in self.units)


def as_column(numbers: Array | Sequence[int]) -> WideColumn:
    """Return whole numbers, none negative, as limbs: one if their sum is below `LIMIT`, else limbs of 30 bits."""
    import numpy

    highest = int(max(numbers, default=0) if isinstance(numbers, list) else numbers.max(initial=0))  # type: ignore[union-attr]
    if highest * len(numbers) < LIMIT:
        return WideColumn((numpy.asarray(numbers, dtype=numpy.int64),))
    array = numpy.array(numbers, dtype=object) if highest >= 1 << 63 else numpy.asarray(numbers)
    shifts = range(0, highest.bit_length(), LIMB)
    return WideColumn(tuple(((array >> shift) & _MASK).astype(numpy.int64) for shift in shifts))


def scaled(numbers: Array, factors: Sequence[int], which: Array) -> WideColumn:
    """Return each number, none negative, times the factor of its place in `factors`, in limbs of 30 bits.

    >>> import numpy
    >>> scaled(numpy.array([3, 5]), [1, 10**30], numpy.array([0, 1])).tolist()
    [3, 5000000000000000000000000000000]
    """
    import numpy

    # Below 2^63 a number has three limbs: three products below 2^60 and what is carried stay below 2^62.
    low = [(numbers >> shift) & _MASK for shift in range(0, int(numbers.max(initial=1)).bit_length(), LIMB)]
    shifts = range(0, max(factors).bit_length(), LIMB)
    high = [numpy.array([factor >> shift & _MASK for factor in factors])[which] for shift in shifts]
    limbs, carried = [], numpy.zeros_like(numbers)
    for place in range(len(low) + len(high)):
        for index, part in enumerate(low):
            if 0 <= place - index < len(high):
                carried += part * high[place - index]
        limbs.append(carried & _MASK)
        carried >>= LIMB
    while len(limbs) > 1 and not limbs[-1].any():
        limbs.pop()
    return WideColumn(tuple(limbs))


def power_multiples(numbers: Array | Sequence[int], powers: Array | Sequence[int], base: int) -> Multiples:
    """Return number·base^power for each, as multiples of one power; all limbs have the sign of their number.

    >>> list(power_multiples([5, -12], [0, -1], 10))
    [mpq(5,1), mpq(-6,5)]
    """
    import numpy

    signed, exponents = numpy.array(numbers, dtype=numpy.int64), numpy.array(powers, dtype=numpy.int64)
    there, sizes = signed != 0, abs(signed)
    least = int(exponents[there].min(initial=0))
    shifts = numpy.where(there, exponents - least, 0)
    factors = [base**shift for shift in range(int(shifts.max(initial=0)) + 1)]
    unit = mpq(base) ** least
    if factors[-1].bit_length() > _MOST_BITS:
        return Multiples(
            [n * factors[k] for n, k in zip(signed.tolist(), shifts.tolist(), strict=True)], unit
        )
    if int(sizes.max(initial=0)) * factors[-1] < 1 << 63:
        column = as_column(sizes * numpy.array(factors)[shifts])
    else:
        column = scaled(sizes, factors, shifts)
    signs = numpy.sign(signed)
    return Multiples(column.each(lambda limb: limb * signs), unit)


def array_or_list(numbers: list[int]) -> Array | list[int]:
    """Return small whole numbers as an array, if numpy is there."""
    try:
        import numpy
    except ImportError:
        return numbers
    return numpy.array(numbers)


def taken(column: Any, rows: Any) -> Any:
    """Return the items of a column at some rows, in their order; rows may repeat."""
    if isinstance(column, Multiples):
        return Multiples(taken(column.units, rows), column.unit)
    if isinstance(column, WideColumn):
        return column.each(lambda limb: limb[rows])
    if isinstance(column, list):
        return [column[row] for row in (rows.tolist() if hasattr(rows, "tolist") else rows)]
    return column[rows]


def total(column: Column) -> int:
    """Return the sum of a column whose limbs have sums below 2^63."""
    if isinstance(column, list):
        return sum(column)
    return sum(int(limb.sum()) << LIMB * index for index, limb in enumerate(column.limbs))


def steps(column: Column) -> Column:
    """Return by how much each number of a rising column exceeds the one before; the first exceeds 0."""
    if isinstance(column, list):
        return [right - left for left, right in pairwise([0, *column])]
    import numpy

    return column.each(lambda limb: numpy.diff(limb, prepend=0))


def times(column: Column, factor: int) -> Column:
    """Return the column with every number multiplied; Python integers where products are not bounded."""
    if isinstance(column, WideColumn) and len(column.limbs) == 1 and column[-1] * factor < LIMIT:
        return column.each(lambda limb: limb * factor)
    return [number * factor for number in column]


def dot(left: Column, right: Column) -> int:
    """Return Σ leftᵢ·rightᵢ, where the limbs of `left` have sums below 2^62.

    >>> dot([1, 2, 3], [10, 20, 30])
    140
    """
    if isinstance(left, list) or isinstance(right, list):
        return sum(map(mul, left, right))
    return sum(
        _array_dot(one, other) << LIMB * (i + j)
        for i, one in enumerate(left.limbs)
        for j, other in enumerate(right.limbs)
    )


def _array_dot(left: Array, right: Array) -> int:
    # The right side is cut into parts below 2^bits. With Σ left < 2^size, a sum over one part is below
    # 2^size · 2^bits = 2^63, whatever the order of addition, as no term is negative.
    bits = 63 - int(left.sum()).bit_length()
    shifts = range(0, int(right.max(initial=0)).bit_length(), bits)
    return sum(int(left.dot((right >> shift) & ((1 << bits) - 1))) << shift for shift in shifts)


def fractions(above: Array, below: Array) -> list[mpq]:
    """Return aᵢ/bᵢ of two `int64` arrays, where no aᵢ is negative and every bᵢ is positive.

    gmpy2 reads an mpq from bytes in about half the time of a division of two integers, and reduces it. The bytes are a
    head with the sign and the length of the numerator, the numerator, and the denominator.

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


def rounded_quotients(weights: Column, above: Column, below: Column, bits: int) -> int:
    """Return a whole number that falls short of 2^bits·Σ wᵢaᵢ/bᵢ by at most Σ wᵢ + 1, where aᵢ ≤ bᵢ.

    >>> rounded_quotients([1, 2], [1, 2], [3, 3], bits=4)
    25
    """
    columns = (weights, above, below)
    if any(isinstance(column, list) or len(column.limbs) > _MOST_LIMBS for column in columns):
        return sum(w * ((a << bits) // b) for w, a, b in zip(weights, above, below, strict=True))
    count, result = -(-(bits + 2) // _STEP), 0
    for start in range(0, len(below), _ROWS):
        parts = ([limb[start : start + _ROWS] for limb in column.limbs] for column in columns)  # type: ignore[union-attr]
        weight, over, under = parts
        result += _block(weight, over, under, count)
    return result >> count * _STEP - bits


def _block(weights: list[Array], rest: list[Array], divisor: list[Array], count: int) -> int:
    """Return Σ wᵢ·qᵢ, where qᵢ falls short of 2^(26·count)·aᵢ/bᵢ by less than 3: long division in base 2^26.

    A digit is guessed in doubles as ⌊2^26·r/b⌋ − 1. While r < 3b the quotient is below 2^28 and its relative error
    below 2^−45, so that the digit is never too large and short by less than 2 + 2^−17: the next r is below 3b again.
    One limb has no carries, and what overflows in the two products cancels, as r < 3·2^60; of several limbs each is
    below 2^32, its products below 2^60.
    """
    import numpy

    result = 0
    if len(divisor) > 1 or len(rest) > 1:
        divisor = _carried(divisor, grow=True)
        rest = _carried(rest, grow=True)
        rest += [numpy.zeros_like(rest[0])] * (len(divisor) - len(rest))
    below = _doubles(divisor)
    for _ in range(count):
        guess = numpy.floor(numpy.ldexp(_doubles(rest) / below, _STEP)) - 1
        digit = numpy.maximum(guess, 0).astype(numpy.int64)
        rest = _carried([(r << _STEP) - digit * b for r, b in zip(rest, divisor, strict=True)])
        product = sum(_array_dot(w, digit) << LIMB * index for index, w in enumerate(weights))
        result = (result << _STEP) + product
    return result


def _carried(limbs: list[Array], *, grow: bool = False) -> list[Array]:
    """Hand on what exceeds 30 bits to the next limb, and with `grow` to new ones."""
    carried, rest = [], limbs[0]
    for limb in limbs[1:]:
        carried.append(rest & _MASK)
        rest = limb + (rest >> LIMB)
    while grow and int(rest.max(initial=0)) > _MASK:
        carried.append(rest & _MASK)
        rest = rest >> LIMB
    return [*carried, rest]


def _doubles(limbs: list[Array]) -> Array:
    import numpy

    result = limbs[0].astype(numpy.float64)
    for index, limb in enumerate(limbs[1:], start=1):
        result += numpy.ldexp(limb, LIMB * index)
    return result
