"""A validator for the part of JSON Schema that vectors use, and the published schema of their files.

It knows few keywords and refuses to pass over any other, so that nothing in a schema goes unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

from ntqr_exact.errors import BadDocument, shown
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.vectors.fragments import Fragment

_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_ANNOTATIONS = {"$schema", "$id", "$defs", "$comment", "title", "description"}


def schema_text() -> str:
    """Return the published JSON Schema (draft 2020-12) of a file of vectors."""
    return (files("ntqr_exact.vectors") / "schema.json").read_text(encoding="utf-8")


def file_schema() -> Fragment:
    """Return the published schema as a document."""
    schema: Fragment = read_json(schema_text())
    return schema


def violations(
    value: Any, schema: Fragment, *, root: Fragment | None = None, path: str = ""
) -> Iterator[str]:
    """Yield where and how a document breaks a schema; nothing if it fits.

    >>> list(violations({"n": -1}, {"properties": {"n": {"minimum": 0}}}))
    ['/n: -1 is below 0']
    """
    top = schema if root is None else root
    for keyword, wanted in schema.items():
        if keyword in _ANNOTATIONS:
            continue
        if keyword not in _CHECKS:
            raise BadDocument(keyword, "this keyword of JSON Schema is not known here")
        yield from _CHECKS[keyword](value, wanted, schema, top, path)


_Check = Callable[[Any, Any, Fragment, Fragment, str], Iterator[str]]


def _says(holds: Callable[[Any, Any], bool], words: str) -> _Check:
    """Return the check of a keyword that looks at the value alone."""

    def check(value: Any, wanted: Any, _schema: Fragment, _top: Fragment, path: str) -> Iterator[str]:
        if not holds(value, wanted):
            yield f"{path or '/'}: {shown(value)} {words} {shown(wanted)}"

    return check


def _properties(value: Any, wanted: Any, _: Fragment, top: Fragment, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in wanted.items():
            if name in value:
                yield from violations(value[name], part, root=top, path=f"{path}/{name}")


def _required(value: Any, wanted: Any, _schema: Fragment, _top: Fragment, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{path or '/'}: the key {name!r} is missing" for name in wanted if name not in value)


def _additional(value: Any, wanted: Any, schema: Fragment, top: Fragment, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name in value:
            if name not in schema.get("properties", {}):
                if wanted is False:
                    yield f"{path or '/'}: the key {shown(name)} is not known"
                elif isinstance(wanted, dict):
                    yield from violations(value[name], wanted, root=top, path=f"{path}/{name}")


def _items(value: Any, wanted: Any, _: Fragment, top: Fragment, path: str) -> Iterator[str]:
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from violations(item, wanted, root=top, path=f"{path}/{place}")


def _any_of(value: Any, wanted: Any, _: Fragment, top: Fragment, path: str) -> Iterator[str]:
    found = [list(violations(value, part, root=top, path=path)) for part in wanted]
    if all(found):
        yield (
            f"{path or '/'}: {shown(value)} has none of the {len(wanted)} forms; the nearest: "
            + min(found, key=len)[0]
        )


def _reference(value: Any, wanted: Any, _: Fragment, top: Fragment, path: str) -> Iterator[str]:
    yield from violations(value, top["$defs"][wanted.removeprefix("#/$defs/")], root=top, path=path)


def _same(value: Any, wanted: Any) -> bool:
    return type(value) is type(wanted) and bool(value == wanted)


_CHECKS: dict[str, _Check] = {
    "type": _says(lambda value, wanted: _TYPES[wanted](value), "is not of type"),
    "const": _says(_same, "is not"),
    "enum": _says(lambda value, wanted: any(_same(value, item) for item in wanted), "is not one of"),
    "pattern": _says(
        lambda value, wanted: not isinstance(value, str) or bool(re.search(wanted, value)),
        "does not have the form",
    ),
    "minimum": _says(lambda value, wanted: not _TYPES["integer"](value) or value >= wanted, "is below"),
    "minItems": _says(
        lambda value, wanted: not isinstance(value, list) or len(value) >= wanted, "is shorter than"
    ),
    "maxItems": _says(
        lambda value, wanted: not isinstance(value, list) or len(value) <= wanted, "is longer than"
    ),
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "items": _items,
    "anyOf": _any_of,
    "$ref": _reference,
}
