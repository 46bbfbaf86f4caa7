r"""Probability vectors in a CSV: a row for each vector, a column for each label, perhaps one for the true label.

>>> import io
>>> file = read_vectors(io.StringIO("cat,dog,truth\n0.9,0.1,cat\n1/3,2/3,cat\n"), truth="truth")
>>> file.names, file.labels, file.vectors[0]
(('cat', 'dog'), (0, 0), ProbabilityVector((9, 1), 10))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ntqr_exact.columns.whole_numbers import Multiples
from ntqr_exact.confidence.probability_vector import ProbabilityVector, VectorTable, table_of_decimals
from ntqr_exact.errors import BadDecisions, BadSamples
from ntqr_exact.metrics.score_file import read_columns
from ntqr_exact.votes.tables import Source, open_table


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
    """Return the vectors of a CSV with a header: all columns but `truth` are labels, their cells probabilities.

    A decimal means the decimal, exactly, and each row sums to 1; with `normalise` it is divided by its sum.
    A file without the column `truth` has no true labels. `progress` is called with a number of rows whenever this
    many more have been read. Raises `BadDecisions` for what cannot be read.
    """
    with open_table(source, delimiter=delimiter) as table:
        places = {name: place for place, name in enumerate(table.columns)}
        names = tuple(name for name in places if name != truth)
        if len(names) < 2:
            raise BadDecisions(table.columns, "a file of vectors must have columns of two labels or more")
        try:
            columns = read_columns(table, places, set(names), progress)
        except BadDecisions as error:
            remedy = "name the column of the true label as the truth" if truth not in places else error.remedy
            raise BadDecisions(
                error.given, error.rule, remedy, line=error.line, column=error.column
            ) from None
    labels = None
    if truth in places:
        place_of = {name: place for place, name in enumerate(names)}
        for row, name in enumerate(columns[truth], start=1):
            if name not in place_of:
                raise BadDecisions(name, f"row {row} must have one of {', '.join(names)}", column=truth)
        labels = tuple(place_of[name] for name in columns[truth])
    return VectorFile(names, _vectors([columns[name] for name in names], normalise=normalise), labels)


def _vectors(columns: list[Any], *, normalise: bool) -> tuple[ProbabilityVector, ...] | VectorTable:
    if not len(columns[0]):
        raise BadDecisions("", "the file must have at least one vector")
    row = 0
    try:
        if all(isinstance(column, Multiples) for column in columns):
            return table_of_decimals(columns, normalise=normalise)
        make, found = ProbabilityVector.of_weights if normalise else ProbabilityVector.of, []
        for row, numbers in enumerate(zip(*columns, strict=True), start=1):  # noqa: B007  (the row of an error)
            found.append(make(numbers))
        return tuple(found)
    except BadSamples as error:
        where = f"row {row}: " if row else ""
        raise BadDecisions(
            error.given, f"{where}{error.rule}", "normalise the rows, or correct this one"
        ) from None
