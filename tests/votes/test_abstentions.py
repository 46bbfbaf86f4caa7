"""Abstentions: never true, never a majority, and refused where every answer is taken for a possible truth."""

import itertools

import pytest
from gmpy2 import mpq

import ntqr_exact
from ntqr_exact import AbstainingVotes, LabeledVoteCounts, VoteCounts, majority_vote, study_votes
from ntqr_exact.errors import BadVotes, NotVotes, NtqrExactError

LABELS = ["abstain", "no", "yes"]
ROWS = [
    ("yes", "yes", "no"),
    ("abstain", "abstain", "yes"),
    ("abstain", "no", "yes"),
    ("no", "no", "no"),
    ("abstain", "abstain", "abstain"),
]
TOLD = AbstainingVotes(ntqr_exact.count_rows(ROWS, labels=LABELS), "abstain")


def test_the_labels_that_can_be_true_leave_the_abstention_out():
    assert (TOLD.labels, TOLD.judges, TOLD.size) == (("no", "yes"), ("J1", "J2", "J3"), 5)
    assert [TOLD.abstentions(judge) for judge in range(3)] == [3, 2, 1]
    assert TOLD.answered() == VoteCounts(
        {("yes", "yes", "no"): 1, ("no", "no", "no"): 1}, ["no", "yes"], ["J1", "J2", "J3"]
    )


def test_an_abstention_never_wins_a_majority():
    """By the definition: of the answers that are none, the most frequent; all labels tie where there is none."""
    found = majority_vote(TOLD, ties="last-label")
    assert found.key.key_counts == {"abstain": 0, "no": 1, "yes": 4}
    assert found.ties == 2  # no against yes, and nobody's answer
    assert majority_vote(TOLD, ties="first-label").key.key_counts == {"abstain": 0, "no": 3, "yes": 2}
    assert majority_vote(TOLD, ties="first-judge").key.key_counts["no"] == 3
    with pytest.raises(BadVotes):
        majority_vote(TOLD)


def test_the_majority_of_all_small_patterns_is_that_of_the_answers_alone():
    for pattern in itertools.product("?ab", repeat=4):
        told = AbstainingVotes(VoteCounts({pattern: 1}, ["?", "a", "b"]), "?")
        given = [label for label in pattern if label != "?"]
        expected = "a" if given.count("a") >= given.count("b") else "b"
        key = majority_vote(told, ties="first-label").key
        assert key.key_counts == {"?": 0, "a": 0, "b": 0, expected: 1}


def test_an_abstention_is_no_right_answer():
    votes = AbstainingVotes(VoteCounts({"aaa": 2, "a?a": 1, "bbb": 1}, ["?", "a", "b"]), "?")
    assert majority_vote(votes).evaluation.accuracy[1]["a"] == mpq(2, 3)
    reversed_key = majority_vote(votes).reversed_key
    assert reversed_key is not None
    assert reversed_key.key_counts == {"?": 0, "a": 1, "b": 3}


@pytest.mark.parametrize(
    ("votes", "abstain", "rule"),
    [
        (VoteCounts({"ab": 1}), "?", "the abstention is one of the labels 'a', 'b'"),
        (VoteCounts({"ab": 1}), "a", "beside the abstention there are at least two labels"),
        (
            LabeledVoteCounts({"?": VoteCounts({"ab": 1}, ["?", "a", "b"])}),
            "?",
            "an abstention is never the true label",
        ),
    ],
)
def test_what_cannot_be_an_abstention_is_refused(votes, abstain, rule):
    with pytest.raises(BadVotes, match=rule):
        AbstainingVotes(votes, abstain)
    with pytest.raises(NotVotes):
        AbstainingVotes([("a", "b")], "a")


@pytest.mark.parametrize(
    "name",
    [
        "solve_independent",
        "solve_agreement",
        "ConsistentSet",
        "find_misalignment",
        "impossible_groups",
        "best_level",
        "least_dependence",
        "closest_to_independence",
        "study_consistent",
        "agreement",
        "grade",
    ],
)
def test_an_evaluator_for_which_every_answer_could_be_true_refuses_them(name):
    evaluate = getattr(ntqr_exact, name)
    with pytest.raises(NtqrExactError, match=r"VoteCounts|LabeledVoteCounts|answered\(\)"):
        evaluate(TOLD)


def test_a_study_tells_how_each_part_treats_them():
    votes = VoteCounts({"aaa": 9, "aab": 3, "a?b": 2, "bbb": 8, "?bb": 1}, ["?", "a", "b"])
    found = study_votes(AbstainingVotes(votes, "?"))
    assert found.votes == VoteCounts({"aaa": 9, "aab": 3, "bbb": 8})
    document = found.to_document()["abstentions"]
    assert (document["answered_by_all"], document["left_out"]) == (20, 3)
    assert document["judges"]["J2"] == {
        "abstained": 2,
        "right": 21,
        "wrong": 0,
        "right_where_it_answered": mpq(1),
    }
    assert "leave out the 3 questions on which somebody abstained" in " ".join(str(found).split())
    graded = LabeledVoteCounts({"a": votes})
    by_key = study_votes(AbstainingVotes(graded, "?")).to_document()["abstentions"]
    assert by_key["by"] == "the answer key"
    assert by_key["judges"]["J1"]["right"] == 14
