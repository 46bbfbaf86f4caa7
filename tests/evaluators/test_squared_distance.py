"""Distances between evaluations."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from ntqr_exact import CountEvaluation, Evaluation, Surd, example
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.evaluators.squared_distance import squared_distance


def test_the_independent_estimate_of_two_norm_is_closer_to_the_key_than_the_majority() -> None:
    case = example("two-norm")
    truth = case.evaluation.rates()
    independent = squared_distance(solve_independent(case.votes).solutions[0], truth)
    majority = squared_distance(majority_vote(case.votes).evaluation, truth)
    assert isinstance(independent, Surd)
    assert independent < majority
    assert majority == sum(
        (x - y) ** 2
        for x, y in [
            (mpq(443, 1000), mpq(2, 5)), (mpq(557, 1000), mpq(3, 5)),
            (mpq(357, 443), mpq(297, 400)), (mpq(442, 557), mpq(425, 600)),
            (mpq(357, 443), mpq(291, 400)), (mpq(448, 557), mpq(425, 600)),
            (mpq(353, 443), mpq(293, 400)), (mpq(457, 557), mpq(440, 600)),
        ]
    )  # fmt: skip


def test_what_is_undefined_on_one_side_does_not_count() -> None:
    empty = CountEvaluation.from_correct({"a": 2, "b": 0}, [{"a": 1, "b": 0}]).rates()
    other = Evaluation.from_accuracies({"a": 1, "b": 0}, [{"a": 1, "b": 1}])
    assert squared_distance(empty, other) == squared_distance(other, empty) == mpq(1, 4)


def test_evaluations_of_different_tests_are_not_compared() -> None:
    one = Evaluation.from_accuracies({"a": 1, "b": 0}, [{"a": 1, "b": 1}])
    two = Evaluation.from_accuracies({"x": 1, "y": 0}, [{"x": 1, "y": 1}])
    with pytest.raises(BadVotes, match="same labels and judges"):
        squared_distance(one, two)
    pair = Evaluation.from_accuracies({"a": 1, "b": 0}, [{"a": 1, "b": 1}] * 2)
    with pytest.raises(BadVotes, match="same labels and judges"):
        squared_distance(one, pair)
