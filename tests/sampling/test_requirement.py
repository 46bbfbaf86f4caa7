"""Requirements: what is proven is true at the level over all samples, and the planned grades are the fewest."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest

from ntqr_exact import PartialKey, VoteCounts, prove_requirement
from ntqr_exact.answer import Answer
from ntqr_exact.errors import BadChoice, BadNumber, BadSamples, EmptyTest
from ntqr_exact.sampling.designs import Hypergeometric
from ntqr_exact.sampling.intervals import interval
from tests.sampling.enumeration import Truth, answered, coverage, kappa, right, truths

LEVEL = "0.8"


def agrees(text: str, value: Callable[[Truth], Fraction | None], bound: Fraction) -> Callable[..., bool]:
    """Whether what a sample proves or refutes is so."""

    def check(key: PartialKey, truth: Truth) -> bool:
        answer, actual = prove_requirement(key, f"{text} >= {bound}", level=LEVEL).answer, value(truth)
        return answer is Answer.UNDECIDED or (
            actual is not None and (answer is Answer.YES) == (actual >= bound)
        )

    return check


@pytest.mark.parametrize(
    ("counts", "labels", "size"),
    [
        ({"aa": 3, "ab": 2, "ba": 1, "bb": 2}, "ab", 4),
        ({"aa": 2, "ab": 2, "ca": 1, "bb": 2}, "abc", 5),
        ({("a", "a"): 2, ("a", None): 2, ("b", "a"): 2, (None, "b"): 1}, "ab", 3),
    ],
)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("J1", lambda truth: Fraction(right(truth, 0), sum(answered(truth, 0).values()))),
        (
            "J1 - J2",
            lambda truth: Fraction(
                right(truth, 0, 1) - right(truth, 1, 0), sum(answered(truth, 0, 1).values())
            ),
        ),
        ("kappa(J1)", lambda truth: kappa(truth, "abc")),
    ],
)
def test_a_proof_is_wrong_at_most_as_often_as_the_level_says(counts, labels, size, text, value):
    sizes = {frozenset(counts): size}
    for number, truth in enumerate(truths(counts, labels)):
        if labels == "abc" and number % 97:
            continue
        for bound in (Fraction(0), Fraction(1, 4), Fraction(5, 8)):
            check = agrees(text, value, bound)
            assert coverage(counts, truth, sizes, "at_random", check, labels=labels) >= Fraction(LEVEL)


def one_judge(size: int, graded: int, hits: int) -> PartialKey:
    known = {"a": {"a": hits}, "b": {"a": graded - hits}}
    return PartialKey(VoteCounts({"a": size}), known, drawn="at_random")


def chance_to_decide(size: int, graded: int, hits: int, required: int, more: int) -> Fraction:
    """The share of the further grades after which the interval decides as the sample's share suggests."""
    truth = min(max((2 * hits * size + graded) // (2 * graded), hits), size - graded + hits)
    found = Fraction(0)
    for x in range(more + 1):
        low, high = interval(Hypergeometric(size, graded + more), hits + x, "central", LEVEL)
        if (low >= required) if truth >= required else (high < required):
            ways = comb(truth - hits, x) * comb(size - graded - truth + hits, more - x)
            found += Fraction(ways, comb(size - graded, more))
    return found


@pytest.mark.parametrize(("size", "graded", "hits"), [(30, 6, 5), (24, 8, 3), (40, 5, 4), (17, 16, 9)])
@pytest.mark.parametrize("required", [3, 9, 14, 21])
def test_the_planned_grades_decide_and_one_less_does_not(size, graded, hits, required):
    key = one_judge(size, graded, hits)
    proof = prove_requirement(key, f"J1 >= {Fraction(required, size)}", level=LEVEL)
    if proof.answer is not Answer.UNDECIDED:
        assert proof.more_grades == 0
        return
    chances = [chance_to_decide(size, graded, hits, required, proof.more_grades - i) for i in (0, 1)]
    assert chances[0] >= Fraction(4, 5) > chances[1]


def test_strict_and_weak_bounds_differ_at_an_end():
    key = one_judge(4, 4, 3)
    found = {sign: prove_requirement(key, f"J1 {sign} 3/4").answer for sign in (">", ">=")}
    assert found == {">": Answer.NO, ">=": Answer.YES}


def test_a_complete_key_decides_however_it_was_drawn():
    known = {"a": {"ab": 3}, "b": {"ab": 1}}
    key = PartialKey(VoteCounts({"ab": 4}), known, drawn="not_at_random")
    assert prove_requirement(key, "J1 - J2 >= 1/2").answer is Answer.YES
    assert prove_requirement(key, "J2 > J1").line.startswith("refuted: J2 > J1")


KEY = PartialKey(VoteCounts({"ab": 4}), {"a": {"ab": 1}}, drawn="not_at_random")
ALONE = PartialKey(VoteCounts({("a", None): 4}), {"a": {("a", None): 1}}, drawn="at_random")


@pytest.mark.parametrize(
    ("key", "text", "level", "error"),
    [
        *(
            (KEY, text, "0.95", BadChoice)
            for text in ("J1", "J1 >= x", "J9 >= 1/2", "kappa(J9) > 0", "J1 - J1 > 0")
        ),
        (KEY, "J1 >= 1/2", "0.95", BadSamples),
        (ALONE, "J2 > 0", "0.95", EmptyTest),
        (ALONE, "J1 > 0", 1, BadNumber),
    ],
)
def test_bad_requirements_are_refused(key, text, level, error):
    with pytest.raises(error):
        prove_requirement(key, text, level=level)
