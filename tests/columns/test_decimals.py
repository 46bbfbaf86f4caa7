"""Columns of decimals: order and whole units are those of the rationals, however far the powers lie apart."""

import random

import numpy
import pytest
from gmpy2 import mpq

from ntqr_exact.columns.decimals import Decimals
from ntqr_exact.columns.whole_numbers import WideColumn, as_list, limbs_of, scaled
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.weights import exact_weights


def drawn(seed, powers):
    generator = random.Random(seed)
    digits = [
        generator.randint(-1, 1) * generator.randrange(10 ** generator.randint(1, 18)) for _ in range(60)
    ]
    # The same number in two spellings, so that ties are found across powers.
    pairs = [(one, generator.randint(*powers)) for one in digits] + [
        (5, 0),
        (50, -1),
        (0, 3),
        (-5, 0),
        (-50, -1),
    ]
    return Decimals(*(numpy.array(part, dtype=numpy.int64) for part in zip(*pairs, strict=True)))


@pytest.mark.parametrize("powers", [(0, 0), (-3, 2), (-18, 0), (-300, 20)])
@pytest.mark.parametrize("seed", range(5))
def test_decimals_rank_as_their_rationals(seed, powers):
    column = drawn(seed, powers)
    labels = [place % 3 == 0 for place in range(len(column))]
    weights = [place % 4 for place in range(len(column))]
    assert rank(labels, column, weights) == rank(labels, list(column), weights)
    assert [column[place] for place in range(len(column))] == list(column)


@pytest.mark.parametrize("powers", [(0, 0), (-18, 0), (-300, 20)])
def test_units_times_their_unit_are_the_decimals(powers):
    column = drawn(1, powers)
    positive = Decimals(abs(column.digits), column.powers)
    units, unit = positive.units()
    assert [number * unit for number in as_list(units)] == list(positive)
    assert exact_weights(positive, len(positive)).values() == list(positive)


def test_a_column_equals_the_same_numbers_in_any_sequence():
    column = Decimals(numpy.array([5, 1]), numpy.array([-1, 2]))
    assert column == [mpq(1, 2), mpq(100)]
    assert column != [mpq(1, 2)]
    assert Decimals.joined([column, column[1:]]) == [mpq(1, 2), 100, 100]


def test_products_in_limbs_are_exact_up_to_63_bits():
    numbers = [0, 1, 2**63 - 1, 2**62 + 12345, 10**18 - 1]
    factors = [1, 2**90 - 1, 10**40]
    for which in range(3):
        found = scaled(numpy.array(numbers), factors, numpy.full(len(numbers), which))
        assert found.tolist() == [number * factors[which] for number in numbers]
        assert all(int(limb.max()) < 2**30 for limb in found.limbs)
    assert limbs_of(WideColumn((numpy.array([1]),)))[0].tolist() == [1]
