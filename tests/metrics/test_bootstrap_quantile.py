"""Quantiles by their named definitions: against numpy, and of distributions against the samples they stand for."""

import numpy as np
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, BadSamples, FloatRefused, NotSupported
from ntqr_exact.metrics.bootstrap_interval import QuantileDefinition, distribution_quantiles, sample_quantile

NUMPY = {
    QuantileDefinition.INVERSE_CDF: "inverted_cdf",
    QuantileDefinition.AVERAGED_INVERSE_CDF: "averaged_inverted_cdf",
    QuantileDefinition.LINEAR: "linear",
}
OF_DISTRIBUTIONS = [QuantileDefinition.INVERSE_CDF, QuantileDefinition.AVERAGED_INVERSE_CDF]
eighths = st.integers(0, 8).map(lambda k: mpq(k, 8))


@pytest.mark.parametrize("definition", list(QuantileDefinition))
@given(numbers=st.lists(st.integers(-9, 9), min_size=1, max_size=17), level=eighths)
def test_numpy_has_the_same_quantile_of_the_same_name(definition, numbers, level):
    # Eighths and small whole numbers are exact in binary, so that numpy decides ties as we do.
    ours = sample_quantile([mpq(n) for n in sorted(numbers)], level, definition)
    assert float(ours) == pytest.approx(np.quantile(numbers, float(level), method=NUMPY[definition]))


def test_the_definitions_differ_and_type_7_is_exact():
    numbers = [mpq(k) for k in (0, 1, 10)]
    found = [sample_quantile(numbers, "1/3", definition) for definition in QuantileDefinition]
    assert found == [0, mpq(1, 2), mpq(2, 3)]


@pytest.mark.parametrize("definition", list(QuantileDefinition))
def test_the_ends_are_the_least_and_the_greatest(definition):
    numbers = [mpq(k) for k in (2, 3, 5, 7)]
    assert sample_quantile(numbers, 0, definition) == 2
    assert sample_quantile(numbers, 1, definition) == 7
    assert sample_quantile([mpq(4)], "1/2", definition) == 4


@pytest.mark.parametrize("definition", OF_DISTRIBUTIONS)
@given(weights=st.lists(st.integers(1, 5), min_size=1, max_size=8), levels=st.lists(eighths, min_size=1))
def test_a_distribution_has_the_quantiles_of_a_sample_with_its_weights(definition, weights, levels):
    terms = [(mpq(k * k), mpz(weight)) for k, weight in enumerate(weights)]
    sample = [value for value, weight in terms for _ in range(int(weight))]
    found = distribution_quantiles(terms, mpz(len(sample)), levels, definition)
    assert found == tuple(sample_quantile(sample, level, definition) for level in levels)


def test_a_distribution_has_no_linear_quantile():
    with pytest.raises(NotSupported):
        distribution_quantiles([(mpq(0), mpz(1))], mpz(1), ["1/2"], QuantileDefinition.LINEAR)


def test_bad_levels_and_nothing_at_all_are_refused():
    with pytest.raises(BadNumber):
        sample_quantile([mpq(1)], "1.1")
    with pytest.raises(BadNumber):
        distribution_quantiles([(mpq(0), mpz(1))], mpz(1), [-1])
    with pytest.raises(FloatRefused):
        sample_quantile([mpq(1)], 0.5)
    with pytest.raises(BadSamples):
        sample_quantile([], "1/2")
    with pytest.raises(BadSamples):
        distribution_quantiles([], mpz(1), ["1/2"])
