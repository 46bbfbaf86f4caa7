"""The forms of inputs and expected values: a short notation in data, and the JSON Schemas that it stands for.

A form is written as a name, a word in quotes, or alternatives with bars between them: "rational | 'infinite'". A list
[form] has items of this form, [form, 3] exactly three of them. A table is a record of named forms, of which those with
a question mark may be absent, and "..." puts in all parts of a shared record; or it is {form, means}, which explains a
form, {any-of}, the choice among several, or {each-value}, an object with any keys.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, TypeAlias

Fragment: TypeAlias = dict[str, Any]
"""A JSON Schema."""

TEXT: Fragment = {"type": "string"}
TRUTH: Fragment = {"type": "boolean"}
NULL: Fragment = {"type": "null"}
COUNT: Fragment = {"type": "integer", "minimum": 0}
"""A plain small count; what may grow large is written as a text, `WHOLE`."""
WHOLE: Fragment = {"type": "string", "pattern": "^-?(0|[1-9][0-9]*)$"}
"""A whole number of any size, as a text."""
RATIONAL: Fragment = {"type": "string", "pattern": "^-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?$"}
"""A rational number in lowest terms, as a text."""
_SURD_PARTS = {"rational": RATIONAL, "coefficient": RATIONAL, "radicand": WHOLE}
SURD: Fragment = {
    "type": "object",
    "properties": _SURD_PARTS,
    "required": list(_SURD_PARTS),
    "additionalProperties": False,
}
"""An irrational number a + b√d; where d is negative, √d is i√(−d)."""
NUMBER: Fragment = {"anyOf": [RATIONAL, SURD]}
INTEGER: Fragment = {"type": "integer"}
NUMBER_INPUT: Fragment = {"anyOf": [INTEGER, TEXT]}
"""A number as it may be given: a JSON integer, or a text like 3/8, 0.375 or 4e-7."""
_NAMED: dict[str, Fragment] = {
    "text": TEXT,
    "truth": TRUTH,
    "null": NULL,
    "integer": INTEGER,
    "count": COUNT,
    "whole": WHOLE,
    "rational": RATIONAL,
    "surd": SURD,
    "number": NUMBER,
    "given": NUMBER_INPUT,
    "anything": {},
}


def name_of(schema: Fragment) -> str | None:
    """Return the name of a form, if it has one.

    >>> name_of({"type": "string", "description": "a word"})
    'text'
    """
    plain = {key: value for key, value in schema.items() if key != "description"}
    return next((name for name, known in _NAMED.items() if known == plain), None)


def form(given: Any) -> Fragment:
    """Return the JSON Schema of a form.

    >>> form(["rational | 'none'", 2])["items"]["anyOf"][1]
    {'enum': ['none']}
    """
    match given:
        case str():
            return _choice(given.split(" | "))
        case [items, *length]:
            exactly = dict.fromkeys(("minItems", "maxItems"), *length) if length else {}
            return {"type": "array", "items": form(items), **exactly}
        case {"form": inner, "means": words}:
            return {**form(inner), "description": words}
        case {"any-of": parts}:
            return {"anyOf": [form(part) for part in parts]}
        case {"each-value": inner}:
            return {"type": "object", "additionalProperties": form(inner)}
    named: dict[str, Any] = {}
    for name, part in given.items():
        named |= _shared()[part] if name.startswith("...") else {name: part}
    return {
        "type": "object",
        "properties": {name.removesuffix("?"): form(part) for name, part in named.items()},
        "required": [name for name in named if not name.endswith("?")],
        "additionalProperties": False,
    }


def _choice(names: list[str]) -> Fragment:
    """Return the schema of one of some names and words; words that stand together are one list of words."""
    found: list[Fragment] = []
    for are_words, some in groupby(names, key=lambda name: name.startswith("'")):
        if are_words:
            found.append({"enum": [word.strip("'") for word in some]})
        else:
            found += [_NAMED[name] if name in _NAMED else form(_shared()[name]) for name in some]
    return found[0] if len(found) == 1 else {"anyOf": found}


@cache
def _shared() -> dict[str, Any]:
    return tomllib.loads((files("ntqr_exact.vectors") / "forms.toml").read_text(encoding="utf-8"))
