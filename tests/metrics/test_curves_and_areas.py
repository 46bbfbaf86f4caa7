"""Curves and areas: worked cases, anchors, forms, proven digits, agreement of lists and arrays."""

import random
from itertools import pairwise

import numpy as np
import pytest
from gmpy2 import mpq

from ntqr_exact.columns.inputs import float_scores
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import (
    Anchor,
    average_precision,
    pr_auc,
    ranking_average_precision,
    ranking_pr_auc,
    roc_auc,
)
from ntqr_exact.metrics.ranking import precision_recall_curve, rank, roc_curve

PERFECT = ([1, 1, 0, 0], [4, 3, 2, 1])


@pytest.mark.parametrize("arrays", [False, True])
def test_columns_are_the_points_without_fractions(arrays):
    scores = np.array(PERFECT[1]) if arrays else PERFECT[1]
    for curve in (roc_curve(PERFECT[0], scores, [3, 1, 2, 5]), precision_recall_curve(PERFECT[0], scores)):
        (x_above, x_below), (y_above, y_below) = curve.columns()
        fractions = [
            (mpq(int(a), int(b)), mpq(int(c), int(d)))
            for a, b, c, d in zip(x_above, x_below, y_above, y_below, strict=True)
        ]
        assert fractions == list(curve.points())[curve.starts_empty :]


def test_a_label_that_does_not_occur_leaves_the_areas_undefined():
    assert roc_auc([0, 0], [1, 2]) is Undefined.NO_POSITIVES
    assert roc_auc([1, 1], [1, 2]) is Undefined.NO_NEGATIVES
    assert average_precision([0, 0], [1, 2]) is Undefined.NO_POSITIVES
    assert pr_auc([0, 0], [1, 2]) is Undefined.NO_POSITIVES
    assert average_precision([1, 1], [1, 2]) == 1
    points = list(roc_curve([1, 1], [1, 2]).points())
    assert points[0] == (Undefined.NO_NEGATIVES, 0)


def sample(size, seed, distinct):
    generator = random.Random(seed)
    labels = [generator.randrange(2) for _ in range(size)]
    scores = [generator.randrange(distinct) for _ in range(size)]
    weights = [generator.randrange(1, 20) for _ in range(size)]
    return labels, scores, weights


@pytest.mark.parametrize("size", [3, 40, 400])
@pytest.mark.parametrize("factor", [1, 2**45, 2**61, 2**80])
def test_arrays_lists_and_big_weights_give_the_same_areas(size, factor):
    labels, scores, weights = sample(size, size, 2 * size)
    labels[:2] = [0, 1]
    big = [weight * factor + place for place, weight in enumerate(weights)]
    arrays = (np.array(labels), float_scores(np.array(scores, dtype=float)), np.array(big, dtype=object))
    lists = (labels, scores, big)
    assert roc_auc(*arrays) == roc_auc(*lists)
    assert average_precision(*arrays) == average_precision(*lists)
    for anchor in Anchor:
        exact = pr_auc(*lists, anchor=anchor)
        assert pr_auc(*arrays, anchor=anchor) == exact
        enclosure = pr_auc(*arrays, anchor=anchor, digits=30)
        assert pr_auc(*lists, anchor=anchor, digits=30) == enclosure
        assert exact in enclosure
        assert (enclosure.upper - enclosure.lower) < mpq(1, 10**30)


def test_an_area_that_is_a_multiple_of_the_grid_has_the_same_ends_however_it_was_summed():
    labels, scores = [1] * 200 + [0] * 200, list(range(400, 0, -1))
    big = [2**61 + place for place in range(400)]
    lists = average_precision(labels, scores, big, digits=20)
    arrays = average_precision(np.array(labels), np.array(scores), np.array(big, dtype=object), digits=20)
    assert lists == arrays
    assert lists.lower < 1 == lists.upper


def test_sums_are_the_printed_formula_term_by_term():
    labels, scores, weights = sample(60, 7, 25)
    points = list(precision_recall_curve(labels, scores, weights).points())
    pairs = list(pairwise(points))
    trapezoids = sum((r2 - r1) * (p1 + p2) / 2 for (r1, p1), (r2, p2) in pairs)
    (r1, p1), *_ = points
    assert pr_auc(labels, scores, weights, anchor=Anchor.NONE) == trapezoids
    assert pr_auc(labels, scores, weights, anchor=Anchor.FIRST_PRECISION) == trapezoids + r1 * p1
    assert pr_auc(labels, scores, weights, anchor=Anchor.ONE) == trapezoids + r1 * (p1 + 1) / 2
    assert average_precision(labels, scores, weights) == r1 * p1 + sum(
        (r2 - r1) * p2 for (r1, _), (r2, p2) in pairs
    )
    roc = list(roc_curve(labels, scores, weights).points())
    assert roc_auc(labels, scores, weights) == sum(
        (x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(roc)
    )


def test_roc_auc_is_the_mann_whitney_count_over_all_pairs():
    labels, scores, weights = sample(50, 3, 12)
    data = list(zip(labels, scores, weights, strict=True))
    wins = pairs = mpq(0)
    for label, score, weight in data:
        for other, lower, mass in data:
            if label == 1 and other == 0:
                pairs += weight * mass
                wins += weight * mass * (1 if score > lower else mpq(1, 2) if score == lower else 0)
    assert roc_auc(labels, scores, weights) == wins / pairs


def test_an_area_is_a_fraction_and_enclosed_on_request():
    labels, scores = [place % 3 == 0 for place in range(1001)], list(range(1001))
    fraction = average_precision(labels, scores)
    for digits in (20, 200):
        enclosed = average_precision(labels, scores, digits=digits)
        assert fraction in enclosed
        assert (enclosed.upper - enclosed.lower) < mpq(1, 10**digits)
        assert enclosed.decimal(digits) == Enclosure(fraction, fraction).decimal(digits)


def test_perfect_scores_can_have_area_0_without_an_anchor():
    # All positives share the highest score: the first point is already at recall 1.
    perfect = [1, 1, 0, 0], ["0.9", "0.9", "0.1", "0.1"]
    assert [pr_auc(*perfect, anchor=anchor) for anchor in Anchor] == [0, 1, 1]
    assert pr_auc(*perfect) == average_precision(*perfect) == 1


@pytest.mark.parametrize("digits", [None, 20])
@pytest.mark.parametrize("anchor", Anchor)
def test_a_population_of_positives_alone_has_precision_1(digits, anchor):
    for scores in ([3, 2, 1, 0], np.array([3, 2, 1, 0])):
        ranking = rank([0, 1, 0, 1], scores).at_population_rate(1)
        expected = mpq(1, 2) if anchor is Anchor.NONE else mpq(1)
        area = ranking_pr_auc(ranking, anchor=anchor, digits=digits)
        assert expected in area if isinstance(area, Enclosure) else area == expected
        average = ranking_average_precision(ranking, digits=digits)
        assert 1 in average if isinstance(average, Enclosure) else average == 1
        assert ranking_pr_auc(rank([0, 1], [2, 1]).at_population_rate(0)) is Undefined.NO_POSITIVES
