"""What is not votes is refused with the way out, whichever evaluator it is given to."""

from __future__ import annotations

import pytest

from ntqr_exact import (
    LabeledVoteCounts,
    VoteCounts,
    find_misalignment,
    grade,
    majority_vote,
    solve_agreement,
    solve_independent,
)
from ntqr_exact.errors import BadNumber, FloatRefused, NotVotes

VOTES = VoteCounts({"aaa": 1, "bbb": 1})
LABELED = LabeledVoteCounts({"a": VOTES})


@pytest.mark.parametrize("given", [{"aaa": 1}, LABELED, None])
@pytest.mark.parametrize("evaluator", [solve_independent, find_misalignment, majority_vote, solve_agreement])
def test_what_needs_no_key_takes_votes(evaluator, given: object) -> None:
    with pytest.raises(NotVotes, match="labeled votes have observed"):
        evaluator(given)


def test_orders_and_sizes_of_groups_are_whole_numbers() -> None:
    for order in (0, -1):
        with pytest.raises(BadNumber):
            grade(LABELED, order=order)
    assert not grade(LABELED, order=1).correlations
    assert grade(LABELED, order=9) == grade(LABELED)
    with pytest.raises(FloatRefused):
        find_misalignment(VOTES, group_size=1.0)


def test_grading_takes_labeled_votes() -> None:
    with pytest.raises(NotVotes, match="count the decisions with their truth"):
        grade(VOTES)


def test_a_number_is_no_specification_but_the_error_says_how_to_make_one() -> None:
    with pytest.raises(NotVotes, match=r"SafetySpecification\(2\)"):
        find_misalignment(VOTES, 2)


def test_the_whole_group_has_a_witness_of_its_own() -> None:
    verdict = find_misalignment(VOTES)
    assert verdict.group_size == 3
    ((_, labeled),) = verdict.group_witnesses.items()
    assert verdict.witness.key_counts == labeled.key_counts
    assert find_misalignment(VOTES, group_size=2).witness is None
