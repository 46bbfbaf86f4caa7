"""Recovering votes from published majority-vote grades: the three tests of the source."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import VoteCounts, example
from ntqr_exact.errors import BadNumber, BadVotes
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.votes.recovery import count_behind_decimal, votes_from_majority_grades

PRINTED = {
    # Corrada-Emmanuel 2023: label -> questions by majority, and the decimals of the MV columns
    "two-norm": {"a": (443, ("0.806", "0.806", "0.797")), "b": (557, ("0.794", "0.804", "0.820"))},
    "uci-adult-imaginary": {"a": (582, ("0.689", "0.838", "0.955")), "b": (418, ("0.512", "0.928", "0.947"))},
    "uci-adult": {"a": (538, ("0.831", "0.584", "0.946")), "b": (462, ("0.877", "0.948", "0.357"))},
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_decimals_determine_the_votes_that_ship(name: str) -> None:
    questions = {label: count for label, (count, _) in PRINTED[name].items()}
    right = {
        label: [count_behind_decimal(decimal, count, 3) for decimal in decimals]
        for label, (count, decimals) in PRINTED[name].items()
    }
    assert votes_from_majority_grades(questions, right, judges=["1", "2", "3"]) == example(name).votes


@pytest.mark.parametrize("name", PRINTED)
def test_the_votes_fit_the_grades_by_key_that_the_source_prints(name: str) -> None:
    case = example(name)
    for judge, counts in enumerate(case.evaluation.confusion):
        answered = {label: sum(row[label] for row in counts.values()) for label in "ab"}
        assert answered == case.votes.responses(judge)


@given(st.lists(st.integers(0, 30), min_size=8, max_size=8).filter(any))
def test_majority_grades_determine_any_votes_of_a_trio(counts) -> None:
    votes = VoteCounts(dict(zip(product("ab", repeat=3), counts, strict=True)))
    key = majority_vote(votes).key
    right = {label: [key.confusion(judge)[label][label] for judge in range(3)] for label in "ab"}
    assert votes_from_majority_grades(key.key_counts, right) == votes


def test_grades_that_no_votes_have_are_refused() -> None:
    with pytest.raises(BadNumber, match="must not be negative"):
        votes_from_majority_grades({"a": 3, "b": 0}, {"a": [1, 1, 1], "b": [0, 0, 0]})
    with pytest.raises(BadVotes, match="three numbers of right answers"):
        votes_from_majority_grades({"a": 3, "b": 0}, {"a": [1, 1], "b": [0, 0]})


def test_a_decimal_that_fits_no_count_or_several_is_refused() -> None:
    assert count_behind_decimal("0.33", 3, 2) == 1
    with pytest.raises(BadVotes, match="0 counts of 3"):
        count_behind_decimal("0.4", 3, 2)
    with pytest.raises(BadVotes, match="11 counts"):
        count_behind_decimal("0.5", 1000, 2)
