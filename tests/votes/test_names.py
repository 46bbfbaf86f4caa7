"""Names and patterns: what is allowed, and how a pattern is written as one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadVotes
from ntqr_exact.votes.names import (
    check_judges,
    check_labels,
    check_pattern,
    default_judges,
    join_pattern,
    split_pattern,
)


class Name(str):
    """A text of another class, as numpy has."""

    __slots__ = ()


def test_labels_may_be_any_iterable_of_texts():
    assert check_labels(iter(["no", "yes"])) == ("no", "yes")
    assert check_labels({"x": 1, "y": 2}) == ("x", "y")


@pytest.mark.parametrize(
    ("labels", "rule"),
    [
        ([], "a test needs at least two labels"),
        (["a"], "a test needs at least two labels"),
        (["a", "a"], "this label is named twice"),
        (["a", ""], "a label must not be empty"),
        (["a", 1], "a label is a text, not int"),
        (["a", None], "a label is a text, not NoneType"),
        (["a", b"b"], "a label is a text, not bytes"),
        (["a", "x\ud800"], "a label must not hold half of a surrogate pair: no file can"),
        (["a", "\udfff"], "a label must not hold half of a surrogate pair: no file can"),
        ("ab", "give the labels as a list of texts, not as one text"),
    ],
)
def test_labels_are_two_or_more_different_texts_none_empty(labels, rule):
    with pytest.raises(BadVotes) as caught:
        check_labels(labels)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("judges", "rule"),
    [
        ([], "a test needs at least one judge"),
        (["A", "A"], "this judge is named twice"),
        ([""], "a judge must not be empty"),
        ([1], "a judge is a text, not int"),
        ("ABC", "give the judges as a list of texts, not as one text"),
    ],
)
def test_judges_are_one_or_more_different_texts_none_empty(judges, rule):
    with pytest.raises(BadVotes) as caught:
        check_judges(judges)
    assert caught.value.rule == rule


def test_one_judge_is_enough():
    assert check_judges(["A"]) == ("A",)


def test_names_become_plain_texts():
    assert {type(name) for name in check_labels([Name("a"), Name("b")])} == {str}
    assert {type(label) for label in check_pattern((Name("a"), Name("b")), ("a", "b"))} == {str}


def test_characters_beside_the_surrogates_are_fine():
    assert check_labels(["\ud7ff", "\ue000", "😀"]) == ("\ud7ff", "\ue000", "😀")


def test_judges_without_names_count_from_one():
    assert default_judges(3) == ("J1", "J2", "J3")
    assert default_judges(0) == ()


@pytest.mark.parametrize("pattern", ["ab", ("a", "b"), ["a", "b"]])
def test_a_pattern_is_a_text_a_tuple_or_a_list(pattern):
    assert check_pattern(pattern, ("a", "b")) == ("a", "b")


@pytest.mark.parametrize(
    ("pattern", "labels", "rule"),
    [
        ("ab", ("a", "bb"), "a pattern is a tuple of labels"),
        ("yes", ("yes", "no"), "a pattern is a tuple of labels"),
        ({"a"}, ("a", "b"), "a pattern is a tuple of labels"),
        (7, ("a", "b"), "a pattern is a tuple of labels"),
        (None, ("a", "b"), "a pattern is a tuple of labels"),
        (("a", 1), ("a", "b"), "a label is a text, not int"),
        (("a", ["b"]), ("a", "b"), "a label is a text, not list"),
        ("ac", ("a", "b"), "'c' is not one of the labels 'a', 'b'"),
        (("a", ""), ("a", "b"), "'' is not one of the labels 'a', 'b'"),
        ((), ("a", "b"), "a pattern holds one label for each judge"),
        ("", ("a", "b"), "a pattern holds one label for each judge"),
    ],
)
def test_a_wrong_pattern_is_refused_with_its_rule(pattern, labels, rule):
    with pytest.raises(BadVotes) as caught:
        check_pattern(pattern, labels)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (("a",), "a"),
        (("a", "b"), "a,b"),
        (("a,b", "c"), "a\\,b,c"),
        (("\\", ","), "\\\\,\\,"),
        (("\\,",), "\\\\\\,"),
    ],
)
def test_commas_and_backslashes_are_escaped(pattern, text):
    assert join_pattern(pattern) == text
    assert split_pattern(text) == pattern


@given(st.lists(st.one_of(st.text(alphabet=",\\a", min_size=1), st.text(min_size=1)), min_size=1))
def test_splitting_undoes_joining(pattern):
    assert split_pattern(join_pattern(tuple(pattern))) == tuple(pattern)


@given(st.lists(st.text(alphabet=",\\a"), min_size=1), st.lists(st.text(alphabet=",\\a"), min_size=1))
def test_different_patterns_have_different_texts(one, other):
    assert (join_pattern(tuple(one)) == join_pattern(tuple(other))) == (one == other)


@pytest.mark.parametrize("text", ["a\\", "\\a", "a,\\b", "a\\\\\\"])
def test_a_backslash_before_anything_else_is_refused(text):
    with pytest.raises(BadVotes, match="stands before a comma or a backslash"):
        split_pattern(text)
