"""Losses of probabilities: arrays and lists give the same numbers, and sums of many logarithms are enclosed."""

import math

import numpy as np
import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.metrics.probability_losses import brier_score, calibration, log_loss, top_k_accuracy


@pytest.mark.parametrize("size", [1, 5, 40, 400])
@pytest.mark.parametrize("weighted", [False, True])
def test_arrays_and_lists_have_the_same_losses(size, weighted):
    generator = np.random.default_rng(size)
    shares = np.concatenate([generator.random(size), [1e-300, 0.5, 0.5]])
    labels = generator.integers(0, 2, size + 3)
    weights = generator.integers(0, 4, size + 3) + (np.arange(size + 3) == 0) if weighted else None
    exact = [mpq(*share.as_integer_ratio()) for share in shares.tolist()]
    lists = labels.tolist(), exact, None if weights is None else weights.tolist()
    arrays = labels, shares, weights
    assert brier_score(*arrays) == brier_score(*lists) == brier_score(lists[0], *arrays[1:])
    assert calibration(*arrays) == calibration(*lists)
    ours, theirs = log_loss(*arrays), log_loss(*lists)
    units = [1] * len(exact) if weights is None else weights.tolist()
    chances = [p if y else 1 - p for p, y in zip(shares.tolist(), labels.tolist(), strict=True)]
    by_hand = -sum(w * math.log(q) for w, q in zip(units, chances, strict=True)) / sum(units)
    assert float(ours) == float(theirs) == pytest.approx(by_hand)
    assert ours.decimal(30) == theirs.decimal(30)
    if size <= 40:
        assert ours == theirs
    brier = sum(w * (p - y) ** 2 for w, p, y in zip(units, exact, labels.tolist(), strict=True))
    assert brier_score(*lists) == brier / sum(units)


def test_a_label_of_probability_zero_is_an_infinite_loss_unless_it_has_no_weight():
    for shares in (["1", "0", "1/2"], np.array([1, 0, 0.5])):
        assert log_loss([1, 1, 1], shares).infinite
        assert log_loss([1, 1, 1], shares, [1, 0, 1]).decimal(3) == "0.347"
        assert log_loss([1, 0, 1], shares, [1, 1, 0]).decimal(3) == "0.000"


def test_bins_are_closed_on_the_left():
    found = calibration([1, 0, 1], ["1/2", "1/4", 1], bins=2)
    assert [(part.lower, part.weight) for part in found.bins] == [(0, 1), (mpq(1, 2), 2)]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (([1, 0], ["1/2", "3/2"]), BadNumber),
        (([1, 0], ["-1/2", "1/2"]), BadNumber),
        (([1, 0], np.array([0.5, 1.5])), BadNumber),
        (([1, 0], np.array([0.5, -0.5])), BadNumber),
        (([1, 0], ["1/2"]), BadSamples),
        (([], []), BadSamples),
    ],
)
def test_bad_probabilities_are_refused(data, error):
    for loss in (brier_score, log_loss, calibration):
        with pytest.raises(error):
            loss(*data)


@pytest.mark.parametrize("rows", [[[1, 2], [1]], [1, 2], "ab", 3, []])
def test_bad_rows_of_scores_are_refused(rows):
    with pytest.raises(BadSamples):
        top_k_accuracy([0, 1], rows, k=1)
