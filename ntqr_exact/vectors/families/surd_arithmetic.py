"""The family `surd-arithmetic`: sums, products, signs and order of two numbers a + b√d."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import DivisionByZero, NotASurd, NotOrdered
from ntqr_exact.exact.json_text import decode_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, error_kind
from ntqr_exact.vectors.fragments import (
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    described,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared

_UNLIKE, _BY_ZERO, _IMAGINARY = "not-a-surd", "division-by-zero", "imaginary"
_RESULT = either(NUMBER, one_of(_UNLIKE))
_INPUT = either(TEXT, record(rational=TEXT, coefficient=TEXT, radicand=TEXT))
_ORDERS = {-1: "less", 0: "equal", 1: "greater"}


def compute(document: Document) -> dict[str, Any]:
    """Return the two numbers, what arithmetic makes of them, and how they compare."""
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


def steps(document: Document) -> Iterator[str]:
    """Tell the numbers in their shortest form, and every result."""
    found = compute(document)
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


def random_case(draws: Draws, index: int) -> Case:
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


FAMILY = Family(
    *declared("surd-arithmetic"),
    input=record(left=_INPUT, right=_INPUT),
    expected=record(
        left=NUMBER,
        right=NUMBER,
        sum=_RESULT,
        difference=_RESULT,
        product=_RESULT,
        quotient=either(NUMBER, one_of(_UNLIKE, _BY_ZERO)),
        signs=described(list_of(either(one_of("-1", "0", "1"), one_of(_IMAGINARY)), exactly=2), "−1, 0 or 1"),
        floors=list_of(either(WHOLE, one_of(_IMAGINARY)), exactly=2),
        equal=TRUTH,
        order=one_of(*_ORDERS.values(), _IMAGINARY),
    ),
    flags={
        "equal": lambda _, found: found["equal"],
        "unlike": lambda _, found: found["sum"] == _UNLIKE,
        _BY_ZERO: lambda _, found: found["quotient"] == _BY_ZERO,
        _IMAGINARY: lambda _, found: _IMAGINARY in found["signs"],
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"python-flint": _one_field},
)
