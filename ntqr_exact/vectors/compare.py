"""Outputs are compared with what is expected by value: 6/8 is 3/4, and a float is what its digits say.

How a value is written is separate from whether it is right: an output may be exact, exact but not in the
canonical form, within the tolerance, or wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import NtqrExactError, shown
from ntqr_exact.exact.json_text import decode_number, read_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd

_RATIONAL = re.compile("-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
_SURD = {"rational", "coefficient", "radicand"}


class Agreement(IntEnum):
    """How well an output agrees, from best to worst; the last five say why an output is missing."""

    EXACT = 0
    NOT_CANONICAL = 1
    INEXACT = 2
    WRONG = 3
    MISSING = 4
    CRASHED = 5
    TIMEOUT = 6
    NOT_ASKED = 7
    SKIPPED = 8


@dataclass(frozen=True, slots=True)
class Inexact:
    """A JSON number with a fraction or an exponent: the value that its digits say, or none if not finite."""

    digits: str
    value: mpq | None

    def __repr__(self) -> str:
        return self.digits


@dataclass(frozen=True, slots=True)
class Difference:
    """One place of an output and how it agrees; `words` say what is wrong there."""

    agreement: Agreement
    words: str


def read_output(text: str) -> Any:
    """Return a document that others wrote: floats are kept as their digits, a key given twice is refused.

    >>> read_output('{"rate": 0.375}')["rate"].value
    mpq(3,8)
    """
    return read_json(text, parse_float=_inexact, parse_constant=lambda name: Inexact(name, None))


def compare(expected: Any, output: Any, *, tolerance: mpq, path: str = "") -> Iterator[Difference]:
    """Yield what is not exactly and canonically as expected, place by place.

    A float agrees if |output − expected| ≤ tolerance·max(1, |expected|).

    >>> [difference.agreement.name for difference in compare(["3/4", "1"], ["6/8", "1"], tolerance=mpq(0))]
    ['NOT_CANONICAL']
    """
    is_word = isinstance(expected, str) and not _RATIONAL.fullmatch(expected)
    number = None if is_word else _number(expected)
    where = path or "/"
    if number is not None:
        yield from _compare_number(expected, number, output, tolerance, where)
    elif isinstance(expected, dict) and isinstance(output, dict):
        for name in sorted({*expected, *output}):
            if name not in output:
                yield Difference(Agreement.WRONG, f"{where}: the key {name!r} is missing")
            elif name not in expected:
                yield Difference(Agreement.WRONG, f"{where}: the key {shown(name)} is too much")
            else:
                yield from compare(expected[name], output[name], tolerance=tolerance, path=f"{path}/{name}")
    elif isinstance(expected, list) and isinstance(output, list):
        if len(expected) != len(output):
            yield Difference(Agreement.WRONG, f"{where}: {len(output)} items, expected {len(expected)}")
        for place, (one, other) in enumerate(zip(expected, output, strict=False)):
            yield from compare(one, other, tolerance=tolerance, path=f"{path}/{place}")
    elif type(expected) is not type(output) or expected != output:
        yield Difference(Agreement.WRONG, f"{where}: {shown(output)}, expected {shown(expected)}")


def _compare_number(
    expected: Any, number: mpq | Surd, output: Any, tolerance: mpq, where: str
) -> Iterator[Difference]:
    value = output.value if isinstance(output, Inexact) else _number(output)
    if value is None or (value != number and not _is_within(number, output, tolerance)):
        yield Difference(Agreement.WRONG, f"{where}: {shown(output)}, expected {shown(expected)}")
    elif isinstance(output, Inexact):
        yield Difference(Agreement.INEXACT, f"{where}: {output.digits} is taken for {shown(expected)}")
    elif output != expected:
        yield Difference(Agreement.NOT_CANONICAL, f"{where}: {shown(output)} is {shown(expected)}")


def _is_within(number: mpq | Surd, output: Any, tolerance: mpq) -> bool:
    exact = number if isinstance(number, Surd) else Surd(number)
    if not isinstance(output, Inexact) or not exact.is_real:
        return False
    gap = abs(exact - output.value)
    return bool(gap <= tolerance or gap <= abs(exact) * tolerance)


def _number(document: Any) -> mpq | Surd | None:
    if isinstance(document, int) and not isinstance(document, bool):
        return mpq(document)
    if isinstance(document, str) or (isinstance(document, dict) and set(document) == _SURD):
        try:
            return decode_number(document)
        except NtqrExactError:
            return None
    return None


def _inexact(digits: str) -> Inexact:
    try:
        return Inexact(digits, rational(digits))
    except NtqrExactError:  # an exponent beyond all bounds
        return Inexact(digits, None)
