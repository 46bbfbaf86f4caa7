"""Enclosures hold the true value, are as narrow as they say, and decide only what they know."""

import operator
from fractions import Fraction

import mpmath
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, FloatRefused, NotANumber, Undecided
from ntqr_exact.exact.enclosure import (
    Enclosure,
    decide_sign,
    enclose_exp,
    enclose_log,
    enclose_sqrt,
)
from ntqr_exact.exact.surd import Surd

fractions = st.fractions(min_value=-10, max_value=10, max_denominator=50)
enclosures = st.tuples(fractions, fractions).map(lambda ends: Enclosure(min(ends), max(ends)))
precisions = st.integers(2, 80)
TINY = mpq(1, 10**300)


def width(enclosure):
    return enclosure.upper - enclosure.lower


def points(enclosure):
    """Return the ends and some numbers between them."""
    return [enclosure.lower + width(enclosure) * k / 4 for k in range(5)]


def true_value(function, x, precision):
    """Return what mpmath says at more than four times the precision, as a rational."""
    with mpmath.workprec(4 * precision + 2200):
        sign, mantissa, exponent, _ = function(mpmath.mpf(int(x.numerator)) / int(x.denominator))._mpf_
    return (-1) ** sign * mpq(int(mantissa)) * mpq(2) ** int(exponent)


def assert_certified(enclosure, truth, precision):
    slack = abs(truth) / 2 ** (3 * precision + 1000)  # mpmath is not exact
    assert enclosure.lower - slack <= truth <= enclosure.upper + slack
    assert width(enclosure) <= abs(truth) * mpq(2) ** (2 - precision) + slack


# -- ends, sign and membership ----------------------------------------------------------------------


def test_ends_are_exact_ordered_and_inside():
    enclosure = Enclosure("1/3", Fraction(1, 2))
    assert (enclosure.lower, enclosure.upper) == (mpq(1, 3), mpq(1, 2))
    assert eval(repr(enclosure), {"Enclosure": Enclosure, "mpq": mpq}) == enclosure
    assert hash(enclosure) == hash(Enclosure("2/6", "0.5"))
    assert "1/3" in enclosure
    assert mpq(1, 2) in enclosure
    assert mpq(1, 3) - TINY not in enclosure
    assert mpq(1, 2) + TINY not in enclosure
    with pytest.raises(BadNumber):
        Enclosure(2, 1)


@pytest.mark.parametrize(
    ("ends", "sign"),
    [
        ((TINY, 1), 1),
        ((-1, -TINY), -1),
        ((0, 0), 0),
        ((0, 1), None),
        ((-1, 0), None),
        ((-1, 1), None),
    ],
)
def test_a_sign_is_said_only_if_all_numbers_inside_have_it(ends, sign):
    assert Enclosure(*ends).sign() is sign


# -- arithmetic -------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv])
@given(left=enclosures, right=enclosures)
def test_arithmetic_encloses_exactly_what_the_numbers_inside_give(operation, left, right):
    if operation is operator.truediv and right.lower <= 0 <= right.upper:
        with pytest.raises(Undecided):
            operation(left, right)
        return
    result = operation(left, right)
    assert all(operation(x, y) in result for x in points(left) for y in points(right))
    # It is also the smallest such enclosure: every end is reached at ends.
    reached = [operation(x, y) for x in (left.lower, left.upper) for y in (right.lower, right.upper)]
    assert (result.lower, result.upper) == (min(reached), max(reached))


@given(enclosures, fractions)
def test_a_number_on_either_side_is_an_enclosure_of_itself(enclosure, number):
    point = Enclosure(number, number)
    for operation in (operator.add, operator.sub, operator.mul):
        assert operation(enclosure, number) == operation(enclosure, point)
        assert operation(number, enclosure) == operation(point, enclosure)
    if number:
        assert enclosure / number == enclosure / point
    if enclosure.sign():
        assert number / enclosure == point / enclosure
    assert (-enclosure).lower == -enclosure.upper
    assert (-enclosure).upper == -enclosure.lower


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv])
def test_floats_and_texts_are_refused_as_operands(operation):
    for left, right in ((Enclosure(1, 2), 0.5), (0.5, Enclosure(1, 2))):
        with pytest.raises(FloatRefused):
            operation(left, right)
    for left, right in ((Enclosure(1, 2), "1"), ("1", Enclosure(1, 2)), (Enclosure(1, 2), None)):
        with pytest.raises(TypeError):
            operation(left, right)


# -- decimals ---------------------------------------------------------------------------------------


def test_a_decimal_is_given_only_if_both_ends_round_to_it():
    enclosure = Enclosure("0.12341", "0.12344")
    assert enclosure.decimal(4) == "0.1234"
    assert enclosure.scientific(4) == "1.234e-1"
    assert Enclosure("2/3", "2/3").decimal() == "0.666667"
    assert Enclosure("2/3", "2/3").scientific() == "6.66667e-1"
    for form in (enclosure.decimal, enclosure.scientific):
        with pytest.raises(Undecided):
            form(5)


# -- deciding a sign --------------------------------------------------------------------------------


def test_precision_doubles_until_the_sign_is_decided():
    asked = []

    def refine(precision):
        asked.append(precision)
        return Enclosure(-1 if precision < 500 else 1, 2)

    assert decide_sign(refine) == 1
    assert asked == [64, 128, 256, 512]


def test_a_divisor_that_may_be_zero_asks_for_more_precision():
    def refine(precision):
        return 1 / (enclose_sqrt(2, precision) - mpq(141421356237309504880168872420969807856967, 10**41))

    with pytest.raises(Undecided):
        refine(64)
    assert decide_sign(refine) == 1


