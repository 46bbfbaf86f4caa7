"""Exact comparisons against floats where these can tell, and against plain integers where these suffice."""

from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from gmpy2 import mpz

from ntqr_exact.confidence.ordering import ranks, vectors_over
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, compare_scores

FAR = 1e-9


@cache
def float_scores(name):
    special = pytest.importorskip("scipy.special")
    distance = pytest.importorskip("scipy.spatial.distance")
    return {
        "max": lambda p: np.linalg.norm(p, np.inf),
        "l2": np.linalg.norm,
        "l1-uniform": lambda p: np.abs(p - 1 / len(p)).sum(),
        "l2-uniform": lambda p: np.linalg.norm(p - 1 / len(p)),
        "entropy": lambda p: -special.entr(p).sum(),
        "jensen-shannon": lambda p: distance.jensenshannon(p, np.full(len(p), 1 / len(p))),
        "herfindahl": lambda p: (p * p).sum(),
        "total-variation": lambda p: np.abs(p - 1 / len(p)).sum() / 2,
    }[name]


@pytest.mark.parametrize("name", list(SCORES))
@pytest.mark.parametrize("labels", [2, 3, 5, 10])
def test_numpy_and_scipy_agree_with_every_comparison_that_is_not_a_tie(name, labels):
    generator = np.random.default_rng(labels)
    rows = generator.integers(0, 40, size=(40, labels)) + np.eye(labels, dtype=int)[0]
    vectors = [ProbabilityVector.of_counts(row.tolist()) for row in rows]
    score = float_scores(name)
    floats = [score(row / row.sum()) for row in rows]
    compared = 0
    for (p, x), (q, y) in combinations(zip(vectors, floats, strict=True), 2):
        if not np.isclose(x, y, rtol=0, atol=FAR):
            assert compare_scores(name, p, q) == (1 if x > y else -1)
            compared += 1
    assert compared > 600


@pytest.mark.parametrize("name", list(SCORES))
def test_the_values_are_those_of_numpy_and_scipy(name):
    for counts in ([3, 1, 0], [5, 2, 1], [4, 4, 0], [1, 1, 1], [7, 0, 0]):
        exact = SCORES[name].value(ProbabilityVector.of_counts(counts))
        value = float(exact.decimal(15)) if hasattr(exact, "decimal") else float(exact)
        expected = float_scores(name)(np.array(counts) / sum(counts))
        if name == "jensen-shannon":
            expected **= 2  # scipy's distance is the root of the divergence
        assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("labels", "largest"), [(3, 40), (4, 40)])
def test_products_of_powers_agree_with_the_comparator_for_all_vectors(labels, largest):
    """Σ nᵢ log nᵢ over one denominator orders as Π nᵢ^nᵢ does, which is a whole number."""
    ties = 0
    for n in range(2, largest + 1):
        vectors = list(vectors_over(n, labels=labels))
        products = [entropy_product(vector, n) for vector in vectors]
        order = {product: rank for rank, product in enumerate(sorted(set(products)))}
        assert ranks("entropy", vectors) == [order[product] for product in products]
        ties += len(products) - len(order)
    assert ties > 0


@pytest.mark.parametrize(("labels", "largest"), [(3, 24), (4, 12)])
def test_products_of_powers_agree_with_jensen_shannon(labels, largest):
    """Σ kn log n − Σ (kn+L) log(kn+L) orders as the fraction Π n^(kn) / Π (kn+L)^(kn+L) does."""
    for n in range(2, largest + 1):
        vectors = list(vectors_over(n, labels=labels))
        fractions = []
        for vector in vectors:
            numbers = [number * (n // vector.denominator) for number in vector.numerators]
            above = below = mpz(1)
            for number in numbers:
                above *= mpz(number) ** (labels * number)
                below *= mpz(labels * number + n) ** (labels * number + n)
            fractions.append((above, below))
        found = ranks("jensen-shannon", vectors)
        places = sorted(range(len(vectors)), key=found.__getitem__)
        for i, j in pairwise(places):
            (a, b), (c, d) = fractions[i], fractions[j]
            assert (a * d < c * b) if found[i] < found[j] else (a * d == c * b)


def test_every_pair_of_small_vectors_is_compared_as_its_products_are():
    for n in range(2, 16):
        vectors = list(vectors_over(n, labels=3))
        for p, q in combinations(vectors, 2):
            one, other = entropy_product(p, n), entropy_product(q, n)
            keys = [SCORES["entropy"].key(vector) for vector in (p, q)]
            assert (keys[0] > keys[1], keys[0] < keys[1]) == (one > other, one < other)


def entropy_product(vector, denominator):
    product = mpz(1)
    for number in vector.numerators:
        whole = number * (denominator // vector.denominator)
        product *= mpz(whole) ** whole
    return product
