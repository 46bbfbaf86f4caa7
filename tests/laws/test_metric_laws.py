"""Laws of metrics, each for every metric of the registry and every area."""

import random

import numpy as np
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import (
    Anchor,
    ranking_average_precision,
    ranking_pr_auc,
    ranking_roc_auc,
)
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import METRICS
from ntqr_exact.metrics.ranking import Rule, rank

NAMES = [*METRICS, *(f"!{name}" for name in METRICS)]
AREAS = {
    "roc_auc": ranking_roc_auc,
    "average_precision": ranking_average_precision,
    **{
        f"pr_auc {anchor.name}": lambda ranking, anchor=anchor: ranking_pr_auc(ranking, anchor=anchor)
        for anchor in Anchor
    },
}

weight = st.fractions(min_value=0, max_value=9, max_denominator=7)
sample = st.tuples(st.booleans(), st.booleans(), weight)
samples = st.lists(sample, min_size=1, max_size=10).filter(lambda rows: any(w for _, _, w in rows))
scored = st.lists(st.tuples(st.booleans(), st.integers(0, 5), weight), min_size=1, max_size=10).filter(
    lambda rows: any(w for _, _, w in rows)
)


def matrix(rows):
    actual, predicted, weights = zip(*rows, strict=True)
    return ConfusionMatrix.from_labels(actual, predicted, weights)


def ranked(rows, **options):
    labels, scores, weights = zip(*rows, strict=True)
    return rank(labels, scores, weights, **options)


def metrics_of(rows):
    measured = matrix(rows)
    return {name: measured[name] for name in NAMES}


def areas_of(ranking):
    return {name: area(ranking) for name, area in AREAS.items()}


@given(samples, st.randoms(use_true_random=False), st.fractions("1/9", 9, max_denominator=9))
def test_order_common_factors_and_splits_change_no_metric(rows, shuffler, factor):
    values = metrics_of(rows)
    assert metrics_of(shuffler.sample(rows, len(rows))) == values
    assert metrics_of([(a, p, w * factor) for a, p, w in rows]) == values
    first, *rest = rows
    half = (*first[:2], first[2] / 2)
    assert metrics_of([half, *rest, half]) == values


@given(samples)
def test_swapping_the_labels_turns_every_metric_into_its_negated_form(rows):
    original, swapped = matrix(rows), matrix([(not a, not p, w) for a, p, w in rows])
    assert swapped == original.negated
    for name in METRICS:
        for value, negated in (
            (original[name], swapped[f"!{name}"]),
            (original[f"!{name}"], swapped[name]),
        ):
            if isinstance(value, Undefined):  # the reasons change sides, too
                assert isinstance(negated, Undefined)
            else:
                assert value == negated


@given(samples, st.fractions(0, 1, max_denominator=20))
def test_population_rates_compose_and_the_own_rate_changes_nothing(rows, rate):
    original = matrix(rows)
    assert original.at_population_rate(original.rates["true"]) == original
    if original.positives and original.negatives:
        there = original.at_population_rate(rate)
        assert there.rates["true"] == rate
        assert there.total == original.total
        if 0 < rate < 1:
            assert there.at_population_rate(original.rates["true"]) == original


@given(samples)
def test_every_metric_lies_between_zero_and_one_or_is_undefined(rows):
    assert all(isinstance(value, Undefined) or 0 <= value <= 1 for value in metrics_of(rows).values())


@given(scored, st.randoms(use_true_random=False), st.fractions("1/9", 9, max_denominator=9))
def test_order_common_factors_splits_and_rising_maps_change_no_area(rows, shuffler, factor):
    values = areas_of(ranked(rows))
    assert areas_of(ranked(shuffler.sample(rows, len(rows)))) == values
    assert areas_of(ranked([(y, s, w * factor) for y, s, w in rows])) == values
    first, *rest = rows
    half = (*first[:2], first[2] / 2)
    assert areas_of(ranked([half, *rest, half])) == values
    assert areas_of(ranked([(y, s**3 - 7, w) for y, s, w in rows])) == values
    assert all(isinstance(value, Undefined) or 0 <= value <= 1 for value in values.values())


@given(scored)
def test_arrays_and_lists_have_the_same_areas_and_the_own_rate_changes_none(rows):
    labels, scores, weights = zip(*rows, strict=True)
    values = areas_of(rank(labels, scores, weights))
    arrays = rank(np.array(labels), np.array(scores), [str(w) for w in weights])
    assert areas_of(arrays) == values
    own = mpq(arrays.positives, arrays.positives + arrays.negatives)
    assert areas_of(arrays.at_population_rate(own)) == values


@given(scored)
def test_roc_auc_of_swapped_labels_or_reversed_scores_is_its_complement(rows):
    value = ranking_roc_auc(ranked(rows))
    if isinstance(value, Undefined):
        return
    assert ranking_roc_auc(ranked([(y, -s, w) for y, s, w in rows])) == 1 - value
    assert ranking_roc_auc(ranked(rows, classes=(True, False))) == 1 - value
    assert ranking_roc_auc(ranked([(not y, -s, w) for y, s, w in rows])) == value


@given(scored, st.fractions("1/20", "19/20", max_denominator=20))
def test_roc_auc_does_not_depend_on_the_population_rate(rows, rate):
    ranking = ranked(rows)
    if ranking.positives and ranking.negatives:
        assert ranking_roc_auc(ranking.at_population_rate(rate)) == ranking_roc_auc(ranking)


@given(scored, st.integers(-1, 6), st.sampled_from(list(Rule)))
def test_a_threshold_predicts_what_its_rule_says(rows, threshold, rule):
    by_hand = matrix([(y, s >= threshold if rule is Rule.AT_LEAST else s > threshold, w) for y, s, w in rows])
    assert ranked(rows).at(threshold, rule=rule) == by_hand


def test_splitting_a_large_sample_into_parts_adds_their_matrices():
    generator = random.Random(5)
    rows = [
        (generator.random() < 0.3, generator.random() < 0.4, mpq(generator.randrange(9), 7))
        for _ in range(500)
    ]
    assert matrix(rows[:200]) + matrix(rows[200:]) == matrix(rows)
