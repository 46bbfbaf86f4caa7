"""Strata: weights that average to one, training and test apart, many strata, bad populations."""

import numpy as np
import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.metrics.areas import pr_auc, roc_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix, bias_adjusted
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.weights import Strata


def test_three_strata_are_weighted_as_two_are():
    strata = Strata.of("aabccc", {"a": 10, "b": 30, "c": 60})
    assert strata.weights == {"a": mpq(6, 2) / 10, "b": 6 * mpq(3, 10), "c": mpq(6, 3) * mpq(6, 10)}
    weights = strata.sample_weights("aabccc")
    assert sum(weights) == 6 == strata.size
    assert strata.population == 100


def test_a_population_without_samples_or_size_is_refused():
    assert Strata(populations={"a": 5, "b": 0}, samples={"a": 2}).weights == {"a": 1}
    assert Strata(populations={"a": 5, "b": 0}, samples={"a": 2, "b": 0}).populations == {"a": 5}


def test_weights_of_another_data_set_are_refused():
    strata = Strata.of("aab", {"a": 10, "b": 30})
    with pytest.raises(BadSamples):
        strata.sample_weights("abb")
    with pytest.raises(BadSamples):
        strata.sample_weights("abc")


@pytest.mark.parametrize(
    ("populations", "samples"),
    [
        ({"a": 1, "b": 9}, {"a": 2, "b": 3}),
        ({"a": 5, "b": 9}, {"a": 2}),
        ({"a": 5, "b": 9}, {"a": 2, "b": 0}),
        ({"a": 5}, {"a": 2, "b": 1}),
        ({"a": 0}, {"a": 0}),
        ({}, {}),
    ],
)
def test_bad_strata_are_refused(populations, samples):
    with pytest.raises(BadSamples):
        Strata(populations=populations, samples=samples)


def test_sizes_are_whole_numbers():
    with pytest.raises(BadNumber):
        Strata(populations={"a": "3/2"}, samples={"a": 1})
    with pytest.raises(BadNumber):
        Strata(populations={"a": -1}, samples={"a": 1})
    with pytest.raises(BadSamples):
        bias_adjusted({"a": ConfusionMatrix(tp="1/2", fp=0, fn=0, tn=0)}, {"a": 10})


def test_adjusted_matrices_are_those_of_weighted_samples():
    actual, predicted, strata = [1, 0, 1, 0, 1], [1, 1, 0, 0, 1], "aabbb"
    sizes = {"a": 10, "b": 90}
    weights = Strata.of(strata, sizes).sample_weights(strata)
    weighted = ConfusionMatrix.from_labels(actual, predicted, weights)
    by_stratum = {
        name: ConfusionMatrix.from_labels(
            [a for a, s in zip(actual, strata, strict=True) if s == name],
            [p for p, s in zip(predicted, strata, strict=True) if s == name],
        )
        for name in "ab"
    }
    assert bias_adjusted(by_stratum, sizes) == weighted
    assert weighted.total == 5


def test_strata_given_as_arrays_are_the_same():
    names = np.array([0, 0, 1, 1, 1])
    strata = Strata.of(names, {0: 10, 1: 90})
    labels, scores = np.array([1, 0, 1, 0, 1]), np.array([5, 4, 3, 2, 1])
    listed = strata.sample_weights(names.tolist())
    assert list(strata.sample_weights(names)) == list(listed)
    assert roc_auc(labels, scores, strata.sample_weights(names)) == roc_auc(
        labels.tolist(), scores.tolist(), listed
    )
    assert pr_auc(labels, scores, strata.sample_weights(names)) == pr_auc(
        labels.tolist(), scores.tolist(), listed
    )
    assert rank(labels, scores, listed).positives > 0
