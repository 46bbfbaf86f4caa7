"""Many probability vectors as rows of an array, each the shares of its row: counts, or floats by binary value.

Nothing is divided here: a row stands for its numbers over their sum, and becomes a `ProbabilityVector` when asked.
Without numpy the same functions return lists of vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ntqr_exact.choice import chosen
from ntqr_exact.columns.float_values import FloatValues, binary_units
from ntqr_exact.columns.whole_numbers import Array
from ntqr_exact.confidence.probability_vector import FloatTotal, ProbabilityVector, VectorLike
from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotANumber
from ntqr_exact.exact.arguments import checked

_EXACT_IN_DOUBLE = 1 << 53


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VectorTable:
    """Rows of numbers that are not negative, none of them all zero; each stands for its shares.

    `vectors_from_counts` and `vectors_from_floats` make and check them.
    """

    numbers: Array

    @property
    def labels(self) -> int:
        """The number of labels, k."""
        return int(self.numbers.shape[1])

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self.numbers)

    def __getitem__(self, row: int) -> ProbabilityVector:
        """Return one vector."""
        values = self.numbers[row].tolist()
        if self.numbers.dtype.kind == "f":
            return ProbabilityVector.of_floats(values)
        return ProbabilityVector.of_counts(values)

    def __iter__(self) -> Iterator[ProbabilityVector]:
        """Yield the vectors."""
        return (self[row] for row in range(len(self)))

    def largest_shares(self) -> tuple[list[int], list[int]]:
        """Return for each row whole numbers whose quotient is its largest share."""
        import numpy

        numbers = self.numbers
        if numbers.dtype.kind == "f":
            units = binary_units(FloatValues(numbers.ravel()))[0]
            numbers = numpy.asarray(units).reshape(numbers.shape)
            # A sum of fewer than 2^12 numbers below 2^51 fits; else they are summed as Python's integers.
            if numbers.dtype != object and (self.labels >= 1 << 12 or int(numbers.max()) >= 1 << 51):
                numbers = numbers.astype(object)
        return numbers.max(axis=1).tolist(), numbers.sum(axis=1).tolist()

    def predicted(self) -> list[int]:
        """Return the place of the largest number of each row; of several, the first."""
        return list(self.numbers.argmax(axis=1).tolist())

    def __repr__(self) -> str:
        """Return what is held, without the numbers."""
        return f"<{len(self)} probability vectors of {self.labels} labels>"


Vectors: TypeAlias = "VectorTable | Iterable[VectorLike]"
"""A data set of probability vectors."""


@checked
def vectors_from_counts(rows: Iterable[Iterable[Any]]) -> VectorTable | list[ProbabilityVector]:
    """Return the shares of rows of whole counts; an array of integers stays an array.

    >>> vectors_from_counts([[4, 1, 1], [3, 3, 0]])
    [ProbabilityVector((4, 1, 1), 6), ProbabilityVector((1, 1, 0), 2)]

    Raises `BadSamples` for a negative count, a row of zeros, one label, or what is no table.
    """
    array = _as_table(rows)
    if array is None:
        return [ProbabilityVector.of_counts(row) for row in rows]
    if array.dtype.kind == "f":
        raise FloatRefused(str(array.dtype), "a float is no count", "use vectors_from_floats")
    if array.dtype.kind not in "iu":
        raise NotANumber(array.dtype, "counts are whole numbers")
    import numpy

    # Sums of a row, as whole numbers or as doubles, are exact only below this.
    if len(array) and int(array.max()) * array.shape[1] >= _EXACT_IN_DOUBLE:
        return [ProbabilityVector.of_counts(row) for row in array.tolist()]
    return _checked(array.astype(numpy.int64, copy=False))


@checked
def vectors_from_floats(
    rows: Iterable[Iterable[Any]], *, total: FloatTotal = FloatTotal.NORMALISE
) -> VectorTable | list[ProbabilityVector]:
    """Return rows of floats by their binary values, normalised exactly or refused: the explicit door for them.

    >>> vectors_from_floats([[0.25, 0.75]])
    [ProbabilityVector((1, 3), 4)]

    Raises `BadNumber` for nan and infinities, `BadSamples` for a negative number, a row of zeros, one label, and
    under `FloatTotal.REFUSE` for a row that does not sum to 1.
    """
    total = chosen(total, FloatTotal)
    array = _as_table(rows)
    if array is None or array.dtype.kind != "f" or array.dtype.itemsize > 8:
        given = rows if array is None else array.tolist()
        return [ProbabilityVector.of_floats(row, total=total) for row in given]
    import numpy

    array = array.astype(numpy.float64, copy=False)
    if not numpy.isfinite(array).all():
        raise BadNumber("nan or inf", "a number must be finite")
    table = _checked(array)
    if total is FloatTotal.REFUSE:
        for row in array.tolist():
            ProbabilityVector.of_floats(row, total=total)
    return table


def _checked(array: Array) -> VectorTable:
    if array.shape[1] < 2:
        raise BadSamples(array.shape, "a probability vector has at least two labels")
    if len(array):
        least = array.min().item()
        if least < 0:
            raise BadSamples(str(least), "a probability must not be negative")
        if not array.any(axis=1).all():
            raise BadSamples(int(array.any(axis=1).argmin()), "the shares of nothing are no probabilities")
    return VectorTable(array)


def _as_table(rows: Any) -> Array | None:
    if not hasattr(rows, "__array__"):
        return None
    try:
        import numpy
    except ImportError:  # a table of another library: it is read row by row
        return None
    array = numpy.asarray(rows)
    if array.ndim != 2:
        raise BadSamples(
            array.shape, "a table of vectors has a row for each vector and a column for each label"
        )
    return array
