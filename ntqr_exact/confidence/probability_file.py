r"""Probability vectors in a CSV: a row for each vector, a column for each label, perhaps one for the true label.

>>> import io
>>> file = read_vectors(io.StringIO("cat,dog,truth\n0.9,0.1,cat\n1/3,2/3,cat\n"), truth="truth")
>>> file.names, file.labels, file.vectors[0]
(('cat', 'dog'), (0, 0), ProbabilityVector((9, 1), 10))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.errors import BadDecisions, BadNumber, BadSamples
from ntqr_exact.exact.rational import rational
from ntqr_exact.votes.tables import Source, open_table

_BLOCK = 8192


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The vectors of a file, the names of their labels, and the place of each true label if the file has them."""

    names: tuple[str, ...]
    vectors: tuple[ProbabilityVector, ...]
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
    A file without the column `truth` has no true labels. `progress` is called with a number of rows whenever so
    many more have been read. Raises `BadDecisions`, with line and column, for what cannot be read.
    """
    with open_table(source, delimiter=delimiter) as table:
        at = table.columns.index(truth) if truth in table.columns else None
        names = tuple(name for place, name in enumerate(table.columns) if place != at)
        if len(names) < 2:
            raise BadDecisions(
                table.columns, "a file of vectors must have a column for each of two labels or more"
            )
        places = {name: place for place, name in enumerate(names)}
        make = ProbabilityVector.of_weights if normalise else ProbabilityVector.of
        vectors, labels = [], []
        for count, (line, cells) in enumerate(table.rows(), start=1):
            row = list(cells)
            if at is not None:
                name = row.pop(at).strip()
                if name not in places:
                    raise BadDecisions(name, f"the labels are {', '.join(names)}", line=line, column=truth)
                labels.append(places[name])
            vectors.append(_vector(row, names, make, line))
            if progress is not None and count % _BLOCK == 0:
                progress(_BLOCK)
    if not vectors:
        raise BadDecisions("", "there are no vectors in this file")
    return VectorFile(names, tuple(vectors), None if at is None else tuple(labels))


def _vector(
    row: list[str], names: tuple[str, ...], make: Callable[..., ProbabilityVector], line: int | None
) -> ProbabilityVector:
    numbers = []
    for name, cell in zip(names, row, strict=True):
        try:
            numbers.append(rational(cell))
        except BadNumber as error:
            remedy = "is this the column of the true label? then name it as the truth"
            raise BadDecisions(cell, error.rule, remedy, line=line, column=name) from None
    try:
        return make(numbers)
    except BadSamples as error:
        remedy = "correct it" if min(numbers) < 0 else "normalise the rows, or correct this one"
        raise BadDecisions(row, error.rule, remedy, line=line) from None
