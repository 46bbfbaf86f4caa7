"""The family `mcnemar-test`: the exact test of paired answers, and its mid-p form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import whole_number
from ntqr_exact.significance.exact_tests import Alternative, McNemarTail, mcnemar_test
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import NUMBER_INPUT, RATIONAL, record
from ntqr_exact.vectors.specification import Case, Document, declared

_COUNTS = ("control_only", "treatment_only")
_LARGE = 500


def compute(document: Document) -> dict[str, Any]:
    """Return the p-values of both forms."""
    counts = [document[name] for name in _COUNTS]
    return {
        tail.name.lower(): {
            one.name.lower(): mcnemar_test(*counts, alternative=one, tail=tail) for one in Alternative
        }
        for tail in McNemarTail
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the number of differences, and the p-values."""
    less, more = _counts(document)
    yield f"c = {less}, t = {more}, n = {less + more}: 2ⁿ = {2 ** (less + more)} equally likely outcomes"
    for form, values in compute(document).items():
        yield f"{form}: " + ", ".join(f"{name} = {value}" for name, value in values.items())


def random_case(draws: Draws, index: int) -> Case:
    """Return two counts that grow with the index; now and then equal, or one of them 0."""
    one, other = draws.below(2 + index // 3), draws.below(2 + index // 3)
    match index % 10:
        case 8:
            one = other = 1 + one
        case 9:
            one, other = 0, 1 + other
    return Case(dict(zip(_COUNTS, (one, other), strict=True)), f"{one + other} pairs differ")


def _counts(given: Document) -> tuple[int, int]:
    less, more = (whole_number(given[name]) for name in _COUNTS)
    return less, more


FAMILY = Family(
    *declared("mcnemar-test"),
    input=record(dict.fromkeys(_COUNTS, NUMBER_INPUT)),
    expected=record(
        {
            tail.name.lower(): record({one.name.lower(): RATIONAL for one in Alternative})
            for tail in McNemarTail
        }
    ),
    flags={
        "equal": lambda given, _: len(set(_counts(given))) == 1,
        "one-sided": lambda given, _: min(_counts(given)) == 0 < max(_counts(given)),
        "none": lambda given, _: max(_counts(given)) == 0,
        "large": lambda given, _: max(_counts(given)) > _LARGE,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scipy": lambda given, found: "error" not in found and sum(_counts(given)) <= 40},
)
