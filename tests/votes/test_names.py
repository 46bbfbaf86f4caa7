"""Names and patterns: what is allowed, and how a pattern is written as one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadVotes
from ntqr_exact.votes.names import (
    check_labels,
    check_pattern,
    join_pattern,
    split_pattern,
)


class Name(str):
    """A text of another class, as numpy has."""

    __slots__ = ()


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
