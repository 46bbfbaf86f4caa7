"""Quadratic surds agree with sympy in arithmetic, and with 200 digits in order, sign and decimals."""

import decimal
import math
import operator
from decimal import Decimal
from fractions import Fraction

import gmpy2
import mpmath
import numpy as np
import pytest
import sympy
from gmpy2 import mpfr, mpq, mpz
from hypothesis import assume, given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, DivisionByZero, FloatRefused, NotASurd, NotOrdered, TooMuchWork
from ntqr_exact.exact.surd import Surd

LARGE_PRIME = 1009  # the first prime that trial division does not look for
LARGER_PRIME = 1_000_003

fractions = st.fractions(min_value=-20, max_value=20, max_denominator=12)
parts = st.tuples(fractions, fractions)
radicands = st.integers(-30, 30)
positive_radicands = st.integers(1, 60) | st.builds(operator.mul, st.integers(1, 9), st.just(LARGE_PRIME**2))
reals = st.builds(Surd, fractions, fractions, positive_radicands)
surds = st.builds(Surd, fractions, fractions, radicands)


def in_sympy(a, b=0, d=1):
    """Build a + b√d in sympy from the three parts."""
    a, b = (sympy.Rational(int(part.numerator), int(part.denominator)) for part in (a, b))
    return a + b * sympy.sqrt(int(d))


def parts_of(surd):
    return in_sympy(surd.rational, surd.coefficient, surd.radicand)


def are_equal(left, right):
    return sympy.expand(sympy.radsimp(sympy.expand(left - right))) == 0


def with_many_digits(surd, bits=700):
    """Return the surd as an mpmath number of about 200 digits."""
    with mpmath.workprec(bits):
        a, b = (mpmath.mpf(int(x.numerator)) / int(x.denominator) for x in (surd.rational, surd.coefficient))
        return a + b * mpmath.sqrt(int(surd.radicand))


# -- canonical form ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "canonical"),
    [
        ((), (0, 0, 1)),
        ((3,), (3, 0, 1)),
        ((3, 0, 7), (3, 0, 1)),
        ((3, 5, 0), (3, 0, 1)),
        ((3, 5), (8, 0, 1)),
        ((3, 5, 1), (8, 0, 1)),
        ((3, 5, 4), (13, 0, 1)),
        (("1/2", "3/4", 12), (mpq(1, 2), mpq(3, 2), 3)),
        ((0, 1, 2**5 * 3**4 * 7), (0, 36, 14)),
        ((0, 1, 27), (0, 3, 3)),
        ((0, 1, 997**2 * 2), (0, 997, 2)),
        ((0, 1, 997**3), (0, 997, 997)),
        ((0, 1, 2 * LARGE_PRIME**2), (0, LARGE_PRIME, 2)),
        ((0, 1, LARGE_PRIME**2 * LARGER_PRIME), (0, 1, LARGE_PRIME**2 * LARGER_PRIME)),
        ((0, 1, LARGE_PRIME**4), (LARGE_PRIME**2, 0, 1)),
        ((0, 2, -1), (0, 2, -1)),
        ((0, 2, -4), (0, 4, -1)),
        ((1, 1, -12), (1, 2, -3)),
        ((0, 1, "6"), (0, 1, 6)),
    ],
)
def test_square_factors_leave_the_root_as_far_as_trial_division_is_cheap(arguments, canonical):
    surd = Surd(*arguments)
    assert (surd.rational, surd.coefficient, surd.radicand) == canonical
    assert [type(part) for part in (surd.rational, surd.coefficient, surd.radicand)] == [
        mpq,
        mpq,
        type(mpz()),
    ]


@given(fractions, fractions, radicands)
def test_a_surd_has_the_value_of_its_three_arguments(a, b, d):
    surd = Surd(a, b, d)
    assert are_equal(parts_of(surd), in_sympy(a, b, d))
    assert surd.radicand != 0
    assert surd.is_rational == (surd.coefficient == 0) == (surd.radicand == 1)


@given(st.fractions(max_denominator=10**4, min_value=-(10**6), max_value=10**6))
def test_the_square_of_a_square_root_is_the_number(value):
    root = Surd.sqrt(value)
    assert root * root == value
    assert root.rational >= 0
    assert root.coefficient >= 0


@pytest.mark.parametrize("radicand", ["1/2", mpq(5, 3)])
def test_a_radicand_is_an_integer(radicand):
    with pytest.raises(BadNumber) as caught:
        Surd(1, 1, radicand)
    assert caught.value.given == radicand
    assert "Surd.sqrt" in caught.value.remedy


# -- arithmetic against sympy -----------------------------------------------------------------------


