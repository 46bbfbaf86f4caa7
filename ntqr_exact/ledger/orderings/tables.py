"""The printed tables of Maaz et al. 2023: mean absolute errors with intervals, and how often each method wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.registry import printed

TABLES = {"Emotion": "table-1", "TweetEval": "table-3", "Banking77": "table-4"}
"""Each data set, and the table that has all its results."""

LABELS = {"Emotion": 6, "TweetEval": 20, "Banking77": 77}
"""How many labels each data set is said to have."""

METHODS = ("ATC-JS", "ATC-L1", "ATC-L2", "ATC-L2n", "ATC-Max", "ATC-NE", "DoC")
ATC = METHODS[:-1]
RUNS = 1000


@dataclass(frozen=True, slots=True)
class MeanError:
    """A mean absolute error in percentage points, with the ends of its interval."""

    mean: mpq
    low: mpq
    high: mpq

    @classmethod
    def from_data(cls, value: list[str]) -> MeanError:
        """Return the cell of three numbers."""
        if len(value) != 3:
            raise BadDocument(value, "a cell is a mean and two ends")
        return cls(*map(rational, value))

    def text(self) -> str:
        """Return the cell as it is printed."""
        return f"{_two(self.mean)} [{_two(self.low)}, {_two(self.high)}]"

    def latex(self) -> str:
        """Return the cell in LaTeX."""
        return self.text()

    @property
    def numbers(self) -> tuple[mpq, mpq, mpq]:
        """Mean, lower and upper end."""
        return self.mean, self.low, self.high


def _two(number: mpq) -> str:
    hundredths = int(number * 100)
    return f"{hundredths // 100}.{hundredths % 100:02d}"


Row = Mapping[str, MeanError]


def row_of(cells: tuple[MeanError, ...]) -> Row:
    """Return the seven cells of a row by method."""
    return dict(zip(METHODS, cells, strict=True))


@cache
def rows(dataset: str) -> Mapping[int, Row]:
    """Return the rows of a data set by dimension."""
    return {
        k: row_of(tuple(map(MeanError.from_data, printed(f"orderings/{TABLES[dataset]}/k-{k}"))))
        for k in range(2, LABELS[dataset] + 1)
    }


@cache
def overall(dataset: str) -> Mapping[str, mpq]:
    """Return each method's mean over all dimensions.

    >>> overall("Emotion")["ATC-JS"]
    mpq(257,250)
    """
    table = rows(dataset)
    return {
        method: sum((row[method].mean for row in table.values()), mpq(0)) / len(table) for method in METHODS
    }


def least_methods(row: Row) -> tuple[str, ...]:
    """Return the methods of least printed mean, all that tie."""
    least = min(cell.mean for cell in row.values())
    return tuple(method for method in METHODS if row[method].mean == least)


@cache
def winners(dataset: str) -> Mapping[int, tuple[str, ...]]:
    """Return the methods of least printed mean in each dimension, without that of two labels."""
    return {k: least_methods(row) for k, row in rows(dataset).items() if k != 2}


def wins(dataset: str) -> dict[str, int]:
    """Return in how many dimensions each method has the least printed mean, ties counted for all.

    >>> wins("Emotion")["ATC-JS"]
    3
    """
    return {method: sum(method in each for each in winners(dataset).values()) for method in METHODS}


def printed_wins(dataset: str) -> dict[str, int]:
    """Return the column of table 2 for a data set, as printed."""
    keys = {method: method.removeprefix("ATC-").lower() for method in METHODS}
    return {
        method: int(printed(f"orderings/table-2/{dataset.lower()}/{key}")) for method, key in keys.items()
    }
