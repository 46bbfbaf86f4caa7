"""The family `log-sum-sign`: the sign of a sum of logarithms, ties included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.exact.logsum import enclose_log_sum, log_sum_sign
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import described, list_of, one_of, record

_WORDS = {-1: "negative", 0: "zero", 1: "positive"}
_Terms = Sequence[Sequence[int | str]]


def compute(document: Document) -> dict[str, Any]:
    """Return the sign as a word."""
    return {"sign": _WORDS[_sign(document["terms"])]}


def _sign(terms: _Terms) -> int:
    return log_sum_sign([(coefficient, argument) for coefficient, argument in terms])


def steps(document: Document) -> Iterator[str]:
    """Tell the product of powers that is compared with 1, and bounds of the sum."""
    terms = [(coefficient, argument) for coefficient, argument in document["terms"]]
    yield "is the product of powers greater than 1: " + (" · ".join(f"({m})^({c})" for c, m in terms) or "1")
    bounds = enclose_log_sum(terms, 64)
    yield f"at 64 bits the sum of the logarithms lies in [{bounds.lower}, {bounds.upper}]"
    yield f"the sign is {compute(document)['sign']}"


def edge_cases() -> Iterator[Case]:
    """Yield powers, ties with and without common primes, sums nearer to 0 than doubles see, refusals."""
    yield _case([], "the empty sum")
    yield _case([[1, 1]], "log 1")
    yield _case([[1, 2]], "log 2")
    yield _case([[-1, 2]], "−log 2")
    yield _case([[1, "1/2"]], "the logarithm of a half")
    yield _case([[-1, "1/2"]], "minus the logarithm of a half")
    yield _case([[0, 7]], "a coefficient of 0")
    yield _case([[0, 0]], "0·log 0 counts as 0")
    yield _case([[0, 0], [1, 3], [-1, 2]], "0·log 0 beside others")
    yield _case([[2, 3], [-1, 9]], "3² = 9")
    yield _case([[8, 3], [-5, 6]], "3⁸ < 6⁵")
    yield _case([["1/2", 4], [-1, 2]], "√4 = 2")
    yield _case([["1/2", 2], ["1/3", 3], ["-1/6", 72]], "√2 · ³√3 = ⁶√72")
    yield _case([["1/2", 2], ["1/3", 3], ["-1/6", 71]], "√2 · ³√3 > ⁶√71")
    yield _case([[1, 6], [1, 10], [-1, 15], [-2, 2]], "6·10 = 15·2²")
    yield _case([[1, "2/3"], [1, "3/2"]], "a number and its inverse")
    yield _case([[1, "2/3"], [1, "3/4"], [1, 2]], "2/3 · 3/4 · 2 = 1")
    yield _case([[1, 5], [1, 5], [-1, 5], [-1, 5]], "the same argument four times")
    yield _case([[8, 8], [9, 9], [-3, 3], [-3, 3], [-12, 12]], "entropies of (1,8,9)/18 and (3,3,12)/18 tie")
    yield _case([[3, 3], [3, 3], [4, 4], [-2, 2], [-6, 6]], "entropies of (0,3,3,4)/10 and (1,1,2,6)/10 tie")
    yield _case([[8, 8], [9, 9], [-3, 3], [-4, 4], [-11, 11]], "(1,8,9)/18 and (3,4,11)/18 do not")
    near: tuple[tuple[_Terms, str], ...] = (
        ([[1, 10**9 - 1], [1, 10**9 + 1], [-2, 10**9]], "10¹⁸ − 1 against 10¹⁸"),
        ([[2, 10**9], [-1, 10**9 - 1], [-1, 10**9 + 1]], "10¹⁸ against 10¹⁸ − 1"),
        ([[1, str(10**40 - 1)], [1, str(10**40 + 1)], [-2, str(10**40)]], "10⁸⁰ − 1 against 10⁸⁰"),
        (
            [[1, str(10**40 - 1)], [1, str(10**40 + 1)], [-1, str(10**80 - 1)]],
            "(x − 1)(x + 1) = x² − 1, x = 10⁴⁰",
        ),
        ([[1054, 2], [-665, 3]], "2¹⁰⁵⁴ against 3⁶⁶⁵, neighbours among such powers"),
        ([[-24727, 2], [15601, 3]], "3¹⁵⁶⁰¹ against 2²⁴⁷²⁷, nearer still"),
        ([["1e-30", 3], ["-1e-30", 2]], "tiny coefficients"),
        ([[10**15, 3], [-(10**15), 2]], "large coefficients"),
        ([[10**15, 9], [-2 * 10**15, 3]], "a tie with large coefficients"),
        ([[1, "1.000000000000000000000000000001"]], "just above log 1"),
        ([[1, "0.999999999999999999999999999999"]], "just below log 1"),
    )
    yield from (_case(terms, comment, "near") for terms, comment in near)
    for bad, comment in (
        ([[1, 0]], "log 0"),
        ([[-1, 0], [1, 2]], "minus log 0"),
        ([[1, -2]], "the logarithm of a negative number"),
        ([[0, -2]], "the same, not at all"),
        ([[1, "two"]], "an argument that is no number"),
        ([["one", 2]], "a coefficient that is no number"),
        ([[1, "1/0"]], "an argument over zero"),
    ):
        yield Case({"terms": bad}, comment, ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, any sum, one that is zero by construction, and one that is nearly zero."""
    largest = 4 + index // 2
    if index % 3 == 0:
        any_terms = [[draws.between(-9, 9), draws.between(1, largest)] for _ in range(2 + index // 40)]
        return _case(any_terms, f"{len(any_terms)} terms")
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
    return _case(draws.shuffled(terms), comment)


def _case(terms: _Terms, comment: str, *flags: str) -> Case:
    exact = [list(term) for term in terms]
    return Case({"terms": exact}, comment, (*flags, *(["tie"] if _sign(exact) == 0 else [])))


FAMILY = Family(
    name="log-sum-sign",
    version=1,
    title="The sign of a sum of logarithms",
    citations=(Citation("orderings", "section 2.3, items 2 and 6"),),
    algorithm=(
        "terms is a list of pairs [c, m], a coefficient and an argument. Numbers are JSON integers, or texts like 3/8, "
        "0.375 or 4e-7, which mean just what they say. Refuse as bad-number what is no number, an argument below 0 "
        "whatever its coefficient, and an argument of 0 whose coefficient is not 0.",
        "sign: negative, zero or positive, the sign of the sum of c·log(m), in which 0·log 0 counts as 0 and the empty "
        "sum is 0.",
        "It can be found exactly: with D a common denominator of the coefficients, it is the sign of P − 1, where P is "
        "the product of the powers m^(D·c), a rational number. That is long for large exponents; enclosures of the "
        "logarithms decide all but ties and near ties.",
    ),
    input=record(
        terms=described(list_of(list_of(NUMBER_INPUT, exactly=2)), "pairs of a coefficient and an argument")
    ),
    expected=record(sign=one_of("negative", "zero", "positive")),
    flags={
        "tie": "the sum is exactly 0",
        "near": "a sum or terms of a size that doubles do not tell from 0, or from each other",
        "refused": "a term has no logarithm",
    },
    errors={"bad-number": "a number is none, or an argument is not positive"},
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"python-flint": lambda _: True},
)
