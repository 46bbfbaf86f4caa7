"""The whole numbers that are tried leave out no key: with one question of a label, or judges who contradict others."""

from __future__ import annotations

import random

import pytest
from gmpy2 import mpq

from ntqr_exact.dependence.panel import problem_of
from ntqr_exact.dependence.tree_checker import WholeSums
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