@given(st.sampled_from("+-*/"), parts, parts, radicands, st.integers(1, 3))
def test_arithmetic_over_one_radicand_agrees_with_sympy(sign, left, right, d, factor):
    operation = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[sign]
    x, y = Surd(*left, d), Surd(*right, d * factor**2)
    assume(sign != "/" or y)
    result = operation(x, y)
    assert are_equal(parts_of(result), operation(in_sympy(*left, d), in_sympy(*right, d * factor**2)))


@given(fractions, fractions, radicands, radicands, st.booleans())
def test_pure_roots_of_any_radicands_multiply_and_divide_as_in_sympy(b, c, d, e, divide):
    x, y = Surd(0, b, d), Surd(0, c, e)
    assume(x.rational == y.rational == 0 and (y or not divide))
    result = x / y if divide else x * y
    left, right = in_sympy(Fraction(0), b, d), in_sympy(Fraction(0), c, e)
    assert are_equal(parts_of(result), left / right if divide else left * right)


@given(parts, radicands, st.integers(-4, 5))
def test_integer_powers_agree_with_sympy(part, d, exponent):
    x = Surd(*part, d)
    assume(x or exponent >= 0)
    assert are_equal(parts_of(x**exponent), in_sympy(*part, d) ** exponent)


def test_roots_with_a_hidden_common_part_add_up():
    p, q, r = LARGE_PRIME, LARGER_PRIME, 10**9 + 7
    for sign in (1, -1):
        left, right = Surd(1, "1/2", sign * p**2 * r), Surd(2, 3, sign * q**2 * r)
        assert left.radicand == sign * p**2 * r  # it is hidden: the square was not found
        assert left + right == Surd(3, mpq(p, 2) + 3 * q, sign * r)
        assert left - right == Surd(-1, mpq(p, 2) - 3 * q, sign * r)
        assert left * right == Surd(2 + sign * mpq(3, 2) * p * q * r, p + 3 * q, sign * r)
        assert left / left == 1


@pytest.mark.parametrize("operation", [operator.add, operator.sub])
@pytest.mark.parametrize(("d", "e"), [(2, 3), (2, -2), (-2, 2), (-1, 2), (2, 8 * LARGE_PRIME)])
def test_a_sum_of_unlike_roots_is_not_a_surd(operation, d, e):
    left, right = Surd(0, 1, d), Surd(0, 1, e)
    with pytest.raises(NotASurd) as caught:
        operation(left, right)
    assert caught.value.given[0] == left


@pytest.mark.parametrize(
    "divide",
    [
        lambda: Surd(1, 1, 2) / 0,
        lambda: Surd(1, 1, 2) / Surd(),
        lambda: 1 / Surd(),
        lambda: Surd() ** -1,
        lambda: Surd() / Surd(0, 1, 0),
    ],
)
def test_division_by_zero_is_refused(divide):
    with pytest.raises(DivisionByZero):
        divide()


NUMBERS = [3, Fraction(1, 3), mpq(-2, 7), mpz(5), Decimal("0.25"), np.int64(-2)]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_every_library_work_on_either_side(number):
    x, y = Surd("1/2", 3, 5), Surd(str(number))
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        left, right = operation(x, number), operation(number, x)
        assert type(left) is type(right) is Surd
        assert left == operation(x, y)
        assert right == operation(y, x)
    assert (number < x) is (y < x) is (x > number)
    assert (number >= x) is (y >= x) is (x <= number)
    assert y == number
    assert number == y
    assert x != number
    assert number != x


def test_sympy_numbers_work_on_the_right_and_make_a_sympy_result_on_the_left():
    x, number = Surd("1/2", 3, 5), sympy.Rational(-1, 3)
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        assert operation(x, number) == operation(x, mpq(-1, 3))
        assert are_equal(operation(number, x), parts_of(operation(mpq(-1, 3), x)))


