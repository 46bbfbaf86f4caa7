"""The family `log-sum-sign`: the sign of a sum of logarithms, ties included."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.logsum import enclose_log_sum, log_sum_sign
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import NUMBER_INPUT, described, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_WORDS = {-1: "negative", 0: "zero", 1: "positive"}


def compute(document: Document) -> dict[str, Any]:
    """Return the sign as a word."""
    terms = [(coefficient, argument) for coefficient, argument in document["terms"]]
    return {"sign": _WORDS[log_sum_sign(terms)]}


def steps(document: Document) -> Iterator[str]:
    """Tell the product of powers that is compared with 1, and bounds of the sum."""
    terms = [(coefficient, argument) for coefficient, argument in document["terms"]]
    yield "is the product of powers greater than 1: " + (" · ".join(f"({m})^({c})" for c, m in terms) or "1")
    bounds = enclose_log_sum(terms, 64)
    yield f"at 64 bits the sum of the logarithms lies in [{bounds.lower}, {bounds.upper}]"
    yield f"the sign is {compute(document)['sign']}"


def random_case(draws: Draws, index: int) -> Case:
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


FAMILY = Family(
    *declared("log-sum-sign"),
    input=record(
        terms=described(list_of(list_of(NUMBER_INPUT, exactly=2)), "pairs of a coefficient and an argument")
    ),
    expected=record(sign=one_of("negative", "zero", "positive")),
    flags={
        "tie": lambda _, found: found["sign"] == "zero",
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"python-flint": lambda *_: True},
)
