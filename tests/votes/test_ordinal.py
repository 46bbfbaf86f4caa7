"""Ratings: levels in order, and views of them with two labels."""

import itertools

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows, from_level_on
from ntqr_exact.errors import BadVotes
from ntqr_exact.votes.ordinal import rating_levels

LEVELS = ("1", "2", "3")


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("1..3", LEVELS),
        (" -1..1 ", ("-1", "0", "1")),
        ("8..10", ("8", "9", "10")),
        ("0..100", tuple(map(str, range(101)))),
        ("low, mid,high", ("low", "mid", "high")),
    ],
)
def test_levels_are_a_range_or_names(text, levels):
    assert rating_levels(text) == levels


@pytest.mark.parametrize("text", ["", "5", "5..1", "1..1", "0..500", "a,a", "1...5"])
def test_what_names_no_levels_is_refused(text):
    with pytest.raises(BadVotes):
        rating_levels(text)


def test_a_view_is_counting_the_rows_seen_with_two_labels():
    rows = [*itertools.product(LEVELS, repeat=2), ("3", "1"), ("2", "2")]
    key = [first for first, _ in rows]
    for level in LEVELS[1:]:
        names = (f"below {level}", f"{level} or above")

        def seen(label, level=level, names=names):
            return names[int(label) >= int(level)]

        expected = count_rows([tuple(map(seen, row)) for row in rows], labels=names)
        assert from_level_on(count_rows(rows, labels=LEVELS), level) == expected
        labeled = from_level_on(count_rows(rows, labels=LEVELS, truth=key), level)
        assert isinstance(labeled, LabeledVoteCounts)
        truth = [seen(label) for label in key]
        assert labeled == count_rows([tuple(map(seen, row)) for row in rows], labels=names, truth=truth)


def test_the_order_may_be_told_apart_from_that_of_the_labels():
    votes = VoteCounts({"ab": 1, "ca": 2}, ["a", "b", "c"])
    assert from_level_on(votes, "a", levels=["c", "b", "a"]).responses(0) == {"below a": 2, "a or above": 1}


@pytest.mark.parametrize("level", ["1", "4", ""])
def test_a_view_from_the_lowest_level_or_none_is_refused(level):
    with pytest.raises(BadVotes, match="a view begins at one of the levels '2', '3'"):
        from_level_on(VoteCounts({"12": 1}, LEVELS), level)
    with pytest.raises(BadVotes, match="'3': the levels are '1', '2'"):
        from_level_on(VoteCounts({"12": 1}, LEVELS), "2", levels=["1", "2"])


@pytest.mark.parametrize("text", ["0..101", "3..3", "3..2"])
def test_levels_go_up_and_are_not_too_many(text):
    with pytest.raises(BadVotes, match="at most 101"):
        rating_levels(text)
