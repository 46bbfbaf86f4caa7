"""Laws of metrics, each for every metric of the registry, every area, every loss and every metric against chance."""

import random

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import (
    Anchor,
    LabelPairs,
    many_label_roc_auc,
    ranking_average_precision,
    ranking_pr_auc,
    ranking_roc_auc,
)
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import RATIOS
from ntqr_exact.metrics.multiclass import Average, balanced_accuracy, cohen_kappa, lift, matthews
from ntqr_exact.metrics.probability_losses import (
    TopTies,
    brier_score,
    calibration,
    log_loss,
    top_k_accuracy,
)
from ntqr_exact.metrics.ranking import Rule, rank

PLAIN = [*RATIOS, "f2", "f1/3"]
NAMES = [*PLAIN, *(f"!{name}" for name in PLAIN)]
AGAINST_CHANCE = {
    # name: the function, its least and greatest value, and whether swapping both labels leaves it as it is
    "matthews": (matthews, -1, 1, True),
    "cohen_kappa": (cohen_kappa, -1, 1, True),
    "balanced_accuracy": (balanced_accuracy, 0, 1, True),
    "lift": (lift, 0, None, False),
}
LOSSES = {
    # name: the function of labels, probabilities and weights, and its greatest value
    "brier_score": (brier_score, 1),
    "log_loss": (log_loss, None),
    "calibration error": (lambda *data: calibration(*data, bins=4).error, 1),
}
MANY_LABELS = {
    # name: the function of labels, rows of scores and weights, and whether renaming the labels leaves it as it is
    **{
        f"roc_auc {pairs.name} {average.name}": (
            lambda *data, pairs=pairs, average=average, **options: many_label_roc_auc(
                *data, pairs=pairs, average=average, **options
            ),
            True,
        )
        for pairs in LabelPairs
        for average in (Average.MACRO, Average.WEIGHTED, Average.MICRO)
    },
    **{
        f"top_{k} {ties.name}": (
            lambda *data, k=k, ties=ties, **options: top_k_accuracy(*data, k=k, ties=ties, **options),
            ties is TopTies.SHARED,
        )
        for k in (1, 2)
        for ties in TopTies
    },
}
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
many = st.lists(
    st.tuples(st.integers(0, 2), st.tuples(*[st.integers(0, 4)] * 3), weight), min_size=1, max_size=8
).filter(lambda rows: any(w for _, _, w in rows))


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
    for name in PLAIN:
        for value, negated in (
            (original[name], swapped[f"!{name}"]),
            (original[f"!{name}"], swapped[name]),
        ):
            if isinstance(value, Undefined):  # the reasons change sides, too
                assert isinstance(negated, Undefined)
            else:
                assert value == negated


@pytest.mark.parametrize("name", AGAINST_CHANCE)
@given(
    rows=samples, shuffler=st.randoms(use_true_random=False), factor=st.fractions("1/9", 9, max_denominator=9)
)
def test_metrics_against_chance_keep_the_laws_of_the_others(name, rows, shuffler, factor):
    measured, least, greatest, is_symmetric = AGAINST_CHANCE[name]
    value = measured(matrix(rows))
    first, *rest = rows
    half = (*first[:2], first[2] / 2)
    for same in (
        shuffler.sample(rows, len(rows)),
        [(a, p, w * factor) for a, p, w in rows],
        [half, *rest, half],
        *([[(not a, not p, w) for a, p, w in rows]] if is_symmetric else []),
    ):
        assert measured(matrix(same)) == value
    if not isinstance(value, Undefined):
        assert value >= least
        assert greatest is None or value <= greatest
        if all(a == p for a, p, w in rows if w):
            assert value == (greatest if greatest is not None else 1 / matrix(rows).rates["true"])


@pytest.mark.parametrize("name", LOSSES)
@given(
    rows=scored, shuffler=st.randoms(use_true_random=False), factor=st.fractions("1/9", 9, max_denominator=9)
)
def test_losses_keep_the_laws_and_a_certain_right_forecast_has_loss_0(name, rows, shuffler, factor):
    loss, greatest = LOSSES[name]

    def of(rows):
        return loss([y for y, _, _ in rows], [mpq(s, 5) for _, s, _ in rows], [w for _, _, w in rows])

    value = of(rows)
    first, *rest = rows
    half = (*first[:2], first[2] / 2)
    assert of(shuffler.sample(rows, len(rows))) == value
    assert of([(y, s, w * factor) for y, s, w in rows]) == value
    assert of([half, *rest, half]) == value
    nothing = of([(y, 5 * y, w) for y, _, w in rows])
    assert float(nothing) == 0
    assert value >= nothing
    assert greatest is None or value <= greatest


@given(
    name=st.sampled_from(list(MANY_LABELS)),
    rows=many,
    shuffler=st.randoms(use_true_random=False),
    factor=st.fractions("1/9", 9, max_denominator=9),
)
def test_metrics_of_many_labels_keep_the_laws_of_the_others(name, rows, shuffler, factor):
    measured, swaps_labels = MANY_LABELS[name]

    def of(rows):
        return measured(*map(list, zip(*rows, strict=True)), label_names=[0, 1, 2])

    value = of(rows)
    first, *rest = rows
    half = (*first[:2], first[2] / 2)
    for same in (
        shuffler.sample(rows, len(rows)),
        [(y, s, w * factor) for y, s, w in rows],
        [half, *rest, half],
        [*rows, (0, (5, 5, 5), 0)],
        [(y, [score**3 - 7 for score in s], w) for y, s, w in rows],
    ):
        assert of(same) == value
    if swaps_labels:
        assert of([((y + 1) % 3, (s[2], s[0], s[1]), w) for y, s, w in rows]) == value
    if not isinstance(value, Undefined):
        assert 0 <= value <= 1
        assert of([(y, [int(place == y) for place in range(3)], w) for y, _, w in rows]) == 1


@given(rows=many)
def test_the_top_of_all_labels_holds_every_sample_and_a_longer_top_no_fewer(rows):
    truths, scores, weights = map(list, zip(*rows, strict=True))
    for ties in TopTies:
        tops = [
            top_k_accuracy(truths, scores, weights, k=k, label_names=[0, 1, 2], ties=ties) for k in range(4)
        ]
        assert tops == sorted(tops)
        assert (tops[0], tops[-1]) == (0, 1)


@given(scored)
def test_two_labels_have_the_area_of_the_binary_one_against_the_rest_and_in_pairs(rows):
    truths, scores, weights = map(list, zip(*rows, strict=True))
    binary = ranking_roc_auc(ranked(rows))
    for pairs in LabelPairs:
        found = many_label_roc_auc(
            truths, [(-s, s) for s in scores], weights, label_names=[False, True], pairs=pairs
        )
        assert found == (Undefined.PART_UNDEFINED if isinstance(binary, Undefined) else binary)


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
    assert ranking_roc_auc(ranked(rows, pos_label=False)) == 1 - value
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
