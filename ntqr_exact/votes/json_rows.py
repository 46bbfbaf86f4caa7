r"""Rows in JSON: an object for each question, one on a line or all in a list.

An object inside an object gives columns with a dot: `{"votes": {"ada": "yes"}}` has the column `votes.ada`.

>>> JsonRows(enumerate(['{"ada": "yes", "bo": null}\n'], start=1)).columns
('ada', 'bo')
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from ntqr_exact.errors import BadDecisions
from ntqr_exact.votes.decision_rows import Batch

_BATCH = 256


class JsonRows:
    """The objects on numbered lines; the columns are the names in the first of them, in order."""

    def __init__(self, lines: Iterable[tuple[int | None, str | Mapping[str, Any]]]) -> None:
        """Look at the first objects."""
        self._objects = ((line, _columns(item, line)) for line, item in lines if item != "")
        self._first = list(islice(self._objects, _BATCH))
        self.columns = tuple(dict.fromkeys(name for _, row in self._first for name in row))
        if not self.columns:
            raise BadDecisions("", "a file of JSON lines has an object for each question", line=1)

    def keep(self) -> None:
        """Keep all objects, so that they can be gone through more than once."""
        self._first.extend(self._objects)

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Yield the texts of some columns; a name that an object lacks, and null, are missing answers."""
        objects = chain(self._first, self._objects)
        everything = set(self.columns) <= set(columns)
        while batch := list(islice(objects, _BATCH)):
            rows = []
            for line, row in batch:
                if everything and (new := [name for name in row if name not in self.columns]):
                    raise BadDecisions(new[0], "the first questions have no answer of this name", line=line)
                rows.append(tuple(_text(row.get(column), line, column) for column in columns))
            yield _batch(rows, [line for line, _ in batch], columns)


def _batch(rows: list[tuple[str, ...]], lines: list[int | None], columns: Sequence[str]) -> Batch:
    def line_of(column: str, cell: str) -> int | None:
        place = columns.index(column)
        return next(line for row, line in zip(rows, lines, strict=True) if row[place] == cell)

    return Batch(rows, len(rows), line_of)


def _columns(item: str | Mapping[str, Any], line: int | None) -> dict[str, Any]:
    """Return an object's values by their names, those of objects inside it after a dot."""
    value: Any = item
    if isinstance(item, str):
        try:
            value = json.loads(item, object_pairs_hook=lambda pairs: each_once(pairs, line), parse_int=str)
        except (json.JSONDecodeError, RecursionError) as error:
            raise BadDecisions(item.strip(), f"not JSON: {error}", line=line) from None
    if not isinstance(value, Mapping):
        raise BadDecisions(value, "a question is an object with the answer of each judge", line=line)
    return each_once(_flat(value, ""), line)


def _flat(value: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    for name, part in value.items():
        if isinstance(part, Mapping):
            yield from _flat(part, f"{before}{name}.")
        else:
            yield before + name, part


def each_once(pairs: Iterable[tuple[str, Any]], line: int | None = None) -> dict[str, Any]:
    """Return an object by its names; raises `BadDecisions` for a name that is given twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise BadDecisions(name, "this name is given twice in one object", line=line)
        found[name] = value
    return found


def _text(value: Any, line: int | None, column: str) -> str:
    """Return a value as a label: a text, a whole number or a truth value as JSON writes it, "" for null."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            remedy = "write it as a text"
            raise BadDecisions(value, "a label is not a fraction", remedy, line=line, column=column)
    kind = type(value).__name__
    raise BadDecisions(value, f"a label is a text, not a {kind}", "name the judges", line=line, column=column)
