"""How a column of a user is taken: labels, exact numbers, and floats by their binary values.

A column is a list, an array, a series or a frame with one column; anything else is refused.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import Array, Multiples, fractions, power_multiples
from ntqr_exact.errors import BadNumber, BadSamples, NotANumber, listed
from ntqr_exact.exact.rational import rational, rational_from_float

_MANTISSA = 53


def as_array(values: Any, *, dimensions: int | None = 1) -> Array | None:
    """Return what holds an array of this many dimensions as one, if numpy is there; and `None` for lists and the like.

    Raises `BadSamples` for masked values, and for a frame of several columns in place of one.
    """
    if not hasattr(values, "__array__"):
        return None
    try:
        import numpy
    except ImportError:  # a series of another library: it is read as a list
        return None
    if getattr(values, "mask", None) is not None and numpy.ma.is_masked(values):
        row = int(numpy.nonzero(numpy.ma.getmaskarray(values))[0][0]) + 1
        raise BadSamples(values, f"a column must have no masked values (row {row})", "drop these samples")
    array = numpy.asarray(values)
    if dimensions == 1 and column_names(values) is not None and array.ndim == 2:
        if array.shape[1] != 1:
            raise BadSamples(array.shape, "a frame must have one column here", "name the column")
        array = array[:, 0]
    return array if dimensions in (None, array.ndim) else None


def column_names(values: Any) -> list[Any] | None:
    """Return the names of the columns of a frame (pandas, polars, arrow), and `None` for anything else."""
    names = getattr(values, "column_names", getattr(values, "columns", None))  # arrow has both
    return None if names is None else list(names)


def refuse_other_columns(frame: Any, names: Iterable[Any] | None) -> None:
    """Raise `BadSamples` for a frame whose columns do not have these names, in order."""
    columns = column_names(frame)
    if columns is not None and names is not None and [*map(str, columns)] != [*map(str, names)]:
        rule = f"the columns must be {listed(names)} in this order"
        raise BadSamples(columns, rule, "reorder the frame")


def as_list(values: Any) -> list[Any]:
    """Return a column as a list of Python objects; raises `BadSamples` for a dict, a set or a single value."""
    has_rows = any(hasattr(values, name) for name in ("tolist", "__iter__", "__array__"))
    if not has_rows or isinstance(values, Mapping | Set | bytes):
        kind = type(values).__name__
        raise BadSamples(values, f"a column must be a list, an array or a series, not {kind}")
    array = as_array(values) if column_names(values) is not None or hasattr(values, "mask") else None
    column = values if array is None else array
    convert = getattr(column, "tolist", None) or getattr(column, "to_pylist", None)  # numpy or arrow
    result = convert() if convert else list(column)
    if not isinstance(result, list):
        raise BadSamples(values, "a column must have a value for each sample")
    if not _NEVER_MISSING.issuperset(map(type, result)) and any(map(_is_missing, result)):
        index = next(index for index, value in enumerate(result) if _is_missing(value))
        raise BadSamples(
            result[index], f"row {index + 1} must be a value, and not missing", "drop these samples"
        )
    return result


_NEVER_MISSING = frozenset((bool, int, str, mpq))


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)  # noqa: PLR0124 (nan differs from itself)
    except (TypeError, ValueError):  # NA of pandas, an array in place of a value
        return True


def refuse_other_index(*columns: Any) -> None:
    """Raise `BadSamples` if two columns of pandas have different indices: their rows are not the same samples."""
    indices = [column.index for column in columns if hasattr(getattr(column, "index", None), "equals")]
    for other in indices[1:]:
        if not indices[0].equals(other):
            starts = list(indices[0][:3]), list(other[:3])
            remedy = "align them, or give .to_numpy() if the order is right"
            raise BadSamples(starts, "the columns must have the same index", remedy)


def refuse_other_length(**sizes: int) -> None:
    """Raise `BadSamples` unless all columns, given by name, have one length.

    >>> refuse_other_length(labels=2, scores=2)
    """
    if len(set(sizes.values())) > 1:
        counts = " and ".join(f"{size} {name}" for name, size in sizes.items())
        raise BadSamples(tuple(sizes.values()), f"the columns must have the same length, not {counts}")


# -- labels -------------------------------------------------------------------------------------

Classes: TypeAlias = tuple[Hashable, Hashable]
"""The negative and the positive label."""

BINARY: Classes = (False, True)
"""Labels as truth values; 0 and 1 are equal to them."""


def flags(labels: Iterable[Any], pos_label: Any = None) -> list[bool] | Array:
    """Return for each label whether it is the positive one; an array for an array of numbers.

    >>> flags([0, 1, True]), flags("aba", pos_label="b")
    ([False, True, True], [False, True, False])

    Labels are 0 and 1; with `pos_label`, the other label is whatever else occurs. Raises `BadSamples` for other labels.
    """
    array: Any = as_array(labels)
    is_numeric = array is not None and array.dtype.kind in "biuf"
    if pos_label is not None:
        values = label_list(labels)
        others = [label for label in dict.fromkeys(values) if label != pos_label]
        if len(others) > 1:
            raise BadSamples(others[:5], f"labels must be {pos_label!r} and one other")
        positive: Array = array == pos_label
        return positive if is_numeric else [label == pos_label for label in values]
    if is_numeric:
        positive, known = array == 1, (array == 0) | (array == 1)
        if not known.all():
            _refuse(as_list(array), known.tolist().index(False))
        return positive
    values, table = as_list(labels), {False: False, True: True}
    try:
        result: list[Any] = list(map(table.get, values))
    except TypeError:
        raise BadSamples(values, "labels must be single values") from None
    if None in result:
        _refuse(values, result.index(None))
    return result


def _refuse(labels: list[Any], index: int) -> None:
    rule = f"label {index + 1} must be 0 or 1"
    raise BadSamples(labels[index], rule, "name the positive label as pos_label=")


def label_list(values: Iterable[Any]) -> list[Any]:
    """Return labels that can be counted; raises `BadSamples` for one that is missing or not a single value."""
    result = as_list(values)
    try:
        set(result)
    except TypeError:
        raise BadSamples(result[:5], "labels must be single values") from None
    return result


def sorted_labels(labels: set[Any]) -> list[Any]:
    """Return different labels in their order; raises `BadSamples` for kinds that have no common one."""
    try:
        return sorted(labels)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in labels})
        rule = "labels must be of kinds with a common order"
        raise BadSamples(kinds, rule, "name them in order as labels=") from None


# -- floats by their binary values --------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FloatValues:
    """An array of finite floats by their binary values; they are only compared, never added."""

    values: Array

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[mpq]:
        import numpy

        mantissas, powers = binary_parts(self.values)
        plain = (mantissas >= 0) & (powers <= 0) & (powers > -63)
        result = fractions(mantissas * plain, 1 << -powers * plain)
        for place in numpy.flatnonzero(~plain).tolist():
            result[place] = rational_from_float(self.values[place])
        return iter(result)

    def to_document(self) -> list[mpq]:
        """Return the exact numbers as a JSON document."""
        return list(self)

    def __repr__(self) -> str:
        return f"<{len(self)} floats, by their binary values>"

    def multiples(self) -> Multiples:
        """Return the floats, none negative, as whole multiples of a power of two."""
        return power_multiples(*binary_parts(self.values), 2)


def binary_parts(floats: Array) -> tuple[Array, Array]:
    """Return whole m, odd or zero, and p, such that the floats are m·2^p."""
    import numpy

    # A float is m·2^(e−53) with a whole m below 2^53: frexp and ldexp only move the point.
    parts, exponents = numpy.frexp(floats)
    mantissas = numpy.ldexp(parts, _MANTISSA).astype(numpy.int64)
    # The lowest set bit of m is a power of two, whose exponent as a float is exact.
    lowest = numpy.frexp((mantissas & -mantissas).astype(numpy.float64))[1] - 1
    lowest[mantissas == 0] = 0
    mantissas >>= lowest
    return mantissas, (exponents - _MANTISSA + lowest).astype(numpy.int64)


def float_scores(floats: Iterable[Any]) -> FloatValues | list[mpq]:
    """Return floats as exact numbers, each its binary value; an array stays an array.

    >>> float_scores([0.5, 0.25])
    [mpq(1,2), mpq(1,4)]

    Raises `BadNumber` for nan and infinities, `NotANumber` for what is not a float.
    """
    array = as_array(floats)
    if array is not None and array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        import numpy

        finite = numpy.isfinite(array)
        if not finite.all():
            row = int(finite.argmin())
            raise BadNumber(array[row].item(), f"number {row + 1} must be finite", "drop these samples")
        # A shorter float is a float64, too; no value is changed.
        return FloatValues(array.astype(numpy.float64, copy=False))
    return [rational_from_float(value) for value in as_list(floats)]


def float_column(values: Any) -> Any:
    """Return a column of IEEE floats (numpy, pandas, polars, arrow) as `FloatValues`, and anything else as it is.

    A float in such a column is data whose binary value is exact. A lone float, or a list that a person typed, is not
    taken: there "0.1" may be meant. Raises `NotANumber` for dates, and for what has no order of samples.
    """
    if isinstance(values, (str, bytes, Set, Mapping)):
        raise NotANumber(values, "a column of numbers must be a list or an array")
    array = as_array(values)
    if array is None or array.dtype.kind not in "fmM":
        return values
    if array.dtype.kind != "f":
        raise NotANumber(
            array.dtype.name, "a column must hold numbers, not dates or time spans", "give numbers"
        )
    return float_scores(array)


def exact_column(values: Any) -> list[mpq]:
    """Return the numbers exactly.

    >>> exact_column(["0.5", 2])
    [mpq(1,2), mpq(2,1)]
    """
    taken = float_column(values)
    return list(taken) if isinstance(taken, FloatValues) else [rational(value) for value in as_list(taken)]
