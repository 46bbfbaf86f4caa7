"""Counting decisions in data frames: the frame's own engine groups and counts, through narwhals.

Eager frames (pandas, polars, pyarrow) and lazy ones (polars, dask, DuckDB, PySpark) take the same
path; only the distinct patterns with their counts ever come back to Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypedDict, Unpack, overload

from ntqr_exact.errors import BadDecisions, MissingExtra, module_of_extra
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.decision_rows import Batch
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.tally import tally


class _Options(TypedDict, total=False):
    judges: Sequence[str] | None
    labels: Iterable[str] | None
    missing: str | None


@overload
def count_frame(frame: Any, *, truth: None = None, **options: Unpack[_Options]) -> VoteCounts: ...
@overload
def count_frame(frame: Any, *, truth: str, **options: Unpack[_Options]) -> LabeledVoteCounts: ...
@checked
def count_frame(
    frame: Any,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
    missing: str | None = None,
) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a frame with a row for each question and a column for each judge.

    `judges` names the columns to count (all but the truth unless named), `truth` the column of the
    answer key, `labels` the labels (those that occur, sorted, unless named). Columns hold texts,
    categories, whole numbers or truth values; the latter two are taken by their texts, "1" or "True".

    `missing` is "drop", which leaves questions with a missing answer out, or "label:NAME", which makes it an answer;
    without it they are refused. A missing answer is null, nan, or an empty text.

    Raises `BadDecisions`, with the column, for floats, missing values and what is no frame.
    """
    return tally(FrameRows(frame), judges=judges, labels=labels, truth=truth, missing=missing).votes()


class FrameRows:
    """The rows of a frame, which its engine counts: one batch of distinct patterns."""

    def __init__(self, frame: Any) -> None:
        """Look at the names of the columns."""
        nw = _narwhals()
        try:
            self._frame = nw.from_native(frame)
            self._schema = self._frame.collect_schema()
        except TypeError:
            raise BadDecisions(type(frame).__name__, "this is not a frame that narwhals knows") from None
        except nw.exceptions.DuplicateError:
            names = list(frame.columns)
            twice = next(name for name in names if names.count(name) > 1)
            raise BadDecisions(twice, "this column is named twice", "rename one of them") from None
        self.columns: list[str] = list(self._schema.names())
        for name in self.columns:
            if not isinstance(name, str):
                raise BadDecisions(name, f"the name of a column is a text, not {type(name).__name__}")

    def keep(self) -> None:
        """A frame can be gone through as often as one likes."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Yield the distinct patterns with their counts."""
        nw = _narwhals()
        for column in columns:
            if self._schema[column].is_float() or self._schema[column].is_decimal():
                raise BadDecisions(
                    str(self._schema[column]),
                    "a label is not a fraction; a whole number beside missing values becomes a float, too",
                    "make it a column of whole numbers that may be missing (pandas: Int64), or of texts",
                    column=column,
                )
        count_name = "count" + "_" * max(len(column) for column in columns)  # longer than any column
        grouped = self._frame.select(columns).group_by(columns).agg(nw.len().alias(count_name))
        result = grouped.collect() if isinstance(grouped, nw.LazyFrame) else grouped
        counts: Counter[tuple[str, ...]] = Counter()
        for *cells, count in result.select([*columns, count_name]).iter_rows():
            counts[tuple(map(_label, cells, columns))] += int(count)
        # Engines group in an order of their own, on some of them another in each run.
        yield Batch(dict(sorted(counts.items())), counts.total(), lambda *_: None)


def parquet_rows(path: str) -> FrameRows:
    """Return the rows of a parquet file, read by whichever engine is installed.

    Raises `MissingExtra` without one, `BadDecisions` for a file that is no parquet.
    """
    nw = _narwhals()
    for engine in ("polars", "pyarrow", "pandas", "duckdb"):
        try:
            return FrameRows(nw.scan_parquet(path, backend=engine))
        except ImportError:
            continue
        except (OSError, ValueError) as error:
            raise BadDecisions(path, f"the file cannot be read as parquet: {error}") from None
    rule = "a parquet file is read by polars, pyarrow, pandas or duckdb"
    raise MissingExtra(path, rule, "pip install one of them")


def _narwhals() -> Any:
    return module_of_extra("narwhals", "frames are counted through narwhals", "frames")


def _label(cell: object, column: str) -> str:
    """Return a value as a label, "" where it is missing."""
    if isinstance(cell, (str, int)):  # bool is an int
        return str(cell)
    if getattr(getattr(cell, "dtype", None), "kind", None) in ("b", "i", "u"):
        return str(cell)  # a scalar of numpy, which nullable columns of pandas hold
    if _is_missing(cell):
        return ""
    raise BadDecisions(cell, f"a label is a text, not {type(cell).__name__}", column=column)


def _is_missing(cell: object) -> bool:
    # A missing value is None, or differs from itself, as nan and NaT do; pandas.NA does neither.
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or bool(cell != cell)  # noqa: PLR0124
