"""The seven classes against two other ways to them: every answer key tried, and the closed form in plain fractions."""

from fractions import Fraction
from itertools import product
from math import isqrt

import pytest

from ntqr_exact.evaluators.independent.independence_class import IndependenceClass
from ntqr_exact.evaluators.independent.many_trios import solve_independent_many
from ntqr_exact.varieties.compositions import compositions

PATTERNS = ["".join(pattern) for pattern in product("ab", repeat=3)]
HAS_KEY = {IndependenceClass.INDEPENDENT, IndependenceClass.UNIDENTIFIED}


def has_independent_answers(counts):
    """By definition: the share of each pattern is the product of the shares of its answers."""
    questions = sum(counts)
    shares = [
        {
            label: sum(
                count for count, pattern in zip(counts, PATTERNS, strict=True) if pattern[judge] == label
            )
            for label in "ab"
        }
        for judge in range(3)
    ]
    return all(
        count * questions**2 == shares[0][x] * shares[1][y] * shares[2][z]
        for count, (x, y, z) in zip(counts, PATTERNS, strict=True)
    )


def has_independent_key(row):
    """Try every way to call some questions of each pattern a and the others b."""
    return any(
        has_independent_answers(of_a)
        and has_independent_answers([all_of - a for all_of, a in zip(row, of_a, strict=True)])
        for of_a in product(*(range(count + 1) for count in row))
    )


def rational_root(value):
    """The root of a fraction in lowest terms, or nothing."""
    up, down = isqrt(value.numerator), isqrt(value.denominator)
    return Fraction(up, down) if up**2 == value.numerator and down**2 == value.denominator else None


def class_by_fractions(row):  # noqa: PLR0911
    """The closed form as it is written, with fractions of the test throughout."""
    size = sum(row)
    f = {pattern: Fraction(count, size) for pattern, count in zip(PATTERNS, row, strict=True)}
    b = [sum(share for pattern, share in f.items() if pattern[i] == "b") for i in range(3)]

    def both(i, j):
        return sum(share for pattern, share in f.items() if pattern[i] == pattern[j] == "b")

    delta = {(i, j): both(i, j) - b[i] * b[j] for i, j in [(0, 1), (0, 2), (1, 2)]}
    d12, d13, d23 = delta.values()
    trio = f["bbb"] - (b[0] * b[1] * b[2] + b[0] * d23 + b[1] * d13 + b[2] * d12)
    zeros = [d12, d13, d23].count(0)
    if zeros >= 2 and trio == 0:
        return IndependenceClass.UNIDENTIFIED
    if zeros:
        return IndependenceClass.CONTRADICTORY
    discriminant = trio**2 + 4 * d12 * d13 * d23
    if discriminant == 0:
        return IndependenceClass.CONTRADICTORY
    if discriminant < 0:
        return IndependenceClass.IMAGINARY
    root = rational_root(discriminant)
    if root is None:
        return IndependenceClass.IRRATIONAL
    share = (1 + trio / root) / 2
    right_on_a = [1 - b[i] + (root - trio) / (2 * d) for i, d in enumerate((d23, d13, d12))]
    right_on_b = [b[i] + (root + trio) / (2 * d) for i, d in enumerate((d23, d13, d12))]
    if not all(0 <= rate <= 1 for rate in [share, *right_on_a, *right_on_b]):
        return IndependenceClass.OUT_OF_RANGE
    counts = [size * share]
    for pattern in PATTERNS:
        of_a, of_b = size * share, size * (1 - share)
        for i, label in enumerate(pattern):
            of_a *= right_on_a[i] if label == "a" else 1 - right_on_a[i]
            of_b *= right_on_b[i] if label == "b" else 1 - right_on_b[i]
        assert of_a + of_b == row[PATTERNS.index(pattern)]
        counts += [of_a, of_b]
    if all(count.denominator == 1 for count in counts):
        return IndependenceClass.INDEPENDENT
    return IndependenceClass.NOT_WHOLE


@pytest.mark.parametrize("questions", range(1, 7))
def test_a_key_exists_just_for_independent_and_unidentified_votes(questions):
    rows = list(compositions(questions, 8))
    many = solve_independent_many(rows)
    for place, row in enumerate(rows):
        assert has_independent_key(row) == (many.kind(place) in HAS_KEY), row


@pytest.mark.parametrize("questions", [*range(1, 8), pytest.param(8, marks=pytest.mark.slow)])
def test_every_class_is_that_of_plain_fractions(questions):
    rows = list(compositions(questions, 8))
    many = solve_independent_many(rows)
    for place, row in enumerate(rows):
        assert many.kind(place) is class_by_fractions(row), row


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ((1, 0, 1, 0, 1, 0, 1, 1), IndependenceClass.INDEPENDENT),
        ((0, 0, 0, 1, 2, 1, 1, 1), IndependenceClass.NOT_WHOLE),
        ((0, 0, 0, 1, 2, 1, 1, 0), IndependenceClass.OUT_OF_RANGE),
        ((0, 0, 0, 1, 1, 1, 2, 0), IndependenceClass.OUT_OF_RANGE),
        ((0, 1, 1, 0, 1, 0, 0, 3), IndependenceClass.IRRATIONAL),
        ((3, 1, 1, 0, 0, 1, 1, 3), IndependenceClass.IRRATIONAL),
        ((0, 1, 1, 1, 1, 1, 1, 0), IndependenceClass.IMAGINARY),
        ((0, 1, 1, 0, 1, 0, 0, 0), IndependenceClass.CONTRADICTORY),
        ((2, 1, 0, 0, 0, 0, 0, 0), IndependenceClass.UNIDENTIFIED),
    ],
)
def test_known_votes_have_their_known_class(row, kind):
    assert solve_independent_many([row]).kind(0) is kind
    assert class_by_fractions(row) is kind
    assert kind.meaning
