"""Least dependence, ranges and claims against all keys of small votes, and the words that state their assumption."""

from __future__ import annotations

import random
import time
from fractions import Fraction

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    VoteCounts,
    breakdown_point,
    check_dependence_certificate,
    closest_to_independence,
    evaluate_within,
    least_dependence,
    tetrad_bound,
)
from ntqr_exact.answer import Answer
from ntqr_exact.dependence import measure
from ntqr_exact.dependence.measure import dependence_of
from ntqr_exact.dependence.products import KeyQuantity, read_claim
from ntqr_exact.errors import BadChoice, BadNumber, BadQuery, BadVotes, EmptyTest, NotVotes
from tests.dependence.brute_force import all_keys, dependence, is_no_worse_than_chance, random_votes, value

SMALL = VoteCounts({"aab": 2, "aba": 1, "bbb": 2})
THREE_LABELS = VoteCounts({"abc": 2, "bbc": 1, "aaa": 3}, labels=["a", "b", "c"])
BUDGETS = ("0", "1/100", "1/20", "1/10", "1/6", "1/4")
CLAIMS = ("J1 > J2", "J1 > J2 on a", "J2 on b > 1/2", "share of a > 1/3", "J1 < 3/4")
ASSUMED = (True, False, "J1", ["J1", "J2"])


def number(key, side, votes):
    if not isinstance(side, KeyQuantity):
        return Fraction(str(side))
    return value(key, side.label, None if side.judge is None else votes.place(side.judge))


