"""Counting rows of labels from any iterable."""

import numpy as np
import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows
from ntqr_exact.errors import BadDecisions, BadVotes


def test_rows_may_be_tuples_lists_texts_or_a_generator():
    expected = VoteCounts({"aa": 1, "ab": 2})
    assert count_rows([("a", "b"), ["a", "a"], "ab"]) == expected
    assert count_rows(row for row in ["ab", "aa", "ab"]) == expected
    assert count_rows(np.array([["a", "b"], ["a", "a"], ["a", "b"]])) == expected


def test_labels_are_those_that_occur_sorted_unless_named():
    assert count_rows(["cb", "ab"]).labels == ("a", "b", "c")
    assert count_rows(["cb"], labels=iter(["c", "b", "x"])).labels == ("c", "b", "x")
    assert count_rows(["aa"], truth="b").labels == ("a", "b")


def test_judges_are_numbered_unless_named():
    assert count_rows(["ab"]).judges == ("J1", "J2")
    assert count_rows(["ab"], judges=iter(["x", "y"])).judges == ("x", "y")


def test_the_answer_key_goes_beside_the_rows():
    votes = count_rows(["ab", "aa", "ab"], truth=iter("aba"))
    assert votes == LabeledVoteCounts({"a": VoteCounts({"ab": 2}), "b": VoteCounts({"aa": 1})})


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        (["ab", "abb"], "row 2 has 3 labels for 2 judges"),
        (["ab", "ab", "a"], "row 3 has 1 labels for 2 judges"),
        (["ab", ""], "row 2 has 0 labels for 2 judges"),
        ([("a", 1)], "row 1 holds 1: a label is a text, not int"),
        ([("a", float("nan"))], "row 1 holds nan: a label is a text, not float"),
    ],
)
def test_a_bad_row_is_refused_with_its_number(rows, rule):
    with pytest.raises(BadDecisions) as caught:
        count_rows(rows)
    assert caught.value.rule == rule


def test_a_row_must_fit_the_named_judges():
    with pytest.raises(BadDecisions, match="row 1 has 2 labels for 3 judges"):
        count_rows(["ab"], judges=["A", "B", "C"])


def test_no_rows_need_named_judges_and_labels():
    with pytest.raises(BadVotes, match="name the judges and labels"):
        count_rows([])
    with pytest.raises(BadVotes, match="fewer than two labels occur"):
        count_rows([], judges=["A"])
    empty = VoteCounts({}, judges=["A"])
    assert count_rows([], judges=["A"], labels=["a", "b"]) == empty
    assert count_rows([], judges=["A"], labels=["a", "b"], truth=[]).observed() == empty


def test_one_label_alone_must_be_completed_by_naming_labels():
    with pytest.raises(BadVotes, match="name all labels that could occur"):
        count_rows(["aa", "aa"])
    assert count_rows(["aa", "aa"], labels=["a", "b"]) == VoteCounts({"aa": 2})


def test_an_unknown_label_is_refused():
    with pytest.raises(BadVotes, match="'c' is not one of the labels"):
        count_rows(["ab", "ac"], labels=["a", "b"])
    with pytest.raises(BadVotes, match="a true label is one of 'a', 'b'"):
        count_rows(["ab"], labels=["a", "b"], truth="c")


def test_an_answer_key_that_is_too_short_is_refused():
    with pytest.raises(BadDecisions, match="row 2 has no true label in the answer key"):
        count_rows(["ab", "aa"], truth="a")


@pytest.mark.parametrize("more", ["b", None, ""])
def test_an_answer_key_that_is_too_long_is_refused(more):
    with pytest.raises(BadDecisions, match="the answer key goes on after the last row, 1"):
        count_rows(["ab"], truth=["a", more])


@pytest.mark.parametrize("true_label", [None, "", 1, float("nan")])
def test_a_true_label_is_a_text(true_label):
    with pytest.raises(BadDecisions, match="row 1 has no true label in the answer key"):
        count_rows(["ab"], truth=[true_label])


@pytest.mark.parametrize("judges", [["A", "A"], "AB", ["A", ""], []])
def test_wrong_judges_are_refused(judges):
    with pytest.raises(BadVotes):
        count_rows(["ab"], judges=judges)


def test_a_label_that_cannot_be_shown_is_refused_in_one_line():
    nested = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(
        BadDecisions, match="row 1 holds a list too long to be shown: a label is a text, not list"
    ):
        count_rows([[nested, "a"]])
