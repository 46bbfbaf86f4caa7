"""Tables in JSON: a list of objects, an object on each line, or an object of columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ntqr_exact.errors import BadDecisions, BadDocument
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.votes.table import SAMPLE_ROWS, Batch, Cells, Document, Table

_MAX_ITEMS = 16
"""A list with more items is one value, not a column for each item."""


class JsonTable(Table):
    """Objects in JSON: a column for each name, `votes.ada` for a name in an object, `answers.1` in a list."""

    def __init__(self, objects: Iterable[tuple[int | None, Any]], name: str) -> None:
        self.name = name
        self.objects = list(objects)
        for line, item in self.objects:
            if not isinstance(item, Mapping):
                raise BadDecisions(item, "each line or item must be an object", line=line)
        self._flat = [(line, dict(_flat(item, ""))) for line, item in self.objects]
        self.columns = tuple(dict.fromkeys(name for _, row in self._flat for name in row))
        if not self.columns:
            raise BadDecisions(name, "file must have an object with answers", line=1)

    def sample(self) -> Sequence[Cells]:
        """Return the first rows."""
        return [row for _, row in islice(self.rows(), SAMPLE_ROWS)]

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Return all rows in one batch; a name that an object lacks is a missing value."""
        rows = [tuple([_text(row.get(name), line, name) for name in columns]) for line, row in self._flat]

        def line_of(column: int, cell: str) -> int | None:
            return next(line for row, (line, _) in zip(rows, self._flat, strict=True) if row[column] == cell)

        yield Batch(rows, len(rows), line_of)

    def rows(self) -> Iterator[tuple[int | None, Cells]]:
        """Iterate over all rows one by one."""
        for line, row in self._flat:
            yield line, tuple(_text(row.get(name), line, name) for name in self.columns)


def json_table(raw: bytes, name: str) -> Table | Document:
    """Return the table in a JSON text, or the document that it is."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadDocument(name, "file must be UTF-8 text", "save it as UTF-8") from None
    if name.lower().removesuffix(".gz").endswith((".jsonl", ".ndjson")):
        return JsonTable(_json_lines(text), name)
    try:
        value = read_values(text)
    except json.JSONDecodeError:
        first, _, rest = text.strip().partition("\n")
        if rest and first.strip().endswith("}"):
            return JsonTable(_json_lines(text), name)
        read_json(text)  # it says what is wrong
        raise
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return JsonTable(((None, item) for item in value), name)
    if isinstance(value, dict) and _is_columns(value):
        rows = zip(*value.values(), strict=True)
        return JsonTable(((None, dict(zip(value, row, strict=True))) for row in rows), name)
    return Document(value, name)


def _is_columns(value: dict[str, Any]) -> bool:
    """Whether an object has a list of cells for each column, as pandas writes it."""
    lists = [item for item in value.values() if isinstance(item, list)]
    cells = [cell for item in lists for cell in item]
    return (
        0 < len(lists) == len(value)
        and len({*map(len, lists)}) == 1
        and not any(isinstance(cell, (dict, list)) for cell in cells)
    )


def _json_lines(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, read_values(line, number)
            except json.JSONDecodeError as error:
                raise BadDecisions(line.strip(), f"line must be JSON: {error}", line=number) from None


def read_values(text: str, line: int | None = None) -> Any:
    """Return JSON with numbers as they are written; a name that occurs twice in one object is refused."""

    def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
            raise BadDecisions(twice, "this name is given twice in one object", line=line)
        return found

    try:
        return json.loads(
            text, object_pairs_hook=each_once, parse_int=str, parse_float=str, parse_constant=lambda _: None
        )
    except RecursionError:
        raise BadDocument(text[:30], "JSON must not be nested so deeply") from None


def _flat(value: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    for name, part in value.items():
        if isinstance(part, Mapping):
            yield from _flat(part, f"{before}{name}.")
        elif isinstance(part, list) and 0 < len(part) <= _MAX_ITEMS:
            items = {str(number): item for number, item in enumerate(part, start=1)}
            yield from _flat(items, f"{before}{name}.")
        else:
            yield before + name, part


def _text(value: Any, line: int | None, column: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    rule = f"a cell must be a text or a number, not a {type(value).__name__}"
    raise BadDecisions(value, rule, "name the judges (--judges)", line=line, column=column)
