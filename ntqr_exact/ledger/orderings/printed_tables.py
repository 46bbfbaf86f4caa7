"""The printed tables of Maaz et al. 2023, read from the package's data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.exact.rational import rational

DATASETS: Mapping[str, str] = MappingProxyType(
    {"Emotion": "table-1", "TweetEval": "table-3", "Banking77": "table-4"}
)
"""Each data set, and the table that has all its results."""

LABELS: Mapping[str, int] = MappingProxyType({"Emotion": 6, "TweetEval": 20, "Banking77": 77})
"""How many labels each data set is said to have."""

METHODS = ("ATC-JS", "ATC-L1", "ATC-L2", "ATC-L2n", "ATC-Max", "ATC-NE", "DoC")
ATC = METHODS[:-1]
RUNS = 1000

_CELL = re.compile(r"(\*?)(\d+\.\d\d) \[(\d+\.\d\d), (\d+\.\d\d)\]")


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean absolute error in percentage points, with the ends of its interval."""

    mean: mpq
    low: mpq
    high: mpq
    bold: bool

    def __str__(self) -> str:
        """Return the cell as it is printed."""
        return f"{_two(self.mean)} [{_two(self.low)}, {_two(self.high)}]"


def _two(number: mpq) -> str:
    hundredths = number * 100
    return f"{int(hundredths) // 100}.{int(hundredths) % 100:02d}"


@dataclass(frozen=True, slots=True)
class Row:
    """One dimension of a table."""

    dimension: int
    cells: Mapping[str, Cell]


def read_row(text: str) -> Row:
    """Return a row printed as `3 | *1.28 [0.00, 3.07] | …`; raise `BadDocument` for another form."""
    first, *rest = text.split(" | ")
    matches = [_CELL.fullmatch(cell) for cell in rest]
    if not first.isdigit() or len(rest) != len(METHODS) or not all(matches):
        raise BadDocument(text, "a row is a dimension and seven cells, mean [low, high]")
    cells = {}
    for method, match in zip(METHODS, matches, strict=True):
        if match is not None:
            star, mean, low, high = match.groups()
            cells[method] = Cell(rational(mean), rational(low), rational(high), bool(star))
    return Row(int(first), MappingProxyType(cells))


@cache
def document() -> Mapping[str, Any]:
    """Return the data file."""
    path = files("ntqr_exact.data.ledger").joinpath("orderings_tables.json")
    return MappingProxyType(read_json(path.read_text(encoding="utf-8")))


def printed_rows(table: str) -> list[str]:
    """Return the rows of a table, as printed."""
    return list(document()[table]["rows"])


@cache
def rows(dataset: str) -> Mapping[int, Row]:
    """Return the rows of a data set by dimension."""
    read = (read_row(text) for text in printed_rows(DATASETS[dataset]))
    return MappingProxyType({row.dimension: row for row in read})


@cache
def means(dataset: str) -> Mapping[tuple[int, str], mpq]:
    """Return the printed means of a data set by dimension and method."""
    return MappingProxyType(
        {
            (row.dimension, name): cell.mean
            for row in rows(dataset).values()
            for name, cell in row.cells.items()
        }
    )


def overall(dataset: str) -> dict[str, mpq]:
    """Return each method's mean over all dimensions.

    >>> overall("Emotion")["ATC-JS"]
    mpq(257,250)
    """
    table = means(dataset)
    return {
        method: sum((table[d, method] for d in rows(dataset)), mpq(0)) / len(rows(dataset))
        for method in METHODS
    }


def printed_wins(dataset: str) -> dict[str, str]:
    """Return the column of table 2 for a data set, as printed."""
    place = list(DATASETS).index(dataset)
    return {method: str(cells[place]) for method, cells in document()["table-2"].items()}
