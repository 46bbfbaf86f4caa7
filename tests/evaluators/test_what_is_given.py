"""What is not votes is refused with the way out, whichever evaluator it is given to."""

from __future__ import annotations

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, find_misalignment, grade, solve_independent
from ntqr_exact.errors import NotVotes

VOTES = VoteCounts({"aaa": 1, "bbb": 1})
LABELED = LabeledVoteCounts({"a": VOTES})


@pytest.mark.parametrize("given", [{"aaa": 1}, LABELED, None])
def test_independent_errors_and_alarms_take_votes(given: object) -> None:
    with pytest.raises(NotVotes, match="labeled votes have observed"):
        solve_independent(given)
    with pytest.raises(NotVotes, match="labeled votes have observed"):
        find_misalignment(given)


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
