"""The family `agreement-solution`: what agreement rates mean if error rates multiply over the whole test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.flags import listed
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import NUMBER, RATIONAL, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_ALARMS = ("contradiction", "imaginary", "irrational", "not-whole", "out-of-range")


def compute(document: Document) -> dict[str, Any]:
    """Return the agreement rates, c², both branches of the error rates and the kinds of alarms."""
    solution = solve_agreement(votes_from(document))
    return {
        "agreements": list(solution.agreements.values()),
        "square": solution.square,
        "branches": [list(errors) for errors in solution.branches],
        "alarms": sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms}),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell how c² and the error rates come about, and why each alarm fires."""
    solution = solve_agreement(votes_from(document))
    for (i, j), rate in solution.agreements.items():
        name = f"{i + 1}{j + 1}"
        yield f"a_{name}, the share of questions on which judges {i + 1} and {j + 1} agree: {rate}"
    yield f"c² = (2a_12 − 1)(2a_13 − 1)(2a_23 − 1) = {solution.square}"
    for sign, errors in zip("−+", solution.branches, strict=False):
        for judge, others in enumerate(("23", "13", "12")):
            yield f"e_{judge + 1} = (1 {sign} c/(2a_{others} − 1))/2 = {errors[judge]}"
    yield from (f"alarm, {alarm}" for alarm in solution.alarms)
    if solution.note:
        yield solution.note


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, votes whose error rates multiply, the same with one question more, and any votes."""
    if index % 3 == 2:
        size = 3 + index // 2 + draws.below(4)
        return Case(votes_input(draws.counts(size, 8)), f"any votes on {size} questions")
    base = 3 + index // 30 + draws.below(3)
    wrong = [draws.between(0, base) for _ in range(3)]
    counts = [_product(place, base, wrong) for place in range(8)]
    # The first label is taken for the truth; half of the questions may be of the second without any difference.
    if draws.below(2):
        counts = [left + right for left, right in zip(counts, counts[::-1], strict=True)]
    comment = "error rates multiply"
    if index % 3 == 1:
        counts[draws.below(8)] += 1
        comment = "error rates that multiply, one question more"
    return Case(votes_input(counts), comment)


def _product(place: int, base: int, wrong: Sequence[int]) -> int:
    """Return the count of a pattern, of base³ questions, if judges answer b independently in base-th parts."""
    bits = (place >> 2 & 1, place >> 1 & 1, place & 1)
    return prod(parts if bit else base - parts for bit, parts in zip(bits, wrong, strict=True))


FAMILY = Family(
    *declared("agreement-solution"),
    input=record(PARTS),
    expected=record(
        agreements=list_of(RATIONAL, exactly=3),
        square=RATIONAL,
        branches=list_of(list_of(NUMBER, exactly=3)),
        alarms=list_of(one_of(*_ALARMS)),
    ),
    flags={
        **listed("alarms", _ALARMS),
        "half": lambda _, found: found["square"] == "0" and not found["alarms"],
        "fits": lambda _, found: bool(found["branches"]) and not found["alarms"],
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
