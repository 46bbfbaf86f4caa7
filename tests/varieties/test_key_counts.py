"""Key counts: what is taken, and that every error says what is allowed."""

import pytest

from ntqr_exact.errors import BadKeyCounts, NotANumber, NtqrExactError
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.key_counts import all_key_counts, check_key_counts
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.votes.counts import VoteCounts

BAD = [
    ({"a": 4, "b": 5}, "add up to the number of questions, 10, and these to 9"),
    ({"a": 10, "c": 0}, "'c' is no label of this test; the labels are 'a', 'b'"),
    ({"a": -1, "b": 11}, "must not be negative (this is the count of 'a')"),
    ({"a": "1/2", "b": "19/2"}, "must be a whole number (this is the count of 'a')"),
    ([4, 6], "the labels are 'a', 'b'"),
    ({}, "and these to 0"),
]


@pytest.mark.parametrize(("given", "rule"), BAD)
def test_bad_key_counts_are_refused_everywhere_with_the_rule(given, rule):
    consistent = ConsistentSet(VoteCounts({"a": 4, "b": 6}))
    possible = PossibleSet(questions=10)
    for use in (
        lambda: check_key_counts(given, ("a", "b"), 10),
        lambda: consistent.count_at(given),
        lambda: consistent.sample(seed=1, at=given),
        lambda: list(consistent.at(given)),
        lambda: consistent.projection().count_at(given),
        lambda: list(consistent.projection().at(given)),
        lambda: possible.count_at(given),
        lambda: possible.sample(seed=1, at=given),
        lambda: list(possible.at(given)),
    ):
        with pytest.raises(BadKeyCounts) as caught:
            use()
        assert rule in str(caught.value)
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, NtqrExactError)


def test_a_float_is_no_key_count():
    with pytest.raises(NotANumber):
        check_key_counts({"a": 4.0, "b": 6}, ("a", "b"), 10)


def test_labels_in_any_order_and_missing_ones_are_taken():
    assert check_key_counts({"c": 1, "a": "2"}, ("a", "b", "c"), 3) == (2, 0, 1)


def test_all_key_counts_run_lexicographically():
    keys = [tuple(key.values()) for key in all_key_counts(("a", "b", "c"), 2)]
    assert keys == sorted(keys)
    assert len(keys) == 6
