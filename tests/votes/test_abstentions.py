"""Abstentions, which are never true, and ratings, seen with two labels."""

import itertools

import pytest
from gmpy2 import mpq

import ntqr_exact
from ntqr_exact import (
    AbstainingVotes,
    LabeledVoteCounts,
    VoteCounts,
    count_rows,
    from_level_on,
    majority_vote,
)
from ntqr_exact.errors import BadVotes, NotVotes, NtqrExactError
from ntqr_exact.votes.names import rating_levels

LEVELS = ("1", "2", "3")
ABSTAINING = AbstainingVotes(
    VoteCounts({"aab": 1, "??a": 1, "?ba": 1, "bbb": 1, "???": 1}, ["?", "a", "b"]), "?"
)


def test_the_labels_that_can_be_true_leave_the_abstention_out():
    assert (ABSTAINING.labels, ABSTAINING.judges, ABSTAINING.size) == (("a", "b"), ("J1", "J2", "J3"), 5)
    assert [ABSTAINING.observed().responses(judge)[ABSTAINING.abstain] for judge in range(3)] == [3, 2, 1]
    assert ABSTAINING.answered() == VoteCounts({"aab": 1, "bbb": 1})
    with pytest.raises(NotVotes):
        _ = ABSTAINING.counts


def test_the_majority_of_all_small_patterns_is_that_of_the_answers_alone():
    for pattern in itertools.product("?ab", repeat=4):
        votes = AbstainingVotes(VoteCounts({pattern: 1}, ["?", "a", "b"]), "?")
        given = [label for label in pattern if label != "?"]
        expected = "a" if given.count("a") >= given.count("b") else "b"
        found = majority_vote(votes, ties="first-label")
        assert found.key.key_counts == {"?": 0, "a": 0, "b": 0, expected: 1}
        assert found.ties == (given.count("a") == given.count("b"))


def test_an_abstention_is_not_a_right_answer():
    votes = AbstainingVotes(VoteCounts({"aaa": 2, "a?a": 1, "bbb": 1}, ["?", "a", "b"]), "?")
    assert majority_vote(votes).evaluation.accuracy[1]["a"] == mpq(2, 3)


@pytest.mark.parametrize(
    ("votes", "abstain", "error"),
    [
        (VoteCounts({"ab": 1}), "?", BadVotes),
        (VoteCounts({"ab": 1}), "a", BadVotes),
        (LabeledVoteCounts({"?": VoteCounts({"ab": 1}, ["?", "a", "b"])}), "?", BadVotes),
        ([("a", "b")], "a", NotVotes),
    ],
)
def test_invalid_abstention_is_refused(votes, abstain, error):
    with pytest.raises(error):
        AbstainingVotes(votes, abstain)


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
        "agreement",
        "grade",
        "study_votes",
    ],
)
def test_an_evaluator_for_which_every_answer_could_be_true_refuses_abstentions(name):
    with pytest.raises(NtqrExactError, match=r"VoteCounts|LabeledVoteCounts|answered\(\)"):
        getattr(ntqr_exact, name)(ABSTAINING)


@pytest.mark.parametrize(
    ("text", "levels"),
    [("1..3", LEVELS), (" -1..1 ", ("-1", "0", "1")), ("low, mid,high", ("low", "mid", "high"))],
)
def test_levels_are_a_range_or_names(text, levels):
    assert rating_levels(text) == levels
    assert len(rating_levels("0..100")) == 101


@pytest.mark.parametrize("text", ["", "5", "5..1", "1..1", "0..101", "a,a", "1...5"])
def test_invalid_levels_are_refused(text):
    with pytest.raises(BadVotes):
        rating_levels(text)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_view_is_counting_the_rows_with_two_labels(level):
    rows = [*itertools.product(LEVELS, repeat=2), ("3", "1"), ("2", None)]
    names = (f"below {level}", f"{level} or above")
    seen = {None: None} | {each: names[each >= level] for each in LEVELS}
    expected = [tuple(seen[cell] for cell in row) for row in rows]
    truth = [first for first, _ in rows]
    assert from_level_on(count_rows(rows, labels=LEVELS), level) == count_rows(expected, labels=names)
    labeled = from_level_on(count_rows(rows, labels=LEVELS, truth=truth), level)
    assert labeled == count_rows(expected, labels=names, truth=[seen[label] for label in truth])


@pytest.mark.parametrize("level", ["1", "4", ""])
def test_a_view_begins_above_the_lowest_level(level):
    with pytest.raises(BadVotes):
        from_level_on(VoteCounts({"12": 1}, LEVELS), level)
