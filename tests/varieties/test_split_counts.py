"""Counting splits: prefix sums for two labels, packed integers for more, and plain convolution agree."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import NotSupported
from ntqr_exact.varieties.compositions import compositions, count_compositions
from ntqr_exact.varieties.split_counts import (
    PackedPolynomial,
    count_for_two_labels,
    counts_for_two_labels,
    times_window,
)

small_counts = st.lists(st.integers(0, 5), max_size=5)


def convolved(counts, labels):
    """Multiply out, monomial by monomial."""
    total = Counter({(0,) * labels: 1})
    for count in counts:
        step = Counter()
        for key, ways in total.items():
            for split in itertools.product(range(count + 1), repeat=labels):
                if sum(split) == count:
                    step[tuple(k + s for k, s in zip(key, split, strict=True))] += ways
        total = step
    return total


@given(small_counts)
def test_prefix_sums_multiply_polynomials(counts):
    expected = convolved(counts, 2)
    assert {(q, sum(counts) - q): n for q, n in enumerate(counts_for_two_labels(counts))} == expected


@given(st.lists(st.integers(0, 3), max_size=4), st.integers(2, 4))
def test_packed_integers_hold_every_coefficient(counts, labels):
    expected = convolved(counts, labels)
    packed = PackedPolynomial.of(counts, labels=labels)
    assert dict(packed.items(labels)) == expected
    assert all(packed.at(key) == n for key, n in expected.items())


def test_products_are_those_of_the_first_patterns():
    counts = [2, 3, 1]
    for length, packed in enumerate(PackedPolynomial.products(counts, labels=3)):
        for key, n in convolved(counts[:length], 3).items():
            assert packed.at((*key[:-1], sum(counts) - sum(key[:-1]))) == n


def test_multiplying_by_one_question_less_or_none_changes_nothing():
    assert times_window([1, 4, 2], 0) == [1, 4, 2]
    assert counts_for_two_labels([]) == [1]


def test_a_polynomial_that_is_too_long_is_refused_with_the_limit():
    with pytest.raises(NotSupported, match="the limit is 134217728"):
        PackedPolynomial.of([10_000] * 9, labels=3)


@given(st.integers(0, 6), st.integers(1, 4))
def test_compositions_are_counted_and_in_order(total, boxes):
    found = list(compositions(total, boxes))
    assert found == sorted(p for p in itertools.product(range(total + 1), repeat=boxes) if sum(p) == total)
    assert len(found) == count_compositions(total, boxes)


@given(st.integers(0, 6), st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_compositions_respect_limits(total, limits):
    boxes = itertools.product(*(range(limit + 1) for limit in limits))
    assert list(compositions(total, len(limits), limits=limits)) == [p for p in boxes if sum(p) == total]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8))
def test_inclusion_and_exclusion_counts_what_prefix_sums_count(counts):
    assert [count_for_two_labels(counts, q) for q in range(sum(counts) + 1)] == counts_for_two_labels(counts)


def test_too_many_sums_are_refused_with_the_limit():
    with pytest.raises(NotSupported, match="more than 1048576 sums"):
        count_for_two_labels([3**k for k in range(24)], 3**23)