OPERATIONS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.eq, operator.ne]
ORDERS = [operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("operation", OPERATIONS + ORDERS)
@pytest.mark.parametrize("value", [0.5, np.float32(0.5), mpfr(0.5), float("nan")])
def test_a_float_is_refused_in_arithmetic_and_comparison_on_either_side(operation, value):
    for left, right in ((Surd(1, 1, 2), value), (value, Surd(1, 1, 2))):
        with pytest.raises(FloatRefused):
            operation(left, right)


@pytest.mark.parametrize("operation", [*OPERATIONS[:4], *ORDERS])
def test_texts_and_none_are_refused_as_operands(operation):
    for left, right in ((Surd(1, 1, 2), "1"), ("1", Surd(1, 1, 2)), (None, Surd(1)), (Surd(1), None)):
        with pytest.raises(TypeError):
            operation(left, right)
    assert (Surd(1) == "1") is False
    assert (Surd(1) != None) is True  # noqa: E711


# -- equality, hash, order --------------------------------------------------------------------------


@given(fractions, fractions, st.integers(-50, 50), st.sampled_from([1, 2, 3, LARGE_PRIME, LARGER_PRIME]))
def test_equality_and_hash_do_not_depend_on_how_the_root_is_written(a, b, d, p):
    d *= 10**9 + 7  # keeps the square of a large prime hidden
    left, right = Surd(a, b, d * p**2), Surd(a, b * p, d)
    assert left == right
    assert hash(left) == hash(right)
    assert (left != right) is False


@given(surds, surds)
def test_surds_are_equal_only_if_sympy_says_so(x, y):
    assert (x == y) == are_equal(parts_of(x), parts_of(y))
    if x == y:
        assert hash(x) == hash(y)


@given(st.fractions())
def test_a_rational_surd_equals_and_hashes_like_the_rational(value):
    surd = Surd(value)
    assert surd == value
    assert value == surd
    assert hash(surd) == hash(value) == hash(mpq(value))
    assert {value: "found"}[surd] == "found"


@given(reals, reals)
def test_order_across_radicands_agrees_with_two_hundred_digits(x, y):
    difference = with_many_digits(x) - with_many_digits(y)
    if abs(difference) < mpmath.mpf(2) ** -600:
        assert x == y
        difference = 0
    assert (x < y) is bool(difference < 0)
    assert (x <= y) is bool(difference <= 0)
    assert (x > y) is bool(difference > 0)
    assert (x >= y) is bool(difference >= 0)
    assert (x == y) is bool(difference == 0)


@given(reals)
def test_sign_absolute_value_and_truth_agree_with_two_hundred_digits(x):
    value = with_many_digits(x)
    sign = 0 if x == 0 else int(mpmath.sign(value))
    assert x.sign() == sign
    assert abs(x) == sign * x
    assert bool(x) is (sign != 0)


@given(reals)
def test_floor_and_ceiling_agree_with_two_hundred_digits(x):
    value = with_many_digits(x)
    nearest = int(mpmath.nint(value))
    below = nearest if x == nearest else int(mpmath.floor(value))
    assert math.floor(x) == below
    assert math.ceil(x) == below + (x != below)


def convergents_of_root_two(count):
    p, q = mpz(1), mpz(1)
    for _ in range(count):
        yield p, q
        p, q = p + 2 * q, p + q


def test_convergents_of_root_two_lie_on_alternating_sides():
    root = Surd.sqrt(2)
    for index, (p, q) in enumerate(convergents_of_root_two(400)):  # q reaches 10^152
        side = -1 if index % 2 == 0 else 1
        assert (Surd(mpq(p, q)) - root).sign() == side
        assert (mpq(p, q) < root) is (side < 0)
        assert (Surd(0, q, 2) > p) is (side < 0)
        assert math.floor(Surd(0, q, 2)) == (p if side < 0 else p - 1)
        assert math.floor(Surd(0, -q, 2)) == (-p - 1 if side < 0 else -p)


def test_imaginary_numbers_have_no_order_sign_floor_or_decimals():
    x = Surd(1, 1, -2)
    assert not x.is_real
    for order in ORDERS:
        for left, right in ((x, 1), (1, x), (Surd(1), x), (x, x)):
            with pytest.raises(NotOrdered):
                order(left, right)
    for ask in (Surd.sign, abs, math.floor, math.ceil, Surd.decimal, Surd.scientific):
        with pytest.raises(NotOrdered):
            ask(x)
    assert x == Surd(1, 1, -2)
    assert x
    assert not x.is_rational
    assert (x - Surd(0, 1, -2)).sign() == 1


# -- forms ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "text", "latex"),
    [
        ((0,), "Surd(0)", "0", "0"),
        ((-7,), "Surd(-7)", "-7", "-7"),
        (("-3/8",), "Surd('-3/8')", "-3/8", r"\frac{-3}{8}"),
        ((0, 1, 2), "Surd(0, 1, 2)", "√2", r"\sqrt{2}"),
        ((0, -1, 2), "Surd(0, -1, 2)", "-√2", r"-\sqrt{2}"),
        ((0, 3, 2), "Surd(0, 3, 2)", "3·√2", r"3 \sqrt{2}"),
        ((0, "-3/5", 2), "Surd(0, '-3/5', 2)", "-3·√2/5", r"\frac{-3 \sqrt{2}}{5}"),
        ((1, 1, 2), "Surd(1, 1, 2)", "1 + √2", r"1 + \sqrt{2}"),
        ((-1, -2, 2), "Surd(-1, -2, 2)", "-1 - 2·√2", r"-1 - 2 \sqrt{2}"),
        (("1/2", "-3/2", 5), "Surd('1/2', '-3/2', 5)", "(1 - 3·√5)/2", r"\frac{1 - 3 \sqrt{5}}{2}"),
        (("1/2", "1/3", 5), "Surd('1/2', '1/3', 5)", "(3 + 2·√5)/6", r"\frac{3 + 2 \sqrt{5}}{6}"),
        (("1/2", 1, 5), "Surd('1/2', 1, 5)", "(1 + 2·√5)/2", r"\frac{1 + 2 \sqrt{5}}{2}"),
        ((0, 1, -1), "Surd(0, 1, -1)", "i", "i"),
        ((0, -1, -1), "Surd(0, -1, -1)", "-i", "-i"),
        ((2, 3, -1), "Surd(2, 3, -1)", "2 + 3·i", "2 + 3 i"),
        ((0, 1, -3), "Surd(0, 1, -3)", "i·√3", r"i \sqrt{3}"),
        ((1, "-1/2", -3), "Surd(1, '-1/2', -3)", "(2 - i·√3)/2", r"\frac{2 - i \sqrt{3}}{2}"),
    ],
)
def test_a_surd_is_written_in_three_ways(arguments, code, text, latex):
    surd = Surd(*arguments)
    assert repr(surd) == code
    assert str(surd) == text
    assert surd.latex() == latex
    assert surd._repr_latex_() == f"${latex}$"


