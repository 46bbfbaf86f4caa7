"""Grading by majority vote."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import VoteCounts, example
from ntqr_exact.errors import BadChoice, BadVotes
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.undefined_value import Undefined

TRIO = list(product("ab", repeat=3))
trio_counts = st.lists(st.integers(0, 20), min_size=8, max_size=8).filter(any)


@given(trio_counts)
def test_pair_correlations_of_a_trio_are_minus_the_product_of_the_error_rates(counts) -> None:
    evaluation = majority_vote(VoteCounts(dict(zip(TRIO, counts, strict=True)))).evaluation
    for (label, subset), value in evaluation.correlations.items():
        if len(subset) == 2 and value is not Undefined.NO_QUESTIONS:
            i, j = subset
            right = [evaluation.accuracy[judge][label] for judge in (i, j)]
            assert value == -(1 - right[0]) * (1 - right[1])


@given(trio_counts)
def test_the_key_gives_each_question_the_label_of_most_judges(counts) -> None:
    votes = VoteCounts(dict(zip(TRIO, counts, strict=True)))
    result = majority_vote(votes)
    assert result.key.observed() == votes
    for label, part in result.key.by_label.items():
        assert all(pattern.count(label) >= 2 for pattern in part.counts)
    assert result.evaluation == grade(result.key)
    assert result.ties == 0


@given(trio_counts)
def test_if_the_crowd_is_wrong_every_answer_is_graded_the_other_way(counts) -> None:
    result = majority_vote(VoteCounts(dict(zip(TRIO, counts, strict=True))))
    assert result.reversed_evaluation.prevalence["a"] == result.evaluation.prevalence["b"]
    for right, wrong in zip(result.evaluation.accuracy, result.reversed_evaluation.accuracy, strict=True):
        if right["b"] is not Undefined.NO_QUESTIONS:
            assert wrong["a"] == 1 - right["b"]


def test_the_two_norm_grades_are_those_of_tables_2_and_3() -> None:
    result = majority_vote(example("two-norm").votes)
    assert result.key.key_counts == {"a": 443, "b": 557}
    assert [result.key.confusion(judge)["a"]["a"] for judge in range(3)] == [357, 357, 353]
    assert [result.key.confusion(judge)["b"]["b"] for judge in range(3)] == [442, 448, 457]
    assert [str(result.evaluation.correlations["a", pair]) for pair in [(0, 1), (0, 2), (1, 2)]] == [
        "-7396/196249",
        "-7740/196249",
        "-7740/196249",
    ]


def test_three_labels_have_no_reversed_crowd() -> None:
    result = majority_vote(VoteCounts({"aab": 1, "ccc": 2}, labels=("a", "b", "c")))
    assert result.key.key_counts == {"a": 1, "b": 0, "c": 2}
    assert result.reversed_key is None
    assert result.reversed_evaluation is None


@pytest.mark.parametrize(
    ("policy", "key"),
    [
        (TiePolicy.FIRST_LABEL, {"a": 6, "b": 0, "c": 0}),
        (TiePolicy.LAST_LABEL, {"a": 1, "b": 2, "c": 3}),
        (TiePolicy.FIRST_JUDGE, {"a": 1, "b": 2, "c": 3}),
        ("first-judge", {"a": 1, "b": 2, "c": 3}),
    ],
)
def test_a_tie_goes_as_the_policy_says(policy, key) -> None:
    votes = VoteCounts({"aa": 1, "ba": 2, "ca": 3}, labels=("a", "b", "c"))
    result = majority_vote(votes, ties=policy)
    assert result.key.key_counts == key
    assert result.ties == 5


def test_first_judge_means_the_first_of_those_who_gave_a_leading_label() -> None:
    votes = VoteCounts({"cabab": 1}, labels=("a", "b", "c"))
    assert majority_vote(votes, ties="first-judge").key.key_counts == {"a": 1, "b": 0, "c": 0}
    assert majority_vote(votes, ties="last-label").key.key_counts == {"a": 0, "b": 1, "c": 0}


def test_a_tie_without_a_policy_is_refused_and_the_policies_are_named() -> None:
    with pytest.raises(BadVotes, match="'first-label', 'last-label', 'first-judge'"):
        majority_vote(VoteCounts({"ab": 1}))


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(BadChoice, match="'coin': TiePolicy is one of REFUSE"):
        majority_vote(VoteCounts({"ab": 1}), ties="coin")
