"""What a tally counts: rows with named columns, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows: the cells of the chosen columns, a missing one "", one by one or already counted."""

    patterns: Iterable[tuple[str, ...]] | Mapping[tuple[str, ...], int]
    rows: int
    line_of: Callable[[str, str], int | None]
    """The line of the first row of the batch with this cell in this column; `None` where there are no lines."""


class DecisionRows(Protocol):
    """Rows with named columns, a row for each question."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of all columns."""

    def keep(self) -> None:
        """Keep the rows, so that they can be gone through more than once."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Yield the rows in order, with the cells of some columns."""
