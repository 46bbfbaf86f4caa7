"""The family `trio-postulates`: what the complete postulates of three judges come to, on and off the variety."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.examples import EXAMPLES
from ntqr_exact.postulates.postulate import PostulateSet, Space
from ntqr_exact.postulates.trio import trio
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.single_postulates import (
    ERRORS,
    KEY_WORDS,
    POINT,
    POINT_FLAGS,
    REFUSALS,
    RESIDUAL,
    UNDEFINED_WORDS,
    point_case,
    random_point,
    residual_steps,
    residuals,
    with_evaluation,
    with_graded,
    with_key,
    with_rates,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import TRUTH, record
from ntqr_exact.vectors.votes_input import SHARED, WORDS, counts_of, pattern_names, votes_from, votes_input

_PATTERNS = tuple(f"f({','.join(name)})" for name in pattern_names("ab", 3))
_NAMES = ("5", *_PATTERNS, "38")


@cache
def _postulates() -> PostulateSet:
    found = trio()
    return PostulateSet(found[name] for name in _NAMES)


def compute(document: Document) -> dict[str, Any]:
    """Return the residuals of the complete set, and whether all are zero."""
    return residuals(_postulates(), document, spaces=[Space.RATES])


def steps(document: Document) -> Iterator[str]:
    """Tell what each postulate comes to."""
    return residual_steps(_postulates(), document, compute(document)["residuals"])


def edge_cases() -> Iterator[Case]:
    """Yield keys, exchanged correlations, one wrong number at a time, irrational rates, and refusals."""
    of_a, of_b = [5, 3, 2, 1, 4, 1, 1, 2], [1, 1, 3, 2, 1, 4, 2, 6]
    votes = [a + b for a, b in zip(of_a, of_b, strict=True)]
    yield _key(votes, of_a, of_b, "a key with all correlations, on its votes")
    yield _key(votes, of_b, of_a, "the labels of the key exchanged: on the variety, too")
    yield _key([2 * count for count in votes], of_a, of_b, "twice the votes: rates agree")
    for place in range(8):
        moved = list(votes)
        moved[place] += 1
        name = pattern_names("ab", 3)[place]
        yield _key(moved, of_a, of_b, f"one vote {name} more than the key has")
    yield _case(with_graded(votes, [of_a, of_b], 3), "the same key in rates and correlations")
    for label, correlation in ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)):
        document = with_graded(votes, [of_a, of_b], 3)
        document["rates"]["correlations"][label][correlation] = "1/7"
        which = ("12", "13", "23", "123")[correlation]
        yield _case(document, f"Γ_{which} on {'ab'[label]} is replaced by 1/7")
    document = with_graded(votes, [of_a, of_b], 3)
    document["rates"]["correlations"] = [["0"] * 4] * 2
    yield _case(document, "all correlations left out")
    yield _key(votes, [0] * 8, votes, "all questions are b: rates on a do not matter")
    yield _key(votes, votes, [0] * 8, "all questions are a")
    yield _key([1] * 8, votes, [0] * 8, "all questions are a, and the votes do not fit")
    yield _key([1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0], [0] * 8, "one question")
    yield _key(
        [3, 0, 0, 0, 0, 0, 0, 2], [3, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 2], "no error at all"
    )
    yield _key(
        [3, 0, 0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0, 0, 2], [3, 0, 0, 0, 0, 0, 0, 0], "nothing but errors"
    )
    rates = [["1/2", None], ["1/2", None], ["1/2", None]]
    zero, free = ["0", "0", "0", "0"], [None] * 4
    yield _rates([1] * 8, ["1", "0"], rates, [zero, free], "P_b = 0, rates on b undefined")
    yield _rates([1] * 8, ["1/2", "1/2"], rates, [zero, free], "rates on b undefined though P_b is not 0")
    yield _rates([1] * 8, ["1/2", "1/2"], [["1/2", "1/2"]] * 3, [zero, zero], "judges who guess")
    yield _rates(
        [1] * 8, ["1/3", "1/3"], [["1/2", "1/2"]] * 3, [zero, zero], "prevalences that do not add up to 1"
    )
    opposite = [["0", "0", "0", "1/8"], ["0", "0", "0", "1/8"]]
    yield _rates([1] * 8, ["1/2", "1/2"], [["1/2", "1/2"]] * 3, opposite, "trio correlations that cancel")
    even = [["0", "0", "0", "1/8"], ["0", "0", "0", "-1/8"]]
    yield _rates([1] * 8, ["1/2", "1/2"], [["1/2", "1/2"]] * 3, even, "trio correlations that add up")
    yield from _irrational()
    large = [3 * 10**15, 10**14, 10**14, 10**13, 10**14, 10**13, 10**13, 10**12]
    mirrored = large[::-1]
    both = [a + b for a, b in zip(large, mirrored, strict=True)]
    yield _key(both, large, mirrored, "rates beyond the digits of doubles", "large")
    yield _key([both[0] + 1, *both[1:]], large, mirrored, "one vote more", "large")
    yield Case(with_key([0] * 8, [0] * 8, [0] * 8, judges=3), "no question at all", ("refused",))
    yield Case(with_key([1] * 8, [0] * 8, [0] * 8, judges=3), "a key without questions", ("refused",))
    yield Case(with_key([-1] + [1] * 7, [1] * 8, [0] * 8, judges=3), "a negative count", ("refused",))
    yield Case(with_key([1] * 7, [1] * 8, [0] * 8, judges=3), "a count is missing", ("refused",))


def _irrational() -> Iterator[Case]:
    """Yield the independent solutions of votes that no independent judges gave: on the variety, over Q(√A)."""
    tests: dict[str, Sequence[int]] = {
        "two-norm": counts_of(EXAMPLES["two-norm"].votes),
        "Q = 6, A > 0": (0, 1, 1, 0, 1, 0, 0, 3),
        "Q = 6, A < 0: imaginary rates": (0, 1, 1, 1, 1, 1, 1, 0),
    }
    for name, counts in tests.items():
        for evaluation in solve_independent(votes_from(votes_input(counts))).solutions:
            yield _case(with_evaluation(counts, evaluation), f"{name}: an independent solution", "surd")
        document = with_evaluation(counts, evaluation)
        document["rates"]["accuracies"][0][0] = "1/2"
        yield _case(document, f"{name}: an accuracy replaced by 1/2", "surd")


def random_case(draws: Draws, index: int) -> Case:
    """Return a point of a key with a number of questions growing with the index, on or off the variety."""
    document, comment = random_point(draws, index, 3, size=4 + index * index // 24 + draws.below(5))
    return _case(document, comment)


def _case(document: Document, comment: str, *flags: str) -> Case:
    return point_case(compute, document, comment, *flags)


def _key(counts: Sequence[int], of_a: Sequence[int], of_b: Sequence[int], comment: str, *flags: str) -> Case:
    return _case(with_key(counts, of_a, of_b, judges=3), comment, *flags)


def _rates(
    counts: Sequence[int], prevalence: list[str], accuracies: list[Any], correlations: list[Any], comment: str
) -> Case:
    return _case(with_rates(counts, prevalence, accuracies, correlations), comment)


FAMILY = Family(
    name="trio-postulates",
    version=1,
    title="Residuals of the complete postulates of three judges between two labels",
    citations=(
        Citation("ntqr", "eq. 5"),
        Citation("ntqr", "section 5, announced and not printed"),
        Citation("ntqr", "eq. 38"),
    ),
    algorithm=(
        WORDS,
        *KEY_WORDS,
        "For three judges the list of correlations of each label holds Γ_12, Γ_13, Γ_23 and Γ_123, in this order.",
        REFUSALS,
        "residuals: 5 is P_a + P_b − 1. 38 is the sum of all f_v minus 1, with f_v = (count of v)/Q: always zero.",
        "For each pattern v, written f(a,a,a) to f(b,b,b): f_v − Σ_l P_l·(r_1r_2r_3 + s_1s_2Γ^l_12·r_3 + "
        "s_1s_3Γ^l_13·r_2 + s_2s_3Γ^l_23·r_1 + s_1s_2s_3Γ^l_123), the sum over the true labels l = a, b. Here "
        "r_m is the accuracy of judge m on l and s_m = 1 if judge m answers l in v; otherwise r_m is "
        "1 minus that accuracy and s_m = −1.",
        "Surds in one input have one radicand d; compute in numbers u + w√d, with √d·√d = d, also for negative d.",
        UNDEFINED_WORDS,
        "on: whether all residuals are zero (none is undefined).",
    ),
    input=POINT,
    expected=record(residuals=record(dict.fromkeys(_NAMES, RESIDUAL)), on=TRUTH),
    flags={
        **POINT_FLAGS,
        "surd": "rates of the form a + b√d",
        "large": "numbers that doubles do not tell apart",
    },
    errors=ERRORS,
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={
        "brute-force": lambda document: "key" in document and len(document["counts"]) == 8,
    },
)
