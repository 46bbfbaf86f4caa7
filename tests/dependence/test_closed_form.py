"""The closed form never exceeds the dependence of any key, and says what it stands on."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from gmpy2 import mpq

from ntqr_exact import VoteCounts, check_dependence_certificate, example
from ntqr_exact.algebra.rational_matrix import identity, multiply
from ntqr_exact.dependence.closed_bounds import (
    _heywood_root,
    _pair_covariances,
    covariance_block,
    rank_bounds,
    tetrad_bound,
)
from ntqr_exact.dependence.moment_ranges import rank_proves, spread
from ntqr_exact.dependence.panel import problem_of
from ntqr_exact.dependence.short_proof import moments_certificate
from tests.dependence.brute_force import all_keys, dependence, random_votes

ADULT = example("uci-adult-imaginary").votes


@pytest.mark.parametrize(
    ("labels", "judges", "most", "tries"),
    [("ab", 3, 6, 60), ("ab", 4, 6, 40), ("abc", 4, 4, 15), ("ab", 2, 6, 5)],
)
def test_no_key_is_less_dependent_than_the_closed_form(
    labels: str, judges: int, most: int, tries: int
) -> None:
    rng = random.Random(judges)
    proved = 0
    for _ in range(tries):
        votes = random_votes(rng, judges, labels, most)
        bound = tetrad_bound(votes).value
        proved += bound > 0
        if bound > 0:
            assert all(dependence(key, judges) >= bound for key in all_keys(votes))
    assert judges == 2 or proved


def test_the_bound_of_the_adult_votes_is_a_heywood_case() -> None:
    found = tetrad_bound(ADULT)
    assert mpq("0.013565") < found.value < mpq("0.01357")
    assert found.bounds[0].kind == "Heywood"
    assert "fails below 0.013565" in str(found)


def test_a_heywood_root_is_rounded_down_by_less_than_a_billionth() -> None:
    a, b, c, room = mpq(1, 5), mpq(1, 6), mpq(1, 50), mpq(1, 4)
    root = _heywood_root(a, b, c, room)

    def excess(delta: mpq) -> mpq:
        return (a - delta) * (b - delta) - (c + delta) * room

    assert excess(root) >= 0 > excess(root + mpq(1, 10**9))


def test_a_cycle_of_the_wrong_signs_proves_its_least_moment() -> None:
    votes = VoteCounts({"aab": 3, "aba": 2, "baa": 2, "bba": 1, "bab": 1, "abb": 1})
    signs = next(b for b in tetrad_bound(votes).bounds if b.kind == "signs")
    sizes = [abs(votes.pair_moment(i, j)) for i, j in ((0, 1), (1, 2), (0, 2))]
    assert signs.value == min(sizes) > 0


def test_the_matrices_of_a_rank_bound_satisfy_their_identity() -> None:
    votes = VoteCounts(
        {"aaaa": 5, "bbbb": 4, "cccc": 6, "abca": 2, "acbb": 3, "bcab": 1}, labels=("a", "b", "c")
    )
    found = list(rank_bounds(votes))
    assert found
    for bound in found:
        left, right = bound.matrices
        block = covariance_block(_pair_covariances(votes), tuple(map(votes.place, bound.judges)))
        assert multiply(multiply(left, block), tuple(zip(*right, strict=True))) == identity(3)
        # With the sum of two rows in place of one, the diagonal is still 1, and the product no identity.
        mixed = (tuple(x + y for x, y in zip(right[0], right[1], strict=True)), *right[1:])
        counts, who = problem_of(votes, 0, (2,)).counts, list(map(votes.place, bound.judges))
        little = Fraction(1, 10**6)
        assert rank_proves(counts, 3, who, (left, right), little)
        assert not rank_proves(counts, 3, who, (left, mixed), little)


def test_the_spread_of_a_row_is_the_least_over_what_may_be_taken_from_it() -> None:
    rng = random.Random(4)
    for labels in (2, 3, 4, 5):
        row = [mpq(rng.randint(-9, 9), 4) for _ in range(2 * labels)]
        parts = row[:labels], row[labels:]
        assert spread(row, labels) == sum(min(sum(abs(x - c) for x in part) for c in part) for part in parts)


def test_an_inequality_proves_the_very_number_that_it_says() -> None:
    rng, seen = random.Random(8), set()
    for _ in range(60):
        votes = random_votes(rng, 4, most=20)
        closed = tetrad_bound(votes)
        for bound in closed.bounds:
            seen.add(bound.kind)
            alone = replace(closed, bounds=(bound,))
            assert check_dependence_certificate(moments_certificate(votes, alone, (2,)))
    assert seen == {"tetrad", "Heywood", "signs"}


def test_eight_judges_take_a_tenth_of_a_second() -> None:
    rng = random.Random(5)
    votes = random_votes(rng, 8, most=400)
    start = time.perf_counter()
    tetrad_bound(votes)
    assert time.perf_counter() - start < 1  # alone it takes 0.05 s; the machine may be busy


def test_of_many_judges_the_ten_that_move_most_give_rank_bounds_and_all_give_tetrads() -> None:
    rng = random.Random(3)
    rows = [[rng.choice("abc" if rng.random() < 0.5 else t) for _ in range(11)] for t in "abc" * 20]
    votes = VoteCounts(Counter(map(tuple, rows)), ("a", "b", "c"))
    bounds = list(rank_bounds(votes))
    assert len({place for bound in bounds for place in bound.judges}) == 10
    assert "only the 10 judges" in str(tetrad_bound(votes))
    two = VoteCounts(Counter(tuple("ab"[answer == "a"] for answer in row) for row in rows), ("a", "b"))
    fours = [two.marginal(four) for four in combinations(range(11), 4)]
    assert tetrad_bound(two).bounds
    for kind in ("tetrad", "Heywood"):
        best = [bound.value for bound in tetrad_bound(two).bounds if bound.kind == kind]
        of_fours = [
            bound.value for four in fours for bound in tetrad_bound(four).bounds if bound.kind == kind
        ]
        assert best == [max(of_fours)] if of_fours else not best
