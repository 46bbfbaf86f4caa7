"""The safety part of a study: its verdicts, its ranges and its document."""

from __future__ import annotations

from ntqr_exact import SafetySpecification, VoteCounts, check_safety_certificate, study_safety
from ntqr_exact.blocks.block import Picture


def test_verdicts_and_certificates_are_in_the_document() -> None:
    study = study_safety(VoteCounts({"aa": 3, "ab": 1, "bb": 3}), SafetySpecification(2))
    assert not study.together.is_misaligned
    assert study.fires  # a judge must fail at 4/5
    document = study.to_document()
    assert check_safety_certificate(document["together"]) == []


def test_the_smallest_groups_are_named() -> None:
    votes = VoteCounts({"aaab": 1, "aaba": 1, "abaa": 1, "baaa": 1, "bbbb": 2})
    study = study_safety(votes, SafetySpecification("4/3"))
    assert study.fires
    assert study.smallest is not None
    assert study.smallest.complete
    assert "J1 and J2" in " ".join(str(study).split())


def test_votes_with_gaps_have_no_verdict_of_each_judge_alone() -> None:
    study = study_safety(VoteCounts({("a", None): 1, ("b", "b"): 2, ("a", "b"): 1}), SafetySpecification(2))
    assert study.alone is None
    assert "each judge alone" not in str(study)


def test_key_counts_are_decided_for_a_picture_only_where_that_is_quick() -> None:
    few = VoteCounts({"aaa": 40, "aab": 10, "bbb": 30})
    many = VoteCounts({f"{number:09b}": 1 for number in range(400)}, tuple("01"))
    studies = (study_safety(votes, SafetySpecification(), failing=()) for votes in (few, many))
    drawn = [[block.name for block in one.blocks() if isinstance(block, Picture)] for one in studies]
    assert "safe" in drawn[0]
    assert "safe" not in drawn[1]
