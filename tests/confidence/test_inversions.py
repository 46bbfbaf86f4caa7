"""Smallest strict inversions come out of an exhaustive search, certified and minimal."""

from dataclasses import replace
from itertools import combinations, product
from math import comb

import pytest
from gmpy2 import mpq

from ntqr_exact.confidence.ordering import smallest_inversion, vectors_over
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SIX, ScoreFunction, compare_scores
from ntqr_exact.errors import BadNumber, NotSupported

TABLE = {
    ("max", "l2"): (8, (5, 2, 1), (4, 4, 0)),
    ("max", "l1-uniform"): (8, (5, 2, 1), (4, 4, 0)),
    ("max", "l2-uniform"): (8, (5, 2, 1), (4, 4, 0)),
    ("max", "entropy"): (6, (4, 1, 1), (3, 3, 0)),
    ("max", "jensen-shannon"): (6, (4, 1, 1), (3, 3, 0)),
    ("l2", "l1-uniform"): (16, (10, 6, 0), (11, 3, 2)),
    ("l2", "entropy"): (7, (5, 1, 1), (4, 3, 0)),
    ("l2", "jensen-shannon"): (7, (5, 1, 1), (4, 3, 0)),
    ("l1-uniform", "l2-uniform"): (16, (11, 3, 2), (10, 6, 0)),
    ("l1-uniform", "entropy"): (7, (5, 1, 1), (4, 3, 0)),
    ("l1-uniform", "jensen-shannon"): (7, (5, 1, 1), (4, 3, 0)),
    ("l2-uniform", "entropy"): (7, (5, 1, 1), (4, 3, 0)),
    ("l2-uniform", "jensen-shannon"): (7, (5, 1, 1), (4, 3, 0)),
    ("entropy", "jensen-shannon"): (9, (7, 1, 1), (5, 4, 0)),
}


@pytest.mark.parametrize(("left", "right"), list(combinations(SIX, 2)))
def test_the_table_of_smallest_inversions_of_three_labels(left, right):
    search = smallest_inversion(left, right, labels=3, max_denominator=20)
    assert search.holds()
    if (left, right) == ("l2", "l2-uniform"):
        assert not search.found
        return
    denominator, high, low = TABLE[left, right]
    assert (search.found, search.denominator) == (True, denominator)
    assert [inversion.over(denominator) for inversion in search.inversions] == [(high, low)]


@pytest.mark.parametrize(("left", "right"), [("max", "entropy"), ("entropy", "jensen-shannon")])
def test_no_pair_of_a_smaller_denominator_is_inverted(left, right):
    found = smallest_inversion(left, right, labels=3, max_denominator=20)
    for n in range(2, found.denominator):
        everything = [
            ProbabilityVector((a, b, n - a - b), n) for a, b in product(range(n + 1), repeat=2) if a + b <= n
        ]
        for p, q in combinations(everything, 2):
            assert compare_scores(left, p, q) * compare_scores(right, p, q) >= 0


def test_a_score_that_sees_the_order_of_labels_is_searched_through_all_vectors():
    first = ScoreFunction("first", lambda vector: mpq(vector.numerators[0], vector.denominator))
    search = smallest_inversion(first, "max", labels=3, max_denominator=5)
    assert search.denominator == 2
    assert search.examined == ((2, comb(4, 2)),)
    assert search.holds()
    assert len(list(vectors_over(7, labels=4, symmetric=False))) == comb(10, 3)


def test_a_forged_search_does_not_hold():
    search = smallest_inversion("max", "entropy", labels=3, max_denominator=20)
    one = search.inversions[0]
    forged = replace(one, higher_left=one.higher_right, higher_right=one.higher_left)
    assert one.holds()
    assert not forged.holds()
    assert not any(replace(one, left=score, right=score).holds() for score in (one.left, one.right))
    assert not replace(search, inversions=(forged,)).holds()
    assert not replace(search, examined=search.examined[1:]).holds()
    assert not replace(search, examined=((2, 1), *search.examined[1:])).holds()


def test_progress_is_called_and_can_end_the_search():
    seen = []
    smallest_inversion("max", "l2", labels=3, max_denominator=20, progress=seen.append)
    assert seen == list(range(2, 9))


def test_bad_questions_are_refused(monkeypatch):
    with pytest.raises(BadNumber):
        smallest_inversion("max", "l2", labels=1, max_denominator=5)
    with pytest.raises(BadNumber):
        smallest_inversion("max", "l2", labels=3, max_denominator=1)
    monkeypatch.setattr("ntqr_exact.confidence.ordering.MAX_VECTORS", 40)
    with pytest.raises(NotSupported):
        smallest_inversion("l2", "l2-uniform", labels=2000, max_denominator=2000)
    search = smallest_inversion("max", "entropy", labels=3, max_denominator=20)
    with pytest.raises(BadNumber):
        search.inversions[0].over(7)