@given(surds)
def test_the_repr_can_be_pasted_back(surd):
    assert eval(repr(surd), {"Surd": Surd}) == surd


@given(st.builds(Surd, fractions, fractions, st.integers(1, 10**6)), st.integers(0, 60))
def test_decimals_are_the_nearest_ones(surd, places):
    with decimal.localcontext(prec=120, rounding=decimal.ROUND_HALF_EVEN):
        a, b = (Decimal(int(x.numerator)) / int(x.denominator) for x in (surd.rational, surd.coefficient))
        value = a + b * Decimal(int(surd.radicand)).sqrt()
        expected = f"{value.quantize(Decimal(1).scaleb(-places)):f}"
    assume(not surd.is_rational or surd.rational * 2 * 10**places % 1 != 0)  # a tie: see decimal_text
    assert surd.decimal(places) == (expected.lstrip("-") if not expected.strip("-0.") else expected)


@given(st.builds(Surd, fractions, fractions, st.integers(2, 10**6)), st.integers(1, 30))
def test_significant_digits_are_the_nearest_ones(surd, digits):
    assume(not surd.is_rational)
    with decimal.localcontext(prec=150, rounding=decimal.ROUND_HALF_EVEN) as context:
        a, b = (Decimal(int(x.numerator)) / int(x.denominator) for x in (surd.rational, surd.coefficient))
        value = a + b * Decimal(int(surd.radicand)).sqrt()
        context.prec = digits
        expected = +value
    text = surd.scientific(digits)
    assert Decimal(text) == expected
    assert len(text.split("e")[0].replace(".", "").lstrip("-")) == digits


def test_decimals_of_a_near_tie_are_certified():
    p, q = list(convergents_of_root_two(200))[-1]
    near = Surd(0, q, 2) - p + mpq(1, 2)  # a half, up to 10^−76
    assert near.decimal(0) == ("1" if p * p < 2 * q * q else "0")
    assert (1 - near).decimal(0) == ("0" if p * p < 2 * q * q else "1")
    assert near.decimal() == "0.500000"
    assert near.scientific() == "5.00000e-1"


def test_no_integer_is_factored():
    # Two primes of 60 digits: anything that factors would not come back.
    p = gmpy2.next_prime(mpz(10) ** 60)
    q = gmpy2.next_prime(mpz(3) * 10**60)
    x, y = Surd(1, 1, p * q**2), Surd(1, q, p)
    assert x == y
    assert x - y == 0
    assert x * Surd(1, -q, p) == 1 - p * q**2
    assert x * x > y


@pytest.mark.parametrize(
    "base", [Surd(2), Surd(1, 1, 2), Surd(0, 1, 2), Surd("1/3"), Surd(1, 1, -1), Surd("1/2", 0, 5)]
)
@pytest.mark.parametrize("exponent", [10**9, -(10**9), 10**40])
def test_a_power_too_long_to_be_written_is_refused(base, exponent):
    with pytest.raises(TooMuchWork):
        base**exponent
