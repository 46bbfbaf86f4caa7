"""Exact JSON: numbers as texts and objects, documents read strictly and written canonically.

A rational is written as "7" or "-3/8", a surd as an object with its three parts, every other number by `exact_json`; a
JSON number is only ever a plain count. Reading refuses what JSON readers usually let pass in silence: a key given
twice, a fractional number, nan, an absurdly long number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, NoReturn

from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadArgument, BadDocument
from ntqr_exact.exact.enclosure import Enclosure, LogSumKey
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import whole_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined

_DEEPEST = 100
"""How deep a document may be nested, as it is walked through recursively."""

_FEW_DIGITS = 18
"""Numbers of at most this many characters are read directly: files hold millions of small counts."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

_LARGEST_PLAIN = 2**53
"""Beyond this, JSON readers that use doubles lose digits: such a count is written as a text."""


def read_json(text: str) -> Any:
    """Return the document that `text` holds.

    >>> read_json('{"count": 7, "rate": "3/8"}')
    {'count': 7, 'rate': '3/8'}
    >>> read_json('{"rate": 0.375}')
    Traceback (most recent call last):
    ntqr_exact.errors.BadDocument: a JSON number must be a whole count, got '0.375'; write the number as a text, \
"0.375"
    """
    return load_json(
        text,
        object_pairs_hook=_object,
        parse_int=read_whole,
        parse_float=_refuse_fraction,
        parse_constant=_refuse_constant,
    )


def load_json(text: str, **hooks: Any) -> Any:
    """Return what JSON says, with the hooks of `json.loads`; raises `BadDocument` for what cannot be handled safely.

    >>> load_json("[" * 200 + "]" * 200)
    Traceback (most recent call last):
    ntqr_exact.errors.BadDocument: '[[[[[[[[[[[[[[[[[[[[[[[[[[[[...' (400 characters): the JSON is nested too deeply
    """
    if not isinstance(text, str):
        raise BadArgument(text, "JSON is read from a text")
    try:
        document = json.loads(text, **hooks)
    except json.JSONDecodeError as error:
        rule = f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        raise BadDocument(text, rule) from None
    except RecursionError:
        raise BadDocument(text, "the JSON is nested too deeply") from None
    if text.count("[") + text.count("{") > _DEEPEST and _depth(document) > _DEEPEST:
        raise BadDocument(text, "the JSON is nested too deeply")
    if _SURROGATE.search(text):
        try:
            json.dumps(document, ensure_ascii=False, default=repr).encode()
        except UnicodeEncodeError:
            raise BadDocument(text, "a text holds half of a surrogate pair: no file can") from None
    return document


def _depth(document: Any) -> int:
    depth, level = 0, [document]
    while level:
        depth += 1
        level = [
            value
            for one in level
            if isinstance(one, dict | list)
            for value in (one.values() if isinstance(one, dict) else one)
        ]
    return depth


def write_json(document: Any) -> str:
    r"""Return `document` as JSON, the same bytes every time, ending in a line break.

    >>> write_json({"count": 7, "large": 2**60, "rate": mpq(3, 8)})
    '{\n  "count": 7,\n  "large": "1152921504606846976",\n  "rate": "3/8"\n}\n'
    """
    return json.dumps(_encode(document), indent=2, ensure_ascii=False) + "\n"


def encode_number(value: mpq | Surd) -> str | dict[str, str]:
    """Return the exact JSON form of a rational or a surd; `decode_number` reads it back.

    >>> encode_number(Surd("1/2", "3/10", 657031321))
    {'rational': '1/2', 'coefficient': '3/10', 'radicand': '657031321'}
    """
    if isinstance(value, Surd) and not value.is_rational:
        return {
            "rational": str(value.rational),
            "coefficient": str(value.coefficient),
            "radicand": str(value.radicand),
        }
    return str(value)


