"""Correlations of a pair: the closed interval of DESIGN section 4, the source's definition, the third judge."""

import itertools

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation
from ntqr_exact.varieties.group import individual
from ntqr_exact.varieties.pair_bounds import PairBounds
from ntqr_exact.votes.counts import VoteCounts

counts = st.lists(st.integers(0, 7), min_size=4, max_size=4).filter(any)


@given(counts, st.integers(0, 10**6))
def test_the_interval_of_both_wrong_is_the_printed_one(observed, seed):
    n_aa, n_ab, n_ba, n_bb = observed
    votes = VoteCounts(dict(zip(("aa", "ab", "ba", "bb"), observed, strict=True)))
    group = ConsistentSet(votes).sample(seed=seed)
    evaluation = individual(group)
    q = evaluation.key_counts["a"]
    i, j = (right["a"] for right in evaluation.correct)
    low = max(0, q - i - j, q - j - n_ab, q - i - n_ba)
    high = min(n_bb, q - i, q - j, n_aa + q - i - j)
    points = ConsistentSet(votes).pair_correlations(evaluation, 0, 1)
    assert [n_bb - both_b for _, both_b in (p.both_right for p in points)] == list(range(low, high + 1))
    found = tuple(pair_correlation(group, label, 0, 1) for label in "ab")
    assert found in [point.correlations for point in points]


def test_the_definition_is_that_of_eqs_24_and_25():
    group = ConsistentSet(VoteCounts({"aa": 4, "ab": 3, "ba": 2, "bb": 5})).sample(seed=3)
    for label in "ab":
        votes = group.by_label[label]
        x, y = (votes.response_rate(judge, label) for judge in (0, 1))
        assert pair_correlation(group, label, 0, 1) == votes.frequency(label * 2) - x * y


def test_a_label_without_questions_has_no_correlation():
    votes = VoteCounts({"aa": 1, "bb": 1})
    evaluation = CountEvaluation.from_correct({"a": 0, "b": 2}, [{"a": 0, "b": 1}] * 2)
    (point,) = ConsistentSet(votes).pair_correlations(evaluation, 0, 1)
    assert point.correlations == (Undefined.NO_QUESTIONS, mpq(1, 4))


def test_a_third_judge_can_narrow_the_interval():
    votes = VoteCounts({"aaa": 1, "aba": 1, "bab": 1, "bbb": 1})  # the third judge is the first again
    grades = [{"a": 1, "b": 1}] * 3
    trio = CountEvaluation.from_correct({"a": 2, "b": 2}, grades)
    assert len(ConsistentSet(votes).pair_correlations(trio, 0, 1)) == 2
    pair = CountEvaluation.from_correct({"a": 2, "b": 2}, grades[:2])
    alone = ConsistentSet(votes.marginal(0, 2)).pair_correlations(pair, 0, 1)
    assert ConsistentSet(votes).pair_correlations(trio, 0, 2) == alone
    narrow = VoteCounts({"aab": 1, "abb": 1, "bab": 1, "bba": 1})
    trio = CountEvaluation.from_correct(
        {"a": 2, "b": 2}, [{"a": 1, "b": 1}, {"a": 1, "b": 1}, {"a": 0, "b": 1}]
    )
    wide = ConsistentSet(narrow.marginal(0, 1)).pair_correlations(pair, 0, 1)
    assert len(wide) == 2
    assert len(ConsistentSet(narrow).pair_correlations(trio, 0, 1)) == 1


@given(counts)
def test_the_closed_count_of_pairs_is_right_for_every_key(observed):
    pair = PairBounds(*observed)
    for key in range(sum(observed) + 1):
        low, high = pair.single_interval(key)
        sizes = [
            top - bottom + 1 for bottom, top in (pair.partner_interval(key, s) for s in range(low, high + 1))
        ]
        assert min(sizes) >= 1
        assert pair.count_at(key) == sum(sizes)


@pytest.mark.parametrize("label", ["a", "b"])
def test_the_range_at_a_key_of_a_thousand_questions_is_attained(label):
    patterns = ["".join(p) for p in itertools.product("ab", repeat=3)]
    votes = VoteCounts(dict(zip(patterns, (269, 88, 88, 60, 81, 74, 64, 276), strict=True)))
    at = {"a": 400, "b": 600}
    found = ConsistentSet(votes).correlation_range(label, 0, 2, at=at)
    for group, end in ((found.minimizer, found.minimum), (found.maximizer, found.maximum)):
        assert group in ConsistentSet(votes)
        assert group.key_counts == at
        assert pair_correlation(group, label, 0, 2) == end
