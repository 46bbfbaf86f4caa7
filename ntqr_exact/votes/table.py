"""`Table`: rows of texts under named columns, and the forms that are in memory: JSON, YAML, frames, Parquet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, repeat
from operator import itemgetter
from typing import IO, Any, TypeAlias

from ntqr_exact.errors import BadDecisions, BadDocument, MissingExtra, listed, module_of_extra
from ntqr_exact.exact.json_text import read_json

Cells: TypeAlias = tuple[str, ...]

SAMPLE_ROWS = 1000
"""Rows by which a header and the kinds of columns are recognised."""

_BLOCK = 200
"""Rows at a time: fewer than the objects (700) whose creation makes Python look for garbage in the whole process."""

_MAX_ITEMS = 16
"""A list with more items is one value, not a column for each item."""


_WHOLE_NUMBER = re.compile(r"\A(-?[0-9]+)\.0+\Z")


@dataclass(frozen=True, slots=True)
class Document:
    """A value of JSON that is not a table: votes, nested answers, or the log of a harness."""

    value: Any
    name: str


class Table(AbstractContextManager["Table"]):
    """Rows of texts under named columns, "" where a value is missing; a context manager that closes the file."""

    columns: Cells
    has_header = True

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if there is one."""

    def rows(self) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows one by one, with the line on which each begins; a subclass has `rows` or `select`."""
        return self.select(self.columns)

    def sample(self) -> list[Cells]:
        """Return the first rows."""
        return [row for _, row in islice(self.rows(), SAMPLE_ROWS)]

    def select(self, columns: Sequence[str]) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows with the cells of some columns."""
        index = [self.columns.index(column) for column in columns]
        pick: Callable[[Any], Cells] = itemgetter(*index) if len(index) > 1 else lambda row: (row[index[0]],)
        return ((line, pick(row)) for line, row in self.rows())

    def batches(self, columns: Sequence[str]) -> Iterator[list[Cells] | Counter[Cells]]:
        """Iterate over the cells of some columns in blocks of rows, or counted; counting them is left to C."""
        rows = self.select(columns)
        while block := [cells for _, cells in islice(rows, _BLOCK)]:
            yield block

    def column(self, name: str) -> str:
        """Return the column with this name, or at this position counted from 1; raises `BadDecisions`."""
        for column in (name, *self.columns):
            if column in self.columns and column.strip() == name.strip():
                return column
        if name.isascii() and name.isdigit() and 1 <= int(name) <= len(self.columns):
            return self.columns[int(name) - 1]
        raise BadDecisions(name, f"a column must be one of {listed(self.columns)}")


