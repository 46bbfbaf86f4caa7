"""Probability vectors, exactly: whole numbers over one denominator, or rows of an array that stand for their shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.columns.inputs import FloatValues, as_array, as_list, refuse_other_index
from ntqr_exact.columns.whole_numbers import Array, Multiples
from ntqr_exact.errors import BadDecisions, BadNumber, BadSamples, FloatRefused
from ntqr_exact.exact.rational import RationalLike, rational, rational_from_float, whole_number
from ntqr_exact.metrics.score_file import read_columns
from ntqr_exact.votes.tables import Source, open_table


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ProbabilityVector:
    """A point of the simplex Δ^(k−1), p = (n₁, …, n_k)/L in lowest terms, for k ≥ 2 labels."""

    numerators: tuple[int, ...]
    denominator: int

    def __init__(self, numerators: Iterable[RationalLike], denominator: RationalLike) -> None:
        given, total = tuple(map(whole_number, numerators)), whole_number(denominator)
        if len(given) < 2:
            raise BadSamples(given, "a probability vector must have at least two labels")
        if sum(given) != total or total == 0:
            raise BadSamples((given, total), "the numerators must sum to the denominator")
        common = math.gcd(*given)
        object.__setattr__(self, "numerators", tuple(number // common for number in given))
        object.__setattr__(self, "denominator", total // common)

    @classmethod
    def of(cls, probabilities: Iterable[RationalLike]) -> ProbabilityVector:
        """Return the vector of exact probabilities; raises `BadSamples` unless they are from 0 on and sum to 1."""
        numbers = [rational(value) for value in as_list(probabilities)]
        total = sum(numbers, mpq(0))
        if len(numbers) > 1 and total != 1 and min(numbers) >= 0:
            rule = f"probabilities must sum to 1, not to {total}"
            raise BadSamples([*map(str, numbers)], rule, "give counts, or normalise them first")
        return cls.of_counts(numbers)

    @classmethod
    def of_counts(cls, counts: Iterable[RationalLike]) -> ProbabilityVector:
        """Return the shares of counts or other exact numbers from 0 on, each divided by their sum.

        >>> ProbabilityVector.of_counts([4, 1, 1]), ProbabilityVector.of_counts(["0.33", "0.33", "0.33"])
        (ProbabilityVector((4, 1, 1), 6), ProbabilityVector((1, 1, 1), 3))

        Raises `BadSamples` for a negative number, and if none is positive.
        """
        numbers = [rational(count) for count in as_list(counts)]
        if numbers and min(numbers) < 0:
            raise BadSamples(str(min(numbers)), "a probability must not be negative")
        if len(numbers) > 1 and not any(numbers):
            raise BadSamples([*map(str, numbers)], "one of the numbers must be positive")
        below = math.lcm(*(int(number.denominator) for number in numbers))
        whole = [int(number * below) for number in numbers]
        return cls(whole, sum(whole))

    @classmethod
    def of_floats(cls, floats: Iterable[Any]) -> ProbabilityVector:
        """Return the shares of floats by their binary values, each divided by their exact sum.

        >>> ProbabilityVector.of_floats([0.25, 0.75])
        ProbabilityVector((1, 3), 4)
        """
        return cls.of_counts(map(rational_from_float, as_list(floats)))

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
    return vector if isinstance(vector, ProbabilityVector) else ProbabilityVector.of(vector)


def probability_vectors(vectors: Iterable[VectorLike], *, what: str = "vectors") -> list[ProbabilityVector]:
    """Return vectors of one length; raises `BadSamples`, naming `what` they are, for none at all and for others."""
    if not isinstance(vectors, Iterable):
        raise BadSamples(vectors, f"{what} must be a collection of probability vectors")
    result = [probability_vector(vector) for vector in vectors]
    check_same_length(result, what=what)
    return result


def check_same_length(vectors: Sequence[ProbabilityVector], *, what: str = "vectors") -> None:
    """Raise `BadSamples` unless there are vectors, all with the same number of labels."""
    lengths = sorted({len(vector) for vector in vectors})
    if not lengths:
        raise BadSamples(0, f"{what} must have at least one vector")
    if len(lengths) > 1:
        raise BadSamples(lengths, f"{what} must have the same number of labels in each row")


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

    def to_document(self) -> list[ProbabilityVector]:
        """Return the vectors as a JSON document."""
        return list(self)

    def __repr__(self) -> str:
        return f"<{len(self)} probability vectors of {self.labels} labels>"


Vectors: TypeAlias = "VectorTable | Iterable[VectorLike]"
"""A data set of probability vectors."""


def vectors_from_counts(rows: Iterable[Iterable[Any]]) -> VectorTable | list[ProbabilityVector]:
    """Return the shares of rows of counts; an array of integers stays an array.

    >>> vectors_from_counts([[4, 1, 1], [3, 3, 0]])
    [ProbabilityVector((4, 1, 1), 6), ProbabilityVector((1, 1, 0), 2)]

    Raises `BadSamples` for a negative count, a row of zeros, one label, or anything but a table.
    """
    array = _as_table(rows)
    if array is not None and array.dtype.kind == "f":
        raise FloatRefused(str(array.dtype), "counts must be whole numbers", "use vectors_from_floats")
    # Sums of a row, as whole numbers or as doubles, are exact only below 2^53.
    if (
        array is not None
        and array.dtype.kind in "iu"
        and int(array.max(initial=0)) * array.shape[1] < 1 << 53
    ):
        return _checked(array.astype("int64"))
    return [ProbabilityVector.of_counts(row) for row in (rows if array is None else array.tolist())]


def vectors_from_floats(rows: Iterable[Iterable[Any]]) -> VectorTable | list[ProbabilityVector]:
    """Return rows of floats by their binary values, each divided by the exact sum of its row.

    >>> vectors_from_floats([[0.25, 0.75]])
    [ProbabilityVector((1, 3), 4)]

    Raises `BadNumber` for nan and infinities, `BadSamples` for a negative number, a row of zeros and one label.
    """
    array = _as_table(rows)
    if array is None or array.dtype.kind != "f" or array.dtype.itemsize > 8:
        given = rows if array is None else array.tolist()
        return [ProbabilityVector.of_floats(row) for row in given]
    import numpy

    array = array.astype(numpy.float64)
    finite = numpy.isfinite(array).all(axis=1)
    if not finite.all():
        row = int(finite.argmin())
        raise BadNumber(array[row].tolist(), f"row {row + 1} must be finite", "drop these samples")
    return _checked(array)


def table_of_decimals(columns: Sequence[Multiples], *, normalise: bool = False) -> VectorTable:
    """Return the rows of columns of decimals, a column for each label; each row sums to 1, or is divided by its sum.

    Raises `BadSamples` for a negative number, and for a row that sums to 0, or, unless normalised, not to 1.
    """
    import numpy

    unit = min(column.unit for column in columns)
    factors = [int(column.unit / unit) for column in columns]
    whole = [[n * factor for n in column.units] for column, factor in zip(columns, factors, strict=True)]
    fits = max(map(max, whole)) * len(columns) < 1 << 62  # sums of rows must not overflow
    table = numpy.array(whole, dtype=numpy.int64 if fits else object).T
    if not normalise:
        sums = table.sum(axis=1)
        wrong = sums * int(unit.numerator) != int(unit.denominator)
        if wrong.any():
            row = int(wrong.argmax())
            raise BadSamples(int(sums[row]) * unit, f"row {row + 1} of probabilities must sum to 1")
    return _checked(table.copy())


def joint_vectors(source: Vectors, target: Vectors, *of_source: Any) -> tuple[Any, Any]:
    """Return source and target as two tables, or as two lists, with the same number of labels.

    An array or a frame of floats is taken by its binary values over their exact sums. Raises `BadSamples` for a row
    whose sum is not within 1/1000 of 1, no vectors, other numbers of labels, and a source column with another index.
    """
    refuse_other_index(source, *of_source)
    result: list[Any] = []
    for vectors, what in ((source, "source"), (target, "target")):
        taken = _float_table(vectors)
        result.append(taken if isinstance(taken, VectorTable) else probability_vectors(taken, what=what))
    check_same_length([result[0][0], result[1][0]], what="source and target")
    if not all(isinstance(vectors, VectorTable) for vectors in result):
        result = [list(vectors) for vectors in result]
    return result[0], result[1]


def _float_table(vectors: Any) -> Any:
    array = None if isinstance(vectors, VectorTable) else _as_table(vectors)
    if array is None or array.dtype.kind != "f":
        return vectors
    table = vectors_from_floats(array)
    for row, total in enumerate(array.sum(axis=1).tolist(), start=1):
        if abs(1000 * rational_from_float(total) - 1000) > 1:
            raise BadSamples(array[row - 1].tolist(), f"row {row} must sum to 1", "use vectors_from_floats")
    return table


def _checked(array: Array) -> VectorTable:
    if array.shape[1] < 2 or not len(array):
        raise BadSamples(array.shape, "a table must have at least one row and two columns")
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
        raise BadSamples(array.shape, "a table must have a row for each vector and a column for each label")
    return array


# -- files --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The vectors of a file, the names of their labels, and the place of each true label if the file has them."""

    names: tuple[str, ...]
    vectors: tuple[ProbabilityVector, ...] | VectorTable
    labels: tuple[int, ...] | None


