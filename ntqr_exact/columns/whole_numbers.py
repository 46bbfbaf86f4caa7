"""Columns of exact whole numbers: lists of `int`, or numpy arrays wherever no sum can overflow.

An array of `int64` is only ever summed below a bound that is proven beside the operation. Past it, the
numbers are cut into limbs, each an array for which the bound holds, or taken as Python integers. numpy is
optional: what comes in as a list is worked on as a list, with the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import add, mul
from typing import TYPE_CHECKING, Any, TypeAlias

from ntqr_exact.errors import BadSamples

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any

LIMIT = 1 << 60
"""The sum of an `int64` column is kept below this, so that three times it still fits."""

LIMB = 30
"""Bits of a limb: the sum of 2^30 limbs stays below `LIMIT`."""

_MASK = (1 << LIMB) - 1
_HALF = 32
_FEWEST_BITS = 3


@dataclass(frozen=True, slots=True, eq=False)
class WideColumn:
    """Whole numbers Σ limbⱼ·2^(30j), where each limb is an `int64` column of its own.

    Limbs are not carried over into the next, so that sums and differences are those of the limbs.
    """

    limbs: tuple[Array, ...]

    def __len__(self) -> int:
        return len(self.limbs[0])

    def __getitem__(self, place: int) -> int:
        return sum(int(limb[place]) << LIMB * index for index, limb in enumerate(self.limbs))

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())

    def tolist(self) -> list[int]:
        """Return the numbers as Python integers."""
        numbers = self.limbs[0].tolist()
        for index, limb in enumerate(self.limbs[1:], start=1):
            numbers = [low + (high << LIMB * index) for low, high in zip(numbers, limb.tolist(), strict=True)]
        return list(numbers)


Column: TypeAlias = "list[int] | Array | WideColumn"


def limbs_of(column: Column) -> tuple[Array, ...]:
    """Return whole numbers, none negative, cut so that the sum of each part is below `LIMIT`.

    One part if that holds already; else limbs of 30 bits, of which n < 2^30 are summed safely.
    """
    import numpy

    if isinstance(column, WideColumn):
        return column.limbs
    array = integer_array(column) if isinstance(column, list) else narrowed(column)
    if array.dtype != object and total(array) < LIMIT:
        return (array,)
    highest = max(array.tolist()) if array.dtype == object else int(array.max())
    return tuple(
        ((array >> shift) & _MASK).astype(numpy.int64) for shift in range(0, highest.bit_length(), LIMB)
    )


def scaled(numbers: Array, factors: Sequence[int], which: Array) -> WideColumn:
    """Return each number, none negative, times the factor of its place in `factors`, in limbs of 30 bits.

    >>> import numpy
    >>> scaled(numpy.array([3, 5]), [1, 10**30], numpy.array([0, 1])).tolist()
    [3, 5000000000000000000000000000000]
    """
    import numpy

    # Below 2^63 a number has three limbs: three products below 2^60 and what is carried stay below 2^62.
    low = [(numbers >> shift) & _MASK for shift in range(0, int(numbers.max(initial=1)).bit_length(), LIMB)]
    bits = max(factors).bit_length()
    high = [
        numpy.array([factor >> shift & _MASK for factor in factors])[which] for shift in range(0, bits, LIMB)
    ]
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


def joined(parts: Sequence[Array]) -> Array | WideColumn:
    """Return the column that these limbs make up."""
    return parts[0] if len(parts) == 1 else WideColumn(tuple(parts))


def as_array(values: Any, *, dimensions: int | None = 1) -> Array | None:
    """Return what holds an array of so many dimensions as one, if numpy is there; and `None` for lists and the like."""
    if not hasattr(values, "__array__"):
        return None
    try:
        import numpy
    except ImportError:  # a series of another library: it is read as a list
        return None
    if getattr(values, "mask", None) is not None and numpy.ma.is_masked(values):
        row = int(numpy.flatnonzero(numpy.ma.getmaskarray(values))[0]) + 1
        raise BadSamples(values, f"a column must have no masked values (row {row})", "drop these samples")
    array = numpy.asarray(values)
    if dimensions == 1 and _is_frame(values) and array.ndim == 2:
        if array.shape[1] != 1:
            raise BadSamples(array.shape, "a frame must have one column here", "name the column")
        array = array[:, 0]
    return array if dimensions in (None, array.ndim) else None


def _is_frame(values: object) -> bool:
    return hasattr(values, "columns") or hasattr(values, "column_names")


def as_list(values: Any) -> list[Any]:
    """Return a column (a list, an array, a series, a frame of one column) as a list of Python objects.

    Raises `BadSamples` for anything else, such as a dict, a set or a masked array.
    """
    has_rows = any(hasattr(values, name) for name in ("tolist", "__iter__", "__getitem__"))
    if not has_rows or isinstance(values, Mapping | Set | bytes):
        raise BadSamples(
            values, f"a column must be a list, an array or a series, not {type(values).__name__}"
        )
    array = as_array(values) if _is_frame(values) or hasattr(values, "mask") else None
    if array is not None:
        return list(array.tolist())
    found = values.tolist() if hasattr(values, "tolist") else list(values)
    if not isinstance(found, list):
        raise BadSamples(values, "a column has a value for each sample, and is not a single one")
    return found


def integer_array(numbers: Sequence[int]) -> Array:
    """Return whole numbers, none negative, as an array: `int64` if each of them fits."""
    import numpy

    return numpy.array(numbers, dtype=numpy.int64 if max(numbers, default=0) < 1 << 63 else object)


def narrowed(array: Array) -> Array:
    """Return an array of whole numbers, none negative, of any kind as `int64` if each of them fits."""
    import numpy

    if array.dtype == object or (len(array) and int(array.max()) >= 1 << 63):
        return integer_array(array.tolist())
    return array.astype(numpy.int64, copy=False)


def total(column: Column) -> int:
    """Return the sum, exactly, of whole numbers of which none is negative."""
    if isinstance(column, list):
        return sum(column)
    if isinstance(column, WideColumn):
        return sum(total(limb) << LIMB * index for index, limb in enumerate(column.limbs))
    if column.dtype == object:
        return sum(map(int, column.tolist()))
    # Both halves of each number are below 2^32, so n of them stay below 2^63 for every n < 2^31.
    return (int((column >> _HALF).sum()) << _HALF) + int((column & ((1 << _HALF) - 1)).sum())


def cumulative(numbers: list[int]) -> list[int]:
    """Return the running sums."""
    return list(accumulate(numbers))


def steps(column: Column) -> Column:
    """Return by how much each number of a rising column exceeds the one before, the first exceeds 0."""
    if isinstance(column, list):
        return [right - left for left, right in pairwise([0, *column])]
    return _each_limb(_array_steps, column)


def shifted(column: Column) -> Column:
    """Return the column one place later: 0 first, without the last."""
    if isinstance(column, list):
        return [0, *column[:-1]] if column else []
    return _each_limb(_array_shifted, column)


def plus(left: Column, right: Column) -> Column:
    """Return the sums, place by place; of arrays only where each is below 2·`LIMIT`."""
    if isinstance(left, WideColumn) and isinstance(right, WideColumn):
        return WideColumn(tuple(map(add, left.limbs, right.limbs)))
    if isinstance(left, (list, WideColumn)) or isinstance(right, (list, WideColumn)):
        return list(map(add, as_list(left), as_list(right)))
    return left + right


def doubled(column: Column) -> Column:
    """Return twice each number; an `int64` column and limbs have room for that below `LIMIT`."""
    return (
        [2 * number for number in column] if isinstance(column, list) else _each_limb(lambda a: 2 * a, column)
    )


def times(column: Column, factor: int) -> Column:
    """Return the column with every number multiplied; Python integers where products are not bounded."""
    if isinstance(column, (list, WideColumn)):
        return [number * factor for number in column]
    if column.dtype == object or (len(column) and int(column.max()) * factor >= LIMIT):
        return [number * factor for number in column.tolist()]
    return column * factor


def dot(left: Column, right: Column) -> int:
    """Return Σ leftᵢ·rightᵢ, exactly, of whole numbers of which none is negative.

    >>> dot([1, 2, 3], [10, 20, 30])
    140
    """
    if isinstance(left, list) or isinstance(right, list):
        return sum(map(mul, as_list(left), as_list(right)))
    return sum(
        _array_dot(low, high) << LIMB * (i + j)
        for i, low in enumerate(_parts(left))
        for j, high in enumerate(_parts(right))
    )


def _each_limb(function: Callable[[Array], Array], column: Array | WideColumn) -> Array | WideColumn:
    return (
        WideColumn(tuple(map(function, column.limbs))) if isinstance(column, WideColumn) else function(column)
    )


def _parts(column: Array | WideColumn) -> tuple[Array, ...]:
    return column.limbs if isinstance(column, WideColumn) else (column,)


def _array_steps(array: Array) -> Array:
    import numpy

    return numpy.diff(array, prepend=array.dtype.type(0) if array.dtype != object else 0)


def _array_shifted(array: Array) -> Array:
    import numpy

    moved = numpy.zeros_like(array)
    moved[1:] = array[:-1]
    return moved


def _array_dot(left: Array, right: Array) -> int:
    # The right side is cut into limbs below 2^bits. With Σ left < 2^size, the sum over one limb is below
    # 2^size · 2^bits = 2^63, whatever the order of addition, as no term is negative.
    bits = 63 - total(left).bit_length()
    if bits < _FEWEST_BITS or object in (left.dtype, right.dtype):
        return sum(map(mul, left.tolist(), right.tolist()))
    mask, highest = (1 << bits) - 1, int(right.max(initial=0))
    shifts = range(0, highest.bit_length(), bits)
    return sum(int(left.dot((right >> shift) & mask)) << shift for shift in shifts)


def refuse_other_index(*columns: Any) -> None:
    """Raise `BadSamples` if two of the columns have indices that differ; what has no index is taken in its order.

    Columns of pandas belong together row by row only if their indices are the same.

    >>> refuse_other_index([1, 0], [0, 1])
    """
    indices = [column.index for column in columns if hasattr(getattr(column, "index", None), "equals")]
    for other in indices[1:]:
        if not indices[0].equals(other):
            raise BadSamples(
                (list(indices[0][:3]), list(other[:3])),
                "the columns have different indices, so that their rows are not the same samples",
                "align them, or give .to_numpy() if the order is right",
            )
