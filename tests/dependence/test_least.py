"""Least dependence: what is proven is never above the least of all keys, and the witness never below."""

from __future__ import annotations

import random
import sys

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    VoteCounts,
    check_dependence_certificate,
    closest_to_independence,
    evaluate_within,
    example,
    least_dependence,
)
from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.least import LeastDependence
from ntqr_exact.dependence.ranges import WithinBudget
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
    [(2, "ab", 6, 3), (3, "ab", 6, 12), (4, "ab", 6, 5), (3, "abc", 3, 3)],
)
def test_the_least_dependence_of_all_keys_lies_between_the_proven_and_the_attained(
    judges: int, labels: str, most: int, tries: int
) -> None:
    rng = random.Random(10 * judges + len(labels))
    for _ in range(tries):
        check_against_all_keys(rng, judges, labels, most)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_the_same_for_many_more_votes(seed: int) -> None:
    rng = random.Random(seed)
    for judges in (3, 3, 4):
        check_against_all_keys(rng, judges, "ab", 8)


@pytest.mark.parametrize("orders", [(2,), (2, 3)])
def test_the_adult_votes_have_an_exact_least(orders: tuple[int, ...]) -> None:
    least = least_dependence(ADULT, orders)
    assert least.proven == least.attained == mpq(2459, 169362)
    assert least.witness.key_counts["a"] in (582, 418)
    assert check_dependence_certificate(least.certificate)
    assert "just that" in str(least)
    assert least.to_document()["proven"] == least.proven


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


def test_without_scipy_all_is_proven_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ntqr_exact.linear.guess.highs", lambda: None)
    monkeypatch.setattr("ntqr_exact.dependence.float_keys.highs", lambda: None)
    for name in ("numpy", "scipy"):
        monkeypatch.setitem(sys.modules, name, None)
    assert least_dependence(ADULT).is_exact
    within = evaluate_within(ADULT, "1/100")
    assert within.existence is WithinBudget.NONE
    assert check_dependence_certificate(within.certificate)