@dataclass(slots=True)
class Rows(Table):
    """Rows in memory; `objects` are the values of JSON from which they were made."""

    cells: Sequence[Cells]
    columns: Cells
    lines: Sequence[int | None] = ()
    objects: Sequence[Mapping[str, Any]] = ()
    name: str = ""

    def rows(self) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows one by one."""
        return zip(self.lines or repeat(None), self.cells, strict=False)


# -- JSON and YAML ------------------------------------------------------------------------------------------


def json_source(raw: bytes, name: str) -> Table | Document:
    """Return the table in a JSON text, or the document that it is."""
    text = raw.decode("utf-8-sig")
    first, more, _ = text.strip().partition("\n")
    if not has_ending(name, ".jsonl", ".ndjson") and not (more and re.fullmatch(r"\{.*\}\s*", first)):
        return _value_source(read_values(text), name)
    values: dict[int | None, Any] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            values |= {number: read_values(line)} if line.strip() else {}
        except BadDocument as error:
            raise BadDecisions(line.strip(), f"line must be an object; {error.rule}", line=number) from None
    return object_rows([*values.values()], name, [*values])


def yaml_source(raw: bytes, name: str) -> Table | Document:
    """Return what a YAML file holds, all scalars as they are written."""
    yaml = module_of_extra("yaml", "YAML is read by PyYAML", "files")
    try:
        return _value_source(yaml.load(raw, getattr(yaml, "CBaseLoader", yaml.BaseLoader)), name)
    except (yaml.YAMLError, RecursionError) as error:
        raise BadDocument(name, f"file must be YAML: {error}".partition("\n")[0]) from None


def has_ending(name: str, *endings: str) -> bool:
    """Whether the name of a file, perhaps packed, has one of these endings."""
    return name.lower().removesuffix(".gz").endswith(endings)


def _value_source(value: Any, name: str) -> Table | Document:
    is_rows = isinstance(value, list) and value and all(isinstance(item, dict) for item in value)
    return object_rows(value, name) if is_rows else Document(value, name)


def object_rows(objects: Sequence[Any], name: str, lines: Sequence[int | None] = ()) -> Rows:
    """Return objects as rows: a column for each name, `votes.ada` for a name in an object, `answers.1` in a list."""
    for line, item in zip(lines or repeat(None), objects, strict=False):
        if not isinstance(item, Mapping):
            raise BadDecisions(item, "each row must be an object", line=line)
    flat = [dict(_flat(item, "")) for item in objects]
    columns = tuple(dict.fromkeys(column for row in flat for column in row))
    if not columns:
        raise BadDecisions(name, "file must have an object with answers", line=1)
    cells = [tuple([row.get(column, "") for column in columns]) for row in flat]
    return Rows(cells, columns, lines, objects, name)


def _flat(value: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, part in value.items():
        items = part
        if isinstance(part, list) and 0 < len(part) <= _MAX_ITEMS:
            items = {str(number): item for number, item in enumerate(part, start=1)}
        if isinstance(items, Mapping):
            yield from _flat(items, f"{before}{name}.")
        else:
            yield before + name, json_cell(part)


def json_cell(cell: Any) -> str:
    """Return a value of JSON as the text that it is in a table."""
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def whole_text(cell: str) -> str:
    """Return a cell without outer spaces, a whole number without its ".0": programs add it next to missing values."""
    return _WHOLE_NUMBER.sub(r"\1", cell.strip())


def read_values(text: str) -> Any:
    """Return JSON with numbers as they are written; a name that occurs twice in one object is refused."""
    return read_json(text, parse_int=str, parse_float=str, parse_constant=lambda _: None)


# -- frames -------------------------------------------------------------------------------------------------


class FrameTable(Table):
    """A frame of pandas, polars, pyarrow, dask, DuckDB or PySpark; its own engine groups and counts."""

    def __init__(self, frame: Any) -> None:
        nw = _narwhals()
        try:
            self._frame = nw.from_native(frame)
            self.columns = tuple(self._frame.collect_schema().names())
        except TypeError:
            rule = "source must be a path, a stream of text or a frame"
            raise BadDecisions(type(frame).__name__, rule) from None
        except nw.exceptions.DuplicateError:
            raise BadDecisions(listed(frame.columns), "columns must have different names") from None
        if not all(isinstance(name, str) for name in self.columns):
            raise BadDecisions(listed(self.columns), "the name of a column must be a str")

    def sample(self) -> list[Cells]:
        """Return the first rows."""
        return [*self._texts(self._frame.head(SAMPLE_ROWS), self.columns)]

    def batches(self, columns: Sequence[str]) -> Iterator[Counter[Cells]]:
        """Return the distinct rows with their counts, sorted: engines group in an order of their own."""
        nw = _narwhals()
        number = "count" + "_" * max(len(column) for column in columns)  # longer than any column
        grouped = self._frame.select(columns).group_by(list(columns)).agg(nw.len().alias(number))
        counts: Counter[Cells] = Counter()
        for *cells, count in self._texts(grouped, [*columns, number]):
            counts[tuple(cells)] += int(count)
        yield Counter(dict(sorted(counts.items())))

    def select(self, columns: Sequence[str]) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows with the cells of some columns."""
        return ((None, row) for row in self._texts(self._frame, columns))

    def _texts(self, frame: Any, columns: Sequence[str]) -> Iterator[Cells]:
        whole = frame.select(columns).lazy().collect()
        return (tuple(map(_frame_text, row, columns)) for row in whole.iter_rows())


def parquet_table(name: str, source: str | IO[bytes]) -> FrameTable:
    """Return a Parquet file, read by an engine that is installed."""
    scan = _narwhals().scan_parquet
    for engine in ("polars", "pyarrow", "pandas", "duckdb"):
        try:
            return FrameTable(scan(source, backend=engine))
        except ImportError:
            continue
        except Exception as error:  # each engine has errors of its own
            raise BadDecisions(name, f"file must be Parquet: {error}") from None
    raise MissingExtra(name, "Parquet is read by polars, pyarrow, pandas or duckdb", "pip install polars")


def _narwhals() -> Any:
    return module_of_extra("narwhals", "frames are counted through narwhals", "frames")


def _frame_text(cell: Any, column: str) -> str:
    """Return a value as text, "" where it is missing."""
    if isinstance(cell, str):
        return str(cell)
    cell = cell.item() if getattr(cell, "shape", None) == () else cell  # of numpy
    if cell is None or str(cell) in ("nan", "NaN", "NaT", "<NA>"):
        return ""
    if not isinstance(cell, (int, float, Decimal)):
        raise BadDecisions(cell, "a cell must be a text or a number", column=column)
    # Whole numbers become floats next to missing values.
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
