"""Exact numbers and their texts: parsing, surds, sums of logarithms, and the counts in a decisions file."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, DecisionsWarning, DivisionByZero, NotASurd, NotOrdered
from ntqr_exact.exact.json_text import decode_number
from ntqr_exact.exact.logsum import enclose_log_sum, log_sum_sign
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, error_kind
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.csv_decisions import count_csv
from ntqr_exact.votes.names import split_pattern


def _parsing(document: Document) -> dict[str, Any]:
    return {"number": rational(document["value"])}


def _parsing_steps(document: Document) -> Iterator[str]:
    value = document["value"]
    number = _parsing(document)["number"]
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


def _parsing_case(draws: Draws, index: int) -> Case:
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


_UNLIKE, _BY_ZERO, _IMAGINARY = "not-a-surd", "division-by-zero", "imaginary"
_ORDERS = {-1: "less", 0: "equal", 1: "greater"}


def _surds(document: Document) -> dict[str, Any]:
    left, right = (_surd(document[side]) for side in ("left", "right"))
    return {
        "left": left,
        "right": right,
        "sum": _tried(lambda: left + right),
        "difference": _tried(lambda: left - right),
        "product": _tried(lambda: left * right),
        "quotient": _tried(lambda: left / right),
        "signs": [_tried(lambda number=number: mpq(number.sign())) for number in (left, right)],  # type: ignore[misc]
        "floors": [_tried(lambda number=number: mpq(math.floor(number))) for number in (left, right)],  # type: ignore[misc]
        "equal": left == right,
        "order": _order(left, right),
    }


def _surd(number: Any) -> Surd:
    found = decode_number(number)
    return found if isinstance(found, Surd) else Surd(found)


def _tried(operation: Callable[[], Any]) -> Any:
    try:
        return operation()
    except NotOrdered:
        return _IMAGINARY
    except (NotASurd, DivisionByZero) as error:
        return error_kind(error)


def _order(left: Surd, right: Surd) -> str:
    if not (left.is_real and right.is_real):
        return _IMAGINARY
    return _ORDERS[(left > right) - (left < right)]


def _surds_steps(document: Document) -> Iterator[str]:
    found = _surds(document)
    left, right = found["left"], found["right"]
    yield f"left = {left}, right = {right}"
    for sign, name in zip("+−·/", ("sum", "difference", "product", "quotient"), strict=True):
        yield f"({left}) {sign} ({right}) = {found[name]}"
    for side, number, sign, floor in zip(
        ("left", "right"), (left, right), found["signs"], found["floors"], strict=True
    ):
        if sign != _IMAGINARY:
            yield f"{side} = {number.decimal(6)}…: sign {sign}, floor {floor}"
    yield f"left is {'' if found['equal'] else 'not '}equal to right; order: {found['order']}"


def _surds_case(draws: Draws, index: int) -> Case:
    """Return numbers with equal, commensurable or unlike radicands, of growing size."""
    bound = 3 + index
    d = draws.between(2, bound)
    kind = index % 6
    other = {0: d, 1: d * draws.between(2, 5) ** 2, 2: d, 3: draws.between(2, bound), 4: d, 5: -d}[kind]
    if kind == 4:
        d = other = -d
    left, right = _drawn(draws, bound, d), _drawn(draws, bound, other)
    if kind == 2:  # a close call: a next to −b√d
        b = draws.between(1, bound**2)
        left = _s(str(-math.isqrt(b * b * d) - draws.below(2)), str(b), d)
    if draws.below(8) == 0:
        left["rational"] = right["rational"] = "0"
    if draws.below(12) == 0:
        return Case(
            {"left": left, "right": str(draws.share(bound) * draws.between(-bound, bound))},
            "a surd and a rational",
        )
    return Case({"left": left, "right": right}, "two surds")


def _drawn(draws: Draws, bound: int, radicand: int) -> Document:
    a, b = (draws.share(bound) * draws.between(-bound, bound) for _ in range(2))
    return _s(str(a), str(b), radicand)


def _s(rational: str, coefficient: str, radicand: int) -> Document:
    return {"rational": rational, "coefficient": coefficient, "radicand": str(radicand)}


def _one_field(document: Document, found: Any) -> bool:
    """Tell whether all that is not plainly rational is written with one radicand, which is no square."""
    surds = [number for number in document.values() if isinstance(number, dict)]
    if len({number["radicand"] for number in surds}) != 1 or "error" in found:
        return False
    return any(not _surd(number).is_rational for number in surds)


_WORDS = {-1: "negative", 0: "zero", 1: "positive"}


def _log_sum(document: Document) -> dict[str, Any]:
    terms = [(coefficient, argument) for coefficient, argument in document["terms"]]
    return {"sign": _WORDS[log_sum_sign(terms)]}


def _log_sum_steps(document: Document) -> Iterator[str]:
    terms = [(coefficient, argument) for coefficient, argument in document["terms"]]
    yield "is the product of powers greater than 1: " + (" · ".join(f"({m})^({c})" for c, m in terms) or "1")
    bounds = enclose_log_sum(terms, 64)
    yield f"at 64 bits the sum of the logarithms lies in [{bounds.lower}, {bounds.upper}]"
    yield f"the sign is {_log_sum(document)['sign']}"


def _log_sum_case(draws: Draws, index: int) -> Case:
    """Return, in turn, any sum, one that is zero by construction, and one that is nearly zero."""
    largest = 4 + index // 2
    if index % 3 == 0:
        any_terms = [[draws.between(-9, 9), draws.between(1, largest)] for _ in range(2 + index // 40)]
        return Case({"terms": any_terms}, f"{len(any_terms)} terms")
    factors = [draws.between(2, 3 + index // 8) for _ in range(3)]
    exponents = [draws.between(1, 2 + index // 30) for _ in factors]
    product = 1
    for factor, exponent in zip(factors, exponents, strict=True):
        product *= factor**exponent
    changed = 0 if index % 3 == 1 else draws.pick((1, -1)) * (index % 2 + 1)
    divisor = draws.between(1, 6)
    terms = [[f"1/{divisor}", str(product + changed)]]
    terms += [
        [f"{-exponent}/{divisor}", str(factor)] for factor, exponent in zip(factors, exponents, strict=True)
    ]
    comment = f"a product of powers of {factors}, {'and the same as one number' if not changed else 'and a neighbour'}"
    return Case({"terms": draws.shuffled(terms)}, comment)


_LABELS = (
    "a",
    "b",
    "yes",
    "no",
    "yes, sure",
    'the "best"',
    "two words",
    "back\\slash",
    "é",
    "1",
    "0",
    "a;b",
    "x\ny",
)


_OPTIONS = {"truth": "truth", "named": "labels"}
"""Flags of options that random files may have, refused ones too."""


def _csv(document: Document) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecisionsWarning)  # what is doubtful is counted all the same
        votes = count_csv(
            io.StringIO(document["csv"], newline=""),
            judges=document.get("judges"),
            labels=document.get("labels"),
            truth=document.get("truth"),
            delimiter=document.get("delimiter", ","),
        )
    return votes.to_document()


def _csv_steps(document: Document) -> Iterator[str]:
    found = _csv(document)
    for number, line in enumerate(document["csv"].splitlines(), start=1):
        yield f"line {number}: {line!r}"
    yield f"judges: {', '.join(map(repr, found['judges']))}; labels: {', '.join(map(repr, found['labels']))}"
    parts = found.get("counts_by_label", {"": found.get("counts")})
    for label, counts in parts.items():
        if label:
            yield f"questions whose true label is {label!r}:"
        yield from (f"  {split_pattern(name)!r}: {count}" for name, count in counts.items())


def _csv_case(draws: Draws, index: int) -> Case:
    """Return a file with drawn labels, quotes and line ends; now and then one with a fault."""
    judges = draws.between(1, 3)
    labels = draws.shuffled(_LABELS)[: draws.between(2, 4)]
    delimiter = draws.pick((",", ",", ",", ";", "\t", "|"))
    rows = [[draws.pick(labels) for _ in range(judges)] for _ in range(2 + min(index // 6, 20))]
    header = [f"J{number + 1}" for number in range(judges)]
    document: Document = {} if delimiter == "," else {"delimiter": delimiter}
    if draws.below(3) == 0:
        document["truth"] = "key"
        place = draws.between(0, judges)
        header.insert(place, "key")
        for row in rows:
            row.insert(place, draws.pick(labels))
    if draws.below(3) == 0:
        document["labels"] = list(labels)
    fault = draws.below(8) == 0
    if fault:
        _spoil(draws, rows)
    end = draws.pick(("\n", "\n", "\r\n", "\r"))
    lines = [delimiter.join(_cell(draws, cell, delimiter) for cell in row) for row in (header, *rows)]
    document["csv"] = end.join(lines) + (end if draws.below(4) else "")
    comment = f"{len(rows)} questions" + (", with a fault" if fault else "")
    flags = [flag for flag, option in _OPTIONS.items() if option in document]
    return Case(document, comment, tuple(flags))


def _spoil(draws: Draws, rows: list[list[str]]) -> None:
    """Put one fault into the rows: a cell too few or too many, an empty cell, blanks, another label."""
    row = draws.pick(rows)
    place = draws.below(len(row))
    match draws.below(5):
        case 0:
            row.append("a")
        case 1:
            row.pop()
        case 2:
            row[place] = ""
        case 3:
            row[place] += " "
        case _:
            row[place] = "another"


def _cell(draws: Draws, cell: str, delimiter: str) -> str:
    """Write a cell, quoted where it must be and sometimes where it need not be."""
    must = any(character in cell for character in ('"', "\n", "\r", delimiter))
    if must or draws.below(5) == 0:
        return '"' + cell.replace('"', '""') + '"'
    return cell


FAMILIES = (
    Family(*declared("number-parsing", _parsing, _parsing_steps, _parsing_case)),
    Family(
        *declared("surd-arithmetic", _surds, _surds_steps, _surds_case),
        flags={
            "equal": lambda _, found: found["equal"],
            "unlike": lambda _, found: found["sum"] == _UNLIKE,
            _BY_ZERO: lambda _, found: found["quotient"] == _BY_ZERO,
            _IMAGINARY: lambda _, found: _IMAGINARY in found["signs"],
        },
        witnesses={"python-flint": _one_field},
    ),
    Family(
        *declared("log-sum-sign", _log_sum, _log_sum_steps, _log_sum_case),
        flags={"tie": lambda _, found: found["sign"] == "zero"},
        witnesses={"python-flint": lambda *_: True},
    ),
    Family(*declared("csv-counting", _csv, _csv_steps, _csv_case)),
)
