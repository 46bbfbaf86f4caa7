"""Tables 1 to 4: what theory and captions say of the measured cells.

A measurement cannot be repeated from the text. What can be checked is that each mean lies in its interval, that
bold cells are the least ones, that on two labels all six scores agree (theorem 1), that ATC-L2 and ATC-L2n agree
in every row (theorem 2), and that table 2 counts what the other tables show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.judgement import (
    Finding,
    all_of,
    as_printed,
    counterexample,
    decided,
    not_checkable,
    possible,
)
from ntqr_exact.ledger.registry import printed
from ntqr_exact.ledger.registry import printed as printed_at

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
        mean, low, high = (fixed_text(number, 2) for number in self.numbers)
        return f"{mean} [{low}, {high}]"

    def latex(self) -> str:
        """Return the cell in LaTeX."""
        return self.text()

    @property
    def numbers(self) -> tuple[mpq, mpq, mpq]:
        """Mean, lower and upper end."""
        return self.mean, self.low, self.high


Row = Mapping[str, MeanError]


def _row_of(cells: tuple[MeanError, ...]) -> Row:
    """Return the seven cells of a row by method."""
    return dict(zip(METHODS, cells, strict=True))


@cache
def rows(dataset: str) -> Mapping[int, Row]:
    """Return the rows of a data set by dimension."""
    return {
        k: _row_of(tuple(map(MeanError.from_data, printed(f"orderings/{TABLES[dataset]}/k-{k}"))))
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


def _least_methods(row: Row) -> tuple[str, ...]:
    """Return the methods of least printed mean, all that tie."""
    least = min(cell.mean for cell in row.values())
    return tuple(method for method in METHODS if row[method].mean == least)


@cache
def winners(dataset: str) -> Mapping[int, tuple[str, ...]]:
    """Return the methods of least printed mean in each dimension, without that of two labels."""
    return {k: _least_methods(row) for k, row in rows(dataset).items() if k != 2}


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


Dataset = Literal["Emotion", "TweetEval", "Banking77"]
TWINS = frozenset({"ATC-L2", "ATC-L2n"})
STEP = mpq(1, 100)
_PLACES = ("mean", "lower end", "upper end")


def row(printed: tuple[MeanError, ...], *, k: str) -> Finding:
    """Check what a row can contradict: its seven intervals hold their means, inside [0, 100]."""
    cells = _row_of(printed)
    outside = [name for name, cell in cells.items() if not 0 <= cell.low <= cell.mean <= cell.high <= 100]
    if outside:
        return as_printed(
            False, f"k = {k}, {', '.join(outside)}: a mean outside its interval, or an error outside [0, 100]"
        )
    return not_checkable(
        "the models' probability vectors and the resamples", "each mean lies in its interval"
    )


def dimensions(printed: Mapping[str, int], *, dataset: Dataset) -> Finding:
    """Compare the printed range of dimensions and number of methods with the rows of the table."""
    found = list(rows(dataset))
    return as_printed(
        found == list(range(printed["first"], printed["last"] + 1)) and printed["methods"] == len(METHODS),
        f"rows for k = {found[0]} to {found[-1]} without a gap, each with {len(METHODS)} cells",
    )


def intervals(printed: mpq, *, dataset: Dataset) -> Finding:
    """Ask whether the brackets can be percentile intervals of the resampled errors: each holds its mean.

    They are far wider than an interval for the mean of 1000 runs: errors lie in [0, 100], so their variance is at most
    m(100 − m), and the half width of that at most z·√(m(100 − m)/999).
    """
    cells = [cell for row in rows(dataset).values() for cell in row.values()]
    wide = sum(
        max(cell.high - cell.mean, cell.mean - cell.low)
        > Surd.sqrt(mpq(49, 25) ** 2 * cell.mean * (100 - cell.mean) / (RUNS - 1))
        for cell in cells
    )
    # Of 1000 errors, 2.5 % lie beyond each end; a mean outside would need the rest to be far away.
    return possible(
        printed == 95 and all(cell.low <= cell.mean <= cell.high for cell in cells),
        f"all {len(cells)} means lie in their intervals, as in the middle {printed} % of {RUNS} resampled errors",
        f"{wide} of them are too wide to be intervals for the mean of {RUNS} runs",
    )


def two_labels(*, dataset: Dataset) -> Finding:
    """Compare the six cells of the row of two labels: theorem 1 makes them equal, with the same resamples."""
    cells = {name: rows(dataset)[2][name].text() for name in ATC}
    return decided(
        len(set(cells.values())) == 1, "all six scores: " + " or ".join(sorted(set(cells.values())))
    )


def apart(dataset: str) -> list[tuple[mpq, int, str]]:
    """Return how far ATC-L2 and ATC-L2n are apart, wherever they are, in the order of the rows."""
    return [
        (abs(one - other), k, place)
        for k, cells in rows(dataset).items()
        for one, other, place in zip(cells["ATC-L2"].numbers, cells["ATC-L2n"].numbers, _PLACES, strict=True)
        if one != other
    ]


def twins(*, dataset: Dataset) -> Finding:
    """Compare ATC-L2 with ATC-L2n in all rows: by theorem 2 they are equal."""
    return _within(dataset, mpq(0))


def twins_within(printed: mpq, *, dataset: Dataset) -> Finding:
    """Compare ATC-L2 with ATC-L2n in all rows: they are said to be within a bound."""
    return _within(dataset, printed)


def _within(dataset: Dataset, bound: mpq) -> Finding:
    """Judge both columns; numbers that are nearly equal may be printed one last digit apart, by rounding."""
    found = apart(dataset)
    beyond = [each for each in found if each[0] - STEP > bound]
    if beyond:
        where = ", ".join(f"k = {k} (by {fixed_text(size, 2)} in the {place})" for size, k, place in beyond)
        others = {k for _, k, _ in found} - {k for _, k, _ in beyond}
        return decided(
            False,
            f"no rounding explains the differences for {where}",
            f"in {len(others)} further rows the two differ by one unit of the last digit",
            right="two equal columns",
            arithmetic=True,
        )
    if found:
        rows_apart = ", ".join(sorted({str(k) for _, k, _ in found}, key=int))
        return possible(
            all(size <= STEP + bound for size, _, _ in found),
            f"they differ by one unit of the last digit for k = {rows_apart}, as a rounding may explain",
        )
    return decided(bound >= 0, f"all {3 * len(rows(dataset))} numbers of both columns are equal")


def bold(printed: Mapping[str, tuple[str, ...]]) -> Finding:
    """Compare the bold cells of table 1 with the least means."""
    least = {str(k): _least_methods(row) for k, row in rows("Emotion").items()}
    wrong = [k for k in least if tuple(f"ATC-{name}" for name in printed.get(k, ())) != least[k]]
    return as_printed(
        not wrong and set(printed) == set(least),
        "the bold cells are those of the least printed means, all that tie"
        if not wrong
        else f"for k = {', '.join(wrong)} the least means are those of {', '.join(least[wrong[0]])}",
    )


def doc_wider(printed: mpq, *, dataset: Dataset) -> Finding:
    """Compare the width of the interval of DoC with that of each score."""
    ratios = [
        ((cells["DoC"].high - cells["DoC"].low) / (cells[name].high - cells[name].low), k, name)
        for k, cells in rows(dataset).items()
        for name in ATC
    ]
    least, k, name = min(ratios)
    return decided(
        least > printed,
        f"the least of {len(ratios)} ratios of widths is {fixed_text(least, 2)}, at k = {k}, {name}",
    )


def overlap(*, dataset: Dataset) -> Finding:
    """Ask whether the six intervals of each dimension have a common point."""
    cases = (
        (f"k = {k}", max(cells[m].low for m in ATC) <= min(cells[m].high for m in ATC))
        for k, cells in rows(dataset).items()
    )
    return counterexample(cases, checked=f"dimensions of {dataset}: the six intervals have a common point")


# -- table 2 ------------------------------------------------------------------------------------------------------


def _name(dataset: str) -> str:
    return next(name for name in TABLES if name.lower() == dataset)


def _method(key: str) -> str:
    return next(name for name in METHODS if name.removeprefix("ATC-").lower() == key)


def won(printed: int, *, dataset: str, method: str) -> Finding:
    """Recount a cell of table 2 from the printed means; where means tie, those before rounding may not.

    By theorem 2 ATC-L2 and ATC-L2n tie everywhere, and a tie is a win for both: they have equal counts.
    """
    name, own = _name(dataset), _method(method)
    where = [k for k, methods in winners(name).items() if own in methods]
    alone = [k for k in where if winners(name)[k] == (own,)]
    shown = f" (k = {', '.join(map(str, where))})" if 0 < len(where) <= 12 else ""
    shared = len(where) - len(alone)
    text = f"{own} has the least printed mean in {len(where)} dimensions{shown}, and shares it in {shared}"
    if own in TWINS and (judged := _as_twins(name, own, printed)) is not None:
        return judged
    if printed == len(where):
        return decided(True, text)
    return possible(
        len(alone) <= printed <= len(where),
        text,
        f"if not all printed ties were ties before rounding, any number from {len(alone)} to {len(where)} can be",
    )


def _as_twins(dataset: str, own: str, count: int) -> Finding | None:
    """Return that two equal methods have unequal counts, `None` if the counts are equal."""
    (other,) = TWINS - {own}
    beside = printed_wins(dataset)[other]
    if count == beside:
        return None
    least = winners(dataset).values()
    sure = sum(set(methods) <= TWINS for methods in least)
    most = sum(bool(TWINS & set(methods)) for methods in least)
    return decided(
        False,
        "by theorem 2 ATC-L2 and ATC-L2n tie everywhere, and a tie is a win for both, so their counts are equal; "
        f"printed are {count} and {beside}",
        f"by the printed means the common count lies between {sure} and {most}",
        right=f"one number for both, {sure} to {most}",
        arithmetic=True,
    )


def total(printed: int, *, dataset: str) -> Finding:
    """Count the dimensions compared, without that of two labels."""
    number = len(winners(_name(dataset)))
    return as_printed(printed == number, f"k = 3 to {LABELS[_name(dataset)]}: {number} dimensions")


def column(*, dataset: str) -> Finding:
    """Ask whether some choice of winners among printed ties, ATC-L2 and ATC-L2n together, gives a whole column."""
    name = _name(dataset)
    wanted = tuple(printed_wins(name).values())
    reachable = {(0,) * len(METHODS)}
    for methods in winners(name).values():
        full = set(methods) | (set(TWINS) if TWINS & set(methods) else set())
        parts = [
            set(part)
            for size in range(1, len(full) + 1)
            for part in combinations(sorted(full), size)
            if set(part) >= TWINS or not TWINS & set(part)
        ]
        reachable = {
            tuple(count + (method in part) for count, method in zip(counts, METHODS, strict=True))
            for counts in reachable
            for part in parts
        }
    ours = tuple(wins(name).values())
    if wanted == ours:
        return decided(True, f"recounted from the printed means: {', '.join(map(str, ours))}")
    if wanted in reachable:
        return possible(
            True,
            f"recounted from the printed means: {', '.join(map(str, ours))}; {', '.join(map(str, wanted))} is one of "
            f"{len(reachable)} columns that are possible if not all printed ties were ties before rounding",
        )
    return decided(
        False,
        f"recounted from the printed means: {', '.join(map(str, ours))}; printed: {', '.join(map(str, wanted))}",
        f"none of the {len(reachable)} columns that the ties allow, ATC-L2 and ATC-L2n being equal, is the printed one",
        right="equal counts for ATC-L2 and ATC-L2n",
        arithmetic=True,
    )


def sums() -> Finding:
    """Compare the sum of each column with its total: ties only make it larger."""
    parts = {}
    for dataset in TABLES:
        counts = printed_wins(dataset)
        number = int(printed_at(f"orderings/table-2/{dataset.lower()}/total"))
        parts[dataset] = as_printed(
            sum(counts.values()) >= number,
            f"{dataset}: the counts sum to {sum(counts.values())} for {number} dimensions",
        )
    return all_of(parts)
