"""Three judges between two labels: moments of their votes, and what independent errors would mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from gmpy2 import mpq

from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification, IndependentSolution
from ntqr_exact.evaluators.independent.whole_moments import PAIRS, whole_moments
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, listed
from ntqr_exact.vectors.forms.votes import counts_of, votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared


def _moments(document: Document) -> dict[str, Any]:
    votes = votes_from(document)
    _, second = votes.labels
    moments, sixth = whole_moments(votes), mpq(votes.size) ** 6
    return {
        "frequencies": [votes.frequency(pattern) for pattern in votes.patterns()],
        "rates": [votes.response_rate(judge, second) for judge in range(3)],
        "pair_moments": [votes.pair_moment(i, j) for i, j in PAIRS],
        "trio_moment": votes.trio_moment(0, 1, 2),
        "pair_product": moments.pair_product / sixth,
        "discriminant": moments.discriminant / sixth,
    }


def _moment_steps(document: Document) -> Iterator[str]:
    votes, found = votes_from(document), _moments(document)
    size = votes.size
    yield f"Q = {' + '.join(map(str, counts_of(votes)))} = {size}"
    for pattern, share in zip(votes.patterns(), found["frequencies"], strict=True):
        yield f"f_{''.join(pattern)} = {votes.counts[pattern]}/{size} = {share}"
    f1, f2, f3 = found["rates"]
    yield f"f_b1 = f_baa + f_bab + f_bba + f_bbb = {f1}; f_b2 = {f2}; f_b3 = {f3}"
    joint = [votes.marginal(i, j).frequency(votes.labels[1] * 2) for i, j in PAIRS]
    for (i, j), both, value in zip(PAIRS, joint, found["pair_moments"], strict=True):
        left, right = found["rates"][i], found["rates"][j]
        yield f"Δ_{i + 1}{j + 1} = {both} − ({left})·({right}) = {value}"
    d12, d13, d23 = found["pair_moments"]
    yield (
        f"T = f_bbb − (f_b1·f_b2·f_b3 + f_b1·Δ_23 + f_b2·Δ_13 + f_b3·Δ_12) = {found['frequencies'][7]} − "
        f"({f1}·{f2}·{f3} + {f1}·({d23}) + {f2}·({d13}) + {f3}·({d12})) = {found['trio_moment']}"
    )
    yield f"Π = Δ_12·Δ_13·Δ_23 = ({d12})·({d13})·({d23}) = {found['pair_product']}"
    yield f"A = T² + 4Π = {found['discriminant']}"


def _moments_case(draws: Draws, index: int) -> Case:
    """Return uniform counts that add up to a number of questions growing with the index."""
    size = 2 + index * index // 4 + draws.below(3)
    return Case(votes_input(draws.counts(size, 8)), f"{size} questions")


_ALARMS = (
    "contradiction",
    "imaginary",
    "irrational",
    "negative-product",
    "no-root",
    "not-whole",
    "out-of-range",
)


def _binary(document: Document) -> dict[str, Any]:
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


def _binary_steps(document: Document) -> Iterator[str]:
    votes = votes_from(document)
    solution = solve_independent(votes)
    yield from _moment_steps(document)
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


def _binary_case(draws: Draws, index: int) -> Case:
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


_AGREEMENT_ALARMS = ("contradiction", "imaginary", "irrational", "not-whole", "out-of-range")


def _agreement(document: Document) -> dict[str, Any]:
    solution = solve_agreement(votes_from(document))
    return {
        "agreements": list(solution.agreements.values()),
        "square": solution.square,
        "branches": [list(errors) for errors in solution.branches],
        "alarms": sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms}),
    }


def _agreement_steps(document: Document) -> Iterator[str]:
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


def _agreement_case(draws: Draws, index: int) -> Case:
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


FAMILIES = (
    Family(*declared("vote-moments", _moments, _moment_steps, _moments_case)),
    Family(
        *declared("independent-binary", _binary, _binary_steps, _binary_case),
        flags={
            **listed("alarms", _ALARMS),
            "key": lambda _, found: bool(found["keys"]),
            "family": lambda _, found: found["identification"] == "family",
            "t-zero": lambda _, found: mpq(found["quadratic"][0]) == 4 * mpq(found["quadratic"][2]),
        },
    ),
    Family(
        *declared("agreement-solution", _agreement, _agreement_steps, _agreement_case),
        flags={
            **listed("alarms", _AGREEMENT_ALARMS),
            "half": lambda _, found: found["square"] == "0" and not found["alarms"],
            "fits": lambda _, found: bool(found["branches"]) and not found["alarms"],
        },
    ),
)
