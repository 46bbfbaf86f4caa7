"""The family `number-parsing`: which values are exact numbers, which number they are, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import rational
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import RATIONAL, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the number that a value stands for."""
    return {"number": rational(document["value"])}


def steps(document: Document) -> Iterator[str]:
    """Tell how a text is read."""
    value = document["value"]
    number = compute(document)["number"]
    if isinstance(value, int):
        yield f"a JSON integer is itself: {number}"
        return
    text = value.strip()
    yield f"without the blanks around it: {text!r}"
    if "/" in text or text.lstrip("+-").isdigit():
        top, _, bottom = text.partition("/")
        yield f"numerator {int(top)}, denominator {int(bottom or '1')}"
    else:
        mantissa, _, exponent = text.lower().partition("e")
        whole, _, places = mantissa.partition(".")
        yield f"the digits {whole}{places}, {len(places)} of them behind the point, exponent {int(exponent or '0')}"
        yield f"the number is {whole}{places} · 10^({int(exponent or '0')} − {len(places)})"
    yield f"in lowest terms: {number}"


_SPOILERS = "0123456789+-./ x"
_PLAIN = re.compile(r"-?(0|[1-9][0-9]*)/[1-9][0-9]*|(?!-0$)-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[1-9][0-9]*)?")
"""What every reader takes; other forms are acceptable at best."""


def random_case(draws: Draws, index: int) -> Case:
    """Return a number in one of the notations, longer for a larger index; every other one is spoilt somewhere."""
    digits = 1 + index // 8
    sign = draws.pick(["", "-"])
    match draws.below(3):
        case 0:
            text = f"{sign}{_digits(draws, digits)}/{_digits(draws, digits)}"
        case 1:
            text = f"{sign}{_digits(draws, digits)}.{_digits(draws, digits)}"
        case _:
            exponent = f"{draws.pick(['', '-', '+'])}{draws.between(1, 40)}"
            text = f"{sign}{_digits(draws, 1)}.{_digits(draws, digits)}e{exponent}"
    if index % 2 == 0:
        return Case({"value": text}, f"{digits} digits")
    place = draws.below(len(text) + 1)
    spoiler = draws.pick(_SPOILERS)
    spoilt = text[:place] + spoiler + text[place + draws.below(2) :]
    acceptable = not _PLAIN.fullmatch(spoilt) and _is_number(spoilt)
    return Case({"value": spoilt}, f"{text} with {spoiler!r} put in", ("spoilt",), acceptable)


def _is_number(text: str) -> bool:
    try:
        rational(text)
    except BadNumber:
        return False
    return True


def _digits(draws: Draws, length: int) -> str:
    return str(draws.between(10 ** (length - 1), 10**length - 1))


FAMILY = Family(
    *declared("number-parsing"),
    input=record(value={}),
    expected=record(number=RATIONAL),
    random_case=random_case,
    compute=compute,
    steps=steps,
)
