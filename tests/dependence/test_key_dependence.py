"""The dependence of a key, against its definition and against grading."""

from __future__ import annotations

import random
from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact import LabeledVoteCounts, VoteCounts, grade
from ntqr_exact.dependence.key_dependence import (
    correlations,
    dependence_of,
    one_label_dependence,
    phi,
    total_variation,
)
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest
from tests.dependence.brute_force import all_keys, dependence, random_votes


def as_key(key: dict, votes: VoteCounts) -> LabeledVoteCounts:
    return LabeledVoteCounts(
        {label: VoteCounts(share, votes.labels, votes.judges) for label, share in key.items()}
    )


@pytest.mark.parametrize(("labels", "judges"), [("ab", 3), ("ab", 4), ("abc", 3), ("abc", 2)])
def test_the_dependence_of_a_key_is_its_definition(labels: str, judges: int) -> None:
    rng = random.Random(7)
    for _ in range(12):
        votes = random_votes(rng, judges, labels, most=5)
        orders = (2, 3) if judges > 2 else (2,)
        key = rng.choice(list(all_keys(votes)))
        assert dependence_of(as_key(key, votes), orders).largest == dependence(key, judges, orders)
        assert one_label_dependence(votes) == dependence({"a": dict(votes.counts)}, judges)


def test_with_two_labels_the_correlations_are_those_of_grading() -> None:
    rng = random.Random(3)
    votes = random_votes(rng, 4, most=8)
    key = as_key(rng.choice(list(all_keys(votes))), votes)
    graded = grade(key, order=3).correlations
    found = {(c.label, c.judges): c.value for c in correlations(key, (2, 3))}
    assert found
    assert all(graded[place] == value for place, value in found.items())


def test_total_variation_counts_the_patterns_nobody_saw() -> None:
    votes = VoteCounts({"aab": 2, "bbb": 1, "aaa": 1})
    rates = [votes.responses(i) for i in range(3)]
    apart = sum(
        abs(votes.frequency(p) - mpq(rates[0][p[0]] * rates[1][p[1]] * rates[2][p[2]], 64))
        for p in product("ab", repeat=3)
    )
    assert total_variation(LabeledVoteCounts({"a": votes})) == apart / 2


def test_phi_has_no_value_where_an_answer_never_changes() -> None:
    votes = VoteCounts({"aa": 1, "ab": 1})
    assert phi(votes, next(correlations(LabeledVoteCounts({"a": votes})))) is None


def test_refusals_name_what_is_missing() -> None:
    with pytest.raises(BadVotes, match="two judges"):
        one_label_dependence(VoteCounts({"a": 2}))
    with pytest.raises(EmptyTest, match="without questions"):
        one_label_dependence(VoteCounts({}, judges=["A", "B"]))
    with pytest.raises(BadChoice, match="pairs"):
        one_label_dependence(VoteCounts({"aa": 2}), orders=(4,))
