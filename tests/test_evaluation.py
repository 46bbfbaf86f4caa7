"""Evaluations as values: what they check, hold, compare and write."""

import copy
import pickle

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadVotes, EmptyTest, FloatRefused
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined

HALF = {"a": "1/2", "b": "1/2"}
COUNTS = CountEvaluation.from_correct({"a": 4, "b": 6}, [{"a": 3, "b": 5}, {"a": 0, "b": 6}])
RATES = Evaluation.from_accuracies(
    {"a": "2/5", "b": "3/5"},
    [{"a": "1/2", "b": Surd(0, "1/2", 2)}, {"a": 1, "b": 0}],
    {("b", (0, 1)): "1/7", ("a", (0, 1)): "-1/9"},
)


def test_a_wrong_answer_between_two_labels_is_the_other_label():
    assert RATES.response_rates[0]["a"] == {"a": mpq(1, 2), "b": mpq(1, 2)}
    assert RATES.response_rates[0]["b"]["a"] == 1 - Surd(0, "1/2", 2)
    assert RATES.accuracy[1] == {"a": 1, "b": 0}
    assert COUNTS.confusion[0] == {"a": {"a": 3, "b": 1}, "b": {"a": 1, "b": 5}}
    assert COUNTS.correct == ({"a": 3, "b": 5}, {"a": 0, "b": 6})
    assert COUNTS.size == 10
    assert list(RATES.correlations) == [("a", (0, 1)), ("b", (0, 1))]


@pytest.mark.parametrize("value", [COUNTS, RATES])
def test_values_compare_hash_copy_and_paste_back(value):
    names = {"CountEvaluation": CountEvaluation, "Evaluation": Evaluation, "mpq": mpq, "Surd": Surd}
    for same in (copy.deepcopy(value), pickle.loads(pickle.dumps(value)), eval(repr(value), names)):
        assert same == value
        assert hash(same) == hash(value)
    assert value != "value"
    assert COUNTS != RATES


def test_three_labels_need_confusions_and_keep_them():
    rows = {true: {given: int(true == given) for given in "abc"} for true in "abc"}
    value = CountEvaluation(dict.fromkeys("abc", 1), [rows])
    assert eval(repr(value)) == value
    assert value.rates().accuracy == ({"a": 1, "b": 1, "c": 1},)
    with pytest.raises(BadVotes):
        CountEvaluation.from_correct(dict.fromkeys("abc", 1), [])
    with pytest.raises(BadVotes):
        Evaluation.from_accuracies(dict.fromkeys("abc", "1/3"), [])


def test_rates_are_shares_and_undefined_with_a_zero_denominator():
    assert COUNTS.rates().prevalence == {"a": mpq(2, 5), "b": mpq(3, 5)}
    assert COUNTS.rates().accuracy[0] == {"a": mpq(3, 4), "b": mpq(5, 6)}
    empty_label = CountEvaluation.from_correct({"a": 0, "b": 2}, [{"a": 0, "b": 1}]).rates()
    assert empty_label.accuracy[0] == {"a": Undefined.NO_QUESTIONS, "b": mpq(1, 2)}
    assert Evaluation.from_accuracies({"a": 0, "b": 1}, [{"a": Undefined.NO_QUESTIONS, "b": 1}]) == (
        CountEvaluation.from_correct({"a": 0, "b": 1}, [{"a": 0, "b": 1}]).rates()
    )
    with pytest.raises(EmptyTest):
        CountEvaluation.from_correct({"a": 0, "b": 0}, [{"a": 0, "b": 0}]).rates()


def test_an_undefined_rate_is_null_in_a_document():
    undefined = CountEvaluation.from_correct({"a": 0, "b": 2}, [{"a": 0, "b": 1}]).rates()
    assert undefined.to_document()["response_rates"][0]["a"] == {"a": None, "b": None}


@pytest.mark.parametrize(
    "subset", [("c", (0, 1)), ("a", (0,)), ("a", (1, 0)), ("a", (0, 0)), ("a", (0, 5)), ("a", (0, 1, 2))]
)
def test_a_correlation_needs_two_judges(subset):
    with pytest.raises(BadVotes):
        Evaluation.from_accuracies(HALF, [HALF, HALF], {subset: 0})


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Evaluation.from_accuracies({"a": 0.5, "b": "1/2"}, []), FloatRefused),
        (lambda: Evaluation.from_accuracies(HALF, [{"a": 1}]), BadVotes),
        (lambda: Evaluation(HALF, [{"a": {"a": 1, "b": 0}}]), BadVotes),
        (lambda: Evaluation(HALF, [{"a": {"a": 1}, "b": {"a": 0, "b": 1}}]), BadVotes),
        (lambda: CountEvaluation.from_correct({"a": 1, "b": 1}, [{"a": 2, "b": 0}]), BadVotes),
        (lambda: CountEvaluation.from_correct({"a": 1, "b": 1}, [{"a": 1, "b": 1, "c": 0}]), BadVotes),
        (lambda: CountEvaluation.from_correct({"a": -1, "b": 1}, []), BadNumber),
        (
            lambda: CountEvaluation({"a": 1, "b": 0}, [{"a": {"a": 1, "b": 1}, "b": {"a": 0, "b": 0}}]),
            BadVotes,
        ),
        (lambda: CountEvaluation({"a": 1, "b": 0}, [{"a": {"a": 1, "b": 0}}]), BadVotes),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(make, error):
    with pytest.raises(error):
        make()
