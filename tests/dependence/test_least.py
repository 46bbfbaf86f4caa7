"""Least dependence: what is proven is never above the least of all keys, and the witness never below."""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import product
from math import prod
from typing import Any

import numpy
import pytest
from gmpy2 import mpq

from ntqr_exact import (
    VoteCounts,
    check_dependence_certificate,
    closest_to_independence,
    evaluate_within,
    example,
    least_dependence,
    quick_ranges,
)
from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.least import LeastDependence
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.linear import guess
from tests.dependence.brute_force import all_keys, dependence, random_votes

ADULT = example("uci-adult-imaginary").votes


def check_against_all_keys(rng: random.Random, judges: int, labels: str, most: int) -> LeastDependence:
    votes = random_votes(rng, judges, labels, most)
    orders = rng.choice([(2,), (2, 3), (3,)])
    least = least_dependence(votes, orders)
    exact = min(dependence(key, judges, orders) for key in all_keys(votes))
    assert least.closed_form.value <= least.proven or 2 not in orders
    assert least.proven <= exact <= least.attained
    assert check_dependence_certificate(least.certificate)
    assert least.certificate["correlation"] == str(least.proven)
    assert least.witness.observed() == votes
    assert dependence_of(least.witness, orders).largest == least.attained
    return least


@pytest.mark.parametrize(
    ("judges", "labels", "most", "tries"),
    [(2, "ab", 6, 3), (3, "ab", 8, 40), (4, "ab", 8, 20), (3, "abc", 3, 3)],
)
def test_the_least_dependence_of_all_keys_lies_between_the_proven_and_the_attained(
    judges: int, labels: str, most: int, tries: int
) -> None:
    rng = random.Random(10 * judges + len(labels))
    for _ in range(tries):
        check_against_all_keys(rng, judges, labels, most)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_the_same_for_two_thousand_votes(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(50):
        check_against_all_keys(rng, 3 + number % 2, "ab", 8)


@pytest.mark.parametrize("orders", [(2,), (2, 3)])
def test_the_adult_votes_have_an_exact_least(orders: tuple[int, ...]) -> None:
    least = least_dependence(ADULT, orders)
    assert least.proven == least.attained == mpq(2459, 169362)
    assert least.witness.key_counts["a"] in (582, 418)
    assert check_dependence_certificate(least.certificate)
    assert "just that" in str(least)
    assert least.to_document()["proven"] == least.proven


@pytest.mark.slow
def test_four_judges_prove_four_fifths_of_what_is_attained() -> None:
    rng = random.Random(4)
    counts: dict[tuple[str, ...], int] = {}
    for _ in range(400):
        truth, mood = rng.choice("ab"), rng.random()
        answers = []
        for place in range(4):
            right = (mood if place < 2 and rng.random() < 0.5 else rng.random()) < 0.8
            answers.append(truth if right else "ab".replace(truth, ""))
        counts[tuple(answers)] = counts.get(tuple(answers), 0) + 1
    least = least_dependence(VoteCounts(counts))
    assert least.proven >= mpq(4, 5) * least.attained > 0
    assert check_dependence_certificate(least.certificate)


@pytest.mark.parametrize("counts", [{"aaa": 1}, {"aab": 5}, {"ab": 1, "ba": 1}, {"aaaa": 3, "bbbb": 2}])
def test_one_pattern_one_question_two_judges_and_copies_are_independent(counts: dict[str, int]) -> None:
    least = least_dependence(VoteCounts(counts))
    assert least.proven == least.attained == 0
    assert check_dependence_certificate(least.certificate)


def test_the_closest_key_is_the_independent_one_where_there_is_one() -> None:
    votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    closest = closest_to_independence(votes)
    assert closest.is_independent
    assert closest.dependence.largest == closest.total_variation == 0
    assert closest.ranking[0] == "J3"


def test_the_closest_key_of_three_labels_finds_good_judges() -> None:
    rng = random.Random(2)
    counts: dict[tuple[str, ...], int] = {}
    for _ in range(300):
        truth = rng.choice("abc")
        answers = tuple(truth if rng.random() < good else rng.choice("abc") for good in (0.9, 0.7, 0.5, 0.8))
        counts[answers] = counts.get(answers, 0) + 1
    closest = closest_to_independence(VoteCounts(counts, labels=("a", "b", "c")))
    assert closest.ranking == ("J1", "J4", "J2", "J3")
    assert 0 < closest.bound.value <= closest.dependence.largest < mpq(1, 20)
    assert "right in all" in str(closest)


@pytest.mark.parametrize("size", [200, 10**310])
def test_a_trio_with_a_real_solution_has_a_witness_within_a_question_of_it(size: int) -> None:
    """The expected counts of independent judges, rounded: so large that no float holds them, too."""
    rates = (
        (mpq("0.6"), "a", (mpq("0.9"), mpq("0.8"), mpq("0.7"))),
        (mpq("0.4"), "b", (mpq("0.2"), mpq("0.3"), mpq("0.1"))),
    )
    counts = {}
    for pattern in product("ab", repeat=3):
        share = sum(
            part * prod(x if answer == "a" else 1 - x for x, answer in zip(alphas, pattern, strict=True))
            for part, _, alphas in rates
        )
        counts[pattern] = int(share * size)
    votes = VoteCounts(counts)
    closest = closest_to_independence(votes)
    assert abs(closest.evaluation.prevalence["a"] - mpq("0.6")) < mpq(1, 50)
    assert closest.dependence.largest < mpq(2, 200)
    within = evaluate_within(votes, "1/50", effort="1/20")
    assert within.prevalence["a"][0] < mpq("0.6") < within.prevalence["a"][1]


@pytest.mark.slow
def test_results_and_certificates_are_the_same_bytes_without_numpy_and_scipy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(8)
    five = VoteCounts(
        Counter("".join(t if rng.random() < 0.8 else rng.choice("ab") for _ in range(5)) for t in "ab" * 60)
    )
    three = VoteCounts({"aab": 4, "bbb": 5, "ccc": 3, "cac": 1, "bab": 1}, labels=("a", "b", "c"))

    def everything() -> str:
        least, closest = least_dependence(five), closest_to_independence(three)
        within = [evaluate_within(votes, "1/50", effort="1/40") for votes in (ADULT, three)]
        parts = [least, closest, *within]
        proofs = [least.certificate, *(end.certificate for one in within for end in one.ends)]
        return write_json([[part.to_document() for part in parts], proofs])

    sizes: list[int] = []
    arrays = guess._Arrays

    def counted(numpy: Any, rows: list[list[float]]) -> Any:
        sizes.append(len(rows))
        return arrays(numpy, rows)

    monkeypatch.setattr(guess, "_Arrays", counted)
    with_all = everything()
    used = len(sizes)
    assert used
    for name in ("numpy", "scipy"):
        monkeypatch.setitem(sys.modules, name, None)
    assert everything() == with_all
    assert len(sizes) == used


def test_orders_and_judges_may_be_whole_numbers_of_numpy() -> None:
    votes = VoteCounts({"aaa": 5, "aab": 2, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 2, "bbb": 4})
    found = least_dependence(votes, numpy.array([2]), effort=1)
    assert found.orders == (2,)
    assert type(found.orders[0]) is int
    plain = quick_ranges(votes, "1/10", better_than_chance=1)
    for place in (numpy.int64(1), numpy.array(1), numpy.array([1])):
        assert quick_ranges(votes, "1/10", better_than_chance=place) == plain
    assert hash(plain) == hash(quick_ranges(votes, "1/10", better_than_chance=iter([1])))
