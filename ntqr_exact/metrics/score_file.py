r"""Scored samples in a CSV: a row for each sample, columns for its label, its score and more.

>>> import io
>>> samples = read_scores(io.StringIO("y,s\n1,0.9\n0,0.9\n1,0.1\n"), label="y", score="s")
>>> samples.scores, samples.classes
([mpq(9,10), mpq(9,10), mpq(1,10)], ('0', '1'))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.csv_blocks import CellBlock, Rows, opened_table
from ntqr_exact.columns.decimals import Decimals, decimal_cells, named_cells
from ntqr_exact.csv_rows import CsvSource
from ntqr_exact.errors import BadDecisions, BadNumber
from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.classes import Classes

_BLOCK = 8192
_NEGATIVE_AND_POSITIVE = (("0", "1"), ("false", "true"), ("no", "yes"), ("negative", "positive"), ("-1", "1"))


@dataclass(frozen=True, slots=True)
class ScoredSamples:
    """The columns of a file of scored samples; weights and strata are empty where none were asked for."""

    labels: list[str]
    scores: list[mpq] | Decimals
    weights: list[mpq] | Decimals
    strata: list[str]
    classes: Classes


def read_scores(
    source: CsvSource,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    stratum: str | None = None,
    positive: str | None = None,
    delimiter: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> ScoredSamples:
    """Return the scored samples of a CSV with a header; a decimal means the decimal, exactly.

    `positive` names the positive label; without it the labels must be such as 0 and 1, or false and true.
    `progress` is called with the number of rows that were read since the last call.
    Raises `BadDecisions`, with line and column, for what cannot be read.
    """
    named = [name for name in (label, score, weight, stratum) if name is not None]
    if len(set(named)) < len(named):
        raise BadDecisions(named, "one column cannot be two things")
    numbers = {name for name in (score, weight) if name is not None}
    found: dict[str, list[Any]] = {name: [] for name in named}
    with opened_table(source, delimiter) as table:
        places = {name: _place(table.header, name) for name in named}
        for block in table.blocks:
            cells = _at_once(block, places, numbers) if isinstance(block, CellBlock) else None
            if cells is None:
                cells = _row_by_row(iter(block), len(table.header), places, numbers, progress)
            elif progress is not None:
                progress(len(cells[label]))
            for name, column in cells.items():
                found[name].append(column)
    columns = {name: _joined(pieces) for name, pieces in found.items()}
    return ScoredSamples(
        columns[label],
        columns[score],
        columns[weight] if weight is not None else [],
        columns[stratum] if stratum is not None else [],
        _classes(columns[label], positive, label),
    )


def _row_by_row(
    rows: Rows, width: int, places: dict[str, int], numbers: set[str], progress: Callable[[int], None] | None
) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {name: [] for name in places}
    for count, (line, row) in enumerate(rows, start=1):
        if progress is not None and count % _BLOCK == 0:
            progress(_BLOCK)
        if len(row) != width:
            raise BadDecisions(row, f"this row has {len(row)} cells for {width} columns", line=line)
        for name, place in places.items():
            read = _number if name in numbers else _text
            found[name].append(read(row[place], line, name))
    return found


def _at_once(block: CellBlock, places: dict[str, int], numbers: set[str]) -> dict[str, Any] | None:
    """Return the columns of a block, or nothing if a cell has to be looked at by itself."""
    found: dict[str, Any] = {}
    for name, place in places.items():
        cells = (block.text, block.starts[:, place], block.ends[:, place])
        if name in numbers:
            found[name] = decimal_cells(*cells)
        elif (coded := named_cells(*cells)) is not None and all(map(_is_plain, coded[1])):
            found[name] = list(map(coded[1].__getitem__, coded[0].tolist()))
        if found.get(name) is None:
            return None
    return found


def _is_plain(name: str) -> bool:
    return bool(name) and '"' not in name


def _joined(pieces: list[Any]) -> Any:
    """Return one column: decimals if all pieces are, else a list."""
    if pieces and all(isinstance(piece, Decimals) for piece in pieces):
        return Decimals.joined(pieces)
    return list(chain.from_iterable(pieces))


def _classes(labels: list[str], positive: str | None, column: str) -> Classes:
    names = sorted(set(labels))
    if not names:
        raise BadDecisions("", "there are no samples in this file", column=column)
    if len(names) > 2:
        raise BadDecisions(names[:5], f"two labels are needed, and here are {len(names)}", column=column)
    if positive is not None:
        if positive not in names:
            raise BadDecisions(positive, f"the labels are {', '.join(map(repr, names))}", column=column)
        others = [name for name in names if name != positive]
        return (others[0] if others else f"not {positive}", positive)
    for pair in _NEGATIVE_AND_POSITIVE:
        if set(map(str.lower, names)) <= set(pair):
            by_word = {name.lower(): name for name in names}
            return (by_word.get(pair[0], pair[0]), by_word.get(pair[1], pair[1]))
    raise BadDecisions(
        names, "which of these labels is the positive one?", "name it as the positive label", column=column
    )


def _place(header: list[str], name: str) -> int:
    if header.count(name) != 1:
        problem = "is named twice" if name in header else "is missing"
        raise BadDecisions(name, f"this column {problem}; the columns are {', '.join(header)}", line=1)
    return header.index(name)


def _number(cell: str, line: int, column: str) -> mpq:
    try:
        return rational(cell)
    except BadNumber as error:
        raise BadDecisions(cell, error.rule, error.remedy, line=line, column=column) from None


def _text(cell: str, line: int, column: str) -> str:
    if not cell.strip():
        raise BadDecisions(cell, "this cell is empty", line=line, column=column)
    return cell.strip()
