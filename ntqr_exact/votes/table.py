"""`Table`: rows of texts under named columns, whatever they were read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from ntqr_exact.errors import BadDecisions, listed

Cells: TypeAlias = tuple[str, ...]

SAMPLE_ROWS = 1000
"""Rows by which a header and the kinds of columns are recognised."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows with the cells of the requested columns, one by one or already counted."""

    rows: Iterable[Cells] | Mapping[Cells, int]
    size: int
    line_of: Callable[[int, str], int | None] = lambda *_: None
    """The line of the first row with this cell in the requested column of this index; None without lines."""

    def each(self) -> Iterator[Cells]:
        """Iterate over all rows, a counted one as often as it was seen."""
        return Counter(self.rows).elements() if isinstance(self.rows, Mapping) else iter(self.rows)


class Table:
    """Rows of texts under named columns, "" where a value is missing; a context manager that closes the file."""

    columns: Cells = ()
    has_header = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if there is one."""

    def keep(self) -> None:
        """Keep all rows, so that they can be read more than once."""

    def sample(self) -> Sequence[Cells]:
        """Return the first rows."""
        raise NotImplementedError

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Iterate over all rows in batches, with the cells of some columns."""
        raise NotImplementedError

    def rows(self) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows one by one, with the line on which each begins."""
        raise NotImplementedError

    def column(self, name: str) -> str:
        """Return the column with this name, or at this position counted from 1; raises `BadDecisions`."""
        for column in (name, *self.columns):
            if column in self.columns and column.strip() == name.strip():
                return column
        if name.isascii() and name.isdigit() and 1 <= int(name) <= len(self.columns):
            return self.columns[int(name) - 1]
        raise BadDecisions(name, f"there is no such column; the columns are {listed(self.columns)}")


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON value that is not a table: votes, nested answers, or the log of a harness."""

    value: Any
    name: str
