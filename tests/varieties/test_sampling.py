"""Draws: exact uniformity where it can be computed, a chi-square style check where it is drawn, repeatability."""

import itertools
import random
from collections import Counter

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.seeded_draws import below, bits_from
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.sampling import uniform_composition
from ntqr_exact.votes.counts import VoteCounts

SETS = [
    (VoteCounts({"aa": 2, "ab": 1, "bb": 2}), None),
    (VoteCounts({"aa": 2, "ab": 1, "bb": 2}), {"a": 2, "b": 3}),
    (VoteCounts({"aaa": 1, "abb": 3, "bba": 1}), {"a": 4, "b": 1}),
    (VoteCounts({"ab": 2, "cc": 1}, ("a", "b", "c")), None),
    (VoteCounts({"ab": 2, "cc": 2, "ba": 1}, ("a", "b", "c")), {"a": 2, "b": 2, "c": 1}),
]

PINNED = [481, 186, 745, 592, 311]
PINNED_DRAW = {("a", "a"): 12, ("a", "b"): 16, ("b", "b"): 12}


def exact_distribution(sampler):
    """Return the exact probability of each outcome, walking the tree of all answers of `below`."""
    found, todo = Counter(), [[]]
    while todo:
        path = todo.pop()
        bounds = []

        def watched(_bits, bound, path=path, bounds=bounds):
            bounds.append(bound)
            return path[len(bounds) - 1] if len(bounds) <= len(path) else 0

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ntqr_exact.varieties.sampling.below", watched)
            outcome = sampler.draw(random.Random())
        complete = path + [0] * (len(bounds) - len(path))
        probability = mpq(1)
        for bound in bounds:
            probability /= bound
        found[outcome] += probability
        for place in range(len(path), len(complete)):
            todo.extend([*complete[:place], value] for value in range(1, bounds[place]))
    return found


@pytest.mark.parametrize(("votes", "at"), SETS)
def test_every_evaluation_has_exactly_the_same_probability(votes, at):
    consistent = ConsistentSet(votes)
    members = set(consistent) if at is None else set(consistent.at(at))
    distribution = exact_distribution(consistent.sampler(at=at))
    assert distribution == dict.fromkeys(members, mpq(1, len(members)))


@pytest.mark.parametrize(("votes", "at"), SETS)
def test_drawn_frequencies_pass_a_chi_square_check(votes, at):
    consistent = ConsistentSet(votes)
    members = list(consistent) if at is None else list(consistent.at(at))
    n = len(members)
    draws = Counter(itertools.islice(consistent.sampler(at=at).draws(seed=20), 40 * n))
    assert set(draws) == set(members)
    # Pearson's statistic has mean n − 1 and variance below 2(n − 1): stay within five deviations.
    statistic = sum(mpq((count - 40) ** 2, 40) for count in draws.values())
    assert (statistic - (n - 1)) ** 2 < 25 * 2 * (n - 1)


def test_below_is_uniform_and_rejects_what_is_too_large():
    class Fixed:
        def __init__(self, values):
            self.values = iter(values)

        def getrandbits(self, width):
            assert width == 3
            return next(self.values)

    assert below(Fixed([7, 5, 6, 4]), 5) == 4
    assert [below(Fixed([value]), 5) for value in range(5)] == list(range(5))
    assert below(random.Random(1), 1) == 0
    with pytest.raises(BadNumber, match="empty"):
        below(random.Random(1), 0)


def test_draws_are_the_same_on_every_machine():
    assert [below(bits_from(2024), 10**6) for _ in range(1)] == [below(bits_from("2024"), 10**6)]
    bits = bits_from(2024)
    assert [below(bits, 1000) for _ in range(5)] == PINNED
    votes = VoteCounts({"aa": 30, "ab": 20, "bb": 50})
    drawn = ConsistentSet(votes).sample(seed=7, at={"a": 40, "b": 60})
    assert dict(drawn.by_label["a"].counts) == PINNED_DRAW


def test_a_composition_has_its_total_and_its_boxes():
    for total, boxes in itertools.product(range(4), range(1, 4)):
        drawn = uniform_composition(bits_from(total), total, boxes)
        assert (sum(drawn), len(drawn)) == (total, boxes)
        assert min(drawn) >= 0


def test_a_negative_or_broken_seed_is_refused():
    for seed in (-1, "1/2"):
        with pytest.raises(BadNumber):
            bits_from(seed)