def read_vectors(
    source: Source,
    *,
    truth: str | None = None,
    normalise: bool = False,
    delimiter: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VectorFile:
    r"""Return the vectors of a CSV with a header: all columns but `truth` are labels, their cells probabilities.

    >>> import io
    >>> file = read_vectors(io.StringIO("cat,dog,truth\n0.9,0.1,cat\n1/3,2/3,cat\n"), truth="truth")
    >>> file.names, file.labels, file.vectors[0]
    (('cat', 'dog'), (0, 0), ProbabilityVector((9, 1), 10))

    A decimal means the decimal, exactly, and each row sums to 1; with `normalise` it is divided by its sum. A file
    without the column `truth` has no true labels. `progress` is called with the number of rows read since the last
    call. Raises `BadDecisions` for what cannot be read.
    """
    with open_table(source, delimiter=delimiter) as table:
        places = {name: place for place, name in enumerate(table.columns)}
        names = tuple(name for name in places if name != truth)
        if len(names) < 2:
            raise BadDecisions(table.columns, "a file of vectors must have columns of two labels or more")
        columns = read_columns(table, places, set(names), progress)
    labels = None
    if truth in places:
        for row, name in enumerate(columns[truth], start=1):
            if name not in names:
                raise BadDecisions(name, f"row {row} must have one of {', '.join(names)}", column=truth)
        labels = tuple(map(names.index, columns[truth]))
    return VectorFile(names, _vectors([columns[name] for name in names], normalise=normalise), labels)


def _vectors(columns: list[Any], *, normalise: bool) -> tuple[ProbabilityVector, ...] | VectorTable:
    if not len(columns[0]):
        raise BadDecisions("", "the file must have at least one vector")
    row = 0
    try:
        if all(isinstance(column, Multiples) for column in columns):
            return table_of_decimals(columns, normalise=normalise)
        make, result = ProbabilityVector.of_counts if normalise else ProbabilityVector.of, []
        for row, numbers in enumerate(zip(*columns, strict=True), start=1):  # noqa: B007  (the row of an error)
            result.append(make(numbers))
        return tuple(result)
    except BadSamples as error:
        rule = f"row {row}: {error.rule}" if row else error.rule
        raise BadDecisions(error.given, rule, "normalise the rows, or correct this one") from None
