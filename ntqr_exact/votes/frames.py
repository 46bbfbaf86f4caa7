"""Tables in frames of pandas, polars, pyarrow, dask, DuckDB or PySpark, through narwhals, and in Parquet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import IO, Any

from ntqr_exact.errors import BadDecisions, MissingExtra, module_of_extra
from ntqr_exact.votes.table import SAMPLE_ROWS, Batch, Cells, Table


class FrameTable(Table):
    """A frame; its own engine groups and counts, so that only distinct rows come back to Python."""

    def __init__(self, frame: Any) -> None:
        nw = _narwhals()
        try:
            self._frame = nw.from_native(frame)
            self.columns = tuple(self._frame.collect_schema().names())
        except TypeError:
            raise BadDecisions(
                type(frame).__name__, "source must be a path, a stream of text or a frame"
            ) from None
        except nw.exceptions.DuplicateError:
            names = list(frame.columns)
            twice = next(name for name in names if names.count(name) > 1)
            raise BadDecisions(twice, "columns must have different names", "rename one of them") from None
        for name in self.columns:
            if not isinstance(name, str):
                raise BadDecisions(name, f"the name of a column must be a str, not {type(name).__name__}")

    def sample(self) -> Sequence[Cells]:
        """Return the first rows."""
        return list(self._texts(self._frame.head(SAMPLE_ROWS)))

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Return the distinct rows with their counts, sorted: engines group in an order of their own."""
        nw = _narwhals()
        number = "count" + "_" * max(len(column) for column in columns)  # longer than any column
        grouped = self._frame.select(columns).group_by(list(columns)).agg(nw.len().alias(number))
        result = grouped.collect() if isinstance(grouped, nw.LazyFrame) else grouped
        counts: Counter[Cells] = Counter()
        for *cells, count in result.select([*columns, number]).iter_rows():
            counts[tuple(map(_frame_text, cells, columns))] += int(count)
        yield Batch(dict(sorted(counts.items())), counts.total())

    def rows(self) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows one by one."""
        return ((None, row) for row in self._texts(self._frame))

    def _texts(self, frame: Any) -> Iterator[Cells]:
        whole = frame.collect() if isinstance(frame, _narwhals().LazyFrame) else frame
        return (tuple(map(_frame_text, row, self.columns)) for row in whole.iter_rows())


def parquet_table(name: str, stream: IO[bytes] | None = None) -> FrameTable:
    """Return a Parquet file, read by whichever engine is installed; a stream is read by polars."""
    nw = _narwhals()
    try:
        if stream is not None:
            polars = module_of_extra("polars", "Parquet on standard input is read by polars", "frames")
            return FrameTable(polars.read_parquet(stream.read()))
        for engine in ("polars", "pyarrow", "pandas", "duckdb"):
            try:
                return FrameTable(nw.scan_parquet(name, backend=engine))
            except ImportError:
                continue
    except Exception as error:  # each engine has errors of its own
        raise BadDecisions(name, f"file must be Parquet: {error}") from None
    raise MissingExtra(
        name, "Parquet is read by polars, pyarrow, pandas or duckdb", "pip install one of them"
    )


def _narwhals() -> Any:
    return module_of_extra("narwhals", "frames are counted through narwhals", "frames")


def _frame_text(cell: object, column: str) -> str:
    """Return a value as text, "" where it is missing: None, nan, NaT or pandas.NA."""
    if isinstance(cell, (str, int)):  # bool is an int
        return str(cell)
    if cell is None or type(cell).__name__ in ("NAType", "NaTType") or bool(cell != cell):  # noqa: PLR0124
        return ""
    kind = getattr(getattr(cell, "dtype", None), "kind", "f" if isinstance(cell, float) else "")
    if kind in ("b", "i", "u"):
        return str(cell)  # a scalar of numpy
    if kind == "f":  # whole numbers become floats next to missing values
        number: Any = cell.item() if hasattr(cell, "item") else cell
        return str(int(number)) if number.is_integer() else repr(number)
    if type(cell).__name__ == "Decimal":
        return str(cell)
    raise BadDecisions(cell, f"a cell must be a text or a number, not {type(cell).__name__}", column=column)
