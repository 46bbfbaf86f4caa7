r"""Scored samples in a CSV: a row for each sample, columns for its label, its score and more.

>>> import io
>>> samples = read_scores(io.StringIO("y,s\n1,0.9\n0,0.9\n1,0.1\n"), label="y", score="s")
>>> samples.scores, samples.classes
([mpq(9,10), mpq(9,10), mpq(1,10)], ('0', '1'))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.csv_cells import CellBlock, Decimals, cell_blocks, decimal_cells, named_cells
from ntqr_exact.columns.inputs import Classes
from ntqr_exact.errors import BadDecisions, BadNumber
from ntqr_exact.exact.rational import rational
from ntqr_exact.votes.table import Table
from ntqr_exact.votes.tables import Source, TextTable, open_table

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
    source: Source,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    stratum: str | None = None,
    positive: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    progress: Callable[[int], None] | None = None,
) -> ScoredSamples:
    """Return the scored samples of a CSV with a header; a decimal means the decimal, exactly.

    `positive` names the positive label; without it the labels must be such as 0 and 1, or false and true.
    `progress` is called with the number of rows that were read since the last call.
    Raises `BadDecisions`, with line and column, for what cannot be read.
    """
    with open_table(source, delimiter=delimiter, header=header) as table:
        names = {name: table.column(name) for name in (label, score, weight, stratum) if name is not None}
        if len(set(names.values())) < len(names):
            raise BadDecisions(list(names), "the columns must be different")
        places = {name: table.columns.index(column) for name, column in names.items()}
        columns = read_columns(
            table, places, {name for name in (score, weight) if name is not None}, progress
        )
    return ScoredSamples(
        columns[label],
        columns[score],
        columns[weight] if weight is not None else [],
        columns[stratum] if stratum is not None else [],
        _classes(columns[label], positive, label),
    )


def read_columns(
    table: Table, places: dict[str, int], numbers: set[str], progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Return columns of a table by name: texts, or exact numbers for those in `numbers`."""
    pieces = list(_pieces(table, places, numbers, progress))
    columns: dict[str, Any] = {}
    for name in places:
        parts = [piece[name] for piece in pieces]
        decimals = bool(parts) and all(isinstance(part, Decimals) for part in parts)
        columns[name] = Decimals.joined(parts) if decimals else list(chain.from_iterable(parts))
    return columns


def _pieces(
    table: Table, places: dict[str, int], numbers: set[str], progress: Callable[[int], None] | None
) -> Iterator[dict[str, Any]]:
    """Yield the columns piece by piece: a large file by its bytes, where its rows are plain; else row by row."""
    if isinstance(table, TextTable) and table.is_large and table.delimiter.isascii() and find_spec("numpy"):
        line = table.after_header()
        for block in cell_blocks(table.read, table.delimiter, len(table.columns)):
            if isinstance(block, bytes):
                yield _row_by_row(table.rows_in(block, line, and_rest=True), places, numbers, progress)
                return
            cells = _at_once(block, places, numbers)
            if cells is None:
                rows = table.rows_in(block.data, line, and_rest=False)
                cells = _row_by_row(rows, places, numbers, None)
            yield cells
            line += block.data.count(b"\n")
            if progress is not None:
                progress(len(next(iter(cells.values()))))
        return
    yield _row_by_row(table.rows(), places, numbers, progress)


def _row_by_row(
    rows: Iterable[tuple[int | None, Sequence[str]]],
    places: dict[str, int],
    numbers: set[str],
    progress: Callable[[int], None] | None,
) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {name: [] for name in places}
    for count, (line, row) in enumerate(rows, start=1):
        if progress is not None and count % _BLOCK == 0:
            progress(_BLOCK)
        for name, place in places.items():
            read = _number if name in numbers else _text
            found[name].append(read(row[place], line, name))
    return found


def _at_once(block: CellBlock, places: dict[str, int], numbers: set[str]) -> dict[str, Any] | None:
    """Return the columns of a block, or nothing if a cell has to be read alone."""
    found: dict[str, Any] = {}
    for name, place in places.items():
        cells = (block.text, block.starts[:, place], block.ends[:, place])
        column: Any = decimal_cells(*cells) if name in numbers else named_cells(*cells)
        if column is None or (name not in numbers and not all(map(_is_plain, set(column)))):
            return None
        found[name] = column
    return found


def _is_plain(name: str) -> bool:
    return bool(name) and '"' not in name


def _classes(labels: list[str], positive: str | None, column: str) -> Classes:
    names = sorted(set(labels))
    if not names:
        raise BadDecisions("", "the file must have at least one sample", column=column)
    if len(names) > 2:
        raise BadDecisions(names[:5], f"the column must have two labels, not {len(names)}", column=column)
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


def _number(cell: str, line: int | None, column: str) -> mpq:
    try:
        return rational(cell)
    except BadNumber as error:
        raise BadDecisions(cell, error.rule, error.remedy, line=line, column=column) from None


def _text(cell: str, line: int | None, column: str) -> str:
    if not cell.strip():
        raise BadDecisions(cell, "this cell is empty", line=line, column=column)
    return cell.strip()