@pytest.mark.parametrize("seed", range(4))
def test_proven_bounds_hold_under_every_key(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        votes = random_votes(rng, rng.choice((2, 3, 3, 4)), most=7)
        judges = len(votes.judges)
        gap = (None,) * (judges - 1)  # what not all judges answered proves nothing
        given = VoteCounts({**votes.counts, ("a", *gap): rng.randrange(3), (*gap, "b"): rng.randrange(3)})
        delta, orders = mpq(rng.choice(BUDGETS)), rng.choice(((2,), (2, 3)))
        assumed, claim = rng.choice(ASSUMED), rng.choice(CLAIMS)
        least, bound = least_dependence(given), tetrad_bound(given)
        within = evaluate_within(given, delta, orders=orders, better_than_chance=assumed)
        point = breakdown_point(given, claim, orders=orders, better_than_chance=assumed)
        smallest, contradicting = [], []
        for key in all_keys(votes):
            smallest.append(dependence(key, judges))
            if not all(is_no_worse_than_chance(key, votes.place(name)) for name in within.assumed):
                continue
            size = dependence(key, judges, orders)
            left, right = (number(key, side, votes) for side in (point.claim.greater, point.claim.lesser))
            if left is not None and right is not None and left <= right:
                contradicting.append(size)
            if size <= delta:
                assert within.existence is not Answer.NO
                for quantity, (low, high) in within.ranges.items():
                    found = number(key, quantity, votes)
                    assert found is None or low <= found <= high
        assert bound.value <= least.proven <= min(smallest) <= least.attained
        assert dependence_of(least.witness).largest == least.attained
        if within.existence is Answer.YES:
            assert dependence_of(within.witness, orders).largest <= delta
        if point.certificate is not None:
            assert all(size > point.proven for size in contradicting)
        assert (point.attained is None) or point.attained >= min(contradicting)
        for result in (least, within, point):
            assert result.certificate is None or check_dependence_certificate(result.certificate) == []


def test_ranges_widen_with_the_budget_and_with_fewer_assumptions() -> None:
    votes = VoteCounts({"aaa": 40, "bbb": 40, "aab": 5, "bba": 5, "aba": 5, "bab": 5})
    results = [evaluate_within(votes, budget) for budget in ("0.01", "0.02", "0.05")]
    results.append(evaluate_within(votes, "0.05", better_than_chance=False))
    for quantity in results[0].ranges:
        ranges = [result.ranges[quantity] for result in results]
        assert [low for low, _ in ranges] == sorted((low for low, _ in ranges), reverse=True)
        assert [high for _, high in ranges] == sorted(high for _, high in ranges)


def test_swapped_labels_swap_the_ranges() -> None:
    votes = VoteCounts({"aaa": 20, "bbb": 12, "aab": 5, "bba": 3, "aba": 4, "bab": 2})
    mirror = votes.relabeled({"a": "b", "b": "a"}, ["b", "a"])
    for orders in ((2,), (2, 3)):
        ours, theirs = (
            evaluate_within(v, "0.03", orders=orders, better_than_chance="J1") for v in (votes, mirror)
        )
        for label, other in (("a", "b"), ("b", "a")):
            assert ours.prevalence[label] == theirs.prevalence[other]


def test_every_text_names_the_assumed_judge_and_never_speaks_of_any_key() -> None:
    votes = VoteCounts({"aa": 9, "bb": 1})
    texts = [
        str(breakdown_point(votes, "share of a > 1/3", better_than_chance="J2")),
        str(breakdown_point(votes, "J1 > 1/2", better_than_chance="J2")),
        str(evaluate_within(votes, "1/4", better_than_chance="J2")),
        str(evaluate_within(VoteCounts({"ab": 5, "ba": 5}), 0, better_than_chance=["J1", "J2"])),
    ]
    for text in texts:
        assert "J2" in text.split("Assumed")[1].split(".")[0]
        assert "whatever" not in text.lower()
    assert (
        evaluate_within(VoteCounts({"ab": 5, "ba": 5}), 0, better_than_chance=["J1", "J2"]).existence
        is Answer.NO
    )
    assert "meets the assumption" in " ".join(texts[-1].split())


def test_three_labels_claim_no_bound_and_name_the_alternative() -> None:
    least = least_dependence(THREE_LABELS)
    assert (least.proven, least.certificate) == (0, None)
    for text in (str(least), str(tetrad_bound(THREE_LABELS))):
        assert "closest key" in text
        assert "joint alarms" in text


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: evaluate_within(SMALL, -1), BadNumber),
        (lambda: evaluate_within(SMALL, "much"), BadNumber),
        (lambda: evaluate_within(VoteCounts({"aaa": 1, "bbb": 1}), 0, orders=(3,)), BadChoice),
        (lambda: evaluate_within(SMALL, 0, orders=(2, 4)), BadChoice),
        (lambda: evaluate_within(SMALL, 0, better_than_chance="J9"), BadVotes),
        (lambda: evaluate_within(THREE_LABELS, 0), BadVotes),
        (lambda: evaluate_within(VoteCounts({"a": 2, "b": 1}), 0), BadVotes),
        (lambda: evaluate_within(VoteCounts({"aa": 0}), 0), EmptyTest),
        (lambda: evaluate_within(VoteCounts({("a", None): 1, (None, "b"): 1}), 0), EmptyTest),
        (lambda: breakdown_point(THREE_LABELS, "J1 > J2"), BadVotes),
        (lambda: breakdown_point(SMALL, "J1 > J2", orders=(3,)), BadChoice),
        (lambda: breakdown_point(SMALL, "J1 better than J2"), BadQuery),
        (lambda: breakdown_point(SMALL, "J1 > J2 > J3"), BadQuery),
        (lambda: breakdown_point(SMALL, "J1 > J1"), BadQuery),
        (lambda: breakdown_point(SMALL, "J1 on a > J2 on b"), BadQuery),
        (lambda: breakdown_point(SMALL, "J1 > 2"), BadQuery),
        (lambda: breakdown_point(SMALL, "J1 > J9"), BadQuery),
        (lambda: breakdown_point(SMALL, "share of a > J1"), BadQuery),
        (lambda: breakdown_point(SMALL, "1/2 > 1/3"), BadQuery),
        (lambda: least_dependence(VoteCounts({"a": 2})), BadVotes),
        (lambda: least_dependence({"aa": 1}), NotVotes),
        (lambda: closest_to_independence(VoteCounts({"aa": 0})), EmptyTest),
    ],
)
def test_bad_input_is_refused(call, error) -> None:
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    "text", ["J1 > J2", "J2 < J1", "J1 on a > J2", "J1 > J2 on a", "share of b < 0.3", "J3 on b > 1/2"]
)
def test_claims_are_read_back_from_their_failure(text: str) -> None:
    """A key meets the conditions of failure exactly if the claim is false under it."""
    claim = read_claim(text, SMALL)
    for key in all_keys(SMALL):
        left, right = (number(key, side, SMALL) for side in (claim.greater, claim.lesser))
        fails = left is not None and right is not None and left <= right
        shares = [[key[label].get(p, 0) for label in "ab"] for p in SMALL.counts]
        assert all(measure.slack(one, shares) >= 0 for one in claim.failure(SMALL)) == fails


