from __future__ import annotations

from gmpy2 import mpq, mpz

from ntqr_exact.evaluation import Undefined
from ntqr_exact.exact.enclosure import Enclosure, LogSumKey
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import grouped, value_text
from ntqr_exact.exact.surd import Surd


def test_a_short_value_is_shown_exactly_and_in_decimals() -> None:
    assert value_text(mpq(4669, 1200000)) == "4669/1200000 ≈ 0.003891"
    assert value_text(Surd(0, "1/2", 2)) == "√2/2 ≈ 0.707107"
    assert value_text(mpz(7)) == value_text(7) == "7"


def test_a_long_value_is_shown_as_a_decimal_that_is_not_zero() -> None:
    tiny = mpq(1, 3**60)
    text = value_text(tiny)
    assert text.startswith("≈ ")
    assert abs(rational(text[2:]) / tiny - 1) < mpq(1, 10**5)


def test_undefined_enclosed_and_logarithmic_values_have_texts() -> None:
    assert value_text(Undefined.NO_QUESTIONS) == f"undefined: {Undefined.NO_QUESTIONS.value}"
    assert value_text(Enclosure("0.4999999", "0.5000001")) == "≈ 0.500000"
    assert value_text(LogSumKey(((1, 2),))) == "1·log 2 ≈ 0.693147"
    assert value_text(Surd(1, 1, -2)) == "1 + i·√2 (imaginary)"


def test_digits_are_grouped_and_huge_numbers_measured() -> None:
    assert grouped(1234567) == "1,234,567"
    assert grouped(10**600) == "a number of 601 digits,"
