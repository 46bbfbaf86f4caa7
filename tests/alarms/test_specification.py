"""Safety specifications."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import BadNumber, BadVotes, FloatRefused

factors = st.fractions(min_value=1, max_value=5, max_denominator=7).filter(lambda f: f > 1)


@given(factors, st.integers(1, 60))
def test_the_least_number_of_right_answers_is_the_least_that_is_safe(
    factor: Fraction, questions: int
) -> None:
    least = SafetySpecification(factor).least_right("a", questions)
    assert factor * least > questions >= factor * (least - 1)


@given(factors, st.integers(1, 60))
def test_the_most_questions_are_the_most_that_are_safe(factor: Fraction, right: int) -> None:
    most = SafetySpecification(factor).most_questions("a", right)
    assert factor * right > most
    assert factor * right <= most + 1


def test_a_label_without_questions_asks_for_nothing_and_no_right_answers_allow_none() -> None:
    assert SafetySpecification(2).least_right("a", 0) == 0
    assert SafetySpecification(2).most_questions("a", 0) == 0


@given(st.fractions(0, 1, max_denominator=9), st.integers(0, 40))
def test_the_minimum_grade_rounds_up(grade: Fraction, questions: int) -> None:
    least = SafetySpecification(2, minimum_grade=grade).least_total(questions)
    assert least >= grade * questions > least - 1


@pytest.mark.parametrize("factor", [1, 0, -2, "1", "1/2"])
def test_a_factor_that_is_not_greater_than_one_is_refused(factor) -> None:
    with pytest.raises(BadNumber, match="a safety factor is greater than 1"):
        SafetySpecification(factor)


def test_a_float_is_refused_and_so_is_a_grade_beyond_one() -> None:
    with pytest.raises(FloatRefused):
        SafetySpecification(1.5)
    with pytest.raises(BadNumber, match="between 0 and 1"):
        SafetySpecification(2, minimum_grade="3/2")
    with pytest.raises(BadNumber, match="between 0 and 1"):
        SafetySpecification(2, minimum_grade=-1)


def test_factors_may_differ_by_label_and_a_label_without_one_is_told() -> None:
    specification = SafetySpecification({"a": 2, "b": "3/2"})
    assert (specification.least_right("a", 6), specification.least_right("b", 6)) == (4, 5)
    with pytest.raises(BadVotes, match="factors for 'a', 'b' only"):
        specification.least_right("c", 1)


def test_specifications_are_values() -> None:
    assert SafetySpecification("4/2") == SafetySpecification(2)
    assert hash(SafetySpecification({"a": 2})) == hash(SafetySpecification({"a": 2}))
    assert SafetySpecification(2) != SafetySpecification(2, minimum_grade="1/2")
    assert SafetySpecification(2) != 2


def test_a_specification_can_be_copied_and_sent_to_another_process() -> None:
    for specification in (
        SafetySpecification("3/2"),
        SafetySpecification({"a": 2, "b": 3}, minimum_grade="1/2"),
    ):
        assert pickle.loads(pickle.dumps(specification)) == specification


def test_an_empty_mapping_of_factors_is_refused() -> None:
    with pytest.raises(BadVotes, match="a factor for each label"):
        SafetySpecification({})
