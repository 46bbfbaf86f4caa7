"""Decimal texts are the nearest decimals; a tie goes to the even digit."""

import decimal
from decimal import Decimal
from fractions import Fraction

import pytest
from gmpy2 import mpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.show import fixed_text, significant_text
from ntqr_exact.exact.surd import Surd

rationals = st.builds(
    lambda p, q, e: mpq(p, q) * mpq(10) ** e,
    st.integers(-(10**9), 10**9),
    st.integers(1, 10**6),
    st.integers(-40, 40),
)
dyadics = st.builds(lambda p, e: mpq(p, 2**e), st.integers(-4000, 4000), st.integers(0, 8))


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (mpq(0), 0, "0"),
        (mpq(0), 3, "0.000"),
        (mpq(1, 2), 0, "0"),
        (mpq(3, 2), 0, "2"),
        (mpq(5, 2), 0, "2"),
        (mpq(-1, 2), 0, "0"),
        (mpq(-3, 2), 0, "-2"),
        (mpq(-5, 2), 0, "-2"),
        (mpq(1, 8), 2, "0.12"),
        (mpq(3, 8), 2, "0.38"),
        (mpq(-1, 8), 2, "-0.12"),
        (mpq(-3, 8), 2, "-0.38"),
        (mpq(1, 8) + mpq(1, 10**50), 2, "0.13"),
        (mpq(3, 8) - mpq(1, 10**50), 2, "0.37"),
        (mpq(-1), 0, "-1"),
        (mpq(-1, 100), 2, "-0.01"),
        (mpq(-1, 1000), 2, "0.00"),
        (mpq(2, 3), 4, "0.6667"),
        (mpq(9996, 1000), 2, "10.00"),
        (mpq(12345), 0, "12345"),
        (mpq(12345), 1, "12345.0"),
        (mpq(-1, 20), 3, "-0.050"),
        (mpq(10**30) + mpq(1, 4), 1, "1" + "0" * 30 + ".2"),
    ],
)
def test_a_rational_is_rounded_to_the_nearest_decimal_and_ties_to_even(value, places, text):
    assert fixed_text(value, places) == text
    assert Surd(value).decimal(places) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (mpq(0), 1, "0e0"),
        (mpq(0), 3, "0.00e0"),
        (mpq(1), 1, "1e0"),
        (mpq(-1), 1, "-1e0"),
        (mpq(1), 3, "1.00e0"),
        (mpq(10), 3, "1.00e1"),
        (mpq(100), 1, "1e2"),
        (mpq(999), 3, "9.99e2"),
        (mpq(1, 10), 2, "1.0e-1"),
        (mpq(1, 100), 2, "1.0e-2"),
        (mpq(99, 1000), 2, "9.9e-2"),
        (mpq(99996, 10000), 4, "1.000e1"),
        (mpq(-99996, 10000), 4, "-1.000e1"),
        (mpq(99994, 10000), 4, "9.999e0"),
        (mpq(-99996, 10**8), 4, "-1.000e-3"),
        (mpq(96), 1, "1e2"),
        (mpq(5), 1, "5e0"),
        (mpq(25), 1, "2e1"),
        (mpq(35), 1, "4e1"),
        (mpq(-25), 1, "-2e1"),
        (mpq(1, 30), 6, "3.33333e-2"),
        (mpq(2, 3) * mpq(10) ** 500, 5, "6.6667e499"),
        (mpq(-2, 3) * mpq(10) ** -500, 5, "-6.6667e-501"),
        (mpq(10) ** 1000, 2, "1.0e1000"),
        (mpq(10) ** -1000, 2, "1.0e-1000"),
        (mpq(10) ** 1000 - 1, 2, "1.0e1000"),
        (1 / (mpq(10) ** 1000 - 1), 2, "1.0e-1000"),
        (1 / (mpq(10) ** 1000 + 1), 2, "1.0e-1000"),
    ],
)
def test_scientific_notation_rounds_to_significant_digits_and_carries(value, digits, text):
    assert significant_text(value, digits) == text
    assert Surd(value).scientific(digits) == text


@given(dyadics | rationals, st.integers(0, 12))
def test_fixed_texts_agree_with_the_decimal_module(value, places):
    # A rational times 10^places is rounded by Python's own exact fractions.
    exact = Fraction(int(value.numerator), int(value.denominator))
    expected = Decimal(round(exact * 10**places)).scaleb(-places, decimal.Context(prec=200))
    text = fixed_text(value, places)
    assert Decimal(text) == expected
    assert len(text.partition(".")[2]) == places
    assert not (text.startswith("-") and expected == 0)


@given(dyadics | rationals, st.integers(1, 25))
def test_significant_texts_agree_with_the_decimal_module(value, digits):
    assume(value != 0)
    with decimal.localcontext(prec=digits, rounding=decimal.ROUND_HALF_EVEN):
        expected = Decimal(int(value.numerator)) / int(value.denominator)
    mantissa, exponent = significant_text(value, digits).split("e")
    assert Decimal(mantissa).scaleb(int(exponent)) == expected
    assert 1 <= abs(Decimal(mantissa)) < 10
    assert len(mantissa.lstrip("-").replace(".", "")) == digits


@given(st.integers(-60, 60), st.sampled_from([-1, 0, 1]))
def test_the_exponent_is_right_at_and_beside_every_power_of_ten(exponent, side):
    value = mpq(10) ** exponent * (1 + side * mpq(1, 10**80))
    expected = f"9.9{'9' * 78}e{exponent - 1}" if side < 0 else f"1.{'0' * 79}e{exponent}"
    assert significant_text(value, 80) == expected
    assert significant_text(-value, 80) == "-" + expected


@pytest.mark.parametrize(("form", "least"), [(fixed_text, 0), (significant_text, 1)])
def test_a_number_of_digits_that_is_too_small_is_refused(form, least):
    assert form(mpq(7), least)
    with pytest.raises(BadNumber):
        form(mpq(7), least - 1)
