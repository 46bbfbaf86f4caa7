"""Which numbers a rendering shows, and which texts the values of a document may be shown by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.dependence.measure import bound_text
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.exact.json_text import decode_number, read_json
from ntqr_exact.exact.show import fixed_text, safe_text, significant_text, value_text
from ntqr_exact.exact.surd import Surd

_NUMBER = re.compile(r"\d[\d,]*\d(?:\.\d+)?(?:e-?\d+)?(?:/\d+)?|\d(?:\.\d+)?(?:e-?\d+)?(?:/\d+)?")


def numbers(text: str) -> set[str]:
    """All numbers in a text: whole, decimal, scientific, fractions; signs do not matter."""
    return set(_NUMBER.findall(text))


def renderings(json_text: str) -> set[str]:
    """All numbers by which the values of a document may be shown: exact, and as decimals."""
    found: set[str] = set()
    for value in _values(read_json(json_text)):
        if isinstance(value, str):
            found |= numbers(value)
            continue
        found |= numbers(str(value)) | numbers(value_text(value))
        if isinstance(value, Surd) and not value.is_real:
            continue
        for places in (3, 4, 6, 9, 12):
            short = fixed_text(value, places)
            found |= numbers(short) | numbers(short.rstrip("0"))
        for is_upper in () if isinstance(value, Surd) else (False, True):
            found |= numbers(safe_text(value, 3, up=is_upper)) | numbers(bound_text(value, is_upper=is_upper))
        found |= numbers(significant_text(value)) | numbers(significant_text(value, 4))
    return found


def _values(document: object) -> Iterator[object]:
    match document:
        case bool() | None:
            return
        case int():
            yield mpq(document)
        case list():
            yield mpq(len(document))
            for part in document:
                yield from _values(part)
        case {"rational": _, "coefficient": _, "radicand": _}:
            yield decode_number(document)
        case dict():
            for key, part in document.items():
                yield from _values(key)
                yield from _values(part)
        case str():
            yield document
            try:
                yield decode_number(document)
            except NtqrExactError:
                return
