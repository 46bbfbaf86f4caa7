"""The family `number-parsing`: which values are exact numbers, which number they are, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import MAX_DIGITS, rational
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, record


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


_VALID = {
    "0": "zero",
    "7": "a whole number",
    "-3": "a negative whole number",
    "3/8": "a fraction",
    "-3/8": "a negative fraction",
    "6/8": "a fraction that is not in lowest terms",
    "-6/4": "a negative fraction that is not in lowest terms",
    "8/4": "a fraction that is whole",
    "0/5": "zero as a fraction",
    "0.375": "a decimal means the decimal",
    "0.1": "not the double nearest to a tenth",
    "-0.5": "a negative decimal",
    "1.92e-7": "scientific notation",
    "1e3": "an exponent without a point",
    "1.5e+3": "an exponent with a sign",
    "-2.50e-1": "trailing zeros carry no meaning",
    "0.30000000000000001": "more digits than a double holds",
    "9007199254740993": "a whole number that no double holds",
    "123456789012345678901234567890/987654321098765432109876543210": "long numbers are reduced as well",
    "1e-30": "a small number",
    "1e30": "a large number",
}
_ACCEPTABLE = {
    "+7": "a plus sign",
    " 7 ": "blanks around it",
    "\t3/8\n": "other white space around it",
    "007": "leading zeros",
    "03/08": "leading zeros in a fraction",
    ".5": "nothing before the point",
    "5.": "nothing behind the point",
    "1E3": "a capital E",
    "-0": "minus zero is zero",
    "-0.0": "minus zero as a decimal is zero",
    "1e03": "a leading zero in the exponent",
}
_INVALID = {
    "": "an empty text",
    " ": "a blank",
    "abc": "a word",
    "1/0": "a zero denominator",
    "0/0": "zero by zero",
    "1/00": "a zero denominator in two digits",
    "1/-2": "a sign in the denominator",
    "1/+2": "a plus sign in the denominator",
    "1/2/3": "two fraction bars",
    "/2": "no numerator",
    "1/": "no denominator",
    "1 / 2": "blanks around the bar",
    "- 1": "a blank behind the sign",
    "1 2": "a blank between digits",
    "1.5/2": "a decimal in a fraction",
    "1/2.5": "a decimal denominator",
    "1/2e3": "an exponent on a fraction",
    "1.2.3": "two points",
    ".": "a point alone",
    "e5": "an exponent alone",
    ".e5": "a point and an exponent",
    "1e": "an exponent without digits",
    "1e+": "an exponent with a sign alone",
    "1e2.5": "a fractional exponent",
    "+-1": "two signs",
    "--1": "two minus signs",
    "+": "a sign alone",
    "1,000": "a comma between thousands",
    "0,5": "a comma for the point",
    "1_000": "an underscore between digits",
    "0x10": "hexadecimal digits",
    "1e5e5": "two exponents",
    "nan": "not a number",
    "NaN": "not a number",
    "inf": "infinity",
    "-Infinity": "infinity",
    "½": "a fraction in one character",
    "１２": "digits of full width",
    "٣": "an Arabic digit",
    "−1": "a minus sign that is not the hyphen",
    "50%": "a percentage",
    "1+1": "an expression",
    "sqrt(2)": "a function",
    "1e999999999": "an exponent that would exhaust memory",
    "1e-999999999": "the same, small",
    "1e100000": "one digit more than may be written out",
    "1e9999999999999999999999": "an exponent beyond any word of a machine",
}




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
