"""Queries and the distribution of scores: ties, rules, negated metrics, no answer, bad texts."""

import operator
from itertools import product

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadQuery, BadSamples
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.ranking import Rule, rank
from ntqr_exact.metrics.threshold_queries import (
    NoThreshold,
    Query,
    ThresholdAnswer,
    ask,
    loan_threshold,
)

RELATIONS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq}
RANKING = rank([1, 1, 0, 1, 0], ["0.9", "0.8", "0.7", "0.6", "0.1"])


def brute(ranking, query, rule):
    """Look at every threshold with fractions."""
    allowed = []
    for place in range(len(ranking)):
        matrix = ranking.confusion(place, rule=rule)
        value, condition = matrix.measure(query.target), matrix.measure(query.condition)
        if isinstance(value, Undefined) or isinstance(condition, Undefined):
            continue
        if RELATIONS[query.relation](condition, query.bound):
            allowed.append((value, ranking.threshold(place)))
    return (max if query.goal == "maximum" else min)(allowed, default=None)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(1, 4)), min_size=1, max_size=9),
    st.sampled_from(["recall", "!precision", "f1", "match_rate", "!fpr"]),
    st.sampled_from(["precision", "recall", "!recall", "accuracy"]),
    st.sampled_from(["0", "1/3", "0.5", "3/4", "1"]),
)
def test_an_answer_is_the_best_of_all_thresholds_with_its_tie_rule(data, target, condition, bound):
    labels, scores, weights = zip(*data, strict=True)
    rankings = (rank(labels, scores, weights), rank(np.array(labels), np.array(scores), np.array(weights)))
    for goal, relation, rule in product(("maximum", "minimum"), RELATIONS, Rule):
        query = Query.parse(f"{goal} {target} @ {condition} {relation} {bound}")
        for ranking in rankings:
            best = brute(ranking, query, rule)
            answer = ask(ranking, query, rule=rule)
            if best is None:
                assert isinstance(answer, NoThreshold)
            else:
                assert (answer.value, answer.threshold) == best
                assert answer.confusion == ranking.at(answer.threshold, rule=rule)


def test_a_bound_is_met_exactly_where_floats_would_miss_it():
    # Precision is exactly 9/10, and 0.9 as a float is more than that.
    ranking = rank([1] * 9 + [0], [2] * 10)
    assert ask(ranking, "maximum recall @ precision >= 0.9").value == 1
    assert isinstance(ask(ranking, "maximum recall @ precision > 0.9"), NoThreshold)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("maximum recall @ precision >= 0.9", "maximum recall @ precision >= 9/10"),
        ("  Minimum match_rate@!recall>=3/4 ", "minimum match_rate @ !recall >= 3/4"),
        ("maximum !f1 @ fpr < 1e-2", "maximum !f1 @ fpr < 1/100"),
        ("maximum f1 @ accuracy = 1", "maximum f1 @ accuracy = 1"),
    ],
)
def test_a_query_is_read_and_written(text, written):
    assert str(Query.parse(text)) == written
    assert Query.parse(written) == Query.parse(text)
    assert isinstance(ask(RANKING, text), (ThresholdAnswer, NoThreshold))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "recall @ precision >= 0.9",
        "maximum recall",
        "maximum recall @ precision == 0.9",
        "maximum recall @ precision >= 0.9 and more",
        "maximum recall @ precision >= high",
        "maximum recall @ precision >= 1/0",
        "maximum recall @ precision >= 1.1",
        "maximum recall @ precision >= -0.1",
        "maximum speed @ precision >= 0.9",
        "maximum recall @ !speed >= 0.9",
        "maximum recall @ precision >= __import__('os')",
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(BadQuery):
        ask(RANKING, text)


def test_the_distribution_splits_all_weight_into_bins_by_label():
    ranking = rank([1, 0, 1, 0, 1], [0, "1/10", "1/2", "0.95", 1], ["1/2", 1, 1, 1, 1])
    view = loan_threshold(ranking, "1/2")
    assert len(view.bins) == 10
    assert (view.bins[0].negatives, view.bins[0].positives) == (0, mpq(1, 2))
    assert (view.bins[1].negatives, view.bins[1].positives) == (1, 0)
    assert (view.bins[9].negatives, view.bins[9].positives) == (1, 1)
    assert sum(part.negatives for part in view.bins) == 2
    assert sum(part.positives for part in view.bins) == mpq(5, 2)
    assert view.confusion == ranking.at("1/2")
    assert loan_threshold(ranking, "1/2", rule=Rule.ABOVE).confusion == ranking.at("1/2", rule=Rule.ABOVE)


def test_bins_that_do_not_hold_the_scores_are_refused():
    ranking = rank([1, 0], [5, 1])
    with pytest.raises(BadSamples):
        loan_threshold(ranking, 2)
    with pytest.raises(BadSamples):
        loan_threshold(ranking, 2, edges=[2, 6])
    for edges in ([1], [5, 1], [1, 1, 5]):
        with pytest.raises(BadSamples):
            loan_threshold(ranking, 2, edges=edges)
    assert [part.positives for part in loan_threshold(ranking, 2, edges=[1, 3, 5]).bins] == [0, 1]
