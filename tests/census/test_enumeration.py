"""All votes of a test, numbered: every rank is one row, in order, one by one and in arrays."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.census.enumeration import (
    LARGEST_QUESTIONS,
    SYMMETRIES,
    orbit,
    orbits_count,
    representatives,
    row_at,
    rows_between,
    votes_count,
)
from ntqr_exact.errors import BadNumber, NotSupported
from ntqr_exact.evaluators.independent.many_trios import votes_of_row
from ntqr_exact.varieties.compositions import compositions


@pytest.mark.parametrize("questions", range(1, 8))
def test_ranks_run_through_all_compositions_in_order(questions):
    rows = list(compositions(questions, 8))
    assert len(rows) == votes_count(questions)
    assert [row_at(questions, rank) for rank in range(len(rows))] == rows
    assert [tuple(row) for row in rows_between(questions, 0, len(rows)).tolist()] == rows


@given(st.integers(1, LARGEST_QUESTIONS), st.data())
def test_arrays_and_single_rows_agree_at_any_rank(questions, data):
    total = votes_count(questions)
    start = data.draw(st.integers(0, total - 1))
    stop = min(total, start + 5)
    rows = [tuple(row) for row in rows_between(questions, start, stop).tolist()]
    assert rows == [row_at(questions, rank) for rank in range(start, stop)]
    assert rows == sorted(set(rows))
    assert all(sum(row) == questions and min(row) >= 0 for row in rows)


def test_the_last_row_of_the_largest_census_is_right():
    total = votes_count(LARGEST_QUESTIONS)
    assert row_at(LARGEST_QUESTIONS, total - 1) == (LARGEST_QUESTIONS, 0, 0, 0, 0, 0, 0, 0)
    assert total == comb(LARGEST_QUESTIONS + 7, 7)
    assert (LARGEST_QUESTIONS + 1) ** 8 < 2**63 <= (LARGEST_QUESTIONS + 2) ** 8


def test_a_test_without_questions_or_with_too_many_has_no_census():
    with pytest.raises(BadNumber, match="at least one question"):
        votes_count(0)
    with pytest.raises(NotSupported, match="at most 233"):
        votes_count(234)


def test_the_symmetries_are_twelve_and_closed():
    assert len(set(SYMMETRIES)) == 12
    assert SYMMETRIES[0] == tuple(range(8))
    composed = {tuple(g[place] for place in h) for g in SYMMETRIES for h in SYMMETRIES}
    assert composed == set(SYMMETRIES)


def test_the_orbit_is_what_reordering_judges_and_exchanging_labels_gives():
    row = (1, 2, 3, 5, 8, 13, 21, 34)
    votes = votes_of_row(row)
    names = votes.judges
    images = set()
    for order in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
        moved = votes.reordered(*(names[place] for place in order))
        for image in (moved, moved.swapped_labels()):
            images.add(tuple(image.counts[pattern] for pattern in image.patterns()))
    assert set(orbit(row)) == images
    assert len(images) == 12


@pytest.mark.parametrize("questions", [1, 2, 3, 6, 8])
def test_orbits_counted_one_by_one_in_arrays_and_by_burnside_are_the_same(questions):
    rows = list(compositions(questions, 8))
    orbits = {orbit(row) for row in rows}
    first, sizes = representatives(rows_between(questions, 0, votes_count(questions)), questions)
    assert len(orbits) == len(first) == orbits_count(questions)
    found = zip(map(tuple, first.tolist()), sizes.tolist(), strict=True)
    assert set(found) == {(images[0], len(images)) for images in orbits}
    assert sizes.sum() == len(rows)
