"""The family `independent-binary`: three judges between two labels, if their errors were independent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification, IndependentSolution
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.flags import listed
from ntqr_exact.vectors.forms.moments import moment_steps
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, counts_of, votes_from, votes_input
from ntqr_exact.vectors.fragments import COUNT, NUMBER, RATIONAL, TRUTH, described, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_ALARMS = (
    "contradiction",
    "imaginary",
    "irrational",
    "negative-product",
    "no-root",
    "not-whole",
    "out-of-range",
)


def compute(document: Document) -> dict[str, Any]:
    """Return the quadratic, both solutions, the kinds of alarms and the answer keys."""
    solution = solve_independent(votes_from(document))
    quadratic = solution.quadratic
    return {
        "quadratic": [] if quadratic is None else [quadratic.leading, quadratic.linear, quadratic.constant],
        "identification": solution.identification.name.lower(),
        "solutions": [_solution(evaluation) for evaluation in solution.solutions],
        "alarms": sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms}),
        "key_exists": not solution.alarms,
        "keys": _keys(solution),
    }


def _solution(evaluation: Evaluation) -> dict[str, Any]:
    first, second = evaluation.labels
    return {
        "prevalence": evaluation.prevalence[first],
        "accuracies": [[right[first], right[second]] for right in evaluation.accuracy],
    }


def _keys(solution: IndependentSolution) -> list[list[int]]:
    if solution.identification is not Identification.IDENTIFIED:
        return []  # a family may hold many keys, of which none is the first by right
    return [counts_of(key.by_label[solution.votes.labels[0]]) for key in solution.keys]


def steps(document: Document) -> Iterator[str]:
    """Tell how the solutions come about, and why each alarm fires."""
    votes = votes_from(document)
    solution = solve_independent(votes)
    yield from moment_steps(votes)
    yield f"A·P² − A·P + Π = 0: {solution.quadratic}"
    yield f"identification: {solution.identification.name.lower()}, {solution.identification.value}"
    for sign, evaluation in zip("+−", solution.solutions, strict=False):
        share = evaluation.prevalence[votes.labels[0]]
        yield f"with {sign}√A: P_a = (1 {sign} T/√A)/2 = {share}"
        for judge, right in enumerate(evaluation.accuracy, start=1):
            x, y = (right[label] for label in votes.labels)
            delta = f"(2Δ_{''.join(other for other in '123' if other != str(judge))})"
            root = f"{sign.strip('+')}√A"
            yield f"  x_{judge} = 1 − f_b{judge} + ({root} − T)/{delta} = {x}"
            yield f"  y_{judge} = f_b{judge} + ({root} + T)/{delta} = {y}"
    yield from (f"alarm, {alarm}" for alarm in solution.alarms)
    if not solution.alarms:
        yield "no alarm: a key exists under which the errors are independent"


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, votes made from an independent key, the same with one vote changed, and any votes."""
    if index % 3 == 2:
        size = 3 + index // 2 + draws.below(3)
        return Case(votes_input(draws.counts(size, 8)), f"any votes on {size} questions")
    base = 2 + index % 2 + index // 30
    right = [[draws.between(0, base) for _ in range(3)] for _ in range(2)]
    sizes = [base**3 * draws.between(1, 2 + index // 15) for _ in range(2)]
    counts = _independent(sizes[0], sizes[1], right[0], right[1], base=base)
    if index % 3 == 0:
        return Case(votes_input(counts), f"made from a key of {sum(sizes)} questions")
    old, new = draws.pick([place for place in range(8) if counts[place]]), draws.below(8)
    counts[old] -= 1
    counts[new] += 1
    return Case(
        votes_input(counts), f"made from a key of {sum(sizes)} questions, one vote changed", ("changed",)
    )


def _independent(
    of_first: int,
    of_second: int,
    right_on_first: Sequence[int],
    right_on_second: Sequence[int],
    *,
    base: int = 5,
) -> list[int]:
    """Return the counts of independent judges with right answers in base-th parts, base³ must divide the key counts."""
    counts = []
    for pattern in product("ab", repeat=3):
        first, second = of_first, of_second
        for given, x, y in zip(pattern, right_on_first, right_on_second, strict=True):
            first *= x if given == "a" else base - x
            second *= y if given == "b" else base - y
        counts.append(first // base**3 + second // base**3)
    return counts


FAMILY = Family(
    *declared("independent-binary"),
    input=record(PARTS),
    expected=record(
        quadratic=list_of(RATIONAL, exactly=3),
        identification=one_of("identified", "family", "none"),
        solutions=list_of(
            record(prevalence=NUMBER, accuracies=list_of(list_of(NUMBER, exactly=2), exactly=3))
        ),
        alarms=list_of(one_of(*_ALARMS)),
        key_exists=TRUTH,
        keys=described(
            list_of(list_of({"anyOf": [COUNT, RATIONAL]}, exactly=8)), "questions of the first label"
        ),
    ),
    flags={
        **listed("alarms", _ALARMS),
        "key": lambda _, found: bool(found["keys"]),
        "family": lambda _, found: found["identification"] == "family",
        "t-zero": lambda _, found: mpq(found["quadratic"][0]) == 4 * mpq(found["quadratic"][2]),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
