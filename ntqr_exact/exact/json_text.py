"""Exact JSON: numbers as texts and objects, documents read strictly and written canonically.

A rational is written as "7" or "-3/8", a surd as an object with its three parts; a JSON number is only ever a plain
count. Reading refuses what JSON readers usually let pass in silence: a key given twice, a fractional number, nan, an
absurdly long number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, NoReturn

from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadDocument, listed
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import whole_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined

_MAX_DEPTH = 100  # documents are walked through recursively
_FEW_DIGITS = 18  # numbers up to here are read directly: files hold millions of small counts
_LARGEST_PLAIN = 2**53  # readers that use doubles lose digits beyond: such a count is written as a text
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

# -- reading ----------------------------------------------------------------------------------------


def read_json(text: str, **hooks: Any) -> Any:
    """Return the document that `text` holds; raises `BadDocument` for one that is not strictly JSON.

    >>> read_json('{"count": 7, "rate": "3/8"}')
    {'count': 7, 'rate': '3/8'}

    `hooks` of `json.loads` may read numbers in another way.
    """
    if not isinstance(text, str):
        raise BadDocument(text, "JSON must be a text")
    strict = {"parse_int": _read_whole, "parse_float": _refuse_fraction, "parse_constant": _refuse_constant}
    try:
        document = json.loads(text, object_pairs_hook=_object, **(strict | hooks))
        if text.count("[") + text.count("{") > _MAX_DEPTH and _depth(document) > _MAX_DEPTH:
            raise RecursionError
        if _SURROGATE.search(text):
            json.dumps(document, ensure_ascii=False, default=repr).encode()
    except json.JSONDecodeError as error:
        rule = f"text must be JSON ({error.msg} at line {error.lineno}, column {error.colno})"
        raise BadDocument(text, rule) from None
    except RecursionError:
        raise BadDocument(text, f"JSON must be at most {_MAX_DEPTH} levels deep") from None
    except UnicodeEncodeError:
        raise BadDocument(text, "text must not have half of a surrogate pair: no file can") from None
    return document


def _depth(document: Any) -> int:
    depth, level = 0, [document]
    while level:
        depth += 1
        containers = [one for one in level if isinstance(one, dict | list)]
        level = [part for one in containers for part in (one.values() if isinstance(one, dict) else one)]
    return depth


def _read_whole(digits: str) -> int:
    """Return the whole number that digits of JSON say; raises `BadNumber` for absurdly many of them."""
    return int(digits) if len(digits) <= _FEW_DIGITS else int(rational(digits))


def decode_number(document: object) -> mpq | Surd:
    """Return the rational or the surd that `as_document` wrote."""
    match document:
        case str():
            return rational(document)
        case {"rational": str(a), "coefficient": str(b), "radicand": str(d), **rest} if not rest:
            return Surd(a, b, d)
    remedy = 'write a text such as "3/8", or a surd object of three texts'
    raise BadDocument(document, "document must be an exact number", remedy)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    every = list(pairs)
    document = dict(every)
    if len(document) < len(every):
        raise BadDocument(listed(name for name, _ in every), "the names in an object must differ")
    return document


def _refuse_fraction(digits: str) -> NoReturn:
    rule = "a JSON number must be a whole count"
    raise BadDocument(digits, rule, f'write the number as a text, "{digits[:40]}"')


def _refuse_constant(name: str) -> NoReturn:
    raise BadDocument(name, "a number must be finite")


# -- writing ----------------------------------------------------------------------------------------


def write_json(value: Any) -> str:
    r"""Return `as_document(value)` as JSON, the same bytes every time, ending in a line break.

    >>> write_json({"count": 7, "large": 2**60, "rate": mpq(3, 8)})
    '{\n  "count": 7,\n  "large": "1152921504606846976",\n  "rate": "3/8"\n}\n'
    """
    return json.dumps(as_document(value), indent=2, ensure_ascii=False) + "\n"


def as_document(value: Any) -> Any:  # noqa: PLR0911, PLR0912  (a case each)
    """Return any value as a JSON document: numbers, mappings, sequences, arrays, enums and dataclasses, recursively.

    A dataclass is an object of its fields that are not `None`; a value with `to_document` is what that returns; an
    undefined number is null, a large count a text. Raises `BadDocument` for other types, a float among them.

    >>> as_document({"a": (Undefined.NO_QUESTIONS, mpq(1, 2)), "b": {8, 1}, "c": Surd(0, "1/2", 3)})
    {'a': [None, '1/2'], 'b': [1, 8], 'c': {'rational': '0', 'coefficient': '1/2', 'radicand': '3'}}
    """
    if hasattr(value, "to_document"):
        return as_document(value.to_document())
    match value:
        case str() | None:
            return value
        case Surd() if not value.is_rational:
            return {name: str(getattr(value, name)) for name in ("rational", "coefficient", "radicand")}
        case mpz() | mpq() | Surd():
            return str(value)
        case LogSumKey() if value.infinite:
            return {"infinite": True}
        case LogSumKey():
            terms = [[whole_text(c), whole_text(m)] for c, m in value.terms]
            return {"logarithms": terms, "divisor": whole_text(value.divisor)}
        case Undefined():
            return None
        case Enum():
            return value.value
        case int():  # a truth value is one, and small
            return value if abs(value) <= _LARGEST_PLAIN else whole_text(value)
        case Mapping():
            return _object(
                (",".join(map(str, key)) if isinstance(key, tuple) else str(key), as_document(part))
                for key, part in value.items()
            )
        case tuple() | list() | Set():
            parts = [as_document(part) for part in value]
            return sorted(parts) if isinstance(value, Set) else parts
    if is_dataclass(value):
        return fields_document(value)
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return as_document(value.tolist())
    raise BadDocument(value, "value must have an exact JSON form")


def fields_document(value: Any, *left_out: str) -> dict[str, Any]:
    """Return the fields of a dataclass that are neither `None` nor left out as a document."""
    named = {field.name: getattr(value, field.name) for field in fields(value) if field.name not in left_out}
    return {name: as_document(part) for name, part in named.items() if part is not None}


def exact_json(value: Any) -> Any:
    """Return `as_document(value)`, for `json.dumps(..., default=exact_json)`; of an undefined number, the reason.

    >>> json.dumps({"f1": mpq(2, 3), "recall": Undefined.NO_POSITIVES}, default=exact_json)
    '{"f1": "2/3", "recall": {"undefined": "no sample is labeled positive"}}'
    """
    return {"undefined": value.value} if isinstance(value, Undefined) else as_document(value)
