"""Ranges under a budget hold every key within it; breakdown points are never beyond the least failing key."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    VoteCounts,
    breakdown_point,
    check_dependence_certificate,
    evaluate_within,
    example,
    grade,
)
from ntqr_exact.dependence.key_dependence import dependence_of
from ntqr_exact.dependence.objectives import JudgeClaim, Objective, read_claim
from ntqr_exact.dependence.ranges import EvaluationWithin, RangeProof, WithinBudget, nested
from ntqr_exact.errors import BadNumber, BadQuery, NtqrExactError
from tests.dependence.brute_force import Share, accuracy, all_keys, dependence, prevalence, random_votes
from tests.dependence.test_key_dependence import as_key

ADULT = example("uci-adult-imaginary").votes


def is_no_worse_than_chance(key: dict[str, Share], judge: int) -> bool:
    right = [accuracy(key, judge, label) for label in "ab"]
    return None in right or sum(rate for rate in right if rate is not None) >= 1


def right_answers(key: dict[str, Share], names: dict[str, str]) -> int:
    return sum(n * p.count(names[label]) for label, share in key.items() for p, n in share.items())


def is_named_by_most_right(key: dict[str, Share]) -> bool:
    namings = [dict(zip(key, names, strict=True)) for names in permutations(key)]
    return right_answers(key, namings[0]) == max(right_answers(key, names) for names in namings)


def check_against_all_keys(rng: random.Random, judges: int, most: int, labels: str = "ab") -> None:
    votes = random_votes(rng, judges, labels, most)
    delta, orders = rng.choice([0, Fraction(1, 50), Fraction(1, 10)]), rng.choice([(2,), (2, 3)])
    better = rng.choice([True, False]) if len(labels) == 2 else True
    found = evaluate_within(votes, str(delta), orders=orders, better_than_chance=better)
    keys = [key for key in all_keys(votes) if dependence(key, judges, orders) <= delta]
    for judge in found.better:
        keys = [key for key in keys if is_no_worse_than_chance(key, votes.place(judge))]
    if len(labels) > 2:
        keys = [key for key in keys if is_named_by_most_right(key)]
    if found.existence is not WithinBudget.UNDECIDED:
        assert bool(keys) == (found.existence is WithinBudget.EXISTS)
    for key in keys:
        for label in votes.labels:
            low, high = found.prevalence[label]
            assert low <= prevalence(key, label) <= high
            for judge in range(judges):
                rate = accuracy(key, judge, label)
                assert (
                    rate is None or found.accuracy[judge][label][0] <= rate <= found.accuracy[judge][label][1]
                )
        for judge, (low, high) in enumerate(found.overall):
            assert low <= Objective(None, votes.judges[judge]).value(as_key(key, votes)) <= high
    check_ends(found)


def check_ends(found: EvaluationWithin) -> None:
    for end in found.ends:
        assert (end.certificate is None) == (end.proof in (RangeProof.LIMIT, RangeProof.NO_KEY))
        assert end.certificate is None or check_dependence_certificate(end.certificate)
        if end.witness is not None:
            assert end.witness.observed() == found.votes
            assert dependence_of(end.witness, found.orders).largest <= found.correlation
            assert end.goal.value(end.witness) == end.attained
            assert end.attained <= end.proven if end.is_upper else end.attained >= end.proven


@pytest.mark.parametrize(
    ("judges", "most", "tries", "labels"),
    [(2, 5, 2, "ab"), (3, 8, 6, "ab"), (4, 8, 2, "ab"), (3, 4, 1, "abc")],
)
def test_ranges_hold_every_key_within_the_budget(judges: int, most: int, tries: int, labels: str) -> None:
    rng = random.Random(judges)
    for _ in range(tries):
        check_against_all_keys(rng, judges, most, labels)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_the_same_for_a_thousand_votes(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(50):
        check_against_all_keys(rng, 3 + number % 2, 8)
    check_against_all_keys(rng, 3, 5, "abc")


def test_the_adult_votes_within_two_hundredths() -> None:
    found = evaluate_within(ADULT, correlation="0.02")
    low, high = found.prevalence["a"]
    assert mpq("0.43") < low < mpq("0.47")
    assert mpq("0.65") < high < mpq("0.68")
    low, high = found.accuracy["3"]["a"]
    assert mpq("0.84") < low < mpq("0.88")
    assert high == 1
    assert found.attained.prevalence["a"][0] - found.prevalence["a"][0] < mpq("0.03")
    check_ends(found)


def test_a_budget_below_the_least_dependence_is_proven_impossible() -> None:
    found = evaluate_within(ADULT, correlation="0.01")
    assert found.existence is WithinBudget.NONE
    assert {end.proof for end in found.ends} == {RangeProof.NO_KEY}
    assert check_dependence_certificate(found.certificate)


@pytest.mark.slow
def test_boxes_bound_the_ranges_of_three_labels() -> None:
    counts = {"aaa": 9, "bbb": 8, "ccc": 9, "aab": 1, "bba": 1, "cac": 1, "bcc": 1, "caa": 1}
    found = evaluate_within(VoteCounts(counts, labels=("a", "b", "c")), "1/50", effort="1/3")
    assert found.existence is WithinBudget.EXISTS
    assert sum(end.proof is RangeProof.BOXES for end in found.ends) > len(found.ends) // 2
    for label in "abc":
        low, high = found.prevalence[label]
        assert 0 < low < found.attained.prevalence[label][0] <= found.attained.prevalence[label][1] < high < 1
    check_ends(found)


@pytest.mark.slow
def test_a_claim_about_three_labels_has_a_proven_breakdown_point() -> None:
    counts = {"aaa": 9, "bbb": 8, "ccc": 9, "aab": 1, "bcc": 1}
    point = breakdown_point(VoteCounts(counts, labels=("a", "b", "c")), "share of a > 0.1", orders=(2,))
    assert 0 < point.proven < point.attained
    assert check_dependence_certificate(point.certificate)


def test_three_labels_have_ranges_that_hold_the_truth() -> None:
    votes = VoteCounts({"aa": 2, "bb": 1, "cb": 1}, labels=("a", "b", "c"))
    found = evaluate_within(votes, "1/20", better_than_chance="J1")
    truth = as_key({"a": {("a", "a"): 2}, "b": {("b", "b"): 1}, "c": {("c", "b"): 1}}, votes)
    assert dependence_of(truth, (2,)).largest == 0
    rates = grade(truth)
    for label in votes.labels:
        assert found.prevalence[label][0] <= rates.prevalence[label] <= found.prevalence[label][1]
        assert found.accuracy[1][label][0] <= rates.accuracy[1][label] <= found.accuracy[1][label][1]


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(BadNumber, match="not negative"):
        evaluate_within(ADULT, "-1/10")


# -- breakdown points ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim", ["J1 > J2", "J2 > J3 on a", "J1 on b > 1/2", "share of a > 0.4", "0.9 > share of b"]
)
def test_no_key_less_dependent_than_the_breakdown_point_contradicts_the_claim(claim: str) -> None:
    rng = random.Random(len(claim))
    for _ in range(3):
        votes = random_votes(rng, 3, most=6)
        point = breakdown_point(votes, claim, better_than_chance=False)
        stated = read_claim(claim, votes)
        failing = [
            dependence(key, 3, (2, 3)) for key in all_keys(votes) if stated.holds(as_key(key, votes)) is False
        ]
        assert point.certificate is None or check_dependence_certificate(point.certificate)
        if failing:
            assert point.proven <= min(failing) <= point.attained
            assert stated.holds(point.witness) is False
        else:
            assert point.attained is None


def test_the_adult_votes_rank_judges_up_to_a_tenth() -> None:
    point = breakdown_point(ADULT, "3 > 1")
    assert mpq("0.09") < point.proven < point.attained < mpq("0.11")
    assert "unless some correlation exceeds" in str(point)
    assert check_dependence_certificate(point.certificate)


def test_a_claim_that_no_key_contradicts_is_certain() -> None:
    point = breakdown_point(VoteCounts({"aaa": 3}), "share of a > 0", better_than_chance=False)
    assert point.attained == 0  # the key of b alone contradicts it
    point = breakdown_point(VoteCounts({"aab": 3}), JudgeClaim(Objective("a", "J1"), Objective("a", "J3")))
    assert point.is_certain
    assert "whatever the key" in str(point)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("J1", "one > or <"),
        ("J1 > J2 > J3", "one > or <"),
        ("J1 > Jim", "no number"),
        ("J1 > 2", "from 0 to 1"),
        ("J1 > J1", "itself"),
        ("J1 on a > J2 on b", "same label"),
        ("share of a > J1", "same label"),
        ("0.2 > 0.1", "about a judge"),
    ],
)
def test_a_text_that_is_no_claim_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadQuery, match=complaint) as error:
        breakdown_point(VoteCounts({"aab": 3}), text)
    assert isinstance(error.value, NtqrExactError)


VOTES = VoteCounts({"aaa": 8, "bbb": 6, "aab": 2, "bba": 1, "aba": 1, "bab": 1})


def test_a_weaker_end_at_a_smaller_budget_takes_the_proof_of_the_larger() -> None:
    small, large = (evaluate_within(VOTES, budget, effort="1/10") for budget in ("0.03", "0.06"))
    weak = replace(
        small,
        ends=tuple(
            replace(end, proven=mpq(int(end.is_upper)), proof=RangeProof.LIMIT, certificate=None)
            for end in small.ends
        ),
    )
    cut, kept = nested([weak, large])
    assert kept == large
    assert [end.proven for end in cut.ends] == [end.proven for end in large.ends]
    assert all(
        (end.proof, end.certificate, end.attained) == (wide.proof, wide.certificate, own.attained)
        for end, wide, own in zip(cut.ends, large.ends, small.ends, strict=True)
        if end.proven != int(end.is_upper)
    )
    assert any(end.proven != int(end.is_upper) for end in cut.ends)


def test_neither_a_smaller_budget_nor_other_assumptions_cut_a_range() -> None:
    small, large = (evaluate_within(VOTES, budget, effort="1/10") for budget in ("0.03", "0.06"))
    assert nested([small, large])[1] == large
    pairs = replace(small, correlation=mpq(1, 2), better=())
    assert nested([large, pairs])[0] == large
