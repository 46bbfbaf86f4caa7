"""The symmetries of three judges between two labels: a group of twelve, its orbits, and Burnside's count."""

import pytest

from ntqr_exact.census.enumeration import rows_between, votes_count
from ntqr_exact.census.symmetry import SYMMETRIES, orbit, orbits_count, representatives
from ntqr_exact.evaluators.independent.many_trios import votes_of_row
from ntqr_exact.varieties.compositions import compositions


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
