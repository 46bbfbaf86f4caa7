"""The published JSON Schema of a file of vectors, and what breaks a schema, found by jsonschema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

from ntqr_exact.errors import module_of_extra
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.vectors.fragments import Fragment

_LONGEST = 200


def schema_text() -> str:
    """Return the published JSON Schema (draft 2020-12) of a file of vectors."""
    return (files("ntqr_exact.vectors") / "schema.json").read_text(encoding="utf-8")


def file_schema() -> Fragment:
    """Return the published schema as a document."""
    schema: Fragment = read_json(schema_text())
    return schema


def validator(schema: Fragment) -> Callable[[Any], Iterator[str]]:
    """Return the function that yields where and how a document breaks a schema; nothing if it fits.

    Raises `MissingExtra` without jsonschema.

    >>> list(validator({"properties": {"n": {"minimum": 0}}})({"n": -1}))
    ['/n: -1 is less than the minimum of 0']
    """
    rule = "a set of vectors is checked against its schema with it"
    against = module_of_extra("jsonschema", rule, "vectors").Draft202012Validator(schema)

    def violations(document: Any) -> Iterator[str]:
        for error in against.iter_errors(document):
            place = "/".join(map(str, error.absolute_path))
            words = error.message
            yield f"/{place}: {words if len(words) <= _LONGEST else f'…{words[-_LONGEST:]}'}"

    return violations