def exact_json(value: Any) -> str | dict[str, Any]:  # noqa: PLR0911  (a case each)
    """Return the exact JSON form of any number or result of this library, for `json.dumps(…, default=exact_json)`.

    Raises `BadDocument` for other types.

    >>> json.dumps({"f1": mpq(2, 3), "area": Enclosure("1/3", "1/2")}, default=exact_json)
    '{"f1": "2/3", "area": {"lower": "1/3", "upper": "1/2"}}'
    >>> exact_json(LogSumKey(((1, 3), (-2, 2)), 5)), exact_json(Undefined.NO_POSITIVES)
    ({'logarithms': [['1', '3'], ['-2', '2']], 'divisor': '5'}, {'undefined': 'no sample is labeled positive'})
    """
    match value:
        case mpz():
            return whole_text(int(value))
        case mpq() | Surd():
            return encode_number(value)
        case Enclosure():
            return {"lower": str(value.lower), "upper": str(value.upper)}
        case LogSumKey() if value.infinite:
            return {"infinite": True}
        case LogSumKey():
            return {
                "logarithms": [[whole_text(c), whole_text(m)] for c, m in value.terms],
                "divisor": whole_text(value.divisor),
            }
        case Undefined():
            return {"undefined": value.value}
    if hasattr(value, "to_document") or is_dataclass(value):
        return _encode(as_document(value))  # type: ignore[no-any-return]
    raise BadDocument(value, f"{type(value).__name__} has no exact JSON form")


def decode_number(document: object) -> mpq | Surd:
    """Return the number that `encode_number` wrote.

    >>> decode_number("-3/8"), decode_number({"rational": "0", "coefficient": "1", "radicand": "2"})
    (mpq(-3,8), Surd(0, 1, 2))
    """
    match document:
        case str():
            return rational(document)
        case {"rational": str(a), "coefficient": str(b), "radicand": str(d), **rest} if not rest:
            return Surd(a, b, d)
    rule = "not an exact number"
    raise BadDocument(document, rule, 'write a text such as "3/8", or a surd object of three texts')


def as_document(value: Any) -> Any:  # noqa: PLR0911  (a case each)
    """Return any value as a document for `write_json`: mappings, sequences, enums and dataclasses, recursively.

    A dataclass is an object of its fields that are not `None`; a value with `to_document` is what that returns; an
    undefined number is null. Numbers stay what they are; `write_json` writes them exactly.

    >>> as_document({"a": (Undefined.NO_QUESTIONS, mpq(1, 2))})
    {'a': [None, mpq(1,2)]}
    """
    if hasattr(value, "to_document"):
        return value.to_document()
    match value:
        case Undefined():
            return None
        case Enum():
            return value.value
        case Mapping():
            return {_key(key): as_document(part) for key, part in value.items()}
        case tuple() | list():
            return [as_document(part) for part in value]
        case set() | frozenset():
            return sorted(as_document(part) for part in value)
        case Enclosure() | LogSumKey() | Surd():
            return value
    return fields_document(value) if is_dataclass(value) else value


def fields_document(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are not `None` as a document."""
    named = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: as_document(part) for name, part in named.items() if part is not None}


def _key(key: Any) -> str:
    return key if isinstance(key, str) else ",".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _encode(document: Any) -> Any:
    match document:
        case str() | None:
            return document
        case int():  # a truth value is one, and small
            return document if abs(document) <= _LARGEST_PLAIN else whole_text(document)
        case dict():
            return _object([(str(key), _encode(value)) for key, value in document.items()])
        case list() | tuple():
            return [_encode(value) for value in document]
    return exact_json(document)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for key, value in pairs:
        if key in document:
            raise BadDocument(key, "this key is given twice")
        document[key] = value
    return document


def read_whole(digits: str) -> int:
    """Return the whole number that digits of JSON say; raises `BadNumber` for absurdly many of them."""
    return int(digits) if len(digits) <= _FEW_DIGITS else int(rational(digits))


def _refuse_fraction(digits: str) -> NoReturn:
    rule = "a JSON number must be a whole count"
    raise BadDocument(digits, rule, f'write the number as a text, "{digits[:40]}"')


def _refuse_constant(name: str) -> NoReturn:
    raise BadDocument(name, "a number must be finite")
