"""Decimal texts are the nearest decimals; a tie goes to the even digit. Short forms of values."""

import decimal
from decimal import Decimal
from fractions import Fraction

import pytest
from gmpy2 import mpq, mpz
from hypothesis import assume, given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.enclosure import Enclosure, LogSumKey
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import (
    counted,
    fixed_text,
    formulas,
    short_decimal,
    significant_text,
    value_text,
    with_decimal,
)
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined

rationals = st.builds(
    lambda p, q, e: mpq(p, q) * mpq(10) ** e,
    st.integers(-(10**9), 10**9),
    st.integers(1, 10**6),
    st.integers(-40, 40),
)
dyadics = st.builds(lambda p, e: mpq(p, 2**e), st.integers(-4000, 4000), st.integers(0, 8))


@pytest.mark.parametrize(
    ("value", "digits", "fixed", "scientific"),
    [
        (mpq(0), 3, "0.000", "0.00e0"),
        (mpq(-5, 2), 1, "-2.5", "-2e0"),
        (mpq(3, 8) - mpq(1, 10**50), 2, "0.37", "3.7e-1"),
        (mpq(-1, 1000), 2, "0.00", "-1.0e-3"),
        (mpq(99996, 10000), 4, "9.9996", "1.000e1"),
        (mpq(10**30) + mpq(1, 4), 1, "1" + "0" * 30 + ".2", "1e30"),
        (mpq(10) ** 1000 - 1, 2, "9" * 1000 + ".00", "1.0e1000"),
        (1 / (mpq(10) ** 1000 + 1), 2, "0.00", "1.0e-1000"),
    ],
)
def test_ties_go_to_the_even_digit_and_carries_to_the_next(value, digits, fixed, scientific):
    assert (fixed_text(value, digits), significant_text(value, digits)) == (fixed, scientific)
    assert (Surd(value).decimal(digits), Surd(value).scientific(digits)) == (fixed, scientific)


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
def test_the_exponent_is_right_at_and_next_to_every_power_of_ten(exponent, side):
    value = mpq(10) ** exponent * (1 + side * mpq(1, 10**80))
    expected = f"9.9{'9' * 78}e{exponent - 1}" if side < 0 else f"1.{'0' * 79}e{exponent}"
    assert significant_text(value, 80) == expected
    assert significant_text(-value, 80) == "-" + expected


@pytest.mark.parametrize(("form", "least"), [(fixed_text, 0), (significant_text, 1)])
def test_a_number_of_digits_that_is_too_small_is_refused(form, least):
    assert form(mpq(7), least)
    with pytest.raises(BadNumber):
        form(mpq(7), least - 1)


def test_a_short_value_is_shown_exactly_and_in_decimals() -> None:
    longest, too_long = mpq(10**10 + 9, 10**11 + 3), mpq(10**11 + 9, 10**11 + 3)
    assert value_text(longest) == f"{longest} ≈ 0.100000"
    assert value_text(too_long) == "≈ 1.000000"
    assert value_text(Surd(0, "1/2", 2)) == "√2/2 ≈ 0.707107"
    assert value_text(mpz(7)) == value_text(7) == "7"


def test_a_long_value_is_shown_as_a_decimal_that_is_not_zero() -> None:
    tiny = mpq(1, 3**60)
    text = value_text(tiny)
    assert text.startswith("≈ ")
    assert abs(rational(text[2:]) / tiny - 1) < mpq(1, 10**5)


@pytest.mark.parametrize("places", [4, 6])
def test_a_decimal_is_alone_if_it_is_exact_and_keeps_three_digits_of_a_small_number(places) -> None:
    for digits in (99, 100, 7 * 10 ** (places - 1)):
        value = mpq(digits, 10**places)
        assert with_decimal(value, places) == f"{value} = {fixed_text(value, places).rstrip('0')}"
        text = with_decimal(value + mpq(1, 3 * 10**places), places)
        assert ("e-" in text) == (digits < 100)
        assert "≈" in text
    assert short_decimal(mpq(2, 5)) == "0.4"


def test_undefined_enclosed_and_logarithmic_values_have_texts() -> None:
    assert value_text(Undefined.NO_QUESTIONS) == f"undefined: {Undefined.NO_QUESTIONS.value}"
    assert value_text(Enclosure("0.4", "0.6"), longest=300) == "≈ 0.500000"
    assert value_text(LogSumKey(((1, 2),))) == "1·log 2 ≈ 0.693147"
    assert value_text(Surd(1, 1, -2), longest=0) == "1 + i·√2 (imaginary)"


def test_digits_are_grouped_huge_numbers_rounded_and_nouns_inflected() -> None:
    assert [value_text(number) for number in (1234567, -123456)] == ["1,234,567", "-123456"]
    assert value_text(10**600) == "≈ 1.00000e600"
    texts = [counted(number, noun) for number, noun in ((1, "family"), (2, "family"), (0, "key"))]
    assert texts == ["1 family", "2 families", "0 keys"]


@pytest.mark.parametrize("text", ["a[f_x]", "T_k⁻¹", "{f_i", "x_abc_de", "`f_a`", "$f_a$", "f"])
def test_words_that_are_not_formulas_stay_as_they_are(text):
    assert formulas(text) == text
    assert formulas("f_a ≤ 5$", other=str.upper) == "$f_a$ ≤ 5$"
