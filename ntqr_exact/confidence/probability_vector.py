"""Probability vectors, exactly: whole numbers over one denominator, or rows of an array that stand for their shares.

>>> ProbabilityVector.of(["0.5", "3/10", "1/5"])
ProbabilityVector((5, 3, 2), 10)
>>> ProbabilityVector.of_counts([6, 6, 0]) == ProbabilityVector.of(["1/2", "1/2", 0])
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.columns.inputs import FloatValues, as_array
from ntqr_exact.columns.whole_numbers import Array, Multiples
from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotANumber
from ntqr_exact.exact.rational import RationalLike, rational, rational_from_float, whole_number


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ProbabilityVector:
    """A point of the simplex Δ^(k−1), p = (n₁, …, n_k)/L in lowest terms, for k ≥ 2 labels."""

    numerators: tuple[int, ...]
    denominator: int

    def __init__(self, numerators: Iterable[RationalLike], denominator: RationalLike) -> None:
        given = tuple(map(whole_number, numerators))
        total = whole_number(denominator)
        _check_labels(given)
        if sum(given) != total or total == 0:
            raise BadSamples(
                (given, total), f"the numerators sum to {sum(given)}, and must sum to the denominator"
            )
        common = math.gcd(*given)
        object.__setattr__(self, "numerators", tuple(number // common for number in given))
        object.__setattr__(self, "denominator", total // common)

    @classmethod
    def of(cls, probabilities: Iterable[RationalLike]) -> ProbabilityVector:
        """Return the vector of exact probabilities, which are not negative and sum to 1.

        Raises `BadSamples` for others.
        """
        numbers = [rational(value) for value in probabilities]
        _check_labels(numbers)
        total = sum(numbers, mpq(0))
        if total != 1:
            raise BadSamples(
                [str(number) for number in numbers],
                f"probabilities sum to 1, and these to {total}",
                "give counts, or normalise them first",
            )
        return _normalised(numbers)

    @classmethod
    def of_counts(cls, counts: Iterable[RationalLike]) -> ProbabilityVector:
        """Return the shares of whole counts of which one at least is positive.

        >>> ProbabilityVector.of_counts([4, 1, 1])
        ProbabilityVector((4, 1, 1), 6)
        """
        return _shares([mpq(whole_number(count)) for count in counts])

    @classmethod
    def of_weights(cls, weights: Iterable[RationalLike]) -> ProbabilityVector:
        """Return the shares of exact numbers that are not negative, each divided by their sum.

        >>> ProbabilityVector.of_weights(["0.33", "0.33", "0.33"])
        ProbabilityVector((1, 1, 1), 3)
        """
        return _shares([rational(weight) for weight in weights])

    @classmethod
    def of_floats(cls, floats: Iterable[Any]) -> ProbabilityVector:
        """Return the shares of floats by their binary values, each divided by their exact sum.

        >>> ProbabilityVector.of_floats([0.25, 0.75])
        ProbabilityVector((1, 3), 4)
        """
        return _shares([rational_from_float(value) for value in floats])

    @classmethod
    def uniform(cls, labels: RationalLike) -> ProbabilityVector:
        """Return the centre of the simplex, (1/k, …, 1/k)."""
        count = whole_number(labels)
        return cls((1,) * count, count)

    @property
    def labels(self) -> int:
        """The number of labels, k."""
        return len(self.numerators)

    @property
    def predicted(self) -> int:
        """The place of the largest probability; of several, the first."""
        return self.numerators.index(max(self.numerators))

    def __len__(self) -> int:
        return len(self.numerators)

    def __getitem__(self, place: int) -> mpq:
        return mpq(self.numerators[place], self.denominator)

    def __iter__(self) -> Iterator[mpq]:
        return (mpq(number, self.denominator) for number in self.numerators)

    def __repr__(self) -> str:
        return f"ProbabilityVector({self.numerators!r}, {self.denominator})"

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.numerators))})/{self.denominator}"


VectorLike: TypeAlias = "ProbabilityVector | Iterable[RationalLike]"
"""A probability vector, or exact probabilities that make up one."""


def probability_vector(vector: VectorLike) -> ProbabilityVector:
    """Return a vector as one; exact probabilities are taken by `ProbabilityVector.of`."""
    return vector if isinstance(vector, ProbabilityVector) else ProbabilityVector.of(_row(vector))


def probability_vectors(vectors: Iterable[VectorLike], *, what: str = "vectors") -> list[ProbabilityVector]:
    """Return vectors of one length.

    Raises `BadSamples`, naming `what` they are, for none at all and for vectors of different lengths.
    """
    if not isinstance(vectors, Iterable):
        raise BadSamples(vectors, f"{what} must be a collection of probability vectors")
    found = [probability_vector(vector) for vector in vectors]
    if not found:
        raise BadSamples(what, "there must be at least one vector")
    check_same_length(found, what=what)
    return found


def check_same_length(vectors: Sequence[ProbabilityVector], *, what: str = "vectors") -> None:
    """Raise `BadSamples` unless all vectors have the same number of labels."""
    lengths = sorted({len(vector) for vector in vectors})
    if len(lengths) > 1:
        raise BadSamples(
            what,
            f"vectors must have the same number of labels, not {lengths[0]} and {lengths[-1]}",
        )


def _row(numbers: Any) -> Iterable[Any]:
    if not isinstance(numbers, Iterable):
        raise BadSamples(numbers, "a probability vector is a row with a number for each label")
    return numbers


def _shares(numbers: list[mpq]) -> ProbabilityVector:
    _check_labels(numbers)
    if not sum(numbers, mpq(0)):
        raise BadSamples([str(number) for number in numbers], "one of the numbers must be positive")
    return _normalised(numbers)


def _normalised(numbers: list[mpq]) -> ProbabilityVector:
    below = math.lcm(*(int(number.denominator) for number in numbers))
    whole = [int(number * below) for number in numbers]
    return ProbabilityVector(whole, sum(whole))


def _check_labels(numbers: Sequence[Any]) -> None:
    if len(numbers) < 2:
        raise BadSamples(
            [str(number) for number in numbers], "a probability vector must have at least two labels"
        )
    least = min(numbers)
    if least < 0:
        raise BadSamples(str(least), "a probability must not be negative")


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
        return len(self.numbers)

    def __getitem__(self, row: int) -> ProbabilityVector:
        values = self.numbers[row].tolist()
        if self.numbers.dtype.kind == "f":
            return ProbabilityVector.of_floats(values)
        return ProbabilityVector.of_counts(values)

    def __iter__(self) -> Iterator[ProbabilityVector]:
        return (self[row] for row in range(len(self)))

    def largest_shares(self) -> tuple[list[int], list[int]]:
        """Return for each row whole numbers whose quotient is its largest share."""
        import numpy

        numbers = self.numbers
        if numbers.dtype.kind == "f":
            units = FloatValues(numbers.ravel()).multiples().units
            highest = max(units, default=0)
            # A sum of fewer than 2^12 numbers below 2^51 fits; others are summed as Python's integers.
            fits = self.labels < 1 << 12 and highest < 1 << 51
            whole = numpy.array(list(units), dtype=numpy.int64 if fits else object)
            numbers = whole.reshape(numbers.shape)
        return numbers.max(axis=1).tolist(), numbers.sum(axis=1).tolist()

    def predicted(self) -> list[int]:
        """Return the place of the largest number of each row; of several, the first."""
        return list(self.numbers.argmax(axis=1).tolist())

    def __repr__(self) -> str:
        return f"<{len(self)} probability vectors of {self.labels} labels>"


Vectors: TypeAlias = "VectorTable | Iterable[VectorLike]"
"""A data set of probability vectors."""


def vectors_from_counts(rows: Iterable[Iterable[Any]]) -> VectorTable | list[ProbabilityVector]:
    """Return the shares of rows of whole counts; an array of integers stays an array.

    >>> vectors_from_counts([[4, 1, 1], [3, 3, 0]])
    [ProbabilityVector((4, 1, 1), 6), ProbabilityVector((1, 1, 0), 2)]

    Raises `BadSamples` for a negative count, a row of zeros, one label, or anything but a table.
    """
    array = _as_table(rows)
    if array is None:
        return [ProbabilityVector.of_counts(_row(row)) for row in rows]
    if array.dtype.kind == "f":
        raise FloatRefused(str(array.dtype), "counts must be whole numbers", "use vectors_from_floats")
    if array.dtype.kind not in "iu":
        raise NotANumber(array.dtype, "counts must be whole numbers")
    import numpy

    # Sums of a row, as whole numbers or as doubles, are exact only below this.
    if len(array) and int(array.max()) * array.shape[1] >= _EXACT_IN_DOUBLE:
        return [ProbabilityVector.of_counts(row) for row in array.tolist()]
    return _checked(array.astype(numpy.int64))


def vectors_from_floats(rows: Iterable[Iterable[Any]]) -> VectorTable | list[ProbabilityVector]:
    """Return rows of floats by their binary values, each divided by the exact sum of its row.

    >>> vectors_from_floats([[0.25, 0.75]])
    [ProbabilityVector((1, 3), 4)]

    Raises `BadNumber` for nan and infinities, `BadSamples` for a negative number, a row of zeros and one label.
    """
    array = _as_table(rows)
    if array is None or array.dtype.kind != "f" or array.dtype.itemsize > 8:
        given = rows if array is None else array.tolist()
        return [ProbabilityVector.of_floats(_row(row)) for row in given]
    import numpy

    array = array.astype(numpy.float64)
    if not numpy.isfinite(array).all():
        raise BadNumber("nan or inf", "a number must be finite")
    return _checked(array)


def table_of_decimals(columns: Sequence[Multiples], *, normalise: bool = False) -> VectorTable:
    """Return the rows of columns of decimals, a column for each label; each row sums to 1, or is divided by its sum.

    Raises `BadSamples` for a negative number, and for a row that sums to 0, or, unless normalised, not to 1.
    """
    import numpy

    unit = min(column.unit for column in columns)
    whole = [[number * int(column.unit / unit) for number in column.units] for column in columns]
    fits = max(map(max, whole)) * len(columns) < 1 << 62  # sums of rows must not overflow
    table = numpy.array(whole, dtype=numpy.int64 if fits else object).T
    if not normalise:
        sums = table.sum(axis=1)
        wrong = sums * int(unit.numerator) != int(unit.denominator)
        if wrong.any():
            row = int(wrong.argmax())
            raise BadSamples(int(sums[row]) * unit, f"row {row + 1} of probabilities must sum to 1")
    return _checked(table.copy())


def joint_vectors(source: Vectors, target: Vectors) -> tuple[Any, Any]:
    """Return source and target as two tables, or as two lists, with the same number of labels.

    An array or a frame of floats is taken by its binary values over their exact sums. Raises `BadSamples` for a row
    whose sum is not within 1/1000 of 1, for no vectors, and for other numbers of labels.
    """
    found: list[Any] = []
    for vectors, what in ((source, "source"), (target, "target")):
        taken = _float_table(vectors)
        found.append(taken if isinstance(taken, VectorTable) else probability_vectors(taken, what=what))
        if not len(found[-1]):
            raise BadSamples(what, "there must be at least one vector")
    check_same_length([found[0][0], found[1][0]], what="source and target")
    if not all(isinstance(vectors, VectorTable) for vectors in found):
        found = [list(vectors) for vectors in found]
    return found[0], found[1]


def _float_table(vectors: Any) -> Any:
    array = None if isinstance(vectors, VectorTable) else _as_table(vectors)
    if array is None or array.dtype.kind != "f":
        return vectors
    table = vectors_from_floats(array)
    for row, total in enumerate(array.sum(axis=1).tolist()):
        if abs(1000 * rational_from_float(total) - 1000) > 1:
            raise BadSamples(
                array[row].tolist(), f"row {row} must sum to 1", "use vectors_from_floats or of_weights"
            )
    return table


def _checked(array: Array) -> VectorTable:
    if array.shape[1] < 2:
        raise BadSamples(array.shape, "a probability vector must have at least two labels")
    if len(array):
        if array.min() < 0:
            raise BadSamples(str(array.min()), "a probability must not be negative")
        positive = (array != 0).any(axis=1)
        if not positive.all():
            raise BadSamples(int(positive.argmin()), "each row must have a positive number")
    array.setflags(write=False)  # it is a copy: what was given may be written into
    return VectorTable(array)


def _as_table(rows: Any) -> Array | None:
    array = as_array(rows, dimensions=None)
    if array is not None and array.ndim != 2:
        raise BadSamples(
            array.shape, "a table of vectors has a row for each vector and a column for each label"
        )
    return array