# -- functions --------------------------------------------------------------------------------------

positives = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)
near_one = st.builds(lambda n, e: 1 + mpq(n, 10**e), st.integers(-9, 9).filter(bool), st.integers(1, 300))


@given(positives, precisions)
def test_square_roots_are_certified(x, precision):
    assert_certified(enclose_sqrt(x, precision), true_value(mpmath.sqrt, x, precision), precision)


@given(positives | near_one | st.fractions(min_value=Fraction(1, 4), max_value=3), precisions)
def test_logarithms_are_certified(x, precision):
    assert_certified(enclose_log(x, precision), true_value(mpmath.log, x, precision), precision)


@given(st.fractions(min_value=-2, max_value=2) | st.fractions(min_value=-900, max_value=900), precisions)
def test_exponentials_are_certified(x, precision):
    assert_certified(enclose_exp(x, precision), true_value(mpmath.exp, x, precision), precision)


@pytest.mark.parametrize("precision", [2, 3, 53, 64, 200])
@pytest.mark.parametrize(
    ("enclose", "function", "x"),
    [
        (enclose_sqrt, mpmath.sqrt, TINY),
        (enclose_sqrt, mpmath.sqrt, 1 / TINY + 1),
        (enclose_log, mpmath.log, 1 + TINY),
        (enclose_log, mpmath.log, 1 - TINY),
        (enclose_log, mpmath.log, mpq(1, 2)),
        (enclose_log, mpmath.log, mpq(2)),
        (enclose_log, mpmath.log, mpq(2) - TINY),
        (enclose_log, mpmath.log, mpq(2) + TINY),
        (enclose_log, mpmath.log, mpq(1, 2) + TINY),
        (enclose_log, mpmath.log, mpq(1, 2) - TINY),
        (enclose_log, mpmath.log, mpq(3, 4) - mpq(1, 10**9)),
        (enclose_log, mpmath.log, mpq(3, 4) - mpq(1, 10**5)),
        (enclose_log, mpmath.log, 1 / TINY),
        (enclose_log, mpmath.log, TINY),
        (enclose_exp, mpmath.exp, TINY),
        (enclose_exp, mpmath.exp, -TINY),
        (enclose_exp, mpmath.exp, mpq(1)),
        (enclose_exp, mpmath.exp, mpq(-2047, 2)),
        (enclose_exp, mpmath.exp, mpq(1_000_000)),
        (enclose_exp, mpmath.exp, mpq(-1_000_000)),
        (enclose_exp, mpmath.exp, mpq(999_999) + mpq(1, 3)),
        (enclose_exp, mpmath.exp, mpq(-999_999) - mpq(1, 3)),
    ],
)
def test_extreme_arguments_are_certified(enclose, function, x, precision):
    assert_certified(enclose(x, precision), true_value(function, x, precision), precision)


@pytest.mark.parametrize("enclose", [enclose_sqrt, enclose_log, enclose_exp])
@given(ends=st.tuples(positives, positives).map(sorted), precision=precisions)
def test_the_function_of_an_enclosure_has_the_ends_of_the_functions_of_its_ends(enclose, ends, precision):
    low, high = (min(end, 900) for end in ends)
    wide = enclose(Enclosure(low, high), precision)
    sharp_low, sharp_high = (enclose(end, 3 * precision + 60) for end in (low, high))
    assert enclose(low, precision).lower <= wide.lower <= sharp_low.upper
    assert sharp_high.lower <= wide.upper <= enclose(high, precision).upper


@pytest.mark.parametrize(
    ("enclose", "value"),
    [
        (enclose_sqrt, -TINY),
        (enclose_sqrt, Enclosure(-1, 1)),
        (enclose_log, 0),
        (enclose_log, -1),
        (enclose_log, Enclosure(0, 1)),
        (enclose_exp, 1_000_000 + TINY),
        (enclose_exp, -1_000_000 - TINY),
        (enclose_exp, Enclosure(-1_000_001, 0)),
        (enclose_exp, Enclosure(0, 1_000_001)),
    ],
)
def test_arguments_outside_the_domain_are_refused(enclose, value):
    with pytest.raises(BadNumber) as caught:
        enclose(value)
    assert caught.value.given == value


@pytest.mark.parametrize(
    ("value", "precision", "error"),
    [
        (2, 10**9, BadNumber),
        (2, 1, BadNumber),
        (2, -5, BadNumber),
        (2, 64.0, NotANumber),
        (2, "64", NotANumber),
        (2, True, NotANumber),
        (0.5, 64, FloatRefused),
    ],
)
def test_bad_precisions_and_floats_are_refused(value, precision, error):
    with pytest.raises(error):
        enclose_sqrt(value, precision)


def test_enclosures_are_ordered_where_they_do_not_overlap_and_undecided_where_they_do():
    assert enclose_sqrt(2) < enclose_sqrt(3) <= 2 < enclose_sqrt(5)
    assert enclose_sqrt(3) > enclose_sqrt(2) >= 1
    assert Enclosure(1, 2) <= Enclosure(2, 3)
    assert not Enclosure(2, 3) < Enclosure(1, 2)
    for ask in (Enclosure.__lt__, Enclosure.__le__, Enclosure.__gt__, Enclosure.__ge__):
        with pytest.raises(Undecided):
            ask(Enclosure(1, 3), Enclosure(2, 4))


def test_an_enclosure_and_a_surd_are_formatted_like_a_float_and_rounded_exactly():
    for value in (enclose_sqrt(2), Surd.sqrt(2)):
        assert f"{value:.4f}|{value:*^9.2f}|{value:<8.1e}|{value:.0%}" == "1.4142|**1.41***|1.4e0   |141%"
        assert float(value) == 2**0.5
