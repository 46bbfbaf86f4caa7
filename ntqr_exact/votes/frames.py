"""Counting decisions in data frames: the frame's own engine groups and counts, through narwhals.

Eager frames (pandas, polars, pyarrow) and lazy ones (polars, dask, DuckDB, PySpark) take the same
path; only the distinct patterns with their counts ever come back to Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, overload

from ntqr_exact.errors import BadDecisions, MissingExtra
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counted_rows import (
    choose_columns,
    labeled_votes_from_tally,
    partial_votes_from_tally,
    votes_from_tally,
)
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels


@overload
def count_frame(
    frame: Any,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: None = None,
) -> VoteCounts: ...
@overload
def count_frame(
    frame: Any, *, judges: Sequence[str] | None = None, labels: Iterable[str] | None = None, truth: str
) -> LabeledVoteCounts: ...
@checked
def count_frame(
    frame: Any,
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a frame with a row for each question and a column for each judge.

    `judges` names the columns to count (all but the truth unless named), `truth` the column of the
    answer key, `labels` the labels (those that occur, sorted, unless named). Columns hold texts,
    categories, whole numbers or truth values; the latter two are taken by their texts, "1" or "True".

    Raises `BadDecisions` for a column of floats, a missing value, or what is no frame.
    """
    columns, known, tally = _tally(frame, judges, labels, truth)
    if truth is None:
        return votes_from_tally(tally, labels=known, judges=columns)
    return labeled_votes_from_tally(tally, labels=known, judges=columns[:-1])


def count_partial_frame(
    frame: Any, *, truth: str, judges: Sequence[str] | None = None, labels: Iterable[str] | None = None
) -> tuple[VoteCounts, LabeledVoteCounts]:
    """Return all votes in a frame, and those of the questions whose value in the column `truth` is not missing.

    A missing value is null, or an empty text. Everything else is as `count_frame` has it.
    """
    columns, known, tally = _tally(frame, judges, labels, truth, may_be_missing=truth)
    return partial_votes_from_tally(tally, labels=known, judges=columns[:-1])


def _tally(
    frame: Any,
    judges: Sequence[str] | None,
    labels: Iterable[str] | None,
    truth: str | None,
    *,
    may_be_missing: str | None = None,
) -> tuple[list[str], tuple[str, ...] | None, dict[tuple[str, ...], int]]:
    try:
        import narwhals as nw
    except ImportError:
        raise MissingExtra(
            "narwhals", "frames are counted through narwhals", "pip install 'ntqr-exact[frames]'"
        ) from None
    known = None if labels is None else check_labels(labels)
    try:
        wrapped = nw.from_native(frame)
        schema = wrapped.collect_schema()
    except TypeError:
        raise BadDecisions(type(frame).__name__, "this is not a frame that narwhals knows") from None
    except nw.exceptions.DuplicateError:
        raise BadDecisions(list(frame.columns), "a column is named twice") from None
    for name in schema.names():
        if not isinstance(name, str):
            raise BadDecisions(name, f"the name of a column is a text, not {type(name).__name__}")
    columns = choose_columns(list(schema.names()), judges, truth)
    for column in columns:
        if schema[column].is_float() or schema[column].is_decimal():
            raise BadDecisions(
                str(schema[column]),
                "a label is not a fraction; a whole number beside missing values becomes a float, too",
                "make it a column of texts",
                column=column,
            )
    count_name = "count" + "_" * max(len(column) for column in columns)  # longer than any column
    counted = wrapped.select(columns).group_by(columns).agg(nw.len().alias(count_name))
    result = counted.collect() if isinstance(counted, nw.LazyFrame) else counted
    tally: dict[tuple[str, ...], int] = {}
    for *cells, count in result.select([*columns, count_name]).iter_rows():
        pattern = tuple(
            "" if column == may_be_missing and _is_missing(cell) else _label(cell, column)
            for cell, column in zip(cells, columns, strict=True)
        )
        tally[pattern] = tally.get(pattern, 0) + int(count)
    return columns, known, tally


def _label(cell: object, column: str) -> str:
    if isinstance(cell, (str, int)):  # bool is an int
        if cell == "":
            raise BadDecisions(cell, "this cell is empty", column=column)
        return str(cell)
    if getattr(getattr(cell, "dtype", None), "kind", None) in ("b", "i", "u"):
        return str(cell)  # a scalar of numpy, which nullable columns of pandas hold
    if _is_missing(cell):
        raise BadDecisions(None, "a value is missing", "fill it, or drop the question", column=column)
    raise BadDecisions(cell, f"a label is a text, not {type(cell).__name__}", column=column)


def _is_missing(cell: object) -> bool:
    # A missing value is None, or differs from itself, as nan and NaT do; pandas.NA does neither.
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell == "" or bool(cell != cell)  # noqa: PLR0124
