"""The family `surd-arithmetic`: sums, products, signs and order of two numbers a + b√d."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import DivisionByZero, NotASurd, NotOrdered
from ntqr_exact.exact.json_text import decode_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family, error_kind
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


def edge_cases() -> Iterator[Case]:
    """Yield golden numbers, disguised and unlike roots, close calls, imaginary numbers, zeros and refusals."""
    golden, conjugate = _s("1/2", "1/2", 5), _s("1/2", "-1/2", 5)
    yield _case(golden, golden, "the golden number: its square is itself plus 1")
    yield _case(golden, conjugate, "conjugates: sum 1, product −1")
    yield _case(golden, "8/5", "close to a rational, which is less")
    yield _case(golden, "13/8", "close to a rational, which is greater")
    yield _case("3/8", "-5/7", "two rationals")
    yield _case("0", "0", "zero and zero: no quotient")
    yield _case(_s("1", "1", 2), "0", "division by zero")
    yield _case("0", _s("1", "1", 2), "zero by a surd")
    yield _case(_s("0", "1", 8), _s("0", "2", 2), "√8 = 2√2")
    yield _case(_s("0", "1", 2), _s("0", "1", 8), "√2 and √8: roots of unlike look, commensurable")
    yield _case(_s("1", "1", 12), _s("1", "-1", 27), "1 + √12 and 1 − √27")
    yield _case(_s("0", "3", 4), "6", "√4 is rational")
    yield _case(_s("1", "0", 7), "1", "a coefficient of 0")
    yield _case(_s("1", "5", 0), "1", "a radicand of 0")
    yield _case(_s("0", "1", 2), _s("0", "1", 3), "pure roots of unlike radicands: a product, and no sum")
    yield _case(_s("1", "1", 2), _s("0", "1", 3), "unlike radicands: neither product nor sum")
    yield _case(_s("1", "1", 2), _s("1", "1", 3), "unlike radicands: compared all the same")
    yield _case(_s("-1", "1", 3), _s("-2/3", "1", 2), "unlike radicands, close: 0.7320 and 0.7475")
    yield _case(_s("0", "1", 6), _s("0", "1", 10), "√6·√10 = 2√15")
    yield _case(_s("-7", "5", 2), "0", "5√2 − 7 is positive")
    yield _case(_s("7", "-5", 2), "0", "7 − 5√2 is negative")
    yield _case(_s("-99", "70", 2), _s("99", "-70", 2), "70√2 − 99 = −0.005: the sign is a close call")
    yield _case(_s("-665857", "470832", 2), "0", "within 10^−6 of zero, and negative", "close")
    huge = _s("-886731088897", "627013566048", 2)
    yield _case(huge, "0", "within 10^−12 of zero, and negative", "close")
    p, q = 1, 1
    for _ in range(64):  # the continued fraction of √2: p/q is next to it, on alternating sides
        p, q = p + 2 * q, p + q
        if q > 10**23:
            side = "below" if p * p > 2 * q * q else "above"
            yield _case(_s(str(-p), str(q), 2), "0", f"within 10^−23 of zero, {side} it", "close")
    yield _case(_s("1/3", "1/7", 657031321), _s("1/3", "1/7", 657031322), "radicands one apart", "close")
    big = 10**30 + 57
    yield _case(_s("0", "1", big), str(10**15), "√(10^30 + 57) and 10^15", "close")
    yield _case(
        _s("0", "1", (10**9 + 7) ** 2 * 3), _s("0", str(10**9 + 7), 3), "a large prime squared under the root"
    )
    yield _case(_s("0", "1", (10**9 + 7) ** 2), str(10**9 + 7), "the square of a large prime: rational")
    yield _case(_s("0", "1", big**2), str(big), "the square of a number of 31 digits: rational")
    yield _case(_s("0", "1", -1), _s("0", "1", -1), "i·i = −1")
    yield _case(_s("0", "1", -2), _s("0", "1", -3), "i√2·i√3 = −√6")
    yield _case(_s("0", "1", -2), _s("0", "1", 3), "i√2·√3 = i√6")
    yield _case(_s("0", "1", -2), _s("0", "1", 2), "√−2 and √2: not commensurable")
    yield _case(_s("0", "2", -8), _s("0", "3", -2), "i2√8 and i3√2: commensurable")
    yield _case(_s("1", "1", -4), _s("1", "2", -1), "1 + √−4 = 1 + 2i: equal, without order")
    yield _case(_s("1", "1", -3), _s("1", "-1", -3), "complex conjugates: product 4")
    yield _case(_s("3/2", "-5/3", 7), _s("-3/2", "5/3", 7), "opposite numbers")
    yield _case(_s("-5", "1", 26), _s("-6", "-1", 26), "floors of 0.09 and −11.09")
    yield _case(_s("0", "-1", 2), _s("0", "-2", 2), "negative roots: floors −2 and −3")
    yield _case("-7/2", "7/2", "floors of rationals")
    yield from _refusals()


def _refusals() -> Iterator[Case]:
    """Yield inputs to refuse."""
    yield Case({"left": "1/0", "right": "1"}, "a zero denominator", ("refused",))
    yield Case({"left": _s("1", "1", 2), "right": "half"}, "a word", ("refused",))
    broken = {"rational": "0", "coefficient": "1", "radicand": "1/2"}
    yield Case({"left": broken, "right": "1"}, "a radicand that is a fraction", ("refused",))
    broken = {"rational": "0", "coefficient": "", "radicand": "2"}
    yield Case({"left": "1", "right": broken}, "a coefficient that is missing", ("refused",))


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
        return _case(left, str(draws.share(bound) * draws.between(-bound, bound)), "a surd and a rational")
    return _case(left, right, "two surds")


def _drawn(draws: Draws, bound: int, radicand: int) -> Document:
    a, b = (draws.share(bound) * draws.between(-bound, bound) for _ in range(2))
    return _s(str(a), str(b), radicand)


def _s(rational: str, coefficient: str, radicand: int) -> Document:
    return {"rational": rational, "coefficient": coefficient, "radicand": str(radicand)}


def _case(left: Any, right: Any, comment: str, *flags: str) -> Case:
    """Return a case whose flags also tell what comes out."""
    document = {"left": left, "right": right}
    found = compute(document)
    outcome = [
        *(["equal"] if found["equal"] else []),
        *(["unlike"] if found["sum"] == _UNLIKE else []),
        *([_BY_ZERO] if found["quotient"] == _BY_ZERO else []),
        *([_IMAGINARY] if _IMAGINARY in found["signs"] else []),
    ]
    return Case(document, comment, (*flags, *outcome))


def _one_field(document: Document) -> bool:
    """Tell whether all that is not plainly rational is written with one radicand, which is no square."""
    surds = [number for number in document.values() if isinstance(number, dict)]
    if len({number["radicand"] for number in surds}) != 1 or FAMILY.answer(document).result != "valid":
        return False
    return any(not _surd(number).is_rational for number in surds)


FAMILY = Family(
    name="surd-arithmetic",
    version=1,
    title="Arithmetic, sign and order of numbers a + b√d",
    citations=(Citation("ntqr", "eq. 40, whose roots are such numbers"),),
    algorithm=(
        "left and right are numbers a + b√d: a rational number as a text such as -3/8, or an object with rational a, "
        "coefficient b and radicand d. The radicand is a whole number, which may be zero, a square, have square "
        "factors or be negative; for negative d, √d means i√(−d).",
        "Refuse as bad-number a part that is no rational number, a zero denominator, and a radicand that is not whole.",
        "Results are numbers of the same kind; any a + b√d with the same value is right. A number is rational if b = "
        "0 or d is the square of a whole number.",
        "left, right: the two numbers themselves.",
        "sum, difference, product, quotient: of left and right, in this order. √d·√d = d; the product of two roots "
        "is √(de), but −√(de) if both d and e are negative. A result that is not of the form a + b√d is the word "
        "not-a-surd: sum and difference if both numbers are irrational and de is not a positive square; product and "
        "quotient if this is so and at least one of the numbers has a rational part. A quotient by zero is the word "
        "division-by-zero.",
        "signs: of left and of right, −1, 0 or 1 as texts; the word imaginary for a number that is not real. Where a "
        "and b have different signs, compare a² with b²d.",
        "floors: of left and of right, the largest whole number that is not greater, as a text; or imaginary.",
        "equal: whether the numbers are equal. Irrational ones are if a, the sign of b and b²d are.",
        "order: less, equal or greater, as left is compared with right; imaginary if one of them is not real. Numbers "
        "with unlike radicands have an order, too: decide it exactly, by squaring or by enough digits.",
    ),
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
        "equal": "the numbers are equal, however they are written",
        "unlike": "the roots are not rational multiples of each other",
        _BY_ZERO: "the quotient does not exist",
        _IMAGINARY: "a number that is not real",
        "close": "a sign or an order that doubles get wrong, or nearly",
        "refused": "the input is refused",
    },
    errors={"bad-number": "a part is no rational number, or a radicand is not whole"},
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"python-flint": _one_field},
)
