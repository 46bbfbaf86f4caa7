"""The data that ships: the votes of the two-norm test, whole and as printed in the issue."""

import pytest
from gmpy2 import mpq

from ntqr_exact import VoteCounts, example
from ntqr_exact.errors import BadDocument
from ntqr_exact.examples import EXAMPLES


def test_the_two_norm_votes_are_these():
    votes = example("two-norm").votes
    assert votes == VoteCounts(
        {"aaa": 181, "aab": 90, "aba": 86, "abb": 115, "baa": 86, "bab": 109, "bba": 100, "bbb": 233},
        judges=["1", "2", "3"],
    )
    assert votes.size == 1000
    assert example("two-norm").key_counts == {"a": 400, "b": 600}


def test_the_majority_is_wrong_as_often_as_a_judge_stands_alone():
    votes = example("two-norm").votes
    alone = [
        mpq(votes.counts[p] + votes.counts[q], 1000)
        for p, q in (("abb", "baa"), ("aba", "bab"), ("aab", "bba"))
    ]
    assert alone == [mpq(201, 1000), mpq(195, 1000), mpq(190, 1000)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_can_be_read_and_names_its_source(name):
    shown = example(name)
    assert shown.name == name
    assert shown.path.is_file()
    assert shown.votes.size == sum(shown.key_counts.values())
    assert set(shown.key_counts) == set(shown.votes.labels)
    assert str(shown.citation).startswith("Corrada-Emmanuel 2023, ")
    assert shown.title
    assert shown.origin


def test_an_unknown_example_is_refused_with_those_there_are():
    with pytest.raises(BadDocument, match="'three-norm': the examples are two-norm"):
        example("three-norm")
