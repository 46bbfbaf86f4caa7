"""Pieces of JSON Schema from which a family describes its inputs and expected values.

>>> record(rate=RATIONAL, questions=COUNT)["required"]
['rate', 'questions']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Fragment: TypeAlias = dict[str, Any]
"""A JSON Schema, of the keywords that `ntqr_exact.vectors.schema` knows."""

TEXT: Fragment = {"type": "string"}
TRUTH: Fragment = {"type": "boolean"}
NULL: Fragment = {"type": "null"}
COUNT: Fragment = {"type": "integer", "minimum": 0}
"""A plain small count; what may grow large is written as a text, `WHOLE`."""
WHOLE: Fragment = {"type": "string", "pattern": "^-?(0|[1-9][0-9]*)$"}
"""A whole number of any size, as a text."""
RATIONAL: Fragment = {"type": "string", "pattern": "^-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?$"}
"""A rational number in lowest terms, as a text."""
SURD: Fragment = {
    "type": "object",
    "properties": {"rational": RATIONAL, "coefficient": RATIONAL, "radicand": WHOLE},
    "required": ["rational", "coefficient", "radicand"],
    "additionalProperties": False,
}
"""An irrational number a + b√d; where d is negative, √d is i√(−d)."""
NUMBER: Fragment = {"anyOf": [RATIONAL, SURD]}


def record(
    parts: Mapping[str, Fragment] | None = None, /, *, optional: tuple[str, ...] = (), **more: Fragment
) -> Fragment:
    """Return the schema of an object with exactly these keys, some of which may be absent."""
    properties = {**(parts or {}), **more}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def mapping(values: Fragment) -> Fragment:
    """Return the schema of an object with any keys, whose values are all of one form."""
    return {"type": "object", "additionalProperties": values}


def list_of(items: Fragment, *, exactly: int | None = None) -> Fragment:
    """Return the schema of a list, perhaps of a fixed length."""
    length = {} if exactly is None else {"minItems": exactly, "maxItems": exactly}
    return {"type": "array", "items": items, **length}


def one_of(*texts: str) -> Fragment:
    """Return the schema of a text that is one of some."""
    return {"enum": list(texts)}


def either(*fragments: Fragment) -> Fragment:
    """Return the schema of what has one of several forms."""
    return {"anyOf": list(fragments)}


def described(fragment: Fragment, description: str) -> Fragment:
    """Return the same schema with a sentence that says what it stands for."""
    return {**fragment, "description": description}


NUMBER_INPUT: Fragment = either({"type": "integer"}, TEXT)
"""A number as it may be given: a JSON integer, or a text like 3/8, 0.375 or 4e-7."""
