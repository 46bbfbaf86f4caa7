"""Scores and their keys: exact values, exact order, ties included."""

from itertools import pairwise, permutations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.confidence.ordering import (
    OrderRelation,
    compare_orders,
    ranks,
)
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import (
    HALF_JEFFREYS,
    SCORES,
    SIX,
    ScoreFunction,
    compare_scores,
    distance_score,
    register_score,
    score_function,
)
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.surd import Surd

P, Q = ["0.5", "0.2", "0.3"], ["0.5", "0.5", "0"]
counts = st.lists(st.integers(0, 30), min_size=3, max_size=3).filter(any)


def test_scores_have_the_values_of_their_formulas():
    assert SCORES["max"].value(P) == mpq(1, 2)
    assert SCORES["l2"].value(P) == Surd.sqrt("0.38")
    assert SCORES["l1-uniform"].value(P) == mpq(1, 3)
    assert SCORES["l2-uniform"].value(P) == Surd.sqrt(mpq(38, 100) - mpq(1, 3))
    assert SCORES["entropy"].value(Q) == LogSumKey(((-1, 2),))
    assert SCORES["entropy"].value(["1", 0, 0]) == LogSumKey(())
    # JS of (1, 0) to (1/2, 1/2) is 3/2 log 2 − 3/4 log 3.
    assert SCORES["jensen-shannon"].value([1, 0]) == LogSumKey(((6, 2), (-3, 3)), 4)
    assert SCORES["jensen-shannon"].value(["1/3", "1/3", "1/3"]) == LogSumKey(())
    assert HALF_JEFFREYS.value(["1/3", "2/3"]) == LogSumKey(((1, 2),), 12)
    assert HALF_JEFFREYS.value([1, 0]) == LogSumKey((), infinite=True)


@pytest.mark.parametrize(
    ("score", "left", "right", "sign"),
    [
        ("max", P, Q, 0),
        ("l2", P, Q, -1),
        ("entropy", ["1/18", "8/18", "9/18"], ["3/18", "3/18", "12/18"], 0),
        ("entropy", [0, "3/10", "3/10", "4/10"], ["1/10", "1/10", "2/10", "6/10"], 0),
        ("jensen-shannon", ["1/18", "8/18", "9/18"], ["3/18", "3/18", "12/18"], 1),
        ("entropy", ["1/3", "2/3"], ["2/3", "1/3"], 0),
    ],
)
def test_ties_and_orders_are_exact(score, left, right, sign):
    assert compare_scores(score, left, right) == sign
    assert compare_scores(score, right, left) == -sign


@given(st.sampled_from(list(SCORES)), counts)
def test_the_order_of_labels_does_not_matter(name, numbers):
    keys = [SCORES[name].key(ProbabilityVector.of_counts(order)) for order in permutations(numbers)]
    assert all(one == other for one, other in pairwise(keys))


@given(st.sampled_from(list(SCORES)), counts, counts, counts)
def test_a_score_orders_totally(name, one, two, three):
    p, q, r = map(ProbabilityVector.of_counts, (one, two, three))
    assert compare_scores(name, p, q) == -compare_scores(name, q, p)
    if compare_scores(name, p, q) >= 0 and compare_scores(name, q, r) >= 0:
        assert compare_scores(name, p, r) >= 0


def test_keys_of_large_numbers_that_are_hard_to_tell_apart():
    n = 10**40
    near, far = ProbabilityVector((n, n + 2), 2 * n + 2), ProbabilityVector((n, n + 3), 2 * n + 3)
    for name in ("entropy", "jensen-shannon"):
        assert compare_scores(name, near, far) == -1
        assert compare_scores(name, near, near) == 0


def test_bad_comparisons_are_refused():
    with pytest.raises(BadSamples):
        compare_scores("max", ["1/2", "1/2"], P)
    with pytest.raises(BadSamples):
        compare_scores("gini", P, Q)


def test_an_own_score_can_be_given_and_registered():
    second = ScoreFunction("second", lambda vector: -mpq(sorted(vector.numerators)[-2], vector.denominator))
    assert compare_scores(second, P, Q) == 1
    assert ranks(second, [P, Q, [1, 0, 0]]) == [1, 0, 2]
    try:
        assert register_score(second) is second
        assert score_function("second") is second
        register_score(second)
        with pytest.raises(BadSamples):
            register_score(ScoreFunction("second", lambda _: mpq(0)))
    finally:
        SCORES.pop("second", None)
    assert str(second) == "second"


def test_orders_are_isomorphic_differ_in_ties_or_are_inverted():
    tie = compare_orders("max", "l2", [P, Q])
    assert (tie.relation, tie.isomorphic, len(tie.witness)) == (OrderRelation.TIES_DIFFER, False, 2)
    assert compare_orders("l2", "max", [P, Q]).relation is OrderRelation.TIES_DIFFER
    pair = [["4/6", "1/6", "1/6"], ["3/6", "3/6", 0]]
    inverted = compare_orders("max", "entropy", [*pair, P])
    assert inverted.relation is OrderRelation.INVERTED
    high, low = inverted.witness
    assert compare_scores("max", high, low) == 1
    assert compare_scores("entropy", high, low) == -1
    same = compare_orders("l2", "l2-uniform", [*pair, P, Q])
    assert (same.isomorphic, same.witness) == (True, ())


@given(st.lists(counts, min_size=2, max_size=8), st.sampled_from(SIX), st.sampled_from(SIX))
def test_relations_of_orders_agree_with_all_pairs(rows, left, right):
    vectors = [ProbabilityVector.of_counts(row) for row in rows]
    signs = [(compare_scores(left, p, q), compare_scores(right, p, q)) for p in vectors for q in vectors]
    relation = compare_orders(left, right, vectors).relation
    if any(one * other < 0 for one, other in signs):
        assert relation is OrderRelation.INVERTED
    elif any(one != other for one, other in signs):
        assert relation is OrderRelation.TIES_DIFFER
    else:
        assert relation is OrderRelation.ISOMORPHIC


def test_a_distance_to_a_fixed_vector_is_a_score():
    score = distance_score(["0.3", "0.7"])
    assert score.value(["0.4", "0.6"]) == Surd.sqrt("0.02")
    with pytest.raises(BadSamples):
        compare_scores(score, P, Q)