@pytest.mark.parametrize("labels", ["ab", "abc", "ab-"])
def test_closest_key_is_near_the_best_of_all_keys(labels: str) -> None:
    rng, apart = random.Random(9), []
    for _ in range(6):
        votes = random_votes(rng, 3, labels, most=5).relabeled({"-": None}, tuple(labels.strip("-")))
        found = closest_to_independence(votes)
        assert found.witness.observed() == votes
        best = min(dependence(key, 3) for key in all_keys(votes))
        assert found.dependence.largest >= best
        apart.append(found.dependence.largest - best)
    assert sum(apart) <= mpq(1, 4)


def test_exactly_independent_keys_are_found_and_named() -> None:
    found = closest_to_independence(VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1}))
    assert found.is_independent
    assert "independent" in str(found)


def panel(judges: int, questions: int, seed: int = 1) -> VoteCounts:
    rng = random.Random(seed)
    right = [(rng.randint(65, 95), rng.randint(60, 95)) for _ in range(judges)]
    counts: dict[str, int] = {}
    for _ in range(questions):
        true, hard = rng.random() < 0.4, 30 * (rng.random() < 0.3)
        answers = [true if rng.randint(1, 100) <= rates[true] - hard else not true for rates in right]
        pattern = "".join("ab"[answer] for answer in answers)
        counts[pattern] = counts.get(pattern, 0) + 1
    return VoteCounts(counts)


@pytest.mark.parametrize(("judges", "seconds"), [(5, 4), pytest.param(9, 10, marks=pytest.mark.slow)])
def test_many_questions_take_seconds(judges: int, seconds: int) -> None:
    votes, start = panel(judges, 3200), time.process_time()
    least, within = least_dependence(votes), evaluate_within(votes, "1/50")
    assert time.process_time() - start < seconds
    assert 0 < least.proven <= least.attained < mpq(1, 50)
    assert within.existence is not Answer.NO
    assert all(high - low < 1 for low, high in within.ranges.values())


def test_too_little_effort_proves_nothing() -> None:
    within = evaluate_within(panel(5, 300), "1/50", effort=10)
    assert within.certificate is None
    assert set(within.ranges.values()) == {(0, 1)}
    assert least_dependence(panel(5, 300), effort=10).proven == tetrad_bound(panel(5, 300)).value


def test_tetrads_are_proven_by_products_of_ranges() -> None:
    rng = random.Random(2)
    for _ in range(30):
        votes = random_votes(rng, rng.choice((3, 4)), most=12)
        bound = tetrad_bound(votes)
        assert bound.value <= least_dependence(votes).proven
        assert all(judge in str(bound) for judge in bound.judges)


def test_a_large_panel_has_fewer_starts_and_still_a_closest_key(monkeypatch) -> None:
    votes = VoteCounts({"aab": 20, "aba": 7, "bba": 11, "bbb": 30})
    starts = []
    improved = measure._Search.improved
    monkeypatch.setattr(measure._Search, "improved", lambda *given: starts.append(given) or improved(*given))
    for effort, number in ((2_000_000, 11), (1, 4)):
        monkeypatch.setattr(measure, "_EFFORT", effort)
        measure.closest_key.cache_clear()
        starts.clear()
        assert measure.closest_key(votes).observed() == votes
        assert len(starts) == number
    measure.closest_key.cache_clear()
