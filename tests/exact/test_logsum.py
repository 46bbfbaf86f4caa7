"""Signs of log sums are exact: ties are ties, and the nearest misses fall on the right side."""

import math
from fractions import Fraction
from random import Random

import gmpy2
import mpmath
import pytest
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, Undecided
from ntqr_exact.exact.enclosure import LogSumKey, coprime_base, enclose_log, log_sum_sign

P = gmpy2.next_prime(mpz(10) ** 40)
Q = gmpy2.next_prime(mpz(2) * 10**40)
R = gmpy2.next_prime(mpz(3) * 10**40)


def entropy_terms(left, right):
    """Return the terms of Σ A log A − Σ B log B."""
    return [(a, a) for a in left] + [(-b, b) for b in right]


@pytest.mark.parametrize(
    "terms",
    [
        [],
        [(5, 1)],
        [(0, 7)],
        [(0, 0)],
        entropy_terms((1, 8, 9), (3, 3, 12)),
        entropy_terms((0, 3, 3, 4), (1, 1, 2, 6)),
        entropy_terms([mpq(n, 18) for n in (1, 8, 9)], [mpq(n, 18) for n in (3, 3, 12)]),
        [(2, 3), (-1, 9)],
        [("1/2", 4), (-1, 2)],
        [(1, "2/3"), (1, "3/2")],
        [(3, "4/9"), (6, "3/2")],
        [("1/3", 8), ("-1/2", 4)],
        [(1, P * Q), (1, P * R), (-1, P), (-1, P * Q * R)],
        [(1, P * Q), (-1, P), (-1, Q)],
        [("1/7", (P * Q) ** 7), (-1, P * R), (-1, Q), (1, R)],
        [(10**40, 6), (-(10**40), 2), (-(10**40), 3)],
    ],
)
def test_a_tie_is_found_without_factoring(terms):
    assert log_sum_sign(terms) == 0
    assert log_sum_sign((-mpq(c), m) for c, m in terms) == 0


def convergents(value, count):
    """Return the continued fraction convergents p/q of an mpmath number."""
    p, q, previous_p, previous_q = mpz(1), mpz(0), mpz(0), mpz(1)
    for _ in range(count):
        whole = int(mpmath.floor(value))
        p, q, previous_p, previous_q = whole * p + previous_p, whole * q + previous_q, p, q
        yield p, q
        value = 1 / (value - whole)


def test_convergents_of_log_two_by_log_three_lie_on_alternating_sides():
    with mpmath.workprec(3000):
        sides = []
        for p, q in convergents(mpmath.log(2) / mpmath.log(3), 300):  # q reaches 10^150
            sides.append(log_sum_sign([(q, 2), (-p, 3)]))
            assert log_sum_sign([(-q, 2), (p, 3)]) == -sides[-1]
    assert sides == [1, -1] * 150


@pytest.mark.parametrize("exponent", [1, 20, 300, 1000])
def test_neighbours_of_a_large_number_are_told_apart(exponent):
    n = mpz(10) ** exponent
    assert log_sum_sign([(1, n + 1), (-1, n)]) == 1
    assert log_sum_sign([(1, n), (-1, n + 1)]) == -1
    assert log_sum_sign([(1, n + 1), (1, n - 1), (-2, n)]) == -1  # log(1 − 1/n²)
    assert log_sum_sign([(1, mpq(n + 1, n))]) == 1
    assert log_sum_sign([(1, mpq(n, n + 1))]) == -1


small_terms = st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 40)), max_size=5)


@given(small_terms)
def test_the_sign_agrees_with_integer_power_products(terms):
    up = math.prod(m**c for c, m in terms if c > 0)
    down = math.prod(m**-c for c, m in terms if c < 0)
    assert log_sum_sign(terms) == (up > down) - (up < down)


positive = st.fractions(min_value=Fraction(1, 30), max_value=30, max_denominator=30)
coefficients = st.fractions(min_value=-3, max_value=3, max_denominator=6)
rational_terms = st.lists(st.tuples(coefficients, positive), max_size=4)


