"""The whole numbers that are tried leave out no key: with one question of a label, or judges who contradict others."""

from __future__ import annotations

import random

import pytest
from gmpy2 import mpq

from ntqr_exact.dependence.moment_ranges import WholeSums
from ntqr_exact.dependence.panel import problem_of
from tests.dependence.brute_force import all_keys, dependence, random_votes


@pytest.mark.parametrize(("judges", "tries"), [(3, 120), (4, 40)])
def test_numbers_are_found_just_above_the_least_dependence_and_none_at_it(judges: int, tries: int) -> None:
    rng = random.Random(judges)
    for _ in range(tries):
        votes = random_votes(rng, judges, "ab", 6)
        least = mpq(min(dependence(key, judges) for key in all_keys(votes)))
        counts = problem_of(votes, 0, (2,)).counts
        assert next(WholeSums(counts, least + mpq(1, 10**6)).found(), None) is not None
        if judges == 3 and least:
            assert next(WholeSums(counts, least).found(), None) is None


def test_the_pairs_that_are_tried_are_those_of_all_keys_that_are_less_correlated() -> None:
    """For each m, R_i, R_j: the S_ij of some key of these two judges with both |Γ| below δ, no more and no less."""
    rng = random.Random(3)
    for _ in range(60):
        votes = random_votes(rng, 2, "ab", 16)
        delta = rng.choice([mpq(1, 50), mpq(1, 8), mpq(1, 4), mpq(1, 2)])
        sums = WholeSums(problem_of(votes, 0, (2,)).counts, delta)
        expected: dict[tuple[int, int, int], set[int]] = {}
        for key in all_keys(votes):
            a = key["a"]
            m, first, second = (
                sum(a.values()),
                *(sum(n for p, n in a.items() if p[i] == "a") for i in (0, 1)),
            )
            found = expected.setdefault((m, first, second), set())
            if dependence(key, 2) < delta:
                found.add(a.get(("a", "a"), 0))
        for (m, *answers), wanted in expected.items():
            if 0 < m < votes.size:
                assert set(sums._pairs(m, answers, 0, 1)) == wanted