@given(rational_terms)
def test_rational_arguments_and_coefficients_are_taken(terms):
    product = math.prod(m ** int(60 * c) for c, m in terms)
    assert log_sum_sign(terms) == (product > 1) - (product < 1)


@given(rational_terms, st.integers(10, 200))
def test_the_enclosure_of_a_sum_holds_it_and_narrows(terms, precision):
    whole = ((int(sign * 60 * c), n) for c, m in terms for sign, n in ((1, m.numerator), (-1, m.denominator)))
    enclosure = LogSumKey(tuple(whole), 60).enclose(precision)
    with mpmath.workprec(4 * precision + 100):
        total = mpmath.fsum(
            mpmath.mpf(c.numerator) / c.denominator * mpmath.log(mpmath.mpf(m.numerator) / m.denominator)
            for c, m in terms
        )
        sign, mantissa, exponent, _ = total._mpf_
    truth = (-1) ** sign * mpq(int(mantissa)) * mpq(2) ** int(exponent)
    slack = mpq(1, 2 ** (3 * precision + 40))
    assert enclosure.lower - slack <= truth <= enclosure.upper + slack
    assert enclosure.upper - enclosure.lower <= 200 * mpq(2) ** (2 - precision)


@pytest.mark.parametrize(
    ("coefficient", "argument"), [(1, 0), (-1, 0), (1, -2), (0, -2), (0, "-1/2"), (1, "-1/3")]
)
def test_an_argument_that_is_not_positive_is_refused(coefficient, argument):
    with pytest.raises(BadNumber) as caught:
        log_sum_sign([(1, 2), (coefficient, argument)])
    assert caught.value.given == argument


def test_a_budget_that_is_too_small_leaves_the_sign_undecided_but_not_a_tie():
    n = mpz(10) ** 300
    near = [(1, n + 1), (-1, n)]
    with pytest.raises(Undecided) as caught:
        log_sum_sign(near, budget=512)
    assert caught.value.given == 512
    assert log_sum_sign(near, budget=2048) == 1
    assert log_sum_sign([(2, 3), (-1, 9)], budget=2) == 0
    assert log_sum_sign([(1, 3)], budget=2) == 1


def test_a_sum_that_vanishes_and_an_infinite_one_compare_with_numbers():
    zero, infinite = LogSumKey(((2, 3), (-1, 9))), LogSumKey((), infinite=True)
    assert zero == 0 < infinite
    assert mpq(-1, 10**9) < zero < mpq(1, 10**9)
    assert zero.scientific(3) == "0.00e0"


# -- coprime bases ----------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 10**6) | st.integers(1, 200), max_size=8))
def test_a_base_is_coprime_increasing_and_generates_every_number(numbers):
    base = coprime_base(map(mpz, numbers))
    assert base == sorted(set(base))
    assert all(element > 1 for element in base)
    assert all(math.gcd(x, y) == 1 for i, x in enumerate(base) for y in base[:i])
    for number in numbers:
        rest = mpz(number)
        for element in base:
            rest, _ = gmpy2.remove(rest, element)
        assert rest == 1
    assert all(any(number % element == 0 for number in numbers) for element in base)


def test_a_long_sum_is_enclosed_as_the_sum_of_its_terms_is():
    draw = Random(5)
    for length in (1, 5, 65, 300):
        sizes = [50, 10**18, 2**900]
        terms = tuple(
            (draw.choice([1, -1, 2, -3, 7]), draw.randrange(1, draw.choice(sizes))) for _ in range(length)
        )
        sharp = sum(mpq(c, 7) * enclose_log(m, 600) for c, m in terms)
        for precision in (64, 200):
            found = LogSumKey(terms, 7).enclose(precision)
            assert found.lower <= sharp.lower <= sharp.upper <= found.upper
            assert found.upper - found.lower < abs(sharp.lower) / 2**50


def test_the_rounding_of_every_product_is_inside_the_enclosure_of_a_long_sum():
    for length in range(1, 265):
        for sign in (1, -1):
            found = LogSumKey(((sign, 3),) * length).enclose()
            sharp = sign * length * enclose_log(3, 600)
            assert found.lower <= sharp.lower <= sharp.upper <= found.upper
